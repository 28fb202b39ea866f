//! Flipped bytes in the store's file.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;

use aardvark_algebra::Scalar;
use aardvark_commitment::insecure::kzg_with_known_tau;
use aardvark_commitment::{Scheme, SchemeKind, VectorCommitment};
use aardvark_dictionary::{Change, Genesis, Identity, Key, Operation, Parameters, Transaction};
use proptest::prelude::*;

use super::{AuditReport, Finding};
use crate::archive::Archive;
use crate::error::{ArchiveError, Place};
use crate::keys;
use crate::redb_store::RedbStore;
use crate::store::Table;

/// An archive on disk with something in every table, closed.
struct Closed {
    _directory: tempfile::TempDir,
    path: PathBuf,
    scheme: Arc<Scheme>,
}

fn change(key: &str, value: Option<&str>) -> Change {
    Change { key: key.into(), value: value.map(Into::into) }
}

impl Closed {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("archive");
        let scheme: Arc<Scheme> = Arc::new(kzg_with_known_tau(4, Scalar::from(77)).unwrap().into());
        let parameters = Parameters { scheme: SchemeKind::Kzg, vector_size: 4, window: 3, ..Parameters::default() };
        let entries = vec![("genesis-key".into(), "genesis-value".into())];
        let genesis =
            Genesis::new(Identity::new("test", [0; 32]).unwrap(), parameters, scheme.setup_digest(), entries).unwrap();
        let mut archive = Archive::builder().retention(5).scheme(scheme.clone()).create(&path, &genesis).unwrap();
        let names: Vec<String> = (0..40).map(|number| format!("imported-key-{number}")).collect();
        archive.import(names.iter().map(|name| change(name, Some("imported-value"))).collect()).unwrap();
        archive.import(vec![change("imported-key-3", None), change("imported-key-7", Some("7"))]).unwrap();
        let key = Key::from("imported-key-9");
        let claims = vec![archive.prove(&key, archive.version()).unwrap()];
        let operations = vec![Operation::Put(key, "transacted-value".into())];
        let first_valid = archive.version() + 1;
        let transaction = Transaction { first_valid, last_valid: first_valid + 3, nonce: [9; 16], operations, claims };
        let proposal = archive.propose(vec![transaction]).unwrap();
        archive.apply(&proposal.block).unwrap();
        Self { _directory: directory, path, scheme }
    }

    fn file(&self) -> PathBuf {
        self.path.join("archive.redb")
    }

    fn open(&self) -> Result<Archive, ArchiveError> {
        Archive::builder().scheme(self.scheme.clone()).open_read_only(&self.path)
    }

    fn audit(&self) -> Result<AuditReport, ArchiveError> {
        self.open()?.audit(&mut |_| {})
    }

    /// Changes one bit of the file, until what is returned goes.
    fn flip(&self, offset: usize, bit: u8) -> Flip {
        let offset = u64::try_from(offset).unwrap();
        let file = OpenOptions::new().read(true).write(true).open(self.file()).unwrap();
        let mut byte = [0];
        file.read_exact_at(&mut byte, offset).unwrap();
        file.write_all_at(&[byte[0] ^ (1 << bit)], offset).unwrap();
        Flip { file, offset, byte }
    }

    /// What opening and auditing say when one bit of the file is another one.
    fn with_flip(&self, offset: usize, bit: u8) -> Result<AuditReport, ArchiveError> {
        let _flip = self.flip(offset, bit);
        self.audit()
    }
}

/// A changed byte, which is put right when this goes.
struct Flip {
    file: File,
    offset: u64,
    byte: [u8; 1],
}

impl Drop for Flip {
    fn drop(&mut self) {
        self.file.write_all_at(&self.byte, self.offset).unwrap();
    }
}

/// Where in the file some bytes stand. Pages that are free still hold what was there.
fn occurrences(file: &[u8], bytes: &[u8]) -> Vec<usize> {
    file.windows(bytes.len()).enumerate().filter(|(_, window)| *window == bytes).map(|(offset, _)| offset).collect()
}

/// Whether the finding, or the refusal to open, is about a place.
fn names(outcome: &Result<AuditReport, ArchiveError>, place: &Place) -> bool {
    match outcome {
        Ok(report) => report.findings.iter().any(|finding: &Finding| finding.place == *place),
        Err(ArchiveError::Damaged(damage)) => damage.place == *place,
        Err(_) => false,
    }
}

#[test]
fn a_flipped_byte_in_any_kind_of_record_is_found_and_named() {
    let closed = Closed::new();
    let bytes = fs::read(closed.file()).unwrap();
    let archive = closed.open().unwrap();
    let tables = archive.tables().unwrap();
    let mut places = Vec::new();
    for table in Table::ALL {
        let records: Vec<_> = tables.raw(table).unwrap().map(Result::unwrap).collect();
        assert!(!records.is_empty(), "table {} holds something", table.name());
        for (key, value) in records.iter().step_by(records.len().div_ceil(4)) {
            places.push((keys::place(table, key), value.clone()));
        }
    }
    drop(tables);
    drop(archive);
    for (place, record) in places {
        for index in [0, record.len() / 2, record.len() - 1] {
            let standing = occurrences(&bytes, &record);
            let found = standing.iter().filter(|start| names(&closed.with_flip(*start + index, 3), &place)).count();
            assert_eq!(found, 1, "one copy of {} is alive, byte {index} of {}", place, record.len());
        }
    }
    assert!(closed.audit().unwrap().is_clean());
}

#[test]
fn blocks_replayed_in_a_file_give_the_report_of_those_replayed_in_memory() {
    let closed = Closed::new();
    let bytes = fs::read(closed.file()).unwrap();
    let report = |in_file: bool| {
        let archive = closed.open().unwrap();
        let store = if in_file { archive.scratch_store().unwrap() } else { RedbStore::in_memory().unwrap() };
        archive.audit_into(store, None, &mut |_| {}).unwrap()
    };
    let clean = report(true);
    assert!(clean.is_clean() && clean.records > 100 && clean.root.is_some(), "{clean:?}");
    assert_eq!(clean, report(false));
    // What is in the log and in the slots, in all copies: where it is read, there is a finding.
    let flips: Vec<_> = occurrences(&bytes, b"imported-value").into_iter().map(|at| closed.flip(at + 3, 0)).collect();
    let damaged = report(true);
    assert!(!damaged.is_clean());
    assert_eq!(damaged, report(false));
    drop(flips);
    let names =
        |path: &PathBuf| -> Vec<_> { fs::read_dir(path).unwrap().map(|file| file.unwrap().file_name()).collect() };
    let names = names(&closed.path);
    assert!(
        names.iter().all(|name| ["format", "archive.redb", "lagrange"].iter().any(|ours| name == ours)),
        "{names:?}"
    );
}

#[test]
fn a_flipped_byte_in_a_key_of_the_index_is_found() {
    let closed = Closed::new();
    let bytes = fs::read(closed.file()).unwrap();
    for key in ["imported-key-17", "genesis-key"] {
        let found = occurrences(&bytes, key.as_bytes()).into_iter().filter(|start| {
            let outcome = closed.with_flip(start + 2, 0);
            names(&outcome, &Place::Index(key.into()))
        });
        assert!(found.count() >= 1, "{key}");
    }
}

/// The bytes of the file that are not zero, and some that are.
fn interesting(file: &[u8]) -> Vec<usize> {
    (0..file.len()).filter(|offset| file[*offset] != 0 || offset % 4099 == 0).collect()
}

#[test]
fn no_flipped_byte_anywhere_in_the_file_goes_unnoticed_and_changes_an_answer() {
    let closed = Closed::new();
    let bytes = fs::read(closed.file()).unwrap();
    let offsets = interesting(&bytes);
    let state = |archive: &Archive| {
        let past: Vec<_> = (archive.oldest_version()..=archive.version())
            .map(|version| (archive.commitments(version).unwrap(), archive.tail(version).unwrap()))
            .collect();
        (archive.validator().unwrap().state(), past)
    };
    let expected = state(&closed.open().unwrap());
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig { cases: 200, ..Default::default() });
    let flips = (prop::sample::select(offsets), 0..8u8);
    runner
        .run(&flips, |(offset, bit)| {
            let _flip = closed.flip(offset, bit);
            let unnoticed = closed.audit().is_ok_and(|report| report.is_clean());
            if unnoticed {
                prop_assert!(state(&closed.open().unwrap()) == expected, "offset {}, bit {}", offset, bit);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn writing_to_a_damaged_archive_fails_or_succeeds_and_never_panics() {
    let closed = Closed::new();
    let bytes = fs::read(closed.file()).unwrap();
    let flips = (prop::sample::select(interesting(&bytes)), 0..8u8);
    let config = ProptestConfig { cases: 100, ..Default::default() };
    let written = proptest::test_runner::TestRunner::new(config).run(&flips, |(offset, bit)| {
        let mut damaged = bytes.clone();
        damaged[offset] ^= 1 << bit;
        fs::write(closed.file(), damaged).unwrap();
        if let Ok(mut archive) = Archive::builder().scheme(closed.scheme.clone()).open(&closed.path) {
            // Whether they succeed depends on what was hit; that they return is the point.
            let _ = archive.import(vec![change("imported-key-20", None), change("new", Some("1"))]);
            let _ = archive.validator();
        }
        Ok(())
    });
    written.unwrap();
}

#[test]
fn a_truncated_file_is_an_error_or_a_finding() {
    let closed = Closed::new();
    let bytes = fs::read(closed.file()).unwrap();
    for length in [0, 100, 4096, bytes.len() / 2, bytes.len() - 1] {
        fs::write(closed.file(), &bytes[..length]).unwrap();
        assert!(closed.audit().map_or(true, |report| !report.is_clean()), "cut at {length}");
    }
}
