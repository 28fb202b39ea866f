//! `aardvark table show DIR NAME`

use std::path::PathBuf;

use aardvark_tables::{TablesError, schema_of};
use clap::Args;

use super::listing::shown;
use super::remote::{Remote, Server, public};
use super::runs::for_each_run;
use crate::failure::Failure;
use crate::report::Report;
use crate::store::{Patience, open_read_only};

/// `aardvark table show`
#[derive(Debug, Args)]
pub struct Show {
    /// Folder of the dictionary, or the URL of an archive or keeper.
    pub dir: PathBuf,
    /// The table's name.
    pub name: String,
    /// At this version; the newest by default.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
    /// Where a URL is asked: the state root to verify under, 0x and 64 digits: the trusted side.
    #[arg(long, value_name = "HASH", group = "anchor")]
    pub root: Option<String>,
    /// How a server is asked.
    #[command(flatten)]
    pub server: Server,
}

/// Says what a table's columns are, and what it holds.
///
/// # Errors
/// A table that there is not, a version that cannot be read.
pub fn run(arguments: &Show) -> Result<Report, Failure> {
    if let Some(remote) = Remote::of(&arguments.dir, &arguments.server, arguments.root.as_deref(), arguments.version)? {
        return public::show(&remote, &arguments.name);
    }
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let version = arguments.version.unwrap_or(archive.version());
    let none = || TablesError::NoTable(arguments.name.clone());
    let schema = schema_of(&archive, &arguments.name, version)?.ok_or_else(none)?;
    let mut held = vec![(0u64, 0u64); schema.values.len()];
    for_each_run(&archive, &arguments.name, &schema, version, |run| {
        if let Some((runs, rows)) = held.get_mut(usize::from(run.column)) {
            *runs += 1;
            *rows += run.head.rows();
        }
        Ok(())
    })?;
    let (rows, json) = shown(&arguments.name, &schema, &held, version);
    Ok(Report::done(rows.to_text(), json))
}
