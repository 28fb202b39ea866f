//! Invariants that hold of every archive: one ring of slots, and commitments of whole vectors.

use aardvark_algebra::parallel::prelude::*;
use aardvark_commitment::VectorCommitment;
use aardvark_dictionary::{Key, Slot};

use crate::array_at::ArrayAt;
use crate::error::{ArchiveError, Place};
use crate::progress::{Phase, Progress};

use super::{Audit, Fault, Finding, MOST_FINDINGS, Stop};

/// Vectors between two reports of progress.
pub(super) const BATCH: u64 = 64;

impl Audit<'_> {
    /// Following `next` from the sentinel visits every slot once, in key order, and the index leads
    /// to each.
    pub(super) fn ring(&mut self) -> Result<(), Stop> {
        let tables = self.archive.tables()?;
        let mut expected = Key::empty();
        let mut visited = 0;
        for entry in tables.index()? {
            let (key, position) = entry?;
            let slot = tables.slot(position)?;
            if key != expected {
                self.find(Place::Index(key), Fault::Invariant("the ring of slots does not come by here"));
                return Ok(());
            }
            if slot.key != key {
                self.find(Place::Slot(position), Fault::Invariant("the index has another key for it"));
                return Ok(());
            }
            visited += 1;
            expected = slot.next;
        }
        if !expected.is_empty() || visited != self.archive.size() {
            self.find(Place::Index(expected), Fault::Invariant("the ring of slots does not close here"));
        }
        Ok(())
    }

    /// Commits to every vector from its slots alone, and says how many there are.
    pub(super) fn recommit(&mut self) -> Result<u64, Stop> {
        let archive = self.archive;
        let scheme = self.scheme.clone();
        let vector_size = archive.parameters().positions_per_vector();
        let vectors = archive.size().div_ceil(vector_size);
        let tables = archive.tables()?;
        let array = ArrayAt::new(&tables, archive.version(), archive.version())?;
        let mut found = 0;
        for first in (0..vectors).step_by(usize::try_from(BATCH).unwrap_or(1)) {
            (self.progress)(Progress { phase: Phase::Recommit, done: first, total: vectors });
            let batch = (first..vectors.min(first + BATCH)).map(|vector| {
                let start = vector * vector_size;
                let slots = array.slots(start, archive.size().min(start + vector_size))?;
                Ok((vector, tables.commitment(vector)?, slots))
            });
            let batch: Vec<_> = batch.collect::<Result<_, ArchiveError>>()?;
            let false_ones = batch.into_par_iter().filter_map(|(vector, stored, slots)| {
                let scalars = Slot::scalars(&slots);
                match scheme.commit(&scalars) {
                    Ok(commitment) => (commitment != stored).then_some(Ok(vector)),
                    Err(error) => Some(Err(ArchiveError::from(error))),
                }
            });
            for vector in false_ones.collect::<Result<Vec<u64>, ArchiveError>>()? {
                self.findings.push(false_commitment(vector));
                found += 1;
            }
            if found >= MOST_FINDINGS {
                break;
            }
        }
        (self.progress)(Progress { phase: Phase::Recommit, done: vectors, total: vectors });
        Ok(vectors)
    }
}

/// A commitment that is not the one that its slots give.
pub(super) fn false_commitment(vector: u64) -> Finding {
    Finding { place: Place::Commitment(vector), fault: Fault::Invariant("not the commitment of its slots") }
}
