//! Tables of private rows: certificates, order statistics, the order of rows beside Bulletproofs,
//! and the experiments of TAP's evaluation.

mod bounds;
mod bulletproofs;
mod certificates;
mod experiments;
mod meters;
mod options;
mod order;
mod peers;
mod statistics;

use aardvark_aggregates::{ProverSetup, TableVerifier};
use clap::ValueEnum;

use self::experiments::scene::Shared;
use self::experiments::setting::Setting;
use self::options::Experiment;
use crate::error::{BenchError, require};
use crate::report::Report;

pub use options::Options;

/// Runs the table.
pub fn run(options: &Options, report: &mut Report) -> Result<(), BenchError> {
    require((7..=11).contains(&options.log), || "--log must be from 7 to 11".to_owned())?;
    require(options.runs.iter().all(|runs| (1..=100_000).contains(runs)), || {
        "--runs must be from 1 to 100,000".to_owned()
    })?;
    let counts = [options.users, options.districts, options.epochs, Some(options.threads as u64)];
    require(counts.into_iter().flatten().all(|count| count > 0), || {
        "--users, --districts, --epochs and --threads must be at least 1".to_owned()
    })?;
    let all = Experiment::value_variants();
    let asked = if options.experiment.is_empty() { all } else { &options.experiment };
    let (ours, papers): (Vec<Experiment>, Vec<Experiment>) = asked.iter().partition(|experiment| experiment.is_ours());
    if !ours.is_empty() {
        let setup = ProverSetup::ethereum(None)?;
        let verifier = TableVerifier::ethereum()?;
        for part in ours {
            match part {
                Experiment::Certificates => certificates::run(&setup, &verifier, options, report)?,
                Experiment::Cuts => order::run(&setup, &verifier, options, report)?,
                _ => peers::run(&setup, &verifier, options, report)?,
            }
        }
        report.note("size is the number of rows, of all fifteen sheets where it is an audit. Certificates: of one run that fills its sheet, or of 100 rows in twenty runs on 128 positions. Order statistics: of runs of five rows, twenty on 128 positions; made and verified by themselves, without the dictionary's claims that show the runs. order_prove and order_verify: of one run; both provers commit and prove, both verifiers begin with bytes.");
    }
    if !papers.is_empty() {
        let shared = Shared::new(options)?;
        for experiment in papers {
            experiments::run(&Setting { experiment, options, shared: &shared }, report)?;
        }
        report.note("experiments: times are CPU time of the process, one thread but where thr says more. A query is the server's work and the client's: the answer is found, proved, verified by the server itself, written, read and verified; the client has the version's commitments. size is the users of an epoch, of 4 and 5 users times epochs. Experiment 3 asks once after each insert, so no opening of the dictionary is up to date: that of the schema is followed, those of new runs are computed from scalars that the archive keeps; 4 to 6 ask again. sqlite and array: the same rows without proofs.");
    }
    Ok(())
}
