//! What goes wrong in an archive. Each error names the key, the position, the version or the file.

use std::io;
use std::path::PathBuf;

use aardvark_commitment::CommitmentError;
use aardvark_dictionary::{GenesisError, Key, Rejection, StateError};

pub use crate::damage::{Damage, DamageKind, Place};
use crate::store_error::StoreError;

/// Why an archive does not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// There is no archive in the directory.
    #[error("{} holds no archive: {what}", path.display())]
    NotAnArchive {
        /// The directory.
        path: PathBuf,
        /// What is missing or strange.
        what: &'static str,
    },
    /// A new archive was to be made where there is something already.
    #[error("{} is not empty; a new archive needs a directory of its own", path.display())]
    NotEmpty {
        /// The directory.
        path: PathBuf,
    },
    /// The archive was written by a program that lays it out differently.
    #[error("{} is an archive of format {found}; this program reads formats {oldest} to {supported}", path.display())]
    OtherFormat {
        /// The directory.
        path: PathBuf,
        /// Its format, as its marker says.
        found: String,
        /// The oldest format that this program reads.
        oldest: u32,
        /// The newest one, which it writes.
        supported: u32,
    },
    /// A file beside the store cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The store cannot be opened.
    #[error("{}: {source}", path.display())]
    Open {
        /// The store's file.
        path: PathBuf,
        /// Why.
        source: StoreError,
    },
    /// The store failed while it was read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A version could not be written. All versions before it are intact, and the archive must be
    /// opened anew to go on. Where the failure was the very last step, the version turns out to be
    /// there then; never a part of it.
    #[error(
        "version {version} was not committed, {source}; version {} and all before it are intact, \
         open the archive anew to go on",
        version.saturating_sub(1)
    )]
    NotCommitted {
        /// The version that was to be written.
        version: u64,
        /// Why.
        source: Box<ArchiveError>,
    },
    /// The store does not hold what was written to it.
    #[error(transparent)]
    Damaged(#[from] Damage),
    /// A version that is not there, not there any more, or not there yet.
    #[error("version {asked} cannot be read; the archive has versions {oldest} to {newest}")]
    VersionOutOfRange {
        /// The version asked for.
        asked: u64,
        /// The oldest version that can be read.
        oldest: u64,
        /// The newest version.
        newest: u64,
    },
    /// A position of no vector of the version.
    #[error("no vector of version {version} has position {position}")]
    PositionOutOfRange {
        /// The position.
        position: u64,
        /// The version.
        version: u64,
    },
    /// The empty key, which is the sentinel's.
    #[error("the empty key is the sentinel's")]
    EmptyKey,
    /// A question that nobody can ask: no key, keys out of order, a range without a key, a limit
    /// of 0.
    #[error("nobody can ask this question: keys must strictly ascend, and a range and its limit allow a key")]
    IllegalQuestion,
    /// Parts of a root that is not the version's.
    #[error("the parts are not those of the root of version {version}")]
    OtherRoot {
        /// The version.
        version: u64,
    },
    /// A key that is longer than the dictionary allows.
    #[error("the key {key} has {} bytes; the dictionary allows {limit}", key.len())]
    KeyTooLong {
        /// The key.
        key: Key,
        /// The most bytes allowed.
        limit: u16,
    },
    /// A value that is longer than the dictionary allows.
    #[error("the value of key {key} is longer than the {limit} bytes that the dictionary allows")]
    ValueTooLong {
        /// The key.
        key: Key,
        /// The most bytes allowed.
        limit: u16,
    },
    /// Keys of an import block that do not strictly ascend.
    #[error("the key {key} is out of order or stands twice")]
    KeyOrder {
        /// The key.
        key: Key,
    },
    /// An import of more changes than a block can hold.
    #[error("an import block holds at most {} changes, not {count}", u32::MAX)]
    TooManyChanges {
        /// The changes given.
        count: usize,
    },
    /// A block that the dictionary's rules refuse.
    #[error("the block is refused: {0}")]
    Rejected(Rejection),
    /// A block for another version than the next.
    #[error("a block for version {offered} does not follow on version {version}")]
    OutOfOrder {
        /// The version that the block makes.
        offered: u64,
        /// The newest version.
        version: u64,
    },
    /// Genesis entries or parameters that are not legal.
    #[error(transparent)]
    Genesis(#[from] GenesisError),
    /// The scheme at hand is not the dictionary's.
    #[error("the dictionary is on another setup or scheme than the one at hand")]
    Setup,
    /// Stored state from which no validator can be restored.
    #[error(transparent)]
    State(#[from] StateError),
    /// The commitment scheme failed.
    #[error(transparent)]
    Commitment(#[from] CommitmentError),
    /// Nobody has the openings of a vector now.
    #[error("no opening server gives openings of vector {vector} at version {version} now")]
    NoOpenings {
        /// The vector.
        vector: u64,
        /// The version.
        version: u64,
    },
    /// Nobody waits for the answer any more ([`crate::Work`]).
    #[error("the work was ended before its answer was there")]
    Ended,
}
