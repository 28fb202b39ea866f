//! Rows of a table back out of the vault, as CSV or JSON lines that an import takes.
//!
//! The vault keeps the rows of each column by themselves. Those of one key with the same texts are
//! joined to lines again, the k-th of one column with the k-th of another; so an import of the
//! lines has the same rows in every column, though ids that a key has twice may be paired anew.

use std::collections::BTreeMap;
use std::io::{self, Write};

use aardvark_aggregates::key_box::KeyBox;
use aardvark_aggregates::{Head, KeyValue, Schema, TableKey, decode_columns};
use serde_json::{Map, Value};

use crate::error::TablesError;
use crate::keeper::{Keeper, for_each_entry, schema_of};
use crate::number::show_number;
use crate::place::SegmentPlace;
use crate::rows::boxes;
use crate::segments::segment_record;
use crate::source::fields::shown_value;

/// What rows are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// CSV (RFC 4180) with a header that names the columns.
    Csv,
    /// A JSON object a line; numbers as texts.
    JsonLines,
}

/// A run: the number of its column, the key of its head, its head.
type Run = (u8, Vec<u8>, Head);

impl Keeper {
    /// Writes the rows of a version, in the order of their keys, those of each key by their texts.
    /// A condition, as it stands behind `where` in a query, names only those of some keys. The
    /// number of lines.
    ///
    /// # Errors
    /// [`TablesError::NoTable`], [`TablesError::Query`], [`TablesError::NoRows`] where the vault
    /// has not the rows of a run, [`TablesError::Output`].
    pub fn export(
        &self,
        table: &str,
        version: u64,
        condition: Option<&str>,
        format: RowFormat,
        out: &mut dyn Write,
    ) -> Result<u64, TablesError> {
        let schema = schema_of(&self.archive, table, version)?;
        let schema = schema.ok_or_else(|| TablesError::NoTable(table.to_owned()))?;
        let mut writer = RowWriter::new(&schema, format, out)?;
        let mut lines = 0;
        for (columns, runs) in self.runs_by_key(table, &schema, version, condition)? {
            let Ok(key) = decode_columns(&schema, &columns) else { continue };
            for (texts, numbers) in self.rows_of_key(&schema, version, &runs)? {
                let longest = numbers.iter().map(Vec::len).max().unwrap_or(0);
                for k in 0..longest {
                    let row: Vec<Option<u64>> = numbers.iter().map(|column| column.get(k).copied()).collect();
                    writer.row(&key, &row, &texts)?;
                    lines += 1;
                }
            }
        }
        writer.out.flush()?;
        Ok(lines)
    }

    /// The runs of each key.
    fn runs_by_key(
        &self,
        table: &str,
        schema: &Schema,
        version: u64,
        condition: Option<&str>,
    ) -> Result<BTreeMap<Vec<u8>, Vec<Run>>, TablesError> {
        let boxes: BTreeMap<u8, KeyBox> = boxes(table, schema, None, condition)?;
        let mut runs: BTreeMap<Vec<u8>, Vec<Run>> = BTreeMap::new();
        let prefix = [TableKey::prefix(table), vec![1]].concat();
        for_each_entry::<TablesError>(&self.archive, &prefix, version, |key, value| {
            let Ok(TableKey::Head { column, columns, .. }) = TableKey::from_bytes(key, schema) else { return Ok(()) };
            let moments = schema.values.get(usize::from(column)).map_or(0, |column| usize::from(column.moments));
            let within = boxes.get(&column).is_some_and(|key_box| key_box.holds(key));
            if let (true, Ok(head)) = (within, Head::from_bytes(value, moments)) {
                runs.entry(columns).or_default().push((column, key.to_vec(), head));
            }
            Ok(())
        })?;
        Ok(runs)
    }

    /// The rows of a key's runs: of each texts the numbers of every column.
    fn rows_of_key(
        &self,
        schema: &Schema,
        version: u64,
        runs: &[Run],
    ) -> Result<BTreeMap<Vec<String>, Vec<Vec<u64>>>, TablesError> {
        let mut rows: BTreeMap<Vec<String>, Vec<Vec<u64>>> = BTreeMap::new();
        for (column, key, head) in runs {
            for segment in 0..head.segments() {
                let place = SegmentPlace { head: key.clone(), revision: head.revision, segment };
                let secret = self.vault.segment(&place)?.ok_or(TablesError::NoRows)?;
                let record =
                    segment_record(&self.archive, schema, &place, head, version)?.ok_or(TablesError::NoRows)?;
                // A run that was deleted and put again has other rows.
                if secret.root() != Some(record.root) {
                    return Err(TablesError::NoRows);
                }
                for (number, texts) in secret.numbers.into_iter().zip(secret.texts) {
                    let columns = rows.entry(texts).or_insert_with(|| vec![Vec::new(); schema.values.len()]);
                    columns.get_mut(usize::from(*column)).into_iter().for_each(|numbers| numbers.push(number));
                }
            }
        }
        Ok(rows)
    }
}

/// Rows as they are written.
struct RowWriter<'a> {
    schema: &'a Schema,
    format: RowFormat,
    out: &'a mut dyn Write,
}

impl RowWriter<'_> {
    fn row(&mut self, key: &[KeyValue], numbers: &[Option<u64>], texts: &[String]) -> Result<(), TablesError> {
        let shown = self.schema.values.iter().zip(numbers).map(|(column, number)| {
            let number = number.map(|number| i128::from(column.lowest) + i128::from(number));
            number.map_or_else(String::new, |number| show_number(number, column.scale))
        });
        let fields: Vec<String> = key.iter().map(shown_value).chain(shown).chain(texts.iter().cloned()).collect();
        match self.format {
            RowFormat::Csv => write_record(self.out, &fields)?,
            RowFormat::JsonLines => {
                let pairs = names(self.schema).zip(fields).filter(|(name, text)| {
                    // A number that there is not is left out.
                    !text.is_empty() || self.schema.values.iter().all(|column| column.name != *name)
                });
                let object: Map<String, Value> =
                    pairs.map(|(name, text)| (name.to_owned(), Value::String(text))).collect();
                writeln!(self.out, "{}", Value::Object(object))?;
            }
        }
        Ok(())
    }
}

impl<'a> RowWriter<'a> {
    fn new(schema: &'a Schema, format: RowFormat, out: &'a mut dyn Write) -> io::Result<Self> {
        if format == RowFormat::Csv {
            let header: Vec<String> = names(schema).map(str::to_owned).collect();
            write_record(out, &header)?;
        }
        Ok(Self { schema, format, out })
    }
}

/// The names of all columns, in the order in which they are written.
fn names(schema: &Schema) -> impl Iterator<Item = &str> {
    let keys = schema.keys.iter().map(|column| column.name.as_str());
    let values = schema.values.iter().map(|column| column.name.as_str());
    keys.chain(values).chain(schema.rows.iter().map(String::as_str))
}

fn write_record(out: &mut dyn Write, fields: &[String]) -> io::Result<()> {
    let mut record = csv::WriterBuilder::new().from_writer(Vec::new());
    record.write_record(fields).map_err(io::Error::other)?;
    out.write_all(&record.into_inner().map_err(|error| io::Error::other(error.to_string()))?)
}
