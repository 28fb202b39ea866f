//! `aardvark status DIR`

use std::path::PathBuf;

use aardvark_algebra::Kernel;
use aardvark_archive::{BlockKind, StoredOpenings};
use clap::Args;
use serde_json::json;

use crate::failure::Failure;
use crate::hex_text::encode;
use crate::report::{Report, Rows, bytes, count, counted};
use crate::store::{Patience, open_read_only};
use crate::validator_size::ValidatorSize;

/// `aardvark status`
#[derive(Debug, Args)]
pub struct Status {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// Says how large a dictionary is, and what a validator needs.
///
/// # Errors
/// A store that cannot be read.
pub fn run(arguments: &Status) -> Result<Report, Failure> {
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let newest = archive.version_info(archive.version())?;
    let validator = archive.validator()?;
    let (root, validator) = (encode(&validator.root()), ValidatorSize::of(&validator));
    let (parameters, disk, stored) = (archive.parameters(), archive.bytes_on_disk()?, archive.stored_openings()?);
    let id = encode(&archive.id().0);
    let made_by = match newest.kind {
        BlockKind::Genesis => "genesis",
        BlockKind::Transactions | BlockKind::Aggregated => "transactions",
        BlockKind::Import => "import",
    };
    let rows = Rows::new()
        .row("name", archive.identity().name())
        .row("dictionary", id.clone())
        .row("scheme", format!("{}, {} slots per vector", parameters.scheme, count(parameters.vector_size.into())))
        .row("version", format!("{} ({made_by})", archive.version()))
        .row("root", &root)
        .row("readable from", archive.oldest_version().to_string())
        .row("window", counted(parameters.window.into(), "version", "versions"))
        .row("keys", count(newest.size - 1))
        .row("vectors", count(validator.vectors))
        .row("on disk", bytes(disk));
    let rows = match &stored {
        Some(StoredOpenings { current, bytes: size }) => rows.row(
            "  stored openings",
            format!("{}, {} up to date", bytes(*size), counted(*current, "vector", "vectors")),
        ),
        None => rows,
    };
    let rows = rows
        .row("a validator needs", bytes(validator.total()))
        .row("  commitments", bytes(validator.commitments))
        .row("  tail", format!("{} ({})", bytes(validator.tail), counted(validator.tail_slots, "slot", "slots")))
        .row("  window", format!("{} ({})", bytes(validator.window), counted(validator.writes, "write", "writes")))
        .row("  replay set", bytes(validator.replay))
        .row("kernel", Kernel::in_use().name());
    let json = json!({
        "name": archive.identity().name(),
        "dictionary": id,
        "scheme": parameters.scheme.name(),
        "vector_size": parameters.vector_size,
        "window": parameters.window,
        "version": archive.version(),
        "root": root,
        "oldest_version": archive.oldest_version(),
        "made_by": made_by,
        "keys": newest.size - 1,
        "slots": newest.size,
        "vectors": validator.vectors,
        "bytes_on_disk": disk,
        "stored_openings": stored.map(|stored| json!({ "bytes": stored.bytes, "current": stored.current })),
        "kernel": Kernel::in_use().name(),
        "validator": {
            "bytes": validator.total(),
            "commitments": validator.commitments,
            "tail": validator.tail,
            "window": validator.window,
            "replay_set": validator.replay,
        },
    });
    Ok(Report::done(rows.to_text(), json))
}
