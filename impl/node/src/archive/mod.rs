//! The archive as a service: it answers over HTTP (`docs/network.md`), and follows a chain if told
//! to.
//!
//! ```text
//! CometBFT's RPC -> follower -> validator -> root = app hash? -> archive (store) + chain records
//!                                                                           |
//! connection (limits) -> router -> worker (bounded queue) -> SharedArchive -+-> proof, paths, commitments
//! ```
//!
//! Nobody needs to trust an archive. What it must do is to answer, so the limits are what this
//! module is about: of connections, of requests that wait, of bytes that are held for slow readers
//! ([`Limits`]). Nothing here grows with what a client sends.

// What is served, and what it costs
mod chain_records;
mod costs;
mod limits;
mod metrics;
mod shared_archive;
mod trees;
// Following a chain, or a store that somebody else writes
mod follower;
mod front;
mod store_follower;
// Answers
mod answer_length;
mod api;
mod error;
mod pieces;
mod proving;
mod reply;
mod service;
mod vector_owner;
mod work;
// Copies of it
mod backup;
mod backup_certificates;
mod last_backup;
mod opened;
// Connections and the process
mod asked_servers;
mod connection_limits;
mod daemon;
mod openings_daemon;
mod server;
mod telling;

pub use crate::fail_point::OF_ARCHIVE as FAIL_POINTS;
pub use api::{openings_router, router, router_beside};
pub use asked_servers::AskedServers;
pub use backup::{Restored, Trust, back_up, restore};
pub use chain_records::{ChainRecord, ChainRecords, RecordError};
pub use daemon::{ChainOptions, Listening, Options, open_to_follow, run};
pub use error::ApiError;
pub use follower::{FollowError, Follower, OtherArchive, Step};
pub use front::{OtherStore, open_front};
pub use limits::Limits;
pub use opened::DaemonError;
pub use openings_daemon::{OpeningsOptions, run_openings};
pub use server::{Serving, serve};
pub use service::Service;
pub use shared_archive::{Following, SharedArchive, SharedArchiveError};
pub use store_follower::StoreFollower;
pub use vector_owner::VectorOwner;
