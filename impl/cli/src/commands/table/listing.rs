//! Tables and their runs in words and as JSON, wherever they come from.

use aardvark_aggregates::{Head, KeyValue, Schema, decode_columns};
use aardvark_tables::number::show_number;
use aardvark_tables::source::fields::shown_value;
use serde_json::{Map, Value, json};

use super::columns::key_type;
use super::schema_json;
use crate::hex_text::encode;
use crate::report::{Rows, count};

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

/// A run in words, its column before them, and as JSON.
pub fn listed(schema: &Schema, run: &Run) -> ((String, String), Value) {
    let name = schema.values.get(usize::from(run.column)).map_or("", |column| column.name.as_str());
    let (shown, key) = key_of(schema, &run.columns);
    let (revision, of_run) = (run.head.revision, run.head.rows());
    let again = if revision > 0 { format!(", revision {revision}") } else { String::new() };
    let segments = match run.head.segments() {
        1 => String::new(),
        segments => format!(" in {segments} segments"),
    };
    let json = json!({
        "column": name,
        "key": key,
        "run": run.run,
        "revision": revision,
        "rows": of_run.to_string(),
        "segments": run.head.segments(),
        "domain": 1u32 << run.head.record.log.min(31),
        "first": run.head.record.first,
    });
    ((name.to_owned(), format!("{shown}, number {}: {} rows{segments}{again}", run.run, count(of_run))), json)
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
    let value = decode_columns(&alone, &schema.watermark).ok();
    let shown = |value: Vec<KeyValue>| value.first().map(shown_value);
    Some(value.and_then(shown).unwrap_or_else(|| encode(&schema.watermark)))
}

/// A table in words and as JSON; of each value column how many runs it has, and rows in them.
pub fn shown(name: &str, schema: &Schema, held: &[(u64, u64)], version: u64) -> (Rows, Value) {
    let rows = columns(Rows::new().row("table", name), schema);
    let closed = watermark(schema);
    let rows = closed.iter().fold(rows, |rows, closed| rows.row("closed below", closed.clone()));
    let rows = schema.values.iter().zip(held).fold(rows, |rows, (column, (runs, of_runs))| {
        rows.row("holds", format!("{}: {} rows in {} runs", column.name, count(*of_runs), count(*runs)))
    });
    let rows = rows.row("schema", encode(&schema.digest())).row("version", version.to_string());
    let columns: Vec<Value> = schema
        .values
        .iter()
        .zip(held)
        .map(|(column, (runs, of_runs))| json!({ "name": column.name, "runs": runs, "rows": of_runs.to_string() }))
        .collect();
    let json = json!({
        "table": name,
        "schema": schema_json::write(schema),
        "schema_digest": encode(&schema.digest()),
        "closed_below": closed,
        "columns": columns,
        "version": version,
    });
    (rows, json)
}
