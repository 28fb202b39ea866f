//! Backups: the records of one state of an archive as one stream of bytes, and the archive that is
//! made of one.
//!
//! ```text
//! backup  = "aardvark backup 1\n" || dictionary id (32) || u64 version || state root (32)
//!           || record* || end
//! record  = u8 table || u16 len(key) || key || u32 len(value) || value
//! end     = u8 255 || u64 number of records || H("AARDVARK-BACKUP", all bytes before) (32)
//! ```
//!
//! Numbers are big-endian. Records strictly ascend by table and key. Those of the tables are the
//! store's, each with its checksum (module `records`); those of table 128 are a service's own
//! ([`Beside`]), of which the archive knows nothing.
//!
//! A backup is made of a [`Snapshot`](crate::Snapshot), so the archive goes on meanwhile. It is
//! trusted as little as an archive: restoring it ([`Builder::restore`](crate::Builder::restore))
//! computes every commitment anew from the slots, and from them the state root, which is that of
//! the backup's head or the backup is refused. Whoever knows the root from elsewhere compares it
//! with [`BackupReader::root`] before. What the root does not cover, versions before the window and
//! the blocks of the log, is linked to the dictionary's id and otherwise as the backup has it; an
//! audit replays it.

mod reader;
mod restore;
mod writer;

use std::io;

use aardvark_dictionary::DictionaryId;

use crate::audit::Finding;
use crate::error::{ArchiveError, Place};

pub use reader::BackupReader;
pub use restore::{Beside, NothingBeside};

/// What a backup begins with.
const MARK: &[u8; 18] = b"aardvark backup 1\n";
/// The tag of the digest at the end.
const TAG: &str = "AARDVARK-BACKUP";
/// The number that stands for the table of a service's own records.
const BESIDE: u8 = 128;
/// What stands in the place of a table's number at the end.
const END: u8 = 255;
/// Most bytes of a value; a store's records are far shorter.
const MOST_VALUE: usize = 16 << 20;

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
