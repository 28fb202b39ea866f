//! The jobs of a directory, without its archive.

use std::path::Path;

use crate::directory::Directory;

use super::job::{JobError, JobKind, JobStatus};
use super::records::Records;

/// The jobs of an archive's directory, whether the archive is open or not; or of one in which only
/// records of jobs are, since the archive's store is elsewhere.
#[derive(Debug)]
pub struct Jobs {
    records: Records,
}

impl Jobs {
    /// Those of a directory with an archive, or with jobs about a store elsewhere.
    ///
    /// # Errors
    /// [`JobError::Archive`] where there is neither.
    pub fn at(directory: &Path) -> Result<Self, JobError> {
        let files = Directory::at(directory);
        if !files.jobs().exists() {
            Directory::open(directory)?;
        }
        Ok(Self { records: Records::new(&files) })
    }

    /// How far the job of a kind has come, where there is one.
    ///
    /// # Errors
    /// [`JobError::Record`], [`JobError::Archive`].
    pub fn status(&self, kind: JobKind) -> Result<Option<JobStatus>, JobError> {
        self.records.status(kind)
    }

    /// Removes the job of a kind, whatever its record says; whether there was one. What it has
    /// stored stays. A process that works on it ends with its partition.
    ///
    /// # Errors
    /// [`JobError::Archive`].
    pub fn cancel(&self, kind: JobKind) -> Result<bool, JobError> {
        self.records.remove(kind)
    }
}
