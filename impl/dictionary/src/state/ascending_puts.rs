//! Puts in ascending order of keys, laid over an array: what a [`Draft`](super::array::Draft) makes
//! of them, without looking anything up.
//!
//! Who puts a key knows the array's slot that covers it. Keys ascend, so the keys that one slot
//! covers come one after the other: the slot changes first, and each inserted key follows the one
//! before it. Inserted slots stand behind the array in the order of their keys.

use aardvark_algebra::integers::u64_of_usize;

use crate::data::bytes::{Key, Value};
use crate::data::slot::Slot;
use crate::state::array::Write;

/// Updates and inserts so far.
#[derive(Debug)]
pub(crate) struct AscendingPuts {
    /// Number of slots of the array.
    size: u64,
    /// Slots of the array that change, in the order of their keys.
    changed: Vec<Changed>,
    /// Slots behind the array.
    appended: Vec<Write>,
    /// The position of the array's slot that covers the last inserted key.
    gap: Option<u64>,
}

/// A slot of the array before and after.
#[derive(Debug)]
struct Changed {
    position: u64,
    before: Slot,
    after: Slot,
}

impl AscendingPuts {
    /// None yet, on an array of so many slots, with room for so many inserts behind one slot.
    pub(crate) fn new(size: u64, inserts: usize) -> Self {
        Self { size, changed: Vec::new(), appended: Vec::with_capacity(inserts + 1), gap: None }
    }

    /// Gives a key, above those before, a value; `slot` covers it in the array, at `position`.
    pub(crate) fn put(&mut self, position: u64, slot: &Slot, key: &Key, value: &Value) {
        if slot.key != *key {
            self.insert(position, slot, key, value);
        } else if slot.value != *value {
            changed(&mut self.changed, position, slot).value = value.clone();
        }
    }

    fn insert(&mut self, position: u64, slot: &Slot, key: &Key, value: &Value) {
        let end = self.size();
        let last = self.appended.last_mut().and_then(|last| last.after.as_mut());
        let predecessor = match last.filter(|_| self.gap == Some(position)) {
            Some(last) => last,
            None => changed(&mut self.changed, position, slot),
        };
        let next = std::mem::replace(&mut predecessor.next, key.clone());
        let slot = Slot { key: key.clone(), value: value.clone(), next };
        self.appended.push(Write { position: end, before: None, after: Some(slot) });
        self.gap = Some(position);
    }

    /// Number of slots with the puts.
    pub(crate) fn size(&self) -> u64 {
        self.size.saturating_add(u64_of_usize(self.appended.len()))
    }

    /// The positions whose content differs from the array's, ascending.
    pub(crate) fn writes(mut self) -> Vec<Write> {
        self.changed.sort_unstable_by_key(|changed| changed.position);
        let changed = self.changed.into_iter().map(|Changed { position, before, after }| Write {
            position,
            before: Some(before),
            after: Some(after),
        });
        let mut writes = self.appended;
        writes.splice(0..0, changed);
        writes
    }
}

/// What the puts so far make of a slot of the array, to be changed further: that of the last one
/// changed, or of one more.
fn changed<'a>(all: &'a mut Vec<Changed>, position: u64, slot: &Slot) -> &'a mut Slot {
    let last = all.pop_if(|last| last.position == position);
    let last = last.unwrap_or_else(|| Changed { position, before: slot.clone(), after: slot.clone() });
    &mut all.push_mut(last).after
}
