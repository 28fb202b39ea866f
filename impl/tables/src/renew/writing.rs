//! The writing of a renewal: segments are gathered, certified, and written to the vault and to the
//! target some at a time.

use std::mem;

use aardvark_aggregates::{About, KeyError, PolicyFault, Schema, TableVerifier, judge_change};
use aardvark_archive::sorting::Sorter;

use super::batch::{Draft, certify};
use super::run::{Run, Taken};
use super::seeds::Seeds;
use super::standing::{Standing, last_segment, standing_runs};
use super::target::{RunsOf, Target};
use crate::error::TablesError;
use crate::import::{MOST_BATCH_TEXT, SHEETS, write_index};
use crate::numbers::unused_run;
use crate::source::SourceError;
use crate::vault::{Counts, Pending, SegmentSecret, index_keys};

/// A renewal that is being written.
pub(super) struct Renewing<'a, T> {
    target: T,
    table: &'a str,
    schema: &'a Schema,
    /// The logarithm of the most positions of a sheet.
    most: usize,
    verifier: TableVerifier,
    seeds: Seeds,
    /// Runs with segments that are not certified, and the one that gets rows.
    runs: Vec<Run>,
    drafts: Vec<Draft>,
    text_bytes: usize,
    /// The keys of the index of rows.
    index: Sorter,
    /// Numbers that are certified and in the vault.
    numbers: u64,
    counts: Counts,
}

impl<'a, T: Target> Renewing<'a, T> {
    /// A write in sheets of 2^`most` positions at most, which sorts its index in so many bytes.
    pub(super) fn new(
        mut target: T,
        table: &'a str,
        schema: &'a Schema,
        (most, memory): (usize, usize),
    ) -> Result<Self, TablesError> {
        let verifier = TableVerifier::new(target.setup().tau_g2());
        let index = Sorter::new(memory, target.vault().temporary_files());
        Ok(Self {
            target,
            table,
            schema,
            most,
            verifier,
            seeds: Seeds::draw()?,
            runs: Vec::new(),
            drafts: Vec::new(),
            text_bytes: 0,
            index,
            numbers: 0,
            counts: Counts::default(),
        })
    }

    pub(super) fn is_deletable(&self) -> bool {
        self.schema.deletable
    }

    fn runs_of<'k>(&self, column: u8, columns: &'k [u8]) -> RunsOf<'k>
    where
        'a: 'k,
    {
        RunsOf { table: self.table, schema: self.schema, column, columns }
    }

    /// The runs of a key, as they stand.
    pub(super) fn standing(&mut self, column: u8, columns: &[u8]) -> Result<Vec<Standing>, T::Error> {
        let of = self.runs_of(column, columns);
        standing_runs(&mut self.target, of)
    }

    /// A run of a key that no run was before.
    pub(super) fn another_run(&mut self, column: u8, columns: &[u8]) -> Result<Run, T::Error> {
        let last = self.standing(column, columns)?.last().map(|last| last.run);
        let run = unused_run(self.target.vault(), (self.table, column, columns), last)?;
        Ok(self.run(column, columns, (run, 0))?)
    }

    /// Of the runs of a key whose rows the vault has and whose last number is `least` at most, that
    /// with the greatest.
    pub(super) fn run_behind(&mut self, column: u8, columns: &[u8], least: u64) -> Result<Option<Run>, T::Error> {
        let mut behind: Vec<(u64, Standing, SegmentSecret)> = Vec::new();
        for standing in self.standing(column, columns)? {
            let secret = self.target.vault().segment(&standing.last_place()).map_err(TablesError::from)?;
            let secret = match secret {
                Some(secret) => secret,
                None if T::HAS_ALL_ROWS => return Err(TablesError::NoRows.into()),
                None => continue,
            };
            let end = secret.numbers.last().copied().filter(|end| *end <= least);
            behind.extend(end.map(|end| (end, standing, secret)));
        }
        behind.sort_by_key(|(end, ..)| *end);
        while let Some((_, standing, secret)) = behind.pop() {
            let of = self.runs_of(column, columns);
            let (record, last_entry) = last_segment(&mut self.target, of, &standing)?;
            if !secret.is_of(&record, self.target.setup())? {
                // Another keeper's run stands where one of the vault's was deleted.
                if T::HAS_ALL_ROWS {
                    return Err(TablesError::NoRows.into());
                }
                continue;
            }
            let run = self.run(column, columns, (standing.run, standing.head.revision))?;
            return Ok(Some(Run {
                last: Some((record, secret.known(run.about.moments))),
                last_entry,
                segments: standing.head.segments(),
                before: Some(standing.value.to_vec()),
                head: Some(standing.head),
                ..run
            }));
        }
        Ok(None)
    }

    /// The next revision of a run.
    pub(super) fn amended(&self, column: u8, columns: &[u8], standing: Standing) -> Result<Run, TablesError> {
        let revision = standing.head.revision.checked_add(1).ok_or(TablesError::TooManyRuns)?;
        Ok(Run { before: Some(standing.value.to_vec()), ..self.run(column, columns, (standing.run, revision))? })
    }

    fn run(&self, column: u8, columns: &[u8], number: (u32, u32)) -> Result<Run, TablesError> {
        let about = About::of_column(self.target.dictionary(), self.table, self.schema, column)
            .ok_or(PolicyFault::Key(KeyError::Column(column)))?;
        Ok(Run::new(about, columns.to_vec(), number))
    }

    /// Deletes a run.
    pub(super) fn delete(&mut self, Standing { key, value, .. }: Standing) -> Result<(), TablesError> {
        judge_change(Some(self.schema), &key, Some(&value), None)?;
        self.target.delete(key, value)
    }

    /// Begins to give a run rows.
    pub(super) fn begin(&mut self, run: Run) {
        self.counts.runs += 1;
        self.runs.push(run);
    }

    /// Gives the run its next segment: numbers, ascending, and the texts of each one's row.
    pub(super) fn segment(&mut self, rows: Vec<(u64, Vec<String>)>, text_bytes: usize) -> Result<(), TablesError> {
        let (seed, of_rows) = (self.seeds.next(), self.seeds.next());
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

    /// Certifies the segments that there are, and writes their secrets and what is put of them. How
    /// many numbers are written by then.
    pub(super) fn write(&mut self) -> Result<u64, TablesError> {
        let drafts = mem::take(&mut self.drafts);
        self.text_bytes = 0;
        let certified = certify(self.target.setup(), &self.verifier, &self.runs, drafts, self.most)?;
        let (mut heads, mut secrets, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for segment in certified {
            let Some(run) = self.runs.get_mut(segment.run) else { continue };
            self.numbers += segment.secret.numbers.len() as u64;
            let Taken { step, place, secret } = run.take(self.table, self.schema, segment)?;
            heads.push(step.certified_entry());
            secrets.push((place, secret));
            steps.push(step);
        }
        self.runs.retain(|run| !run.is_complete);
        self.target.vault().prepare_segments(&Pending { heads: &heads }, &secrets)?;
        self.counts.sheets += steps.len() as u64;
        self.target.put(steps)?;
        for (place, secret) in &secrets {
            index_keys(place, secret).iter().try_for_each(|key| self.index.push(key)).map_err(SourceError::Sorting)?;
        }
        Ok(self.numbers)
    }

    /// Writes the index; what is to be done last, and what it comes to.
    pub(super) fn finish(self) -> Result<(T, Counts), TablesError> {
        let Self { mut target, index, counts, .. } = self;
        write_index(target.vault(), index)?;
        Ok((target, counts))
    }
}
