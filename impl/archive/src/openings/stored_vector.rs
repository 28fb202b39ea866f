//! Openings of a vector from its row in the file of stored openings.

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
use aardvark_algebra::integers::usize_or_max;
use aardvark_commitment::{Commitment, Opening};

use crate::error::{ArchiveError, Damage, Place};
use crate::snapshot::Snapshot;

use super::stored::StoredFile;

/// Openings that are asked for of one vector.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) vector: u64,
    pub(super) indices: &'a [usize],
    pub(super) version: u64,
}

/// A vector's opening from its row, and what its scalars have changed by since.
pub(super) struct StoredVector {
    pub(super) openings: Vec<Opening>,
    pub(super) changes: Vec<(usize, Scalar)>,
}

impl Snapshot {
    /// Whether a vector's row is of the vector as it was at a version.
    pub(super) fn is_stored(&self, vector: u64, version: u64) -> Result<bool, ArchiveError> {
        match self.stored_file().as_ref().and_then(|stored| stored.row(vector)) {
            Some(row) => Ok(row.is_of(&self.commitment_at(vector, version)?)),
            None => Ok(false),
        }
    }

    /// Openings of a vector from its row, in the order of the indices, and what has changed since;
    /// `None` where there is no row, or it is damaged.
    pub(super) fn stored_vector(&self, asked: Asked<'_>) -> Result<Option<StoredVector>, ArchiveError> {
        let stored = self.stored_file();
        let Some(mut row) = stored.as_ref().and_then(|stored| stored.row(asked.vector)) else {
            return Ok(None);
        };
        let changes = if row.is_of(&self.commitment_at(asked.vector, asked.version)?) {
            Vec::new()
        } else if let Some(then) = row.scalars() {
            changes(&then, &self.scalars_at(asked.vector, asked.version)?)
        } else {
            return Ok(None);
        };
        let decoded = |encoded: Vec<_>| Opening::from_bytes_each(&encoded).into_iter().collect::<Result<_, _>>().ok();
        let openings = row.openings(asked.indices).and_then(decoded);
        Ok(openings.map(|openings| StoredVector { openings, changes }))
    }

    pub(super) fn stored_file(&self) -> Option<StoredFile> {
        let path = self.directory.as_ref()?.openings();
        Some(StoredFile::new(path, *self.id(), usize_or_max(self.parameters().positions_per_vector())))
    }

    /// The commitment of a vector that there is at a version.
    pub(super) fn commitment_at(&self, vector: u64, version: u64) -> Result<Commitment, ArchiveError> {
        let found = self.commitments_within(version, vector, vector.saturating_add(1))?;
        Ok(found.first().copied().ok_or_else(|| Damage::missing(Place::Commitment(vector)))?)
    }
}

/// What turns the scalars of a row into those of a version, which may be fewer: the rest are zero.
fn changes(then: &[Scalar], now: &[Scalar]) -> Vec<(usize, Scalar)> {
    let now = now.iter().copied().chain(std::iter::repeat(Scalar::ZERO));
    let changes = then.iter().zip(now).map(|(then, now)| now - then).enumerate();
    changes.filter(|(_, change)| !bool::from(change.is_zero())).collect()
}
