//! Import: changes without claims, which only an archive's owner makes.
//!
//! One block whatever the number of changes: O(n log n) for n of them, by the same rules as a block of transactions
//! (`aardvark_dictionary::import`), on the store through [`ArrayAt`].

use std::cmp::Ordering;

use aardvark_commitment::Commitment;
use aardvark_dictionary::array::{DraftError, Write};
use aardvark_dictionary::import::{ImportError, import};
use aardvark_dictionary::tail::tail_start_after;
use aardvark_dictionary::{Change, ImportBlock};

use crate::archive::Archive;
use crate::array_at::{ArrayAt, Ascending};
use crate::commit::{self, Step};
use crate::deltas::{Changed, changed_commitments};
use crate::error::{ArchiveError, Damage, Place};
use crate::progress::{Phase, Progress};
use crate::records::{self, BlockKind, VersionInfo};

impl Archive {
    /// Makes the next version from changes in any order, and returns its number.
    ///
    /// Where a key stands more than once, its last change counts. A put of the value that is there and a delete of
    /// an absent key do nothing, but a version is made even when nothing changes.
    ///
    /// # Errors
    /// [`ArchiveError::EmptyKey`], [`ArchiveError::KeyTooLong`], [`ArchiveError::ValueTooLong`];
    /// [`ArchiveError::NotCommitted`] where the store fails. The version before then stands.
    pub fn import(&mut self, changes: Vec<Change>) -> Result<u64, ArchiveError> {
        self.import_with(changes, &mut |_| {})
    }

    /// [`Archive::import`], reporting progress.
    ///
    /// # Errors
    /// As [`Archive::import`].
    pub fn import_with(
        &mut self,
        changes: Vec<Change>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<u64, ArchiveError> {
        let count = changes.len();
        u32::try_from(count).map_err(|_| ArchiveError::TooManyChanges { count })?;
        let changes = last_of_each_key(changes);
        self.import_block(&ImportBlock { version: self.version + 1, changes }, progress)
    }

    /// Takes an import block of the next version as it stands in a log.
    pub(crate) fn import_block(
        &mut self,
        block: &ImportBlock,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<u64, ArchiveError> {
        let total = u64::try_from(block.changes.len()).unwrap_or(u64::MAX);
        progress(Progress { phase: Phase::Array, done: 0, total });
        let (writes, size) = self.effects(block)?;
        let commitments = self.commitments_after(&writes, size, progress)?;
        let bytes = block.encode();
        let vector_size = self.parameters().positions_per_vector();
        let info = VersionInfo {
            size,
            tail_start: tail_start_after(self.info.tail_start, size, vector_size),
            kind: BlockKind::Import,
            items: total,
            block_bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            link: records::link(&self.info.link, &bytes),
        };
        progress(Progress { phase: Phase::Store, done: 0, total });
        let step = Step {
            version: self.version + 1,
            previous_size: self.info.size,
            info: info.clone(),
            block: &bytes,
            writes: &writes,
            commitments: &commitments,
            applied: &[],
            vector_size,
            retention: self.retention(),
            constitution: None,
        };
        // A validator has no import: the next block of transactions restores one from the store.
        self.validator = None;
        self.commit(&step)?;
        progress(Progress { phase: Phase::Store, done: total, total });
        Ok(self.version)
    }

    /// The writes of an import block on the newest version, and the number of slots after it.
    fn effects(&self, block: &ImportBlock) -> Result<(Vec<Write>, u64), ArchiveError> {
        let tables = self.tables()?;
        let array = Ascending::new(ArrayAt::new(&tables, self.version, self.version)?);
        let imported = import(&array, block, self.parameters()).map_err(|error| self.refusal(error))?;
        Ok((imported.writes, imported.size))
    }

    fn commitments_after(
        &self,
        writes: &[Write],
        size: u64,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Changed, ArchiveError> {
        let tables = self.tables()?;
        let existing = self.info.size.div_ceil(self.parameters().positions_per_vector());
        let now = |vector| if vector < existing { tables.commitment(vector) } else { Ok(Commitment::identity()) };
        let report = |done, total| progress(Progress { phase: Phase::Commitments, done, total });
        changed_commitments(self.scheme()?, writes, size, now, report)
    }

    /// Writes a version and moves on to it.
    pub(crate) fn commit(&mut self, step: &Step<'_>) -> Result<(), ArchiveError> {
        if let Err(error) = commit::write(self.store.as_ref(), step) {
            // Whether the store has the version is not known: nothing may be followed from here.
            self.openings.clear();
            return Err(match error {
                ArchiveError::Damaged(_) | ArchiveError::Store(crate::store::StoreError::ReadOnly) => error,
                other => ArchiveError::NotCommitted { version: step.version, source: Box::new(other) },
            });
        }
        self.openings.follow(step.version, step.writes, step.version.saturating_sub(self.retention()));
        self.move_to(step.version, step.info.clone()).map_err(|error| {
            self.openings.clear();
            ArchiveError::NotCommitted { version: step.version, source: Box::new(error) }
        })
    }

    fn refusal(&self, error: ImportError<ArchiveError>) -> ArchiveError {
        let parameters = self.parameters();
        match error {
            ImportError::EmptyKey => ArchiveError::EmptyKey,
            ImportError::KeyTooLong(key) => ArchiveError::KeyTooLong { key, limit: parameters.max_key_length },
            ImportError::ValueTooLong(key) => ArchiveError::ValueTooLong { key, limit: parameters.max_value_length },
            ImportError::Order(key) => ArchiveError::KeyOrder { key },
            ImportError::Array(DraftError::Source(error)) => error,
            ImportError::Array(DraftError::MissingSlot(key)) => Damage::missing(Place::Index(key)).into(),
            ImportError::Array(DraftError::MissingPosition(position)) => Damage::missing(Place::Slot(position)).into(),
        }
    }
}

/// Sorts changes by key; of those with one key the last given stays.
fn last_of_each_key(mut changes: Vec<Change>) -> Vec<Change> {
    let ascending = |a: &Change, b: &Change| a.key.cmp(&b.key);
    if changes.is_sorted_by(|a, b| ascending(a, b) == Ordering::Less) {
        return changes;
    }
    // Stable, so that among equal keys the order given stays; `dedup_by` keeps the first, hence the reversal.
    changes.reverse();
    changes.sort_by(ascending);
    changes.dedup_by(|later, first| later.key == first.key);
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(key: &str, value: Option<&str>) -> Change {
        Change { key: key.into(), value: value.map(Into::into) }
    }

    #[test]
    fn the_last_change_of_a_key_counts() {
        let given = vec![change("b", Some("1")), change("a", Some("2")), change("b", None), change("a", Some("3"))];
        assert_eq!(last_of_each_key(given), [change("a", Some("3")), change("b", None)]);
        let ascending = vec![change("a", None), change("b", None)];
        assert_eq!(last_of_each_key(ascending.clone()), ascending);
    }
}
