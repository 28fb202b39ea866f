//! A disk that fails, or a machine that loses power, at every single write of an import and of a
//! block.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail by panicking")]

mod common;

use std::io;
use std::sync::{Arc, Mutex};

use aardvark_archive::{Archive, ArchiveError, RedbStore, StoreError};
use aardvark_dictionary::{Block, Change, Key, Operation, Transaction};
use common::{Map, assert_clean, change, small};
use redb::StorageBackend;

/// A disk in memory.
#[derive(Clone, Debug, Default)]
struct Disk(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    bytes: Vec<u8>,
    /// What is safe from a loss of power.
    synced: Vec<u8>,
    /// What was written since: offset and bytes, or a new length.
    unsynced: Vec<Unsynced>,
    /// How many more writes, extensions and syncs succeed.
    left: Option<u64>,
}

#[derive(Clone, Debug)]
enum Unsynced {
    Write(usize, Vec<u8>),
    Length(usize),
}

impl Unsynced {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Write(offset, data) => {
                bytes.resize(bytes.len().max(offset + data.len()), 0);
                bytes[*offset..offset + data.len()].copy_from_slice(data);
            }
            Self::Length(length) => bytes.resize(*length, 0),
        }
    }
}

impl Disk {
    fn with(bytes: &[u8]) -> Self {
        let state = State { bytes: bytes.to_vec(), synced: bytes.to_vec(), ..State::default() };
        Self(Arc::new(Mutex::new(state)))
    }

    fn fail_after(&self, operations: u64) {
        self.0.lock().unwrap().left = Some(operations);
    }

    /// Everything written reached the disk.
    fn all(&self) -> Vec<u8> {
        self.0.lock().unwrap().bytes.clone()
    }

    /// Of what was not synced, only some reached the disk.
    fn some(&self, reached: impl Fn(usize) -> bool) -> Vec<u8> {
        let state = self.0.lock().unwrap();
        let mut bytes = state.synced.clone();
        for (number, change) in state.unsynced.iter().enumerate() {
            // Lengths are the file system's journal's matter; bytes come in any order.
            if matches!(change, Unsynced::Length(_)) || reached(number) {
                change.apply(&mut bytes);
            }
        }
        bytes
    }

    fn step(&self, change: Option<Unsynced>) -> io::Result<()> {
        let mut state = self.0.lock().unwrap();
        match &mut state.left {
            Some(0) => return Err(io::ErrorKind::StorageFull.into()),
            Some(left) => *left -= 1,
            None => {}
        }
        match change {
            Some(change) => {
                change.apply(&mut state.bytes);
                state.unsynced.push(change);
            }
            None => {
                state.synced = state.bytes.clone();
                state.unsynced.clear();
            }
        }
        Ok(())
    }
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(u64::try_from(self.0.lock().unwrap().bytes.len()).unwrap())
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let offset = usize::try_from(offset).unwrap();
        let state = self.0.lock().unwrap();
        let bytes = state.bytes.get(offset..offset + out.len());
        out.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.step(Some(Unsynced::Length(usize::try_from(length).unwrap())))
    }

    fn sync_data(&self) -> io::Result<()> {
        self.step(None)
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.step(Some(Unsynced::Write(usize::try_from(offset).unwrap(), data.to_vec())))
    }
}

fn open(disk: &Disk) -> Result<Archive, ArchiveError> {
    Archive::builder().scheme(small()).open_on(Box::new(RedbStore::on_backend(disk.clone())?))
}

/// A disk with an archive of two versions, cleanly closed.
fn prepared() -> Vec<u8> {
    let disk = Disk::default();
    let scheme = small();
    let genesis = common::genesis(&scheme, 2, &Map::new());
    let store = Box::new(RedbStore::on_backend(disk.clone()).unwrap());
    let mut archive = Archive::builder().scheme(scheme).create_on(store, &genesis).unwrap();
    archive.import(["a", "b", "c", "d", "e"].map(|key| change(key, Some("1"))).to_vec()).unwrap();
    drop(archive);
    disk.all()
}

fn changes() -> Vec<Change> {
    vec![change("a", None), change("c", Some("2")), change("f", Some("3"))]
}

fn block(archive: &mut Archive) -> Block {
    let key = Key::from("b");
    let claims = archive.prove_delete(&key, 1).unwrap();
    let operations = vec![Operation::Delete(key)];
    let transaction = Transaction { first_valid: 2, last_valid: 4, nonce: [1; 16], operations, claims };
    archive.propose(vec![transaction]).unwrap().block
}

/// Runs `advance` on a disk that fails at one write after the other, and checks what each failure
/// leaves.
fn at_every_failure(advance: impl Fn(&mut Archive) -> Result<(), ArchiveError>) {
    let before = prepared();
    let (mut failures, mut old, mut new) = (0, 0, 0);
    for operations in 0.. {
        let disk = Disk::with(&before);
        let mut archive = open(&disk).unwrap();
        disk.fail_after(operations);
        let outcome = advance(&mut archive);
        if outcome.is_ok() {
            assert_eq!(archive.version(), 2);
            break;
        }
        failures += 1;
        let error = outcome.unwrap_err();
        let ArchiveError::NotCommitted { version: 2, source } = &error else {
            panic!("{error:?}");
        };
        assert!(matches!(**source, ArchiveError::Store(StoreError::Full(_))), "{error:?}");
        assert_eq!(archive.version(), 1, "the archive itself has not moved on");
        drop(archive);
        let lost_power =
            [disk.some(|_| false), disk.some(|number| number % 2 == 0), disk.some(|number| number % 3 == 1)];
        for bytes in [disk.all()].into_iter().chain(lost_power) {
            let archive = open(&Disk::with(&bytes)).unwrap();
            assert!([1, 2].contains(&archive.version()), "failure after {operations} operations");
            if archive.version() == 1 {
                old += 1
            } else {
                new += 1
            }
            assert_clean(&archive);
        }
    }
    println!("{failures} failures, {old} left the version before, {new} the next one");
    assert!(failures > 4 && old > 0, "the disk failed in the middle of it");
}

#[test]
fn an_import_that_meets_a_full_disk_or_a_loss_of_power_leaves_a_whole_version() {
    at_every_failure(|archive| archive.import(changes()).map(drop));
}

#[test]
fn a_block_that_meets_a_full_disk_or_a_loss_of_power_leaves_a_whole_version() {
    at_every_failure(|archive| {
        let block = block(archive);
        archive.apply(&block).map(drop)
    });
}

#[test]
fn after_a_failure_the_archive_asks_to_be_opened_anew() {
    let disk = Disk::with(&prepared());
    let mut archive = open(&disk).unwrap();
    disk.fail_after(1);
    assert!(archive.import(changes()).is_err());
    disk.0.lock().unwrap().left = None;
    let again = archive.import(changes()).unwrap_err();
    assert!(again.to_string().contains("open the archive anew"), "{again}");
    drop(archive);
    let mut archive = open(&disk).unwrap();
    assert_eq!(archive.import(changes()).unwrap(), 2);
    assert_clean(&archive);
}
