//! Making and removing the stored openings of a version's vectors ([`super::stored`]).

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
use aardvark_algebra::integers::{u64_of_usize, usize_or_max};
use aardvark_algebra::parallel::current_num_threads;
use aardvark_algebra::parallel::prelude::*;
use aardvark_commitment::{BatchClaim, Commitment, VectorCommitment};

use crate::error::{ArchiveError, Damage, DamageKind, Place};
use crate::progress::{Phase, Progress};
use crate::snapshot::Snapshot;

use super::stored::StoredFile;
use super::stored_vector::Asked;

/// Rows that a thread makes before they are written.
const ROWS_AT_A_TIME: u64 = 4;

/// What there is of stored openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredOpenings {
    /// Vectors of the newest version whose row is up to date. Whether a row is damaged is seen when
    /// it is read.
    pub current: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

impl Snapshot {
    /// Stores the openings of every vector of the newest version, or renews those that are not up
    /// to date or damaged; says how many rows were written. It waits for nobody and nobody waits
    /// for it, so that it can run on a thread while the archive goes on. Stopped at any instant it
    /// leaves what it has written. In memory there is nowhere to store, and nothing is.
    ///
    /// # Errors
    /// [`ArchiveError::Damaged`], also where a commitment in the store is not that of its slots;
    /// [`ArchiveError::File`] where the file cannot be written.
    pub fn store_openings(&self, progress: &mut dyn FnMut(Progress)) -> Result<u64, ArchiveError> {
        self.store_openings_of(0..self.vectors(), progress)
    }

    /// The same for some vectors. When it returns, their rows are on the disk.
    pub(crate) fn store_openings_of(
        &self,
        wanted: Range<u64>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<u64, ArchiveError> {
        let Some(stored) = self.stored_file() else {
            return Ok(0);
        };
        let failed = |source| file_error(stored.path(), source);
        let total = self.vectors();
        let mut file = stored.open_to_write(total).map_err(failed)?;
        let mut written = 0;
        let step = u64_of_usize(current_num_threads()) * ROWS_AT_A_TIME;
        for first in wanted.clone().step_by(usize_or_max(step)) {
            let vectors = first..wanted.end.min(first.saturating_add(step));
            let rows = vectors.clone().into_par_iter().map(|vector| self.new_row(&stored, vector));
            for (vector, row) in vectors.zip(rows.collect::<Result<Vec<_>, ArchiveError>>()?) {
                if let Some(row) = row {
                    stored.write(&mut file, vector, &row).map_err(failed)?;
                    written += 1;
                }
                progress(Progress { phase: Phase::Openings, done: vector + 1, total });
            }
        }
        file.sync_all().map_err(failed)?;
        Ok(written)
    }

    /// Removes stored openings; whether there were any.
    ///
    /// # Errors
    /// [`ArchiveError::File`].
    pub fn remove_stored_openings(&self) -> Result<bool, ArchiveError> {
        let Some(stored) = self.stored_file() else {
            return Ok(false);
        };
        match fs::remove_file(stored.path()) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(source) => Err(file_error(stored.path(), source)),
        }
    }

    /// What there is of stored openings; `None` where nobody has asked for any.
    ///
    /// # Errors
    /// [`ArchiveError::File`], [`ArchiveError::Damaged`].
    pub fn stored_openings(&self) -> Result<Option<StoredOpenings>, ArchiveError> {
        let Some(stored) = self.stored_file() else {
            return Ok(None);
        };
        let bytes = match fs::metadata(stored.path()) {
            Ok(file) => file.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(file_error(stored.path(), source)),
        };
        let stale = u64_of_usize(self.stale_openings()?.len());
        Ok(Some(StoredOpenings { current: self.vectors().saturating_sub(stale), bytes }))
    }

    /// Vectors of the newest version without a row that is up to date, ascending.
    pub(crate) fn stale_openings(&self) -> Result<Vec<u64>, ArchiveError> {
        let stored = self.stored_file();
        let is_current = |(vector, commitment): &(u64, Commitment)| {
            stored.as_ref().and_then(|stored| stored.row(*vector)).is_some_and(|row| row.is_of(commitment))
        };
        let commitments = (0..).zip(self.commitments(self.version)?);
        Ok(commitments.filter(|row| !is_current(row)).map(|(vector, _)| vector).collect())
    }

    /// The row of a vector of the newest version, unless it is there and up to date.
    fn new_row(&self, stored: &StoredFile, vector: u64) -> Result<Option<Vec<u8>>, ArchiveError> {
        self.work.check()?;
        let commitment = self.commitment_at(vector, self.version)?;
        if stored.row(vector).is_some_and(|mut row| row.is_of(&commitment) && row.is_whole()) {
            return Ok(None);
        }
        let scheme = self.scheme()?;
        let indices: Vec<usize> = (0..scheme.vector_size()).collect();
        let openings = self.computed(Asked { vector, indices: &indices, version: self.version })?;
        let mut scalars = self.scalars_at(vector, self.version)?.to_vec();
        scalars.resize(scheme.vector_size(), Scalar::ZERO);
        let claims = indices.iter().zip(&scalars).zip(&openings);
        let claims = claims.map(|((index, scalar), opening)| BatchClaim {
            label: self.version,
            commitment,
            index: *index,
            scalar: *scalar,
            opening: *opening,
        });
        if !scheme.verify_batch(&self.id().0, &claims.collect::<Vec<_>>()) {
            let fault = DamageKind::Invalid("not the commitment to its slots");
            return Err(Damage::new(Place::Commitment(vector), fault).into());
        }
        Ok(Some(stored.encode(vector, &commitment, &scalars, &openings)))
    }
}

fn file_error(path: &Path, source: io::Error) -> ArchiveError {
    ArchiveError::File { path: path.to_owned(), source }
}
