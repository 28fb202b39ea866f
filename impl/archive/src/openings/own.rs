//! The archive's own openings, as a source of them.

use std::collections::BTreeMap;

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
