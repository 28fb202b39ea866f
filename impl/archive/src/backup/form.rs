//! What a backup is of, how its bytes begin and end, and why there is none.

use std::io;

use aardvark_dictionary::DictionaryId;

use crate::audit::Finding;
use crate::error::{ArchiveError, Place};

/// What a backup begins with.
pub(super) const MARK: &[u8; 18] = b"aardvark backup 1\n";
/// The tag of the digest at the end.
pub(super) const TAG: &str = "AARDVARK-BACKUP";
/// The number that stands for the table of a service's own records.
pub(super) const BESIDE: u8 = 128;
/// What stands in the place of a table's number at the end.
pub(super) const END: u8 = 255;
/// Most bytes of a value; a store's records are far shorter.
pub(super) const MOST_VALUE: usize = 16 << 20;

/// Why there is no backup, or no archive of one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// The archive fails.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The backup cannot be read or written.
    #[error("the backup: {0}")]
    Io(#[from] io::Error),
    /// It is no backup, or not what was written.
    #[error("no whole backup: {0}")]
    Damaged(&'static str),
    /// A record that no archive of its version has.
    #[error("the backup does not hold one state of an archive: {0}: {1}")]
    NotARecord(Place, &'static str),
    /// Its records contradict each other.
    #[error("the backup does not hold one state of an archive: {0}")]
    Contradiction(Box<Finding>),
    /// Its records are of another version or dictionary than its head says.
    #[error("the backup's records are of another dictionary or version than its head says")]
    OtherHead,
    /// Its records give another state root than its head says.
    #[error("the backup's records give another state root than its head says")]
    OtherRoot {
        /// The root of the head.
        said: [u8; 32],
        /// The root that the records give.
        found: [u8; 32],
    },
    /// A service's own records, refused by it.
    #[error("the backup's records beside the store: {0}")]
    Beside(Box<dyn std::error::Error + Send + Sync>),
}

/// What a backup is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupSummary {
    /// The dictionary's id.
    pub dictionary: DictionaryId,
    /// The archive's newest version.
    pub version: u64,
    /// The state root of that version.
    pub root: [u8; 32],
    /// Records, a service's own included.
    pub records: u64,
    /// Bytes of the backup.
    pub bytes: u64,
}
