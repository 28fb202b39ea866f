//! CSV (RFC 4180): `key,value` puts, a line with the key alone deletes, `key,` puts the empty
//! value.
//!
//! A file has no header unless `--header` says so; a first line whose fields are the usual names of
//! columns is refused until one of `--header` and `--no-header` decides. See [`records`] for what
//! else is refused instead of guessed.

mod records;

use std::path::PathBuf;

use aardvark_dictionary::Change;

use self::records::{Problem, Record, Records};
use super::{Header, ImportError};
use crate::input::{Input, InputError, Place};
use crate::key_text::{Notation, parse_key, parse_value};

/// What the first column of a file with a header is called, in lower case.
const KEY_NAMES: [&str; 8] = ["key", "name", "id", "account", "user", "username", "owner", "package"];

/// What the second column is called.
const VALUE_NAMES: [&str; 6] = ["value", "val", "version", "balance", "amount", "data"];

/// The changes of a CSV file.
pub struct CsvRecords {
    name: String,
    records: Records,
    notation: Notation,
    header: Header,
    is_first: bool,
    failed: bool,
}

impl CsvRecords {
    /// Reads `input` record by record.
    pub fn new(input: Input, notation: Notation, header: Header) -> Self {
        let Input { name, reader, .. } = input;
        Self { name, records: Records::new(reader), notation, header, is_first: true, failed: false }
    }

    fn refusal(&self, problem: Problem) -> ImportError {
        match problem {
            Problem::Read(source) => InputError::Read { name: self.name.clone(), source }.into(),
            Problem::At { line, column, reason } => {
                let reason = if column == 0 { reason } else { format!("column {column}: {reason}") };
                ImportError::Csv(Place { file: PathBuf::from(&self.name), line }, reason)
            }
        }
    }

    fn next_change(&mut self) -> Result<Option<Change>, ImportError> {
        let mut record = self.next_record()?;
        if std::mem::take(&mut self.is_first) {
            match (self.header, &record) {
                (Header::Skipped, Some(_)) => record = self.next_record()?,
                (Header::Unstated, Some(first)) if matches!(first.fields.as_slice(), [key, value] if looks_like_a_header(key, value)) =>
                {
                    let reason = format!(
                        "{:?} looks like a header; --header skips it, --no-header takes it for a key",
                        first.fields.join(",")
                    );
                    return Err(self.refusal(Problem::At { line: first.line, column: 0, reason }));
                }
                _ => {}
            }
        }
        record.map(|record| self.change(&record)).transpose()
    }

    fn next_record(&mut self) -> Result<Option<Record>, ImportError> {
        self.records.next_record().map_err(|problem| self.refusal(problem))
    }

    fn change(&self, record: &Record) -> Result<Change, ImportError> {
        let (key, value) = match record.fields.as_slice() {
            [key] => (key, None),
            [key, value] => (key, Some(value)),
            more => {
                let reason = format!("{} fields where there is a key and at most one value", more.len());
                return Err(self.refusal(Problem::At { line: record.line, column: 0, reason }));
            }
        };
        if value.is_none()
            && let Some(problem) = record.other_separator()
        {
            return Err(self.refusal(problem));
        }
        let misplaced = |error| ImportError::Text(Place { file: PathBuf::from(&self.name), line: record.line }, error);
        let key = parse_key(key, self.notation).map_err(misplaced)?;
        let value = value.map(|text| parse_value(text, self.notation)).transpose().map_err(misplaced)?;
        Ok(Change { key, value })
    }
}

/// Whether a first line's fields are what columns are usually called.
pub fn looks_like_a_header(key: &str, value: &str) -> bool {
    let is_one_of = |names: &[&str], field: &str| names.contains(&field.trim().to_lowercase().as_str());
    is_one_of(&KEY_NAMES, key) && is_one_of(&VALUE_NAMES, value)
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

    type Shown = Result<(String, Option<String>), String>;

    fn records_with(header: Header, text: impl Into<Vec<u8>>) -> Vec<Shown> {
        let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let reader = Box::new(std::io::Cursor::new(text.into()));
        CsvRecords::new(Input::new("test.csv", reader), Notation::TextOrHex, header)
            .map(|change| match change {
                Ok(change) => Ok((text_of(&change.key), change.value.map(|value| text_of(&value)))),
                Err(error) => Err(error.to_string()),
            })
            .collect()
    }

    fn records(text: impl Into<Vec<u8>>) -> Vec<Shown> {
        records_with(Header::Unstated, text)
    }

    /// The error that ends the reading of a text.
    fn error_of(text: impl Into<Vec<u8>>) -> String {
        records(text).pop().unwrap().unwrap_err()
    }

    fn put(key: &str, value: &str) -> Shown {
        Ok((key.to_owned(), Some(value.to_owned())))
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
            assert!(error_of(text).contains(reason), "{text}: {}", error_of(text));
        }
    }

    #[test]
    fn a_carriage_return_that_ends_no_line_is_refused_by_line_and_column() {
        let all = records("a,1\nbob\rsmith,5\n");
        assert_eq!((all.len(), &all[0]), (2, &put("a", "1")));
        let error = all[1].as_ref().unwrap_err();
        assert!(error.starts_with("test.csv, line 2: column 4: a carriage return"), "{error}");
        assert!(error_of("a,1\r").starts_with("test.csv, line 1: column 4: a carriage return"));
        // Within quotes it is a part of the field.
        assert_eq!(records("\"bob\rsmith\",5\n"), [put("bob\rsmith", "5")]);
    }

    #[test]
    fn a_file_that_ends_within_quotes_is_refused_by_line_and_column() {
        let error = error_of("x,0\na,\"1\nb,2");
        assert!(
            error.starts_with("test.csv, line 2: column 3: the quote") && error.contains("never closes"),
            "{error}"
        );
        assert!(error_of("a,\"").contains("never closes"));
    }

    #[test]
    fn another_separator_is_refused_and_not_taken_for_a_deletion() {
        let error = error_of("über;5\n");
        assert!(error.starts_with("test.csv, line 1: column 5: a semicolon"), "{error}");
        assert!(error.contains("comma"), "{error}");
        assert!(error_of("alice\t5\n").contains("column 6: a tab"));
        // Quotes say that it is a part of the key; so does a value behind a comma.
        assert_eq!(records("\"alice;5\"\n"), [Ok(("alice;5".to_owned(), None))]);
        assert_eq!(records("a;b,1\n"), [put("a;b", "1")]);
    }

    #[test]
    fn text_behind_a_closing_quote_is_refused() {
        assert!(error_of("\"a\"b,1\n").starts_with("test.csv, line 1: column 4: text behind"));
        assert_eq!(records("5\" pipe,1\n"), [put("5\" pipe", "1")]);
    }

    #[test]
    fn a_first_line_that_looks_like_a_header_is_decided_by_an_option() {
        for header in ["key,value", "Name,Version", "\"id\",\"amount\"", " account , balance "] {
            let text = format!("{header}\na,1\n");
            let error = error_of(text.as_str());
            assert!(error.starts_with("test.csv, line 1: ") && error.contains("--no-header"), "{error}");
            assert_eq!(records_with(Header::Skipped, text.as_str()), [put("a", "1")]);
        }
        assert_eq!(records_with(Header::Absent, "key,value\na,1\n"), [put("key", "value"), put("a", "1")]);
        // Data is data: a key of that name with another value, or further down.
        for honest in ["key,1\n", "name,alice\n", "a,1\nkey,value\n", "key\n", "value,key\n"] {
            assert!(records(honest).iter().all(Result::is_ok), "{honest}");
        }
        assert_eq!(records_with(Header::Skipped, "what,ever,it,says\na,1\n"), [put("a", "1")]);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_key() {
        assert_eq!(records("\u{feff}a,1\n\u{feff}b,2\n"), [put("a", "1"), put("\u{feff}b", "2")]);
        assert_eq!(records("\u{feff}\"a\",1"), [put("a", "1")]);
    }

    #[test]
    fn a_key_that_is_not_utf_8_is_refused_with_the_notation_that_takes_it() {
        let error = error_of(b"a,1\nb\xff,1\n".as_slice());
        assert!(error.starts_with("test.csv, line 2: column 1: not UTF-8") && error.contains("0x"), "{error}");
    }

    #[test]
    fn a_quote_that_never_closes_does_not_swallow_the_file() {
        let error = error_of(format!("a,1\n\"b,{}", "x,1\n".repeat(100_000)));
        assert!(error.starts_with("test.csv, line 2") && error.contains("quote"), "{error}");
    }

    #[test]
    fn many_short_records_are_no_long_record() {
        assert!(records("some,value\n".repeat(50_000)).iter().all(Result::is_ok));
    }
}
