//! The files of an archive.
//!
//! ```text
//! DIR/format          "aardvark archive 3\n": what this is; written last, so that it vouches for
//!                     the rest (`creation`)
//! DIR/archive.redb    the store
//! DIR/lagrange        the scheme's derived parameters: a cache, checked at load and derived anew
//!                     where it is bad
//! DIR/openings        stored openings, where they were asked for (`openings::stored`): derived, checked
//!                     when they are read, and never needed
//! DIR/jobs.redb       records of jobs, where there were any (`jobs`)
//! DIR/chain.redb      what a service that follows a chain keeps beside (`SERVICE_FILE`)
//! DIR/certificates.redb   what tables have of certificates (`CERTIFICATES_FILE`); the archive
//!                     itself knows nothing of these two
//! ```
//!
//! In format 2 records end with another checksum (`records`). This program reads both; where it
//! opens an archive to write to it, the archive becomes one of format 3, which programs of before
//! refuse by its number.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::ArchiveError;

/// Number of the layout of directory, tables and records.
pub const FORMAT: u32 = 3;
/// The oldest one that is read.
const OLDEST: u32 = 2;
/// What the marker says before the number.
const MARK: &str = "aardvark archive ";
/// The file of the store.
pub(crate) const STORE: &str = "archive.redb";
/// The file of the scheme's derived parameters.
pub(crate) const LAGRANGE: &str = "lagrange";
/// The file of stored openings.
const OPENINGS: &str = "openings";
/// The file of jobs' records.
const JOBS: &str = "jobs.redb";
/// The file in which a service keeps its own records of the archive's versions. The archive never
/// reads it; an interrupted or failed [`restore`](crate::Builder::restore) removes it with its own.
pub const SERVICE_FILE: &str = "chain.redb";
/// The file in which the certificates of the dictionary's tables stand, as much a service's.
pub const CERTIFICATES_FILE: &str = "certificates.redb";
/// The same while it is made.
pub(crate) const CERTIFICATES_DRAFT: &str = "certificates.redb.draft";
/// The marker while the archive is not there yet.
pub(crate) const CREATING: &str = "format.creating";
/// The marker while it is renewed.
const RENEWING: &str = "format.renewing";
/// Most bytes of a marker that are looked at.
const MARK_BYTES: u64 = 64;

/// What the marker says.
pub(crate) fn marker_text() -> String {
    text_of(FORMAT)
}

/// Whether this is the beginning of a marker that this program or one of before writes.
pub(crate) fn begins_a_marker(bytes: &[u8]) -> bool {
    (OLDEST..=FORMAT).any(|format| text_of(format).as_bytes().starts_with(bytes))
}

fn text_of(format: u32) -> String {
    format!("{MARK}{format}\n")
}

/// Where an archive's files are.
#[derive(Clone, Debug)]
pub(crate) struct Directory {
    path: PathBuf,
}

impl Directory {
    /// The names of a directory's files, whether they are there or not.
    pub(crate) fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Finds an archive by its marker.
    pub(crate) fn open(path: &Path) -> Result<Self, ArchiveError> {
        let directory = Self { path: path.to_owned() };
        let absent = |what| ArchiveError::NotAnArchive { path: path.to_owned(), what };
        let marker = match directory.read_marker() {
            Ok(marker) => marker,
            Err(error) if error.kind() == io::ErrorKind::NotFound && directory.was_interrupted() => {
                return Err(absent("its creation was interrupted; creating it again takes its place"));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && directory.store().exists() => {
                return Err(absent(
                    "its file `format` is lost, or its creation was interrupted before anything was imported; \
                    in that case remove the folder",
                ));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(absent("there is no file `format`")),
            Err(source) => return Err(directory.failed(&directory.marker(), source)),
        };
        if (OLDEST..=FORMAT).any(|format| marker == text_of(format)) {
            return Ok(directory);
        }
        let format = marker.strip_prefix(MARK).and_then(|rest| rest.strip_suffix('\n'));
        let found = format.ok_or_else(|| absent("its file `format` says something else"))?.to_owned();
        Err(ArchiveError::OtherFormat { path: path.to_owned(), found, oldest: OLDEST, supported: FORMAT })
    }

    /// Makes the archive one of this program's format, before anything is written to it. For who
    /// has its store open and excludes others.
    pub(crate) fn renew_marker(&self) -> Result<(), ArchiveError> {
        let renewed = || {
            if self.read_marker()? == marker_text() {
                return Ok(());
            }
            let draft = self.path.join(RENEWING);
            let mut file = File::create(&draft)?;
            file.write_all(marker_text().as_bytes())?;
            file.sync_all()?;
            fs::rename(&draft, self.marker())?;
            File::open(&self.path)?.sync_all()
        };
        renewed().map_err(|source| self.failed(&self.marker(), source))
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.path.join(STORE)
    }

    pub(crate) fn lagrange(&self) -> PathBuf {
        self.path.join(LAGRANGE)
    }

    pub(crate) fn openings(&self) -> PathBuf {
        self.path.join(OPENINGS)
    }

    pub(crate) fn jobs(&self) -> PathBuf {
        self.path.join(JOBS)
    }

    pub(crate) fn service(&self) -> PathBuf {
        self.path.join(SERVICE_FILE)
    }

    /// Bytes of all files.
    pub(crate) fn bytes(&self) -> Result<u64, ArchiveError> {
        let entries = fs::read_dir(&self.path).map_err(|source| self.failed(&self.path, source))?;
        let lengths = entries.map(|entry| entry.and_then(|entry| entry.metadata()).map(|metadata| metadata.len()));
        lengths.sum::<io::Result<u64>>().map_err(|source| self.failed(&self.path, source))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn marker(&self) -> PathBuf {
        self.path.join("format")
    }

    /// Whether a creation began here that did not come to its end: today's leave their marker,
    /// earlier ones an empty store.
    fn was_interrupted(&self) -> bool {
        self.path.join(CREATING).exists() || fs::metadata(self.store()).is_ok_and(|store| store.len() == 0)
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
