//! The dense array and its operations: update, insert, and delete by swap-remove
//! (`aardvark_spec::dictionary::array`, docs/design.md, section 4).
//!
//! The same three operations run on a whole array, as an archive has it, and on the few slots that
//! a validator knows: both implement [`Slots`]. A [`Draft`] lays changes over such a source and
//! yields the block's writes.

use std::collections::BTreeMap;

use aardvark_algebra::Scalar;

use crate::data::bytes::{Key, Value};
use crate::data::slot::Slot;
use crate::state::slot_map::SlotMap;

/// Some or all slots of a well-formed array at one version.
pub trait Slots {
    /// Why a look-up fails; [`std::convert::Infallible`] in memory.
    type Error;

    /// Number of slots of the array, the sentinel included.
    fn size(&self) -> u64;

    /// The slot at a position; `None` where it is unused or unknown.
    ///
    /// # Errors
    /// As the source fails.
    fn slot_at(&self, position: u64) -> Result<Option<Slot>, Self::Error>;

    /// The slot that covers `key`, where it is known.
    ///
    /// # Errors
    /// As the source fails.
    fn covering(&self, key: &[u8]) -> Result<Option<(u64, Slot)>, Self::Error>;

    /// The slot that precedes `key`, where it is known.
    ///
    /// # Errors
    /// As the source fails.
    fn preceding(&self, key: &[u8]) -> Result<Option<(u64, Slot)>, Self::Error>;
}

/// A position whose content differs between the array before and after a block; `None` is unused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// The position.
    pub position: u64,
    /// Its content before the block.
    pub before: Option<Slot>,
    /// Its content after the block.
    pub after: Option<Slot>,
}

impl Write {
    /// How much the scalar of each position changes; an unused position's is zero.
    pub fn scalar_changes(writes: &[Self]) -> Vec<Scalar> {
        let contents = writes.iter().flat_map(|write| [&write.after, &write.before]);
        let mut scalars = Slot::scalars(contents.flatten()).into_iter();
        let mut scalar = |content: &Option<Slot>| content.as_ref().and_then(|_| scalars.next()).unwrap_or_default();
        writes.iter().map(|write| scalar(&write.after) - scalar(&write.before)).collect()
    }

    /// The position with its content after the block.
    pub(crate) fn outcome(&self) -> (u64, Option<&Slot>) {
        (self.position, self.after.as_ref())
    }
}

/// Why a change cannot be laid over a source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftError<E> {
    /// A slot that the change needs is not known.
    #[error("no known slot covers or precedes key {0}")]
    MissingSlot(Key),
    /// The content of a position that must move is not known.
    #[error("the slot at position {0} is not known")]
    MissingPosition(u64),
    /// The source failed.
    #[error(transparent)]
    Source(#[from] E),
}

/// Changes laid over a source of slots.
#[derive(Debug)]
pub struct Draft<'a, S> {
    base: &'a S,
    size: u64,
    /// Content of the changed positions before the block.
    before: BTreeMap<u64, Option<Slot>>,
    /// Content of the changed positions now.
    after: SlotMap,
}

impl<'a, S: Slots> Draft<'a, S> {
    /// No changes yet.
    pub fn new(base: &'a S) -> Self {
        Self { base, size: base.size(), before: BTreeMap::new(), after: SlotMap::default() }
    }

    /// Number of slots with the changes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The writes so far: positions whose content differs from the source's, ascending.
    pub fn writes(self) -> Vec<Write> {
        let Self { before, after, .. } = self;
        let writes = before.into_iter().map(|(position, before)| {
            let after = after.get(position).cloned();
            Write { position, before, after }
        });
        writes.filter(|write| write.before != write.after).collect()
    }

    /// Gives a present key another value.
    pub(crate) fn update(&mut self, key: &Key, value: &Value) -> Result<(), DraftError<S::Error>> {
        let (position, slot) = self.covering(key)?;
        self.set(position, Some(Slot { value: value.clone(), ..slot }))
    }

    /// Inserts an absent key, at the end of the array.
    pub(crate) fn insert(&mut self, key: &Key, value: &Value) -> Result<(), DraftError<S::Error>> {
        let (position, covering) = self.covering(key)?;
        let inserted = Slot { key: key.clone(), value: value.clone(), next: covering.next.clone() };
        self.set(self.size, Some(inserted))?;
        self.size += 1;
        self.set(position, Some(Slot { next: key.clone(), ..covering }))
    }

    /// Deletes a present key by swap-remove. The last slot is read after the predecessor is
    /// rewritten: they may be the same slot.
    pub(crate) fn delete(&mut self, key: &Key) -> Result<(), DraftError<S::Error>> {
        let (position, slot) = self.covering(key)?;
        let (before, predecessor) = self.preceding(key)?;
        self.set(before, Some(Slot { next: slot.next, ..predecessor }))?;
        let last = self.size.checked_sub(1).ok_or(DraftError::MissingPosition(0))?;
        if position < last {
            let moved = self.slot_at(last)?.ok_or(DraftError::MissingPosition(last))?;
            self.set(position, Some(moved))?;
        }
        self.set(last, None)?;
        self.size = last;
        Ok(())
    }

    fn set(&mut self, position: u64, slot: Option<Slot>) -> Result<(), DraftError<S::Error>> {
        if let std::collections::btree_map::Entry::Vacant(entry) = self.before.entry(position) {
            let unused = position >= self.base.size();
            entry.insert(if unused { None } else { self.base.slot_at(position)? });
        }
        self.after.set(position, slot);
        Ok(())
    }

    fn slot_at(&self, position: u64) -> Result<Option<Slot>, DraftError<S::Error>> {
        if self.before.contains_key(&position) {
            return Ok(self.after.get(position).cloned());
        }
        Ok(self.base.slot_at(position)?)
    }

    fn covering(&self, key: &Key) -> Result<(u64, Slot), DraftError<S::Error>> {
        if let Some((position, slot)) = self.after.covering(key) {
            return Ok((position, slot.clone()));
        }
        let found = self.base.covering(key)?;
        self.unchanged(found, key)
    }

    fn preceding(&self, key: &Key) -> Result<(u64, Slot), DraftError<S::Error>> {
        if let Some((position, slot)) = self.after.preceding(key) {
            return Ok((position, slot.clone()));
        }
        let found = self.base.preceding(key)?;
        self.unchanged(found, key)
    }

    /// What the source finds counts only where the draft has not changed it.
    fn unchanged(&self, found: Option<(u64, Slot)>, key: &Key) -> Result<(u64, Slot), DraftError<S::Error>> {
        found
            .filter(|(position, _)| !self.before.contains_key(position))
            .ok_or_else(|| DraftError::MissingSlot(key.clone()))
    }
}

/// A whole array in memory: the simplest source, for genesis, tests and small dictionaries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WholeArray {
    slots: SlotMap,
    size: u64,
}

impl WholeArray {
    /// Takes over writes of a block whose array afterwards has `size` slots.
    pub fn take(&mut self, writes: &[Write], size: u64) {
        for write in writes {
            self.slots.set(write.position, write.after.clone());
        }
        self.size = size;
    }

    /// All slots with their positions, ascending.
    pub fn slots(&self) -> &SlotMap {
        &self.slots
    }
}

impl FromIterator<Slot> for WholeArray {
    fn from_iter<I: IntoIterator<Item = Slot>>(slots: I) -> Self {
        let slots: SlotMap = (0..).zip(slots).collect();
        let size = slots.iter().next_back().map_or(0, |(position, _)| position + 1);
        Self { slots, size }
    }
}

impl Slots for WholeArray {
    type Error = std::convert::Infallible;

    fn size(&self) -> u64 {
        self.size
    }

    fn slot_at(&self, position: u64) -> Result<Option<Slot>, Self::Error> {
        Ok(self.slots.get(position).cloned())
    }

    fn covering(&self, key: &[u8]) -> Result<Option<(u64, Slot)>, Self::Error> {
        Ok(self.slots.covering(key).map(|(position, slot)| (position, slot.clone())))
    }

    fn preceding(&self, key: &[u8]) -> Result<Option<(u64, Slot)>, Self::Error> {
        Ok(self.slots.preceding(key).map(|(position, slot)| (position, slot.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_change_by_what_comes_less_what_was_there() {
        let slot = |number: usize| Slot { key: "k".repeat(number).as_str().into(), ..Slot::default() };
        // Every mixture of used and unused positions, before and after.
        let content = |number: usize| (!number.is_multiple_of(3)).then(|| slot(number));
        let writes: Vec<Write> =
            (0..27).map(|i| Write { position: i as u64, before: content(i / 3), after: content(i % 9 + 9) }).collect();
        for count in 0..writes.len() {
            let scalar = |content: &Option<Slot>| content.as_ref().map(Slot::scalar).unwrap_or_default();
            let expected: Vec<Scalar> =
                writes[..count].iter().map(|write| scalar(&write.after) - scalar(&write.before)).collect();
            assert_eq!(Write::scalar_changes(&writes[..count]), expected);
        }
    }
}
