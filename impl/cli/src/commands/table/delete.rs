//! `aardvark table delete DIR NAME --key COLUMN=VALUE ..`

use std::path::PathBuf;

use aardvark_aggregates::{Schema, TableKey};
use aardvark_tables::Keeper;
use clap::Args;
use serde_json::json;

use super::listing::key_of;
use super::on_chain::OnChain;
use super::runs::{for_each_run, parse_key};
use crate::failure::Failure;
use crate::report::{Report, Rows, counted};
use crate::store::{Patience, open};

/// `aardvark table delete`
#[derive(Debug, Args)]
pub struct Delete {
    /// Folder of the dictionary; with --signer, of the vault.
    pub dir: PathBuf,
    /// The table's name, which must be deletable.
    pub name: String,
    /// The value of a key column; one for each.
    #[arg(long = "key", value_name = "COLUMN=VALUE")]
    pub keys: Vec<String>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
    /// Where the table is one of a chain.
    #[command(flatten)]
    pub chain: OnChain,
}

/// Deletes all runs of a key, of all value columns.
///
/// # Errors
/// A key that has none, a table that does not allow it.
pub fn run(arguments: &Delete) -> Result<Report, Failure> {
    let Delete { dir, name, keys, patience, chain } = arguments;
    let (schema, wanted, deleted) = if chain.is_meant() {
        let (mut keeper, mut ledger) = chain.open(dir)?;
        let schema = keeper.schema(&mut ledger, name)?;
        let wanted = parse_key(&schema, keys)?;
        let written = keeper.delete(&mut ledger, name, &wanted)?;
        ledger.reach(written.done.version);
        (schema, wanted, (written.done.counts.runs, written.done.version))
    } else {
        let mut keeper = Keeper::open(open(dir, *patience)?, dir)?;
        let schema = keeper.schema(name)?;
        let wanted = parse_key(&schema, keys)?;
        let deleted = delete(&mut keeper, name, &schema, &wanted)?;
        (schema, wanted, deleted)
    };
    let (shown, key) = key_of(&schema, &wanted);
    let (runs, version) = deleted;
    if runs == 0 {
        return Err(Failure::Usage(format!("there is no run of {shown}")));
    }
    let rows = Rows::new()
        .row("table", name.clone())
        .row("deleted", format!("{} of {shown}", counted(runs, "run", "runs")))
        .row("version", version.to_string());
    Ok(Report::done(rows.to_text(), json!({ "table": name, "key": key, "runs": runs, "version": version })))
}

/// Deletes the runs of a key of an embedded dictionary: how many, and the newest version.
fn delete(keeper: &mut Keeper, name: &str, schema: &Schema, wanted: &[u8]) -> Result<(u64, u64), Failure> {
    let mut heads = Vec::new();
    let version = keeper.archive().version();
    for_each_run(keeper.archive(), name, schema, version, |run| {
        if run.columns == wanted {
            heads.push(TableKey::Head {
                table: name.to_owned(),
                column: run.column,
                columns: run.columns,
                run: run.run,
            });
        }
        Ok(())
    })?;
    let version = if heads.is_empty() { version } else { keeper.delete(name, &heads)? };
    Ok((heads.len() as u64, version))
}
