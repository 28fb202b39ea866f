//! `aardvark table delete DIR NAME --key COLUMN=VALUE ..`

use std::path::PathBuf;

use aardvark_aggregates::TableKey;
use aardvark_tables::Keeper;
use clap::Args;
use serde_json::json;

use super::listing::key_of;
use super::runs::{for_each_run, parse_key};
use crate::failure::Failure;
use crate::report::{Report, Rows, counted};
use crate::store::{Patience, open};

/// `aardvark table delete`
#[derive(Debug, Args)]
pub struct Delete {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// The table's name, which must be deletable.
    pub name: String,
    /// The value of a key column; one for each.
    #[arg(long = "key", value_name = "COLUMN=VALUE")]
    pub keys: Vec<String>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// Deletes all runs of a key, of all value columns.
///
/// # Errors
/// A key that has none, a table that does not allow it.
pub fn run(arguments: &Delete) -> Result<Report, Failure> {
    let Delete { dir, name, keys, patience } = arguments;
    let mut keeper = Keeper::open(open(dir, *patience)?, dir)?;
    let schema = keeper.schema(name)?;
    let wanted = parse_key(&schema, keys)?;
    let mut heads = Vec::new();
    let version = keeper.archive().version();
    for_each_run(keeper.archive(), name, &schema, version, |run| {
        if run.columns == wanted {
            heads.push(TableKey::Head { table: name.clone(), column: run.column, columns: run.columns, run: run.run });
        }
        Ok(())
    })?;
    let (shown, key) = key_of(&schema, &wanted);
    if heads.is_empty() {
        return Err(Failure::Usage(format!("there is no run of {shown}")));
    }
    let version = keeper.delete(name, &heads)?;
    let runs = heads.len() as u64;
    let rows = Rows::new()
        .row("table", name.clone())
        .row("deleted", format!("{} of {shown}", counted(runs, "run", "runs")))
        .row("version", version.to_string());
    Ok(Report::done(rows.to_text(), json!({ "table": name, "key": key, "runs": runs, "version": version })))
}
