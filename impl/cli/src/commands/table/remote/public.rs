//! `aardvark table list|show|runs URL`: what is public of a server's tables.

use aardvark_aggregates::{Schema, TableKey};
use aardvark_client::tables::ScanAsked;
use aardvark_dictionary::Key;
use aardvark_proof::{Answer, Question};
use aardvark_tables::TablesError;
use serde_json::json;

use super::super::listing::{Run, listed, shown};
use super::{Remote, checked_name, judged, runs_of};
use crate::failure::Failure;
use crate::report::{Report, Rows};

/// The names of a server's tables, which are its word.
///
/// # Errors
/// A server that does not answer or refuses.
pub fn list(remote: &Remote) -> Result<Report, Failure> {
    let names = names(remote)?;
    let rows = names.tables.iter().fold(Rows::new(), |rows, name| rows.row(name, ""));
    let rows = rows.row("rests on", "the server's word: it may leave tables out");
    Ok(Report::done(rows.to_text(), json!({ "tables": names.tables, "version": names.version })))
}

/// The names that a server says, and of which version.
pub(super) struct Names {
    pub(super) version: Option<u64>,
    pub(super) tables: Vec<String>,
}

/// All names that a server says.
pub(super) fn names(remote: &Remote) -> Result<Names, Failure> {
    let mut names = Names { version: remote.version, tables: Vec::new() };
    let mut after: Option<String> = None;
    loop {
        let page = remote.ask(|client| client.table_names(names.version, after.as_deref()))?;
        names.version = Some(page.version);
        names.tables.extend(page.tables);
        match page.next {
            // In the order of keys a shorter name comes first.
            Some(next) if after.as_ref().is_none_or(|last| (last.len(), last) < (next.len(), &next)) => {
                after = Some(next);
            }
            _ => return Ok(names),
        }
    }
}

/// The schema of a table, proved where something is trusted.
pub(super) fn schema(remote: &Remote, name: &str) -> Result<(u64, Schema), Failure> {
    let name = checked_name(name)?;
    let proof = remote.ask(|client| client.table_schema(name, remote.version, remote.is_rooted()))?;
    let key = Key::from(TableKey::Schema { table: name.to_owned() }.to_bytes());
    let value = match &remote.trusted {
        Some(trusted) => {
            remote.check_version(proof.version)?;
            match trusted.verify_proof(&Question::key(key), &proof)? {
                Answer::Keys(answers) => answers.into_iter().next().and_then(|answer| answer.value),
                Answer::Range(_) | Answer::Predecessor(_) | Answer::Successor(_) => None,
            }
        }
        None => proof.claims.first().filter(|claim| claim.slot.key == key).map(|claim| claim.slot.value.clone()),
    };
    let value = value.ok_or_else(|| TablesError::NoTable(name.to_owned()))?;
    Ok((proof.version, Schema::from_bytes(&value).map_err(TablesError::Schema)?))
}

/// All runs of a table, of all its columns.
fn all_runs(remote: &Remote, name: &str, version: u64, schema: &Schema) -> Result<Vec<Run>, Failure> {
    let mut runs = Vec::new();
    for column in &schema.values {
        let root = remote.is_rooted();
        let asked = ScanAsked { version: Some(version), column: &column.name, conditions: None, root };
        let bytes = remote.ask(|client| client.table_scan(name, &asked))?;
        let judged = judged(name, &format!("count({})", column.name), &bytes, false, remote)?;
        if judged.query.schema() != schema {
            return Err(Failure::AnotherFile(remote.client.url().to_owned(), "two schemas of one table".to_owned()));
        }
        runs.extend(runs_of(&judged, schema)?);
    }
    Ok(runs)
}

/// What a table's columns are, and what it holds.
///
/// # Errors
/// A server that does not answer or refuses, proofs that do not hold.
pub fn show(remote: &Remote, name: &str) -> Result<Report, Failure> {
    let (version, schema) = schema(remote, name)?;
    let mut held = vec![(0u64, 0u64); schema.values.len()];
    for run in all_runs(remote, name, version, &schema)? {
        if let Some((runs, rows)) = held.get_mut(usize::from(run.column)) {
            *runs += 1;
            *rows += run.head.rows();
        }
    }
    let (rows, mut json) = shown(name, &schema, &held, version);
    let rows = remote.told(rows, &mut json);
    Ok(Report::done(rows.row("rests on", remote.rests_on()).to_text(), json))
}

/// The runs of a table.
///
/// # Errors
/// A server that does not answer or refuses, proofs that do not hold.
pub fn runs(remote: &Remote, name: &str) -> Result<Report, Failure> {
    let (version, schema) = schema(remote, name)?;
    let (mut rows, mut json) = (Rows::new(), Vec::new());
    for run in all_runs(remote, name, version, &schema)? {
        let (shown, of_run) = listed(&schema, &run);
        rows = rows.row(&shown.0, shown.1);
        json.push(of_run);
    }
    let mut json = json!({ "table": name, "runs": json, "version": version });
    let rows = remote.told(rows, &mut json).row("rests on", remote.rests_on());
    Ok(Report::done(rows.to_text(), json))
}
