//! `aardvark diff DIR V1 V2`

use std::path::PathBuf;

use aardvark_archive::Difference;
use clap::Args;
use serde_json::json;

use crate::failure::Failure;
use crate::hex_text::encode;
use crate::key_text::display;
use crate::report::Report;
use crate::store::{Patience, open_read_only};
use crate::stream;

/// `aardvark diff`
#[derive(Debug, Args)]
pub struct Diff {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// The version to begin with.
    #[arg(value_name = "V1")]
    pub first: u64,
    /// The version to end with; it may be the older one.
    #[arg(value_name = "V2")]
    pub second: u64,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// Prints what two versions differ in, one key a line.
///
/// # Errors
/// A version or store that cannot be read.
pub fn run(arguments: &Diff, as_json: bool) -> Result<Report, Failure> {
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let differences = archive.differences(arguments.first, arguments.second)?;
    stream::print(|out| {
        differences.iter().try_for_each(|difference| match as_json {
            true => {
                let Difference { key, before, after } = difference;
                let value = |value: &Option<_>| value.as_deref().map(encode);
                out.json(&json!({ "key": encode(key), "before": value(before), "after": value(after) }))
            }
            false => out.line(&line(difference)),
        })
    })
}

/// `+` for a key that came, `-` for one that went, `~` for one that has another value.
fn line(Difference { key, before, after }: &Difference) -> String {
    let key = display(key);
    match (before, after) {
        (None, Some(after)) => format!("+ {key}  {}", display(after)),
        (Some(before), None) => format!("- {key}  {}", display(before)),
        (Some(before), Some(after)) => format!("~ {key}  {} -> {}", display(before), display(after)),
        (None, None) => format!("  {key}"),
    }
}
