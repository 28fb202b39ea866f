//! Making an archive's folder, so that a process killed at any instant leaves a whole archive or a
//! folder that can be made anew.
//!
//! ```text
//! DIR/format.creating   what `format` will say; locked by the process that makes the archive, and
//!                       renamed to `format` last
//! ```
//!
//! The rename is the instant at which the archive is there. A folder with `format.creating` never
//! was an archive: nothing was imported into it, so the files of its interrupted making are removed
//! by the next one. Files that no making writes are never touched; where there are any, the folder
//! is not empty.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::directory::{
    CERTIFICATES_DRAFT, CERTIFICATES_FILE, CREATING, Directory, LAGRANGE, SERVICE_FILE, STORE, begins_a_marker,
    marker_text,
};
use crate::error::ArchiveError;

/// A folder that is being made into an archive's.
pub(crate) struct Creation {
    directory: Directory,
    /// The marker under its first name. Its lock is what tells a creation that goes on from one
    /// that was interrupted.
    claim: File,
}

impl Creation {
    /// Makes a directory for a new archive, or takes one that is empty or that an interrupted
    /// creation has left.
    ///
    /// # Errors
    /// [`ArchiveError::NotEmpty`] where there is anything else, or another process makes an archive
    /// there.
    pub(crate) fn begin(path: &Path) -> Result<Self, ArchiveError> {
        let failed = |path: &Path, source| ArchiveError::File { path: path.to_owned(), source };
        let not_empty = || ArchiveError::NotEmpty { path: path.to_owned() };
        fs::create_dir_all(path).map_err(|source| failed(path, source))?;
        leftovers(path).map_err(|source| failed(path, source))?.ok_or_else(not_empty)?;
        let claimed = path.join(CREATING);
        let open = || OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&claimed);
        let mut claim = open().map_err(|source| failed(&claimed, source))?;
        match claim.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(not_empty()),
            Err(TryLockError::Error(source)) => return Err(failed(&claimed, source)),
        }
        let clear = || -> io::Result<bool> {
            // Whoever had the lock before may have finished or given up since the file was opened.
            if !is_still_there(&claim, &claimed)? {
                return Ok(false);
            }
            let Some(leftovers) = leftovers(path)? else {
                return Ok(false);
            };
            leftovers.iter().try_for_each(fs::remove_file)?;
            Ok(true)
        };
        if !clear().map_err(|source| failed(path, source))? {
            return Err(not_empty());
        }
        let mut write = || {
            claim.rewind()?;
            claim.set_len(0)?;
            claim.write_all(marker_text().as_bytes())?;
            claim.sync_all()
        };
        write().map_err(|source| failed(&claimed, source))?;
        Ok(Self { directory: Directory::at(path), claim })
    }

    /// Where the files go.
    pub(crate) fn directory(&self) -> &Directory {
        &self.directory
    }

    /// Vouches for what was written: from here on it is an archive.
    pub(crate) fn complete(&self) -> Result<(), ArchiveError> {
        let path = self.directory.path();
        let renamed = || {
            File::open(path)?.sync_all()?;
            fs::rename(path.join(CREATING), self.directory.marker())?;
            File::open(path)?.sync_all()
        };
        renamed().map_err(|source| ArchiveError::File { path: self.directory.marker(), source })
    }

    /// Takes back a creation that failed. Best effort: the failure itself is what is reported.
    pub(crate) fn abandon(self) {
        let path = self.directory.path();
        let directory = &self.directory;
        let files = [directory.marker(), directory.store(), directory.service(), directory.lagrange()];
        let others = [CERTIFICATES_FILE, CERTIFICATES_DRAFT, CREATING].map(|name| path.join(name));
        for file in files.into_iter().chain(others) {
            let _ = fs::remove_file(file);
        }
        drop(self.claim);
    }
}

/// The files in a folder that an interrupted creation has left, besides its marker; `None` where
/// there is anything else.
fn leftovers(path: &Path) -> io::Result<Option<Vec<PathBuf>>> {
    let entries = fs::read_dir(path)?.collect::<io::Result<Vec<DirEntry>>>()?;
    let interrupted = is_ours(&path.join(CREATING))?;
    let mut found = Vec::new();
    for entry in entries {
        let (name, is_file) = (entry.file_name(), entry.file_type()?.is_file());
        if name == CREATING && interrupted {
            continue;
        }
        // Before there was `format.creating`, the empty store was the claim: nothing can be lost
        // with it.
        let empty_store = || entry.metadata().is_ok_and(|file| file.len() == 0);
        let ours = is_file && (interrupted && is_written_by_creations(&name) || name == STORE && empty_store());
        if !ours {
            return Ok(None);
        }
        found.push(entry.path());
    }
    Ok(Some(found))
}

/// The store, a service's files, the cache of the scheme's parameters, and drafts of the cache.
fn is_written_by_creations(name: &OsStr) -> bool {
    let is_draft =
        |name: &str| name.strip_prefix(LAGRANGE).is_some_and(|rest| rest.starts_with('.') && rest.ends_with(".draft"));
    let files = [STORE, SERVICE_FILE, CERTIFICATES_FILE, CERTIFICATES_DRAFT, LAGRANGE];
    files.iter().any(|file| name == *file) || name.to_str().is_some_and(is_draft)
}

/// Whether a file is a creation's marker, perhaps one that was not written whole.
fn is_ours(marker: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(marker) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    }
    let mut bytes = Vec::new();
    File::open(marker)?.take(64).read_to_end(&mut bytes)?;
    Ok(begins_a_marker(&bytes))
}

/// Whether an open file is the one that has this name now.
#[cfg(unix)]
fn is_still_there(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let ours = file.metadata()?;
    match fs::symlink_metadata(path) {
        Ok(there) => Ok((there.dev(), there.ino()) == (ours.dev(), ours.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether an open file has still its name: where files have no numbers, whether there is one of
/// that name.
#[cfg(not(unix))]
fn is_still_there(_file: &File, path: &Path) -> io::Result<bool> {
    path.try_exists()
}

#[cfg(test)]
mod tests;
