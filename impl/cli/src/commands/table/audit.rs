//! `aardvark table audit DIR [NAME]`

use std::path::PathBuf;
use std::time::Instant;

use aardvark_aggregates::ProverSetup;
use aardvark_tables::{AuditOptions, Certificates, TablesError, Vault, audit_tables, schema_of};
use clap::Args;
use serde_json::json;

use super::remote::{self, Remote, Server};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::report::{Report, Rows, Verdict, count, counted, duration};
use crate::store::{Patience, open_read_only};

/// `aardvark table audit`
#[derive(Debug, Args)]
pub struct Audit {
    /// Folder of the dictionary, or the URL of an archive or keeper.
    pub dir: PathBuf,
    /// The table; all of them by default.
    pub name: Option<String>,
    /// Recompute every commitment from the vault's rows too.
    #[arg(long)]
    pub vault: bool,
    /// Look only at what versions above this one have put; the others were audited before.
    /// Not of a URL.
    #[arg(long, value_name = "VERSION", default_value_t = 0)]
    pub since: u64,
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

/// Checks every run that there ever was.
///
/// # Errors
/// A store that cannot be opened, a table that there is not. What is wrong inside is reported, with
/// exit code 1.
pub fn run(arguments: &Audit) -> Result<Report, Failure> {
    if let Some(remote) = Remote::of(&arguments.dir, &arguments.server, arguments.root.as_deref(), None)? {
        if arguments.vault {
            return Err(Failure::Usage("--vault: no server shows its vault".to_owned()));
        }
        if arguments.since != 0 {
            let usage = "--since: what a server put when is its own word; all its runs are audited";
            return Err(Failure::Usage(usage.to_owned()));
        }
        return remote::audit::run(&remote, arguments.name.as_deref());
    }
    let start = Instant::now();
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    if arguments.since > archive.version() {
        let usage = format!("--since {}: the newest version is {}", arguments.since, archive.version());
        return Err(Failure::Usage(usage));
    }
    if let Some(name) = &arguments.name {
        schema_of(&archive, name, archive.version())?.ok_or_else(|| TablesError::NoTable(name.clone()))?;
    }
    let certificates = Certificates::open_read_only(&arguments.dir, archive.id()).map_err(TablesError::from)?;
    let vault = match arguments.vault {
        true => Some((
            Vault::open_read_only(&arguments.dir, archive.id()).map_err(TablesError::from)?,
            ProverSetup::ethereum(Some(&Vault::folder(&arguments.dir)))?,
        )),
        false => None,
    };
    let bar = Bar::new("audit");
    let options = AuditOptions { table: arguments.name.clone(), since: arguments.since };
    let vault = vault.as_ref().map(|(vault, setup)| (vault, setup));
    let found = audit_tables(&archive, &certificates, vault, &options, &mut |done, total| bar.count(done, total))?;
    drop(bar);
    let findings: Vec<String> = found.findings.iter().map(ToString::to_string).collect();
    let verdict = if findings.is_empty() { Verdict::Holds } else { Verdict::False };
    let title = match findings.len() as u64 {
        0 => "all agrees".to_owned(),
        number => counted(number, "finding", "findings"),
    };
    let rows = Rows::new()
        .row("audit", title)
        .row("tables", count(found.tables))
        .row("rows", format!("{} in {}", count(found.rows), counted(found.runs, "run", "runs")))
        .row("certificates verified", count(found.certificates));
    let rows = match arguments.vault {
        true => rows.row("vectors recomputed", count(found.recomputed)),
        false => rows,
    };
    let rows = rows.row("versions replayed", count(found.versions)).row("time", duration(start.elapsed()));
    let lines = rows.to_text().and_all(findings.iter().map(|finding| format!("! {finding}")));
    let json = json!({
        "result": verdict.name(),
        "findings": findings,
        "tables": found.tables,
        "runs": found.runs,
        "rows": found.rows.to_string(),
        "certificates": found.certificates,
        "recomputed": found.recomputed,
        "versions": found.versions,
        "seconds": start.elapsed().as_secs_f64(),
    });
    Ok(Report { verdict, ..Report::done(lines, json) })
}
