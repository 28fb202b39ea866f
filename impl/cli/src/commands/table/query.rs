//! `aardvark table query DIR NAME QUERY`

use std::path::PathBuf;

use aardvark_aggregates::Query as TableQuery;
use aardvark_aggregates::answer::json;
use aardvark_tables::{Keeper, TablesError, schema_of};
use clap::Args;
use serde_json::json;

use super::finding;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::output_file::write_file;
use crate::report::{Report, Rows};
use crate::store::{Patience, open_read_only};

/// `aardvark table query`
#[derive(Debug, Args)]
pub struct Query {
    /// Folder of the dictionary, with the vault.
    pub dir: PathBuf,
    /// The table's name.
    pub name: String,
    /// The query, such as `sum(power) where time between 100 and 109 group by town`.
    pub query: String,
    /// At this version; the newest by default.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// The file that the answer is written to, for `table verify`.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// Answers a query, says what it found, and writes the answer with its proof to a file.
///
/// # Errors
/// A table that there is not, a text that is no query of it, rows that the vault does not have.
pub fn run(arguments: &Query) -> Result<Report, Failure> {
    let Query { dir, name, query, version, output, patience } = arguments;
    let keeper = Keeper::open_read_only(open_read_only(dir, *patience)?, dir)?;
    let version = version.unwrap_or(keeper.archive().version());
    let none = || TablesError::NoTable(name.clone());
    let schema = schema_of(keeper.archive(), name, version)?.ok_or_else(none)?;
    let parsed = TableQuery::parse(name, query, &schema).map_err(TablesError::Query)?;
    let (answer, outcome) = keeper.answer(name, query, version)?;
    let rows = finding::rows(Rows::new(), &parsed, &outcome);
    let rows = rows.row("runs", outcome.runs.to_string()).row("version", version.to_string());
    let rows = match output {
        None => rows,
        Some(path) => {
            let text = json::write(&answer).map_err(|error| Failure::Json("the answer".to_owned(), error))?;
            write_file(path, &text)?;
            rows.row("written to", path.display().to_string())
        }
    };
    let rows = rows.row("rests on", "the keeper's vault; `table verify` checks the answer under commitments");
    let json = json!({
        "table": name, "query": query, "version": version, "runs": outcome.runs,
        "dictionary": encode(&outcome.dictionary.0), "finding": finding::json(&outcome),
    });
    Ok(Report::done(rows.to_text(), json))
}
