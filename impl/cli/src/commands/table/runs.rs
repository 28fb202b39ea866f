//! `aardvark table runs DIR NAME`

use std::path::PathBuf;

use aardvark_aggregates::{Head, KeyValue, Schema, TableKey};
use aardvark_archive::Snapshot;
use aardvark_tables::keeper::for_each_entry;
use aardvark_tables::{TablesError, schema_of};
use clap::Args;
use serde_json::json;

use super::listing::{Run, listed};
use super::remote::{Remote, Server, public};
use crate::failure::Failure;
use crate::report::{Report, Rows};
use crate::store::{Patience, open_read_only};

/// `aardvark table runs`
#[derive(Debug, Args)]
pub struct Runs {
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

/// Visits the runs of a table at a version, in the order of their keys. What is no run there is
/// left to audits.
///
/// # Errors
/// A version that cannot be read, and what visiting ends with.
pub fn for_each_run(
    archive: &Snapshot,
    table: &str,
    schema: &Schema,
    version: u64,
    mut visit: impl FnMut(Run) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let prefix = [TableKey::prefix(table), vec![1]].concat();
    for_each_entry(archive, &prefix, version, |key, value| {
        let Ok(TableKey::Head { column, columns, run, .. }) = TableKey::from_bytes(key, schema) else { return Ok(()) };
        let moments = schema.values.get(usize::from(column)).map_or(0, |column| usize::from(column.moments));
        let Ok(head) = Head::from_bytes(value, moments) else { return Ok(()) };
        visit(Run { column, columns, run, head })
    })
}

/// Lists the runs of a table.
///
/// # Errors
/// A table that there is not, a version that cannot be read.
pub fn run(arguments: &Runs) -> Result<Report, Failure> {
    if let Some(remote) = Remote::of(&arguments.dir, &arguments.server, arguments.root.as_deref(), arguments.version)? {
        return public::runs(&remote, &arguments.name);
    }
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let version = arguments.version.unwrap_or(archive.version());
    let none = || TablesError::NoTable(arguments.name.clone());
    let schema = schema_of(&archive, &arguments.name, version)?.ok_or_else(none)?;
    let (mut rows, mut json) = (Rows::new(), Vec::new());
    for_each_run(&archive, &arguments.name, &schema, version, |run| {
        let ((name, shown), of_run) = listed(&schema, &run);
        rows = core::mem::take(&mut rows).row(&name, shown);
        json.push(of_run);
        Ok(())
    })?;
    Ok(Report::done(rows.to_text(), json!({ "table": arguments.name, "runs": json, "version": version })))
}

/// Values of key columns as they are typed: `NAME=VALUE`.
///
/// # Errors
/// What is wrong with them.
pub fn parse_key(schema: &Schema, typed: &[String]) -> Result<Vec<u8>, Failure> {
    let usage = |what: String| Failure::Usage(what);
    let mut values: Vec<Option<KeyValue>> = vec![None; schema.keys.len()];
    for text in typed {
        let (name, value) = text.split_once('=').ok_or_else(|| usage(format!("{text:?} is not NAME=VALUE")))?;
        let found = schema.keys.iter().enumerate().find(|(_, column)| column.name == name);
        let (i, column) = found.ok_or_else(|| usage(format!("the table has no key column {name:?}")))?;
        let value = aardvark_tables::source::fields::parse_key_value(i, column, value)
            .map_err(|error| usage(format!("{text}: {error}")))?;
        match values.get_mut(i) {
            Some(place @ None) => *place = Some(value),
            _ => return Err(usage(format!("key column {name} is given twice"))),
        }
    }
    let missing = schema.keys.iter().zip(&values).find(|(_, value)| value.is_none());
    if let Some((column, _)) = missing {
        return Err(usage(format!("key column {} is missing: --key {}=VALUE", column.name, column.name)));
    }
    let values: Vec<KeyValue> = values.into_iter().flatten().collect();
    aardvark_aggregates::encode_columns(schema, &values).map_err(|error| usage(error.to_string()))
}
