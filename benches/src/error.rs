//! Why a benchmark ends without a number.

use std::path::PathBuf;

use aardvark_algebra::kernel::KernelError;
use aardvark_archive::ArchiveError;
use aardvark_archive::jobs::JobError;
use aardvark_commitment::CommitmentError;
use aardvark_commitment::kzg::TableFileError;
use aardvark_dictionary::{DecodeError, GenesisError, Rejection, StateError};
use aardvark_proof::json::JsonError;
use aardvark_tables::TablesError;
use thiserror::Error;

/// Why a benchmark ends without a number.
#[derive(Debug, Error)]
pub enum BenchError {
    /// What was timed came out wrong.
    #[error("refusing to print a number: {0}")]
    Wrong(String),
    /// The options ask for something that cannot be.
    #[error("{0}")]
    Options(String),
    /// The environment asks for a kernel that cannot be had.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// A file or process failed.
    #[error("{path}: {source}")]
    Io {
        /// Which.
        path: String,
        /// How.
        source: std::io::Error,
    },
    /// The program that measures the peers is not there.
    #[error(
        "{path}: {source}; it is built by cargo build --release --manifest-path benches/peers/Cargo.toml --target-dir target/peers"
    )]
    NoPeers {
        /// Where it should be.
        path: PathBuf,
        /// Why it does not start.
        source: std::io::Error,
    },
    /// The command `aardvark` is not there.
    #[error("{path}: {source}; it is built by cargo build --release --package aardvark-cli")]
    NoProgram {
        /// Where it should be.
        path: PathBuf,
        /// Why it does not start.
        source: std::io::Error,
    },
    /// The process that measures ended badly.
    #[error("the measuring process failed: {0}")]
    Child(String),
    /// The kernel does not say how much memory is resident.
    #[error("no figure {0} from the kernel")]
    NoMemoryFigure(&'static str),
    /// What it printed is no proof.
    #[error(transparent)]
    Proof(#[from] JsonError),
    /// A commitment could not be made.
    #[error(transparent)]
    Commitment(#[from] CommitmentError),
    /// Tables could not be written or read.
    #[error(transparent)]
    TableFile(#[from] TableFileError),
    /// A genesis is not legal.
    #[error(transparent)]
    Genesis(#[from] GenesisError),
    /// A validator's state is not legal.
    #[error(transparent)]
    State(#[from] StateError),
    /// An archive failed.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A job over an archive was not done.
    #[error(transparent)]
    Job(#[from] JobError),
    /// Tables of private rows failed.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// An honest block was refused.
    #[error("an honest block was refused: {0}")]
    Refused(#[from] Rejection),
    /// Bytes that we wrote do not decode.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A figure could not be drawn.
    #[error("cannot draw: {0}")]
    Plot(String),
    /// JSON failed.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// Threads could not be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl BenchError {
    /// A failure of input or output at a path.
    pub fn io(path: impl Into<String>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}

/// Refuses to go on unless a result is right.
pub fn require(right: bool, what: impl FnOnce() -> String) -> Result<(), BenchError> {
    match right {
        true => Ok(()),
        false => Err(BenchError::Wrong(what())),
    }
}
