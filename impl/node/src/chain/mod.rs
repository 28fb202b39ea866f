//! What validators, archives and clients of one chain share: bytes, rules and names, and no I/O (`docs/network.md`).
//!
//! ```text
//! genesis.json -> ChainGenesis { Genesis, Policy }   <- genesis-content.bin, where the first content is large
//! client       -> SignedTransaction -> bytes -> CheckTx
//! proposer     -> ChainBlock { AggregatedBlock, signatures } -> CometBFT's list of transactions -> ChainBlock
//! ```
//!
//! Who may write is two questions: does the [`Policy`] let these signers do these operations, and are their signatures true?
//! Both are answered in CheckTx and again, by everyone, in ProcessProposal, always in the order policy, then signatures:
//! the first costs nothing. [`TxCode`] names every way to fail with a number, so that results agree on all validators.

mod accounts;
mod block;
mod code;
pub mod content;
mod event;
mod fees;
mod genesis;
mod listed;
mod parameters_json;
mod policy;
mod rules_json;
mod signed;
mod work;

pub use accounts::{Accounts, account_id, account_key};
pub use block::{ChainBlock, ChainBlockError};
pub use code::TxCode;
pub use event::{Attribute, EVENT_TYPE, Event, ID_ATTRIBUTE, Notice, OUTCOME_ATTRIBUTE};
pub use fees::Fee;
pub use genesis::{ChainGenesis, ChainGenesisError};
pub use policy::Policy;
pub use signed::{SignedTransaction, SignerSignature};
pub use work::{BlockLimits, gas};
