//! Files that are replaced whole, or not at all, so that no reader ever sees half of one.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Replaces a file: what `content` writes goes to a draft, which takes the
/// file's name when it is complete.
pub(super) fn replace(path: &Path, content: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let draft = draft_path(path);
    let write = || {
        let mut file = File::create(&draft)?;
        content(&mut file)?;
        file.sync_all()?;
        fs::rename(&draft, path)
    };
    let written = write();
    if written.is_err() {
        // Best effort: the draft is of no use, and the first error is the one to report.
        let _ = fs::remove_file(&draft);
    }
    written
}

/// A name beside `path` that no other thread or process uses.
fn draft_path(path: &Path) -> PathBuf {
    static DRAFTS: AtomicU64 = AtomicU64::new(0);
    let draft = DRAFTS.fetch_add(1, Ordering::Relaxed);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.{draft}.draft", std::process::id()));
    PathBuf::from(name)
}
