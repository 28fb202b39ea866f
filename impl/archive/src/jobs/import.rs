//! An import as a job: its blocks are its partitions, and each is recorded once it is a version.

use std::num::NonZeroU64;

use aardvark_algebra::integers::usize_or_max;
use aardvark_dictionary::Change;

use crate::archive::Archive;
use crate::audit::LinkSum;
use crate::error::ArchiveError;
use crate::import_blocks::ImportBlocks;
use crate::progress::Progress;

use super::form::{self, Outcome};
use super::job::{Job, JobEnd, JobError, JobKind, JobReport};
use super::records::{Records, status_of};

impl Archive {
    /// Makes a job of an import, in the place of one that is done, and does it: at most `given`
    /// changes, in an order that is the same each time, in blocks of `block_size`. Each block is
    /// one durable version, or none where it changes nothing.
    ///
    /// # Errors
    /// [`JobError::Unfinished`] where there is one; [`JobError::TakenOver`]; [`JobError::Archive`]
    /// as of [`Archive::import`]; what `changes` gives. The blocks before then stand.
    pub fn start_import_job<E: From<JobError>>(
        &mut self,
        (given, block_size): (u64, NonZeroU64),
        changes: impl Iterator<Item = Result<Change, E>>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<JobReport, E> {
        let records = self.job_records()?;
        let job = records.begin(Job { items: given, ..self.new_job(JobKind::Import, block_size) })?;
        self.import_job(&records, job, changes, progress)
    }

    /// Goes on with an import, given the same changes: imports the blocks that are not recorded.
    ///
    /// # Errors
    /// [`JobError::None`]; [`JobError::Another`] where a recorded block is another one, or the
    /// archive has another history than when it began; otherwise as
    /// [`Archive::start_import_job`].
    pub fn resume_import_job<E: From<JobError>>(
        &mut self,
        given: u64,
        changes: impl Iterator<Item = Result<Change, E>>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<JobReport, E> {
        let records = self.job_records()?;
        let job = records.take_over(JobKind::Import, |job| self.check_import(job, given))?;
        self.import_job(&records, job, changes, progress)
    }

    /// Whether an import began in this archive's history, with as many changes.
    fn check_import(&self, job: &Job, given: u64) -> Result<(), JobError> {
        let about = if job.dictionary != *self.id() {
            "another dictionary".to_owned()
        } else if job.version > self.version() || self.version_info(job.version)?.link != job.link {
            format!("another history from version {} on", job.version)
        } else if job.items != given {
            format!("{} changes, and these are {given}", job.items)
        } else {
            return Ok(());
        };
        Err(JobError::Another { kind: JobKind::Import, about })
    }

    fn import_job<E: From<JobError>>(
        &mut self,
        records: &Records,
        job: Job,
        changes: impl Iterator<Item = Result<Change, E>>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<JobReport, E> {
        let mut outcomes = records.outcomes(&job)?;
        let another = |about| E::from(JobError::Another { kind: JobKind::Import, about });
        let mut blocks = ImportBlocks::new(changes, usize_or_max(job.partition_size.get()));
        for partition in 0..job.partitions() {
            let block = blocks.next().transpose()?.unwrap_or_default();
            let digest = form::digest_of_block(&job, partition, &block);
            match outcomes.get(&partition) {
                Some(done) if done.digest == digest => continue,
                Some(_) => return Err(another(format!("other changes: block {partition} was another one"))),
                None => {}
            }
            if !block.is_empty() {
                self.work.check().and_then(|()| self.import_with(block, progress)).map_err(JobError::from)?;
            }
            let outcome = Outcome { digest, links: LinkSum::ZERO, findings: Vec::new() };
            records.record(&job, partition, &outcome)?;
            outcomes.insert(partition, outcome);
        }
        if blocks.next().transpose()?.is_some() {
            return Err(another(format!("{} changes, and there are more", job.items)));
        }
        let root = self.root_of_newest().map_err(JobError::from)?;
        let end = JobEnd { findings: Vec::new(), root: Some(root), is_anchored: false };
        records.record_end(&job, &end)?;
        Ok(JobReport { status: status_of(job, outcomes, Some(end)), findings: Vec::new(), root: Some(root) })
    }

    fn root_of_newest(&self) -> Result<[u8; 32], ArchiveError> {
        Ok(self.validator()?.root())
    }
}
