//! Puts of ascending keys, which redb takes in a way of its own, against single ones.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot set its scene has failed")]

use std::ops::Bound;

use aardvark_archive::RedbStore;
use aardvark_archive::store::{Entry, Store, Table};

/// Entries of these numbers, some of them too large for a page.
fn entries(numbers: impl Iterator<Item = u64>) -> Vec<Entry> {
    let value = |number: u64| vec![number as u8; (number as usize % 97) * (1 + number as usize % 5 * 60)];
    numbers.map(|number| (number.to_be_bytes().to_vec(), value(number))).collect()
}

fn all(store: &RedbStore) -> Vec<Entry> {
    let read = store.read().unwrap();
    let range = read.range(Table::Slots, (Bound::Unbounded, Bound::Unbounded)).unwrap();
    range.collect::<Result<_, _>>().unwrap()
}

#[test]
fn ascending_keys_are_put_behind_and_among_others_as_one_by_one() {
    let runs = [
        entries(0..0),
        entries((10..3000).step_by(3)),
        // Behind all, then among them, over some of them, and from below all to behind all.
        entries((3000..4000).step_by(2)),
        entries((11..2000).step_by(7)),
        entries((2998..3010).chain(5000..5001)),
        entries(0..6000),
        entries(6000..6001),
    ];
    let [together, single] = [(); 2].map(|()| RedbStore::in_memory().unwrap());
    for run in runs {
        together.write(&mut |write| Ok(write.put_run(Table::Slots, &mut run.iter())?)).unwrap();
        single
            .write(&mut |write| run.iter().try_for_each(|(key, value)| Ok(write.put(Table::Slots, key, value)?)))
            .unwrap();
        assert_eq!(all(&together), all(&single));
    }
}

#[test]
fn keys_that_do_not_ascend_are_refused_at_the_end_of_a_table() {
    let store = RedbStore::in_memory().unwrap();
    let mut run = entries(0..3);
    run.swap(1, 2);
    let written = store.write(&mut |write| Ok(write.put_run(Table::Slots, &mut run.iter())?));
    assert!(written.is_err());
    assert_eq!(all(&store), []);
}

/// Entries with short values.
fn short_entries(count: u64) -> Vec<Entry> {
    (0..count).map(|number| (number.to_be_bytes().to_vec(), vec![number as u8])).collect()
}

#[test]
fn long_runs_are_put_whole_and_in_order_wherever_the_cursor_is_closed() {
    // A cursor collects 4,096 entries.
    for count in [4095, 4096, 4097, 2 * 4096 + 1] {
        let (store, run) = (RedbStore::in_memory().unwrap(), short_entries(count));
        store.write(&mut |write| Ok(write.put_run(Table::Slots, &mut run.iter())?)).unwrap();
        assert_eq!(all(&store), run);
    }
    for place in [4094, 4095, 4096] {
        let (store, mut run) = (RedbStore::in_memory().unwrap(), short_entries(5000));
        run.swap(place, place + 1);
        let written = store.write(&mut |write| Ok(write.put_run(Table::Slots, &mut run.iter())?));
        assert!(written.is_err(), "disorder at {place}");
        assert_eq!(all(&store), []);
    }
}
