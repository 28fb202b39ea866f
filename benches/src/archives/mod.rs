//! Archives: fresh proofs and blocks by a real archive on its store (the paper's Figure 4).
//!
//! Every round asks the archive for proofs at the newest version, then gives it the next block,
//! which changes nearly every vector. Before the first, the archive makes snapshots of the vectors
//! that will be asked for: `snapshot` is what one cost. Those that it renews while it answers are
//! part of the answers' time, and `refreshes` says how many they were.
//!
//! - `prove`: proofs per second, its `size` the number of proofs asked for each update: 1, 10, 100,
//!   or 0 for an archive that nobody changes. Some vectors are asked, at the rate that all would be
//!   ([`sample`]). These are the first rounds after a snapshot, faster than what follows.
//! - `prove_steady`: the same at one proof an update in the long run ([`steady`]): what an archive
//!   does that goes on.
//! - `modify`, `insert`, `delete`: operations per second, from the time of a block and of the
//!   proofs that its transactions need, one for each claim, in the first rounds; `modify_steady`:
//!   in the long run.
//! - `apply`: seconds for a block: verification, commitments, one durable transaction of the store.
//! - `paper prove`: the paper's archive makes each proof anew; in the same run.
//!
//! Checked, outside of the time: every answer holds the slot that the whole array has, and an
//! opening that verifies against a commitment computed without the archive; the archive's writes
//! and commitments are the array's after every block; at the end all commitments are recomputed.
//! The claims of the blocks' transactions come from a prover that knows the setup's secret; the
//! archive does not, and works as on any other setup.

mod options;
mod rounds;
mod rows;
mod sample;
mod steady;

use aardvark_algebra::Scalar;

use crate::error::{BenchError, require};
use crate::measure::clock::{Taken, timed};
use crate::measure::row::Row;
use crate::measure::statistics::Samples;
use crate::paper::Paper;
use crate::report::Report;
use crate::workload::plan::Kind;
use crate::workload::random::scalar;
pub use options::Options;
use rounds::{Dictionary, Round, pool};
use rows::{TABLE, compared, nothing, rate};
use sample::Sample;

/// Runs the table.
pub fn run(options: &Options, report: &mut Report) -> Result<(), BenchError> {
    let legal = options.rounds >= 5 && options.operations > 0 && !options.threads.contains(&0);
    require(legal, || "--rounds must be at least 5, --operations and --threads at least 1".to_owned())?;
    require(options.sampled.len() == 3, || "--sampled must be three numbers".to_owned())?;
    let directory = tempfile::tempdir().map_err(|source| BenchError::io("a temporary directory", source))?;
    eprintln!("genesis: {} keys", options.keys);
    let mut dictionary = Dictionary::create(directory.path(), options)?;
    let paper = paper_proofs(options.vector_size)?;
    let paper_rate = paper.cpu().map_or(0.0, |cpu| 1.0 / cpu.median);
    report.add(rate(("paper", "prove"), &[(1, paper)])?.size(1))?;
    let wanted: Vec<(usize, usize)> = options.sampled.iter().copied().zip([1, 10, 100]).collect();
    let (samples, vectors) = Sample::disjoint(&wanted, options.vector_size);
    eprintln!("  snapshots of {vectors} vectors");
    let (made, taken) = dictionary.warm(vectors)?;
    report.add(snapshots(made, taken, &dictionary)?)?;
    let kinds = if options.only_steady { &[] } else { options.kind.as_slice() };
    for kind in kinds {
        // The other samples need only one history.
        let samples = if *kind == Kind::Modify { &samples } else { samples.get(..1).unwrap_or_default() };
        histories(&mut dictionary, (*kind, samples), options, paper_rate, report)?;
    }
    if !options.only_steady {
        nobody_changes(&mut dictionary, &samples, options, paper_rate, report)?;
    }
    if let Some(sample) = samples.first() {
        steady::run(&mut dictionary, sample, options, paper_rate, report)?;
    }
    dictionary.recompute()?;
    report.note("a proof's time includes looking the slot up and the snapshots renewed meanwhile; ratios and targets are by CPU time, which is per core.");
    report.note("prove_steady and modify_steady: harmonic means of the last rounds, after those that are discarded (--steady-discarded, --steady-rounds); prove and modify are the first rounds after a snapshot, and faster.");
    report.note("proofs are asked for some vectors only, at the rate that all of them would be; each of several equal keys in one call counts as a proof, and is opened once.");
    Ok(())
}

/// What one snapshot cost; beside it the bytes that all of them hold.
fn snapshots(made: u64, taken: Taken, dictionary: &Dictionary) -> Result<Row, BenchError> {
    let taken: Samples = [taken.per(made.max(1) as usize)].into_iter().collect();
    let row = Row::timed(TABLE, "kzg", "snapshot", ("s", 1.0), &taken).ok_or_else(nothing)?;
    let held = dictionary.statistics();
    let what = format!("one of {made}; {} bytes each", held.bytes / held.vectors.max(1));
    let row = row.size(made).iterations(made);
    Ok(Row { baseline: Some(what), ..row })
}

/// Blocks of one kind on each number of threads in turn, and what they come to.
fn histories(
    dictionary: &mut Dictionary,
    (kind, samples): (Kind, &[Sample]),
    options: &Options,
    paper: f64,
    report: &mut Report,
) -> Result<(), BenchError> {
    let blocks = dictionary.plan(kind, (options.rounds + 1) * options.threads.len(), options.operations)?;
    let mut measured: Vec<Vec<Round>> = vec![Vec::new(); options.threads.len()];
    let before = dictionary.statistics();
    for (number, steps) in blocks.iter().enumerate() {
        let turn = number % options.threads.len();
        let threads = options.threads.get(turn).copied().unwrap_or(1);
        let round = dictionary.round(steps, samples, threads)?;
        let proving: f64 = round.prove.iter().map(|(_, taken)| taken.wall).sum();
        eprintln!("  {}: round {number}, {threads} threads: {proving:.1} s + {:.1} s", kind.name(), round.apply.wall);
        // The first round of each number of threads warms up.
        if let Some(rounds) = measured.get_mut(turn).filter(|_| number >= options.threads.len()) {
            rounds.push(round);
        }
    }
    for (threads, rounds) in options.threads.iter().zip(&measured) {
        let rows = rows(kind, samples, (options.operations, rounds), paper)?;
        rows.into_iter().try_for_each(|row| report.add(row.threads(*threads)))?;
    }
    let after = dictionary.statistics();
    let (renewed, answered) =
        (after.refreshes - before.refreshes, after.held + after.fresh - before.held - before.fresh);
    let row = Row::counted(TABLE, "kzg", "refreshes", "snapshots", renewed as f64).size(answered);
    report.add(Row { baseline: Some(kind.name().to_owned()), ..row })
}

/// Proofs where there is no update.
fn nobody_changes(
    dictionary: &mut Dictionary,
    samples: &[Sample],
    options: &Options,
    paper: f64,
    report: &mut Report,
) -> Result<(), BenchError> {
    let Some(sample) = samples.first() else { return Ok(()) };
    for threads in &options.threads {
        let pool = pool(*threads)?;
        let mut rounds = Vec::new();
        for round in 0..=options.rounds {
            let keys = dictionary.random_keys(sample, options.operations as usize);
            let taken = dictionary.prove(&keys, &pool)?;
            // Run 0 warms up: it brings to the newest version what was asked for at older ones.
            if round > 0 {
                rounds.push((keys.len(), [taken].into_iter().collect()));
            }
        }
        report.add(compared(rate(("kzg", "prove"), &rounds)?.size(0).threads(*threads), paper))?;
    }
    Ok(())
}

fn rows(
    kind: Kind,
    samples: &[Sample],
    (operations, rounds): (u64, &[Round]),
    paper: f64,
) -> Result<Vec<Row>, BenchError> {
    let mut rows = Vec::new();
    // What an operation takes: its proofs, one for each claim, and its share of the block.
    let each = |round: &Round| {
        let (asked, prove) = round.prove.first().copied().unwrap_or_default();
        let prove = prove.per(asked.max(1));
        let claims = round.claims as f64 / operations as f64;
        let prove = Taken { wall: prove.wall * claims, cpu: prove.cpu * claims };
        (1, [prove.plus(round.apply.per(operations as usize))].into_iter().collect())
    };
    let whole: Vec<(usize, Samples)> = rounds.iter().map(each).collect();
    let claims = if kind == Kind::Delete { 2.0 } else { 1.0 };
    rows.push(compared(rate(("kzg", kind.name()), &whole)?.size(operations), paper / claims));
    if kind == Kind::Modify {
        for (number, sample) in samples.iter().enumerate() {
            let asked = rounds.iter().filter_map(|round| round.prove.get(number));
            let asked: Vec<(usize, Samples)> =
                asked.map(|(count, taken)| (*count, [*taken].into_iter().collect())).collect();
            rows.push(compared(rate(("kzg", "prove"), &asked)?.size(sample.per_update as u64), paper));
        }
    }
    let apply: Samples = rounds.iter().map(|round| round.apply).collect();
    let apply = Row::timed(TABLE, "kzg", "apply", ("s", 1.0), &apply).ok_or_else(nothing)?;
    rows.push(Row { baseline: Some(kind.name().to_owned()), ..apply.size(operations) });
    Ok(rows)
}

/// The paper's archive: each opening computed from the whole vector.
fn paper_proofs(vector_size: usize) -> Result<Samples, BenchError> {
    let paper = Paper::new(vector_size);
    let vector: Vec<Scalar> = (0..vector_size as u64).map(scalar).collect();
    let commitment = paper.commit(&vector);
    let open = |index: usize| {
        let (opening, taken) = timed(|| paper.open(&vector, index));
        let right = vector.get(index).is_some_and(|scalar| paper.verify(&commitment, index, scalar, &opening));
        require(right, || "an opening of the paper's method is wrong".to_owned()).map(|()| taken)
    };
    (0..8).map(|number| open(number * 5 % vector_size)).skip(1).collect()
}
