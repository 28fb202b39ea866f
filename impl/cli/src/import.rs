//! Readers of the files that `aardvark import` takes: JSON lines, CSV, Debian's package index, plain or compressed.
//!
//! Each is an iterator of changes in the file's order. JSON lines and CSV are read as they come, whatever the size of
//! the file; a package index is collected first, because a name may stand twice and the higher version counts.
//! An error names the file and the line, and ends the import.

mod csv;
mod debian_packages;
mod jsonl;

use std::path::Path;

use aardvark_dictionary::Change;

use crate::debian::DebianError;
use crate::input::{Input, InputError, Place};
use crate::key_text::{KeyTextError, Notation};

/// What a file to import looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// One object `{"key": …, "value": …}` a line; `null` deletes.
    Jsonl,
    /// `key,value` a line; a line with the key alone deletes.
    Csv,
    /// Debian's `Packages` file: `name -> version, SHA-256`.
    DebianPackages,
}

/// What the first line of a CSV file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Header {
    /// Nobody said; it is data, unless it looks like a header: then somebody has to.
    #[default]
    Unstated,
    /// The names of the columns.
    Skipped,
    /// Data, whatever it looks like.
    Absent,
}

impl Header {
    /// From the options `--header` and `--no-header`, of which one may be given.
    pub fn of_options(header: bool, no_header: bool) -> Self {
        match (header, no_header) {
            (true, _) => Self::Skipped,
            (false, true) => Self::Absent,
            (false, false) => Self::Unstated,
        }
    }
}

/// How a file is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    /// Its format, where its name does not tell.
    pub format: Option<Format>,
    /// Its first line, where it is CSV.
    pub header: Header,
    /// What keys and values that begin with 0x are.
    pub notation: Notation,
}

/// Why a file could not be imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file could not be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A line is not an object of the format.
    #[error("{0}: {1}")]
    Json(Place, serde_json::Error),
    /// A line is something else than JSON lines.
    #[error("{0}: {1}")]
    NotJsonLines(Place, &'static str),
    /// A line is not a CSV record.
    #[error("{0}: {1}")]
    Csv(Place, String),
    /// Only CSV has a header.
    #[error("{0}: --header and --no-header are for CSV, and this is not read as CSV; say --format csv if it is")]
    NoHeader(String),
    /// A key or value that no dictionary takes.
    #[error("{0}: {1}")]
    Text(Place, KeyTextError),
    /// A package index is malformed.
    #[error(transparent)]
    Debian(#[from] DebianError),
}

/// The changes of a file, in its order.
pub type Changes = Box<dyn Iterator<Item = Result<Change, ImportError>>>;

/// Reads the changes of an input, plain or compressed; without a format, the name's ending tells:
/// `.csv` is CSV, `Packages` or `.packages` a package index, anything else JSON lines; `.gz`, `.zst` and `.lz4` behind it are
/// left aside.
///
/// # Errors
/// A compression that we do not read; errors within the file come from the iterator, except that a package index is read
/// whole.
pub fn changes(input: Input, path: &Path, reading: Reading) -> Result<Changes, ImportError> {
    let Reading { format, header, notation } = reading;
    let input = input.decompressed()?;
    let format = format.unwrap_or_else(|| format_of(path));
    if format != Format::Csv && header != Header::Unstated {
        return Err(ImportError::NoHeader(input.name));
    }
    match format {
        Format::Jsonl => Ok(Box::new(jsonl::JsonLines::new(input, notation))),
        Format::Csv => Ok(Box::new(csv::CsvRecords::new(input, notation, header))),
        Format::DebianPackages => Ok(Box::new(debian_packages::packages(input)?)),
    }
}

/// The format that a file's name suggests.
fn format_of(path: &Path) -> Format {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = [".lz4", ".gz", ".zst"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    if name.ends_with(".csv") {
        Format::Csv
    } else if name.ends_with("packages") {
        Format::DebianPackages
    } else {
        Format::Jsonl
    }
}
