//! CSV without a header (RFC 4180): `key,value` puts, a line with the key alone deletes, `key,` puts the empty value.

use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::path::PathBuf;
use std::rc::Rc;

use aardvark_dictionary::Change;

use super::ImportError;
use crate::input::{Input, Place};
use crate::key_text::{Notation, parse_key, parse_value};

/// Most bytes that may be read for one record; a forgotten quote would otherwise swallow the whole file.
const LONGEST_RECORD: usize = 1 << 16;

/// Lets through a limited number of bytes between two records.
struct RecordLimit {
    inner: Box<dyn BufRead>,
    left: Rc<Cell<usize>>,
}

impl Read for RecordLimit {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        match self.left.get().checked_sub(read) {
            Some(left) => self.left.set(left),
            None => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a record without end; is a quote missing?"));
            }
        }
        Ok(read)
    }
}

/// The changes of a CSV file.
pub struct CsvRecords {
    name: String,
    reader: ::csv::Reader<RecordLimit>,
    record: ::csv::ByteRecord,
    left: Rc<Cell<usize>>,
    notation: Notation,
    failed: bool,
}

impl CsvRecords {
    /// Reads `input` record by record.
    pub fn new(input: Input, notation: Notation) -> Self {
        let left = Rc::new(Cell::new(LONGEST_RECORD));
        let limited = RecordLimit { inner: input.reader, left: Rc::clone(&left) };
        let reader = ::csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .buffer_capacity(LONGEST_RECORD / 4)
            .from_reader(limited);
        Self { name: input.name, reader, record: ::csv::ByteRecord::new(), left, notation, failed: false }
    }

    fn place(&self, line: u64) -> Place {
        Place { file: PathBuf::from(&self.name), line }
    }

    fn next_change(&mut self) -> Result<Option<Change>, ImportError> {
        self.left.set(LONGEST_RECORD);
        let start = self.reader.position().line();
        match self.reader.read_byte_record(&mut self.record) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) => return Err(ImportError::Csv(self.place(start), error.to_string())),
        }
        let place = self.place(self.record.position().map_or(start, ::csv::Position::line));
        let mut fields = Vec::with_capacity(2);
        for field in &self.record {
            match std::str::from_utf8(field) {
                Ok(text) => fields.push(text),
                Err(_) => {
                    let reason = "not UTF-8; give such bytes in hexadecimal, after 0x".to_owned();
                    return Err(ImportError::Csv(place, reason));
                }
            }
        }
        let (key, value) = match fields.as_slice() {
            [key] => (key, None),
            [key, value] => (key, Some(value)),
            more => {
                let reason = format!("{} fields where there is a key and at most one value", more.len());
                return Err(ImportError::Csv(place, reason));
            }
        };
        let misplaced = |error| ImportError::Text(place.clone(), error);
        let key = parse_key(key, self.notation).map_err(misplaced)?;
        let value = value.map(|text| parse_value(text, self.notation)).transpose().map_err(misplaced)?;
        Ok(Some(Change { key, value }))
    }
}

impl Iterator for CsvRecords {
    type Item = Result<Change, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let change = self.next_change();
        self.failed = change.is_err();
        change.transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: impl Into<String>) -> Vec<Result<(String, Option<String>), String>> {
        let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let reader = Box::new(io::Cursor::new(text.into()));
        CsvRecords::new(Input { name: "test.csv".into(), reader }, Notation::TextOrHex)
            .map(|change| match change {
                Ok(change) => Ok((text_of(&change.key), change.value.map(|value| text_of(&value)))),
                Err(error) => Err(error.to_string()),
            })
            .collect()
    }

    #[test]
    fn two_fields_put_one_field_deletes_and_an_empty_second_field_is_the_empty_value() {
        let expected = [("a", Some("1")), ("b", None), ("c", Some("")), ("d,e", Some("x\"y")), ("ff", Some("z"))]
            .map(|(k, v)| Ok((k.to_owned(), v.map(str::to_owned))));
        assert_eq!(records("a,1\nb\n\nc,\r\n\"d,e\",\"x\"\"y\"\n0x6666,z"), expected);
    }

    #[test]
    fn errors_name_the_file_and_the_line_and_end_the_reading() {
        let all = records("a,1\n\"b\nb\",2\nc,1,2\nd,1\n");
        assert_eq!(all.len(), 3);
        assert!(all[2].as_ref().unwrap_err().starts_with("test.csv, line 4: 3 fields"), "{:?}", all[2]);
    }

    #[test]
    fn keys_and_values_that_no_dictionary_takes_are_refused() {
        for (text, reason) in [(",1", "sentinel"), ("0x1,1", "odd number"), ("a,0xZZ", "--text")] {
            let error = records(text).pop().unwrap().unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn a_quote_that_never_closes_does_not_swallow_the_file() {
        let error = records(format!("a,1\n\"b,{}", "x,1\n".repeat(100_000))).pop().unwrap().unwrap_err();
        assert!(error.starts_with("test.csv, line 2") && error.contains("quote"), "{error}");
    }

    #[test]
    fn many_short_records_are_no_long_record() {
        assert!(records("key,value\n".repeat(50_000)).iter().all(Result::is_ok));
    }
}
