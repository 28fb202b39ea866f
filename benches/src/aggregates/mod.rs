//! Tables of private rows: certificates of sheets, and statistics about the order of rows.

mod certificates;
mod order;

use aardvark_aggregates::{ProverSetup, TableVerifier};
use clap::Args;

use crate::error::{BenchError, require};
use crate::report::Report;

/// The table's name in rows.
const TABLE: &str = "aggregates";

/// Options of `aggregates`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The logarithm of the full sheet's size.
    #[arg(long, default_value_t = 10)]
    pub log: usize,
    /// Runs of five rows that statistics are asked of.
    #[arg(long, value_delimiter = ',', default_value = "10,200")]
    pub runs: Vec<usize>,
    /// Times that each is done.
    #[arg(long, default_value_t = 70)]
    pub repetitions: usize,
}

/// Runs the table.
pub fn run(options: &Options, report: &mut Report) -> Result<(), BenchError> {
    require((7..=11).contains(&options.log), || "--log must be from 7 to 11".to_owned())?;
    require(options.runs.iter().all(|runs| (1..=100_000).contains(runs)), || {
        "--runs must be from 1 to 100,000".to_owned()
    })?;
    let setup = ProverSetup::ethereum(None)?;
    let verifier = TableVerifier::ethereum()?;
    certificates::run(&setup, &verifier, options, report)?;
    order::run(&setup, &verifier, options, report)?;
    report.note("size is the number of rows, of all fifteen sheets where it is an audit. Certificates: of one run that fills its sheet, or of 100 rows in twenty runs on 128 positions. Order statistics: of runs of five rows, twenty on 128 positions; made and verified by themselves, without the dictionary's claims that show the runs.");
    Ok(())
}
