//! What a job is, how far it has come, and why it is not done.

use std::fmt;
use std::num::NonZeroU64;
use std::ops::Range;

use aardvark_dictionary::DictionaryId;

use crate::audit::Finding;
use crate::error::{ArchiveError, DamageKind};
use crate::store_error::StoreError;

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum JobKind {
    /// Audits the newest version.
    Audit = 1,
    /// Stores all openings of the newest version.
    Openings = 2,
    /// Imports changes, block by block.
    Import = 3,
}

impl JobKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Audit, Self::Openings, Self::Import];
    /// Those that go through the vectors of a version, and change nothing in it.
    pub const OF_VECTORS: [Self; 2] = [Self::Audit, Self::Openings];
}

impl fmt::Display for JobKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Audit => "audit",
            Self::Openings => "openings",
            Self::Import => "import",
        })
    }
}

/// Which job it is: what it does, what it is about, and how it is partitioned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// What it does.
    pub kind: JobKind,
    /// The dictionary.
    pub dictionary: DictionaryId,
    /// The version; of an import the one that it began at.
    pub version: u64,
    /// The version's link in the chain of blocks.
    pub link: [u8; 32],
    /// What it goes through: vectors of the version, or the changes that an import was given, those
    /// too whose key stands again further on.
    pub items: u64,
    /// Items of a partition; the last ones may have fewer, or none.
    pub partition_size: NonZeroU64,
    /// Drawn by the process that works on it.
    pub(crate) turn: u64,
}

impl Job {
    /// Number of its partitions.
    pub fn partitions(&self) -> u64 {
        self.items.div_ceil(self.partition_size.get())
    }

    /// The items of a partition, none beyond the last one.
    pub fn items_of(&self, partition: u64) -> Range<u64> {
        let size = self.partition_size.get();
        let first = partition.saturating_mul(size);
        first.min(self.items)..first.saturating_add(size).min(self.items)
    }
}

/// A partition that something was found at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FalsePartition {
    /// Its number, from 0.
    pub partition: u64,
    /// Its vectors.
    pub vectors: Range<u64>,
    /// What was found, cut to 1,000 bytes each; at most 100.
    pub findings: Vec<String>,
}

/// What came of a job's end, which is over all of its partitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobEnd {
    /// What was found over all partitions, cut as those of a partition are.
    pub findings: Vec<String>,
    /// The state root: of the version, of an audit that found nothing else; of the newest version
    /// when an import ended.
    pub root: Option<[u8; 32]>,
    /// Whether that was compared with a root that was given.
    pub is_anchored: bool,
}

/// What can be said of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobResult {
    /// All partitions and the end are done, and nothing was found.
    Holds,
    /// Something was found, whether all is done or not.
    False,
    /// Nothing was found, and not all is done.
    Unfinished,
}

/// How far a job has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobStatus {
    /// The job.
    pub job: Job,
    /// Partitions done, those with findings too.
    pub done: u64,
    /// Partitions with findings, ascending.
    pub false_partitions: Vec<FalsePartition>,
    /// What came of the end, once that is done. Whoever resumes the job does it again.
    pub end: Option<JobEnd>,
}

impl JobStatus {
    /// What can be said of it.
    #[must_use]
    pub fn result(&self) -> JobResult {
        let end = self.end.as_ref().map(|end| end.findings.is_empty());
        match (self.false_partitions.is_empty(), end) {
            (false, _) | (_, Some(false)) => JobResult::False,
            (true, Some(true)) => JobResult::Holds,
            (true, None) => JobResult::Unfinished,
        }
    }
}

/// What came of a job whose partitions and end are done.
#[must_use = "a job that nobody reads the report of shows nothing"]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobReport {
    /// The job as it is recorded.
    pub status: JobStatus,
    /// What was found at the end, over all partitions.
    pub findings: Vec<Finding>,
    /// The state root, as in [`JobEnd::root`].
    pub root: Option<[u8; 32]>,
}

impl JobReport {
    /// Whether nothing was found.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.status.false_partitions.is_empty() && self.findings.is_empty()
    }
}

/// Why a job is not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// The archive fails, or its directory holds none.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// An archive in memory.
    #[error("an archive in memory has no jobs")]
    InMemory,
    /// An import is started and resumed with its changes, other jobs without any.
    #[error("an import is started and resumed with its changes")]
    Changes,
    /// There is no job of the kind.
    #[error("there is no {0} job; `start` makes one")]
    None(JobKind),
    /// There is a job of the kind already, and it is not done.
    #[error("there is an unfinished {0} job; `resume` goes on with it, `cancel` removes it")]
    Unfinished(JobKind),
    /// The job is not about this version of this dictionary.
    #[error("the {kind} job is about {about}; `cancel` removes it")]
    Another {
        /// The kind.
        kind: JobKind,
        /// What it is about.
        about: String,
    },
    /// Another process has resumed, or removed, the job.
    #[error("another process has resumed or removed the {0} job")]
    TakenOver(JobKind),
    /// The job's record is not what was written.
    #[error("the record of the {kind} job is damaged{}: {fault}; `cancel` removes it", of_partition(.partition))]
    Record {
        /// The kind.
        kind: JobKind,
        /// The partition whose record it is; `None` for that of the whole job.
        partition: Option<u64>,
        /// What is wrong with it.
        fault: DamageKind,
    },
}

impl From<StoreError> for JobError {
    fn from(error: StoreError) -> Self {
        Self::Archive(error.into())
    }
}

fn of_partition(partition: &Option<u64>) -> String {
    partition.map_or_else(String::new, |partition| format!(" at partition {partition}"))
}
