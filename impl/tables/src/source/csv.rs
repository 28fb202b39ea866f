//! Rows from CSV (RFC 4180): the header names the columns.

use std::io::Read;

use aardvark_aggregates::Schema;
use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord};

use super::fields::{ColumnNames, Fields};
use super::{LineFault, Position, Row, RowSource, SourceError};

/// The most bytes that one row may have.
pub const LONGEST_ROW: u64 = 16 << 20;

/// A CSV file as rows of a table.
pub struct CsvSource<R> {
    reader: Reader<Bounded<R>>,
    fields: Fields,
    record: StringRecord,
}

impl<R: Read> CsvSource<R> {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// [`SourceError`] where it is none of the table's.
    pub fn new(file: R, schema: &Schema, names: &ColumnNames) -> Result<Self, SourceError> {
        let mut reader = ReaderBuilder::new().from_reader(Bounded { file, left: LONGEST_ROW });
        let header = reader.headers().cloned();
        let header = header.map_err(|error| refused(&error, reader.position()))?;
        let header: Vec<String> = header.iter().map(str::to_owned).collect();
        if header.is_empty() {
            return Err(SourceError::Line { at: Position::Line(1), fault: LineFault::NoHeader });
        }
        let fields = Fields::of_header(schema, names, &header, Position::Line(1))?;
        Ok(Self { reader, fields, record: StringRecord::new() })
    }
}

impl<R: Read> RowSource for CsvSource<R> {
    fn next_row(&mut self) -> Result<Option<Row>, SourceError> {
        self.reader.get_mut().left = LONGEST_ROW;
        let read = self.reader.read_record(&mut self.record);
        if !read.map_err(|error| refused(&error, self.reader.position()))? {
            return Ok(None);
        }
        let line = self.record.position().map_or(0, csv::Position::line);
        self.fields.row(Position::Line(line), self.record.iter().map(Some)).map(Some)
    }
}

/// Why a record is refused: with its line, or with that where reading ended if it has none.
fn refused(error: &csv::Error, reached: &csv::Position) -> SourceError {
    let line = error.position().unwrap_or(reached).line();
    let fault = match error.kind() {
        ErrorKind::Io(error) if error.kind() == std::io::ErrorKind::FileTooLarge => LineFault::TooLong(LONGEST_ROW),
        ErrorKind::Io(error) => {
            return SourceError::Io(std::io::Error::new(error.kind(), error.to_string()));
        }
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            LineFault::Fields { found: *len, expected: *expected_len }
        }
        ErrorKind::Utf8 { .. } => LineFault::Malformed("it is no UTF-8".to_owned()),
        _ => LineFault::Malformed(error.to_string()),
    };
    SourceError::Line { at: Position::Line(line), fault }
}

/// A file of which only so many bytes are read before more are allowed: a quotation mark that is
/// never closed would otherwise take the whole file into memory as one field.
struct Bounded<R> {
    file: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        let read = self.file.read(buffer)?;
        self.left = self.left.saturating_sub(read as u64);
        Ok(read)
    }
}
