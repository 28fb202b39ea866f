//! `aardvark client list`: every entry of a range, proved, and none missing.
//!
//! Entries are printed as they are proved. That there are no others is known at the end: the exit
//! code says so, and with `--json` the last line.

use std::ops::ControlFlow;

use aardvark_client::Proved;
use aardvark_client::light::{Accusation, clock};
use aardvark_dictionary::Key;
use aardvark_proof::{Entry, KeyRange};
use serde_json::json;

use crate::commands::client::args::List;
use crate::commands::client::failure::ClientFailure;
use crate::commands::client::get::{origin_json, with};
use crate::commands::client::network::{Servers, keep, reader, say};
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::key_text::{display, parse_key};
use crate::notation::notation;
use crate::print::{self, Lines, error_line};
use crate::report::{Report, counted};

/// Lists a range at the newest version that a header certifies.
///
/// # Errors
/// Whoever lied or did not answer.
pub fn run(arguments: &List, as_json: bool) -> Result<Report, Failure> {
    let range = range(arguments)?;
    let servers = Servers::of(&arguments.network)?;
    let (reader, not_there) = reader(&arguments.network, &servers)?;
    let mut count = 0;
    // Where the reader of our output has gone, nobody wants the rest.
    let take = |entry: Entry| match print_entry(&entry, as_json) {
        Ok(()) => {
            count += 1;
            ControlFlow::Continue(())
        }
        Err(_) => ControlFlow::Break(()),
    };
    let read = reader.together(arguments.together).read_range(&range, clock(), take).map_err(ClientFailure::from)?;
    keep(&arguments.network, &read.updated, Some(&read.known))?;
    let refused = [not_there, read.refused.clone()].concat();
    say(&refused);
    Ok(report(&read, count, &refused, as_json))
}

fn range(arguments: &List) -> Result<KeyRange, Failure> {
    let notation = notation(arguments.text);
    let end = |text: &Option<String>| match text.as_deref() {
        None | Some("") => Ok(Key::empty()),
        Some(text) => parse_key(text, notation),
    };
    let range = match &arguments.prefix {
        Some(_) => KeyRange::of_prefix(end(&arguments.prefix)?, arguments.limit),
        None => KeyRange { from: end(&arguments.from)?, to: end(&arguments.to)?, limit: arguments.limit },
    };
    if !range.to.is_empty() && range.from >= range.to {
        let usage = format!("no key is from {} on and below {}", display(&range.from), display(&range.to));
        return Err(ClientFailure::Usage(usage).into());
    }
    Ok(range)
}

fn print_entry(Entry { key, value }: &Entry, as_json: bool) -> std::io::Result<()> {
    match as_json {
        true => print::json(&json!({ "key": encode(key), "value": encode(value) }).to_string()),
        false => Lines::default().and(format!("{}  {}", display(key), display(value))).print(),
    }
}

/// What is said behind the entries: to programs as one more line, to people on standard error.
fn report(read: &Proved<Option<Key>>, count: u64, refused: &[Accusation], as_json: bool) -> Report {
    let next = read.answers.as_ref();
    if as_json {
        let end = json!({ "entries": count, "next": next.map(|next| encode(next)) });
        return Report::document(with(end, origin_json(read, refused)).to_string());
    }
    let header = &read.updated.header;
    let more = next.map_or_else(|| "all there are".to_owned(), |next| format!("more from {} on", display(next)));
    error_line(&format!(
        "{} of version {}, {more}; proved from header {} of {} by {}",
        counted(count, "entry", "entries"),
        header.version(),
        header.height(),
        header.chain_id(),
        read.archive
    ));
    Report::document(String::new())
}
