//! A mixnet's board, and the servers of its ceremonies, as processes.
//!
//! The board is an authenticated dictionary with one writer: a post is a transaction that requires
//! that its key, and the keys of its gates, are absent, and puts the pair. Or it is on a chain of
//! the policy `board`, which the process follows and gives posts to. Longer bodies lie beside the
//! dictionary, by their digest. Nobody has to trust the board for more than showing the same
//! posts to all: posts are signed, and what follows from them anybody computes
//! ([`aardvark_mixnet::View`]).
//!
//! 1. [`board`], [`limits`]: the dictionary and the bodies on disk, or the chain, and what bounds
//!    them.
//! 2. [`wire`], [`service`]: what travels, and the HTTP server, which is an archive's too.
//! 3. [`client`]: reading and writing a board by its word. [`proved`]: reading all posts of a
//!    version under its state root.
//! 4. [`journal`], [`history`], [`certified`], [`server`]: a server of ceremonies, which signs each
//!    slot once, on one board, and on a chain acts upon certified posts only.

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

mod admission;
pub mod board;
mod bodies;
pub mod certified;
pub mod client;
mod drafts;
pub mod error;
mod fetched;
pub mod history;
pub mod journal;
mod judging;
mod ledger;
pub mod limits;
pub mod proved;
pub mod server;
pub mod service;
pub mod summary;
pub mod wire;

pub use board::Board;
pub use client::{BoardClient, ClientError};
pub use error::BoardError;
pub use history::{History, HistoryError};
pub use journal::{Journal, JournalError};
pub use limits::BoardLimits;
pub use proved::{ProvedPosts, read_proved};
pub use server::{Process, ProcessError};
