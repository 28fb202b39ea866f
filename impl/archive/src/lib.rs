//! The full dictionary on a store, with proofs on request.
