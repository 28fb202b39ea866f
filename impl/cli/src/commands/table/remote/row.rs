//! `aardvark table row URL NAME ID --tag COLUMN=TEXT`
//!
//! The keeper names the query that its answer is for. It has to be one for a row, of the column and
//! among the keys that the owner asked for; and the row has to have the owner's id and tag.

use std::path::Path;

use aardvark_aggregates::query::Function;
use aardvark_aggregates::{OwnerTexts, Query, Schema};
use aardvark_client::tables::{OneRow, OwnRow, RowAsked, are_several_rows};
use aardvark_tables::TablesError;
use serde_json::json;

use super::query::Parts;
use super::{Judged, Remote, check_use, checked_name, given, read, verified};
use crate::answer_report::merge;
use crate::failure::Failure;
use crate::report::{Report, Rows};

/// What an owner asks for.
pub struct Wanted<'a> {
    /// The row's id.
    pub id: &'a str,
    /// The row column of the tag, and the tag, as `COLUMN=TEXT`.
    pub tag: Option<&'a str>,
    /// Only rows of this value column.
    pub column: Option<&'a str>,
    /// Only rows with such keys.
    pub condition: Option<&'a str>,
    /// Where there are several: which, from 1.
    pub number: Option<u64>,
}

/// Asks a keeper for a row, and shows it once it is verified; where there are several, lists them.
/// Where nothing is trusted the answer is only written to a file.
///
/// # Errors
/// A tag that is missing; a server that does not answer or refuses; an answer that is malformed,
/// about another row than the owner asked for, or false.
pub fn run(
    remote: &Remote,
    name: &str,
    wanted: &Wanted<'_>,
    Parts { certificates, root }: Parts,
    output: Option<&Path>,
) -> Result<Report, Failure> {
    let usage = "a keeper shows a row to who knows its tag: --tag COLUMN=TEXT, the row column and the text in it";
    let (tag_column, tag) =
        wanted.tag.and_then(|typed| typed.split_once('=')).ok_or_else(|| Failure::Usage(usage.to_owned()))?;
    check_use(remote, output)?;
    let name = checked_name(name)?;
    let one = OneRow { number: wanted.number, certificates, root: root || remote.is_rooted() };
    let &Wanted { id, column, condition: conditions, .. } = wanted;
    let asked = RowAsked { version: remote.version, id, tag, column, conditions, one: Some(one) };
    let bytes = remote.ask(|client| match client.table_row(name, &asked) {
        Err(fault) if are_several_rows(&fault) && output.is_none() => Ok(None),
        answer => answer.map(Some),
    })?;
    let Some(bytes) = bytes else { return list(remote, name, &asked) };
    let answer = read(&bytes, remote)?;
    let schema = answer.claimed_schema().map_err(TablesError::Schema)?;
    let text = answer.query.clone();
    let query = Query::parse(name, &text, &schema).map_err(TablesError::Query)?;
    check_asked(name, &schema, &query, &answer.runs, wanted)?;
    let of_tag = schema.rows.iter().position(|row| row == tag_column);
    let of_tag = of_tag.ok_or_else(|| Failure::Usage(format!("--tag: the table has no row column {tag_column:?}")))?;
    let owner = OwnerTexts::new([(0, id.to_owned()), (of_tag, tag.to_owned())]);
    let outcome = verified(&query, &answer, certificates, &owner, remote)?;
    let judged = Judged { query, answer, outcome };
    let (rows, mut said) = given(&judged, certificates, &owner, output, remote)?;
    merge(&mut said, json!({ "table": name, "query": text }));
    Ok(Report::done(rows.row("query", &text).to_text(), said))
}

/// Whether a query is for a row, of the column and among the keys that were asked for.
fn check_asked(
    name: &str,
    schema: &Schema,
    query: &Query,
    runs: &[aardvark_dictionary::Claim],
    wanted: &Wanted<'_>,
) -> Result<(), Failure> {
    let column = query.value_column().map_or("", |column| column.name.as_str());
    let condition = wanted.condition.map_or(String::new(), |condition| format!(" where {condition}"));
    let asked = Query::parse(name, &format!("row({column}){condition}"), schema).map_err(TablesError::Query)?;
    let key_box = asked.key_box();
    let is_asked = query.function() == Function::Row
        && wanted.column.is_none_or(|wanted| wanted == column)
        && runs.iter().all(|claim| key_box.holds(&claim.slot.key));
    match is_asked {
        true => Ok(()),
        false => Err(Failure::TableAnswer(other_query())),
    }
}

fn other_query() -> aardvark_aggregates::AnswerError {
    aardvark_aggregates::AnswerError { reason: aardvark_aggregates::TableReason::OtherQuery, item: None }
}

/// The rows of an owner, of which none is proved.
fn list(remote: &Remote, name: &str, asked: &RowAsked<'_>) -> Result<Report, Failure> {
    let found = remote.ask(|client| client.table_rows(name, asked))?;
    let line = |rows: Rows, (number, row): (usize, &OwnRow)| {
        rows.row((number + 1).to_string(), format!("{}: {} {}", row.key.join(", "), row.column, row.value))
    };
    let rows = found.rows.iter().enumerate().fold(Rows::new(), line);
    let rows = rows
        .row("version", found.version.to_string())
        .row("rests on", "the server's word: nothing was verified")
        .row("to prove one", "--number N");
    let json = json!({ "table": name, "version": found.version, "rows": found.rows, "result": "not verified" });
    Ok(Report::done(rows.to_text(), json))
}
