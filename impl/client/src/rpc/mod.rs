//! A small typed client of CometBFT's JSON-RPC (v0.38), for whoever trusts the node no further than
//! it proves.
//!
//! One request, one answer of bounded size within a bounded time ([`http`]), the size by what was
//! asked, and read as it arrives; a server's time can be bounded over all its answers too
//! ([`RpcClient::within`]). What comes back has the right form and is about what was asked; whether
//! it is **true** is for [`light`](crate::light) to say: headers are believed for their signatures,
//! transactions for their header's hash, all else not at all.
//!
//! ```text
//! RpcClient::{status, commit, validators, block, genesis, broadcast_tx_sync, tx_search}
//!    -> JSON-RPC over POST -> bytes, counted -> typed answer | RpcError, which names the node
//! ```

mod allowance;
mod answers;
mod body;
mod client;
mod error;
pub mod http;
mod http_error;
mod limits;
mod resolver;
mod validator_set;

pub use answers::{Block, BroadcastResult, FoundTransaction, NodeStatus};
pub use client::RpcClient;
pub use error::{Problem, RpcError};
pub use http::HttpOptions;
pub(crate) use limits::at_most;
pub use validator_set::{MOST_VALIDATORS, SetFault, validator_set};
