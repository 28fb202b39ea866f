//! The processes of a network: validators on CometBFT, and archives as a service.
//!
//! Ordering and replication are CometBFT's; this crate has no consensus, gossip or membership code.
//! What travels is in `docs/network.md` and in [`aardvark_chain`]; whoever reads and writes needs
//! [`aardvark_client`] only.
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
//! | [`validator`] | the ABCI application, its store and its snapshots |
//! | `archive` | the follower of the chain and the HTTP server, with the page |
//! | [`openings`] | opening servers: who owns which vectors, and how a front asks them |
//! | [`keeper`] | what an archive needs to answer of its tables' rows |
//! | [`Readiness`] | what a process tells its operator |
//! | [`reload`] | what a server that runs takes anew |

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

pub mod archive;
mod fail_point;
pub mod keeper;
pub mod openings;
mod operations;
pub mod reload;
mod request_id;
pub mod validator;

pub use operations::{Readiness, note_reload};
