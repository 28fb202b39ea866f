//! Backups: taken while the archive goes on, restored whole or not at all.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use aardvark_archive::backup::{BackupError, BackupReader, Beside, NothingBeside};
use aardvark_archive::{Archive, ArchiveError, SERVICE_FILE};
use aardvark_dictionary::Change;
use common::{Map, apply_changes, assert_agrees, assert_clean, change, in_memory, small};
use sha2::{Digest, Sha256};

/// Changes of a version: keys that come, change and go.
fn changes(version: usize) -> Vec<Change> {
    let key = |index: usize| format!("key-{:03}", (version * 7 + index * 13) % 40);
    let one = |index: usize| change(&key(index), (index % 4 != 3).then_some("value"));
    let count = change("count", Some(&version.to_string()));
    let mut changes: Vec<_> = (0..9).map(one).chain([count]).collect();
    changes.sort_by(|a, b| a.key.cmp(&b.key));
    changes.dedup_by(|a, b| a.key == b.key);
    changes
}

/// An archive at a version, and what it means at each.
fn archive(versions: usize) -> (Archive, Vec<Map>) {
    let mut archive = in_memory(&small(), 3);
    let (mut map, mut maps) = (Map::new(), vec![Map::new()]);
    for version in 1..=versions {
        archive.import(changes(version)).unwrap();
        apply_changes(&mut map, &changes(version));
        maps.push(map.clone());
    }
    (archive, maps)
}

fn backup(archive: &Archive) -> Vec<u8> {
    let mut bytes = Vec::new();
    archive.back_up(&mut bytes, std::iter::empty()).unwrap();
    bytes
}

/// Restores; what fails has left nothing.
fn restore(bytes: &[u8]) -> Result<(tempfile::TempDir, Archive), BackupError> {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("restored");
    let restored = BackupReader::new(bytes).and_then(|reader| {
        Archive::builder().scheme(small()).restore(&directory, reader, &mut NothingBeside, &mut |_| {})
    });
    if restored.is_err() && directory.exists() {
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 0, "what failed leaves nothing");
    }
    Ok((folder, restored?.0))
}

fn refusal(bytes: &[u8]) -> BackupError {
    restore(bytes).err().expect("it is refused")
}

#[test]
fn a_restored_archive_is_the_one_that_was_backed_up_and_goes_on() {
    let (archive, mut maps) = archive(9);
    let bytes = backup(&archive);
    let (folder, mut restored) = restore(&bytes).unwrap();
    assert_eq!((restored.id(), restored.version(), restored.retention()), (archive.id(), 9, archive.retention()));
    for version in archive.oldest_version()..=9 {
        let keys = (0..40).map(|key| format!("key-{key:03}")).collect::<Vec<_>>();
        let map = &maps[usize::try_from(version).unwrap()];
        assert_agrees(&restored, version, map, keys.iter().map(String::as_str).chain(["count"]));
    }
    assert_clean(&restored);
    assert_eq!(backup(&restored), bytes, "a backup is a function of the state");
    restored.import(changes(10)).unwrap();
    let mut map = maps.pop().unwrap();
    apply_changes(&mut map, &changes(10));
    drop(restored);
    let restored = Archive::builder().scheme(small()).open(&folder.path().join("restored")).unwrap();
    assert_agrees(&restored, 10, &map, ["count", "key-001"].into_iter());
    assert_clean(&restored);
}

/// Stores a version whenever it is given bytes.
struct Meddling<'a> {
    archive: &'a mut Archive,
    bytes: Vec<u8>,
}

impl Write for Meddling<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.archive.version() < 40 {
            let next = usize::try_from(self.archive.version()).unwrap() + 1;
            self.archive.import(changes(next)).unwrap();
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_backup_has_one_state_while_the_archive_stores_others() {
    let (mut archive, maps) = archive(6);
    let quiet = backup(&archive);
    let root = archive.validator().unwrap().root();
    let snapshot = archive.snapshot();
    let mut out = Meddling { archive: &mut archive, bytes: Vec::new() };
    let summary = snapshot.back_up(&mut out, std::iter::empty()).unwrap();
    let bytes = out.bytes;
    assert_eq!((summary.version, summary.root, archive.version()), (6, root, 40));
    assert!(bytes == quiet);
    let (_folder, restored) = restore(&bytes).unwrap();
    assert_agrees(&restored, 6, &maps[6], ["count"].into_iter());
    assert_clean(&restored);
}

/// A service that keeps its records in its file.
#[derive(Default)]
struct Service {
    records: Vec<(Vec<u8>, Vec<u8>)>,
    refuses_at_the_end: bool,
}

impl Beside for Service {
    fn take(
        &mut self,
        directory: &Path,
        archive: &Archive,
        key: Vec<u8>,
        value: Vec<u8>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        assert_eq!(archive.version(), 2, "it is told of the archive");
        self.records.push((key, value));
        Ok(fs::write(directory.join(SERVICE_FILE), format!("{:?}", self.records))?)
    }

    fn end(&mut self, _: &Path, _: &Archive) -> Result<(), Box<dyn Error + Send + Sync>> {
        if self.refuses_at_the_end { Err("they do not fit".into()) } else { Ok(()) }
    }
}

#[test]
fn records_of_a_service_come_back_in_their_order_and_are_not_lost_where_nobody_knows_them() {
    let (archive, _) = archive(2);
    let own = [(b"a".to_vec(), vec![1]), (b"b".to_vec(), Vec::new())];
    let mut bytes = Vec::new();
    let written = archive.back_up(&mut bytes, own.clone().into_iter().map(Ok)).unwrap();
    assert!(matches!(refusal(&bytes), BackupError::Beside(_)));

    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("restored");
    let builder = Archive::builder().scheme(small());
    let restore = |service: &mut Service| {
        builder.restore(&directory, BackupReader::new(bytes.as_slice()).unwrap(), service, &mut |_| {})
    };
    let refused = restore(&mut Service { refuses_at_the_end: true, ..Service::default() }).err().unwrap();
    assert!(matches!(refused, BackupError::Beside(why) if why.to_string() == "they do not fit"));
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0, "the service's file is gone too");

    // As after a kill: what a restoration left counts as empty.
    fs::write(directory.join("format.creating"), "aardvark arch").unwrap();
    fs::write(directory.join("archive.redb"), "half").unwrap();
    fs::write(directory.join(SERVICE_FILE), "half").unwrap();
    let mut service = Service::default();
    let (_, read) = restore(&mut service).unwrap();
    assert_eq!((service.records.as_slice(), &read), (&own[..], &written));
    assert!(directory.join(SERVICE_FILE).exists());

    assert_eq!(BackupReader::new(bytes.as_slice()).unwrap().check().unwrap(), written);
    let mut bytes = Vec::new();
    archive.back_up(&mut bytes, own.into_iter().rev().map(Ok)).unwrap();
    assert!(matches!(BackupReader::new(bytes.as_slice()).unwrap().check(), Err(BackupError::Damaged(_))));
}

#[test]
fn a_backup_that_is_cut_off_changed_or_longer_makes_no_archive() {
    let (archive, _) = archive(3);
    let bytes = backup(&archive);
    let damaged = |bytes: &[u8]| {
        let read = BackupReader::new(bytes).and_then(BackupReader::check);
        assert!(matches!(read, Err(BackupError::Damaged(_))), "{read:?}");
    };
    for length in (0..bytes.len()).step_by(41) {
        damaged(&bytes[..length]);
    }
    for place in (0..bytes.len()).step_by(29) {
        let mut changed = bytes.clone();
        changed[place] ^= 1 << (place % 8);
        damaged(&changed);
    }
    damaged(&[&bytes[..], b"x"].concat());
    for bad in [&bytes[..bytes.len() / 2], &bytes[..bytes.len() - 1], b"", b"aardvark backup 2\n"] {
        refusal(bad);
    }
}

#[test]
fn lengths_that_a_backup_only_announces_take_no_memory() {
    let (archive, _) = archive(1);
    let bytes = backup(&archive);
    let head = &bytes[..HEAD];
    let huge = [head, &[1, 0, 1, b'k'], &u32::MAX.to_be_bytes()].concat();
    assert!(matches!(refusal(&huge), BackupError::Damaged("a value is longer than any")));
    let announced = [head, &[1, 0, 1, b'k'], &(16u32 << 20).to_be_bytes(), b"short"].concat();
    assert!(matches!(refusal(&announced), BackupError::Damaged("it is cut off")));
}

#[test]
fn who_does_not_take_the_bytes_is_an_error_and_what_is_there_already_is_kept() {
    let (archive, _) = archive(2);
    let mut short = [0; 100];
    assert!(matches!(archive.back_up(&mut short[..], std::iter::empty()), Err(BackupError::Io(_))));
    let bytes = backup(&archive);
    let (folder, restored) = restore(&bytes).unwrap();
    drop(restored);
    let builder = Archive::builder().scheme(small());
    let reader = BackupReader::new(bytes.as_slice()).unwrap();
    let again = builder.restore(&folder.path().join("restored"), reader, &mut NothingBeside, &mut |_| {});
    assert!(matches!(again, Err(BackupError::Archive(ArchiveError::NotEmpty { .. }))));
    assert_eq!(builder.open(&folder.path().join("restored")).unwrap().version(), 2);
}

/// Bytes before the first record: mark, id, version, root.
const HEAD: usize = 18 + 32 + 8 + 32;
/// Numbers of tables.
const SLOTS: u8 = 1;
const INDEX: u8 = 2;
const COMMITMENTS: u8 = 3;
const PAST_SLOTS: u8 = 4;
const PAST_COMMITMENTS: u8 = 6;
const VERSIONS: u8 = 8;
const LOG: u8 = 9;

/// A backup taken apart, by the format's description alone.
#[derive(Clone)]
struct Forgery {
    head: Vec<u8>,
    records: Vec<(u8, Vec<u8>, Vec<u8>)>,
}

impl Forgery {
    fn of(bytes: &[u8]) -> Self {
        let (head, mut rest) = bytes.split_at(HEAD);
        let mut records = Vec::new();
        let mut take = |length: usize| rest.split_off(..length).unwrap().to_vec();
        loop {
            let table = take(1)[0];
            if table == 255 {
                return Self { head: head.to_vec(), records };
            }
            let length = take(2).iter().fold(0, |sum, byte| 256 * sum + usize::from(*byte));
            let key = take(length);
            let length = take(4).iter().fold(0, |sum, byte| 256 * sum + usize::from(*byte));
            records.push((table, key, take(length)));
        }
    }

    /// The bytes, with a digest that holds.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head.clone();
        for (table, key, value) in &self.records {
            bytes.push(*table);
            bytes.extend(u16::try_from(key.len()).unwrap().to_be_bytes());
            bytes.extend_from_slice(key);
            bytes.extend(u32::try_from(value.len()).unwrap().to_be_bytes());
            bytes.extend_from_slice(value);
        }
        bytes.push(255);
        bytes.extend(u64::try_from(self.records.len()).unwrap().to_be_bytes());
        bytes.extend(tagged("AARDVARK-BACKUP", &bytes));
        bytes
    }

    fn table(&self, table: u8) -> Vec<(u8, Vec<u8>, Vec<u8>)> {
        self.records.iter().filter(|(found, ..)| *found == table).cloned().collect()
    }

    /// The same with a table of another backup.
    fn with_table_of(&self, other: &Self, table: u8) -> Self {
        let mut records: Vec<_> = self.records.iter().filter(|(found, ..)| *found != table).cloned().collect();
        records.extend(other.table(table));
        records.sort();
        Self { records, ..self.clone() }
    }

    /// The same with a record more, whose checksum holds.
    fn and(&self, table: u8, key: &[u8], body: &[u8]) -> Self {
        let length = u16::try_from(key.len()).unwrap().to_be_bytes();
        let sum = tagged("AARDVARK-STORE-RECORD", &[&[table][..], &length, key, body].concat());
        let mut records = self.records.clone();
        records.push((table, key.to_vec(), [body, &sum[..4]].concat()));
        records.sort();
        Self { records, ..self.clone() }
    }

    /// The same without the last record of a table.
    fn without_last_of(&self, table: u8) -> Self {
        let last = self.records.iter().rposition(|(found, ..)| *found == table).unwrap();
        let mut records = self.records.clone();
        records.remove(last);
        Self { records, ..self.clone() }
    }
}

fn tagged(tag: &str, bytes: &[u8]) -> [u8; 32] {
    let hash = Sha256::new().chain_update([u8::try_from(tag.len()).unwrap()]).chain_update(tag);
    hash.chain_update(bytes).finalize().into()
}

#[test]
fn a_forged_backup_whose_digest_holds_makes_no_archive() {
    let (honest, _) = archive(6);
    let honest = Forgery::of(&backup(&honest));
    assert!(restore(&honest.bytes()).is_ok(), "what is put together as it was is restored");
    // The same number of keys and versions, and another value.
    let other = {
        let mut other = in_memory(&small(), 3);
        for version in 1..=6 {
            let mut changes = changes(version);
            changes.iter_mut().filter(|change| *change.key == *b"count").for_each(|change| {
                change.value = Some(format!("other {version}").as_str().into());
            });
            other.import(changes).unwrap();
        }
        Forgery::of(&backup(&other))
    };
    for table in [SLOTS, COMMITMENTS, PAST_SLOTS, PAST_COMMITMENTS, VERSIONS, LOG] {
        assert!(honest.table(table) != other.table(table), "table {table} differs");
        let error = refusal(&honest.with_table_of(&other, table).bytes());
        let expected = match table {
            SLOTS | COMMITMENTS | VERSIONS | LOG => matches!(error, BackupError::Contradiction(_)),
            _ => matches!(error, BackupError::OtherRoot { .. }),
        };
        assert!(expected, "table {table}: {error}");
    }
    let claimed = Forgery { head: honest.head.clone(), ..other.clone() };
    assert!(matches!(refusal(&claimed.bytes()), BackupError::OtherRoot { .. }));
    for (place, head) in [(20, "id"), (18 + 32 + 7, "version")] {
        let mut head_of_another = honest.clone();
        head_of_another.head[place] ^= 8;
        let error = refusal(&head_of_another.bytes());
        assert!(matches!(error, BackupError::OtherHead), "{head}: {error}");
    }
    for table in [SLOTS, COMMITMENTS, VERSIONS] {
        let error = refusal(&honest.without_last_of(table).bytes());
        assert!(matches!(error, BackupError::NotARecord(..) | BackupError::Archive(_)), "{table}: {error}");
    }
    for table in [INDEX, LOG] {
        assert!(matches!(refusal(&honest.without_last_of(table).bytes()), BackupError::Contradiction(_)), "{table}");
    }
}

#[test]
fn a_record_that_no_archive_has_is_refused_though_nothing_would_read_it_yet() {
    let (archive, _) = archive(4);
    let (size, honest) = (archive.size(), Forgery::of(&backup(&archive)));
    let slot = honest.table(SLOTS)[1].2.clone();
    let slot = &slot[..slot.len() - 4];
    let number = |number: u64| number.to_be_bytes().to_vec();
    let pair = |first: u64, second: u64| [number(first), number(second)].concat();
    for forged in [
        honest.and(SLOTS, &number(size), slot),
        honest.and(COMMITMENTS, &number(99), &[0; 96]),
        honest.and(LOG, &pair(5, 0), b"of a version to come"),
        honest.and(PAST_SLOTS, &pair(0, 5), slot),
        honest.and(SLOTS, b"no number", slot),
    ] {
        let error = refusal(&forged.bytes());
        assert!(matches!(error, BackupError::NotARecord(..)), "{error}");
    }
    assert!(matches!(refusal(&honest.and(INDEX, b"zz", &number(1)).bytes()), BackupError::Contradiction(_)));
    assert!(matches!(refusal(&honest.and(77, b"k", b"v").bytes()), BackupError::Damaged(_)));
    let mut broken = honest;
    let (.., record) = broken.records.iter_mut().find(|(table, ..)| *table == SLOTS).unwrap();
    record[9] ^= 1;
    assert!(matches!(refusal(&broken.bytes()), BackupError::NotARecord(..)));
}
