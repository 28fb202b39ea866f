//! The store of jobs' records, open for an instant at a time.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use aardvark_algebra::integers::u64_of_usize;

use crate::directory::Directory;
use crate::error::{ArchiveError, DamageKind};
use crate::records::{body, checksum};
use crate::redb_store::RedbStore;
use crate::store::{Read, Store, StoreError, Table, Write};

use super::form::{self, Outcome};
use super::job::{FalsePartition, Job, JobEnd, JobError, JobKind, JobStatus};

/// How long to wait for another process that has the records open, which is for an instant.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long between two attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// Where the records of an archive's jobs are, if there are any.
#[derive(Debug)]
pub(super) struct Records {
    path: PathBuf,
}

impl Records {
    pub(super) fn new(directory: &Directory) -> Self {
        Self { path: directory.jobs() }
    }

    /// Makes a job's record, in the place of one that is done. Says which turn it is.
    pub(super) fn begin(&self, job: Job) -> Result<Job, JobError> {
        self.create()?;
        let store = self.open_to_write()?;
        let state = store.read()?;
        if status(&*state, job.kind)?.is_some_and(|status| status.end.is_none()) {
            return Err(JobError::Unfinished(job.kind));
        }
        let job = Job { turn: new_turn(), ..job };
        let stale = keys_of(&*state, job.kind)?;
        store.write(&mut |write| {
            stale.iter().try_for_each(|key| write.delete(Table::Meta, key))?;
            Ok(put(write, &form::job_key(job.kind), form::encode_job(&job))?)
        })?;
        Ok(job)
    }

    /// The job of a kind, which is this process' from now on, if `is_ours` says so; its end is to
    /// be done again.
    pub(super) fn take_over(
        &self,
        kind: JobKind,
        is_ours: impl FnOnce(&Job) -> Result<(), JobError>,
    ) -> Result<Job, JobError> {
        if !self.path.exists() {
            return Err(JobError::None(kind));
        }
        let store = self.open_to_write()?;
        let job = find_job(&*store.read()?, kind)?.ok_or(JobError::None(kind))?;
        is_ours(&job)?;
        let job = Job { turn: new_turn(), ..job };
        store.write(&mut |write| {
            write.delete(Table::Meta, &form::end_key(kind))?;
            Ok(put(write, &form::job_key(kind), form::encode_job(&job))?)
        })?;
        Ok(job)
    }

    /// Records what came of a partition, durably, if the job is still this process'.
    pub(super) fn record(&self, job: &Job, partition: u64, outcome: &Outcome) -> Result<(), JobError> {
        self.put_in_turn(job, &form::partition_key(job.kind, partition), form::encode_outcome(outcome))
    }

    /// Records what came of the end, which makes the job done, if it is still this process'.
    pub(super) fn record_end(&self, job: &Job, end: &JobEnd) -> Result<(), JobError> {
        self.put_in_turn(job, &form::end_key(job.kind), form::encode_end(end))
    }

    fn put_in_turn(&self, job: &Job, key: &[u8], body: Vec<u8>) -> Result<(), JobError> {
        let store = self.open_to_write()?;
        if find_job(&*store.read()?, job.kind)?.as_ref() != Some(job) {
            return Err(JobError::TakenOver(job.kind));
        }
        Ok(store.write(&mut |write| Ok(put(write, key, body.clone())?))?)
    }

    /// What came of the partitions that are done.
    pub(super) fn outcomes(&self, job: &Job) -> Result<BTreeMap<u64, Outcome>, JobError> {
        outcomes(&*self.open_to_read()?.read()?, job)
    }

    pub(super) fn status(&self, kind: JobKind) -> Result<Option<JobStatus>, JobError> {
        match self.path.exists() {
            true => status(&*self.open_to_read()?.read()?, kind),
            false => Ok(None),
        }
    }

    /// Removes all of a job, without looking at what it says; whether there was anything.
    pub(super) fn remove(&self, kind: JobKind) -> Result<bool, JobError> {
        if !self.path.exists() {
            return Ok(false);
        }
        let store = self.open_to_write()?;
        let keys = keys_of(&*store.read()?, kind)?;
        store.write(&mut |write| Ok(keys.iter().try_for_each(|key| write.delete(Table::Meta, key))?))?;
        Ok(!keys.is_empty())
    }

    /// Makes the store, whole or not at all, where no other process has made it.
    fn create(&self) -> Result<(), JobError> {
        if self.path.exists() {
            return Ok(());
        }
        let draft = self.path.with_extension(format!("{:016x}.draft", new_turn()));
        let made = RedbStore::create(&draft).map(drop).map_err(JobError::from).and_then(|()| self.publish(&draft));
        let removed = fs::remove_file(&draft).map_err(|error| file_error(&draft, error));
        made.and(removed)
    }

    /// Gives a draft its name, unless another has that already, and waits until the disk has it.
    fn publish(&self, draft: &Path) -> Result<(), JobError> {
        match fs::hard_link(draft, &self.path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(file_error(&self.path, error)),
            _ => {}
        }
        let folder = self.path.parent().unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| file_error(folder, error))
    }

    fn open_to_write(&self) -> Result<RedbStore, JobError> {
        self.patiently(RedbStore::open)
    }

    fn open_to_read(&self) -> Result<RedbStore, JobError> {
        self.patiently(RedbStore::open_read_only)
    }

    fn patiently(&self, open: impl Fn(&Path) -> Result<RedbStore, StoreError>) -> Result<RedbStore, JobError> {
        let begun = Instant::now();
        loop {
            match open(&self.path) {
                Err(StoreError::InUse) if begun.elapsed() < PATIENCE => sleep(PAUSE),
                opened => {
                    let opened = opened.map_err(|source| ArchiveError::Open { path: self.path.clone(), source });
                    return Ok(opened?);
                }
            }
        }
    }
}

/// The state of a job, where there is one.
pub(super) fn status_of(job: Job, outcomes: BTreeMap<u64, Outcome>, end: Option<JobEnd>) -> JobStatus {
    let done = u64_of_usize(outcomes.len());
    let found = outcomes.into_iter().filter(|(_, outcome)| !outcome.findings.is_empty());
    let false_partitions = found.map(|(partition, Outcome { findings, .. })| FalsePartition {
        partition,
        vectors: job.items_of(partition),
        findings,
    });
    JobStatus { false_partitions: false_partitions.collect(), job, done, end }
}

fn status(state: &dyn Read, kind: JobKind) -> Result<Option<JobStatus>, JobError> {
    let Some(job) = find_job(state, kind)? else {
        return Ok(None);
    };
    let outcomes = outcomes(state, &job)?;
    let end = find_end(state, kind)?;
    let status = status_of(job, outcomes, end);
    if status.end.is_some() && status.done != status.job.partitions() {
        let fault = DamageKind::Invalid("an end without all of its partitions");
        return Err(JobError::Record { kind, partition: None, fault });
    }
    Ok(Some(status))
}

fn find_job(state: &dyn Read, kind: JobKind) -> Result<Option<Job>, JobError> {
    find(state, kind, &form::job_key(kind), |body| form::decode_job(kind, body))
}

fn find_end(state: &dyn Read, kind: JobKind) -> Result<Option<JobEnd>, JobError> {
    find(state, kind, &form::end_key(kind), form::decode_end)
}

/// A record of a whole job, if it is there.
fn find<T>(
    state: &dyn Read,
    kind: JobKind,
    key: &[u8],
    decode: impl Fn(&[u8]) -> Result<T, DamageKind>,
) -> Result<Option<T>, JobError> {
    let Some(record) = state.get(Table::Meta, key)? else {
        return Ok(None);
    };
    let found = body(Table::Meta, key, record).and_then(|body| decode(&body));
    found.map(Some).map_err(|fault| JobError::Record { kind, partition: None, fault })
}

fn outcomes(state: &dyn Read, job: &Job) -> Result<BTreeMap<u64, Outcome>, JobError> {
    let kind = job.kind;
    let mut outcomes = BTreeMap::new();
    let first = form::job_key(kind);
    for entry in state.range(Table::Meta, (Bound::Excluded(&first), Bound::Excluded(&end_of(kind))))? {
        let (key, record) = entry?;
        if key == form::end_key(kind) {
            continue;
        }
        let known = form::read_partition_key(&key).filter(|partition| *partition < job.partitions());
        let partition = known.ok_or(JobError::Record {
            kind,
            partition: None,
            fault: DamageKind::Invalid("it has no such partition"),
        })?;
        let outcome = body(Table::Meta, &key, record).and_then(|body| form::decode_outcome(&body));
        let outcome = outcome.map_err(|fault| JobError::Record { kind, partition: Some(partition), fault })?;
        outcomes.insert(partition, outcome);
    }
    Ok(outcomes)
}

/// The keys of all records of a kind of job.
fn keys_of(state: &dyn Read, kind: JobKind) -> Result<Vec<Vec<u8>>, StoreError> {
    let first = form::job_key(kind);
    let entries = state.range(Table::Meta, (Bound::Included(&first), Bound::Excluded(&end_of(kind))))?;
    entries.map(|entry| entry.map(|(key, _)| key)).collect()
}

/// The first key behind those of a kind of job.
fn end_of(kind: JobKind) -> [u8; 1] {
    [kind as u8 + 1]
}

fn put(write: &mut dyn Write, key: &[u8], mut body: Vec<u8>) -> Result<(), StoreError> {
    body.extend_from_slice(&checksum(Table::Meta, key, &body));
    write.put(Table::Meta, key, &body)
}

/// A number that no other process has drawn.
fn new_turn() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

fn file_error(path: &Path, source: io::Error) -> JobError {
    ArchiveError::File { path: path.to_owned(), source }.into()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;
    use std::thread;

    use aardvark_dictionary::DictionaryId;

    use crate::audit::LinkSum;
    use crate::jobs::JobResult;

    use super::*;

    fn job() -> Job {
        let (kind, dictionary, partition_size) = (JobKind::Audit, DictionaryId([1; 32]), NonZeroU64::MIN);
        Job { kind, dictionary, version: 0, link: [0; 32], items: 1, partition_size, turn: 0 }
    }

    #[test]
    fn a_job_that_was_done_is_unfinished_once_it_is_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let records = Records::new(&Directory::at(folder.path()));
        let job = records.begin(job()).unwrap();
        let result = || records.status(job.kind).unwrap().unwrap().result();
        let outcome = Outcome { digest: [0; 32], links: LinkSum::ZERO, findings: Vec::new() };
        records.record(&job, 0, &outcome).unwrap();
        let end = JobEnd { findings: Vec::new(), root: None, is_anchored: false };
        assert_eq!(result(), JobResult::Unfinished);
        records.record_end(&job, &end).unwrap();
        assert_eq!(result(), JobResult::Holds);
        let resumed = records.take_over(job.kind, |_| Ok(())).unwrap();
        assert_eq!(result(), JobResult::Unfinished);
        // Whoever had it before records no end of it.
        assert!(matches!(records.record_end(&job, &end), Err(JobError::TakenOver(JobKind::Audit))));
        records.record_end(&resumed, &end).unwrap();
        assert_eq!(result(), JobResult::Holds);
    }

    #[test]
    fn of_those_that_begin_the_first_job_at_once_one_has_it_and_no_file_is_left() {
        for _ in 0..8 {
            let folder = tempfile::tempdir().unwrap();
            let begin = || Records::new(&Directory::at(folder.path())).begin(job());
            let begun: Vec<_> = thread::scope(|scope| {
                let threads = [(); 4].map(|()| scope.spawn(begin));
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            let ours = begun.iter().filter(|begun| begun.is_ok()).count();
            let refused = begun.iter().filter(|begun| matches!(begun, Err(JobError::Unfinished(_)))).count();
            assert_eq!((ours, refused), (1, 3), "{begun:?}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }
}
