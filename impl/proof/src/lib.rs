//! What a reader of a dictionary holds: proofs, what they are checked against, and keys, as text.
//!
//! | module | what |
//! |---|---|
//! | [`hex_text`], [`key_text`] | byte strings, keys and values as people write them |
//! | [`json`] | what the JSON formats share |
//! | [`proof_json`], [`root_json`] | a proof for one key, and what ties it to a state root |
//! | [`commitments_json`] | the commitments of a version, which a reader trusts |
//! | [`transaction_json`] | transactions, whose claims are those of proofs |

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

// Notation
pub mod hex_text;
pub mod json;
pub mod key_text;
// Formats
pub mod commitments_json;
pub mod proof_json;
pub mod root_json;
pub mod transaction_json;
