//! The dense array at any version within retention.
//!
//! The store holds the array of the newest version t, and for each version u the slots that u replaced. What stood at
//! position p at version v is the slot that the *first* version after v replaced there, or else today's.
//!
//! Which slot covered key k at v is found without a second index of the past, by the argument that makes stale claims
//! safe (design, section 5, window completeness). Let c be the slot that covers k at t. If nothing was written at c's
//! position since v, c covered k at v. If something was, then the slot that covered k at v was replaced after v: had
//! it not been, it would still cover k, and be c. Replaced slots are listed by their key in `past_keys`, so the one
//! wanted is the greatest key at or below k there that was live at v. The same holds for k's predecessor.

use std::cell::RefCell;
use std::ops::Bound;

use aardvark_dictionary::array::Slots;
use aardvark_dictionary::{Key, Slot};

use crate::error::{ArchiveError, Damage, DamageKind, Place};
use crate::keys;
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
        if self.version < self.newest
            && let Some((_, past)) = self.tables.past_slot(position, self.version)?
        {
            return Ok(past);
        }
        self.tables.slot(position)
    }

    /// The slots at positions `from..to`, all in use.
    pub(crate) fn slots(&self, from: u64, to: u64) -> Result<Vec<Slot>, ArchiveError> {
        let mut slots: Vec<Option<Slot>> = (from..to).map(|_| None).collect();
        let mut place = |position: u64, slot: Slot| {
            let index = position.checked_sub(from).and_then(|index| usize::try_from(index).ok());
            if let Some(entry) = index.and_then(|index| slots.get_mut(index)) {
                *entry = Some(slot);
            }
        };
        for record in self.tables.slots(from, to)? {
            let (position, slot) = record?;
            place(position, slot);
        }
        if self.version < self.newest {
            for record in self.tables.past_slots(from, to, self.version)? {
                let (position, slot) = record?;
                place(position, slot);
            }
        }
        let missing = |position| ArchiveError::from(Damage::missing(Place::Slot(position)));
        (from..).zip(slots).map(|(position, slot)| slot.ok_or_else(|| missing(position))).collect()
    }

    /// The slot that covers a key, which may be the empty one.
    pub(crate) fn covering_slot(&self, key: &[u8]) -> Result<(u64, Slot), ArchiveError> {
        let past_upper = keys::past_key(key, u64::MAX);
        let holds = |slot: &Slot| slot.covers(key);
        self.find(Bound::Included(key), Bound::Included(&past_upper), holds)
    }

    /// The slot that precedes a key that is not empty.
    pub(crate) fn preceding_slot(&self, key: &[u8]) -> Result<(u64, Slot), ArchiveError> {
        let past_upper = keys::past_key(key, 0);
        let holds = |slot: &Slot| slot.precedes(key);
        self.find(Bound::Excluded(key), Bound::Excluded(&past_upper), holds)
    }

    fn find(
        &self,
        upper: Bound<&[u8]>,
        past_upper: Bound<&[u8]>,
        holds: impl Fn(&Slot) -> bool,
    ) -> Result<(u64, Slot), ArchiveError> {
        let (key, position) = self.tables.index_floor(upper)?;
        let unchanged = self.version == self.newest
            || (position < self.size && self.tables.past_slot(position, self.version)?.is_none());
        let (position, slot) = if unchanged {
            let slot = self.tables.slot(position)?;
            if slot.key != key {
                return Err(Damage::new(Place::Index(key), DamageKind::Invalid("another key stands there")).into());
            }
            (position, slot)
        } else {
            self.find_replaced(past_upper)?
        };
        if holds(&slot) {
            return Ok((position, slot));
        }
        Err(Damage::new(Place::Slot(position), DamageKind::Invalid("a gap between it and its neighbours")).into())
    }

    /// The slot with the greatest key below an upper bound, among those live at the version and replaced since.
    fn find_replaced(&self, upper: Bound<&[u8]>) -> Result<(u64, Slot), ArchiveError> {
        let mut upper = match upper {
            Bound::Included(key) => Bound::Included(key.to_vec()),
            Bound::Excluded(key) => Bound::Excluded(key.to_vec()),
            Bound::Unbounded => Bound::Unbounded,
        };
        loop {
            let bound = upper.as_ref().map(Vec::as_slice);
            let Some(key) = self.tables.past_key_floor(bound)? else {
                let place = Place::PastKey { key: Key::empty(), version: self.version };
                return Err(Damage::missing(place).into());
            };
            if let Some(found) = self.live_and_replaced(&key)? {
                return Ok(found);
            }
            upper = Bound::Excluded(keys::past_key(&key, 0));
        }
    }

    /// Position and slot of a key that was live at the version and whose position was written since: the first
    /// version that found the key somewhere must be the first to replace what stood there.
    fn live_and_replaced(&self, key: &Key) -> Result<Option<(u64, Slot)>, ArchiveError> {
        let Some((found_by, position)) = self.tables.past_position(key, self.version)? else {
            return Ok(None);
        };
        if position >= self.size {
            return Ok(None);
        }
        let first = self.tables.past_slot(position, self.version)?;
        Ok(first.filter(|(replaced_by, _)| *replaced_by == found_by).map(|(_, slot)| (position, slot)))
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

/// An array that remembers the slot that covered the last key. Keys of an import ascend, so that one slot often
/// covers many of them, and an import into an empty dictionary asks the store only once.
pub(crate) struct Ascending<'a> {
    array: ArrayAt<'a>,
    last: RefCell<Option<(u64, Slot)>>,
}

impl<'a> Ascending<'a> {
    pub(crate) fn new(array: ArrayAt<'a>) -> Self {
        Self { array, last: RefCell::new(None) }
    }
}

impl Slots for Ascending<'_> {
    type Error = ArchiveError;

    fn size(&self) -> u64 {
        self.array.size()
    }

    fn slot_at(&self, position: u64) -> Result<Option<Slot>, ArchiveError> {
        self.array.slot_at(position)
    }

    fn covering(&self, key: &[u8]) -> Result<Option<(u64, Slot)>, ArchiveError> {
        let mut last = self.last.borrow_mut();
        if !last.as_ref().is_some_and(|(_, slot)| slot.covers(key)) {
            *last = self.array.covering(key)?;
        }
        Ok(last.clone())
    }

    fn preceding(&self, key: &[u8]) -> Result<Option<(u64, Slot)>, ArchiveError> {
        self.array.preceding(key)
    }
}
