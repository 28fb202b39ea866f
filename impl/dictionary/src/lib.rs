//! The versioned authenticated dictionary: claims, transactions, blocks and the validator.
