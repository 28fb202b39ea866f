//! `aardvark history DIR KEY`

use std::path::PathBuf;

use aardvark_archive::ValueSince;
use clap::Args;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::hex_text::encode;
use crate::key_text::{display, parse_key};
use crate::notation::notation;
use crate::report::{Report, Rows};
use crate::store::{Patience, open_read_only};

/// `aardvark history`
#[derive(Debug, Args)]
pub struct History {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// The key, as text, or in hexadecimal behind 0x.
    pub key: String,
    /// Take a key that begins with 0x for text.
    #[arg(long)]
    pub text: bool,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// Says what a key was at the oldest version that can be read, and at each later one that changed
/// it.
///
/// # Errors
/// A malformed key, a store that cannot be read.
pub fn run(arguments: &History) -> Result<Report, Failure> {
    let key = parse_key(&arguments.key, notation(arguments.text))?;
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let history = archive.history(&key)?;
    let (oldest, newest) = (archive.oldest_version(), archive.version());
    let rows = Rows::new().row("key", display(&key)).row("versions", format!("{oldest} to {newest}"));
    let rows = history.iter().fold(rows, |rows, ValueSince { version, value }| {
        let value = value.as_ref().map_or_else(|| "absent".to_owned(), |value| format!("present  {}", display(value)));
        rows.row(format!("from {version}"), value)
    });
    let json = json!({
        "key": encode(&key),
        "oldest_version": oldest,
        "version": newest,
        "history": history.iter().map(since_json).collect::<Vec<_>>(),
    });
    Ok(Report::done(rows.to_text(), json))
}

fn since_json(ValueSince { version, value }: &ValueSince) -> Value {
    match value {
        Some(value) => json!({ "version": version, "answer": "present", "value": encode(value) }),
        None => json!({ "version": version, "answer": "absent" }),
    }
}
