//! Hints that follow an error message: what to do about it.

use aardvark_archive::ArchiveError;

use crate::store::is_busy;

/// An archive's error with what can be done about it.
pub fn of_archive(error: &ArchiveError) -> String {
    match error {
        ArchiveError::NotAnArchive { path, .. }
            if !path.join("format").exists() && !path.join("archive.redb").exists() =>
        {
            format!("there is no dictionary in {0}; `aardvark init {0}` makes one", path.display())
        }
        busy if is_busy(busy) => format!("{busy}; --wait SECONDS waits for it"),
        other => other.to_string(),
    }
}
