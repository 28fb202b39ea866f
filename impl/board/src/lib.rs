//! A mixnet's board, and the servers of its ceremonies, as processes.
//!
//! The board is an authenticated dictionary with one writer: a post is a transaction that requires
//! that its key, and the keys of its gates, are absent, and puts the pair. Longer bodies lie beside
//! the dictionary, by their digest. Nobody has to trust the board for more than showing the same
//! posts to all: posts are signed, and what follows from them anybody computes
//! ([`aardvark_mixnet::View`]).
//!
//! 1. [`board`]: the dictionary and the bodies on disk.
//! 2. [`wire`], [`service`]: what travels, and the HTTP server.
//! 3. [`client`]: reading and writing a board.
//! 4. [`journal`], [`server`]: a server of ceremonies, which signs each slot once.

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

pub mod board;
pub mod client;
pub mod journal;
pub mod server;
pub mod service;
pub mod wire;

pub use board::{Board, BoardError};
pub use client::{BoardClient, ClientError};
pub use journal::{Journal, JournalError};
pub use server::{Process, ProcessError};
