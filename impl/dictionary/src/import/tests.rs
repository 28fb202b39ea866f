use std::cell::Cell;
use std::convert::Infallible;

use proptest::collection::{btree_map, btree_set};
use proptest::prelude::*;

use super::*;
use crate::data::bytes::Value;
use crate::data::import_block::Change;
use crate::data::slot::Slot;
use crate::state::array::WholeArray;

/// The array of these keys, put in this order.
fn array_of(keys: &[u8]) -> WholeArray {
    let mut array: WholeArray = [Slot::lone_sentinel()].into_iter().collect();
    for key in keys {
        let mut draft = Draft::new(&array);
        draft.insert(&Key::from([*key].as_slice()), &Value::from([*key % 4].as_slice())).unwrap();
        let (size, writes) = (draft.size(), draft.writes());
        array.take(&writes, size);
    }
    array
}

/// What the block of these puts, and deletes, of one byte each does, in both ways.
fn both_ways(array: &WholeArray, changes: impl Iterator<Item = (u8, Option<u8>)>) -> [Imported; 2] {
    let change = |(key, value): (u8, Option<u8>)| Change {
        key: [key].as_slice().into(),
        value: value.map(|value| [value].as_slice().into()),
    };
    let block = ImportBlock { version: 1, changes: changes.map(change).collect() };
    let imported = import(array, &block, &Parameters::default()).unwrap();
    let mut draft = Draft::new(array);
    draft.apply(&net_changes(&block, &imported.net)).unwrap();
    let drafted = Imported { net: imported.net.clone(), size: draft.size(), writes: draft.writes() };
    [imported, drafted]
}

proptest! {
    #[test]
    fn puts_write_what_a_draft_writes(
        keys in Just((1..=40).collect::<Vec<u8>>()).prop_shuffle(),
        present in 0..40usize,
        puts in btree_map(1..=60u8, 0..4u8, 0..60),
        deletes in btree_set(1..=60u8, 0..3),
    ) {
        let array = array_of(&keys[..present]);
        let [imported, drafted] = both_ways(&array, puts.iter().map(|(key, value)| (*key, Some(*value))));
        prop_assert_eq!(imported, drafted);
        let deletes = deletes.into_iter().filter(|key| !puts.contains_key(key)).map(|key| (key, None));
        let mut changes: Vec<_> = puts.iter().map(|(key, value)| (*key, Some(*value))).chain(deletes).collect();
        changes.sort_unstable();
        let [imported, drafted] = both_ways(&array, changes.into_iter());
        prop_assert_eq!(imported, drafted);
    }
}

/// An array that counts how often it is asked for a covering slot.
struct Counting<'a> {
    array: &'a WholeArray,
    asked: Cell<u64>,
}

impl Slots for Counting<'_> {
    type Error = Infallible;

    fn size(&self) -> u64 {
        self.array.size()
    }

    fn slot_at(&self, position: u64) -> Result<Option<Slot>, Infallible> {
        self.array.slot_at(position)
    }

    fn covering(&self, key: &[u8]) -> Result<Option<(u64, Slot)>, Infallible> {
        self.asked.update(|asked| asked + 1);
        self.array.covering(key)
    }

    fn preceding(&self, key: &[u8]) -> Result<Option<(u64, Slot)>, Infallible> {
        self.array.preceding(key)
    }
}

#[test]
fn an_array_is_asked_once_for_each_slot_that_covers_keys() {
    let asked = |present: &[u8]| {
        let array = array_of(present);
        let counting = Counting { array: &array, asked: Cell::new(0) };
        let change = |key: u8| Change { key: [key].as_slice().into(), value: Some(Value::empty()) };
        let block = ImportBlock { version: 1, changes: (1..=100).map(change).collect() };
        let imported = import(&counting, &block, &Parameters::default()).unwrap();
        assert_eq!(imported.size, 101);
        counting.asked.get()
    };
    assert_eq!(asked(&[]), 1);
    // The sentinel's, and one for each key that is there.
    assert_eq!(asked(&[20, 30, 90]), 4);
}
