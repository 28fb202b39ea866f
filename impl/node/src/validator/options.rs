//! Options of a validator, and the errors of its start.

use std::path::{Path, PathBuf};

use aardvark_chain::ChainGenesisError;
use aardvark_client::rpc::http::HttpError;

use crate::validator::fatal::Fatal;
use crate::validator::upgrades::{Upgrade, UpgradeError};

/// What a validator is started with.
#[derive(Clone, Debug)]
pub struct ValidatorOptions {
    /// Folder of the store and the snapshots.
    pub home: PathBuf,
    /// CometBFT's genesis.json.
    pub genesis: PathBuf,
    /// The file of the first content, where genesis.json has its digest; beside genesis.json where
    /// none is named.
    pub content: Option<PathBuf>,
    /// Archives to ask for tail vectors, in this order.
    pub archives: Vec<String>,
    /// A snapshot every so many blocks; 0: none.
    pub snapshot_interval: u64,
    /// CometBFT deletes blocks further back than so many, but for those that evidence or a snapshot
    /// needs; 0: all stay.
    pub retain_blocks: u64,
    /// Most bytes of tables that make committing faster; 0: none.
    pub table_bytes: usize,
    /// The last height that is committed; `None`: there is no last one.
    pub halt_height: Option<u64>,
    /// The heights at which the chain goes over to newer app versions, in order.
    pub upgrades: Vec<Upgrade>,
}

impl ValidatorOptions {
    /// The file of the store.
    pub(super) fn store(&self) -> PathBuf {
        self.home.join("state.redb")
    }

    /// The folder of the snapshots.
    pub(super) fn snapshots(&self) -> PathBuf {
        self.home.join("snapshots")
    }
}

/// Why a validator does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// A file or folder.
    #[error("{path}: {source}")]
    File {
        /// Its path.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The genesis file.
    #[error("the genesis file: {0}")]
    Genesis(#[from] ChainGenesisError),
    /// The store.
    #[error(transparent)]
    Fatal(#[from] Fatal),
    /// The upgrades that the operator tells of.
    #[error(transparent)]
    Upgrade(#[from] UpgradeError),
    /// A validator that is further than it is to go.
    #[error("the validator is at height {held} and is to halt at {wanted}: give no halt height, or a later one")]
    PastHalt {
        /// Where it is.
        held: u64,
        /// The last height that it is to commit.
        wanted: u64,
    },
    /// An archive's address.
    #[error("an archive's address: {0}")]
    Archive(#[from] HttpError),
}

impl StartError {
    /// What the system says of a file or folder.
    pub(super) fn of(path: &Path) -> impl FnOnce(std::io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }
}
