//! Imports of sorted changes in blocks, beside imports of everything at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail by panicking")]

mod common;

use std::io;

use aardvark_archive::changes::ChangeSorter;
use aardvark_archive::import_blocks::ImportBlocks;
use aardvark_archive::{Archive, Imported};
use aardvark_dictionary::{Change, Key};
use common::{Map, apply_changes, assert_agrees, assert_clean, in_memory, small};
use proptest::prelude::*;

/// The keys that changes name.
const KEYS: [&str; 12] = ["a", "ab", "b", "c", "ca", "d", "e", "f", "g", "ga", "h", "i"];

fn changes(deletes: bool) -> impl Strategy<Value = Vec<Change>> {
    let value = if deletes { prop::option::of("[xyz]{0,2}").boxed() } else { "[xyz]{0,2}".prop_map(Some).boxed() };
    let change = (prop::sample::select(KEYS.to_vec()), value);
    let change = change.prop_map(|(key, value)| common::change(key, value.as_deref()));
    prop::collection::vec(change, 0..40)
}

/// Imports changes as sorted blocks of at most so many.
fn import_sorted(archive: &mut Archive, changes: &[Change], memory: usize, most: usize) -> Imported {
    import_first(archive, changes, (memory, most), usize::MAX)
}

/// Imports the first of these blocks.
fn import_first(archive: &mut Archive, changes: &[Change], (memory, most): (usize, usize), blocks: usize) -> Imported {
    let mut sorter = ChangeSorter::new(memory, archive.temporary_files());
    changes.iter().for_each(|change| sorter.push(change).unwrap());
    let mut sorted = sorter.sorted().unwrap();
    let mut imported = Imported { version: archive.version(), ..Imported::default() };
    for block in ImportBlocks::new(sorted.by_ref(), most).take(blocks) {
        imported += archive.import_with(block.unwrap(), &mut |_| {}).unwrap();
    }
    imported.superseded += sorted.superseded();
    imported
}

/// What an import said, without the version.
fn counts(imported: Imported) -> Imported {
    Imported { version: 0, ..imported }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn one_sorted_block_is_the_block_of_the_same_changes_in_any_order(
        rounds in prop::collection::vec(changes(true), 1..4),
        memory in prop::sample::select(vec![0, usize::MAX]),
    ) {
        let (mut sorted, mut given) = (in_memory(&small(), 2), in_memory(&small(), 2));
        for changes in rounds {
            let imported = import_sorted(&mut sorted, &changes, memory, usize::MAX);
            let expected = given.import_with(changes, &mut |_| {}).unwrap();
            prop_assert_eq!(imported, expected);
            let version = given.version();
            prop_assert_eq!(sorted.version_info(version).unwrap(), given.version_info(version).unwrap());
            prop_assert_eq!(sorted.validator().unwrap().root(), given.validator().unwrap().root());
        }
    }

    #[test]
    fn puts_in_several_blocks_give_the_slots_and_commitments_of_one(
        rounds in prop::collection::vec(changes(false), 1..4),
        most in 1..6usize,
    ) {
        let (mut several, mut one) = (in_memory(&small(), 2), in_memory(&small(), 2));
        for changes in rounds {
            let imported = import_sorted(&mut several, &changes, 0, most);
            let expected = one.import_with(changes, &mut |_| {}).unwrap();
            prop_assert_eq!(counts(imported), counts(expected));
            let (version, size) = (one.version(), one.size());
            prop_assert_eq!(several.slots(several.version(), 0, size).unwrap(), one.slots(version, 0, size).unwrap());
            prop_assert_eq!(several.commitments(several.version()).unwrap(), one.commitments(version).unwrap());
        }
    }

    #[test]
    fn an_import_that_ended_early_and_is_given_again_makes_the_versions_of_one_that_did_not(
        before in changes(false),
        changes in changes(true),
        most in 1..6usize,
        blocks in 0..4usize,
    ) {
        let (mut ended, mut whole) = (in_memory(&small(), 2), in_memory(&small(), 2));
        for archive in [&mut ended, &mut whole] {
            archive.import(before.clone()).unwrap();
        }
        import_first(&mut ended, &changes, (0, most), blocks);
        import_sorted(&mut ended, &changes, 0, most);
        import_sorted(&mut whole, &changes, 0, most);
        prop_assert_eq!(ended.version(), whole.version());
        for version in 0..=whole.version() {
            prop_assert_eq!(ended.version_info(version).unwrap(), whole.version_info(version).unwrap());
        }
        prop_assert_eq!(ended.validator().unwrap().root(), whole.validator().unwrap().root());
    }

    #[test]
    fn changes_in_several_blocks_mean_what_they_mean_in_one(
        rounds in prop::collection::vec(changes(true), 1..4),
        most in 1..6usize,
    ) {
        let (mut archive, mut map) = (in_memory(&small(), 2), Map::new());
        for changes in rounds {
            import_sorted(&mut archive, &changes, 300, most);
            apply_changes(&mut map, &changes);
        }
        assert_agrees(&archive, archive.version(), &map, KEYS.into_iter());
        assert_clean(&archive);
    }
}

#[test]
fn a_disk_without_room_ends_the_sorting() {
    let mut sorter = ChangeSorter::new(0, Box::new(|| Err(io::ErrorKind::StorageFull.into())));
    let change = Change { key: Key::from("a"), value: None };
    sorter.push(&change).unwrap();
    assert_eq!(sorter.push(&change).unwrap_err().kind(), io::ErrorKind::StorageFull);
}

#[test]
fn a_change_that_the_dictionary_does_not_take_is_known_before_it_is_imported() {
    let mut archive = in_memory(&small(), 2);
    let (key, value) = (archive.parameters().max_key_length, archive.parameters().max_value_length);
    let change = |key: u16, value: u16| Change {
        key: vec![b'k'; key.into()].into(),
        value: Some(vec![b'v'; value.into()].into()),
    };
    assert!(archive.check_change(&change(key, value)).is_ok());
    for (change, like) in [
        (change(0, 1), "the empty key is the sentinel's"),
        (change(key + 1, 1), "bytes; the dictionary allows"),
        (change(1, value + 1), "that the dictionary allows"),
    ] {
        let refused = archive.check_change(&change).unwrap_err().to_string();
        assert!(refused.contains(like), "{refused}");
        assert_eq!(archive.import(vec![change]).unwrap_err().to_string(), refused);
    }
}
