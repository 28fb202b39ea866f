//! Archives: fresh proofs and blocks by a real archive on its store (the paper's Figure 4).
//!
//! A round asks the archive for the claims of a block's transactions at the newest version, then gives it the block. Each operation calls for one proof, a
//! deletion for two; the block before has changed every vector since, so no proof was there before. Timed: making the claims, and applying
//! the block (verification, commitments, one durable transaction of the store). Checked, outside of the time: every claim verifies against commitments that a
//! validator computed by itself, and the archive's commitments are that validator's.
//!
//! `modify`, `insert`, `delete` are operations per second, proofs and block together. `prove` is proofs per second alone, its `size` the number of proofs asked for
//! each update: 1, 100, or 0 for an archive that nobody changes. `apply` is seconds a block. The paper's archive makes each proof anew: `paper prove` is that, in
//! the same run.

mod rounds;

use aardvark_algebra::Scalar;
use clap::Args;

use crate::error::{BenchError, require};
use crate::measure::clock::timed;
use crate::measure::row::Row;
use crate::measure::statistics::Samples;
use crate::paper::Paper;
use crate::report::Report;
use crate::workload::plan::Kind;
use crate::workload::random::scalar;
use rounds::{Dictionary, Round};

/// The table's name in rows.
const TABLE: &str = "archives";

/// Options of `archives`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Keys at genesis: 32 bytes each, values of 8 bytes.
    #[arg(long, default_value_t = 1_000_000)]
    pub keys: u64,
    /// Operations in a round, one a transaction, all in one block.
    #[arg(long, default_value_t = 10_000)]
    pub operations: u64,
    /// Timed rounds, at least 5, after one that warms up.
    #[arg(long, default_value_t = 5)]
    pub rounds: usize,
    /// Numbers of threads, measured in turn.
    #[arg(long, value_delimiter = ',', default_value = "1,2")]
    pub threads: Vec<usize>,
    /// Kinds of operation.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "modify,insert,delete")]
    pub kind: Vec<Kind>,
    /// N.
    #[arg(long, default_value_t = 1024)]
    pub vector_size: u32,
}

/// Runs the table.
pub fn run(options: &Options, report: &mut Report) -> Result<(), BenchError> {
    let legal = options.rounds >= 5 && options.operations > 0 && !options.threads.contains(&0);
    require(legal, || "--rounds must be at least 5, --operations and --threads at least 1".to_owned())?;
    let directory = tempfile::tempdir().map_err(|source| BenchError::io("a temporary directory", source))?;
    eprintln!("genesis: {} keys", options.keys);
    let mut dictionary = Dictionary::create(directory.path(), options.keys, options.vector_size)?;
    let paper = paper_proofs(options.vector_size as usize)?;
    let paper_rate = paper.cpu().map_or(0.0, |cpu| 1.0 / cpu.median);
    report.add(rate(("paper", "prove"), 1.0, &paper)?.size(1))?;
    for kind in &options.kind {
        let blocks = dictionary.plan(*kind, options)?;
        let mut measured: Vec<Vec<Round>> = vec![Vec::new(); options.threads.len()];
        for (number, steps) in blocks.iter().enumerate() {
            let turn = number % options.threads.len();
            let threads = options.threads.get(turn).copied().unwrap_or(1);
            let round = dictionary.round(steps, threads)?;
            eprintln!(
                "  {}: round {number} on {threads} threads: {:.1} s",
                kind.name(),
                round.prove.wall + round.apply.wall
            );
            // The first round of each number of threads warms up.
            if number >= options.threads.len() {
                measured.get_mut(turn).into_iter().for_each(|rounds| rounds.push(round));
            }
        }
        for (threads, rounds) in options.threads.iter().zip(&measured) {
            let rows = rows(*kind, options.operations, rounds, paper_rate)?;
            rows.into_iter().try_for_each(|row| report.add(row.threads(*threads)))?;
        }
    }
    rare_updates(&mut dictionary, options, paper_rate, report)
}

/// Proofs where there are a hundred for each update, and where there is no update.
fn rare_updates(
    dictionary: &mut Dictionary,
    options: &Options,
    paper: f64,
    report: &mut Report,
) -> Result<(), BenchError> {
    for per_update in [100, 0] {
        let updates = options.operations.checked_div(per_update).unwrap_or(0);
        for threads in &options.threads {
            let mut samples = Samples::default();
            for round in 0..=options.rounds {
                dictionary.import(updates)?;
                let taken = dictionary.prove_random(options.operations, *threads)?;
                eprintln!("  {per_update} proofs an update: round {round} on {threads} threads: {:.1} s", taken.wall);
                if round > 0 {
                    samples.push(taken);
                }
            }
            let row = rate(("kzg", "prove"), options.operations as f64, &samples)?.size(per_update).threads(*threads);
            report.add(compared(row, paper))?;
        }
    }
    Ok(())
}

fn rows(kind: Kind, operations: u64, rounds: &[Round], paper: f64) -> Result<Vec<Row>, BenchError> {
    let proofs_each = if kind == Kind::Delete { 2.0 } else { 1.0 };
    let prove: Samples = rounds.iter().map(|round| round.prove).collect();
    let apply: Samples = rounds.iter().map(|round| round.apply).collect();
    let both: Samples = rounds.iter().map(|round| round.prove.plus(round.apply)).collect();
    let nothing = || BenchError::Wrong("nothing was measured".to_owned());
    let apply = Row::timed(TABLE, "kzg", "apply", ("s", 1.0), &apply).ok_or_else(nothing)?;
    Ok(vec![
        compared(rate(("kzg", kind.name()), operations as f64, &both)?.size(operations), paper / proofs_each),
        compared(rate(("kzg", "prove"), operations as f64 * proofs_each, &prove)?.size(1), paper),
        Row { baseline: Some(kind.name().to_owned()), ..apply.size(operations) },
    ])
}

/// So much work a second.
fn rate((scheme, operation): (&'static str, &'static str), amount: f64, samples: &Samples) -> Result<Row, BenchError> {
    let nothing = || BenchError::Wrong("nothing was measured".to_owned());
    let (wall, cpu) = samples.wall().zip(samples.cpu()).ok_or_else(nothing)?;
    let row = Row::counted(TABLE, scheme, operation, "1/s", 0.0).with_spread(wall.rate(amount));
    Ok(Row { cpu_median: Some(cpu.rate(amount).median), ..row.iterations((samples.len() as f64 * amount) as u64) })
}

/// With the ratio to the paper's method, by CPU time.
fn compared(row: Row, paper: f64) -> Row {
    let ratio = row.cpu_median.unwrap_or(0.0) / paper;
    row.compared("paper prove", ratio)
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
