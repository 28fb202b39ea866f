//! JSON lines: `{"key": "curl", "value": "7.88"}` a line, `null` deletes, empty lines are skipped.
//!
//! A missing `value` is not a deletion, nor are unknown or repeated fields ignored: what deletes
//! data must say so.

use aardvark_dictionary::Change;
use serde::Deserialize;

use super::ImportError;
use crate::input::{Input, Lines};
use crate::json::present_or_null;
use crate::key_text::{Notation, parse_key, parse_value};

/// Most bytes of a line: a key and a value of maximal length, every byte escaped, and room for
/// white space.
const LONGEST_LINE: usize = 1 << 16;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    key: String,
    #[serde(deserialize_with = "present_or_null")]
    value: Option<String>,
}

/// The changes of a file of JSON lines.
pub struct JsonLines {
    lines: Lines,
    notation: Notation,
    failed: bool,
}

impl JsonLines {
    /// Reads `input` line by line.
    pub fn new(input: Input, notation: Notation) -> Self {
        Self { lines: input.lines(LONGEST_LINE), notation, failed: false }
    }

    fn next_change(&mut self) -> Result<Option<Change>, ImportError> {
        let parsed = loop {
            match self.lines.next_line()? {
                None => return Ok(None),
                Some(line) if line.iter().all(u8::is_ascii_whitespace) => {}
                Some(line) => break serde_json::from_slice::<Record>(line).map_err(|error| (hint(line), error)),
            }
        };
        let record = parsed.map_err(|(hint, error)| match hint {
            Some(hint) => ImportError::NotJsonLines(self.lines.place(), hint),
            None => ImportError::Json(self.lines.place(), error),
        })?;
        let misplaced = |error| ImportError::Text(self.lines.place(), error);
        let key = parse_key(&record.key, self.notation).map_err(misplaced)?;
        let value = record.value.map(|text| parse_value(&text, self.notation)).transpose().map_err(misplaced)?;
        Ok(Some(Change { key, value }))
    }
}

/// What a line that is no object of ours is instead, as far as can be told.
fn hint(line: &[u8]) -> Option<&'static str> {
    if std::str::from_utf8(line).is_err() {
        return Some("not UTF-8; give such bytes in hexadecimal, after 0x");
    }
    let is_array = line.trim_ascii_start().starts_with(b"[");
    is_array.then_some(
        "a JSON array, where JSON lines have one object a line; `jq -c '.[]' FILE | aardvark import DIR -` takes it apart",
    )
}

impl Iterator for JsonLines {
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

    fn changes(text: &'static str, notation: Notation) -> Vec<Result<(String, Option<String>), String>> {
        let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        JsonLines::new(Input::new("test.jsonl", Box::new(text.as_bytes())), notation)
            .map(|change| match change {
                Ok(change) => Ok((text_of(&change.key), change.value.map(|value| text_of(&value)))),
                Err(error) => Err(error.to_string()),
            })
            .collect()
    }

    fn error_of(text: &'static str) -> String {
        changes(text, Notation::TextOrHex).pop().unwrap().unwrap_err()
    }

    #[test]
    fn objects_become_puts_and_null_deletes() {
        let text = "{\"key\":\"a\",\"value\":\"1\"}\n\n  {\"value\": null, \"key\": \"0x6262\"}\r\n{\"key\":\"c\",\"value\":\"\"}";
        let expected =
            [("a", Some("1")), ("bb", None), ("c", Some(""))].map(|(k, v)| Ok((k.to_owned(), v.map(str::to_owned))));
        assert_eq!(changes(text, Notation::TextOrHex), expected);
    }

    #[test]
    fn text_mode_turns_hexadecimal_off() {
        let expected = [Ok(("0xzz".to_owned(), Some("0x01".to_owned())))];
        assert_eq!(changes("{\"key\":\"0xzz\",\"value\":\"0x01\"}", Notation::Text), expected);
    }

    #[test]
    fn errors_name_the_file_and_the_line_and_end_the_reading() {
        let text = "{\"key\":\"a\",\"value\":\"1\"}\n{\"key\":\n{\"key\":\"b\",\"value\":\"1\"}\n";
        let all = changes(text, Notation::TextOrHex);
        assert_eq!(all.len(), 2);
        assert!(all[1].as_ref().unwrap_err().starts_with("test.jsonl, line 2: "));
    }

    #[test]
    fn every_malformed_object_is_refused() {
        for (text, reason) in [
            ("{\"key\":\"a\"}", "missing field `value`"),
            ("{\"value\":\"a\"}", "missing field `key`"),
            ("{\"key\":\"a\",\"value\":\"1\",\"extra\":1}", "unknown field `extra`"),
            ("{\"key\":\"a\",\"key\":\"b\",\"value\":\"1\"}", "duplicate field `key`"),
            ("{\"key\":\"a\",\"value\":1}", "invalid type"),
            ("{\"key\":\"a\",\"value\":[[[[]]]]}", "invalid type"),
            ("{\"key\":\"a\",\"value\":\"1\"} x", "trailing characters"),
            ("[1]", "test.jsonl, line 1: a JSON array"),
            (" [", "jq"),
            ("{\"key\":\"\",\"value\":\"1\"}", "sentinel"),
            ("{\"key\":\"0xz\",\"value\":\"1\"}", "--text"),
            ("{\"key\":\"a\",\"value\":\"0x123\"}", "odd number"),
            ("{\"key\":\"a\\ud800\",\"value\":\"1\"}", "test.jsonl, line 1"),
        ] {
            assert!(error_of(text).contains(reason), "{text}: {}", error_of(text));
        }
    }

    #[test]
    fn nesting_without_end_is_refused_and_does_not_exhaust_the_stack() {
        let deep: &'static str = Box::leak(format!("{{\"key\":{}", "[".repeat(60_000)).into_boxed_str());
        assert!(error_of(deep).starts_with("test.jsonl, line 1"));
    }

    #[test]
    fn a_line_longer_than_any_change_is_refused() {
        let long: &'static str = Box::leak("x".repeat(LONGEST_LINE + 1).into_boxed_str());
        assert!(error_of(long).contains("longer than"));
    }
}
