//! A mixnet, and answers about who sent what: the pure part, without board, signatures or network.
//!
//! Senders encrypt values, servers permute and decrypt the list. Afterwards a question is answered
//! by one encrypted bit for each input (or output), which goes through the permutations that the
//! servers committed to when they mixed; only the bits that were asked for are decrypted.
//! docs/mixnet.md has the protocol, the reasons, and what is not built yet.
//!
//! In the order of use:
//!
//! 1. [`keys`]: keys shared among the servers.
//! 2. [`input`]: encrypted values with their proofs.
//! 3. [`layer`]: what a server posts when it mixes. [`decryption`]: what it posts after.
//! 4. [`mix`](mod@mix): a finished and verified mix.
//! 5. [`query`]: questions. [`trace`]: the servers' part of an answer, and the querier's.
//!
//! Every function that judges what came from elsewhere returns a [`Fault`] that names author and
//! place. Pure: no input or output, no clock, no randomness of its own.

#![warn(clippy::indexing_slicing)]

pub mod body;
pub mod decryption;
pub mod fault;
pub mod ideal;
pub mod input;
pub mod keys;
pub mod layer;
pub mod mix;
pub mod query;
pub mod trace;

pub use fault::{Fault, FaultKind, Place};
pub use mix::Mix;
pub use query::{Query, Reveal, TraceDirection};
