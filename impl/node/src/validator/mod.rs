//! The validator on a chain: an ABCI application over [`aardvark_dictionary::Validator`], which
//! holds commitments, window, tail and replay set, and never the data.
//!
//! ```text
//! CometBFT --(wire)--> server --> mempool     CheckTx         one transaction, static rules, room (waiting), one batch
//!                             --> proposing   PrepareProposal what still succeeds, aggregated, and tails
//!                                             ProcessProposal the whole block, one batch (judgement)
//!                             --> application FinalizeBlock   moves on in memory, gives the state root
//!                                             Commit          moves on on disk (store), one transaction a block
//!                             --> state_sync  state sync      a whole state (snapshots), believed for its root alone
//! ```
//!
//! Version = height. A block that breaks the rules is refused in ProcessProposal; should one be
//! decided all the same, it is applied as one without transactions. What is on disk is always the
//! state after some block, whole: a kill at any instant costs only the blocks since, which CometBFT
//! replays.

// What is served, and where it is kept
mod chain;
mod fatal;
mod lock;
mod options;
mod store;
mod store_error;
mod upgrades;
// Transactions and blocks
mod certificates;
mod judgement;
mod mempool;
mod proposing;
mod pruning;
mod results;
mod shrinking;
mod tails;
mod validator_sets;
mod waiting;
// Snapshots
mod snapshot_bounds;
mod snapshots;
mod state_sync;
mod streamed_root;
// The application, and CometBFT's connections
mod application;
mod metrics;
mod rollback;
mod server;
mod telling;
#[cfg(test)]
mod tests;
mod wire;
mod written;

pub use crate::fail_point::OF_VALIDATOR as FAIL_POINTS;
pub use application::Application;
pub use fatal::Fatal;
pub use options::{StartError, ValidatorOptions};
pub use rollback::roll_back;
pub use server::{Address, ServeError, serve};
pub use store_error::StoreError;
pub use upgrades::{Upgrade, UpgradeError};
