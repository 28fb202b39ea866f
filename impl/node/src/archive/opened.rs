//! Archives as they are opened to be served, and why a server does not start.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use aardvark_archive::backup::BackupError;
use aardvark_archive::{Archive, ArchiveError};
use aardvark_chain::{ChainGenesis, ChainGenesisError};
use aardvark_client::light::{GenesisValidators, GenesisValidatorsError};
use aardvark_client::rpc::RpcError;
use aardvark_proof::hex_text::encode;
use aardvark_tables::{Certificates, TablesError};

use super::chain_records::{CHAIN_FILE, ChainRecords, RecordError};
use super::follower::{FollowError, FollowedChain};
use super::shared_archive::SharedArchive;
use crate::keeper::KeepingError;
use crate::openings::ServersError;

/// Why a server does not start, or stops.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DaemonError {
    /// The archive cannot be opened.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The chain's records cannot be opened.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// The genesis file cannot be used.
    #[error("{}: {source}", path.display())]
    Genesis {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ChainGenesisError,
    },
    /// The genesis file does not say whose signatures headers need.
    #[error("{}: {source}", path.display())]
    Validators {
        /// The file.
        path: PathBuf,
        /// Why.
        source: GenesisValidatorsError,
    },
    /// An address that is none, or another dictionary or chain.
    #[error(transparent)]
    Follow(#[from] FollowError),
    /// The address of a node that is none.
    #[error(transparent)]
    Node(#[from] RpcError),
    /// A backup that is not made, or of which no archive is made.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// A backup of another state than the trusted one.
    #[error("the backup's version {version} has the state root {}, and not {}", encode(said), encode(expected))]
    OtherRoot {
        /// The version.
        version: u64,
        /// The root that the backup says it has.
        said: [u8; 32],
        /// The root that it has to have.
        expected: [u8; 32],
    },
    /// The address cannot be listened on.
    #[error("{address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The chain cannot be followed any more; whatever can be put right by trying again was tried.
    #[error("the archive cannot follow the chain any more: {0}")]
    Stopped(String),
    /// The tables' certificates or rows cannot be opened.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// The rows cannot be kept.
    #[error(transparent)]
    Keeping(#[from] KeepingError),
    /// The list of opening servers is none.
    #[error(transparent)]
    Servers(#[from] ServersError),
    /// The process cannot be set up.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// An archive with a chain's records has them; any other is served as it is, to read.
pub(super) fn open(directory: &Path) -> Result<SharedArchive, DaemonError> {
    let archive = Archive::builder().open_read_only(directory)?;
    let records = directory.join(CHAIN_FILE).exists();
    let records = records.then(|| ChainRecords::open(directory, *archive.id())).transpose()?;
    let certificates = Certificates::open_read_only(directory, archive.id()).map_err(TablesError::from)?;
    Ok(SharedArchive::new(archive, records)?.with_certificates(certificates))
}

/// What genesis says of a chain that is followed.
pub(super) fn read_genesis(path: &Path) -> Result<FollowedChain, DaemonError> {
    let bad_genesis = |source| DaemonError::Genesis { path: path.to_owned(), source };
    let bad_validators = |source| DaemonError::Validators { path: path.to_owned(), source };
    let file = fs::read(path)?;
    let (id, genesis) = ChainGenesis::from_genesis_file(&file).map_err(bad_genesis)?;
    let validators = GenesisValidators::from_genesis_file(&file).map_err(bad_validators)?;
    Ok(FollowedChain { id, genesis, validators })
}
