#![forbid(unsafe_code)]
//! Benchmarks that check their own results: the paper's tables and figures, with peers in the same
//! run.
//!
//! A number here is the median of at least five runs after a warm-up, with minimum and maximum
//! beside it; comparisons are ratios of things measured in turn in one process. What was timed is
//! checked: verifications are true, commitments equal a recomputation, blocks come to what the
//! whole array says. Where a check fails there is no number, and the exit code is 1.

mod aggregates;
mod answers;
mod archives;
mod error;
mod growth;
mod measure;
mod mixnet;
mod paper;
mod peers;
mod plot;
mod report;
mod roots;
mod sizes;
mod table1;
mod validators;
mod workload;

use std::path::PathBuf;
use std::process::ExitCode;

use aardvark_algebra::Kernel;
use clap::{Parser, Subcommand};

use error::BenchError;
use report::Report;

/// The paper's tables and figures, measured on this machine.
#[derive(Debug, Parser)]
#[command(name = "benches", version)]
struct Arguments {
    #[command(subcommand)]
    table: Table,
    /// Rows as JSON, one a line.
    #[arg(long, global = true)]
    json: bool,
    /// Draw the table's figures into this directory, as SVG and PNG.
    #[arg(long, global = true, value_name = "DIR")]
    plot: Option<PathBuf>,
    /// Write the rows into this directory too, as `TABLE.txt` and `TABLE.jsonl`.
    #[arg(long, global = true, value_name = "DIR")]
    save: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Table {
    /// What each scheme's operations cost (Table 1).
    Table1(table1::Options),
    /// How fast validators apply blocks (Table 4, Figure 3).
    Validators(validators::Options),
    /// How fast archives make proofs and take blocks (Figure 4).
    Archives(archives::Options),
    /// Verifying answers to readers, and proving them.
    Answers(answers::Options),
    /// Committing to private rows, and certificates of them.
    Aggregates(aggregates::Options),
    /// What travels and what is kept.
    Sizes(sizes::Options),
    /// Importing, applying and proving at more and more keys.
    Growth(growth::Options),
    /// The nearest peers, NOMT and QMDB, beside an archive.
    Peers(peers::Options),
    /// What the state root costs a block.
    Roots(roots::Options),
    /// A mixnet: mixing, and answers about inputs and outputs, all servers in this process.
    Mixnet(mixnet::Options),
}

/// What this program starts itself as, to measure in a process of its own. Its options are read
/// without those of all tables being put together, for what they cost is measured too.
#[derive(Debug, Parser)]
enum OwnProcess {
    /// The process that `validators` starts to measure in.
    #[command(name = "validator-process")]
    Validator(validators::ProcessOptions),
    /// The process that `peers` starts to measure ours.
    #[command(name = "peers-process")]
    Peers(peers::ProcessOptions),
}

fn main() -> ExitCode {
    let is_own = std::env::args_os().nth(1).is_some_and(|word| word.as_encoded_bytes().ends_with(b"-process"));
    let done = if is_own { run_process(&OwnProcess::parse()) } else { run(&Arguments::parse()) };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run_process(process: &OwnProcess) -> Result<(), BenchError> {
    Kernel::requested()?;
    match process {
        OwnProcess::Validator(options) => validators::run_process(options),
        OwnProcess::Peers(options) => peers::run_process(options),
    }
}

fn run(arguments: &Arguments) -> Result<(), BenchError> {
    Kernel::requested()?;
    let mut report = Report::new(arguments.json);
    match &arguments.table {
        Table::Table1(options) => table1::run(options, &mut report)?,
        Table::Validators(options) => validators::run(options, &mut report)?,
        Table::Archives(options) => archives::run(options, &mut report)?,
        Table::Answers(options) => answers::run(options, &mut report)?,
        Table::Aggregates(options) => aggregates::run(options, &mut report)?,
        Table::Sizes(options) => sizes::run(options, &mut report)?,
        Table::Growth(options) => growth::run(options, &mut report)?,
        Table::Peers(options) => peers::run(options, &mut report)?,
        Table::Roots(options) => roots::run(options, &mut report)?,
        Table::Mixnet(options) => mixnet::run(options, &mut report)?,
    }
    report.compare_with_targets();
    if let Some(directory) = &arguments.save {
        report.save(directory)?;
    }
    match &arguments.plot {
        Some(directory) => plot::draw(directory, report.rows()),
        None => Ok(()),
    }
}
