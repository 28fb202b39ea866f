//! `aardvark table verify NAME QUERY ANSWER`, under commitments, a root, a note or a header

use std::path::PathBuf;

use aardvark_aggregates::answer::json;
use aardvark_aggregates::{Answer, Basis, Finding, Outcome, OwnerTexts, Query, Schema};
use aardvark_tables::TablesError;
use clap::Args;
use serde_json::json;

use super::finding;
use super::trust::TrustArguments;
use super::trusted_side::TrustedSide;
use crate::anchor::AnchorArguments;
use crate::answer_report::merge;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::input::read_file;
use crate::report::{Report, Rows, count};

/// `aardvark table verify`
#[derive(Debug, Args)]
pub struct Verify {
    /// The table's name.
    pub name: String,
    /// The query, as it was asked; for a row, as `table row` prints it.
    pub query: String,
    /// The answer that `table query -o` or `table row -o` wrote; - is standard input.
    pub answer: PathBuf,
    /// Check the certificates of all runs that the answer uses, instead of relying on others to
    /// have done it; it must be one that `table query --certificates` makes.
    #[arg(long)]
    pub certificates: bool,
    /// Of a row: the text that you gave for a row column, as NAME=TEXT; the row must have it.
    #[arg(long = "row", value_name = "NAME=TEXT")]
    pub texts: Vec<String>,
    /// What is trusted.
    #[command(flatten)]
    pub anchor: AnchorArguments,
    /// What is trusted where it is a header.
    #[command(flatten)]
    pub trust: TrustArguments,
    /// With --trust: how long to wait for one answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub timeout: u64,
}

/// Verifies an answer under what is trusted and the query that the asker names.
///
/// # Errors
/// A malformed answer or file, an answer about something else, and one that does not hold.
pub fn run(arguments: &Verify) -> Result<Report, Failure> {
    let Verify { name, query: text, answer: path, certificates, texts, anchor, trust, timeout } = arguments;
    let bytes = read_file(path, json::LARGEST_ANSWER)?;
    let answer = json::read(&bytes).map_err(|error| Failure::Json(path.display().to_string(), error))?;
    // The schema that the answer claims; that it is the table's is part of what is verified.
    let schema = answer.claimed_schema().map_err(TablesError::Schema)?;
    let query = Query::parse(name, text, &schema).map_err(TablesError::Query)?;
    let owner = owner_texts(&schema, texts)?;
    let trusted = match trust.header(Some(answer.version), *timeout)? {
        Some(header) => TrustedSide::from(header),
        None => TrustedSide::from(anchor.read()?),
    };
    let outcome = trusted.verify(&query, &answer, *certificates, &owner)?;
    let basis = trusted.basis(*certificates);
    let mut report = verdict(&query, &answer, &outcome, &owner, basis);
    report.0 = trusted.told(report.0, &mut report.1);
    merge(&mut report.1, json!({ "table": name, "query": text }));
    Ok(Report::done(report.0.to_text(), report.1))
}

/// What an accepted answer says, and what that rests on.
pub fn verdict(
    query: &Query,
    answer: &Answer,
    outcome: &Outcome,
    owner: &OwnerTexts,
    basis: Basis,
) -> (Rows, serde_json::Value) {
    let mut rows = finding::rows(Rows::new().row("verdict", "holds"), query, outcome);
    let mut json = json!({
        "result": "holds", "version": outcome.version, "runs": outcome.runs, "rests_on": basis.name(),
        "dictionary": encode(&outcome.dictionary.0), "finding": finding::json(outcome),
    });
    if matches!(outcome.finding, Finding::Row(_)) {
        let compared = !owner.is_empty();
        let said = match compared {
            true => "is the one that was given with --row",
            false => "was compared with nothing: --row NAME=TEXT holds yours against it",
        };
        rows = rows.row("text", said);
        merge(&mut json, json!({ "text_compared": compared }));
    }
    let rows = rows.row("runs", count(outcome.runs as u64)).row("version", outcome.version.to_string());
    let rows = rows.row("rests on", basis.to_string());
    let unread = basis == Basis::Audit && !answer.certificates.is_empty();
    (if unread { rows.row("certificates", "came with the answer: --certificates checks them") } else { rows }, json)
}

/// Texts of row columns as they are typed: `NAME=TEXT`.
///
/// # Errors
/// Anything else, and columns that there are not.
fn owner_texts(schema: &Schema, typed: &[String]) -> Result<OwnerTexts, Failure> {
    let text = |text: &String| {
        let usage = || Failure::Usage(format!("--row {text}: NAME=TEXT, the name that of a row column"));
        let (name, text) = text.split_once('=').ok_or_else(usage)?;
        let column = schema.rows.iter().position(|column| column == name).ok_or_else(usage)?;
        Ok((column, text.to_owned()))
    };
    Ok(OwnerTexts::new(typed.iter().map(text).collect::<Result<Vec<_>, Failure>>()?))
}
