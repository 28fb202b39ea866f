//! Temporary files and folders, removed also where a signal ends the command.

use std::collections::BTreeSet;
use std::fs::Permissions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile, TempDir};

/// What has to be removed.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Keeps a path on the list of what a signal removes.
#[derive(Debug)]
pub struct Guard(PathBuf);

impl Drop for Guard {
    fn drop(&mut self) {
        list().remove(&self.0);
    }
}

/// Makes a temporary file in a folder.
///
/// # Errors
/// What the system says.
pub fn temporary_file(folder: &Path, permissions: Option<Permissions>) -> io::Result<(NamedTempFile, Guard)> {
    let make = || {
        let mut builder = Builder::new();
        if let Some(permissions) = permissions {
            builder.permissions(permissions);
        }
        builder.prefix(".aardvark-").tempfile_in(folder)
    };
    listed(make, NamedTempFile::path)
}

/// Makes a temporary folder.
///
/// # Errors
/// What the system says.
pub fn temporary_folder(prefix: &str) -> io::Result<(TempDir, Guard)> {
    listed(|| Builder::new().prefix(prefix).tempdir(), TempDir::path)
}

/// Makes something temporary while no signal is answered, so that it is on the list when one is.
fn listed<T>(make: impl FnOnce() -> io::Result<T>, path: impl Fn(&T) -> &Path) -> io::Result<(T, Guard)> {
    signals::watch();
    let mut list = list();
    let made = make()?;
    let path = std::path::absolute(path(&made))?;
    list.insert(path.clone());
    Ok((made, Guard(path)))
}

fn list() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
mod signals {
    use std::sync::Once;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    static WATCHED: Once = Once::new();

    /// From now on, the signals that end a command first remove what is on the list.
    pub(super) fn watch() {
        WATCHED.call_once(|| {
            // Without a handler the command ends as it always did, and leaves its temporary files.
            if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) {
                std::thread::spawn(move || signals.forever().for_each(end));
            }
        });
    }

    fn end(signal: i32) {
        // Held to the end: nothing is made any more.
        let list = super::list();
        for path in &*list {
            let _best_effort = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
        }
        let _ends = emulate_default_handler(signal);
    }
}

#[cfg(not(unix))]
mod signals {
    /// Other systems end a process without asking it.
    pub(super) fn watch() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_temporary_is_on_the_list_as_long_as_it_is_there() {
        let ((file, guard), (folder, _guard)) =
            (temporary_file(Path::new("."), None).unwrap(), temporary_folder("aardvark-test-").unwrap());
        let path = std::path::absolute(file.path()).unwrap();
        assert!(list().contains(&path) && list().contains(folder.path()));
        drop((file, guard));
        assert!(!list().contains(&path) && !path.exists());
    }
}
