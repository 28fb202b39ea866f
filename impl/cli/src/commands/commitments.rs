//! `aardvark commitments DIR`

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::commitments_json;
use crate::failure::Failure;
use crate::output_file::{asked, write_file};
use crate::report::{Report, Rows, bytes, count};
use crate::store::{Patience, open_read_only};

/// `aardvark commitments`
#[derive(Debug, Args)]
pub struct Commitments {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// At this version instead of the latest.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// Write the commitments to this file; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// Writes what a validator knows of a version, to standard output or a file.
///
/// # Errors
/// A version that cannot be read, a store that cannot be read, a file that cannot be written.
pub fn run(arguments: &Commitments) -> Result<Report, Failure> {
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let known = archive.published_commitments(arguments.version.unwrap_or(archive.version()))?;
    let text = commitments_json::write(&known).map_err(|error| Failure::Json("the commitments".into(), error))?;
    let Some(path) = asked(arguments.output.as_ref()) else {
        return Ok(Report::document(text));
    };
    write_file(path, &text)?;
    let (number, file) = (known.commitments.len() as u64, path.display().to_string());
    let rows = Rows::new()
        .row("version", known.version.to_string())
        .row("slots", count(known.slots))
        .row("commitments", format!("{} ({})", count(number), bytes(number * 48)))
        .row("file", file.clone());
    let json = json!({ "version": known.version, "slots": known.slots, "commitments": number, "file": file });
    Ok(Report::done(rows.to_text(), json))
}
