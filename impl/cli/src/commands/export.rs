//! `aardvark export DIR`

use std::path::PathBuf;

use aardvark_proof::{Entry, KeyRange};
use clap::Args;
use serde_json::json;

use crate::entries::for_each;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::import::looks_like_a_header;
use crate::key_text::display;
use crate::print::escaped;
use crate::report::Report;
use crate::store::{Patience, open_read_only};
use crate::stream;

/// What a file to export looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportFormat {
    /// One object `{"key": …, "value": …}` a line.
    Jsonl,
    /// `key,value` a line, without a header.
    Csv,
}

/// `aardvark export`
#[derive(Debug, Args)]
pub struct Export {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// At this version instead of the latest.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// What to write.
    #[arg(long, value_enum, default_value = "jsonl")]
    pub format: ExportFormat,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// Prints a version so that `import` makes the same map of it.
///
/// # Errors
/// A version or store that cannot be read.
pub fn run(arguments: &Export) -> Result<Report, Failure> {
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let version = arguments.version.unwrap_or(archive.version());
    let mut is_first = true;
    stream::print(|out| {
        for_each(&archive, &KeyRange::default(), version, |Entry { key, value }| {
            let is_first = std::mem::take(&mut is_first);
            match arguments.format {
                ExportFormat::Jsonl => out.json(&json!({ "key": plain(&key), "value": plain(&value) })),
                ExportFormat::Csv => out.line(&record(&key, &value, is_first)),
            }
        })
    })
}

/// Bytes as `import` reads them back: text, or hexadecimal where it is not printable, or would be
/// escaped before it is printed.
fn plain(bytes: &[u8]) -> String {
    let text = display(bytes);
    if escaped(&text) == text { text } else { encode(bytes) }
}

/// A line of CSV. A first one that would look like a header has its key in hexadecimal.
fn record(key: &[u8], value: &[u8], is_first: bool) -> String {
    let (mut key_text, value_text) = (plain(key), plain(value));
    if is_first && looks_like_a_header(&key_text, &value_text) {
        key_text = encode(key);
    }
    format!("{},{}", field(&key_text), field(&value_text))
}

/// A field, in quotes where it needs them (RFC 4180). It has no line breaks.
fn field(text: &str) -> String {
    match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key_text::{Notation, parse_value};

    #[test]
    fn every_character_is_printed_as_something_that_is_read_back() {
        for character in '\0'..=char::MAX {
            let text = plain(character.to_string().as_bytes());
            assert_eq!(escaped(&text), text);
            assert_eq!(*parse_value(&text, Notation::TextOrHex).unwrap(), *character.to_string().as_bytes());
        }
    }

    #[test]
    fn fields_stand_in_quotes_where_they_need_them() {
        assert_eq!(record(b"a,b", b"say \"x\"", false), "\"a,b\",\"say \"\"x\"\"\"");
        assert_eq!(record(b"key", b"value", true), "0x6b6579,value");
        assert_eq!(record(b"key", b"value", false), "key,value");
        assert_eq!(record(b"a", b"", true), "a,0x");
        assert_eq!(record(b"0xff", b"a\nb", true), "0x30786666,0x610a62");
    }
}
