//! Servers for tests that answer as a test says, a chain with really signed headers, and a
//! dictionary with proofs.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set its scene has failed"
)]

mod chain;
#[cfg(test)]
mod dictionary;
mod server;

pub use chain::{TestChain, genesis_validators_json, header, key, options, serve, sign, validators};
#[cfg(test)]
pub use dictionary::{TestDictionary, VERSIONS};
pub use server::{Reply, Request, TestServer};

/// What a node of CometBFT answered to `status`.
pub const RECORDED_STATUS: &str = include_str!("../rpc/recorded/status.json");
/// What a node of CometBFT answered to `block`.
pub const RECORDED_BLOCK: &str = include_str!("../rpc/recorded/block.json");
