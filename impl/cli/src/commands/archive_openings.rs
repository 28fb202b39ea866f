//! `aardvark archive openings`

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde_json::json;

use crate::failure::Failure;
use crate::progress::Bar;
use crate::report::{Report, Rows, bytes, count, duration};
use crate::store::{Patience, open_read_only};

/// `aardvark archive openings`
#[derive(Debug, Args)]
pub struct ArchiveOpenings {
    /// Folder of an archive that no process writes to.
    pub dir: PathBuf,
    /// Remove stored openings instead.
    #[arg(long)]
    pub remove: bool,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// Stores the openings of the newest version, or renews them, or removes them.
///
/// # Errors
/// An archive that cannot be opened or is damaged, a file that cannot be written.
pub fn run(arguments: &ArchiveOpenings) -> Result<Report, Failure> {
    let begun = Instant::now();
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    if arguments.remove {
        let removed = archive.remove_stored_openings()?;
        let said = if removed { "removed" } else { "there were none" };
        return Ok(Report::done(Rows::new().row("stored openings", said).to_text(), json!({ "removed": removed })));
    }
    let bar = Bar::new("openings");
    let renewed = archive.store_openings(&mut |progress| bar.show(progress))?;
    drop(bar);
    let (vectors, size) = (archive.vectors(), archive.stored_openings()?.map_or(0, |stored| stored.bytes));
    let rows = Rows::new()
        .row("version", archive.version().to_string())
        .row("vectors", count(vectors))
        .row("renewed", count(renewed))
        .row("bytes", bytes(size))
        .row("time", duration(begun.elapsed()));
    let json = json!({ "version": archive.version(), "vectors": vectors, "renewed": renewed, "bytes": size });
    Ok(Report::done(rows.to_text(), json))
}
