//! The archive's own openings, as a source of them.

use std::collections::BTreeMap;
use std::time::Duration;

use aardvark_commitment::Opening;
use aardvark_dictionary::Slot;

use crate::error::ArchiveError;
use crate::snapshot::{OpeningSource, Snapshot};

/// The archive's own openings: held, stored or computed.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnOpenings;

impl OpeningSource for OwnOpenings {
    fn openings(
        &self,
        archive: &Snapshot,
        version: u64,
        slots: &[(u64, Slot)],
    ) -> Result<BTreeMap<u64, Opening>, ArchiveError> {
        archive.openings_at(version, slots.iter().map(|(position, _)| *position))
    }

    fn cost(&self, archive: &Snapshot, version: u64, slots: &[(u64, Slot)]) -> Result<f64, ArchiveError> {
        archive.cost_of_openings(version, slots.iter().map(|(position, _)| *position))
    }
}

impl Snapshot {
    /// The openings at some positions of a version, by position, for who knows the slots.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::PositionOutOfRange`],
    /// [`ArchiveError::Damaged`].
    pub fn openings(&self, version: u64, positions: &[u64]) -> Result<BTreeMap<u64, Opening>, ArchiveError> {
        self.check_positions(version, positions)?;
        self.openings_at(version, positions.iter().copied())
    }

    /// What [`Snapshot::openings`] takes of one core's time, about.
    ///
    /// # Errors
    /// As there.
    pub fn cost_of_positions(&self, version: u64, positions: &[u64]) -> Result<Duration, ArchiveError> {
        self.check_positions(version, positions)?;
        let cost = self.cost_of_openings(version, positions.iter().copied())?;
        Ok(Duration::try_from_secs_f64(cost / 1e6).unwrap_or(Duration::MAX))
    }

    fn check_positions(&self, version: u64, positions: &[u64]) -> Result<(), ArchiveError> {
        self.check_version(version)?;
        let vector_size = self.parameters().positions_per_vector();
        let vectors = self.version_info(version)?.size.div_ceil(vector_size);
        match positions.iter().find(|position| *position / vector_size >= vectors) {
            Some(position) => Err(ArchiveError::PositionOutOfRange { position: *position, version }),
            None => Ok(()),
        }
    }
}
