//! `aardvark table verify NAME QUERY ANSWER --commitments FILE`

use std::path::PathBuf;

use aardvark_aggregates::Query;
use aardvark_aggregates::answer::{Certificates, json};
use aardvark_tables::TablesError;
use clap::Args;
use serde_json::json;

use super::finding;
use crate::anchor::CommitmentsFile;
use crate::answer_refusal::AnswerRefusal;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::input::read_file;
use crate::report::{Report, Rows};

/// `aardvark table verify`
#[derive(Debug, Args)]
pub struct Verify {
    /// The table's name.
    pub name: String,
    /// The query, as it was asked.
    pub query: String,
    /// The answer that `table query -o` wrote; - is standard input.
    pub answer: PathBuf,
    /// The commitments to verify against: the trusted side.
    #[arg(long, value_name = "FILE")]
    pub commitments: PathBuf,
}

/// Verifies an answer under commitments and the query that the asker names.
///
/// # Errors
/// A malformed answer or file, an answer about something else, and one that does not hold.
pub fn run(arguments: &Verify) -> Result<Report, Failure> {
    let Verify { name, query: text, answer: path, commitments } = arguments;
    let file = CommitmentsFile::read(commitments)?;
    let known = file.known()?;
    let bytes = read_file(path, json::LARGEST_ANSWER)?;
    let answer = json::read(&bytes).map_err(|error| Failure::Json(path.display().to_string(), error))?;
    // The schema that the answer claims; that it is the table's is part of what is verified.
    let schema = answer.claimed_schema().map_err(TablesError::Schema)?;
    let query = Query::parse(name, text, &schema).map_err(TablesError::Query)?;
    let scheme = known.verifier()?;
    let trusted = known.trusted(&scheme).map_err(AnswerRefusal::from)?;
    let outcome = answer.verify(&query, &trusted, Certificates::Ignored).map_err(Failure::TableAnswer)?;
    let rows = finding::rows(Rows::new().row("verdict", "holds"), &query, &outcome);
    let rows = rows
        .row("runs", outcome.runs.to_string())
        .row("version", outcome.version.to_string())
        .row("rests on", "the commitments; that runs are in order, on whoever checked their certificates");
    let json = json!({
        "result": "holds", "table": name, "query": text, "version": outcome.version, "runs": outcome.runs,
        "dictionary": encode(&outcome.dictionary.0), "finding": finding::json(&outcome),
    });
    Ok(Report::done(rows.to_text(), json))
}
