//! Readers of the files that `aardvark import` takes: JSON lines, CSV, Debian's package index.
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
    /// `key,value` without a header; a line with the key alone deletes.
    Csv,
    /// Debian's `Packages` file, plain or LZ4: `name -> version, SHA-256`.
    DebianPackages,
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
    /// A line is not a CSV record.
    #[error("{0}: {1}")]
    Csv(Place, String),
    /// A key or value that no dictionary takes.
    #[error("{0}: {1}")]
    Text(Place, KeyTextError),
    /// A package index is malformed.
    #[error(transparent)]
    Debian(#[from] DebianError),
}

/// The changes of a file, in its order.
pub type Changes = Box<dyn Iterator<Item = Result<Change, ImportError>>>;

/// Opens `path` (`-` is standard input) and reads its changes; without a format, the name's ending tells:
/// `.csv` is CSV, `Packages` or `.packages` with or without `.lz4` a package index, anything else JSON lines.
///
/// # Errors
/// A file that cannot be opened; errors within it come from the iterator, except that a package index is read whole.
pub fn changes(path: &Path, format: Option<Format>, notation: Notation) -> Result<Changes, ImportError> {
    let input = Input::open(path)?;
    match format.unwrap_or_else(|| format_of(path)) {
        Format::Jsonl => Ok(Box::new(jsonl::JsonLines::new(input, notation))),
        Format::Csv => Ok(Box::new(csv::CsvRecords::new(input, notation))),
        Format::DebianPackages => Ok(Box::new(debian_packages::packages(input)?)),
    }
}

/// The format that a file's name suggests.
fn format_of(path: &Path) -> Format {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".lz4").unwrap_or(&name);
    if name.ends_with(".csv") {
        Format::Csv
    } else if name.ends_with("packages") {
        Format::DebianPackages
    } else {
        Format::Jsonl
    }
}
