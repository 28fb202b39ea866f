//! Keys and values as people write them: text, or bytes in hexadecimal behind the prefix `0x`.
//!
//! `curl` is the four bytes of the text; `0x6375726c` is the same key; `0x` alone is the empty byte
//! string. Text that itself begins with `0x` is therefore written in hexadecimal, or as it is where
//! `--text` turns hexadecimal off. The way back, [`display`], shows text where a reader can trust
//! what they see, and hexadecimal otherwise, so that what is printed can be typed in again.

use aardvark_dictionary::{Key, Value};

use crate::hex_text::{self, HexError};

/// Most bytes of a key in any dictionary (`docs/format.md`, Parameters); a dictionary may allow
/// fewer.
pub const MAX_KEY_BYTES: usize = 255;

/// Most bytes of a value in any dictionary (`docs/format.md`, Parameters); a dictionary may allow
/// fewer.
pub const MAX_VALUE_BYTES: usize = 1024;

/// Most characters of a key or value in an error message.
const SHOWN: usize = 40;

/// How text stands for bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Notation {
    /// `0x` announces hexadecimal; anything else is text.
    #[default]
    TextOrHex,
    /// Everything is text, `0x` too.
    Text,
}

/// Why text names no key or value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyTextError {
    /// It begins with `0x`, but what follows is not hexadecimal.
    #[error("{shown:?} is not hexadecimal: {reason}; for text that begins with 0x give its hexadecimal, or use --text")]
    NotHex {
        /// The text, shortened.
        shown: String,
        /// What is wrong with it.
        reason: HexError,
    },
    /// The empty key belongs to the sentinel.
    #[error("the empty key is the sentinel's: it can be neither read, written nor deleted")]
    EmptyKey,
    /// Longer than any dictionary allows.
    #[error("the key {shown} has {length} bytes; a key has 1 to {MAX_KEY_BYTES}")]
    KeyTooLong {
        /// The key, shortened.
        shown: String,
        /// Its number of bytes.
        length: usize,
    },
    /// Longer than any dictionary allows.
    #[error("the value {shown} has {length} bytes; a value has at most {MAX_VALUE_BYTES}")]
    ValueTooLong {
        /// The value, shortened.
        shown: String,
        /// Its number of bytes.
        length: usize,
    },
}

/// The key that `text` names: 1 to 255 bytes.
///
/// # Errors
/// Malformed hexadecimal, the sentinel's empty key, or too many bytes.
pub fn parse_key(text: &str, notation: Notation) -> Result<Key, KeyTextError> {
    let bytes = to_bytes(text, notation)?;
    match bytes.len() {
        0 => Err(KeyTextError::EmptyKey),
        1..=MAX_KEY_BYTES => Ok(Key::from(bytes)),
        length => Err(KeyTextError::KeyTooLong { shown: shorten(&bytes), length }),
    }
}

/// The value that `text` names: 0 to 1024 bytes.
///
/// # Errors
/// Malformed hexadecimal, or too many bytes.
pub fn parse_value(text: &str, notation: Notation) -> Result<Value, KeyTextError> {
    let bytes = to_bytes(text, notation)?;
    match bytes.len() {
        0..=MAX_VALUE_BYTES => Ok(Value::from(bytes)),
        length => Err(KeyTextError::ValueTooLong { shown: shorten(&bytes), length }),
    }
}

fn to_bytes(text: &str, notation: Notation) -> Result<Vec<u8>, KeyTextError> {
    if notation == Notation::Text || !text.starts_with("0x") {
        return Ok(text.as_bytes().to_vec());
    }
    hex_text::decode(text).map_err(|reason| KeyTextError::NotHex { shown: text.chars().take(SHOWN).collect(), reason })
}

/// The bytes as a person reads them: printable text as it is, everything else behind `0x`.
///
/// Text is printable when it is UTF-8 without control, formatting or combining characters (which
/// could make one key look like another) and does not begin with `0x`; so [`parse_key`] reads back
/// the same bytes.
pub fn display(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.is_empty() && !text.starts_with("0x") && text.chars().all(is_printable) => text.to_owned(),
        _ => hex_text::encode(bytes),
    }
}

/// Whether `escape_debug` leaves the character alone, quotes and the backslash apart.
fn is_printable(character: char) -> bool {
    matches!(character, '"' | '\'' | '\\') || character.escape_debug().eq(std::iter::once(character))
}

/// [`display`], cut to a length that fits an error message.
pub fn shorten(bytes: &[u8]) -> String {
    let shown = display(bytes);
    if shown.chars().count() <= SHOWN {
        return shown;
    }
    shown.chars().take(SHOWN).chain("…".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Result<Key, KeyTextError> {
        parse_key(text, Notation::TextOrHex)
    }

    #[test]
    fn text_is_its_bytes_and_the_prefix_announces_hexadecimal() {
        assert_eq!(key("curl"), Ok(Key::from("curl")));
        assert_eq!(key("0x6375726c"), Ok(Key::from("curl")));
        assert_eq!(key("0xff00"), Ok(Key::from([0xff, 0].as_slice())));
        assert_eq!(parse_value("0x", Notation::TextOrHex), Ok(Value::empty()));
        assert_eq!(parse_value("", Notation::TextOrHex), Ok(Value::empty()));
    }

    #[test]
    fn text_mode_takes_the_prefix_for_text() {
        assert_eq!(parse_key("0xzz", Notation::Text), Ok(Key::from("0xzz")));
        assert_eq!(parse_key("0x6375726c", Notation::Text), Ok(Key::from("0x6375726c")));
    }

    #[test]
    fn malformed_hexadecimal_is_an_error_that_shows_the_text() {
        for text in ["0xz", "0x1", "0xAB", "0x 1", "0x12zz"] {
            let error = key(text).unwrap_err().to_string();
            assert!(error.contains("--text"), "{error}");
        }
    }

    #[test]
    fn empty_and_overlong_keys_and_values_are_refused_by_name() {
        assert_eq!(key(""), Err(KeyTextError::EmptyKey));
        assert_eq!(key("0x"), Err(KeyTextError::EmptyKey));
        assert!(key(&"k".repeat(255)).is_ok());
        let error = key(&"k".repeat(256)).unwrap_err().to_string();
        assert!(error.contains("kkkk") && error.contains("256 bytes"), "{error}");
        assert!(parse_value(&"v".repeat(1024), Notation::Text).is_ok());
        assert!(parse_value(&"v".repeat(1025), Notation::Text).is_err());
    }

    #[test]
    fn what_is_shown_reads_back_as_the_same_bytes() {
        let samples: [&[u8]; 9] =
            [b"curl", b"a b", "\u{fc}ber".as_bytes(), b"0x1", b"\xff\xfe", b"\n", b"\"quoted\\\"", &[0], b" "];
        for bytes in samples {
            assert_eq!(key(&display(bytes)).as_deref().unwrap(), bytes, "{}", display(bytes));
        }
    }

    #[test]
    fn characters_that_could_deceive_are_shown_in_hexadecimal() {
        for text in ["a\u{202e}b", "a\u{200b}b", "a\u{7f}", "e\u{301}", "a\tb", "\u{1b}[31m"] {
            assert!(display(text.as_bytes()).starts_with("0x"), "{text:?}");
        }
    }
}
