//! `aardvark table export DIR NAME`

use std::path::PathBuf;

use aardvark_tables::{Keeper, RowFormat};
use clap::Args;
use serde_json::json;

use crate::failure::Failure;
use crate::output_file::{asked, write_secret};
use crate::report::{Report, Rows, count};
use crate::store::{Patience, open_read_only};

/// What a file of rows looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportFormat {
    /// A header, and a row a line.
    Csv,
    /// An object a line.
    Jsonl,
}

/// `aardvark table export`
#[derive(Debug, Args)]
pub struct Export {
    /// Folder of the dictionary, with the vault.
    pub dir: PathBuf,
    /// The table's name.
    pub name: String,
    /// Only rows with such keys, as in a query: `time = 100 and town = 'Bern'`.
    #[arg(long = "where", value_name = "CONDITIONS")]
    pub condition: Option<String>,
    /// At this version; the newest by default.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// What to write.
    #[arg(long, value_enum, default_value = "csv")]
    pub format: ExportFormat,
    /// The file that the rows, which are secret, are written to; standard output by default.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// Writes rows as an import takes them.
///
/// # Errors
/// A table that there is not, rows that the vault does not have, a file that cannot be written.
pub fn run(arguments: &Export) -> Result<Report, Failure> {
    let Export { dir, name, condition, version, format, output, patience } = arguments;
    let keeper = Keeper::open_read_only(open_read_only(dir, *patience)?, dir)?;
    let version = version.unwrap_or(keeper.archive().version());
    let format = match format {
        ExportFormat::Csv => RowFormat::Csv,
        ExportFormat::Jsonl => RowFormat::JsonLines,
    };
    let standard = PathBuf::from("-");
    let path = output.as_ref().unwrap_or(&standard);
    let lines = write_secret(path, |out| {
        let mut buffered = std::io::BufWriter::new(out);
        Ok(keeper.export(name, version, condition.as_deref(), format, &mut buffered)?)
    })?;
    match asked(Some(path)) {
        None => Ok(Report::printed()),
        Some(path) => {
            let rows = Rows::new().row("rows", count(lines)).row("version", version.to_string());
            let rows = rows.row("written to", path.display().to_string());
            Ok(Report::done(rows.to_text(), json!({ "rows": lines, "version": version })))
        }
    }
}
