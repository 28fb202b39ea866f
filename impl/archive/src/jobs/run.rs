//! Doing a job: its partitions that are not recorded yet, then its end.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use aardvark_commitment::Scheme;

use crate::archive::Archive;
use crate::audit::{AuditedVectors, Fault, Finding, LinkSum};
use crate::error::{ArchiveError, Place};
use crate::progress::{Phase, Progress};

use super::form::{self, Outcome};
use super::job::{Job, JobEnd, JobError, JobKind, JobReport};
use super::records::{Records, status_of};

impl Archive {
    /// Makes a job about the newest version, in the place of one of its kind that is done, and does
    /// it. An audit compares the version's state root with `root`, if given.
    ///
    /// # Errors
    /// [`JobError::Unfinished`] where there is one; [`JobError::TakenOver`]; [`JobError::Archive`]
    /// where reading fails for reasons other than damage, which is reported.
    pub fn start_job(
        &self,
        kind: JobKind,
        partition_size: NonZeroU64,
        root: Option<[u8; 32]>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<JobReport, JobError> {
        check_kind(kind)?;
        let records = self.job_records()?;
        let job = records.begin(self.new_job(kind, partition_size))?;
        Run { archive: self, records, job, root }.finish(progress)
    }

    /// Goes on with a job: does the partitions that are not recorded, and its end.
    ///
    /// # Errors
    /// [`JobError::None`], [`JobError::Another`], [`JobError::Record`]; otherwise as
    /// [`Archive::start_job`].
    pub fn resume_job(
        &self,
        kind: JobKind,
        root: Option<[u8; 32]>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<JobReport, JobError> {
        check_kind(kind)?;
        let records = self.job_records()?;
        let job = records.take_over(kind, |job| self.check_job(job))?;
        Run { archive: self, records, job, root }.finish(progress)
    }

    pub(super) fn job_records(&self) -> Result<Records, JobError> {
        Ok(Records::new(self.directory.as_ref().ok_or(JobError::InMemory)?))
    }

    /// A job that goes through the vectors of the newest version.
    pub(super) fn new_job(&self, kind: JobKind, partition_size: NonZeroU64) -> Job {
        let (dictionary, version, items) = (*self.id(), self.version(), self.vectors());
        Job { kind, dictionary, version, link: self.info.link, items, partition_size, turn: 0 }
    }

    /// Whether a job is about this version of this dictionary.
    fn check_job(&self, job: &Job) -> Result<(), JobError> {
        let ours = Job { turn: job.turn, ..self.new_job(job.kind, job.partition_size) };
        let about = if job.dictionary != ours.dictionary {
            "another dictionary".to_owned()
        } else if job.version != ours.version {
            format!("version {}, and the newest one is {}", job.version, ours.version)
        } else if *job != ours {
            format!("another history of version {}", job.version)
        } else {
            return Ok(());
        };
        Err(JobError::Another { kind: job.kind, about })
    }
}

/// Whether a kind of job is started without changes.
fn check_kind(kind: JobKind) -> Result<(), JobError> {
    if JobKind::OF_VECTORS.contains(&kind) { Ok(()) } else { Err(JobError::Changes) }
}

/// A job in work.
struct Run<'a> {
    archive: &'a Archive,
    records: Records,
    job: Job,
    root: Option<[u8; 32]>,
}

impl Run<'_> {
    fn finish(self, progress: &mut dyn FnMut(Progress)) -> Result<JobReport, JobError> {
        let mut outcomes = self.records.outcomes(&self.job)?;
        let (findings, root) = match self.job.kind {
            JobKind::Audit => {
                let (scheme, other_cache) = self.archive.audited_scheme()?;
                self.partitions(&mut outcomes, Phase::Recommit, progress, |vectors, progress| {
                    self.archive.audit_vectors(&scheme, vectors, progress)
                })?;
                self.end_of_audit(&outcomes, scheme, other_cache, progress)?
            }
            JobKind::Openings => {
                self.partitions(&mut outcomes, Phase::Openings, progress, |vectors, progress| {
                    self.store_openings(vectors, progress)
                })?;
                (self.end_of_openings(&outcomes)?, None)
            }
            JobKind::Import => return Err(JobError::Changes),
        };
        let texts = findings.iter().map(ToString::to_string).collect();
        let end = JobEnd { findings: texts, root, is_anchored: self.root.is_some() };
        self.records.record_end(&self.job, &end)?;
        Ok(JobReport { status: status_of(self.job, outcomes, Some(end)), findings, root })
    }

    /// Does and records the partitions that are not recorded.
    fn partitions(
        &self,
        outcomes: &mut BTreeMap<u64, Outcome>,
        phase: Phase,
        progress: &mut dyn FnMut(Progress),
        check: impl Fn(Range<u64>, &mut dyn FnMut(u64)) -> Result<AuditedVectors, ArchiveError>,
    ) -> Result<(), JobError> {
        let total = self.job.items;
        let mut before: u64 = outcomes.keys().map(|partition| length(&self.job.items_of(*partition))).sum();
        for partition in 0..self.job.partitions() {
            if outcomes.contains_key(&partition) {
                continue;
            }
            self.archive.work.check()?;
            let vectors = self.job.items_of(partition);
            let mut report = |done| progress(Progress { phase, done: before + done, total });
            report(0);
            let checked = check(vectors.clone(), &mut report)?;
            let digest = form::digest(&self.job, partition, &checked.commitments);
            let findings = checked.findings.iter().map(ToString::to_string).collect();
            let outcome = Outcome { digest, links: checked.links, findings };
            self.records.record(&self.job, partition, &outcome)?;
            outcomes.insert(partition, outcome);
            before += length(&vectors);
            progress(Progress { phase, done: before, total });
        }
        Ok(())
    }

    fn store_openings(
        &self,
        vectors: Range<u64>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<AuditedVectors, ArchiveError> {
        let first = vectors.start;
        let mut report = |at: Progress| progress(at.done.saturating_sub(first));
        let stored = self
            .archive
            .store_openings_of(vectors.clone(), &mut report)
            .and_then(|_| self.archive.commitments_within(self.job.version, vectors.start, vectors.end));
        let (commitments, findings) = match stored {
            Ok(commitments) => (commitments, Vec::new()),
            Err(error) => (Vec::new(), vec![Finding::of(error)?]),
        };
        Ok(AuditedVectors { commitments, links: LinkSum::ZERO, findings })
    }

    /// What holds of all partitions together, and the state root.
    fn end_of_audit(
        &self,
        outcomes: &BTreeMap<u64, Outcome>,
        scheme: Arc<Scheme>,
        other_cache: Option<PathBuf>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Vec<Finding>, Option<[u8; 32]>), JobError> {
        let mut findings = self.changed_partitions(outcomes)?;
        let cache = other_cache.map(|cache| Finding { place: Place::Cache(cache), fault: Fault::OtherBasis });
        findings.extend(cache);
        let are_clean = outcomes.values().all(|outcome| outcome.findings.is_empty());
        let links = outcomes.values().map(|outcome| outcome.links).fold(LinkSum::ZERO, LinkSum::plus);
        findings.extend(self.archive.audit_whole(scheme, are_clean.then_some(links), progress)?);
        if !are_clean || !findings.is_empty() {
            return Ok((findings, None));
        }
        let root = match self.archive.validator() {
            Ok(validator) => validator.root(),
            Err(error) => return Ok((vec![Finding::of(error)?], None)),
        };
        if self.root.is_some_and(|expected| expected != root) {
            findings.push(Finding { place: Place::Anchor(self.job.version), fault: Fault::OtherRoot(root) });
        }
        Ok((findings, Some(root)))
    }

    /// Every vector has stored openings of its commitment.
    fn end_of_openings(&self, outcomes: &BTreeMap<u64, Outcome>) -> Result<Vec<Finding>, JobError> {
        let mut findings = self.changed_partitions(outcomes)?;
        let is_false = |vector: &u64| {
            let partition = *vector / self.job.partition_size;
            outcomes.get(&partition).is_none_or(|outcome| !outcome.findings.is_empty())
        };
        let stale = self.archive.stale_openings()?.into_iter().filter(|vector| !is_false(vector));
        let fault = Fault::Invariant("its stored openings are gone, or of another one");
        findings.extend(stale.map(|vector| Finding { place: Place::Commitment(vector), fault: fault.clone() }));
        Ok(findings)
    }

    /// Partitions without findings whose commitments are not those of their record any more.
    fn changed_partitions(&self, outcomes: &BTreeMap<u64, Outcome>) -> Result<Vec<Finding>, JobError> {
        let mut findings = Vec::new();
        for (partition, outcome) in outcomes.iter().filter(|(_, outcome)| outcome.findings.is_empty()) {
            let vectors = self.job.items_of(*partition);
            let place = Place::Commitment(vectors.start);
            match self.archive.commitments_within(self.job.version, vectors.start, vectors.end) {
                Ok(now) if form::digest(&self.job, *partition, &now) == outcome.digest => {}
                Ok(_) => {
                    let fault = Fault::Invariant("it or one after it is not what its partition's record says");
                    findings.push(Finding { place, fault });
                }
                Err(error) => findings.push(Finding::of(error)?),
            }
        }
        Ok(findings)
    }
}

fn length(vectors: &Range<u64>) -> u64 {
    vectors.end - vectors.start
}
