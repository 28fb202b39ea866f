//! `aardvark table list DIR`

use std::path::PathBuf;

use aardvark_tables::table_names;
use clap::Args;
use serde_json::json;

use super::remote::{Remote, Server, public};
use crate::failure::Failure;
use crate::report::{Report, Rows};
use crate::store::{Patience, open_read_only};

/// `aardvark table list`
#[derive(Debug, Args)]
pub struct List {
    /// Folder of the dictionary, or the URL of an archive or keeper.
    pub dir: PathBuf,
    /// At this version; the newest by default.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
    /// How a server is asked.
    #[command(flatten)]
    pub server: Server,
}

/// Lists the tables of a dictionary.
///
/// # Errors
/// A version that cannot be read.
pub fn run(arguments: &List) -> Result<Report, Failure> {
    if let Some(remote) = Remote::of(&arguments.dir, &arguments.server, None, arguments.version)? {
        return public::list(&remote);
    }
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let version = arguments.version.unwrap_or(archive.version());
    let names = table_names(&archive, version)?;
    let rows = names.iter().fold(Rows::new(), |rows, name| rows.row(name, ""));
    Ok(Report::done(rows.to_text(), json!({ "tables": names, "version": version })))
}
