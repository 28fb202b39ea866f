//! Sources that are damaged anywhere: each is read to its end or refused, with the place and the
//! reason; nothing panics. Damage is random, from seeds.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

mod common;

use aardvark_tables::source::csv::CsvSource;
use aardvark_tables::source::jsonl::JsonSource;
use aardvark_tables::source::{Position, SourceError};
use common::{Random, drained, schema};

/// Checks that a refusal names a place among so many lines.
fn check(lines: u64, refused: &SourceError) {
    let (SourceError::Line { at, .. } | SourceError::Column { at, .. }) = refused else { panic!("{refused}") };
    let Position::Line(line) = at else { panic!("{refused}") };
    assert!((1..=lines + 1).contains(line), "{refused}");
    assert!(refused.to_string().len() < 400, "{refused}");
}

#[test]
fn damaged_csv_is_read_or_refused_by_line() {
    let honest = "time,town,power,user\n5,Bern,31.5,ada\n6,\"Ch\"\"ur\",-10,\"b,o\nb\"\n7,,,cyd\n";
    let read = |bytes: &[u8]| drained(CsvSource::new(bytes, &schema(), &Default::default()));
    assert_eq!(read(honest.as_bytes()).unwrap(), 3);
    let pieces: [&[u8]; 8] = [b",", b"\"", b"\n", b"\r\n", b"\xff", b"\0", b"99999999999999999999", b"1e5"];
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..20_000 {
        let bytes = Random(seed).damaged(honest.as_bytes(), &pieces);
        match read(&bytes) {
            Ok(_) => accepted += 1,
            Err(error) => {
                refused += 1;
                check(bytes.iter().filter(|byte| **byte == b'\n' || **byte == b'\r').count() as u64 + 1, &error);
            }
        }
    }
    assert!(accepted > 1_000 && refused > 5_000, "{accepted} {refused}");
}

#[test]
fn damaged_json_lines_are_read_or_refused_by_line() {
    let honest = "{\"time\":5,\"town\":\"Bern\",\"power\":\"31.5\",\"user\":\"ada\"}\n\n\
        {\"user\":\"b\\u00f6b\",\"time\":\"6\",\"town\":\"\",\"power\":null}\n";
    let read = |bytes: &[u8]| drained(Ok(JsonSource::new(bytes, &schema(), &Default::default())));
    // No number at all is no row's value, but a value column has to be named.
    assert_eq!(read(honest.as_bytes()).unwrap(), 2);
    let pieces: [&[u8]; 9] =
        [b"{", b"}", b"\"", b"[[[[", b"\\u", b"1e400", b"\"power\":1,", b"\xff", b"18446744073709551616"];
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..20_000 {
        let bytes = Random(seed).damaged(honest.as_bytes(), &pieces);
        match read(&bytes) {
            Ok(_) => accepted += 1,
            Err(error) => {
                refused += 1;
                check(bytes.iter().filter(|byte| **byte == b'\n').count() as u64 + 1, &error);
            }
        }
    }
    assert!(accepted > 500 && refused > 10_000, "{accepted} {refused}");
}

#[test]
fn a_field_that_stands_twice_in_a_line_is_refused() {
    for (line, reason) in [
        ("{\"time\":5,\"town\":\"a\",\"power\":1,\"user\":\"u\",\"power\":2}", "line 2, column power: it stands twice"),
        ("{\"time\":5,\"time\":5,\"town\":\"a\",\"power\":1,\"user\":\"u\"}", "line 2, column time: it stands twice"),
        (
            "{\"time\":5,\"town\":\"a\",\"power\":null,\"power\":2,\"user\":\"u\"}",
            "line 2, column power: it stands twice",
        ),
        ("{\"time\":5,\"town\":\"a\",\"power\":1,\"user\":null}", "line 2, column user: it is missing"),
        (
            "{\"time\":5,\"town\":\"a\",\"power\":1,\"user\":\"u\",\"no\":null}",
            "line 2, column no: the table has no such",
        ),
        ("{\"time\":2,\"town\":\"a\",\"power\":1,\"user\":\"u\"}", "line 2, column time: \"2\" is closed"),
        (
            "{\"time\":5,\"town\":\"a\",\"power\":{\"a\":1,\"a\":2},\"user\":\"u\"}",
            "line 2, column power: it is neither",
        ),
        ("[]", "line 2: it is no JSON object"),
    ] {
        let text = format!("{{\"time\":5,\"town\":\"a\",\"power\":1,\"user\":\"u\"}}\n{line}\n");
        let refused = drained(Ok(JsonSource::new(text.as_bytes(), &schema(), &Default::default()))).unwrap_err();
        assert!(refused.to_string().starts_with(reason), "{refused}");
    }
}
