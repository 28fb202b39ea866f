//! Readers of the files that `aardvark import` takes: JSON lines, CSV, Debian's package index,
//! plain or compressed.
//!
//! Each is an iterator of changes in the file's order. JSON lines and CSV are read as they come,
//! whatever the size of the file; a package index is collected first, because a name may stand
//! twice and the higher version counts. An error names the file and the line, and ends the import.

mod csv;
pub mod debian;
mod debian_packages;
mod error;
mod jsonl;
mod keys;
mod reading;

use std::path::Path;

use aardvark_dictionary::Change;

pub use csv::looks_like_a_header;
pub use error::ImportError;
pub use keys::KeyFileArguments;
pub use reading::{Format, Header, Reading};

use crate::input::Input;

/// The changes of a file, in its order.
pub type Changes = Box<dyn Iterator<Item = Result<Change, ImportError>>>;

/// Reads the changes of an input, plain or compressed; without a format, the name's ending tells:
/// `.csv` is CSV, `Packages` or `.packages` a package index, anything else JSON lines; `.gz`,
/// `.zst` and `.lz4` behind it are left aside.
///
/// # Errors
/// A compression that we do not read; errors within the file come from the iterator, except that a
/// package index is read whole.
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
