//! `aardvark audit DIR`

use std::path::PathBuf;
use std::time::Instant;

use aardvark_archive::{Anchor, AnchoredCommitments};
use clap::Args;
use serde_json::json;

use crate::anchor::parse_root;
use crate::commitments_json::{self, LARGEST_COMMITMENTS};
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::input::read_file;
use crate::progress::Bar;
use crate::report::{Report, Rows, Verdict, count, counted, duration};
use crate::store::{Patience, open_read_only};

/// `aardvark audit`
#[derive(Debug, Args)]
pub struct Audit {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// Commitments that `aardvark commitments` wrote, kept elsewhere: the dictionary must still be
    /// theirs, at their version.
    #[arg(long, value_name = "FILE", conflicts_with = "root")]
    pub commitments: Option<PathBuf>,
    /// The state root of the latest version, as kept elsewhere: 0x and 64 digits.
    #[arg(long, value_name = "HASH")]
    pub root: Option<String>,
    /// With --root: the version that it is of, any since genesis.
    #[arg(long, value_name = "V", requires = "root", conflicts_with = "commitments")]
    pub version: Option<u64>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// Replays every block and compares everything.
///
/// # Errors
/// A store that cannot be opened at all, an anchor that is malformed. What is wrong inside, or
/// differs from the anchor, is reported, with exit code 1.
pub fn run(arguments: &Audit) -> Result<Report, Failure> {
    let start = Instant::now();
    let anchor = anchor(arguments)?;
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let bar = Bar::new("audit");
    let found = archive.audit_against(anchor.as_ref(), &mut |progress| bar.show(progress))?;
    drop(bar);

    let findings: Vec<String> = found.findings.iter().map(ToString::to_string).collect();
    let verdict = if found.is_clean() { Verdict::Holds } else { Verdict::False };
    let title = match findings.len() as u64 {
        0 => "all agrees".to_owned(),
        number => counted(number, "finding", "findings"),
    };
    let rows = Rows::new()
        .row("audit", title)
        .row("versions replayed", count(found.versions))
        .row("records compared", count(found.records))
        .row("commitments recomputed", count(found.commitments));
    let root = found.root.map(|root| encode(&root));
    let rows = match (&anchor, found.anchored) {
        (None, _) => rows.row("anchor", "none: another whole dictionary in its place would pass"),
        (Some(_), Some(version)) => rows.row("anchor", format!("version {version}")),
        (Some(_), None) => rows.row("anchor", "not reached"),
    };
    let rows = root.iter().fold(rows, |rows, root| rows.row("root", root)).row("time", duration(start.elapsed()));
    let lines = rows.to_text().and_all(findings.iter().map(|finding| format!("! {finding}")));
    let json = json!({
        "result": verdict.name(),
        "findings": findings,
        "versions": found.versions,
        "records": found.records,
        "commitments": found.commitments,
        "anchored": found.anchored,
        "root": root,
        "seconds": start.elapsed().as_secs_f64(),
    });
    Ok(Report { verdict, ..Report::done(lines, json) })
}

/// What the dictionary is held against.
fn anchor(arguments: &Audit) -> Result<Option<Anchor>, Failure> {
    if let Some(root) = &arguments.root {
        return Ok(Some(Anchor::Root { version: arguments.version, root: parse_root(root)? }));
    }
    let Some(path) = &arguments.commitments else {
        return Ok(None);
    };
    let malformed = |error| Failure::Json(path.display().to_string(), error);
    let text = read_file(path, LARGEST_COMMITMENTS)?;
    let known = commitments_json::read(&text).map_err(malformed)?;
    Ok(Some(Anchor::Commitments(AnchoredCommitments {
        dictionary: known.dictionary,
        version: known.version,
        size: known.slots,
        commitments: known.decoded().map_err(malformed)?,
    })))
}
