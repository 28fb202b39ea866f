//! The log keeps what imports change, and nothing of what they do not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail by panicking")]

mod common;

use aardvark_archive::{Archive, Imported, LoggedBlock};
use aardvark_dictionary::Change;
use common::{Map, assert_clean, change, in_memory, small};

/// As many puts, of values of 64 bytes.
fn puts(number: usize) -> Vec<Change> {
    (0..number).map(|key| change(&format!("key-{key:06}"), Some(&format!("{key:064}")))).collect()
}

#[test]
fn imports_that_change_nothing_make_no_version_and_do_not_grow_the_disk() {
    let directory = tempfile::tempdir().unwrap();
    let genesis = common::genesis(&small(), 2, &Map::new());
    let path = directory.path().join("archive");
    let mut archive = Archive::builder().scheme(small()).create(&path, &genesis).unwrap();
    archive.import(puts(2000)).unwrap();
    let (disk, commitments) = (archive.bytes_on_disk().unwrap(), archive.commitments(1).unwrap());
    let validator = archive.validator().unwrap();
    for _ in 0..20 {
        let imported = archive.import_with(puts(2000), &mut |_| {}).unwrap();
        assert_eq!(imported, Imported { version: 1, unchanged: 2000, ..Imported::default() });
    }
    assert_eq!(archive.import(Vec::new()).unwrap(), 1);
    assert_eq!(archive.bytes_on_disk().unwrap(), disk);
    assert_eq!(archive.commitments(1).unwrap(), commitments);
    assert_eq!(archive.validator().unwrap().root(), validator.root());
    assert_clean(&archive);
}

#[test]
fn the_log_has_the_net_changes_of_an_import_and_its_report_counts_every_change() {
    let mut archive = in_memory(&small(), 2);
    archive.import(vec![change("a", Some("1")), change("b", Some("2")), change("c", Some("3"))]).unwrap();
    let changes = vec![
        change("zzz", None),
        change("a", Some("1")),
        change("b", Some("new")),
        change("c", None),
        change("d", Some("first")),
        change("d", Some("4")),
        change("e", Some("5")),
        change("absent", None),
        change("e", None),
    ];
    let given = u64::try_from(changes.len()).unwrap();
    let imported = archive.import_with(changes, &mut |_| {}).unwrap();
    let counts = Imported { version: 2, inserted: 1, updated: 1, deleted: 1, unchanged: 1, absent: 3, superseded: 2 };
    assert_eq!(imported, counts);
    let all = [
        imported.inserted,
        imported.updated,
        imported.deleted,
        imported.unchanged,
        imported.absent,
        imported.superseded,
    ];
    assert_eq!(all.iter().sum::<u64>(), given);
    let LoggedBlock::Import(block) = archive.block(2).unwrap() else {
        panic!("an import");
    };
    assert_eq!(block.changes, [change("b", Some("new")), change("c", None), change("d", Some("4"))]);
    assert_eq!(archive.version_info(2).unwrap().items, 3);
    assert_clean(&archive);
}

#[test]
fn an_import_that_changes_nothing_still_refuses_what_no_dictionary_takes() {
    let mut archive = in_memory(&small(), 2);
    assert!(archive.import(vec![change("", None)]).is_err());
    assert!(archive.import(vec![change(&"k".repeat(256), None)]).is_err());
}
