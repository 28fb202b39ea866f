//! A validator's state from the store.
//!
//! The store does not keep a window of its own. What version u wrote is what it replaced
//! (`written`) and what it appended (from the size of u - 1 to that of u); what it wrote there is
//! found by going back from today's slots, one version at a time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aardvark_dictionary::window::VersionRecord;
use aardvark_dictionary::{Slot, Transaction, TransactionId, Validator, ValidatorState};

use crate::error::{ArchiveError, Damage, Place};
use crate::read::LoggedBlock;
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
        self.validator_at(self.version)
    }

    /// The validator of a version whose window can still be read.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::Damaged`] too where a part of the
    /// window is gone; [`ArchiveError::State`].
    pub(crate) fn validator_at(&self, version: u64) -> Result<Validator, ArchiveError> {
        let (tail_start, tail) = self.tail(version)?;
        let state = ValidatorState {
            version,
            size: self.version_info(version)?.size,
            commitments: self.commitments(version)?,
            window: self.window(self.window_start(version), version)?,
            tail_start,
            tail,
            replay: if version == self.version { self.replay()? } else { self.past_replay(version)? },
        };
        let scheme = self.scheme()?.clone();
        Ok(Validator::from_state(self.parameters().clone(), *self.id(), scheme, state)?)
    }

    /// The oldest entry of a version's window.
    pub(crate) fn window_start(&self, version: u64) -> u64 {
        version.saturating_sub(self.parameters().window.into()) + 1
    }

    /// The replay set of the newest version, by `last_valid` and then by id.
    pub(crate) fn replay(&self) -> Result<Vec<(TransactionId, u64)>, ArchiveError> {
        let tables = self.tables()?;
        let entries = tables.replay(u64::MAX)?;
        entries.map(|entry| entry.map(|(last_valid, id)| (TransactionId(id), last_valid))).collect()
    }

    /// The replay set of a past version, from the blocks of its window: no transaction is valid for
    /// longer.
    fn past_replay(&self, version: u64) -> Result<Vec<(TransactionId, u64)>, ArchiveError> {
        let oldest = version.saturating_sub(self.parameters().window.into()).max(1);
        let mut replay = Vec::new();
        for applied in oldest..=version {
            match self.block(applied)? {
                LoggedBlock::Genesis(_) | LoggedBlock::Import(_) => {}
                LoggedBlock::Transactions(block) => self.enter(&block.transactions, &mut replay),
                LoggedBlock::Aggregated(block) => self.enter(&block.block.transactions, &mut replay),
            }
        }
        replay.retain(|(_, last_valid)| *last_valid >= version);
        Ok(replay)
    }

    fn enter<O>(&self, transactions: &[Transaction<O>], replay: &mut Vec<(TransactionId, u64)>) {
        replay.extend(transactions.iter().map(|transaction| (transaction.id(self.id()), transaction.last_valid)));
    }

    /// The entries of a window from one version to another, oldest first, found newest first.
    pub(crate) fn window(&self, oldest: u64, newest: u64) -> Result<Vec<VersionRecord>, ArchiveError> {
        let tables = self.tables()?;
        let mut later = Later { tables: &tables, size: self.info.size, replaced: HashMap::new() };
        for version in (newest + 1..=self.version).rev() {
            later.go_back(version)?;
        }
        let mut entries = Vec::new();
        let vector_size = self.parameters().positions_per_vector();
        for version in (oldest..=newest).rev() {
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
        let mut writes = Vec::new();
        for position in self.tables.written(version)? {
            let position = position?;
            writes.push((position, self.content(position)?));
        }
        self.push_appended(previous_size, &mut writes)?;
        let previous_commitments = self.previous_commitments(version, &writes, previous_size, vector_size)?;
        self.go_back(version)?;
        Ok(VersionRecord { version, previous_size, writes, previous_commitments })
    }

    /// From `version`, at whose array this stands, to the version before.
    fn go_back(&mut self, version: u64) -> Result<(), ArchiveError> {
        for position in self.tables.written(version)? {
            let position = position?;
            let past = self.tables.replaced_slot(position, version)?;
            let past = past.ok_or_else(|| Damage::missing(Place::PastSlot { position, version }))?;
            self.replaced.insert(position, past.slot);
        }
        self.size = self.tables.version(version - 1)?.size;
        Ok(())
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
