//! How a file to import is read: its format, its first line, its notation.

use crate::key_text::Notation;

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
