//! `aardvark table query URL NAME QUERY`

use std::path::Path;

use aardvark_aggregates::answer::json;
use aardvark_aggregates::{Basis, OwnerTexts};
use aardvark_client::tables::QueryAsked;
use serde_json::json;

use super::super::verify::verdict;
use super::{Judged, Remote, checked_name, judged};
use crate::answer_report::merge;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::output_file::write_file;
use crate::report::{Report, Rows};

/// What an answer is to bring along.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// The certificates of its runs, which are verified with it.
    pub certificates: bool,
    /// What ties it to the state root, for `table verify --root` and the like.
    pub root: bool,
}

/// Asks a keeper, and says what it found once that is verified. Without commitments the answer is
/// only written to a file.
///
/// # Errors
/// A server that does not answer or refuses, an answer that is malformed, about something else or
/// false.
pub fn run(
    remote: &Remote,
    name: &str,
    text: &str,
    version: Option<u64>,
    Parts { certificates, root }: Parts,
    output: Option<&Path>,
) -> Result<Report, Failure> {
    if remote.commitments.is_none() && output.is_none() {
        let usage = "a server is not believed: give --commitments FILE, or -o FILE to verify its answer later";
        return Err(Failure::Usage(usage.to_owned()));
    }
    if remote.commitments.is_some() && root {
        let usage =
            "an answer that is tied to a root is verified under that: leave one of --commitments and --root out";
        return Err(Failure::Usage(usage.to_owned()));
    }
    let asked = QueryAsked { version: remote.version(version)?, query: text, certificates, root };
    let bytes = remote.client.table_query(checked_name(name)?, &asked).map_err(|fault| remote.failed(fault))?;
    let Judged { query, answer, outcome } = judged(name, text, &bytes, certificates, remote)?;
    let basis = if certificates { Basis::Certificates } else { Basis::Audit };
    let (mut rows, mut said) = match &outcome {
        Some(outcome) => verdict(&query, &answer, outcome, &OwnerTexts::default(), basis),
        None => (
            Rows::new().row("verdict", "not verified").row("version", answer.version.to_string()),
            json!({
                "result": "not verified", "version": answer.version, "dictionary": encode(&answer.dictionary.0),
            }),
        ),
    };
    if let Some(path) = output {
        let written = json::write(&answer).map_err(|error| Failure::Json("the answer".to_owned(), error))?;
        write_file(path, &written)?;
        rows = rows.row("written to", path.display().to_string());
    }
    let server = remote.client.url();
    merge(&mut said, json!({ "table": name, "query": text, "server": server }));
    Ok(Report::done(rows.row("server", server).to_text(), said))
}
