//! The archive as a service: it answers over HTTP (`docs/network.md`), and follows a chain if told to.
//!
//! ```text
//! CometBFT's RPC -> follower -> validator -> root = app hash? -> archive (store) + chain records
//!                                                                   |
//! connection (limits) -> router -> worker (bounded queue) -> Shelf -+-> proof, paths, commitments
//! ```
//!
//! Nobody needs to trust an archive. What it must do is to answer, so the limits are what this module is about: of
//! connections, of requests that wait, of bytes that are held for slow readers ([`Limits`]). Nothing here grows with
//! what a client sends.

mod api;
mod chain_records;
mod costs;
mod daemon;
mod error;
mod follower;
mod limits;
mod metrics;
mod pieces;
mod proving;
mod reply;
mod rooms;
mod server;
mod service;
mod shelf;
mod trees;
mod work;

pub use crate::fail_point::OF_ARCHIVE as FAIL_POINTS;
pub use api::router;
pub use chain_records::{ChainRecord, ChainRecords, RecordError};
pub use daemon::{ChainOptions, DaemonError, Options, run};
pub use error::ApiError;
pub use follower::{FollowError, Follower, OtherArchive, Step};
pub use limits::Limits;
pub use server::{Serving, serve};
pub use service::Service;
pub use shelf::{Following, Shelf, ShelfError};
