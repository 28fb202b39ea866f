//! `aardvark table import DIR NAME SOURCE --signer FILE`

use std::path::Path;
use std::time::Instant;

use aardvark_aggregates::Schema;
use aardvark_tables::chain::Written;
use aardvark_tables::vault::{Counts, Done};
use aardvark_tables::{ImportOptions, Renewal, RowSource, TablesError};
use serde_json::json;

use super::{OnChain, show};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::report::{Report, Rows, count, counted, duration};

/// What is imported.
pub struct Asked<'a> {
    /// The chain.
    pub chain: &'a OnChain,
    /// Folder of the vault.
    pub dir: &'a Path,
    /// The table's name.
    pub name: &'a str,
    /// The most positions of a sheet.
    pub sheet: usize,
    /// What becomes of the runs of the rows' keys; `None` where they stay.
    pub renewal: Option<Renewal>,
    /// Whether rows are put that were put before.
    pub again: bool,
}

/// Imports the rows of a source, which is opened for the table's schema and has a name: into the
/// vault, all or none, and from there to the chain, one sheet after the other.
///
/// # Errors
/// A row that is none of the table's, by line and column; what the chain refuses; nobody to ask.
pub fn run(
    asked: &Asked<'_>,
    open: impl FnOnce(&Schema, &Bar) -> Result<(String, Box<dyn RowSource>), Failure>,
) -> Result<Report, Failure> {
    let start = Instant::now();
    let Asked { chain, dir, name, sheet, renewal, again } = *asked;
    let (mut keeper, mut ledger) = chain.open(dir)?;
    let schema = keeper.schema(&mut ledger, name)?;
    let bar = Bar::new("import");
    let (file, mut rows) = open(&schema, &bar)?;
    let options = ImportOptions { sheet, ..ImportOptions::default() };
    let mut progress = |step| show(&bar, step);
    let (table, rows) = ((name, &schema), rows.as_mut());
    let written = match renewal {
        None => keeper.import(&mut ledger, table, rows, &options, again, &mut progress),
        Some(renewal) => keeper.renew(&mut ledger, table, rows, (renewal, &options), again, &mut progress),
    };
    let Written { done, repeated } = written.map_err(|failure| match failure {
        Failure::Table(error) => match *error {
            TablesError::Source(error) => Failure::Rows(file.clone(), Box::new(error)),
            error => error.into(),
        },
        failure => failure,
    })?;
    drop(bar);
    ledger.reach(done.version);
    Ok(report(name, done, repeated, start))
}

fn report(name: &str, Done { version, counts }: Done, repeated: bool, start: Instant) -> Report {
    let Counts { rows, runs, sheets } = counts;
    let text = Rows::new()
        .row("table", name)
        .row("imported", format!("{} in {}", counted(rows, "row", "rows"), counted(runs, "run", "runs")))
        .row("certificates", count(sheets))
        .row("version", version.to_string());
    let text = match repeated {
        true => text.row("repeated", "these rows were put before, and nothing was sent; --again puts them once more"),
        false => text.row("time", duration(start.elapsed())),
    };
    let json = json!({
        "table": name, "rows": rows, "runs": runs, "certificates": sheets, "version": version, "repeated": repeated,
        "seconds": start.elapsed().as_secs_f64(),
    });
    Report::done(text.to_text(), json)
}
