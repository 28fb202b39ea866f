//! `aardvark table runs DIR NAME`

use std::path::PathBuf;

use aardvark_aggregates::{Head, KeyValue, Schema, TableKey, decode_columns};
use aardvark_archive::Snapshot;
use aardvark_tables::keeper::for_each_entry;
use aardvark_tables::source::fields::shown_value;
use aardvark_tables::{TablesError, schema_of};
use clap::Args;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::hex_text::encode;
use crate::report::{Report, Rows, count};
use crate::store::{Patience, open_read_only};

/// `aardvark table runs`
#[derive(Debug, Args)]
pub struct Runs {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// The table's name.
    pub name: String,
    /// At this version; the newest by default.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// A run of a table.
pub struct Run {
    /// The number of its value column.
    pub column: u8,
    /// Its key columns, encoded.
    pub columns: Vec<u8>,
    /// Its number among those of its key.
    pub run: u32,
    /// Its head.
    pub head: Head,
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
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let version = arguments.version.unwrap_or(archive.version());
    let none = || TablesError::NoTable(arguments.name.clone());
    let schema = schema_of(&archive, &arguments.name, version)?.ok_or_else(none)?;
    let (mut rows, mut listed) = (Rows::new(), Vec::new());
    for_each_run(&archive, &arguments.name, &schema, version, |run| {
        let name = schema.values.get(usize::from(run.column)).map_or("", |column| column.name.as_str());
        let (shown, key) = key_of(&schema, &run.columns);
        let (revision, of_run) = (run.head.revision, u64::from(run.head.record.rows));
        let again = if revision > 0 { format!(", revision {revision}") } else { String::new() };
        rows =
            core::mem::take(&mut rows).row(name, format!("{shown}, number {}: {} rows{again}", run.run, count(of_run)));
        listed.push(json!({
            "column": name,
            "key": key,
            "run": run.run,
            "revision": revision,
            "rows": of_run.to_string(),
            "domain": 1u32 << run.head.record.log.min(31),
            "first": run.head.record.first,
        }));
        Ok(())
    })?;
    Ok(Report::done(rows.to_text(), json!({ "table": arguments.name, "runs": listed, "version": version })))
}

/// The key columns of a run in words and as JSON.
pub fn key_of(schema: &Schema, columns: &[u8]) -> (String, Value) {
    match decode_columns(schema, columns) {
        Ok(values) => {
            let names = schema.keys.iter().map(|column| column.name.clone());
            let texts: Vec<String> = values.iter().map(shown_value).collect();
            let json: Map<String, Value> = names.zip(&texts).map(|(name, text)| (name, json!(text))).collect();
            (aardvark_tables::source::fields::shown_key(schema, &values), Value::Object(json))
        }
        Err(_) => (encode(columns), json!(encode(columns))),
    }
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
