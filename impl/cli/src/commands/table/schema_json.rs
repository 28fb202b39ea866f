//! Schemas as JSON: what `table show --json` prints is what `table create --schema` takes.

use aardvark_aggregates::Schema;
use aardvark_tables::number::show_number;
use serde::Deserialize;
use serde_json::{Value, json};

use super::columns::{key_type, parse_key_column, value_range};
use crate::hex_text::{decode_array, encode};

/// The most bytes of a schema's file.
pub const LARGEST_SCHEMA: u64 = 1 << 16;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SchemaJson {
    #[serde(default)]
    append_only: bool,
    #[serde(default)]
    deletable: bool,
    #[serde(default)]
    writers: Vec<String>,
    keys: Vec<KeyJson>,
    values: Vec<ValueJson>,
    #[serde(default)]
    rows: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyJson {
    name: String,
    r#type: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ValueJson {
    name: String,
    lowest: String,
    highest: String,
    #[serde(default)]
    scale: u8,
    bits: Option<u8>,
    moments: Option<u8>,
}

/// The schema that a file says, legal or not, without a watermark.
///
/// # Errors
/// What is wrong with it.
pub fn read(text: &[u8]) -> Result<Schema, String> {
    let json: SchemaJson = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let key = |key: &KeyJson| parse_key_column(&format!("{}:{}", key.name, key.r#type));
    let value = |value: &ValueJson| {
        let range = value_range(&value.name, &value.lowest, &value.highest, value.scale)?;
        Ok(range.column(value.bits, value.moments.unwrap_or(2)))
    };
    let writer = |writer: &String| decode_array::<32>(writer).map_err(|error| format!("writer {writer}: {error}"));
    Ok(Schema {
        append_only: json.append_only,
        deletable: json.deletable,
        writers: json.writers.iter().map(writer).collect::<Result<_, String>>()?,
        keys: json.keys.iter().map(key).collect::<Result<_, String>>()?,
        values: json.values.iter().map(value).collect::<Result<_, String>>()?,
        rows: json.rows,
        watermark: Vec::new(),
    })
}

/// A schema as JSON.
pub fn write(schema: &Schema) -> Value {
    let keys = schema.keys.iter().map(|column| json!({ "name": column.name, "type": key_type(column) }));
    let values = schema.values.iter().map(|column| {
        json!({
            "name": column.name,
            "lowest": show_number(i128::from(column.lowest), column.scale),
            "highest": show_number(column.highest(), column.scale),
            "scale": column.scale,
            "bits": column.bits,
            "moments": column.moments,
        })
    });
    json!({
        "append_only": schema.append_only,
        "deletable": schema.deletable,
        "writers": schema.writers.iter().map(|writer| encode(writer)).collect::<Vec<_>>(),
        "keys": keys.collect::<Vec<_>>(),
        "values": values.collect::<Vec<_>>(),
        "rows": schema.rows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_read_as_it_is_written() {
        let text = r#"{"deletable":true,"writers":["0x0101010101010101010101010101010101010101010101010101010101010101"],
            "keys":[{"name":"time","type":"u64"},{"name":"town","type":"text20"}],
            "values":[{"name":"heat","lowest":"-40.5","highest":"60","scale":1,"bits":32,"moments":3}],"rows":["user"]}"#;
        let schema = read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(schema.check(), Ok(()));
        assert_eq!(read(write(&schema).to_string().as_bytes()), Ok(schema));
        for text in ["", "{}", "[]", r#"{"keys":[],"values":[],"more":1}"#, r#"{"keys":[{"name":"t"}],"values":[]}"#] {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
    }
}
