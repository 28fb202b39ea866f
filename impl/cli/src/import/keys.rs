//! Files of keys: whatever `import` takes, without the values.

use std::path::Path;

use aardvark_dictionary::Key;
use clap::Args;

use super::{Format, Header, ImportError, Reading, changes};
use crate::input::Input;
use crate::key_text::Notation;

/// How a file of keys is read.
#[derive(Clone, Copy, Debug, Args)]
pub struct KeyFileArguments {
    /// What the file of keys looks like; by default its name tells, and JSON lines otherwise.
    #[arg(long, value_enum, requires = "keys")]
    pub format: Option<Format>,
    /// The first line of a CSV file is a header: skip it.
    #[arg(long, conflicts_with = "no_header", requires = "keys")]
    pub header: bool,
    /// The first line of a CSV file is data, also where it looks like a header.
    #[arg(long, requires = "keys")]
    pub no_header: bool,
}

impl KeyFileArguments {
    /// The keys of a file, in its order.
    ///
    /// # Errors
    /// A file that cannot be read, or is malformed.
    pub fn keys(&self, file: &Path, notation: Notation) -> Result<Vec<Key>, ImportError> {
        let Self { format, header, no_header } = *self;
        let reading = Reading { format, header: Header::of_options(header, no_header), notation };
        let records = changes(Input::open(file)?, file, reading)?;
        records.map(|record| record.map(|record| record.key)).collect()
    }
}
