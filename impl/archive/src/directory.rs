//! The files of an archive.
//!
//! ```text
//! DIR/format          "aardvark archive 2\n": what this is, written last, so that it vouches for the rest
//! DIR/archive.redb    the store
//! DIR/lagrange        the scheme's derived parameters: a cache, checked at load and derived anew where it is bad
//! ```

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::ArchiveError;

/// Number of the layout of directory, tables and records.
pub const FORMAT: u32 = 2;
/// What the marker says before the number.
const MARK: &str = "aardvark archive ";
/// Most bytes of a marker that are looked at.
const MARK_BYTES: u64 = 64;

/// Where an archive's files are.
#[derive(Clone, Debug)]
pub(crate) struct Directory {
    path: PathBuf,
}

impl Directory {
    /// Makes a directory for a new archive, or takes an empty one, and claims it.
    pub(crate) fn create(path: &Path) -> Result<Self, ArchiveError> {
        let directory = Self { path: path.to_owned() };
        fs::create_dir_all(path).map_err(|source| directory.failed(path, source))?;
        let mut entries = fs::read_dir(path).map_err(|source| directory.failed(path, source))?;
        if entries.next().is_some() {
            return Err(ArchiveError::NotEmpty { path: path.to_owned() });
        }
        // The file, still empty, is the claim: of two processes that create here, one comes second.
        match File::create_new(directory.store()) {
            Ok(_) => Ok(directory),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(ArchiveError::NotEmpty { path: path.to_owned() })
            }
            Err(source) => Err(directory.failed(&directory.store(), source)),
        }
    }

    /// Finds an archive by its marker.
    pub(crate) fn open(path: &Path) -> Result<Self, ArchiveError> {
        let directory = Self { path: path.to_owned() };
        let absent = |what| ArchiveError::NotAnArchive { path: path.to_owned(), what };
        let marker = match directory.read_marker() {
            Ok(marker) => marker,
            Err(error) if error.kind() == io::ErrorKind::NotFound && directory.store().exists() => {
                return Err(absent("it was not created completely, or its file `format` is lost"));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(absent("there is no file `format`")),
            Err(source) => return Err(directory.failed(&directory.marker(), source)),
        };
        let format = marker.strip_prefix(MARK).and_then(|rest| rest.strip_suffix('\n'));
        match format.ok_or_else(|| absent("its file `format` says something else"))? {
            number if number == FORMAT.to_string() => Ok(directory),
            found => {
                Err(ArchiveError::OtherFormat { path: path.to_owned(), found: found.to_owned(), supported: FORMAT })
            }
        }
    }

    /// Vouches for what was written.
    pub(crate) fn complete(&self) -> Result<(), ArchiveError> {
        let written = || {
            let mut file = OpenOptions::new().write(true).create_new(true).open(self.marker())?;
            file.write_all(format!("{MARK}{FORMAT}\n").as_bytes())?;
            file.sync_all()?;
            File::open(&self.path)?.sync_all()
        };
        written().map_err(|source| self.failed(&self.marker(), source))
    }

    /// Takes back a creation that failed. Best effort: the failure itself is what is reported.
    pub(crate) fn abandon(&self) {
        for file in [self.marker(), self.store(), self.lagrange()] {
            let _ = fs::remove_file(file);
        }
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.path.join("archive.redb")
    }

    pub(crate) fn lagrange(&self) -> PathBuf {
        self.path.join("lagrange")
    }

    /// Bytes of all files.
    pub(crate) fn bytes(&self) -> Result<u64, ArchiveError> {
        let entries = fs::read_dir(&self.path).map_err(|source| self.failed(&self.path, source))?;
        let lengths = entries.map(|entry| entry.and_then(|entry| entry.metadata()).map(|metadata| metadata.len()));
        lengths.sum::<io::Result<u64>>().map_err(|source| self.failed(&self.path, source))
    }

    fn marker(&self) -> PathBuf {
        self.path.join("format")
    }

    fn read_marker(&self) -> io::Result<String> {
        let mut bytes = Vec::new();
        File::open(self.marker())?.take(MARK_BYTES).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn failed(&self, path: &Path, source: io::Error) -> ArchiveError {
        ArchiveError::File { path: path.to_owned(), source }
    }
}
