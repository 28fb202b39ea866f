//! The text of the query that is for a row of one key.

use crate::key::KeyValue;
use crate::schema::Schema;

/// `row(column) where key = value and ..`, with a condition on every key column; `None` where the
/// schema has no such value column.
pub fn row_query(schema: &Schema, column: u8, key: &[KeyValue]) -> Option<String> {
    let value = schema.values.get(usize::from(column))?;
    let conditions: Vec<String> =
        schema.keys.iter().zip(key).map(|(column, value)| format!("{} = {}", column.name, literal(value))).collect();
    let row = format!("row({})", value.name);
    Some(if conditions.is_empty() { row } else { format!("{row} where {}", conditions.join(" and ")) })
}

/// A value as it stands in a query.
fn literal(value: &KeyValue) -> String {
    match value {
        KeyValue::Unsigned(number) => number.to_string(),
        KeyValue::Signed(number) => number.to_string(),
        KeyValue::Text(text) => format!("'{}'", text.replace('\'', "''")),
    }
}
