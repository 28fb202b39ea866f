//! Rows from JSON lines: one object a line, whose fields are columns.

use std::fmt;
use std::io::BufRead;

use aardvark_aggregates::Schema;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::csv::LONGEST_ROW;
use super::fields::{ColumnNames, Fields, shortened};
use super::{ColumnFault, LineFault, Position, Row, RowSource, SourceError};

/// The fields of an object as they stand there, repeated ones too.
struct Object(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Object(fields))
            }
        }

        deserializer.deserialize_map(Fields)
    }
}

/// A file of JSON lines as rows of a table.
pub struct JsonSource<R> {
    file: R,
    schema: Schema,
    names: ColumnNames,
    line: u64,
}

impl<R: BufRead> JsonSource<R> {
    /// The rows of a file.
    pub fn new(file: R, schema: &Schema, names: &ColumnNames) -> Self {
        Self { file, schema: schema.clone(), names: names.clone(), line: 0 }
    }

    /// The next line; `None` behind the last one.
    fn next_line(&mut self) -> Result<Option<String>, SourceError> {
        use std::io::Read as _;
        let mut bytes = Vec::new();
        self.line += 1;
        let at = Position::Line(self.line);
        let refused = |fault| SourceError::Line { at, fault };
        let read = (&mut self.file).take(LONGEST_ROW + 1).read_until(b'\n', &mut bytes).map_err(SourceError::Io)?;
        if read as u64 > LONGEST_ROW {
            return Err(refused(LineFault::TooLong(LONGEST_ROW)));
        }
        if read == 0 {
            return Ok(None);
        }
        String::from_utf8(bytes).map(Some).map_err(|_| refused(LineFault::Malformed("it is no UTF-8".to_owned())))
    }
}

impl<R: BufRead> RowSource for JsonSource<R> {
    fn next_row(&mut self) -> Result<Option<Row>, SourceError> {
        loop {
            let Some(text) = self.next_line()? else { return Ok(None) };
            if text.trim().is_empty() {
                continue;
            }
            let at = Position::Line(self.line);
            let malformed = |error: serde_json::Error| SourceError::Line {
                at,
                fault: LineFault::Malformed(format!("it is no JSON object: {error}")),
            };
            let Object(fields) = serde_json::from_str(&text).map_err(malformed)?;
            let mut names = Vec::with_capacity(fields.len());
            let mut texts = Vec::with_capacity(fields.len());
            for (name, value) in fields {
                texts.push(match value {
                    Value::String(text) => Some(text),
                    Value::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
                    Value::Null => None,
                    _ => return Err(SourceError::Column { at, column: shortened(&name), fault: ColumnFault::Kind }),
                });
                names.push(name);
            }
            let fields = Fields::of_header(&self.schema, &self.names, &names, at)?;
            return fields.row(at, texts.iter().map(Option::as_deref)).map(Some);
        }
    }
}
