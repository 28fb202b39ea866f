//! Bad input: each gives an error that names it, and loses nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail by panicking")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use aardvark_archive::{Archive, ArchiveError, LoggedBlock, StoreError};
use aardvark_commitment::{SchemeKind, setups};
use aardvark_dictionary::{Block, Change, Genesis, Identity, Key, Parameters, Reason, Value};
use common::{Map, assert_clean, change, in_memory, small};

fn new_archive(directory: &Path) -> (PathBuf, Archive) {
    let path = directory.join("archive");
    let genesis = common::genesis(&small(), 2, &Map::new());
    let archive = Archive::builder().scheme(small()).create(&path, &genesis).unwrap();
    (path, archive)
}

/// The error of something that must fail.
fn refused<T>(outcome: Result<T, ArchiveError>) -> ArchiveError {
    outcome.err().expect("it is refused")
}

#[test]
fn a_directory_without_an_archive_is_named() {
    let directory = tempfile::tempdir().unwrap();
    for path in [directory.path().to_owned(), directory.path().join("missing")] {
        let error = refused(Archive::builder().open(&path));
        assert!(matches!(&error, ArchiveError::NotAnArchive { path: named, .. } if *named == path), "{error}");
    }
    fs::write(directory.path().join("format"), "something else\n").unwrap();
    assert!(matches!(refused(Archive::builder().open(directory.path())), ArchiveError::NotAnArchive { .. }));
}

#[test]
fn an_archive_of_another_format_is_not_touched() {
    let directory = tempfile::tempdir().unwrap();
    let (path, archive) = new_archive(directory.path());
    drop(archive);
    fs::write(path.join("format"), "aardvark archive 1\n").unwrap();
    let before = fs::read(path.join("archive.redb")).unwrap();
    for error in [refused(Archive::builder().open(&path)), refused(Archive::builder().open_read_only(&path))] {
        let ArchiveError::OtherFormat { found, oldest: 2, supported: 3, .. } = &error else {
            panic!("{error:?}");
        };
        assert_eq!(found, "1");
    }
    assert_eq!(fs::read(path.join("archive.redb")).unwrap(), before);
}

#[test]
fn an_archive_of_the_format_before_becomes_one_of_todays_where_it_is_written_to() {
    let directory = tempfile::tempdir().unwrap();
    let (path, archive) = new_archive(directory.path());
    drop(archive);
    let marker = || fs::read_to_string(path.join("format")).unwrap();
    let (today, before) = (marker(), "aardvark archive 2\n");
    fs::write(path.join("format"), before).unwrap();
    // Of a renewal that a kill has ended.
    fs::write(path.join("format.renewing"), "aardv").unwrap();
    drop(Archive::builder().scheme(small()).open_read_only(&path).unwrap());
    assert_eq!(marker(), before);
    // Nor does an open that is refused change it.
    refused(Archive::builder().scheme(common::scheme(SchemeKind::Kzg, 8)).open(&path));
    assert_eq!(marker(), before);
    let mut archive = Archive::builder().scheme(small()).open(&path).unwrap();
    assert_eq!(marker(), today);
    archive.import(vec![Change { key: "new".into(), value: Some("1".into()) }]).unwrap();
    drop(archive);
    assert!(Archive::builder().scheme(small()).open_read_only(&path).is_ok());
    assert!(!path.join("format.renewing").exists());
}

#[test]
fn a_directory_that_holds_something_is_not_taken_for_a_new_archive() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("letter.txt"), "dear").unwrap();
    let genesis = common::genesis(&small(), 2, &Map::new());
    let error = refused(Archive::builder().scheme(small()).create(directory.path(), &genesis));
    assert!(matches!(error, ArchiveError::NotEmpty { .. }));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    let file = directory.path().join("letter.txt");
    let error = refused(Archive::builder().scheme(small()).create(&file, &genesis));
    assert!(matches!(&error, ArchiveError::File { path, .. } if *path == file), "{error:?}");
}

#[test]
fn a_creation_that_fails_leaves_nothing_behind() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("archive");
    let genesis = common::genesis(&small(), 2, &Map::new());
    let other = common::scheme(SchemeKind::LibertYung, 4);
    let error = refused(Archive::builder().scheme(other).create(&path, &genesis));
    assert!(matches!(error, ArchiveError::Setup));
    assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
    Archive::builder().scheme(small()).create(&path, &genesis).unwrap();
}

#[test]
fn a_second_writer_is_refused_and_readers_share() {
    let directory = tempfile::tempdir().unwrap();
    let (path, archive) = new_archive(directory.path());
    let in_use = |outcome| match refused(outcome) {
        ArchiveError::Open { path: file, source: StoreError::InUse } => assert_eq!(file, path.join("archive.redb")),
        error => panic!("{error:?}"),
    };
    in_use(Archive::builder().scheme(small()).open(&path));
    in_use(Archive::builder().scheme(small()).open_read_only(&path));
    drop(archive);
    let mut reader = Archive::builder().scheme(small()).open_read_only(&path).unwrap();
    let other = Archive::builder().scheme(small()).open_read_only(&path).unwrap();
    in_use(Archive::builder().scheme(small()).open(&path));
    assert!(matches!(refused(reader.import(vec![change("b", Some("1"))])), ArchiveError::Store(StoreError::ReadOnly)));
    assert_clean(&other);
    drop((reader, other));
    Archive::builder().scheme(small()).open(&path).unwrap();
}

#[test]
fn a_dictionary_on_another_setup_is_not_opened() {
    let directory = tempfile::tempdir().unwrap();
    let (path, archive) = new_archive(directory.path());
    drop(archive);
    for other in [common::scheme(SchemeKind::Kzg, 8), common::scheme(SchemeKind::LibertYung, 4)] {
        assert!(matches!(refused(Archive::builder().scheme(other).open(&path)), ArchiveError::Setup));
    }
    // A secret setup is not the published one: everything works that needs no scheme.
    let archive = Archive::builder().open_read_only(&path).unwrap();
    assert_eq!(archive.get(&"a".into(), 0).unwrap(), None);
    assert!(matches!(refused(archive.prove(&"a".into(), 0)), ArchiveError::Setup));
}

#[test]
fn keys_and_values_that_are_not_legal_are_named_and_nothing_is_imported() {
    let mut archive = in_memory(&small(), 2);
    let long = Key::from("k".repeat(256).as_str());
    let value = Some(Value::from(vec![0; 1025]));
    let mut import = |key: &Key, value: Option<Value>| {
        let changes = vec![change("legal", Some("1")), Change { key: key.clone(), value }];
        refused(archive.import(changes))
    };
    assert!(matches!(import(&Key::empty(), None), ArchiveError::EmptyKey));
    assert!(matches!(import(&long, None), ArchiveError::KeyTooLong { key, limit: 255 } if key == long));
    let error = import(&"a".into(), value);
    assert!(matches!(&error, ArchiveError::ValueTooLong { key, limit: 1024 } if *key == "a".into()), "{error:?}");
    assert_eq!((archive.version(), archive.size()), (0, 1));
    assert!(matches!(refused(archive.get(&Key::empty(), 0)), ArchiveError::EmptyKey));
    assert!(matches!(refused(archive.prove(&long, 0)), ArchiveError::KeyTooLong { .. }));
    assert!(matches!(refused(archive.prove_delete(&Key::empty(), 0)), ArchiveError::EmptyKey));
    assert!(matches!(refused(archive.prove_many(&["a".into(), long], 0)), ArchiveError::KeyTooLong { .. }));
}

#[test]
fn versions_outside_retention_are_refused_with_the_range_there_is() {
    let mut archive = in_memory(&small(), 2);
    for number in 1..=5 {
        archive.import(vec![change("a", Some(&number.to_string()))]).unwrap();
    }
    for asked in [0, 2, 6] {
        let errors = [
            refused(archive.get(&"a".into(), asked)),
            refused(archive.prove(&"a".into(), asked)),
            refused(archive.commitments(asked)),
            refused(archive.tail(asked)),
        ];
        for error in errors {
            let matches =
                matches!(&error, ArchiveError::VersionOutOfRange { asked: named, newest: 5, .. } if *named == asked);
            assert!(matches, "{error:?}");
        }
    }
    let text = refused(archive.get(&"a".into(), 2)).to_string();
    assert_eq!(text, "version 2 cannot be read; the archive has versions 3 to 5");
    for version in 3..=5 {
        assert_eq!(archive.get(&"a".into(), version).unwrap(), Some(version.to_string().as_str().into()));
    }
    assert!(matches!(archive.block(1).unwrap(), LoggedBlock::Import(block) if block.version == 1));
}

#[test]
fn a_block_that_the_rules_refuse_changes_nothing() {
    let mut archive = in_memory(&small(), 2);
    archive.import(vec![change("a", Some("1"))]).unwrap();
    let error = refused(archive.apply(&Block { version: 9, ..Block::default() }));
    assert!(matches!(&error, ArchiveError::Rejected(rejection) if rejection.reason == Reason::WrongVersion));
    assert_eq!(archive.version(), 1);
    archive.apply(&Block { version: 2, ..Block::default() }).unwrap();
    assert_clean(&archive);
}

#[test]
fn the_last_of_several_changes_of_a_key_counts() {
    let mut archive = in_memory(&small(), 2);
    let changes = vec![change("b", Some("1")), change("a", Some("1")), change("b", None), change("a", Some("2"))];
    assert_eq!(archive.import(changes).unwrap(), 1);
    assert_eq!(archive.get(&"a".into(), 1).unwrap(), Some("2".into()));
    assert_eq!(archive.get(&"b".into(), 1).unwrap(), None);
    assert_clean(&archive);
}

#[test]
fn a_file_that_is_no_store_is_reported_as_damage() {
    let directory = tempfile::tempdir().unwrap();
    let (path, archive) = new_archive(directory.path());
    drop(archive);
    let file = path.join("archive.redb");
    fs::write(&file, "not a store").unwrap();
    assert!(matches!(refused(Archive::builder().scheme(small()).open(&path)), ArchiveError::Open { .. }));
    assert!(matches!(refused(Archive::builder().scheme(small()).open_read_only(&path)), ArchiveError::Open { .. }));
    fs::remove_file(&file).unwrap();
    let error = refused(Archive::builder().scheme(small()).open(&path));
    assert!(matches!(&error, ArchiveError::Open { path, source: StoreError::Io(_) } if *path == file), "{error:?}");
}

#[test]
fn an_archive_on_the_ceremony_opens_by_itself_and_finds_its_cache_or_makes_it_anew() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("archive");
    let parameters = Parameters { vector_size: 8, ..Parameters::default() };
    let digest = setups::published_digest(parameters.scheme, parameters.vector_size).unwrap();
    let genesis = Genesis::new(Identity::new("test", [0; 32]).unwrap(), parameters, digest, Vec::new()).unwrap();
    let mut archive = Archive::builder().create(&path, &genesis).unwrap();
    archive.import(vec![change("a", Some("1"))]).unwrap();
    drop(archive);
    fs::write(path.join("lagrange"), "damaged").unwrap();
    let claim = Archive::builder().open_read_only(&path).unwrap().prove(&"a".into(), 1).unwrap();
    fs::remove_file(path.join("lagrange")).unwrap();
    let archive = Archive::builder().open(&path).unwrap();
    assert_eq!(archive.prove(&"a".into(), 1).unwrap(), claim);
    assert!(common::holds(&archive, &claim, 1));
    assert!(path.join("lagrange").exists());
}
