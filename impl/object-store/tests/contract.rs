//! What an archive relies on, asked of both stores: redb and SlateDB in a folder.
#![cfg(feature = "slatedb")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use aardvark_archive::error::ArchiveError;
use aardvark_archive::store::{Bounds, Read, Store, Table};
use aardvark_archive::{RedbStore, StoreError};
use aardvark_object_store::{ReaderOptions, SlateReader, SlateStore};
use common::{all, place, write};
use tempfile::TempDir;

/// A test's stores: each is opened anew by its own way.
struct Scene {
    name: &'static str,
    folder: TempDir,
    open: fn(&TempDir) -> Arc<dyn Store>,
    open_to_read: fn(&TempDir) -> Arc<dyn Store>,
}

fn scenes() -> [Scene; 2] {
    let redb = |folder: &TempDir| -> Arc<dyn Store> {
        let file = folder.path().join("store.redb");
        Arc::new(if file.exists() { RedbStore::open(&file).unwrap() } else { RedbStore::create(&file).unwrap() })
    };
    let redb_reader = |folder: &TempDir| -> Arc<dyn Store> {
        Arc::new(RedbStore::open_read_only(&folder.path().join("store.redb")).unwrap())
    };
    let slate = |folder: &TempDir| -> Arc<dyn Store> { Arc::new(SlateStore::open(&place(folder.path())).unwrap()) };
    let slate_reader = |folder: &TempDir| -> Arc<dyn Store> {
        Arc::new(SlateReader::open(&place(folder.path()), &ReaderOptions::default()).unwrap())
    };
    let folder = || tempfile::tempdir().unwrap();
    [
        Scene { name: "redb", folder: folder(), open: redb, open_to_read: redb_reader },
        Scene { name: "SlateDB", folder: folder(), open: slate, open_to_read: slate_reader },
    ]
}

fn each(test: impl Fn(&Scene)) {
    for scene in &scenes() {
        println!("{}", scene.name);
        test(scene);
    }
}

/// What a store must hold.
type Model = BTreeMap<(Table, Vec<u8>), Vec<u8>>;

fn assert_holds(read: &dyn Read, model: &Model) {
    for table in Table::ALL {
        let expected: Vec<_> = model
            .range((table, vec![])..)
            .take_while(|((of, _), _)| *of == table)
            .map(|((_, key), value)| (key.clone(), value.clone()))
            .collect();
        assert_eq!(all(read, table), expected, "{table:?}");
        for (key, value) in &expected {
            assert_eq!(read.get(table, key).unwrap().as_ref(), Some(value));
        }
        assert_eq!(read.get(table, b"no such key").unwrap(), None);
    }
}

/// Keys that are prefixes of each other, and those around the ends of a byte.
fn keys() -> Vec<Vec<u8>> {
    let mut keys: Vec<Vec<u8>> =
        vec![vec![], vec![0], vec![0, 0], vec![1], vec![1, 0], vec![1, 255], vec![255], vec![255; 300]];
    keys.extend((0..40u8).map(|number| vec![7, number]));
    keys
}

/// A step of a random walk that is the same each time.
fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// Some random transactions, in the store and in the model.
fn transact(store: &dyn Store, model: &mut Model, state: &mut u64) {
    let keys = keys();
    for _ in 0..8 {
        let changes: Vec<_> = (0..25)
            .map(|_| {
                let (table, key) = (Table::ALL[random(state) % 3], keys[random(state) % keys.len()].clone());
                let value = (!random(state).is_multiple_of(3)).then(|| vec![random(state) as u8; random(state) % 50]);
                (table, key, value)
            })
            .collect();
        let borrowed: Vec<_> =
            changes.iter().map(|(table, key, value)| (*table, key.as_slice(), value.as_deref())).collect();
        write(store, &borrowed).unwrap();
        for (table, key, value) in changes {
            match value {
                Some(value) => drop(model.insert((table, key), value)),
                None => drop(model.remove(&(table, key))),
            }
        }
    }
}

#[test]
fn a_store_holds_what_was_written_in_the_order_of_keys() {
    each(|scene| {
        let store = (scene.open)(&scene.folder);
        let (mut model, mut state) = (Model::new(), 1);
        assert_holds(&*store.read().unwrap(), &model);
        for _ in 0..3 {
            transact(&*store, &mut model, &mut state);
            assert_holds(&*store.read().unwrap(), &model);
        }
        store.check().unwrap();
    });
}

#[test]
fn a_range_is_walked_from_both_ends_whatever_its_bounds() {
    each(|scene| {
        let store = (scene.open)(&scene.folder);
        let table = Table::Index;
        let mut keys = keys();
        let rows: Vec<_> = keys.iter().step_by(2).map(|key| (table, key.as_slice(), Some(key.as_slice()))).collect();
        write(&*store, &rows).unwrap();
        // The neighbours must stay out of it.
        write(&*store, &[(Table::Slots, &[255; 9], Some(b"below")), (Table::Commitments, &[], Some(b"above"))])
            .unwrap();
        keys.sort();
        let stored: Vec<_> = all(&*store.read().unwrap(), table).into_iter().map(|(key, _)| key).collect();
        let bounds = |key: &'static [u8]| [Bound::Included(key), Bound::Excluded(key)];
        let some: [&[u8]; 7] = [&[], &[0], &[1], &[7, 3], &[7, 4], &[7, 4, 0], &[255; 300]];
        let ends: Vec<_> = some.into_iter().flat_map(bounds).chain([Bound::Unbounded]).collect();
        let read = store.read().unwrap();
        for lower in &ends {
            for upper in &ends {
                if is_refused_by_redb((*lower, *upper)) && scene.name == "redb" {
                    continue;
                }
                let within = |key: &&Vec<u8>| {
                    let above = match lower {
                        Bound::Included(lower) => key.as_slice() >= *lower,
                        Bound::Excluded(lower) => key.as_slice() > *lower,
                        Bound::Unbounded => true,
                    };
                    above
                        && match upper {
                            Bound::Included(upper) => key.as_slice() <= *upper,
                            Bound::Excluded(upper) => key.as_slice() < *upper,
                            Bound::Unbounded => true,
                        }
                };
                let expected: Vec<_> = stored.iter().filter(within).cloned().collect();
                let walk = || read.range(table, (*lower, *upper)).unwrap().map(|entry| entry.unwrap().0);
                assert_eq!(walk().collect::<Vec<_>>(), expected, "{lower:?} {upper:?}");
                let backwards: Vec<_> = walk().rev().collect();
                assert!(backwards.iter().eq(expected.iter().rev()), "{lower:?} {upper:?}");
                assert_eq!(from_both_ends(walk()), expected, "{lower:?} {upper:?}");
            }
        }
    });
}

/// Ranges that end before they begin: redb takes them for a mistake.
fn is_refused_by_redb((lower, upper): Bounds<'_>) -> bool {
    match (lower, upper) {
        (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
        (Bound::Excluded(lower), Bound::Excluded(upper)) => lower >= upper,
        (Bound::Included(lower) | Bound::Excluded(lower), Bound::Included(upper) | Bound::Excluded(upper)) => {
            lower > upper
        }
    }
}

/// The keys of a walk, two from the front and one from the back in turn, in order.
fn from_both_ends(mut walk: impl DoubleEndedIterator<Item = Vec<u8>>) -> Vec<Vec<u8>> {
    let (mut front, mut back) = (Vec::new(), Vec::new());
    loop {
        let before = front.len() + back.len();
        front.extend(walk.next());
        front.extend(walk.next());
        back.extend(walk.next_back());
        if front.len() + back.len() == before {
            assert!(walk.next().is_none() && walk.next_back().is_none());
            back.reverse();
            return [front, back].concat();
        }
    }
}

#[test]
fn a_long_walk_misses_nothing() {
    each(|scene| {
        let store = (scene.open)(&scene.folder);
        let rows: Vec<_> = (0..1_000u32).map(|row| row.to_be_bytes()).collect();
        let changes: Vec<_> = rows.iter().map(|row| (Table::Slots, &row[..], Some(&row[..]))).collect();
        write(&*store, &changes).unwrap();
        let read = store.read().unwrap();
        let walk =
            || read.range(Table::Slots, (Bound::Unbounded, Bound::Unbounded)).unwrap().map(|entry| entry.unwrap().0);
        assert!(walk().eq(rows.iter()));
        assert!(walk().rev().eq(rows.iter().rev()));
        assert_eq!(from_both_ends(walk()), rows);
    });
}

#[test]
fn a_state_stays_while_others_are_written() {
    each(|scene| {
        let store = (scene.open)(&scene.folder);
        let (mut model, mut state) = (Model::new(), 2);
        let mut held = vec![(store.read().unwrap(), model.clone())];
        for _ in 0..4 {
            transact(&*store, &mut model, &mut state);
            held.push((store.read().unwrap(), model.clone()));
        }
        for (read, model) in &held {
            assert_holds(&**read, model);
        }
    });
}

#[test]
fn a_transaction_that_fails_changes_nothing() {
    each(|scene| {
        let store = (scene.open)(&scene.folder);
        write(&*store, &[(Table::Meta, b"kept", Some(b"1")), (Table::Meta, b"removed", Some(b"2"))]).unwrap();
        let failed = store.write(&mut |write| {
            write.put(Table::Meta, b"kept", b"3")?;
            write.put(Table::Log, b"new", b"4")?;
            write.delete(Table::Meta, b"removed")?;
            Err(ArchiveError::EmptyKey)
        });
        assert!(matches!(failed, Err(ArchiveError::EmptyKey)));
        let expected = Model::from([
            ((Table::Meta, b"kept".to_vec()), b"1".to_vec()),
            ((Table::Meta, b"removed".to_vec()), b"2".to_vec()),
        ]);
        assert_holds(&*store.read().unwrap(), &expected);
        // And the store goes on; the last change of a key is the one that counts.
        write(
            &*store,
            &[
                (Table::Meta, b"kept", None),
                (Table::Meta, b"kept", Some(b"5")),
                (Table::Meta, b"removed", Some(b"6")),
                (Table::Meta, b"removed", None),
            ],
        )
        .unwrap();
        write(&*store, &[]).unwrap();
        assert_holds(&*store.read().unwrap(), &Model::from([((Table::Meta, b"kept".to_vec()), b"5".to_vec())]));
    });
}

#[test]
fn a_store_that_is_opened_anew_has_all_of_it() {
    each(|scene| {
        let (mut model, mut state) = (Model::new(), 3);
        for _ in 0..3 {
            let store = (scene.open)(&scene.folder);
            assert_holds(&*store.read().unwrap(), &model);
            transact(&*store, &mut model, &mut state);
        }
        let reader = (scene.open_to_read)(&scene.folder);
        assert_holds(&*reader.read().unwrap(), &model);
        reader.check().unwrap();
    });
}

#[test]
fn a_reader_writes_nothing() {
    each(|scene| {
        drop((scene.open)(&scene.folder));
        let reader = (scene.open_to_read)(&scene.folder);
        let refused = write(&*reader, &[(Table::Meta, b"key", Some(b"value"))]);
        assert!(matches!(refused, Err(ArchiveError::Store(StoreError::ReadOnly))), "{refused:?}");
    });
}
