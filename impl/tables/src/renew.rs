//! Rows that continue the runs of their keys, and rows that take the place of these.
//!
//! | renewal | a key without runs | a key with runs |
//! |---|---|---|
//! | extend | one run | rows behind the end of a run continue it; others are another run |
//! | amend | one run | the next revision of its first run has the rows |
//!
//! What an amendment leaves of a key's other runs is deleted; where the table is not deletable,
//! each of them gets one of the rows, since a run has one at least.
//!
//! More rows than a sheet has room for, or more than 16 MiB of texts, are further segments of their
//! run. Each segment has a certificate of its own, linked to the segment before. As in an import,
//! rows are sorted outside of memory where they do not fit, then certified and written some
//! segments at a time. An embedded archive puts all of them as one version, last; for a chain they
//! become drafts of transactions.

mod again;
mod batch;
mod embedded;
mod run;
mod seeds;
mod standing;
mod target;
mod writing;

use std::collections::VecDeque;

use aardvark_aggregates::sheet::capacity;
use aardvark_aggregates::{PolicyFault, Schema};

use self::embedded::Embedded;
use self::run::Run;
use self::writing::Renewing;
use crate::error::TablesError;
use crate::import::{Cell, Cells, ImportOptions, ImportReport, ImportStep, MOST_TEXT};
use crate::keeper::Keeper;
use crate::source::RowSource;
use crate::vault::Counts;

pub(crate) use self::again::{BegunRun, Rewritten};
pub(crate) use self::run::RunStep;
pub(crate) use self::target::{RunsOf, Target};

/// What becomes of the runs of the rows' keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// They grow.
    Extend,
    /// They are replaced.
    Amend,
}

impl Keeper {
    /// Imports all rows of a source into a table, as one version; nothing where one of them is
    /// refused. The runs of their keys grow, or are replaced.
    ///
    /// # Errors
    /// [`TablesError`].
    pub fn renew(
        &mut self,
        table: &str,
        schema: &Schema,
        source: &mut dyn RowSource,
        renewal: Renewal,
        options: &ImportOptions,
        progress: &mut dyn FnMut(ImportStep),
    ) -> Result<ImportReport, TablesError> {
        let log = self.check_import(table, schema, options)?;
        if renewal == Renewal::Amend && schema.append_only {
            return Err(PolicyFault::Immutable.into());
        }
        let (sorter, rows) = self.read_rows(source, options, progress)?;
        let numbers = sorter.count();
        if numbers == 0 {
            return Ok(ImportReport { version: self.archive.version(), rows, ..ImportReport::default() });
        }
        let cells = Cells::new(sorter, schema)?;
        // What an earlier write has left that failed in this process.
        self.settle()?;
        let written = self.renew_sorted((table, schema), (renewal, options), log, (cells, numbers), progress);
        if written.is_err() {
            // Where this fails too, the next opening does it.
            let _ = self.settle();
        }
        written.map(|written| ImportReport { rows, ..written })
    }

    fn renew_sorted(
        &mut self,
        table: (&str, &Schema),
        (renewal, options): (Renewal, &ImportOptions),
        log: usize,
        cells: (Cells, u64),
        progress: &mut dyn FnMut(ImportStep),
    ) -> Result<ImportReport, TablesError> {
        let mut certified = |done, all| progress(ImportStep::Certified(done, all));
        let sizes = (log, options.memory);
        let (embedded, counts) = renewed(Embedded::of(self), table, renewal, sizes, cells, &mut certified)?;
        let version = embedded.finish(progress)?;
        Ok(ImportReport { version, rows: 0, runs: counts.runs, sheets: counts.sheets })
    }
}

/// Renews the runs of sorted rows, with the number of their numbers, in sheets of 2^`log` positions
/// at most; the target with what is left to be done, and the counts of runs and sheets. `certified`
/// is told how many of all numbers are in the vault.
pub(crate) fn renewed<T: Target>(
    target: T,
    (table, schema): (&str, &Schema),
    renewal: Renewal,
    (log, memory): (usize, usize),
    (cells, numbers): (Cells, u64),
    certified: &mut dyn FnMut(u64, u64),
) -> Result<(T, Counts), T::Error> {
    let writing = Renewing::new(target, table, schema, (log, memory))?;
    Renewed { writing, cells, longest: capacity(log), numbers, certified }.write(renewal)
}

/// Rows on their way into runs, in the order of their keys and numbers.
struct Renewed<'a, 'p, T> {
    writing: Renewing<'a, T>,
    cells: Cells,
    /// The most rows of a segment.
    longest: usize,
    /// How many numbers there are.
    numbers: u64,
    certified: &'p mut dyn FnMut(u64, u64),
}

impl<T: Target> Renewed<'_, '_, T> {
    fn write(mut self, renewal: Renewal) -> Result<(T, Counts), T::Error> {
        (self.certified)(0, self.numbers);
        while let Some(first) = self.cells.next()? {
            match renewal {
                Renewal::Extend => self.extend(first)?,
                Renewal::Amend => self.amend(first)?,
            }
        }
        let done = self.writing.write()?;
        (self.certified)(done, self.numbers);
        Ok(self.writing.finish()?)
    }

    /// Lets a key's rows, of which this is the first, continue one of its runs, or begin another.
    fn extend(&mut self, first: Cell) -> Result<(), T::Error> {
        let run = match self.writing.run_behind(first.column, &first.columns, first.number)? {
            Some(run) => run,
            None => self.writing.another_run(first.column, &first.columns)?,
        };
        Ok(self.fill(run, first, VecDeque::new()).map(drop)?)
    }

    /// Puts a key's rows, of which this is the first, in the place of those that it has.
    fn amend(&mut self, first: Cell) -> Result<(), T::Error> {
        let (column, columns) = (first.column, first.columns.clone());
        let mut standing = self.writing.standing(column, &columns)?.into_iter();
        let Some(own) = standing.next() else {
            let run = self.writing.another_run(column, &columns)?;
            return Ok(self.fill(run, first, VecDeque::new()).map(drop)?);
        };
        let others: Vec<_> = standing.collect();
        let (kept, deleted) = if self.writing.is_deletable() { (vec![], others) } else { (others, vec![]) };
        let mut ahead = VecDeque::new();
        while ahead.len() < kept.len() {
            let next = self.cells.next_of(column, &columns)?;
            ahead.push_back(next.ok_or(TablesError::TooFewRows { rows: ahead.len() + 1, runs: kept.len() + 1 })?);
        }
        let own = self.writing.amended(column, &columns, own)?;
        let last = self.fill(own, first, ahead)?;
        for (run, cell) in kept.into_iter().zip(last) {
            let run = self.writing.amended(column, &columns, run)?;
            self.fill(run, cell, VecDeque::new())?;
        }
        Ok(deleted.into_iter().try_for_each(|run| self.writing.delete(run))?)
    }

    /// Gives a run a key's rows: a first one, those that were read ahead, and all others of the
    /// key, but for as many at their end as were read ahead, which are given back.
    fn fill(&mut self, run: Run, first: Cell, mut ahead: VecDeque<Cell>) -> Result<VecDeque<Cell>, TablesError> {
        let (column, columns) = (first.column, first.columns.clone());
        self.writing.begin(run);
        let (mut rows, mut text_bytes) = (Vec::new(), 0);
        let mut next = Some(first);
        while let Some(cell) = next {
            if !rows.is_empty() && (rows.len() >= self.longest || text_bytes + cell.text_bytes > MOST_TEXT) {
                self.segment(core::mem::take(&mut rows), core::mem::take(&mut text_bytes))?;
            }
            text_bytes += cell.text_bytes;
            rows.push((cell.number, cell.texts));
            next = match self.cells.next_of(column, &columns)? {
                Some(cell) => {
                    ahead.push_back(cell);
                    ahead.pop_front()
                }
                None => None,
            };
        }
        self.segment(rows, text_bytes)?;
        self.writing.end();
        Ok(ahead)
    }

    fn segment(&mut self, rows: Vec<(u64, Vec<String>)>, text_bytes: usize) -> Result<(), TablesError> {
        self.writing.segment(rows, text_bytes)?;
        if self.writing.is_full() {
            let done = self.writing.write()?;
            (self.certified)(done, self.numbers);
        }
        Ok(())
    }
}
