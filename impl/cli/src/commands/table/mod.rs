//! `aardvark table ..`: private rows, and statistics of them.

pub mod audit;
pub mod columns;
pub mod create;
pub mod delete;
pub mod demo;
pub mod export;
pub mod finding;
pub mod import;
pub mod list;
pub mod listing;
pub mod on_chain;
pub mod query;
pub mod remote;
pub mod resume;
pub mod row;
pub mod runs;
pub mod schema_json;
pub mod seal;
pub mod show;
pub mod trust;
pub mod trusted_side;
pub mod verify;

use clap::Subcommand;

use crate::deferred::Deferred;
use crate::failure::Failure;
use crate::report::Report;

/// `aardvark table`
#[derive(Debug, Subcommand)]
pub enum Table {
    /// Make a table in a dictionary.
    Create(Deferred<create::Create>),
    /// Put the rows of a file, all of them or none.
    Import(Deferred<import::Import>),
    /// List the tables of a dictionary.
    List(Deferred<list::List>),
    /// Say what a table's columns are, and what it holds.
    Show(Deferred<show::Show>),
    /// List a table's runs: keys, numbers of rows, revisions.
    Runs(Deferred<runs::Runs>),
    /// Ask for a statistic of a table's rows, with a proof.
    Query(Deferred<query::Query>),
    /// Show an owner its row, with a proof.
    Row(Deferred<row::Row>),
    /// Check an answer against what is trusted.
    Verify(Deferred<verify::Verify>),
    /// Write the rows of a table, as an import takes them.
    Export(Deferred<export::Export>),
    /// Close a table's keys below a value of its first key column, for good.
    Seal(Deferred<seal::Seal>),
    /// Delete the runs of a key.
    Delete(Deferred<delete::Delete>),
    /// Go on with a write to a chain that has ended early, or give it up.
    Resume(Deferred<resume::Resume>),
    /// Check every run that there ever was: its legality and its certificate.
    Audit(Deferred<audit::Audit>),
    /// Show it all on generated meters: every query, an owner's row, and a keeper that lies.
    Demo(Deferred<demo::Demo>),
}

/// Runs one of the commands.
///
/// # Errors
/// As the command.
pub fn run(command: &Table, as_json: bool) -> Result<Report, Failure> {
    match command {
        Table::Create(create) => create::run(create),
        Table::Import(import) => import::run(import),
        Table::List(list) => list::run(list),
        Table::Show(show) => show::run(show),
        Table::Runs(runs) => runs::run(runs),
        Table::Query(query) => query::run(query),
        Table::Row(row) => row::run(row),
        Table::Verify(verify) => verify::run(verify),
        Table::Export(export) => export::run(export),
        Table::Seal(seal) => seal::run(seal),
        Table::Delete(delete) => delete::run(delete),
        Table::Resume(resume) => resume::run(resume),
        Table::Audit(audit) => audit::run(audit),
        Table::Demo(demo) => demo::run(demo, as_json),
    }
}
