//! An archive on object storage is the archive that it is on redb, byte for byte.
#![cfg(feature = "slatedb")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::sync::Arc;
use std::time::Duration;

use aardvark_algebra::Scalar;
use aardvark_archive::{Archive, ArchiveError, RedbStore, Snapshot, StoreError};
use aardvark_commitment::insecure::kzg_with_known_tau;
use aardvark_commitment::{Scheme, VectorCommitment};
use aardvark_dictionary::{Change, Genesis, Identity, Key, Operation, Parameters, Transaction, Value};
use aardvark_object_store::{ReaderOptions, SlateReader, SlateStore};
use common::place;

const WINDOW: u32 = 3;

fn scheme() -> Arc<Scheme> {
    Arc::new(kzg_with_known_tau(4, Scalar::from(0x5ec2e7)).unwrap().into())
}

fn genesis(scheme: &Scheme) -> Genesis {
    let parameters = Parameters { scheme: scheme.kind(), vector_size: 4, window: WINDOW, ..Parameters::default() };
    let entries = (0..9).map(|number| (key(number), Value::from("first"))).collect();
    Genesis::new(Identity::new("test", [0; 32]).unwrap(), parameters, scheme.setup_digest(), entries).unwrap()
}

fn key(number: u64) -> Key {
    Key::from(format!("key-{number:03}").as_str())
}

/// The next version: an import, or a block of one transaction.
fn advance(archive: &mut Archive) {
    let version = archive.version() + 1;
    if !version.is_multiple_of(3) {
        let change = |number: u64| {
            let (number, removed) = ((version * 7 + number * 5) % 20, (version + number).is_multiple_of(4));
            Change { key: key(number), value: (!removed).then(|| Value::from(version.to_string().as_str())) }
        };
        let mut changes: Vec<_> = (0..6).map(change).collect();
        changes.push(Change { key: Key::from("count"), value: Some(Value::from(version.to_string().as_str())) });
        archive.import(changes).unwrap();
        return;
    }
    let written = Key::from("transacted");
    let claims = vec![archive.prove(&written, version - 1).unwrap()];
    let operations = vec![Operation::Put(written, Value::from(version.to_string().as_str()))];
    let last_valid = version + u64::from(WINDOW);
    let transaction = Transaction { first_valid: version, last_valid, nonce: [0; 16], operations, claims };
    let proposal = archive.propose(vec![transaction]).unwrap();
    archive.apply(&proposal.block).unwrap();
}

fn assert_same(ours: &Snapshot, theirs: &Snapshot) {
    assert_eq!(ours.version(), theirs.version());
    let root = |archive: &Snapshot| archive.validator().unwrap().root_parts().root();
    assert_eq!(root(ours), root(theirs));
    let keys: Vec<_> = (0..21).map(key).collect();
    for version in ours.oldest_version()..=ours.version() {
        assert_eq!(ours.commitments(version).unwrap(), theirs.commitments(version).unwrap());
        assert_eq!(ours.prove_many(&keys, version).unwrap(), theirs.prove_many(&keys, version).unwrap());
        for key in &keys {
            assert_eq!(ours.get(key, version).unwrap(), theirs.get(key, version).unwrap());
        }
    }
}

#[test]
fn an_archive_on_object_storage_is_the_one_on_redb_byte_for_byte() {
    let (folder, scheme) = (tempfile::tempdir().unwrap(), scheme());
    let builder = || Archive::builder().retention(5).scheme(Arc::clone(&scheme));
    let slate = || Box::new(SlateStore::open(&place(folder.path())).unwrap());
    let mut ours = builder().create_on(slate(), &genesis(&scheme)).unwrap();
    let mut theirs = builder().create_on(Box::new(RedbStore::in_memory().unwrap()), &genesis(&scheme)).unwrap();
    for round in 0..12 {
        advance(&mut ours);
        advance(&mut theirs);
        if round == 6 {
            // As after a restart.
            drop(ours);
            ours = builder().open_on(slate()).unwrap();
        }
        assert_same(&ours, &theirs);
    }
    assert!(ours.audit(&mut |_| {}).unwrap().is_clean());
}

#[test]
fn an_archive_opened_to_read_follows_the_writers() {
    let (folder, scheme) = (tempfile::tempdir().unwrap(), scheme());
    let builder = || Archive::builder().retention(5).scheme(Arc::clone(&scheme));
    let store = Box::new(SlateStore::open(&place(folder.path())).unwrap());
    let mut writer = builder().create_on(store, &genesis(&scheme)).unwrap();
    let options = ReaderOptions { interval: Duration::from_millis(5), ..ReaderOptions::default() };
    let reader = Box::new(SlateReader::open(&place(folder.path()), &options).unwrap());
    let mut front = builder().open_on(reader).unwrap();
    for _ in 0..5 {
        let before = front.snapshot();
        let known = before.prove(&key(3), before.version()).unwrap();
        advance(&mut writer);
        while front.version() < writer.version() {
            front.catch_up().unwrap();
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_same(&front, &writer);
        // What was asked of the version before is still answered.
        assert_eq!(before.prove(&key(3), before.version()).unwrap(), known);
        assert_eq!(front.catch_up().unwrap(), writer.version());
    }
    let refused = front.import(vec![Change { key: key(1), value: None }]);
    assert!(matches!(refused, Err(ArchiveError::Store(StoreError::ReadOnly))), "{refused:?}");
}
