//! `aardvark list DIR`

use std::path::PathBuf;

use aardvark_dictionary::Key;
use aardvark_proof::{Entry, KeyRange, Question, Region};
use clap::Args;
use serde_json::json;

use crate::answers::prove_answer;
use crate::entries::{for_each, parse_end, range_of_prefix};
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::key_text::{display, parse_key};
use crate::notation::notation;
use crate::report::Report;
use crate::store::{Patience, open_read_only};
use crate::stream;

/// `aardvark list`
#[derive(Debug, Args)]
pub struct List {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// From this key on, as text, or in hexadecimal behind 0x.
    #[arg(long, value_name = "K", default_value = "")]
    pub from: String,
    /// Up to this key, and not it.
    #[arg(long, value_name = "K", default_value = "")]
    pub to: String,
    /// Only keys that begin with this.
    #[arg(long, value_name = "P", conflicts_with_all = ["from", "to"])]
    pub prefix: Option<String>,
    /// At this version instead of the latest.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// At most so many entries.
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Print the proof that these are all, as `prove --range` does, instead of the entries.
    #[arg(long)]
    pub prove: bool,
    /// Take keys that begin with 0x for text.
    #[arg(long)]
    pub text: bool,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

impl List {
    fn range(&self) -> Result<KeyRange, Failure> {
        let notation = notation(self.text);
        let (from, to): (Key, Key) = match &self.prefix {
            Some(prefix) => range_of_prefix(&parse_key(prefix, notation)?),
            None => (parse_end(&self.from, notation)?, parse_end(&self.to, notation)?),
        };
        Ok(KeyRange { from, to, limit: self.limit })
    }
}

/// Prints entries, one a line.
///
/// # Errors
/// Malformed keys, a range without a key, a version or store that cannot be read.
pub fn run(arguments: &List, as_json: bool) -> Result<Report, Failure> {
    let range = arguments.range()?;
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let version = arguments.version.unwrap_or(archive.version());
    if arguments.prove {
        return prove_answer(&archive, &Question::Region(Region::Range(range)), version, false, false, None);
    }
    stream::print(|out| {
        for_each(&archive, &range, version, |Entry { key, value }| match as_json {
            true => out.json(&json!({ "key": encode(&key), "value": encode(&value) })),
            false => out.line(&format!("{}  {}", display(&key), display(&value))),
        })
    })
}
