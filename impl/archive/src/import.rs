//! Import: changes without claims, which only an archive's owner makes.
//!
//! One block whatever the number of changes: O(n log n) for n of them, by the same rules as a block
//! of transactions (`aardvark_dictionary::import`), on the store through [`ArrayAt`].

use std::cmp::Ordering;
use std::ops::AddAssign;

use aardvark_algebra::integers::u64_of_usize;
use aardvark_commitment::Commitment;
use aardvark_dictionary::array::{DraftError, Write};
use aardvark_dictionary::changes::NetChange;
use aardvark_dictionary::import::{ImportError, Imported as Effects, check_change, import};
use aardvark_dictionary::tail::tail_start_after;
use aardvark_dictionary::{Change, ImportBlock};

use crate::archive::Archive;
use crate::array_at::ArrayAt;
use crate::commit::{self, VersionChanges};
use crate::deltas::{Changed, changed_commitments};
use crate::error::{ArchiveError, Damage, Place};
use crate::progress::{Phase, Progress};
use crate::records::{self, BlockKind, VersionInfo};

/// What an import came to. Every change that was given is counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// The newest version after it: a new one, unless nothing changed.
    pub version: u64,
    /// Keys that were absent, and are present.
    pub inserted: u64,
    /// Keys that have another value.
    pub updated: u64,
    /// Keys that were present, and are absent.
    pub deleted: u64,
    /// Puts of the value that was there.
    pub unchanged: u64,
    /// Deletes that found nothing.
    pub absent: u64,
    /// Changes of a key that stood again further on, where only the last one counts.
    pub superseded: u64,
}

impl Imported {
    /// Counts `given` changes, of which `changes` remained, one for each key, and came to the net
    /// ones.
    fn of(given: usize, changes: &[Change], net: &[Option<NetChange>]) -> Self {
        let mut imported = Self { superseded: u64_of_usize(given - changes.len()), ..Self::default() };
        for (change, net) in changes.iter().zip(net) {
            let count = match (net, &change.value) {
                (Some(NetChange::Insert), _) => &mut imported.inserted,
                (Some(NetChange::Update), _) => &mut imported.updated,
                (Some(NetChange::Delete), _) => &mut imported.deleted,
                (None, Some(_)) => &mut imported.unchanged,
                (None, None) => &mut imported.absent,
            };
            *count += 1;
        }
        imported
    }
}

/// The counts of two imports, and the version of the second.
impl AddAssign for Imported {
    fn add_assign(&mut self, later: Self) {
        let Self { version, inserted, updated, deleted, unchanged, absent, superseded } = later;
        self.version = version;
        self.inserted += inserted;
        self.updated += updated;
        self.deleted += deleted;
        self.unchanged += unchanged;
        self.absent += absent;
        self.superseded += superseded;
    }
}

impl Archive {
    /// Makes the next version from changes in any order, and returns the newest version's number.
    ///
    /// Where a key stands more than once, its last change counts. A put of the value that is there
    /// and a delete of an absent key do nothing and are not logged; where nothing else is left,
    /// there is no block and no new version.
    ///
    /// # Errors
    /// [`ArchiveError::EmptyKey`], [`ArchiveError::KeyTooLong`], [`ArchiveError::ValueTooLong`];
    /// [`ArchiveError::NotCommitted`] where the store fails. The version before then stands.
    pub fn import(&mut self, changes: Vec<Change>) -> Result<u64, ArchiveError> {
        Ok(self.import_with(changes, &mut |_| {})?.version)
    }

    /// [`Archive::import`], reporting progress, and saying what the changes came to.
    ///
    /// # Errors
    /// As [`Archive::import`].
    pub fn import_with(
        &mut self,
        changes: Vec<Change>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Imported, ArchiveError> {
        let given = changes.len();
        u32::try_from(given).map_err(|_| ArchiveError::TooManyChanges { count: given })?;
        let changes = last_of_each_key(changes);
        progress(Progress { phase: Phase::Array, done: 0, total: u64_of_usize(changes.len()) });
        let mut block = ImportBlock { version: self.version + 1, changes };
        let effects = self.effects(&block)?;
        let mut imported = Imported::of(given, &block.changes, &effects.net);
        if effects.net.contains(&None) {
            let mut net = effects.net.iter();
            block.changes.retain(|_| net.next().is_some_and(Option::is_some));
        }
        if !block.changes.is_empty() {
            self.import_effects(&block, effects, progress)?;
        }
        imported.version = self.version;
        Ok(imported)
    }

    /// Whether the dictionary takes a change.
    ///
    /// # Errors
    /// [`ArchiveError::EmptyKey`], [`ArchiveError::KeyTooLong`], [`ArchiveError::ValueTooLong`].
    pub fn check_change(&self, change: &Change) -> Result<(), ArchiveError> {
        check_change(change, self.parameters()).map_err(|error| self.refusal(error))
    }

    /// Takes an import block of the next version as it stands in a log, whether its changes are net
    /// or not: archives once logged what they were given.
    pub(crate) fn import_block(&mut self, block: &ImportBlock) -> Result<(), ArchiveError> {
        let effects = self.effects(block)?;
        self.import_effects(block, effects, &mut |_| {})
    }

    /// Makes the next version from an import block and what it does.
    fn import_effects(
        &mut self,
        block: &ImportBlock,
        Effects { writes, size, .. }: Effects,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), ArchiveError> {
        let total = u64_of_usize(block.changes.len());
        let commitments = self.commitments_after(&writes, size, progress)?;
        let bytes = block.encode();
        let vector_size = self.parameters().positions_per_vector();
        let info = VersionInfo {
            size,
            tail_start: tail_start_after(self.info.tail_start, size, vector_size),
            kind: BlockKind::Import,
            items: total,
            block_bytes: u64_of_usize(bytes.len()),
            link: records::link(&self.info.link, &bytes),
        };
        progress(Progress { phase: Phase::Store, done: 0, total });
        let changes = VersionChanges {
            version: self.version + 1,
            previous_size: self.info.size,
            info: info.clone(),
            block: &bytes,
            writes: &writes,
            commitments: &commitments,
            applied: &[],
            vector_size,
            retention: self.retention(),
            genesis_record: None,
        };
        // A validator has no import: the next block of transactions restores one from the store.
        self.validator = None;
        self.commit(&changes)?;
        progress(Progress { phase: Phase::Store, done: total, total });
        Ok(())
    }

    /// What an import block does to the newest version.
    fn effects(&self, block: &ImportBlock) -> Result<Effects, ArchiveError> {
        let tables = self.tables()?;
        let array = ArrayAt::new(&tables, self.version, self.version)?;
        import(&array, block, self.parameters()).map_err(|error| self.refusal(error))
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
    pub(crate) fn commit(&mut self, changes: &VersionChanges<'_>) -> Result<(), ArchiveError> {
        if let Err(error) = commit::write(self.store.as_ref(), changes) {
            // Whether the store has the version is not known: nothing may be followed from here.
            self.openings.clear();
            return Err(match error {
                ArchiveError::Damaged(_) | ArchiveError::Store(crate::store::StoreError::ReadOnly) => error,
                other => ArchiveError::NotCommitted { version: changes.version, source: Box::new(other) },
            });
        }
        let followed = self.openings.begin(changes.version);
        let oldest = changes.version.saturating_sub(self.retention());
        self.openings.follow(changes.version, &followed, changes.writes, oldest);
        self.move_to(changes.version, changes.info.clone()).map_err(|error| {
            self.openings.clear();
            ArchiveError::NotCommitted { version: changes.version, source: Box::new(error) }
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
    // Stable, so that among equal keys the order given stays; `dedup_by` keeps the first, hence the
    // reversal.
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
