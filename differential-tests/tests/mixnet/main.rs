//! The mixnet's proofs: the specification, which knows every point's logarithm, against the
//! implementation, point by point, scalar by scalar, verdict by verdict. The oracle judges the
//! proofs of permutations, columns, decryptions, zero tests and dealings too, and whole generations
//! of keys. Views of whole ceremonies are compared without the logarithms.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

mod chunks;
mod columns;
mod dealing;
mod decryption;
mod key_generation;
mod lists;
mod permutations;
mod posts;
mod sharing;
mod traces;
#[path = "../../../impl/mixnet/tests/board/mod.rs"]
mod view_board;
mod view_histories;
mod views;
