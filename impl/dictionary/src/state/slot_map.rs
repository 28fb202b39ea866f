//! A finite map from positions to slots that also finds slots by key
//! (`aardvark_spec::dictionary::slot_map`).
//!
//! It holds some or all slots of one well-formed array at one version. In such an array the slot
//! that covers a key is the one with the greatest key that is not above it, so one ordered look-up
//! and one comparison decide.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::data::bytes::Key;
use crate::data::slot::Slot;

/// Slots by position and by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotMap {
    slots: BTreeMap<u64, Slot>,
    starts: BTreeMap<Key, u64>,
}

impl SlotMap {
    /// The slot at a position, where it is known.
    pub fn get(&self, position: u64) -> Option<&Slot> {
        self.slots.get(&position)
    }

    /// Sets or forgets a position.
    ///
    /// A key that moves may stand at two positions for a moment: the look-up by key follows the
    /// position set last.
    pub fn set(&mut self, position: u64, slot: Option<Slot>) {
        if let Some(old) = self.slots.remove(&position)
            && self.starts.get(&old.key) == Some(&position)
        {
            self.starts.remove(&old.key);
        }
        if let Some(slot) = slot {
            self.starts.insert(slot.key.clone(), position);
            self.slots.insert(position, slot);
        }
    }

    /// The known slot that covers `key`.
    pub fn covering(&self, key: &[u8]) -> Option<(u64, &Slot)> {
        self.greatest(Bound::Included(key)).filter(|(_, slot)| slot.covers(key))
    }

    /// The known slot that precedes `key`, a key that is not empty.
    pub fn preceding(&self, key: &[u8]) -> Option<(u64, &Slot)> {
        self.greatest(Bound::Excluded(key)).filter(|(_, slot)| slot.precedes(key))
    }

    /// The positions known and their slots, ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, &Slot)> {
        self.slots.iter().map(|(position, slot)| (*position, slot))
    }

    /// How many positions are known.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether no position is known.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    fn greatest(&self, upper: Bound<&[u8]>) -> Option<(u64, &Slot)> {
        let (_, position) = self.starts.range::<[u8], _>((Bound::Unbounded, upper)).next_back()?;
        self.slots.get(position).map(|slot| (*position, slot))
    }
}

impl FromIterator<(u64, Slot)> for SlotMap {
    fn from_iter<I: IntoIterator<Item = (u64, Slot)>>(slots: I) -> Self {
        let mut map = Self::default();
        for (position, slot) in slots {
            map.set(position, Some(slot));
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(key: &str, next: &str) -> Slot {
        Slot { key: key.into(), value: "".into(), next: next.into() }
    }

    fn partial() -> SlotMap {
        [(0, slot("", "b")), (4, slot("d", "f")), (2, slot("x", ""))].into_iter().collect()
    }

    #[test]
    fn a_key_in_a_gap_between_known_slots_is_covered_by_none() {
        let position = |key: &[u8]| partial().covering(key).map(|(position, _)| position);
        assert_eq!(position(b"a"), Some(0));
        assert_eq!(position(b"b"), None);
        assert_eq!(position(b"d"), Some(4));
        assert_eq!(position(b"f"), None);
        assert_eq!(position(b"z"), Some(2));
    }

    #[test]
    fn the_predecessor_of_a_key_is_found_by_its_next() {
        let position = |key: &[u8]| partial().preceding(key).map(|(position, _)| position);
        assert_eq!(position(b"b"), Some(0));
        assert_eq!(position(b"d"), None);
        assert_eq!(position(b"f"), Some(4));
    }

    #[test]
    fn a_moved_key_is_found_where_it_was_set_last() {
        let mut map = partial();
        map.set(1, Some(slot("x", "")));
        map.set(2, None);
        assert_eq!(map.covering(b"y").map(|(position, _)| position), Some(1));
        assert_eq!(map.len(), 3);
    }
}
