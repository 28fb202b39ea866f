//! Look-ups at past versions: right for every history, and no dearer for what was written since.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aardvark_archive::store::{Bounds, Entries, Read, Store, Table, Transaction};
use aardvark_archive::{Archive, ArchiveError, RedbStore, StoreError};
use aardvark_dictionary::{Change, Key};
use common::{Map, apply_changes, small};
use proptest::prelude::*;

/// A store that counts what is read from it.
struct Counting {
    inner: RedbStore,
    reads: Arc<AtomicUsize>,
}

/// A state of it. Every record that is got, and every one that a range gives, is one read.
struct CountingRead {
    inner: Arc<dyn Read>,
    reads: Arc<AtomicUsize>,
}

impl Store for Counting {
    fn read(&self) -> Result<Arc<dyn Read>, StoreError> {
        Ok(Arc::new(CountingRead { inner: self.inner.read()?, reads: self.reads.clone() }))
    }

    fn write(&self, change: &mut Transaction<'_>) -> Result<(), ArchiveError> {
        self.inner.write(change)
    }

    fn check(&self) -> Result<(), StoreError> {
        self.inner.check()
    }
}

impl Read for CountingRead {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.inner.get(table, key)
    }

    fn range(&self, table: Table, bounds: Bounds<'_>) -> Result<Entries<'_>, StoreError> {
        let reads = self.reads.clone();
        let entries = self.inner.range(table, bounds)?;
        Ok(Box::new(entries.inspect(move |_| {
            reads.fetch_add(1, Ordering::Relaxed);
        })))
    }
}

fn change(key: &str, value: Option<&str>) -> Change {
    common::change(key, value)
}

/// Records read for one question at version 1, after so many keys were inserted since and rewritten
/// since.
fn reads_at_version_1(keys: usize) -> [usize; 2] {
    let reads = Arc::new(AtomicUsize::new(0));
    let store = Counting { inner: RedbStore::in_memory().unwrap(), reads: reads.clone() };
    let scheme = small();
    let genesis = common::genesis(&scheme, 20, &Map::new());
    let mut archive = Archive::builder().scheme(scheme).create_on(Box::new(store), &genesis).unwrap();
    archive.import(vec![change("a", Some("0")), change("z", Some("0"))]).unwrap();
    for version in 2..=12 {
        let value = version.to_string();
        let keys = (0..keys).map(|key| change(&format!("k{key:05}"), Some(&value)));
        archive.import(keys.chain([change("a", Some(&value))]).collect()).unwrap();
    }
    let count = |question: &dyn Fn()| {
        let before = reads.load(Ordering::Relaxed);
        question();
        reads.load(Ordering::Relaxed) - before
    };
    let covering = count(&|| assert_eq!(archive.get(&"m".into(), 1).unwrap(), None));
    let tail = count(&|| assert_eq!(archive.tail(1).unwrap().1.len(), 3));
    [covering, tail]
}

#[test]
fn a_look_up_at_a_past_version_reads_no_more_for_what_was_inserted_and_rewritten_since() {
    let (few, many) = (reads_at_version_1(10), reads_at_version_1(1000));
    assert_eq!(few, many, "records read for a key, and for three slots");
    assert!(many.iter().all(|reads| *reads < 40), "{many:?}");
}

/// A key of few, and its new value or its deletion.
fn changes() -> impl Strategy<Value = Vec<(u8, Option<u8>)>> {
    prop::collection::vec((0..24u8, prop::option::weighted(0.6, 0..3u8)), 0..6)
}

fn key(number: u8) -> Key {
    // Prefixes of each other, zero bytes, and gaps between all of them.
    match number % 3 {
        0 => vec![number / 3],
        1 => vec![number / 3, 0],
        _ => vec![number / 3, 0, 255],
    }
    .into()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn at_every_readable_version_of_a_long_history_each_key_is_covered_and_preceded_as_then(
        (window, extra) in (0..3u32, prop_oneof![Just(0u64), Just(2), Just(15), Just(70)]),
        versions in prop::collection::vec(changes(), 40..90),
    ) {
        let scheme = small();
        let genesis = common::genesis(&scheme, window, &Map::new());
        let retention = u64::from(window) + extra;
        let mut archive =
            Archive::builder().retention(retention).scheme(scheme).create_on(Box::new(RedbStore::in_memory().unwrap()), &genesis).unwrap();
        let mut maps = vec![Map::new()];
        for puts in versions {
            let change = |(number, new): (u8, Option<u8>)| Change { key: key(number), value: new.map(|new| vec![new].into()) };
            let changes: Vec<Change> = puts.into_iter().map(change).collect();
            let mut map = maps.last().unwrap().clone();
            apply_changes(&mut map, &changes);
            // Changes that change nothing make no version.
            if archive.import(changes).unwrap() == u64::try_from(maps.len()).unwrap() {
                maps.push(map);
            }
        }
        for version in archive.oldest_version()..=archive.version() {
            let map = &maps[usize::try_from(version).unwrap()];
            for asked in (0..24).map(key) {
                let needed = archive.slots_to_delete(&asked, version).unwrap();
                let predecessor = map.range(..asked.clone()).next_back().map_or_else(Key::empty, |(key, _)| key.clone());
                let successor = |key: &Key| map.range(key.clone()..).find(|(next, _)| *next > key);
                let next = successor(&asked).map_or_else(Key::empty, |(key, _)| key.clone());
                prop_assert_eq!(&needed[0].1.next, &next, "{} at version {}", &asked, version);
                match map.get(&asked) {
                    Some(value) => {
                        prop_assert_eq!((&needed[0].1.key, &needed[0].1.value), (&asked, value));
                        prop_assert_eq!((&needed[1].1.key, &needed[1].1.next), (&predecessor, &asked));
                    }
                    None => prop_assert_eq!((&needed[0].1.key, needed.len()), (&predecessor, 1)),
                }
            }
        }
        common::assert_clean(&archive);
    }
}
