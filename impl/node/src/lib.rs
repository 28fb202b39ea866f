//! Aardvark as a network: validators on CometBFT, archives as a service, clients that trust neither.
//!
//! Ordering and replication are CometBFT's; this crate has no consensus, gossip or membership code. What travels is in
//! `docs/network.md`.
//!
//! ```text
//! client -> SignedTransaction -> CheckTx -> mempool -> PrepareProposal -> ProcessProposal -> FinalizeBlock -> Commit
//!   |                            validator             chain block          whole batch        state root     redb
//!   |                                                                                              |
//!   +-- proofs <- archive (HTTP) <- follows the chain, checks every app hash <---------------------+
//!   +-- light client: headers -> root -> commitment -> opening -> answer
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`formats`] | proofs, commitments, transactions, keys as text, as the command line writes them too |
//! | [`rpc`] | a small typed client of CometBFT's JSON-RPC |
//! | [`chain`] | what all sides share: genesis, signed transactions, the block's layout, who may write |
//! | [`validator`] | the ABCI application, its store and its snapshots |
//! | `archive` | the follower of the chain and the HTTP server, with the page |
//! | [`light`] | headers, roots, paths: what a client believes |
//! | [`client`] | makes, signs and submits transactions; reads through the light client |

#![forbid(unsafe_code)]

pub mod archive;
pub mod chain;
pub mod client;
mod fail_point;
pub mod formats;
pub mod light;
pub mod rpc;
#[cfg(test)]
mod test_server;
pub mod validator;
