//! `aardvark table show DIR NAME`

use std::path::PathBuf;

use aardvark_aggregates::{KeyValue, Schema};
use aardvark_tables::number::show_number;
use aardvark_tables::source::fields::shown_value;
use aardvark_tables::{TablesError, schema_of};
use clap::Args;
use serde_json::{Value, json};

use super::columns::key_type;
use super::runs::for_each_run;
use super::schema_json;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::report::{Report, Rows, count};
use crate::store::{Patience, open_read_only};

/// `aardvark table show`
#[derive(Debug, Args)]
pub struct Show {
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

/// The rows of a schema's columns.
pub fn columns(rows: Rows, schema: &Schema) -> Rows {
    let rows =
        schema.keys.iter().fold(rows, |rows, column| rows.row("key", format!("{}: {}", column.name, key_type(column))));
    let rows = schema.values.iter().fold(rows, |rows, column| {
        let (lowest, highest) = (i128::from(column.lowest), column.highest());
        let (low, high) = (show_number(lowest, column.scale), show_number(highest, column.scale));
        rows.row("value", format!("{}: {low} to {high}, {} bits, {} moments", column.name, column.bits, column.moments))
    });
    let rows = schema.rows.iter().fold(rows, |rows, name| rows.row("row", name.clone()));
    match (schema.append_only, schema.deletable) {
        (true, _) => rows.row("runs", "are never replaced or deleted"),
        (_, true) => rows.row("runs", "may be replaced or deleted"),
        _ => rows.row("runs", "may be replaced"),
    }
}

/// The watermark as text; `None` where there is none.
pub fn watermark(schema: &Schema) -> Option<String> {
    let first = schema.keys.first().filter(|_| !schema.watermark.is_empty())?;
    let alone = Schema { keys: vec![first.clone()], ..schema.clone() };
    let value = aardvark_aggregates::decode_columns(&alone, &schema.watermark).ok();
    let shown = |value: Vec<KeyValue>| value.first().map(shown_value);
    Some(value.and_then(shown).unwrap_or_else(|| encode(&schema.watermark)))
}

/// Says what a table's columns are, and what it holds.
///
/// # Errors
/// A table that there is not, a version that cannot be read.
pub fn run(arguments: &Show) -> Result<Report, Failure> {
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let version = arguments.version.unwrap_or(archive.version());
    let none = || TablesError::NoTable(arguments.name.clone());
    let schema = schema_of(&archive, &arguments.name, version)?.ok_or_else(none)?;
    let mut held = vec![(0u64, 0u64); schema.values.len()];
    for_each_run(&archive, &arguments.name, &schema, version, |run| {
        if let Some((runs, rows)) = held.get_mut(usize::from(run.column)) {
            *runs += 1;
            *rows += u64::from(run.head.record.rows);
        }
        Ok(())
    })?;
    let rows = columns(Rows::new().row("table", arguments.name.clone()), &schema);
    let closed = watermark(&schema);
    let rows = closed.iter().fold(rows, |rows, closed| rows.row("closed below", closed.clone()));
    let rows = schema.values.iter().zip(&held).fold(rows, |rows, (column, (runs, of_runs))| {
        rows.row("holds", format!("{}: {} rows in {} runs", column.name, count(*of_runs), count(*runs)))
    });
    let rows = rows.row("schema", encode(&schema.digest())).row("version", version.to_string());
    let columns: Vec<Value> = schema
        .values
        .iter()
        .zip(&held)
        .map(|(column, (runs, of_runs))| json!({ "name": column.name, "runs": runs, "rows": of_runs.to_string() }))
        .collect();
    let json = json!({
        "table": arguments.name,
        "schema": schema_json::write(&schema),
        "schema_digest": encode(&schema.digest()),
        "closed_below": closed,
        "columns": columns,
        "version": version,
    });
    Ok(Report::done(rows.to_text(), json))
}
