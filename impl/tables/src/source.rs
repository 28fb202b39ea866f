//! Rows from outside, whatever they are read from: typed by the schema, in any order.

pub mod csv;
pub mod fields;
pub mod jsonl;
#[cfg(feature = "parquet")]
pub mod parquet;
#[cfg(feature = "sql")]
pub mod sql;

use std::fmt;

use aardvark_aggregates::KeyError;
use thiserror::Error;

use crate::number::NumberError;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The encoded key columns.
    pub columns: Vec<u8>,
    /// For each value column the number's distance from the column's lowest, where the row has one.
    pub numbers: Vec<Option<u64>>,
    /// One text a row column.
    pub texts: Vec<String>,
}

/// Rows, one after the other.
pub trait RowSource {
    /// The next row; `None` behind the last one.
    ///
    /// # Errors
    /// [`SourceError`]: the source cannot be read, or a row is none of the table's.
    fn next_row(&mut self) -> Result<Option<Row>, SourceError>;
}

/// Where in a source something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// A line of a file, from 1 on.
    Line(u64),
    /// The description of all rows' columns, in a source without lines.
    Header,
    /// A row, from 1 on, in a source without lines.
    Row(u64),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Header => write!(f, "the header"),
            Self::Row(row) => write!(f, "row {row}"),
        }
    }
}

/// Why a source gives no more rows.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SourceError {
    /// A line is none of the table's rows.
    #[error("{at}: {fault}")]
    Line {
        /// Where.
        at: Position,
        /// What is wrong with it.
        fault: LineFault,
    },
    /// A column of a line is none of the table's.
    #[error("{at}, column {column}: {fault}")]
    Column {
        /// Where.
        at: Position,
        /// The column's name in the source.
        column: String,
        /// What is wrong with it.
        fault: ColumnFault,
    },
    /// The source cannot be read.
    #[error("reading failed: {0}")]
    Io(std::io::Error),
    /// The file is no Parquet file, or has something that is not read.
    #[error("no Parquet file that can be read: {0}")]
    Parquet(String),
    /// The database, or its query, fails.
    #[error("the database: {0}")]
    Database(String),
    /// Rows cannot be sorted outside of memory.
    #[error("the rows cannot be sorted: {0}")]
    Sorting(std::io::Error),
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineFault {
    /// It cannot be read as what the source is said to be.
    #[error("{0}")]
    Malformed(String),
    /// It has another number of fields than the header.
    #[error("{found} fields, where the header has {expected}")]
    Fields {
        /// The line's.
        found: u64,
        /// The header's.
        expected: u64,
    },
    /// It has another number of columns than the first one.
    #[error("it has other columns than the first row")]
    OtherColumns,
    /// It is longer than a row may be.
    #[error("longer than {0} bytes")]
    TooLong(u64),
    /// There is no header.
    #[error("there is no header that names the columns")]
    NoHeader,
}

/// What is wrong with a column of a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ColumnFault {
    /// The table has no such column.
    #[error("the table has no such column")]
    Unknown,
    /// The source names it twice.
    #[error("it stands twice")]
    Repeated,
    /// The source does not have it, and every row needs it.
    #[error("it is missing")]
    Missing,
    /// It is no number.
    #[error("{0:?} {1}")]
    Number(String, NumberError),
    /// It is outside of the column's numbers.
    #[error("{found} is not between {lowest} and {highest}")]
    OutOfRange {
        /// What stands there.
        found: String,
        /// The column's lowest.
        lowest: String,
        /// The column's highest.
        highest: String,
    },
    /// It is no value of the key column.
    #[error("{0:?}: {1}")]
    Key(String, KeyError),
    /// Keys as low as this are closed.
    #[error("{0:?} is closed: the table is sealed up to there")]
    Closed(String),
    /// A text of a row is longer than 65,535 bytes.
    #[error("a text of {0} bytes, where a row's has at most 65,535")]
    TextTooLong(usize),
    /// It is a text, but not in UTF-8.
    #[error("it is no UTF-8")]
    NotUtf8,
    /// It is neither a text nor a number.
    #[error("it is neither a text nor an integer; write decimals as texts")]
    Kind,
}
