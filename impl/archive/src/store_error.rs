//! Why a store fails.

use std::io;

/// Why a store fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process, or this one, has the store open in a way that excludes this one.
    #[error("the store is in use: one writer, or any number of readers, may have it open")]
    InUse,
    /// A change was asked of a store opened for reading.
    #[error("the store was opened for reading only")]
    ReadOnly,
    /// Another writer has taken the store over; what this one had acknowledged is in it.
    #[error("another writer has taken the store over; this one may not write any more")]
    Fenced,
    /// The storage does not answer, or not as it should, also after several tries.
    #[error("the storage does not answer: {0}")]
    Unavailable(String),
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
