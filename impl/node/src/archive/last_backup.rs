//! When the last backup of an archive was taken whole: a file in its folder, so that a process that
//! starts later knows it too. It is for the operator alone, and no part of a backup.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The file: seconds since 1970, as text.
const FILE: &str = "last-backup";

/// When the last one was taken, in seconds since 1970, where that is known.
pub(super) fn last_backup(directory: &Path) -> Option<i64> {
    std::fs::read_to_string(directory.join(FILE)).ok()?.trim().parse().ok()
}

/// Notes that one was taken now; gives the time. A folder that cannot be written to is no failure
/// of the backup.
pub(super) fn note_backup(directory: &Path) -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).as_ref().map_or(0, Duration::as_secs);
    let now = i64::try_from(now).unwrap_or(i64::MAX);
    let (draft, file) = (directory.join(format!("{FILE}.draft")), directory.join(FILE));
    let noted = std::fs::write(&draft, format!("{now}\n")).and_then(|()| std::fs::rename(&draft, &file));
    if let Err(error) = noted {
        tracing::warn!(%error, "the time of the backup is not kept");
    }
    now
}
