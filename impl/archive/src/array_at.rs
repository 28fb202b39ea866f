//! The dense array at any version within retention.
//!
//! The store holds the array of the newest version t, and for each version u the slots that u
//! replaced. What stood at position p at version v is today's slot, where a version up to v wrote
//! that, or else the slot that the *first* version after v replaced there. Which slot covered a key
//! at v, and which preceded it, is found in the same way: today's, or else the one that the index
//! of the past ([`crate::past_index`]) leads to.

use std::ops::Bound;

use aardvark_dictionary::array::Slots;
use aardvark_dictionary::{Key, Slot};

use crate::error::{ArchiveError, Damage, DamageKind, Place};
use crate::past_index::blocks_after;
use crate::tables::Tables;

/// The array at `version`, one of those that the store still has.
pub(crate) struct ArrayAt<'a> {
    tables: &'a Tables<'a>,
    version: u64,
    newest: u64,
    size: u64,
}

impl<'a> ArrayAt<'a> {
    pub(crate) fn new(tables: &'a Tables<'a>, version: u64, newest: u64) -> Result<Self, ArchiveError> {
        let size = tables.version(version)?.size;
        Ok(Self { tables, version, newest, size })
    }

    /// The slot at a position in use.
    pub(crate) fn slot(&self, position: u64) -> Result<Slot, ArchiveError> {
        if self.version == self.newest {
            return self.tables.slot(position);
        }
        if position < self.tables.version(self.newest)?.size {
            let today = self.tables.written_slot(position)?;
            if today.born <= self.version {
                return Ok(today.slot);
            }
        }
        self.replaced(position)
    }

    /// The slot at a position that was written since the version.
    fn replaced(&self, position: u64) -> Result<Slot, ArchiveError> {
        match self.tables.past_slot(position, self.version)? {
            Some((_, past)) => Ok(past.slot),
            None => Err(Damage::missing(Place::Slot(position)).into()),
        }
    }

    /// The slots at positions `from..to`, all in use. Each that was written since costs a look-up,
    /// whatever was written there.
    pub(crate) fn slots(&self, from: u64, to: u64) -> Result<Vec<Slot>, ArchiveError> {
        self.each_slot(from, to)?.collect()
    }

    /// The same one after the other.
    pub(crate) fn each_slot(
        &self,
        from: u64,
        to: u64,
    ) -> Result<impl Iterator<Item = Result<Slot, ArchiveError>>, ArchiveError> {
        let mut today = self.tables.slots(from, to)?.peekable();
        Ok((from..to).map(move |position| {
            let stored = today.next_if(|record| record.as_ref().map_or(true, |(at, _)| *at == position)).transpose()?;
            match stored {
                Some((_, today)) if today.born <= self.version => Ok(today.slot),
                _ => self.replaced(position),
            }
        }))
    }

    /// The slot that covers a key, which may be the empty one.
    pub(crate) fn covering_slot(&self, key: &[u8]) -> Result<(u64, Slot), ArchiveError> {
        self.find(Bound::Included(key), |slot| slot.covers(key))
    }

    /// The slot that precedes a key that is not empty.
    pub(crate) fn preceding_slot(&self, key: &[u8]) -> Result<(u64, Slot), ArchiveError> {
        self.find(Bound::Excluded(key), |slot| slot.precedes(key))
    }

    fn find(&self, upper: Bound<&[u8]>, holds: impl Fn(&Slot) -> bool) -> Result<(u64, Slot), ArchiveError> {
        let (key, position) = self.tables.index_floor(upper)?;
        let today = self.tables.written_slot(position)?;
        if today.slot.key != key {
            return Err(Damage::new(Place::Index(key), DamageKind::Invalid("another key stands there")).into());
        }
        if today.born > self.version {
            return self.find_replaced(upper, holds);
        }
        if holds(&today.slot) {
            return Ok((position, today.slot));
        }
        Err(Damage::new(Place::Slot(position), DamageKind::Invalid("a gap between it and its neighbours")).into())
    }

    /// The slot that held at the version and was replaced since: the first that the index of the
    /// past finds.
    fn find_replaced(&self, upper: Bound<&[u8]>, holds: impl Fn(&Slot) -> bool) -> Result<(u64, Slot), ArchiveError> {
        for block in blocks_after(self.version, self.newest, self.tables.genesis_record()?.retention) {
            if let Some((position, version)) = self.tables.past_key_floor(block, upper)? {
                let replaced = self.tables.replaced_slot(position, version)?;
                let replaced = replaced.ok_or_else(|| Damage::missing(Place::PastSlot { position, version }))?;
                if holds(&replaced.slot) {
                    return Ok((position, replaced.slot));
                }
            }
        }
        let place = Place::PastKey { key: Key::empty(), level: 0, start: self.version + 1 };
        Err(Damage::missing(place).into())
    }
}

impl Slots for ArrayAt<'_> {
    type Error = ArchiveError;

    fn size(&self) -> u64 {
        self.size
    }

    fn slot_at(&self, position: u64) -> Result<Option<Slot>, ArchiveError> {
        (position < self.size).then(|| self.slot(position)).transpose()
    }

    fn covering(&self, key: &[u8]) -> Result<Option<(u64, Slot)>, ArchiveError> {
        self.covering_slot(key).map(Some)
    }

    fn preceding(&self, key: &[u8]) -> Result<Option<(u64, Slot)>, ArchiveError> {
        self.preceding_slot(key).map(Some)
    }
}
