//! Fresh proofs in the long run: one asked for each update, round after round.
//!
//! Right after a snapshot an opening is brought to the newest version from few updates, and proofs
//! are fast; the longer ago the snapshot is, the more there are, until it is renewed. How the
//! vectors stand between their snapshots evens out over some tens of blocks, so that many rounds
//! are discarded. Rounds differ in how many snapshots fall due in them, so what counts is their
//! harmonic mean: all proofs over all of their time.

use crate::archives::options::Options;
use crate::archives::rounds::{Dictionary, Round};
use crate::archives::rows::{TABLE, compared, nothing};
use crate::archives::sample::Sample;
use crate::error::{BenchError, require};
use crate::measure::clock::Taken;
use crate::measure::row::Row;
use crate::measure::statistics::Spread;
use crate::report::Report;
use crate::workload::plan::Kind;

/// Adds `prove_steady` and `modify_steady`, on the first number of threads.
pub fn run(
    dictionary: &mut Dictionary,
    sample: &Sample,
    options: &Options,
    paper: f64,
    report: &mut Report,
) -> Result<(), BenchError> {
    let threads = options.threads.first().copied().unwrap_or(1);
    let blocks = dictionary.plan(Kind::Modify, options.steady_discarded + options.steady_rounds, options.operations)?;
    let mut rounds = Vec::new();
    for (number, steps) in blocks.iter().enumerate() {
        let round = dictionary.round(steps, std::slice::from_ref(sample), threads)?;
        let (asked, taken) = round.prove.first().copied().unwrap_or_default();
        eprintln!("  steady: round {number}: {asked} proofs, {:.2} s of CPU time", taken.cpu);
        if number >= options.steady_discarded {
            rounds.push(round);
        }
    }
    let proving = |round: &Round| round.prove.first().copied().unwrap_or_default();
    let proofs: Vec<(usize, Taken)> = rounds.iter().map(proving).collect();
    report.add(compared(mean_rate("prove_steady", &proofs)?.size(1).threads(threads), paper))?;
    // An operation takes its share of the block, and the proofs of its claims.
    let operation = |round: &Round| {
        let (asked, prove) = proving(round);
        let prove = prove.per(asked.max(1));
        let claims = round.claims as f64;
        let prove = Taken { wall: prove.wall * claims, cpu: prove.cpu * claims };
        (options.operations as usize, prove.plus(round.apply))
    };
    let operations: Vec<(usize, Taken)> = rounds.iter().map(operation).collect();
    report.add(compared(mean_rate("modify_steady", &operations)?.size(options.operations).threads(threads), paper))
}

/// The rate of all rounds together, in the place of a median; least and greatest are single
/// rounds'.
fn mean_rate(operation: &'static str, rounds: &[(usize, Taken)]) -> Result<Row, BenchError> {
    let rates: Vec<f64> =
        rounds.iter().filter(|(count, _)| *count > 0).map(|(count, taken)| *count as f64 / taken.wall).collect();
    let Spread { min, max, .. } = Spread::of(&rates).ok_or_else(nothing)?;
    let amount: usize = rounds.iter().map(|(count, _)| count).sum();
    let all = rounds.iter().fold(Taken::default(), |all, (_, taken)| all.plus(*taken));
    require(all.wall > 0.0 && all.cpu > 0.0, || "nothing was measured".to_owned())?;
    let row = Row::counted(TABLE, "kzg", operation, "1/s", 0.0);
    let row = row.with_spread(Spread { min, median: amount as f64 / all.wall, max });
    Ok(Row { cpu_median: Some(amount as f64 / all.cpu), ..row.iterations(amount as u64) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_round_counts_with_its_time_and_not_as_one_of_many_rates() {
        let taken = |seconds: f64| Taken { wall: seconds, cpu: seconds / 2.0 };
        let row = mean_rate("prove_steady", &[(100, taken(1.0)), (100, taken(1.0)), (100, taken(8.0))]).unwrap();
        assert_eq!((row.median, row.min, row.max), (30.0, 12.5, 100.0));
        assert_eq!((row.cpu_median, row.iterations), (Some(60.0), 300));
        assert!(mean_rate("prove_steady", &[]).is_err());
    }
}
