//! A mixnet, and answers about who sent what: the pure part, without store or network.
//!
//! Senders encrypt values, servers permute and decrypt the list. Afterwards a question is answered
//! by one encrypted bit for each input (or output), which goes through the permutations that the
//! servers committed to when they mixed; only the bits that were asked for are decrypted.
//! docs/mixnet.md has the protocol, the reasons, and what is not built yet.
//!
//! A ceremony is a set of signed posts on a board, each written once, and everything that is known
//! of it is a function of them: [`view::View::of`] says its stage, its results and who broke which
//! rule ([`view::Memo::view`] the same, judging each post once), [`view::View::duties`] what a
//! server must post next, and [`view::View::perform`] makes the post.
//!
//! In the order of use:
//!
//! 1. [`identity`]: who takes part. [`ceremony`]: the terms. [`post`], [`stored`]: keys and
//!    values of a board.
//! 2. [`dealt`], [`keys`]: keys shared among the servers.
//! 3. [`input`]: encrypted values with their proofs.
//! 4. [`layer`]: what a server posts when it mixes. [`decryption`]: what it posts after.
//! 5. [`mix`](mod@mix): a finished and verified mix.
//! 6. [`query`]: questions. [`trace`], [`zero_test`]: the servers' part of an answer, and the
//!    querier's.
//! 7. [`view`], [`duty`]: a ceremony as a function of posts.
//!
//! Every function that judges what came from elsewhere returns a [`Fault`] that names author and
//! place. Pure: no input or output, no clock, no randomness of its own.

#![warn(clippy::indexing_slicing)]

pub mod body;
pub mod ceremony;
pub mod codec;
pub mod dealt;
pub mod decryption;
pub mod duty;
pub mod fault;
pub mod ideal;
pub mod identity;
pub mod input;
pub mod keys;
pub mod layer;
pub mod mix;
pub mod post;
pub mod post_key;
pub mod query;
pub mod stored;
pub mod trace;
pub mod view;
pub mod zero_test;

pub use aardvark_sigma::chunks;
pub use aardvark_sigma::column::KeyRow;
pub use ceremony::Ceremony;
pub use duty::Duty;
pub use fault::{Fault, FaultKind, Place};
pub use identity::Identity;
pub use mix::Mix;
pub use post::Posts;
pub use post_key::{CeremonyName, Kind, PostKey};
pub use query::{Query, Reveal, TraceDirection};
pub use view::{Memo, Stage, View};
