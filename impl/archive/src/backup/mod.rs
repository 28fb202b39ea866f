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

mod form;
mod reader;
mod restore;
mod writer;

pub use form::{BackupError, BackupSummary};
pub use reader::BackupReader;
pub use restore::{Beside, NothingBeside};
