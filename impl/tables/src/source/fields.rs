//! From the texts of a line to a row: which column of the table each is, and what it says.

use std::collections::BTreeMap;

use aardvark_aggregates::key::encode_value;
use aardvark_aggregates::{KeyColumn, KeyError, KeyKind, KeyValue, Schema, ValueColumn};

use super::{ColumnFault, Position, Row, SourceError};
use crate::number::{parse_number, show_number};

/// The most bytes of a row's text.
const LONGEST_TEXT: usize = 65_535;

/// A column of a table, by its place among those of its sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Key(usize),
    Value(usize),
    Row(usize),
}

/// What the columns of a source are called there: table's name to source's name. Those that are not
/// in it are called the same.
pub type ColumnNames = BTreeMap<String, String>;

/// A table's columns, as a source has them.
#[derive(Clone, Debug)]
pub struct Fields {
    schema: Schema,
    /// For each field of the source its name there, and the column that it is.
    known: Vec<(String, Column)>,
}

impl Fields {
    /// The columns of a source with these names, in its order.
    ///
    /// # Errors
    /// [`ColumnFault::Unknown`], [`ColumnFault::Repeated`]; [`ColumnFault::Missing`] for a key or
    /// row column, or where there is no value column at all.
    pub fn of_header(
        schema: &Schema,
        names: &ColumnNames,
        header: &[String],
        at: Position,
    ) -> Result<Self, SourceError> {
        let refused = |column: &str, fault| SourceError::Column { at, column: shortened(column), fault };
        let called = |name: &String| names.get(name).unwrap_or(name).clone();
        let keys = schema.keys.iter().enumerate().map(|(i, column)| (called(&column.name), Column::Key(i)));
        let values = schema.values.iter().enumerate().map(|(i, column)| (called(&column.name), Column::Value(i)));
        let rows = schema.rows.iter().enumerate().map(|(i, name)| (called(name), Column::Row(i)));
        let columns: Vec<(String, Column)> = keys.chain(values).chain(rows).collect();
        for name in names.keys() {
            let ours = |column: &str| column == name;
            let known = schema.keys.iter().any(|column| ours(&column.name))
                || schema.values.iter().any(|column| ours(&column.name))
                || schema.rows.iter().any(|column| ours(column));
            if !known {
                return Err(refused(name, ColumnFault::Unknown));
            }
        }
        let mut known: Vec<(String, Column)> = Vec::with_capacity(header.len());
        for name in header {
            let found = columns.iter().find(|(called, _)| called == name);
            let (_, column) = found.ok_or_else(|| refused(name, ColumnFault::Unknown))?;
            if known.iter().any(|(_, other)| other == column) {
                return Err(refused(name, ColumnFault::Repeated));
            }
            known.push((name.clone(), *column));
        }
        let has = |column: &Column| known.iter().any(|(_, other)| other == column);
        let needed = |column: &Column| !matches!(column, Column::Value(_));
        if let Some((name, _)) = columns.iter().find(|(_, column)| needed(column) && !has(column)) {
            return Err(refused(name, ColumnFault::Missing));
        }
        let is_value = |column: &&(String, Column)| matches!(column.1, Column::Value(_));
        if !known.iter().any(|column| is_value(&column)) {
            let name = columns.iter().find(is_value).map_or("", |(name, _)| name.as_str());
            return Err(refused(name, ColumnFault::Missing));
        }
        Ok(Self { schema: schema.clone(), known })
    }

    /// The row of a line: one text for each field, in the source's order; `None` where there is
    /// nothing. In a value column that, and an empty text, is no value.
    ///
    /// # Errors
    /// [`SourceError::Column`]; [`ColumnFault::Missing`] where a key or row column has nothing.
    pub fn row<'a>(&self, at: Position, texts: impl Iterator<Item = Option<&'a str>>) -> Result<Row, SourceError> {
        let Schema { keys, values, rows, .. } = &self.schema;
        let mut parts: Vec<Vec<u8>> = vec![Vec::new(); keys.len()];
        let mut row =
            Row { columns: vec![], numbers: vec![None; values.len()], texts: vec![String::new(); rows.len()] };
        for ((name, column), text) in self.known.iter().zip(texts) {
            let refused = |fault| SourceError::Column { at, column: shortened(name), fault };
            let text = match (text, column) {
                (Some(text), _) => text,
                (None, Column::Value(_)) => continue,
                (None, _) => return Err(refused(ColumnFault::Missing)),
            };
            match *column {
                Column::Key(i) => {
                    let described = keys.get(i).ok_or_else(|| refused(ColumnFault::Unknown))?;
                    let part = key_part(i, described, text).map_err(refused)?;
                    if i == 0 && part < self.schema.watermark {
                        return Err(refused(ColumnFault::Closed(shortened(text))));
                    }
                    parts.get_mut(i).into_iter().for_each(|place| place.clone_from(&part));
                }
                Column::Value(i) if !text.is_empty() => {
                    let described = values.get(i).ok_or_else(|| refused(ColumnFault::Unknown))?;
                    let number = number_of(described, text).map_err(refused)?;
                    row.numbers.get_mut(i).into_iter().for_each(|place| *place = Some(number));
                }
                Column::Value(_) => {}
                Column::Row(i) => {
                    if text.len() > LONGEST_TEXT {
                        return Err(refused(ColumnFault::TextTooLong(text.len())));
                    }
                    row.texts.get_mut(i).into_iter().for_each(|place| text.clone_into(place));
                }
            }
        }
        row.columns = parts.concat();
        Ok(row)
    }
}

/// The value of a key column that a text is.
///
/// # Errors
/// [`KeyError::Kind`] where it is no number, [`KeyError::TooWide`], [`KeyError::Text`].
pub fn parse_key_value(i: usize, column: &KeyColumn, text: &str) -> Result<KeyValue, KeyError> {
    match column.kind {
        KeyKind::Text => Ok(KeyValue::Text(text.to_owned())),
        KeyKind::Unsigned | KeyKind::Signed => {
            let number = parse_number(text, 0).map_err(|_| KeyError::Kind(i))?;
            if column.kind == KeyKind::Unsigned {
                u64::try_from(number).map(KeyValue::Unsigned).map_err(|_| KeyError::TooWide(i))
            } else {
                i64::try_from(number).map(KeyValue::Signed).map_err(|_| KeyError::TooWide(i))
            }
        }
    }
}

fn key_part(i: usize, column: &KeyColumn, text: &str) -> Result<Vec<u8>, ColumnFault> {
    let refused = |error| ColumnFault::Key(shortened(text), error);
    let value = parse_key_value(i, column, text).map_err(refused)?;
    let mut part = Vec::with_capacity(usize::from(column.width));
    encode_value(i, column, &value, &mut part).map_err(refused)?;
    Ok(part)
}

fn number_of(column: &ValueColumn, text: &str) -> Result<u64, ColumnFault> {
    let number = parse_number(text, column.scale).map_err(|error| ColumnFault::Number(shortened(text), error))?;
    let above = number.checked_sub(i128::from(column.lowest)).and_then(|above| u64::try_from(above).ok());
    above.filter(|above| *above <= column.span).ok_or_else(|| ColumnFault::OutOfRange {
        found: shortened(text),
        lowest: show_number(i128::from(column.lowest), column.scale),
        highest: show_number(column.highest(), column.scale),
    })
}

/// A text, cut where it is long.
pub(crate) fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    if text.chars().count() <= SHOWN { text.to_owned() } else { text.chars().take(SHOWN).chain(['…']).collect() }
}

/// Values of key columns in words: `time = 100, town = Bern`.
pub fn shown_key(schema: &Schema, values: &[KeyValue]) -> String {
    let shown = |(column, value): (&KeyColumn, &KeyValue)| format!("{} = {}", column.name, shown_value(value));
    schema.keys.iter().zip(values).map(shown).collect::<Vec<_>>().join(", ")
}

/// A value of a key column as text.
pub fn shown_value(value: &KeyValue) -> String {
    match value {
        KeyValue::Unsigned(number) => number.to_string(),
        KeyValue::Signed(number) => number.to_string(),
        KeyValue::Text(text) => text.clone(),
    }
}
