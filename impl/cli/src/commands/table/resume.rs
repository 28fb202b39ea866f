//! `aardvark table resume DIR`

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::on_chain::{OnChain, show};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::report::{Report, Rows, count};

/// `aardvark table resume`
#[derive(Debug, Args)]
pub struct Resume {
    /// Folder of the vault.
    pub dir: PathBuf,
    /// Drop what is not applied, with its rows, once nothing that was sent can be applied any more.
    #[arg(long)]
    pub give_up: bool,
    /// The chain.
    #[command(flatten)]
    pub chain: OnChain,
}

/// Goes on with a write to a chain that has ended early, or gives it up.
///
/// # Errors
/// What the chain refuses; nobody to ask; a vault that cannot be opened.
pub fn run(arguments: &Resume) -> Result<Report, Failure> {
    let (mut keeper, mut ledger) = arguments.chain.open(&arguments.dir)?;
    let Some(job) = keeper.under_way()? else {
        let rows = Rows::new().row("under way", "nothing");
        return Ok(Report::done(rows.to_text(), json!({ "under_way": false })));
    };
    let rows = Rows::new().row("table", job.table.clone());
    if arguments.give_up {
        let given_up = keeper.give_up(&mut ledger)?;
        let rows = rows
            .row("given up", format!("{} transactions", count(given_up.transactions)))
            .row("runs dropped", count(given_up.segments));
        let json = json!({
            "under_way": true, "table": job.table, "given_up": given_up.transactions, "dropped": given_up.segments,
        });
        return Ok(Report::done(rows.to_text(), json));
    }
    let bar = Bar::new("resume");
    let done = keeper.carry_on(&mut ledger, &mut |step| show(&bar, step))?;
    drop(bar);
    let version = done.map_or(job.version, |done| done.version);
    ledger.reach(version);
    let rows = rows.row("applied", "all of it").row("version", version.to_string());
    let json = json!({ "under_way": true, "table": job.table, "version": version, "rows": job.counts.rows });
    Ok(Report::done(rows.to_text(), json))
}
