//! `aardvark table query URL NAME QUERY`

use std::path::Path;

use aardvark_aggregates::OwnerTexts;
use aardvark_client::tables::QueryAsked;
use serde_json::json;

use super::{Remote, check_use, checked_name, given, judged};
use crate::answer_report::merge;
use crate::failure::Failure;
use crate::report::Report;

/// What an answer is to bring along.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// The certificates of its runs, which are verified with it.
    pub certificates: bool,
    /// What ties it to the state root, for `table verify --root` and the like; where a root is
    /// trusted it does so anyway.
    pub root: bool,
}

/// Asks a keeper, and says what it found once that is verified. Where nothing is trusted the answer
/// is only written to a file.
///
/// # Errors
/// A server that does not answer or refuses, an answer that is malformed, about something else or
/// false.
pub fn run(
    remote: &Remote,
    name: &str,
    text: &str,
    Parts { certificates, root }: Parts,
    output: Option<&Path>,
) -> Result<Report, Failure> {
    check_use(remote, output)?;
    let root = root || remote.is_rooted();
    let asked = QueryAsked { version: remote.version, query: text, certificates, root };
    let name = checked_name(name)?;
    let bytes = remote.ask(|client| client.table_query(name, &asked))?;
    let judged = judged(name, text, &bytes, certificates, remote)?;
    let (rows, mut said) = given(&judged, certificates, &OwnerTexts::default(), output, remote)?;
    merge(&mut said, json!({ "table": name, "query": text }));
    Ok(Report::done(rows.to_text(), said))
}
