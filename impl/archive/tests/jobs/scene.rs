//! A small archive, jobs about it, and its records changed with checksums that hold.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use aardvark_algebra::hash::TaggedHash;
use aardvark_archive::{Archive, FalsePartition, JobError, JobKind, JobReport, JobResult, JobStatus, Jobs};
use aardvark_commitment::VectorCommitment;
use aardvark_dictionary::Slot;
use aardvark_dictionary::codec::{Reader, put_slot};
use redb::{Database, ReadOnlyDatabase, ReadableDatabase, ReadableTable, TableDefinition};

use crate::common::{Map, change, genesis, small};

/// Keys; with the sentinel three vectors of four slots, the last one with two.
pub(crate) const KEYS: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
pub(crate) const VECTORS: u64 = 3;

type Table = TableDefinition<'static, &'static [u8], &'static [u8]>;

pub(crate) fn table(name: &'static str) -> Table {
    TableDefinition::new(name)
}

/// An archive of two versions, in a folder of its own. Positions are not in the order of keys.
pub(crate) fn archive(parent: &Path, value: &str) -> PathBuf {
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

pub(crate) fn open(path: &Path) -> Archive {
    Archive::builder().scheme(small()).open_read_only(path).unwrap()
}

pub(crate) fn size(vectors: u64) -> NonZeroU64 {
    NonZeroU64::new(vectors).unwrap()
}

pub(crate) fn start(path: &Path, kind: JobKind, partition_size: u64) -> Result<JobReport, JobError> {
    let report = open(path).start_job(kind, size(partition_size), None, &mut |_| {});
    report.inspect(|report| demand_record(path, report))
}

pub(crate) fn resume(path: &Path, kind: JobKind) -> Result<JobReport, JobError> {
    open(path).resume_job(kind, None, &mut |_| {}).inspect(|report| demand_record(path, report))
}

/// What is recorded of a job, whose record there is.
pub(crate) fn status(path: &Path, kind: JobKind) -> JobStatus {
    Jobs::at(path).unwrap().status(kind).unwrap().unwrap()
}

/// Demands that a report is recorded, and holds where it says so and nowhere else.
fn demand_record(path: &Path, report: &JobReport) {
    let recorded = status(path, report.status.job.kind);
    let result = if report.is_clean() { JobResult::Holds } else { JobResult::False };
    assert_eq!((&recorded, recorded.result()), (&report.status, result), "{report:?}");
    let end = recorded.end.unwrap();
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert_eq!((end.findings, end.root), (findings, report.root));
}

pub(crate) fn cancel(path: &Path, kind: JobKind) -> bool {
    Jobs::at(path).unwrap().cancel(kind).unwrap()
}

/// What a report says, whoever worked on the job.
pub(crate) fn outcome(report: &JobReport) -> (u64, &[FalsePartition], &[aardvark_archive::Finding], Option<[u8; 32]>) {
    (report.status.done, &report.status.false_partitions, &report.findings, report.root)
}

/// Changes a record of a store's file: its body, without the checksum, which is made to hold.
pub(crate) fn change_record(
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

pub(crate) const SLOTS: (&str, u8) = ("slots", 1);
pub(crate) const INDEX: (&str, u8) = ("index", 2);
pub(crate) const COMMITMENTS: (&str, u8) = ("commitments", 3);
pub(crate) const LOG: (&str, u8) = ("log", 9);

pub(crate) fn store(path: &Path) -> PathBuf {
    path.join("archive.redb")
}

/// The slot at a position.
pub(crate) fn slot_at(path: &Path, position: u64) -> Slot {
    let transaction = ReadOnlyDatabase::open(store(path)).unwrap().begin_read().unwrap();
    let slots = transaction.open_table(table(SLOTS.0)).unwrap();
    let record = slots.get(position.to_be_bytes().as_slice()).unwrap().unwrap().value().to_vec();
    Reader::new(&record[8..record.len() - 4]).slot().unwrap()
}

pub(crate) fn position_of(path: &Path, key: &str) -> u64 {
    (0..=KEYS.len() as u64).find(|position| *slot_at(path, *position).key == *key.as_bytes()).unwrap()
}

pub(crate) fn change_slot(path: &Path, position: u64, change: impl Fn(&mut Slot)) {
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
pub(crate) fn recommit(path: &Path, vector: u64) {
    let scalars: Vec<_> =
        (4 * vector..(4 * vector + 4).min(KEYS.len() as u64 + 1)).map(|at| slot_at(path, at).scalar()).collect();
    let commitment = small().commit(&scalars).unwrap();
    let encoded = aardvark_algebra::encoding::encode_g1_uncompressed(commitment.point());
    change_record(&store(path), COMMITMENTS, &vector.to_be_bytes(), |_| Some(encoded.to_vec()));
}

/// The places that an audit by a job names at partitions, and those at its end.
pub(crate) fn audit(path: &Path) -> (Vec<(u64, Vec<String>)>, Vec<String>) {
    cancel(path, JobKind::Audit);
    let report = start(path, JobKind::Audit, 1).unwrap();
    assert_eq!(report.root.is_some(), report.is_clean());
    assert_eq!(report.status.done, VECTORS, "what is found stops nothing");
    let of_partitions = report.status.false_partitions.iter().map(|found| (found.partition, found.findings.clone()));
    (of_partitions.collect(), report.findings.iter().map(ToString::to_string).collect())
}
