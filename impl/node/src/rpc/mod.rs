//! A small typed client of CometBFT's JSON-RPC (v0.38), for whoever trusts the node no further than it proves.
//!
//! One request, one answer of bounded size within a bounded time ([`http`]). What comes back has the right form and is
//! about what was asked; whether it is **true** is for `crate::light` to say: headers are believed for their
//! signatures, transactions for their header's hash, all else not at all.
//!
//! ```text
//! RpcClient::{status, commit, validators, block, genesis, broadcast_tx_sync, tx_search}
//!    -> JSON-RPC over POST -> bytes, at most so many -> typed answer | RpcError, which names the node
//! ```

mod answers;
mod client;
mod error;
pub mod http;
mod resolver;
mod validator_set;

pub use answers::{Block, BroadcastResult, FoundTransaction, NodeStatus};
pub use client::RpcClient;
pub use error::{Problem, RpcError};
pub use http::HttpOptions;
pub use validator_set::{MOST_VALIDATORS, SetFault, validator_set};
