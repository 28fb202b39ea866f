//! The writing of a renewal: segments are gathered, certified, and written to the vault and beside
//! the log some at a time; last the archive puts all that changed.

use std::mem;
use std::sync::Arc;

use aardvark_aggregates::{About, KeyError, PolicyFault, ProverSetup, Schema, TableVerifier, judge_change};
use aardvark_algebra::tagged_hash;
use aardvark_dictionary::{Change, Key};

use super::batch::{Draft, certify};
use super::run::{Run, Written};
use super::standing::Standing;
use crate::error::TablesError;
use crate::import::{ImportReport, ImportStep, MOST_BATCH_TEXT, SHEETS, Sorter, write_index};
use crate::keeper::Keeper;
use crate::place::head_key;
use crate::source::SourceError;
use crate::vault::{Pending, SegmentSecret, index_keys};

/// Domain separation tag of the seeds that a renewal's seed is expanded to.
const SEED_TAG: &str = "AARDVARK-V1-TABLE-RENEWAL-SEED";

/// A renewal that is being written.
pub(super) struct Renewing<'a> {
    keeper: &'a mut Keeper,
    setup: Arc<ProverSetup>,
    table: &'a str,
    schema: &'a Schema,
    /// The logarithm of the most positions of a sheet.
    most: usize,
    verifier: TableVerifier,
    /// What all masks and salts are expanded from.
    seed: [u8; 32],
    /// How many seeds were expanded.
    seeds: u64,
    /// Runs with segments that are not certified, and the one that gets rows.
    runs: Vec<Run>,
    drafts: Vec<Draft>,
    text_bytes: usize,
    /// The keys of the index of rows.
    index: Sorter,
    /// What the archive puts.
    changes: Vec<Change>,
    /// Numbers that are certified and in the vault.
    numbers: u64,
    report: ImportReport,
}

impl<'a> Renewing<'a> {
    /// A write in sheets of 2^`most` positions at most, which sorts its index in so many bytes.
    pub(super) fn new(
        keeper: &'a mut Keeper,
        table: &'a str,
        schema: &'a Schema,
        (most, memory): (usize, usize),
    ) -> Result<Self, TablesError> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|error| TablesError::Random(error.to_string()))?;
        let setup = Arc::clone(&keeper.setup);
        let verifier = TableVerifier::new(setup.tau_g2());
        let index = Sorter::new(memory, keeper.vault.temporary_files());
        // What an earlier write has left that failed in this process.
        keeper.settle()?;
        let report = ImportReport { version: keeper.archive.version(), ..ImportReport::default() };
        Ok(Self {
            keeper,
            setup,
            table,
            schema,
            most,
            verifier,
            seed,
            seeds: 0,
            runs: Vec::new(),
            drafts: Vec::new(),
            text_bytes: 0,
            index,
            changes: Vec::new(),
            numbers: 0,
            report,
        })
    }

    pub(super) fn is_deletable(&self) -> bool {
        self.schema.deletable
    }

    /// The runs of a key, as they stand.
    pub(super) fn standing(&self, column: u8, columns: &[u8]) -> Result<Vec<Standing>, TablesError> {
        self.keeper.standing_runs(self.table, self.schema, column, columns)
    }

    /// A run of a key that no run was before.
    pub(super) fn another_run(&self, column: u8, columns: &[u8]) -> Result<Run, TablesError> {
        let last = self.standing(column, columns)?.last().map(|last| last.run);
        let run = self.keeper.unused_run(self.table, column, columns, last)?;
        self.run(column, columns, (run, 0))
    }

    /// Of the runs of a key whose last number is `least` at most, that with the greatest.
    pub(super) fn run_behind(&self, column: u8, columns: &[u8], least: u64) -> Result<Option<Run>, TablesError> {
        let mut found: Option<(u64, Standing, SegmentSecret)> = None;
        for standing in self.standing(column, columns)? {
            let secret = self.keeper.vault.segment(&standing.last_place())?.ok_or(TablesError::NoRows)?;
            let Some(end) = secret.numbers.last().copied().filter(|end| *end <= least) else { continue };
            if found.as_ref().is_none_or(|(greatest, ..)| end >= *greatest) {
                found = Some((end, standing, secret));
            }
        }
        let Some((_, standing, secret)) = found else { return Ok(None) };
        let record = self.keeper.last_record(self.table, self.schema, (column, columns), &standing)?;
        let run = self.run(column, columns, (standing.run, standing.head.revision))?;
        Ok(Some(Run {
            last: Some((record, secret.known(run.about.moments))),
            segments: standing.head.segments(),
            before: Some(standing.value),
            head: Some(standing.head),
            ..run
        }))
    }

    /// The next revision of a run.
    pub(super) fn amended(&self, column: u8, columns: &[u8], standing: Standing) -> Result<Run, TablesError> {
        let revision = standing.head.revision.checked_add(1).ok_or(TablesError::TooManyRuns)?;
        Ok(Run { before: Some(standing.value), ..self.run(column, columns, (standing.run, revision))? })
    }

    fn run(&self, column: u8, columns: &[u8], (run, revision): (u32, u32)) -> Result<Run, TablesError> {
        let about = About::of_column(*self.keeper.archive.id(), self.table, self.schema, column)
            .ok_or(PolicyFault::Key(KeyError::Column(column)))?;
        let columns = columns.to_vec();
        let (before, head, last, first) = (None, None, None, None);
        let (segments, further, is_complete) = (0, Vec::new(), false);
        Ok(Run { about, columns, run, revision, before, head, last, segments, first, further, is_complete })
    }

    /// Deletes a run.
    pub(super) fn delete(&mut self, column: u8, columns: &[u8], standing: Standing) -> Result<(), TablesError> {
        let key = Key::from(head_key(self.table, column, columns, standing.run));
        judge_change(Some(self.schema), &key, Some(&standing.value), None)?;
        self.changes.push(Change { key, value: None });
        Ok(())
    }

    /// Begins to give a run rows.
    pub(super) fn begin(&mut self, run: Run) {
        self.report.runs += 1;
        self.runs.push(run);
    }

    /// Gives the run its next segment: numbers, ascending, and the texts of each one's row.
    pub(super) fn segment(&mut self, rows: Vec<(u64, Vec<String>)>, text_bytes: usize) -> Result<(), TablesError> {
        let (seed, of_rows) = (self.next_seed(), self.next_seed());
        let Some((place, run)) = self.runs.iter_mut().enumerate().next_back() else { return Ok(()) };
        let number = run.segments;
        run.segments = number.checked_add(1).ok_or(TablesError::TooManyRuns)?;
        let (numbers, texts) = rows.into_iter().unzip();
        let secret = SegmentSecret { first: 1, seed: of_rows, numbers, texts };
        self.drafts.push(Draft { run: place, number, seed, secret });
        self.text_bytes += text_bytes;
        Ok(())
    }

    /// Ends the run: it has all its rows.
    pub(super) fn end(&mut self) {
        self.runs.last_mut().into_iter().for_each(|run| run.is_complete = true);
    }

    /// Whether there is as much as is written together.
    pub(super) fn is_full(&self) -> bool {
        self.drafts.len() >= SHEETS * rayon::current_num_threads() || self.text_bytes >= MOST_BATCH_TEXT
    }

    /// Certifies the segments that there are, and writes their secrets and certificates. How many
    /// numbers are written by then.
    pub(super) fn write(&mut self) -> Result<u64, TablesError> {
        let drafts = mem::take(&mut self.drafts);
        self.text_bytes = 0;
        let certified = certify(&self.setup, &self.verifier, &self.runs, drafts, self.most)?;
        let mut written = Written::default();
        for segment in certified {
            let Some(run) = self.runs.get_mut(segment.run) else { continue };
            self.numbers += segment.secret.numbers.len() as u64;
            run.take(self.table, segment, &mut written)?;
        }
        for run in mem::take(&mut self.runs) {
            match run.is_complete {
                true => run.complete(self.table, self.schema, &mut written)?,
                false => self.runs.push(run),
            }
        }
        let Written { put, secrets, stored, changes } = written;
        self.keeper.vault.prepare_segments(&Pending { heads: &put }, &secrets)?;
        let version = self.keeper.archive.version() + 1;
        self.keeper.certificates.append(version, self.report.sheets as usize, &stored)?;
        for (place, secret) in &secrets {
            index_keys(place, secret).iter().try_for_each(|key| self.index.push(key)).map_err(SourceError::Sorting)?;
        }
        self.report.sheets += stored.len() as u64;
        self.changes.extend(changes);
        Ok(self.numbers)
    }

    /// Writes the index, and has the archive put all that changed.
    pub(super) fn finish(self, progress: &mut dyn FnMut(ImportStep)) -> Result<ImportReport, TablesError> {
        let Self { keeper, index, changes, mut report, .. } = self;
        write_index(&mut keeper.vault, index)?;
        let imported = keeper.archive.import_with(changes, &mut |step| progress(ImportStep::Archive(step)))?;
        keeper.vault.complete()?;
        report.version = imported.version;
        Ok(report)
    }

    /// A seed of its own for each use.
    fn next_seed(&mut self) -> [u8; 32] {
        self.seeds += 1;
        tagged_hash(SEED_TAG, &[self.seed.as_slice(), &self.seeds.to_be_bytes()].concat())
    }
}
