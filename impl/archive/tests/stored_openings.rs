//! Openings in a file beside the store, against openings computed from the whole vector.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail by panicking")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use aardvark_algebra::hash::TaggedHash;
use aardvark_archive::{
    Archive, ArchiveError, Damage, DamageKind, OpeningCosts, OpeningOptions, Place, StoredOpenings,
};
use aardvark_dictionary::{Change, Claim, Key, Value};
use common::{Map, assert_clean, change, genesis, holds, small};
use proptest::prelude::*;
use redb::ReadableTable;

/// Keys that are asked for; with the sentinel more than a vector's four slots.
const KEYS: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
/// Bytes of a row of four slots: commitment, scalars and their digest, openings and theirs.
const ROW: [usize; 5] = [96, 4 * 32, 32, 4 * 48, 32];
/// No snapshots; changes are followed up to 99.
const FOLLOWED: OpeningCosts = OpeningCosts { open: 100.0, open_all: 1e9, delta: 1.0, stored: 7.0 };
/// No snapshots; nothing is followed.
const COMPUTED: OpeningCosts = OpeningCosts { open: 1.0, open_all: 1e9, delta: 1.0, stored: 7.0 };
/// A snapshot for three asks, or about as many changes.
const BALANCED: OpeningCosts = OpeningCosts { open: 6.0, open_all: 18.0, delta: 1.0, stored: 7.0 };

fn row_bytes() -> usize {
    ROW.iter().sum()
}

fn hold(archive: &mut Archive, costs: OpeningCosts) {
    archive.set_opening_options(&OpeningOptions { budget: 1 << 20, costs: Some(costs) });
}

fn keys() -> Vec<Key> {
    KEYS.map(Key::from).to_vec()
}

/// An archive of the first keys, in a folder of its own.
fn archive(parent: &Path, keys: usize) -> (PathBuf, Archive) {
    let (path, scheme) = (parent.join("archive"), small());
    let genesis = genesis(&scheme, 3, &Map::new());
    let mut archive = Archive::builder().scheme(scheme).create(&path, &genesis).unwrap();
    hold(&mut archive, FOLLOWED);
    archive.import(KEYS.iter().take(keys).map(|key| change(key, Some("first"))).collect()).unwrap();
    (path, archive)
}

fn file(path: &Path) -> PathBuf {
    path.join("openings")
}

fn store(archive: &Archive) -> u64 {
    archive.store_openings(&mut |_| {}).unwrap()
}

/// What an archive without any openings at hand proves.
fn naive(path: &Path, version: u64) -> Vec<Claim> {
    let aside = path.join("aside");
    let stored = file(path).exists();
    if stored {
        fs::rename(file(path), &aside).unwrap();
    }
    let mut archive = Archive::builder().scheme(small()).open_read_only(path).unwrap();
    archive.set_opening_options(&OpeningOptions { budget: 0, costs: None });
    let claims = archive.prove_many(&keys(), version).unwrap();
    assert!(claims.iter().all(|claim| holds(&archive, claim, version)));
    if stored {
        fs::rename(&aside, file(path)).unwrap();
    }
    claims
}

/// Answers from stored and computed openings, and the changes that were followed for them.
fn counts(archive: &Archive) -> (u64, u64, u64) {
    let statistics = archive.opening_statistics();
    (statistics.stored, statistics.fresh, statistics.deltas)
}

#[test]
fn a_process_that_begins_answers_from_stored_openings_and_computes_none() {
    let parent = tempfile::tempdir().unwrap();
    let (path, archive) = archive(parent.path(), 9);
    assert_eq!(archive.stored_openings().unwrap(), None);
    let mut told = Vec::new();
    assert_eq!(archive.store_openings(&mut |progress| told.push((progress.done, progress.total))).unwrap(), 3);
    assert_eq!(told, [(1, 3), (2, 3), (3, 3)]);
    let bytes = u64::try_from(3 * row_bytes()).unwrap();
    assert_eq!(archive.stored_openings().unwrap(), Some(StoredOpenings { current: 3, bytes }));
    drop(archive);
    let version = 1;
    let expected = naive(&path, version);
    let mut archive = Archive::builder().scheme(small()).open_read_only(&path).unwrap();
    hold(&mut archive, FOLLOWED);
    let cost = archive.plan(&keys(), &[], version).unwrap().cost();
    assert_eq!(cost, Duration::from_micros(3 * 7), "three rows are read and hashed");
    assert_eq!(archive.prove_many(&keys(), version).unwrap(), expected);
    assert_eq!(counts(&archive), (9, 0, 0));
    assert_eq!(archive.warm_openings().unwrap(), 3);
    assert_eq!(archive.prove_many(&keys(), version).unwrap(), expected, "snapshots are made of stored openings");
    assert_eq!(archive.opening_statistics().held, 9);
    assert!(archive.remove_stored_openings().unwrap() && !file(&path).exists());
    assert!(!archive.remove_stored_openings().unwrap());
    assert_eq!(archive.stored_openings().unwrap(), None);
}

#[test]
fn an_archive_in_memory_stores_nothing() {
    let mut archive = common::in_memory(&small(), 3);
    archive.import(vec![change("a", Some("first"))]).unwrap();
    assert_eq!((store(&archive), archive.stored_openings().unwrap()), (0, None));
    assert!(!archive.remove_stored_openings().unwrap());
}

#[test]
fn stale_openings_are_followed_where_that_pays_and_never_served() {
    let parent = tempfile::tempdir().unwrap();
    let (path, mut archive) = archive(parent.path(), 7);
    store(&archive);
    // The last slot's `next` changes, and the third vector comes to be.
    archive.import(vec![change("b", Some("second")), change("h", Some("new"))]).unwrap();
    let version = archive.version();
    assert_eq!(archive.stored_openings().unwrap().unwrap().current, 0);
    drop(archive);
    let (now, before) = (naive(&path, version), naive(&path, version - 1));
    assert!(now.iter().zip(&before).all(|(now, before)| now.opening != before.opening));
    for (costs, expected) in [(FOLLOWED, (7, 1, 7)), (COMPUTED, (0, 8, 0))] {
        let mut archive = Archive::builder().scheme(small()).open_read_only(&path).unwrap();
        hold(&mut archive, costs);
        assert_eq!(archive.prove_many(&keys(), version).unwrap(), now);
        let (stored, fresh, deltas) = counts(&archive);
        assert_eq!((stored, fresh, deltas), expected);
        // A version before is that of the rows.
        assert_eq!(archive.prove_many(&keys(), version - 1).unwrap(), before);
        assert_eq!(counts(&archive), (stored + 7, fresh, deltas));
    }
}

#[test]
fn a_row_with_any_byte_changed_counts_as_none_and_is_renewed() {
    let parent = tempfile::tempdir().unwrap();
    let (path, mut archive) = archive(parent.path(), 5);
    let asked: Vec<Key> = keys().into_iter().take(5).collect();
    let expected = archive.prove_many(&asked, 1).unwrap();
    assert_eq!(store(&archive), 2);
    let whole = fs::read(file(&path)).unwrap();
    assert_eq!(whole.len(), 2 * row_bytes());
    let of_vector = |vector: usize| expected.iter().filter(|claim| claim.position / 4 == vector as u64).count() as u64;
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(file(&path), &bytes).unwrap();
        hold(&mut archive, FOLLOWED);
        assert_eq!(archive.prove_many(&asked, 1).unwrap(), expected, "byte {at}");
        // Where nothing has changed, nobody looks at the scalars.
        let in_scalars = (ROW[0]..ROW[..3].iter().sum()).contains(&(at % row_bytes()));
        let fresh = if in_scalars { 0 } else { of_vector(at / row_bytes()) };
        assert_eq!(counts(&archive), (5 - fresh, fresh, 0), "byte {at}");
    }
    for at in (0..whole.len()).step_by(97) {
        let mut bytes = whole.clone();
        bytes[at] ^= 128;
        fs::write(file(&path), &bytes).unwrap();
        assert_eq!(store(&archive), 1, "byte {at}");
        assert!(fs::read(file(&path)).unwrap() == whole);
    }
    assert_clean(&archive);
}

#[test]
fn stale_rows_with_any_part_damaged_count_as_none() {
    let parent = tempfile::tempdir().unwrap();
    let (path, mut archive) = archive(parent.path(), 5);
    store(&archive);
    archive.import(vec![change("a", Some("second")), change("e", Some("second"))]).unwrap();
    let asked: Vec<Key> = keys().into_iter().take(5).collect();
    let whole = fs::read(file(&path)).unwrap();
    drop(archive);
    let expected: Vec<Claim> = naive(&path, 2).into_iter().take(5).collect();
    let mut archive = Archive::builder().scheme(small()).open_read_only(&path).unwrap();
    for at in (0..row_bytes()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(file(&path), &bytes).unwrap();
        hold(&mut archive, FOLLOWED);
        assert_eq!(archive.prove_many(&asked, 2).unwrap(), expected, "byte {at}");
        let fresh = expected.iter().filter(|claim| claim.position < 4).count() as u64;
        assert_eq!((counts(&archive).0, counts(&archive).1), (5 - fresh, fresh), "byte {at}");
    }
}

#[test]
fn files_that_are_cut_swapped_or_another_dictionarys_are_of_no_use_and_no_harm() {
    let parent = tempfile::tempdir().unwrap();
    let (path, mut archive) = archive(parent.path(), 5);
    let expected = archive.prove_many(&keys(), 1).unwrap();
    store(&archive);
    let whole = fs::read(file(&path)).unwrap();
    for length in (0..whole.len()).step_by(53) {
        fs::write(file(&path), &whole[..length]).unwrap();
        hold(&mut archive, FOLLOWED);
        assert_eq!(archive.prove_many(&keys(), 1).unwrap(), expected, "{length} bytes");
        assert!(counts(&archive).1 > 0, "{length} bytes");
    }
    let swapped = [&whole[row_bytes()..], &whole[..row_bytes()]].concat();
    // The other has the same slots, hence the same commitments, under another id.
    let elsewhere = tempfile::tempdir().unwrap();
    let scheme = small();
    let genesis = genesis(&scheme, 2, &Map::new());
    let other = elsewhere.path().join("archive");
    let mut twin = Archive::builder().scheme(scheme).create(&other, &genesis).unwrap();
    twin.import(KEYS.iter().take(5).map(|key| change(key, Some("first"))).collect()).unwrap();
    assert_eq!((twin.commitments(1).unwrap(), store(&twin)), (archive.commitments(1).unwrap(), 2));
    for bytes in [swapped, fs::read(file(&other)).unwrap()] {
        fs::write(file(&path), bytes).unwrap();
        hold(&mut archive, FOLLOWED);
        assert_eq!(archive.prove_many(&keys(), 1).unwrap(), expected);
        assert_eq!(counts(&archive), (0, 5, 0));
        assert_eq!(store(&archive), 2);
        assert!(fs::read(file(&path)).unwrap() == whole);
    }
}

#[test]
fn rows_are_renewed_where_vectors_have_changed_and_go_with_them() {
    let parent = tempfile::tempdir().unwrap();
    let (path, mut archive) = archive(parent.path(), 9);
    assert_eq!((store(&archive), store(&archive)), (3, 0));
    archive.import(vec![change("a", Some("second"))]).unwrap();
    assert_eq!((store(&archive), store(&archive)), (1, 0));
    archive.import(KEYS.iter().skip(2).map(|key| change(key, None)).collect()).unwrap();
    assert_eq!(store(&archive), 1);
    assert_eq!(fs::metadata(file(&path)).unwrap().len(), row_bytes() as u64);
    assert_eq!(archive.stored_openings().unwrap().unwrap().current, 1);
}

/// Puts the commitment of another vector in the place of a vector's, with a checksum that holds.
fn exchange_commitment(path: &Path, vector: u64, other: u64) {
    const COMMITMENTS: redb::TableDefinition<'static, &[u8], &[u8]> = redb::TableDefinition::new("commitments");
    let database = redb::Database::open(path.join("archive.redb")).unwrap();
    let transaction = database.begin_write().unwrap();
    let mut table = transaction.open_table(COMMITMENTS).unwrap();
    let mut record = table.get(other.to_be_bytes().as_slice()).unwrap().unwrap().value().to_vec();
    record.truncate(record.len() - 4);
    let place = [&[3, 0, 8], vector.to_be_bytes().as_slice()].concat();
    let checksum = TaggedHash::new("AARDVARK-STORE-RECORD").chain(place).chain(&record).finalize();
    record.extend(&checksum[..4]);
    table.insert(vector.to_be_bytes().as_slice(), record.as_slice()).unwrap();
    drop(table);
    transaction.commit().unwrap();
}

#[test]
fn openings_that_do_not_hold_under_the_stored_commitment_are_not_stored() {
    let parent = tempfile::tempdir().unwrap();
    let (path, archive) = archive(parent.path(), 9);
    drop(archive);
    exchange_commitment(&path, 1, 2);
    let archive = Archive::builder().scheme(small()).open_read_only(&path).unwrap();
    let refused = archive.store_openings(&mut |_| {}).unwrap_err();
    let fault = DamageKind::Invalid("not the commitment to its slots");
    let expected = Damage { place: Place::Commitment(1), fault };
    assert!(matches!(&refused, ArchiveError::Damaged(found) if *found == expected), "{refused:?}");
    assert_eq!(archive.stored_openings().unwrap().unwrap().current, 0);
}

#[test]
fn stored_openings_are_no_part_of_a_backup_and_take_room_on_the_disk() {
    let parent = tempfile::tempdir().unwrap();
    let (_, archive) = archive(parent.path(), 9);
    let taken = |archive: &Archive| {
        let mut bytes = Vec::new();
        archive.back_up(&mut bytes, std::iter::empty()).unwrap();
        (bytes, archive.bytes_on_disk().unwrap())
    };
    let (before, room) = taken(&archive);
    store(&archive);
    let (after, more) = taken(&archive);
    assert!(before == after);
    assert_eq!(more - room, 3 * row_bytes() as u64);
}

#[derive(Clone, Debug)]
enum Event {
    Import(Vec<(usize, Option<u8>)>),
    /// Asks for some keys, so many versions back.
    Ask(Vec<usize>, u64),
    Store,
    Remove,
    /// Flips a bit somewhere in the file.
    Damage(usize),
    Reopen,
    Warm,
}

fn event() -> impl Strategy<Value = Event> {
    let changes = prop::collection::vec((0..KEYS.len(), prop::option::weighted(0.7, 0..4u8)), 1..5);
    let keys = prop::collection::vec(0..KEYS.len(), 1..6);
    prop_oneof![
        3 => changes.prop_map(Event::Import),
        5 => (keys, 0..4u64).prop_map(|(keys, back)| Event::Ask(keys, back)),
        3 => Just(Event::Store),
        1 => Just(Event::Remove),
        1 => any::<usize>().prop_map(Event::Damage),
        2 => Just(Event::Reopen),
        1 => Just(Event::Warm),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_answer_is_that_of_an_archive_that_opens_from_scratch(
        costs in prop_oneof![Just(FOLLOWED), Just(BALANCED)],
        events in prop::collection::vec(event(), 1..16),
    ) {
        let parent = tempfile::tempdir().unwrap();
        let (path, mut archive) = archive(parent.path(), 5);
        let mut twin = common::in_memory(&small(), 3);
        twin.set_opening_options(&OpeningOptions { budget: 0, costs: None });
        twin.import(KEYS.iter().take(5).map(|key| change(key, Some("first"))).collect()).unwrap();
        hold(&mut archive, costs);
        for event in events {
            match event {
                Event::Import(puts) => {
                    let value = |value: u8| Value::from(vec![value; usize::from(value)]);
                    let one = |(key, new): &(usize, Option<u8>)| Change { key: KEYS[*key].into(), value: new.map(value) };
                    let changes: Vec<Change> = puts.iter().map(one).collect();
                    archive.import(changes.clone()).unwrap();
                    twin.import(changes).unwrap();
                }
                Event::Ask(asked, back) => {
                    let version = archive.version().saturating_sub(back).max(archive.oldest_version());
                    let asked: Vec<Key> = asked.iter().map(|key| Key::from(KEYS[*key])).collect();
                    let claims = archive.prove_many(&asked, version).unwrap();
                    prop_assert_eq!(claims, twin.prove_many(&asked, version).unwrap());
                }
                Event::Store => drop(store(&archive)),
                Event::Remove => drop(archive.remove_stored_openings().unwrap()),
                Event::Damage(at) => {
                    if let Ok(mut bytes) = fs::read(file(&path)) {
                        let bit = at % (8 * bytes.len());
                        bytes[bit / 8] ^= 1 << (bit % 8);
                        fs::write(file(&path), bytes).unwrap();
                    }
                }
                Event::Reopen => {
                    drop(archive);
                    archive = Archive::builder().scheme(small()).open(&path).unwrap();
                    hold(&mut archive, costs);
                }
                Event::Warm => drop(archive.warm_openings().unwrap()),
            }
        }
        for version in archive.oldest_version()..=archive.version() {
            let claims = archive.prove_many(&keys(), version).unwrap();
            prop_assert_eq!(claims, twin.prove_many(&keys(), version).unwrap());
        }
    }
}
