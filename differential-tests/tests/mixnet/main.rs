//! The mixnet's proofs: the specification, which knows every point's logarithm, against the
//! implementation, point by point, scalar by scalar, verdict by verdict.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

mod columns;
mod dealing;
mod decryption;
mod lists;
mod permutations;
mod posts;
mod sharing;
mod traces;
