//! `aardvark table query DIR NAME QUERY`

use std::path::{Path, PathBuf};

use aardvark_aggregates::answer::json;
use aardvark_aggregates::{Answer, Outcome, Query as TableQuery};
use aardvark_tables::{AnswerParts, Keeper, TablesError, schema_of};
use clap::Args;
use serde_json::{Value, json};

use super::finding;
use super::remote::{self, Remote, Server};
use crate::answer_report::merge;
use crate::answers::root_parts;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::output_file::write_file;
use crate::report::{Report, Rows, bytes, count};
use crate::store::{Patience, open_read_only};

/// `aardvark table query`
#[derive(Debug, Args)]
pub struct Query {
    /// Folder of the dictionary, with the vault; or the URL of a keeper.
    pub dir: PathBuf,
    /// The table's name.
    pub name: String,
    /// The query, such as `sum(power) where time between 100 and 109 group by town`.
    pub query: String,
    /// At this version; the newest by default.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// Bring along the certificates of the runs that the answer uses, for `table verify
    /// --certificates`.
    #[arg(long)]
    pub certificates: bool,
    /// Tie the answer to the state root, for `table verify --root`, `--note` and `--trust`; it is
    /// verified under a root then, and no longer under commitments. Where a URL is asked: with 0x
    /// and 64 digits, the state root to verify under, the trusted side.
    #[arg(long, value_name = "HASH", num_args = 0..=1, default_missing_value = "", group = "anchor")]
    pub root: Option<String>,
    /// The file that the answer is written to, for `table verify`.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
    /// How a server is asked.
    #[command(flatten)]
    pub server: Server,
}

/// Answers a query, says what it found, and writes the answer with its proof to a file.
///
/// # Errors
/// A table that there is not, a text that is no query of it, rows that the vault does not have.
pub fn run(arguments: &Query) -> Result<Report, Failure> {
    let Query { dir, name, query, version, certificates, root, output, patience, server } = arguments;
    let (tied, trusted) = tied_or_trusted(root.as_deref());
    if let Some(remote) = Remote::of(dir, server, trusted, *version)? {
        let parts = remote::query::Parts { certificates: *certificates, root: tied };
        return remote::query::run(&remote, name, query, parts, output.as_deref());
    }
    let keeper = Keeper::open_read_only(open_read_only(dir, *patience)?, dir)?;
    let version = version.unwrap_or(keeper.archive().version());
    let none = || TablesError::NoTable(name.clone());
    let schema = schema_of(keeper.archive(), name, version)?.ok_or_else(none)?;
    let parsed = TableQuery::parse(name, query, &schema).map_err(TablesError::Query)?;
    let parts = answer_parts(&keeper, version, *certificates, tied)?;
    let (answer, outcome) = keeper.answer(name, query, version, &parts)?;
    let rows = finding::rows(Rows::new(), &parsed, &outcome);
    let json = json!({
        "table": name, "query": query, "version": version, "runs": outcome.runs,
        "dictionary": encode(&outcome.dictionary.0), "finding": finding::json(&outcome),
    });
    given(rows, json, &answer, &outcome, output.as_deref())
}

/// Whether an answer is to be tied to the state root, and the root that is trusted: what `--root`
/// says without a hash, and with one.
pub fn tied_or_trusted(root: Option<&str>) -> (bool, Option<&str>) {
    (root == Some(""), root.filter(|hash| !hash.is_empty()))
}

/// What an answer is to bring along, with a bar for the blocks that are replayed for a root.
///
/// # Errors
/// A version or store that cannot be read.
pub fn answer_parts(keeper: &Keeper, version: u64, certificates: bool, root: bool) -> Result<AnswerParts, Failure> {
    let root = root.then(|| root_parts(keeper.archive(), version)).transpose()?;
    Ok(AnswerParts { certificates, root })
}

/// Writes an answer where it is asked for, and says how much it weighs and what it rests on.
///
/// # Errors
/// A file that cannot be written.
pub fn given(
    rows: Rows,
    mut json: Value,
    answer: &Answer,
    outcome: &Outcome,
    output: Option<&Path>,
) -> Result<Report, Failure> {
    let text = json::write(answer).map_err(|error| Failure::Json("the answer".to_owned(), error))?;
    let stated: u64 =
        answer.certificates.iter().map(|stated| (stated.statement.len() + stated.certificate.len()) as u64).sum();
    let mut rows = rows.row("runs", count(outcome.runs as u64)).row("version", outcome.version.to_string());
    if !answer.certificates.is_empty() {
        let number = answer.certificates.len() as u64;
        rows = rows.row("certificates", format!("{}, {} with what they are about", count(number), bytes(stated)));
        merge(&mut json, json!({ "certificates": number, "certificate_bytes": stated }));
    }
    if answer.tie.is_some() {
        rows = rows.row("root", "the answer is tied to the state root of its version");
    }
    if let Some(path) = output {
        write_file(path, &text)?;
        // With the line break at its end.
        let length = text.len() as u64 + 1;
        rows = rows.row("written to", format!("{}, {}", path.display(), bytes(length)));
        merge(&mut json, json!({ "bytes": length }));
    }
    let rows = rows.row("rests on", "the keeper's vault; `table verify` checks the answer without it");
    Ok(Report::done(rows.to_text(), json))
}
