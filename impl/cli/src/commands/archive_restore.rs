//! `aardvark archive restore`

use std::path::PathBuf;
use std::time::Instant;

use aardvark_node::archive::{Restored, Trust, restore};
use aardvark_tables::Sifted;
use clap::Args;
use serde_json::json;

use crate::anchor::parse_root;
use crate::commands::archive_backup::{rows, summary_json};
use crate::failure::Failure;
use crate::input::Input;
use crate::progress::Bar;
use crate::report::{Report, count, duration};

/// `aardvark archive restore`
#[derive(Debug, Args)]
pub struct ArchiveRestore {
    /// The backup; - for standard input.
    pub backup: PathBuf,
    /// Folder of the archive to make; empty, or not there.
    pub dir: PathBuf,
    /// The state root that the backup's version must have, as known from elsewhere: 0x and 64
    /// digits.
    #[arg(long, value_name = "HASH", conflicts_with = "rpc")]
    pub root: Option<String>,
    /// Ask this CometBFT node for the header in which the chain's validators signed for the root;
    /// several are asked in turn.
    #[arg(long, value_name = "URL", requires = "genesis")]
    pub rpc: Vec<String>,
    /// The chain's genesis.json: its dictionary and its validators are the trusted side.
    #[arg(long, value_name = "FILE", requires = "rpc")]
    pub genesis: Option<PathBuf>,
}

/// Makes an archive of a backup, or nothing.
///
/// # Errors
/// A backup that is not whole, contradicts itself or the trusted root; a folder that is not empty.
pub fn run(arguments: &ArchiveRestore) -> Result<Report, Failure> {
    let begun = Instant::now();
    let trust = match (&arguments.root, &arguments.genesis) {
        (Some(root), _) => Trust::Root(parse_root(root)?),
        (None, Some(genesis)) => Trust::Chain { nodes: arguments.rpc.clone(), genesis: genesis.clone() },
        (None, None) => Trust::Maker,
    };
    let input = Input::open(&arguments.backup)?;
    let bar = Bar::new("restore");
    let restored = restore(&arguments.dir, input.reader, &trust, &mut |progress| bar.show(progress))?;
    drop(bar);
    let held_against = match trust {
        Trust::Maker => "nothing: it is what the backup's maker said",
        Trust::Root(_) => "the root that was given",
        Trust::Chain { .. } => "the header that the chain's validators signed",
    };
    let Restored { backup, certificates: Sifted { kept, removed } } = restored;
    let rows = match (kept, removed) {
        (0, 0) => rows(&backup),
        (_, 0) => rows(&backup).row("certificates", count(kept)),
        _ => rows(&backup)
            .row("certificates", format!("{}; {} do not hold and are left out", count(kept), count(removed))),
    };
    let rows = rows.row("held against", held_against).row("time", duration(begun.elapsed()));
    let mut json = summary_json(&backup);
    json["certificates"] = json!({ "kept": kept, "left_out": removed });
    json["trusted"] = (!matches!(trust, Trust::Maker)).into();
    Ok(Report::done(rows.to_text(), json))
}
