//! Errors after which a validator cannot go on: it answers CometBFT with an exception and ends,
//! before it does harm.

use aardvark_chain::ChainGenesisError;

use crate::validator::store_error::StoreError;

/// Why the process must end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fatal {
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// CometBFT's chain begins otherwise than the genesis file here says.
    #[error("CometBFT starts another chain than the genesis file here describes: {0}")]
    OtherChain(&'static str),
    /// CometBFT's `app_state` is not a genesis.
    #[error(transparent)]
    Genesis(#[from] ChainGenesisError),
    /// CometBFT decides a height that does not follow.
    #[error("height {found} was decided where {expected} follows")]
    Height {
        /// What follows.
        expected: u64,
        /// What came.
        found: i64,
    },
    /// Commit without a block.
    #[error("there is nothing to commit")]
    NothingToCommit,
    /// A block after the last one that this validator is to commit.
    #[error("the validator has halted at height {0}")]
    Halted(u64),
    /// A state that this program made and cannot use.
    #[error("a block without transactions was refused: {0}")]
    Empty(#[from] aardvark_dictionary::Rejection),
    /// A snapshot's file cannot be written.
    #[error("the snapshot at {path}: {source}")]
    Snapshot {
        /// The file.
        path: std::path::PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}
