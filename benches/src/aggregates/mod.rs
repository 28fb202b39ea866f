//! Tables of private rows: certificates of sheets, and statistics about the order of rows.

mod certificates;
mod options;
mod order;

use aardvark_aggregates::{ProverSetup, TableVerifier};

use crate::error::{BenchError, require};
use crate::report::Report;

pub use options::Options;

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
