//! Jobs: partitions of an audit and of openings, killed, resumed, taken over, on damaged stores and
//! with hostile records.
//!
//! Killed processes are this test binary, started again: the ignored test `child` does what its
//! environment says.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail by panicking")]

mod common;

use std::env;
use std::fs;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::Command;

use aardvark_algebra::hash::TaggedHash;
use aardvark_archive::{Archive, ArchiveError, FalsePartition, Fault, JobError, JobKind, JobReport, Jobs, Place};
use aardvark_commitment::VectorCommitment;
use aardvark_dictionary::codec::{Reader, put_slot};
use aardvark_dictionary::{Key, Slot};
use common::{Map, change, genesis, small};
use redb::{Database, ReadOnlyDatabase, ReadableDatabase, ReadableTable, TableDefinition};

const DIRECTORY: &str = "AARDVARK_TEST_DIRECTORY";
const KIND: &str = "AARDVARK_TEST_KIND";
/// The report of progress at which the child is killed.
const AT: &str = "AARDVARK_TEST_AT";
/// Keys; with the sentinel three vectors of four slots, the last one with two.
const KEYS: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
const VECTORS: u64 = 3;

type Table = TableDefinition<'static, &'static [u8], &'static [u8]>;

fn table(name: &'static str) -> Table {
    TableDefinition::new(name)
}

/// An archive of two versions, in a folder of its own. Positions are not in the order of keys.
fn archive(parent: &Path, value: &str) -> PathBuf {
    let (path, scheme) = (parent.join("archive"), small());
    let genesis = genesis(&scheme, 3, &Map::new());
    let mut archive = Archive::builder().scheme(scheme).create(&path, &genesis).unwrap();
    for odd in [false, true] {
        let keys = KEYS.iter().enumerate().filter(|(number, _)| (number % 2 == 1) == odd);
        archive.import(keys.map(|(_, key)| change(key, Some(value))).collect()).unwrap();
    }
    assert_eq!((archive.version(), archive.vectors()), (2, VECTORS));
    path
}

fn open(path: &Path) -> Archive {
    Archive::builder().scheme(small()).open_read_only(path).unwrap()
}

fn size(vectors: u64) -> NonZeroU64 {
    NonZeroU64::new(vectors).unwrap()
}

fn start(path: &Path, kind: JobKind, partition_size: u64) -> Result<JobReport, JobError> {
    open(path).start_job(kind, size(partition_size), None, &mut |_| {})
}

fn resume(path: &Path, kind: JobKind) -> Result<JobReport, JobError> {
    open(path).resume_job(kind, None, &mut |_| {})
}

fn cancel(path: &Path, kind: JobKind) -> bool {
    Jobs::at(path).unwrap().cancel(kind).unwrap()
}

/// What a report says, whoever worked on the job.
fn outcome(report: &JobReport) -> (u64, &[FalsePartition], &[aardvark_archive::Finding], Option<[u8; 32]>) {
    (report.status.done, &report.status.false_partitions, &report.findings, report.root)
}

/// Changes a record of a store's file: its body, without the checksum, which is made to hold.
fn change_record(
    file: &Path,
    (name, number): (&'static str, u8),
    key: &[u8],
    change: impl Fn(Option<Vec<u8>>) -> Option<Vec<u8>>,
) {
    let database = Database::open(file).unwrap();
    let mut transaction = database.begin_write().unwrap();
    transaction.set_quick_repair(true);
    {
        let mut table = transaction.open_table(table(name)).unwrap();
        let body = table.get(key).unwrap().map(|record| record.value()[..record.value().len() - 4].to_vec());
        match change(body) {
            Some(mut body) => {
                let length = u16::try_from(key.len()).unwrap().to_be_bytes();
                let hash = TaggedHash::new("AARDVARK-STORE-RECORD").chain([number]).chain(length).chain(key);
                body.extend_from_slice(&hash.chain(&body).finalize()[..4]);
                table.insert(key, body.as_slice()).unwrap();
            }
            None => drop(table.remove(key).unwrap()),
        }
    }
    transaction.commit().unwrap();
}

const SLOTS: (&str, u8) = ("slots", 1);
const INDEX: (&str, u8) = ("index", 2);
const COMMITMENTS: (&str, u8) = ("commitments", 3);

fn store(path: &Path) -> PathBuf {
    path.join("archive.redb")
}

/// The slot at a position.
fn slot_at(path: &Path, position: u64) -> Slot {
    let transaction = ReadOnlyDatabase::open(store(path)).unwrap().begin_read().unwrap();
    let slots = transaction.open_table(table(SLOTS.0)).unwrap();
    let record = slots.get(position.to_be_bytes().as_slice()).unwrap().unwrap().value().to_vec();
    Reader::new(&record[8..record.len() - 4]).slot().unwrap()
}

fn position_of(path: &Path, key: &str) -> u64 {
    (0..=KEYS.len() as u64).find(|position| *slot_at(path, *position).key == *key.as_bytes()).unwrap()
}

fn change_slot(path: &Path, position: u64, change: impl Fn(&mut Slot)) {
    change_record(&store(path), SLOTS, &position.to_be_bytes(), |body| {
        let body = body.unwrap();
        let mut slot = Reader::new(&body[8..]).slot().unwrap();
        change(&mut slot);
        let mut changed = body[..8].to_vec();
        put_slot(&mut changed, &slot);
        Some(changed)
    });
}

/// Makes the commitment of a vector that of its slots.
fn recommit(path: &Path, vector: u64) {
    let scalars: Vec<_> =
        (4 * vector..(4 * vector + 4).min(KEYS.len() as u64 + 1)).map(|at| slot_at(path, at).scalar()).collect();
    let commitment = small().commit(&scalars).unwrap();
    let encoded = aardvark_algebra::encoding::encode_g1_uncompressed(commitment.point());
    change_record(&store(path), COMMITMENTS, &vector.to_be_bytes(), |_| Some(encoded.to_vec()));
}

/// The places that an audit by a job names at partitions, and those at its end.
fn audit(path: &Path) -> (Vec<(u64, Vec<String>)>, Vec<String>) {
    cancel(path, JobKind::Audit);
    let report = start(path, JobKind::Audit, 1).unwrap();
    assert_eq!(report.root.is_some(), report.is_clean());
    assert_eq!(report.status.done, VECTORS, "what is found stops nothing");
    let of_partitions = report.status.false_partitions.iter().map(|found| (found.partition, found.findings.clone()));
    (of_partitions.collect(), report.findings.iter().map(ToString::to_string).collect())
}

#[test]
fn an_audit_in_any_partitions_finds_nothing_at_a_sound_archive_and_gives_its_root() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    let root = open(&path).validator().unwrap().root();
    for partition_size in [1, 2, 3, u64::MAX] {
        let mut told = Vec::new();
        let report = open(&path)
            .start_job(JobKind::Audit, size(partition_size), Some(root), &mut |at| told.push((at.done, at.total)))
            .unwrap();
        assert!(report.is_clean(), "{report:?}");
        assert_eq!(report.root, Some(root));
        assert_eq!(report.status.done, VECTORS.div_ceil(partition_size));
        assert!(told.is_sorted() && told.first() == Some(&(0, VECTORS)) && told.last() == Some(&(VECTORS, VECTORS)));
    }
    let other = open(&path).resume_job(JobKind::Audit, Some([7; 32]), &mut |_| {}).unwrap();
    assert!(matches!(&*other.findings, [found] if found.fault == Fault::OtherRoot(root)), "{other:?}");
    assert!(open(&path).audit(&mut |_| {}).unwrap().is_clean());
}

#[test]
#[ignore = "what the other tests of this file start and kill"]
fn child() {
    let Ok(directory) = env::var(DIRECTORY) else {
        return;
    };
    let kind = if env::var(KIND).unwrap() == "audit" { JobKind::Audit } else { JobKind::Openings };
    let at: u64 = env::var(AT).unwrap().parse().unwrap();
    let (archive, mut told) = (open(Path::new(&directory)), 0);
    let report = archive.start_job(kind, size(1), None, &mut |_| {
        told += 1;
        if told == at {
            std::process::abort();
        }
    });
    assert!(report.unwrap().is_clean());
}

/// Starts a job in a process that is killed at some report of progress; whether it was.
fn killed(path: &Path, kind: JobKind, at: u64) -> bool {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "child", "--ignored", "--nocapture"]).env(DIRECTORY, path);
    let output = command.env(KIND, kind.to_string()).env(AT, at.to_string()).output().unwrap();
    assert!(output.status.success() || output.status.code().is_none(), "{output:?}");
    output.status.code().is_none()
}

#[test]
fn a_job_killed_at_any_moment_loses_one_partition_at_most_and_ends_as_if_it_had_not_been() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    for kind in JobKind::ALL {
        let expected = start(&path, kind, 1).unwrap();
        let rows = |path: &Path| fs::read(path.join("openings")).ok();
        let stored = rows(&path);
        // Each partition reports that it begins, that its only vector is done, and that it is
        // recorded.
        let mut kills = 0;
        for at in 1.. {
            cancel(&path, kind);
            if kind == JobKind::Openings {
                fs::remove_file(path.join("openings")).unwrap();
            }
            if !killed(&path, kind, at) {
                break;
            }
            kills += 1;
            let status = Jobs::at(&path).unwrap().status(kind).unwrap().unwrap();
            assert_eq!(status.done, at / 3, "{kind}, killed at {at}");
            if status.done < VECTORS {
                assert!(matches!(start(&path, kind, 1), Err(JobError::Unfinished(refused)) if refused == kind));
            }
            let resumed = resume(&path, kind).unwrap();
            assert_eq!(outcome(&resumed), outcome(&expected), "{kind}, killed at {at}");
            assert_eq!(rows(&path), stored);
        }
        assert!(kills >= 3 * VECTORS, "{kills}");
    }
}

#[test]
fn what_an_audit_has_done_is_not_done_again_and_what_has_changed_since_is_found() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    assert!(killed(&path, JobKind::Audit, 8));
    let mut told = Vec::new();
    let report = open(&path).resume_job(JobKind::Audit, None, &mut |at| told.push(at.done)).unwrap();
    assert!(report.is_clean());
    assert_eq!(told.first(), Some(&2), "two partitions were recorded");
    cancel(&path, JobKind::Audit);
    // A vector of a partition that is recorded becomes another one, in itself without fault.
    assert!(killed(&path, JobKind::Audit, 8));
    change_slot(&path, 5, |slot| slot.value = "other".into());
    recommit(&path, 1);
    let report = resume(&path, JobKind::Audit).unwrap();
    assert!(report.status.false_partitions.is_empty() && report.root.is_none());
    assert!(matches!(&*report.findings, [found] if found.place == Place::Commitment(1)), "{report:?}");
}

#[test]
fn a_damaged_slot_commitment_or_order_is_found_at_its_partition() {
    let parent = tempfile::tempdir().unwrap();
    let clean = archive(parent.path(), "1");
    let (bytes, commitment) = (fs::read(store(&clean)).unwrap(), "not the commitment of its slots");
    let damaged = |damage: &dyn Fn(&Path)| {
        fs::write(store(&clean), &bytes).unwrap();
        damage(&clean);
        audit(&clean)
    };
    let is_at = |(partition, findings): &(u64, Vec<String>), expected: u64, what: &str| {
        *partition == expected && findings.iter().all(|finding| finding.contains(what))
    };
    for position in [0, 6, KEYS.len() as u64] {
        let vector = position / 4;
        // A wrong slot, a wrong commitment.
        let (at, end) = damaged(&|path| change_slot(path, position, |slot| slot.value = "2".into()));
        assert!(at.len() == 1 && is_at(&at[0], vector, commitment) && end.is_empty(), "{position}: {at:?} {end:?}");
        // A missing slot.
        let (at, end) = damaged(&|path| change_record(&store(path), SLOTS, &position.to_be_bytes(), |_| None));
        assert!(at.len() == 1 && is_at(&at[0], vector, "missing") && end.is_empty(), "{position}: {at:?} {end:?}");
        // A wrong order under a commitment that holds: not ascending, and skipping a slot.
        for next in ["a", "i"] {
            let (at, end) = damaged(&|path| {
                change_slot(path, position, |slot| {
                    slot.next = if *slot.next == *next.as_bytes() { "z".into() } else { next.into() };
                });
                recommit(path, vector);
            });
            assert!(at.len() == 1 && is_at(&at[0], vector, "next key") && end.is_empty(), "{position}: {at:?} {end:?}");
        }
    }
    for vector in [0, VECTORS - 1] {
        let (at, end) =
            damaged(&|path| change_record(&store(path), COMMITMENTS, &vector.to_be_bytes(), |_| Some(vec![0; 96])));
        assert!(at.len() == 1 && at[0].0 == vector && end.is_empty(), "{vector}: {at:?} {end:?}");
        let (at, end) = damaged(&|path| change_record(&store(path), COMMITMENTS, &vector.to_be_bytes(), |_| None));
        assert!(at.len() == 1 && is_at(&at[0], vector, "missing") && end.is_empty(), "{vector}: {at:?} {end:?}");
    }
}

#[test]
fn a_damaged_index_and_what_stands_beyond_the_end_are_found() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    let bytes = fs::read(store(&path)).unwrap();
    let again = || fs::write(store(&path), &bytes).unwrap();
    let vector_of = |key: &str| position_of(&path, key) / 4;
    let (of_g, before_g) = (vector_of("g"), vector_of("f"));
    // An index entry that leads elsewhere, and one that is gone.
    change_record(&store(&path), INDEX, b"g", |_| Some(0u64.to_be_bytes().to_vec()));
    let (at, end) = audit(&path);
    assert!(end.is_empty() && at.len() == 1 && at[0].0 == of_g, "{at:?} {end:?}");
    again();
    change_record(&store(&path), INDEX, b"g", |_| None);
    let (at, end) = audit(&path);
    let mut expected = vec![of_g, before_g];
    expected.sort_unstable();
    assert_eq!(at.iter().map(|(partition, _)| *partition).collect::<Vec<_>>(), expected);
    assert!(end.iter().any(|found| found.contains("not as many keys")), "{end:?}");
    // One too many, which the slot before it names, under a commitment that holds.
    again();
    let position = position_of(&path, "f");
    change_record(&store(&path), INDEX, b"ff", |_| Some(position.to_be_bytes().to_vec()));
    change_slot(&path, position, |slot| slot.next = Key::from("ff"));
    recommit(&path, position / 4);
    let (at, end) = audit(&path);
    assert!(at.is_empty() && end.len() == 1 && end[0].contains("not as many keys"), "{at:?} {end:?}");
    // A slot and a commitment where none is in use.
    again();
    let last = KEYS.len() as u64;
    let mut copy = 2u64.to_be_bytes().to_vec();
    put_slot(&mut copy, &slot_at(&path, last));
    change_record(&store(&path), SLOTS, &(last + 1).to_be_bytes(), |_| Some(copy.clone()));
    change_record(&store(&path), COMMITMENTS, &VECTORS.to_be_bytes(), |_| Some(vec![0; 96]));
    let (at, end) = audit(&path);
    assert!(at.is_empty() && end.len() == 2, "{at:?} {end:?}");
    assert!(end[0].contains(&format!("position {}", last + 1)) && end[1].contains("vector 3"), "{end:?}");
}

#[test]
fn openings_of_a_false_commitment_are_not_stored_and_their_partition_is_named() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    change_slot(&path, 9, |slot| slot.value = "2".into());
    let report = start(&path, JobKind::Openings, 2).unwrap();
    let [found] = &*report.status.false_partitions else { panic!("{report:?}") };
    assert_eq!((found.partition, found.vectors.clone(), report.status.done), (1, 2..3, 2));
    assert!(report.findings.is_empty() && !report.is_clean(), "{report:?}");
    assert_eq!(Jobs::at(&path).unwrap().status(JobKind::Openings).unwrap(), Some(report.status));
    assert_eq!(open(&path).stored_openings().unwrap().unwrap().current, 2);
    // Rows that are gone are found when the job is asked again.
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    assert!(start(&path, JobKind::Openings, 2).unwrap().is_clean());
    assert_eq!(open(&path).stored_openings().unwrap().unwrap().current, VECTORS);
    open(&path).remove_stored_openings().unwrap();
    let report = resume(&path, JobKind::Openings).unwrap();
    assert_eq!(report.findings.len() as u64, VECTORS, "{report:?}");
}

#[test]
fn a_job_about_another_version_history_or_dictionary_is_refused() {
    let parent = tempfile::tempdir().unwrap();
    let [ours, other] = [("one", "1"), ("two", "2")].map(|(name, value)| {
        fs::create_dir(parent.path().join(name)).unwrap();
        archive(&parent.path().join(name), value)
    });
    assert!(matches!(resume(&ours, JobKind::Audit), Err(JobError::None(JobKind::Audit))));
    assert!(start(&ours, JobKind::Audit, 1).unwrap().is_clean());
    assert!(matches!(resume(&ours, JobKind::Openings), Err(JobError::None(JobKind::Openings))));
    let refused = |path: &Path, what: &str| match resume(path, JobKind::Audit) {
        Err(JobError::Another { about, .. }) => assert!(about.contains(what), "{about}"),
        outcome => panic!("{outcome:?}"),
    };
    // One dictionary and version number, other blocks.
    fs::copy(ours.join("jobs.redb"), other.join("jobs.redb")).unwrap();
    refused(&other, "another history of version 2");
    let mut writer = Archive::builder().scheme(small()).open(&ours).unwrap();
    writer.import(vec![change("a", Some("3"))]).unwrap();
    drop(writer);
    refused(&ours, "version 2, and the newest one is 3");
    let jobs = ours.join("jobs.redb");
    change_record(&jobs, ("meta", 0), &[1], |body| body.map(|body| [&[9; 32], &body[32..]].concat()));
    refused(&ours, "another dictionary");
    // The job is done, so that a new one may take its place.
    assert!(start(&ours, JobKind::Audit, 1).unwrap().is_clean());
}

#[test]
fn a_job_that_another_process_takes_over_or_removes_ends_with_a_typed_error() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    let mut taken = false;
    let outcome = open(&path).start_job(JobKind::Audit, size(2), None, &mut |_| {
        if !taken {
            taken = true;
            assert!(resume(&path, JobKind::Audit).unwrap().is_clean());
        }
    });
    assert!(matches!(outcome, Err(JobError::TakenOver(JobKind::Audit))), "{outcome:?}");
    let status = Jobs::at(&path).unwrap().status(JobKind::Audit).unwrap().unwrap();
    assert_eq!((status.done, status.false_partitions.len()), (2, 0));
    let outcome = open(&path).start_job(JobKind::Audit, size(2), None, &mut |_| {
        cancel(&path, JobKind::Audit);
    });
    assert!(matches!(outcome, Err(JobError::TakenOver(JobKind::Audit))), "{outcome:?}");
    assert_eq!(Jobs::at(&path).unwrap().status(JobKind::Audit).unwrap(), None);
    assert!(!cancel(&path, JobKind::Audit));
    let mut in_memory = common::in_memory(&small(), 3);
    in_memory.import(vec![change("a", Some("1"))]).unwrap();
    let refused = in_memory.start_job(JobKind::Audit, size(2), None, &mut |_| {});
    assert!(matches!(refused, Err(JobError::InMemory)));
}

/// Changes the bytes of a record, checksum and all.
fn overwrite(file: &Path, key: &[u8], bytes: &[u8]) {
    let database = Database::open(file).unwrap();
    let mut transaction = database.begin_write().unwrap();
    transaction.set_quick_repair(true);
    transaction.open_table(table("meta")).unwrap().insert(key, bytes).unwrap();
    transaction.commit().unwrap();
}

#[test]
fn hostile_records_are_typed_errors_and_a_job_with_them_can_be_removed() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    assert!(start(&path, JobKind::Audit, 1).unwrap().is_clean());
    let jobs = path.join("jobs.redb");
    let whole = fs::read(&jobs).unwrap();
    let partition = |number: u64| [&[1][..], &number.to_be_bytes()].concat();
    let hostile: [(Vec<u8>, Vec<u8>, Option<u64>); 7] = [
        (vec![1], vec![], None),
        (vec![1], vec![0; 3], None),
        (vec![1], vec![255; 200], None),
        (partition(2), vec![255; 40], Some(2)),
        (partition(0), vec![], Some(0)),
        (partition(VECTORS), vec![1; 38], None),
        (vec![1, 1], vec![1; 38], None),
    ];
    for (key, bytes, partition) in hostile {
        overwrite(&jobs, &key, &bytes);
        let is_named = |error: &JobError| matches!(error, JobError::Record { partition: at, .. } if *at == partition);
        assert!(is_named(&resume(&path, JobKind::Audit).unwrap_err()), "{key:?}");
        assert!(is_named(&Jobs::at(&path).unwrap().status(JobKind::Audit).unwrap_err()), "{key:?}");
        assert!(is_named(&start(&path, JobKind::Audit, 1).unwrap_err()), "{key:?}");
        assert!(cancel(&path, JobKind::Audit));
        assert!(start(&path, JobKind::Audit, 1).unwrap().is_clean());
        fs::write(&jobs, &whole).unwrap();
    }
    // Bodies whose checksum holds.
    change_record(&jobs, ("meta", 0), &[1], |body| body.map(|body| [&body[..80], &[0; 16]].concat()));
    assert!(matches!(resume(&path, JobKind::Audit), Err(JobError::Record { partition: None, .. })));
    for bytes in [&b"no store at all"[..], &[]] {
        fs::write(&jobs, bytes).unwrap();
        assert!(matches!(resume(&path, JobKind::Audit), Err(JobError::Archive(ArchiveError::Open { .. }))));
    }
}
