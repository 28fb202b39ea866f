//! What an archive asks of a store: a few ordered tables of byte strings, read in snapshots and changed in
//! transactions.
//!
//! Nothing here knows what the tables hold (the module `records` does), so that another engine takes the place of
//! redb behind three small traits.

use std::io;
use std::ops::Bound;
use std::sync::Arc;

use crate::error::ArchiveError;

/// The tables of an archive. The module `records` gives the layout of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Table {
    /// Genesis, and the newest version.
    Meta = 0,
    /// Position to slot, at the newest version.
    Slots = 1,
    /// Live key to position, at the newest version.
    Index = 2,
    /// Vector to commitment, at the newest version.
    Commitments = 3,
    /// Position and version to the slot that the version replaced.
    PastSlots = 4,
    /// Block of versions and key to the slot that the block's versions replaced first (module `past_index`).
    PastKeys = 5,
    /// Vector and version to the commitment that the version replaced.
    PastCommitments = 6,
    /// Version and position of every entry of `PastSlots`, so that a version can be forgotten.
    Written = 7,
    /// Version to its sizes and its link in the chain of blocks.
    Versions = 8,
    /// Version and part to the bytes of its block.
    Log = 9,
    /// Applied transactions that may not be applied again.
    Replay = 10,
}

impl Table {
    /// Every table, in the order of its number.
    pub const ALL: [Self; 11] = [
        Self::Meta,
        Self::Slots,
        Self::Index,
        Self::Commitments,
        Self::PastSlots,
        Self::PastKeys,
        Self::PastCommitments,
        Self::Written,
        Self::Versions,
        Self::Log,
        Self::Replay,
    ];

    /// The name under which a store keeps it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Meta => "meta",
            Self::Slots => "slots",
            Self::Index => "index",
            Self::Commitments => "commitments",
            Self::PastSlots => "past_slots",
            Self::PastKeys => "past_keys",
            Self::PastCommitments => "past_commitments",
            Self::Written => "written",
            Self::Versions => "versions",
            Self::Log => "log",
            Self::Replay => "replay",
        }
    }

    /// Its place in [`Table::ALL`].
    pub(crate) fn number(self) -> usize {
        usize::from(self as u8)
    }
}

/// A key and its value.
pub type Entry = (Vec<u8>, Vec<u8>);

/// Entries in ascending key order, from either end.
pub type Entries<'a> = Box<dyn DoubleEndedIterator<Item = Result<Entry, StoreError>> + 'a>;

/// Where a range of keys starts and ends.
pub type Bounds<'k> = (Bound<&'k [u8]>, Bound<&'k [u8]>);

/// One unchanging state of the tables.
pub trait Read: Send + Sync {
    /// The value of a key, where there is one.
    ///
    /// # Errors
    /// [`StoreError`] where the store fails.
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError>;

    /// The entries of a range of keys.
    ///
    /// # Errors
    /// [`StoreError`] where the store fails.
    fn range(&self, table: Table, bounds: Bounds<'_>) -> Result<Entries<'_>, StoreError>;
}

/// Changes that become visible and durable together, or not at all.
pub trait Write {
    /// Sets the value of a key.
    ///
    /// # Errors
    /// [`StoreError`] where the store fails; the transaction then comes to nothing.
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<(), StoreError>;

    /// Removes a key, if it is there.
    ///
    /// # Errors
    /// [`StoreError`] where the store fails; the transaction then comes to nothing.
    fn delete(&mut self, table: Table, key: &[u8]) -> Result<(), StoreError>;
}

/// What a transaction does to the tables.
pub type Transaction<'a> = dyn FnMut(&mut dyn Write) -> Result<(), ArchiveError> + 'a;

/// Tables with one writer, and snapshots for readers.
pub trait Store: Send + Sync {
    /// The state of the last transaction, which stays as it is while others are written.
    ///
    /// # Errors
    /// [`StoreError`] where the store fails.
    fn read(&self) -> Result<Arc<dyn Read>, StoreError>;

    /// Runs one transaction and makes it durable; where `change` fails, nothing is changed.
    ///
    /// # Errors
    /// What `change` returns; [`ArchiveError::Store`] where the store fails. The state before then stands, unless
    /// the failure came after the new one had become durable; never anything between.
    fn write(&self, change: &mut Transaction<'_>) -> Result<(), ArchiveError>;

    /// Checks what the engine itself can check of its file: checksums, page links. Changes nothing.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] says what is wrong.
    fn check(&self) -> Result<(), StoreError>;
}

/// What stands in the place of a store that failed, until it is opened anew.
pub(crate) struct Closed;

impl Store for Closed {
    fn read(&self) -> Result<Arc<dyn Read>, StoreError> {
        Err(StoreError::Closed)
    }

    fn write(&self, _: &mut Transaction<'_>) -> Result<(), ArchiveError> {
        Err(StoreError::Closed.into())
    }

    fn check(&self) -> Result<(), StoreError> {
        Err(StoreError::Closed)
    }
}

impl Read for Closed {
    fn get(&self, _: Table, _: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        Err(StoreError::Closed)
    }

    fn range(&self, _: Table, _: Bounds<'_>) -> Result<Entries<'_>, StoreError> {
        Err(StoreError::Closed)
    }
}

/// Why a store fails.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process, or this one, has the store open in a way that excludes this one.
    #[error("the store is in use: one writer, or any number of readers, may have it open")]
    InUse,
    /// A change was asked of a store opened for reading.
    #[error("the store was opened for reading only")]
    ReadOnly,
    /// No room is left on the disk, in the quota, or under the limit on file sizes.
    #[error("the disk is full ({0})")]
    Full(io::Error),
    /// Reading or writing failed.
    #[error("reading or writing failed: {0}")]
    Io(io::Error),
    /// The file is not what was written.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// The engine's own file format is another one.
    #[error("the file has format {0} of the storage engine, which this program does not read")]
    EngineFormat(u8),
    /// An earlier failure has closed the store.
    #[error("an earlier failure has closed the store; open it anew")]
    Closed,
    /// The engine refused, for a reason that has no name here.
    #[error("the storage engine refused: {0}")]
    Engine(String),
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Self::Full(error)
            }
            _ => Self::Io(error),
        }
    }
}
