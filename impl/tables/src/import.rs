//! Imports of rows: sorted by key and number, packed into sheets, certified, and put as one import
//! block.
//!
//! All rows are read and sorted before anything is written, outside of memory where they do not
//! fit. Then sheets are filled, certified and written a few at a time: their secrets into the
//! vault, their certificates beside the log. Last the archive puts all heads as one version: a
//! commitment never stands without its secrets, and no head without its certificate. What a kill
//! leaves of the first two is removed by the next opening.

mod report;
pub(crate) mod runs;
pub(crate) mod sheets;
mod writing;

use aardvark_aggregates::sheet::{MIN_LOG, capacity, max_log};
use aardvark_aggregates::{PolicyFault, Schema};
use aardvark_archive::sorting::Sorter;

pub use self::report::{ImportReport, ImportStep};
pub(crate) use self::runs::{Cell, Cells, MOST_TEXT};
use self::runs::{Runs, push_row};
use self::sheets::{Batch, Filler};
pub(crate) use self::sheets::{MOST_BATCH_TEXT, SHEETS};
use self::writing::Writing;
pub(crate) use self::writing::write_index;
use crate::error::TablesError;
use crate::keeper::Keeper;
use crate::source::{RowSource, SourceError};

/// Rows between two reports of how many were read.
const READ_STEP: u64 = 4096;

/// How rows are imported.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The most positions of a sheet, a power of two.
    pub sheet: usize,
    /// Bytes of rows that are sorted in memory; more of them go to files. As many are taken for the
    /// index of rows.
    pub memory: usize,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { sheet: 1024, memory: 96 << 20 }
    }
}

impl ImportOptions {
    /// The logarithm of the size of sheets, where columns of a schema have such.
    ///
    /// # Errors
    /// [`TablesError::SheetSize`].
    pub(crate) fn log(&self, schema: &Schema) -> Result<usize, TablesError> {
        let most = |moments: u8| max_log(usize::from(moments));
        let least = schema.values.iter().map(|column| most(column.moments)).min().unwrap_or(MIN_LOG);
        if !self.sheet.is_power_of_two() || !(1 << MIN_LOG..=1 << least).contains(&self.sheet) {
            return Err(TablesError::SheetSize(self.sheet, 1 << least));
        }
        Ok(self.sheet.trailing_zeros() as usize)
    }
}

impl Keeper {
    /// Imports all rows of a source into a table, as one version; nothing where one of them is
    /// refused. A key that has runs already gets another.
    ///
    /// # Errors
    /// [`TablesError`].
    pub fn import(
        &mut self,
        table: &str,
        schema: &Schema,
        source: &mut dyn RowSource,
        options: &ImportOptions,
        progress: &mut dyn FnMut(ImportStep),
    ) -> Result<ImportReport, TablesError> {
        let log = self.check_import(table, schema, options)?;
        let (sorter, rows) = self.read_rows(source, options, progress)?;
        let report = ImportReport { version: self.archive.version(), rows, ..ImportReport::default() };
        let numbers = sorter.count();
        if numbers == 0 {
            return Ok(report);
        }
        let cells = Cells::new(sorter, schema)?;
        let written = self.import_sorted(table, schema, options, log, (cells, numbers), progress);
        if written.is_err() {
            // Where this fails too, the next opening does it.
            let _ = self.settle();
        }
        written.map(|written| ImportReport { rows, ..written })
    }

    /// Reads all rows of a source, to be sorted, and how many there are.
    pub(crate) fn read_rows(
        &self,
        source: &mut dyn RowSource,
        options: &ImportOptions,
        progress: &mut dyn FnMut(ImportStep),
    ) -> Result<(Sorter, u64), TablesError> {
        let mut sorter = Sorter::new(options.memory, self.vault.temporary_files());
        let mut rows = 0;
        while let Some(row) = source.next_row()? {
            push_row(&mut sorter, rows, &row).map_err(SourceError::Sorting)?;
            rows += 1;
            if rows % READ_STEP == 0 {
                progress(ImportStep::Read(rows));
            }
        }
        progress(ImportStep::Read(rows));
        Ok((sorter, rows))
    }

    /// Whether a table takes rows in sheets of that size; the logarithm of the size.
    pub(crate) fn check_import(
        &self,
        table: &str,
        schema: &Schema,
        options: &ImportOptions,
    ) -> Result<usize, TablesError> {
        if *schema != self.schema(table)? {
            return Err(PolicyFault::SchemaChanged.into());
        }
        options.log(schema)
    }

    /// Certifies and writes rows that are sorted, with the number of their numbers.
    fn import_sorted(
        &mut self,
        table: &str,
        schema: &Schema,
        options: &ImportOptions,
        log: usize,
        (cells, numbers): (Cells, u64),
        progress: &mut dyn FnMut(ImportStep),
    ) -> Result<ImportReport, TablesError> {
        let mut runs = Runs::new(cells, capacity(log));
        let mut writing = Writing::new(self, table, schema, options.memory)?;
        let (mut filler, mut sheets) = (Filler::new(log), Batch::default());
        progress(ImportStep::Certified(0, numbers));
        let mut last: Option<(u8, Vec<u8>, u32)> = None;
        while let Some((column, columns)) = runs.ahead() {
            let before = last.take().filter(|last| (last.0, last.1.as_slice()) == (column, columns));
            let run = writing.free_run(column, columns, before.map(|last| last.2))?;
            last = Some((column, columns.to_vec(), run));
            let Some(run) = runs.next(run)? else { break };
            if let Some(full) = filler.place(run)? {
                sheets.push(full);
            }
            if sheets.is_full() {
                progress(ImportStep::Certified(writing.write(sheets.take())?, numbers));
            }
        }
        if let Some(rest) = filler.finish() {
            sheets.push(rest);
        }
        progress(ImportStep::Certified(writing.write(sheets.take())?, numbers));
        writing.finish(progress)
    }
}
