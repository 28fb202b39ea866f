//! Rows on their way to runs: as records that are sorted, and as the runs that sorted records make.
//!
//! ```text
//! record = u8 column || key columns || u64 number || u64 row || (bytes16(text))*
//! ```
//!
//! So records are in the order of columns, keys, numbers and, last, of the source.

use std::io::{self, ErrorKind};

use aardvark_aggregates::Schema;
use aardvark_archive::sorting::{Sorted, Sorter};

use crate::error::TablesError;
use crate::source::{Row, SourceError};

/// A run, or a segment, with more bytes of texts than these is ended, and another one begun: so
/// that a sheet fits into memory whatever its texts are.
pub(crate) const MOST_TEXT: usize = 16 << 20;

/// A run that is to be put.
pub(crate) struct NewRun {
    /// The value column.
    pub(crate) column: u8,
    /// The encoded key columns.
    pub(crate) columns: Vec<u8>,
    /// Its number among the runs of its key.
    pub(crate) run: u32,
    /// Numbers above the column's lowest, ascending.
    pub(crate) numbers: Vec<u64>,
    /// The texts of each number's row.
    pub(crate) texts: Vec<Vec<String>>,
    /// How many bytes the texts have.
    pub(crate) text_bytes: usize,
}

/// Gives a row's numbers to a sorter: one record for each.
///
/// # Errors
/// What the system says of a temporary file.
pub(crate) fn push_row(sorter: &mut Sorter, number: u64, row: &Row) -> io::Result<()> {
    for (column, value) in (0u8..).zip(&row.numbers) {
        let Some(value) = value else { continue };
        let mut record = vec![column];
        record.extend(&row.columns);
        record.extend(value.to_be_bytes());
        record.extend(number.to_be_bytes());
        for text in &row.texts {
            // Sources refuse longer ones.
            let length = u16::try_from(text.len()).map_err(|_| io::Error::from(ErrorKind::InvalidInput))?;
            record.extend(length.to_be_bytes());
            record.extend(text.as_bytes());
        }
        sorter.push(&record)?;
    }
    Ok(())
}

/// A record, read back.
pub(crate) struct Cell {
    pub(crate) column: u8,
    pub(crate) columns: Vec<u8>,
    pub(crate) number: u64,
    pub(crate) texts: Vec<String>,
    pub(crate) text_bytes: usize,
}

/// Sorted records, read back.
pub(crate) struct Cells {
    sorted: Sorted,
    /// How many bytes a key's columns have.
    width: usize,
    ahead: Option<Cell>,
}

impl Cells {
    /// Sorts all records.
    pub(crate) fn new(sorter: Sorter, schema: &Schema) -> Result<Self, TablesError> {
        let sorted = sorter.sorted().map_err(SourceError::Sorting)?;
        let width = schema.keys.iter().map(|column| usize::from(column.width)).sum();
        let mut cells = Self { sorted, width, ahead: None };
        cells.next()?;
        Ok(cells)
    }

    /// The next one.
    pub(crate) fn ahead(&self) -> Option<&Cell> {
        self.ahead.as_ref()
    }

    /// Takes the next one; `None` behind the last one.
    pub(crate) fn next(&mut self) -> Result<Option<Cell>, TablesError> {
        let read = match self.sorted.next().transpose().map_err(SourceError::Sorting)? {
            Some(record) => {
                let damaged = || SourceError::Sorting(ErrorKind::InvalidData.into());
                Some(read_cell(&record, self.width).ok_or_else(damaged)?)
            }
            None => None,
        };
        Ok(core::mem::replace(&mut self.ahead, read))
    }

    /// Takes the next one, if it is of a column and key.
    pub(crate) fn next_of(&mut self, column: u8, columns: &[u8]) -> Result<Option<Cell>, TablesError> {
        let is_of = |cell: &Cell| (cell.column, cell.columns.as_slice()) == (column, columns);
        if self.ahead().is_some_and(is_of) { self.next() } else { Ok(None) }
    }
}

/// The runs that sorted records make: of one column and key, no longer than a sheet.
pub(crate) struct Runs {
    cells: Cells,
    /// The most rows of a run.
    longest: usize,
}

impl Runs {
    pub(crate) fn new(cells: Cells, longest: usize) -> Self {
        Self { cells, longest }
    }

    /// The column and key of the next run.
    pub(crate) fn ahead(&self) -> Option<(u8, &[u8])> {
        self.cells.ahead().map(|cell| (cell.column, cell.columns.as_slice()))
    }

    /// The next run, which gets this number; `None` behind the last one.
    pub(crate) fn next(&mut self, run: u32) -> Result<Option<NewRun>, TablesError> {
        let Some(Cell { column, columns, number, texts, text_bytes }) = self.cells.next()? else { return Ok(None) };
        let mut run = NewRun { column, columns, run, numbers: vec![number], texts: vec![texts], text_bytes };
        loop {
            let has_room =
                |cell: &Cell| run.numbers.len() < self.longest && run.text_bytes + cell.text_bytes <= MOST_TEXT;
            if !self.cells.ahead().is_some_and(has_room) {
                return Ok(Some(run));
            }
            let Some(cell) = self.cells.next_of(run.column, &run.columns)? else { return Ok(Some(run)) };
            run.numbers.push(cell.number);
            run.texts.push(cell.texts);
            run.text_bytes += cell.text_bytes;
        }
    }
}

fn read_cell(record: &[u8], width: usize) -> Option<Cell> {
    let (column, rest) = record.split_first()?;
    let (columns, rest) = rest.split_at_checked(width)?;
    let (number, rest) = rest.split_first_chunk::<8>()?;
    let mut rest = rest.get(8..)?;
    let text_bytes = rest.len();
    let mut texts = Vec::new();
    while let Some((length, behind)) = rest.split_first_chunk::<2>() {
        let (text, behind) = behind.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
        texts.push(core::str::from_utf8(text).ok()?.to_owned());
        rest = behind;
    }
    let number = u64::from_be_bytes(*number);
    Some(Cell { column: *column, columns: columns.to_vec(), number, texts, text_bytes })
}
