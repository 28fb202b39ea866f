//! A validator's state from the store.
//!
//! The store does not keep a window of its own. What version u wrote is what it replaced
//! (`written`) and what it appended (from the size of u - 1 to that of u); what it wrote there is
//! found by going back from today's slots, one version at a time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aardvark_dictionary::window::VersionRecord;
use aardvark_dictionary::{Slot, TransactionId, Validator, ValidatorState};

use crate::error::{ArchiveError, Damage, Place};
use crate::snapshot::Snapshot;
use crate::tables::Tables;

impl Snapshot {
    /// The validator of the newest version, restored from the store.
    ///
    /// # Errors
    /// [`ArchiveError::Damaged`], [`ArchiveError::State`].
    pub fn validator(&self) -> Result<Validator, ArchiveError> {
        self.restored_validator()
    }

    pub(crate) fn restored_validator(&self) -> Result<Validator, ArchiveError> {
        let state = ValidatorState {
            version: self.version,
            size: self.info.size,
            commitments: self.commitments(self.version)?,
            window: self.window()?,
            tail_start: self.info.tail_start,
            tail: self.tail(self.version)?.1,
            replay: self.replay()?,
        };
        let scheme = self.scheme()?.clone();
        Ok(Validator::from_state(self.parameters().clone(), *self.id(), scheme, state)?)
    }

    fn replay(&self) -> Result<Vec<(TransactionId, u64)>, ArchiveError> {
        let tables = self.tables()?;
        let entries = tables.replay(u64::MAX)?;
        entries.map(|entry| entry.map(|(last_valid, id)| (TransactionId(id), last_valid))).collect()
    }

    /// The entries of the window, oldest first, found newest first.
    fn window(&self) -> Result<Vec<VersionRecord>, ArchiveError> {
        let tables = self.tables()?;
        let oldest = self.version.saturating_sub(self.parameters().window.into()) + 1;
        let mut later = Later { tables: &tables, size: self.info.size, replaced: HashMap::new() };
        let mut entries = Vec::new();
        let vector_size = self.parameters().positions_per_vector();
        for version in (oldest..=self.version).rev() {
            entries.push(later.entry(version, vector_size)?);
        }
        entries.reverse();
        Ok(entries)
    }
}

/// The array at some version, as today's slots under what later versions replaced.
struct Later<'a> {
    tables: &'a Tables<'a>,
    /// Number of slots at the version.
    size: u64,
    /// What stood where later versions wrote.
    replaced: HashMap<u64, Slot>,
}

impl Later<'_> {
    /// The window's entry of `version`, at whose array this stands. Goes back to the version
    /// before.
    fn entry(&mut self, version: u64, vector_size: u64) -> Result<VersionRecord, ArchiveError> {
        let previous_size = self.tables.version(version - 1)?.size;
        let positions: Vec<u64> = self.tables.written(version)?.collect::<Result<_, _>>()?;
        let mut writes = Vec::with_capacity(positions.len());
        for position in &positions {
            writes.push((*position, self.content(*position)?));
        }
        self.push_appended(previous_size, &mut writes)?;
        let previous_commitments = self.previous_commitments(version, &writes, previous_size, vector_size)?;
        for position in positions {
            let past = self.tables.replaced_slot(position, version)?;
            let past = past.ok_or_else(|| Damage::missing(Place::PastSlot { position, version }))?;
            self.replaced.insert(position, past.slot);
        }
        self.size = previous_size;
        Ok(VersionRecord { version, previous_size, writes, previous_commitments })
    }

    fn content(&self, position: u64) -> Result<Option<Slot>, ArchiveError> {
        if position >= self.size {
            return Ok(None);
        }
        match self.replaced.get(&position) {
            Some(slot) => Ok(Some(slot.clone())),
            None => self.tables.slot(position).map(Some),
        }
    }

    /// The slots from `previous_size` on, in one walk over the table.
    fn push_appended(&self, previous_size: u64, writes: &mut Vec<(u64, Option<Slot>)>) -> Result<(), ArchiveError> {
        if previous_size >= self.size {
            return Ok(());
        }
        let mut today = self.tables.slots(previous_size, self.size)?.peekable();
        for position in previous_size..self.size {
            let stored = today.next_if(|record| record.as_ref().map_or(true, |(at, _)| *at == position));
            let stored = stored.transpose()?.map(|(_, written)| written.slot);
            let content = self.replaced.get(&position).cloned().or(stored);
            let content = content.ok_or_else(|| Damage::missing(Place::Slot(position)))?;
            writes.push((position, Some(content)));
        }
        Ok(())
    }

    /// The commitments at `version` - 1 of the vectors that `version` wrote; `None` where they did
    /// not exist.
    fn previous_commitments(
        &self,
        version: u64,
        writes: &[(u64, Option<Slot>)],
        previous_size: u64,
        vector_size: u64,
    ) -> Result<BTreeMap<u64, Option<aardvark_commitment::Commitment>>, ArchiveError> {
        let vectors: BTreeSet<u64> = writes.iter().map(|(position, _)| position / vector_size).collect();
        let existed = previous_size.div_ceil(vector_size);
        let previous = |vector| {
            if vector >= existed {
                return Ok((vector, None));
            }
            let past = self.tables.past_commitment(vector, version - 1)?.filter(|(by, _)| *by == version);
            let (_, past) = past.ok_or_else(|| Damage::missing(Place::PastCommitment { vector, version }))?;
            Ok((vector, Some(past)))
        };
        vectors.into_iter().map(previous).collect()
    }
}
