//! Rows from Parquet files of flat columns: integers, decimals and texts.
//!
//! The reader is the crate `parquet`'s. It trusts the counts that a file states, so these are
//! looked at first (`limits`); and a panic of its is an error like any other.

mod limits;
mod thrift;

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use aardvark_aggregates::Schema;
use parquet::data_type::Decimal;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::record::reader::RowIter;

use super::csv::LONGEST_ROW;
use super::fields::{ColumnNames, Fields};
use super::{ColumnFault, LineFault, Position, Row, RowSource, SourceError};
use crate::number::{show_number, without_zeros_behind};

/// The most digits behind the point of a decimal that is read: 10^38 is below 2^127.
const MOST_DIGITS: i32 = 38;
/// The most bytes of a decimal, as some write them whatever its digits are.
const MOST_DECIMAL: usize = 32;

/// A Parquet file as rows of a table.
pub struct ParquetSource {
    rows: RowIter<'static>,
    fields: Fields,
    names: Vec<String>,
    row: u64,
}

impl ParquetSource {
    /// Reads the description of a file.
    ///
    /// # Errors
    /// [`SourceError::Parquet`] where it is no Parquet file, or none that is read here;
    /// [`SourceError::Column`] where its columns are none of the table's.
    pub fn new(mut file: File, schema: &Schema, names: &ColumnNames) -> Result<Self, SourceError> {
        limits::check_footer(&mut file)?;
        let pages = file.try_clone().map_err(SourceError::Io)?;
        let reader = guarded(|| SerializedFileReader::new(file))?;
        guarded(|| Ok(limits::check_pages(pages, reader.metadata())))??;
        let columns = reader.metadata().file_metadata().schema_descr().columns();
        let header: Vec<String> = columns.iter().map(|column| column.name().to_owned()).collect();
        let fields = Fields::of_header(schema, names, &header, Position::Header)?;
        let rows = guarded(|| Ok(RowIter::from_file_into(Box::new(reader))))?;
        Ok(Self { rows, fields, names: header, row: 0 })
    }
}

impl RowSource for ParquetSource {
    fn next_row(&mut self) -> Result<Option<Row>, SourceError> {
        self.row += 1;
        let at = Position::Row(self.row);
        let malformed = |error: SourceError| match error {
            SourceError::Parquet(reason) => SourceError::Line { at, fault: LineFault::Malformed(reason) },
            error => error,
        };
        let rows = &mut self.rows;
        let Some(row) = guarded(|| rows.next().transpose()).map_err(malformed)? else { return Ok(None) };
        let columns = row.into_columns();
        if columns.len() != self.names.len() {
            return Err(SourceError::Line { at, fault: LineFault::OtherColumns });
        }
        let mut texts = Vec::with_capacity(columns.len());
        let mut bytes = 0;
        for (name, field) in columns {
            let text = text(field).map_err(|fault| SourceError::Column { at, column: name, fault })?;
            bytes += text.as_ref().map_or(0, String::len);
            texts.push(text);
        }
        if bytes as u64 > LONGEST_ROW {
            return Err(SourceError::Line { at, fault: LineFault::TooLong(LONGEST_ROW) });
        }
        self.fields.row(at, texts.iter().map(Option::as_deref)).map(Some)
    }
}

/// A field as text; `None` where it is null.
fn text(field: Field) -> Result<Option<String>, ColumnFault> {
    Ok(Some(match field {
        Field::Null => return Ok(None),
        Field::Byte(number) => number.to_string(),
        Field::Short(number) => number.to_string(),
        Field::Int(number) => number.to_string(),
        Field::Long(number) => number.to_string(),
        Field::UByte(number) => number.to_string(),
        Field::UShort(number) => number.to_string(),
        Field::UInt(number) => number.to_string(),
        Field::ULong(number) => number.to_string(),
        Field::Str(text) => text,
        Field::Decimal(decimal) => decimal_text(&decimal).ok_or(ColumnFault::Kind)?,
        _ => return Err(ColumnFault::Kind),
    }))
}

/// A decimal as text; `None` where it is larger than any column takes.
fn decimal_text(decimal: &Decimal) -> Option<String> {
    let scale = u8::try_from(decimal.scale()).ok().filter(|_| decimal.scale() <= MOST_DIGITS)?;
    let (first, rest) = Some(decimal.data()).filter(|data| data.len() <= MOST_DECIMAL)?.split_first()?;
    let mut number = i128::from(*first as i8);
    for byte in rest {
        number = number.checked_mul(256)?.checked_add(i128::from(*byte))?;
    }
    Some(without_zeros_behind(&show_number(number, scale)).to_owned())
}

/// Runs the crate's code.
///
/// What a panic leaves half done is the reader's own, and not used again.
fn guarded<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, SourceError> {
    let refused = |reason: String| SourceError::Parquet(reason.chars().take(200).collect());
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(outcome) => outcome.map_err(|error| refused(error.to_string())),
        Err(_) => Err(refused("it cannot be read".to_owned())),
    }
}
