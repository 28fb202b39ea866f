//! `aardvark get DIR KEY`

use serde_json::json;

use crate::args::{Get, notation};
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::key_text::{display, parse_key};
use crate::report::{Report, Rows};
use crate::store::open_read_only;

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
