//! Rows from JSON lines: one object a line, whose fields are columns.

use std::io::BufRead;

use aardvark_aggregates::Schema;
use serde_json::{Map, Value};

use super::csv::LONGEST_ROW;
use super::fields::{ColumnNames, Fields};
use super::{ColumnFault, LineFault, Row, RowSource, SourceError};

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
        let line = self.line;
        let refused = |fault| SourceError::Line { line, fault };
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
            let line = self.line;
            let malformed = |error: serde_json::Error| SourceError::Line {
                line,
                fault: LineFault::Malformed(format!("it is no JSON object: {error}")),
            };
            let object: Map<String, Value> = serde_json::from_str(&text).map_err(malformed)?;
            let mut names = Vec::with_capacity(object.len());
            let mut texts = Vec::with_capacity(object.len());
            for (name, value) in object {
                let text = match value {
                    Value::String(text) => text,
                    Value::Number(number) if number.is_i64() || number.is_u64() => number.to_string(),
                    Value::Null => continue,
                    _ => return Err(SourceError::Column { line, column: name, fault: ColumnFault::Kind }),
                };
                names.push(name);
                texts.push(text);
            }
            let fields = Fields::of_header(&self.schema, &self.names, &names, line)?;
            return fields.row(line, texts.iter().map(String::as_str)).map(Some);
        }
    }
}
