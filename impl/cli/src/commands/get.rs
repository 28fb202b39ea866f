//! `aardvark get DIR KEY`

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::failure::Failure;
use crate::hex_text::encode;
use crate::key_text::{display, parse_key};
use crate::notation::notation;
use crate::report::{Report, Rows};
use crate::store::{Patience, open_read_only};

/// `aardvark get`
#[derive(Debug, Args)]
pub struct Get {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// The key, as text, or in hexadecimal behind 0x.
    pub key: String,
    /// At this version instead of the latest.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// Take a key that begins with 0x for text.
    #[arg(long)]
    pub text: bool,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// Looks a key up, without a proof.
///
/// # Errors
/// A malformed key, a version that cannot be read, a store that cannot be read.
pub fn run(arguments: &Get) -> Result<Report, Failure> {
    let key = parse_key(&arguments.key, notation(arguments.text))?;
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let version = arguments.version.unwrap_or(archive.version());
    let value = archive.get(&key, version)?;
    let rows = Rows::new().row("key", display(&key));
    let rows = match &value {
        Some(value) => rows.row("answer", "present").row("value", display(value)),
        None => rows.row("answer", "absent"),
    };
    let json = json!({
        "key": encode(&key),
        "present": value.is_some(),
        "value": value.as_deref().map(encode),
        "version": version,
    });
    Ok(Report::done(rows.row("version", version.to_string()).to_text(), json))
}
