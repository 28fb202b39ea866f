//! What the state root's tree over the commitments costs a block: kept from block to block, and
//! hashed anew.

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, Scalar};
use aardvark_commitment::Commitment;
use aardvark_dictionary::commitment_tree::{CommitmentTree, commitment_root};
use clap::Args;

use crate::error::{BenchError, require};
use crate::measure::clock::timed;
use crate::measure::row::Row;
use crate::measure::statistics::Samples;
use crate::report::Report;
use crate::workload::random::Random;

/// The table's name in rows.
const TABLE: &str = "roots";
/// Different commitments; a hash takes as long whatever it hashes.
const DIFFERENT: u64 = 1000;

/// Options of `roots`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Vectors: 100,000 are a hundred million keys at N = 1,024.
    #[arg(long, default_value_t = 100_000)]
    pub vectors: u64,
    /// Vectors that a block changes.
    #[arg(long, default_value_t = 1000)]
    pub changed: u64,
    /// Timed blocks, after one that warms up.
    #[arg(long, default_value_t = 20)]
    pub rounds: usize,
}

/// Runs the table.
pub fn run(options: &Options, report: &mut Report) -> Result<(), BenchError> {
    require(options.vectors > 0 && options.rounds >= 5, || "--vectors must be at least 1, --rounds 5".to_owned())?;
    let generator = G1Affine::generator();
    let some: Vec<Commitment> =
        (1..=DIFFERENT).map(|number| Commitment::from_point_unchecked(generator * Scalar::from(number))).collect();
    let mut random = Random::new(5);
    let mut any = |below: u64| random.below(below);
    let draw = |any: &mut dyn FnMut(u64) -> u64| {
        some.get(any(DIFFERENT) as usize).copied().unwrap_or_else(Commitment::identity)
    };
    let mut commitments: Vec<Commitment> = (0..options.vectors).map(|_| draw(&mut any)).collect();
    let mut tree = CommitmentTree::new(&commitments);
    let mut runs = [const { Vec::new() }; 3];
    for round in 0..=options.rounds {
        let mut changed: Vec<usize> = (0..options.changed).map(|_| any(options.vectors) as usize).collect();
        changed.sort_unstable();
        changed.dedup();
        for index in &changed {
            if let Some(commitment) = commitments.get_mut(*index) {
                *commitment = draw(&mut any);
            }
        }
        let mut shared = tree.clone();
        let (of_shared, shared_taken) = timed(|| {
            shared.update(&commitments, changed.iter().copied());
            shared.root()
        });
        drop(shared);
        let (kept, kept_taken) = timed(|| {
            tree.update(&commitments, changed.iter().copied());
            tree.root()
        });
        let (anew, anew_taken) = timed(|| commitment_root(&commitments));
        require(kept == anew && of_shared == anew, || "a kept tree has another root".to_owned())?;
        if round > 0 {
            runs.iter_mut().zip([anew_taken, kept_taken, shared_taken]).for_each(|(runs, taken)| runs.push(taken));
        }
    }
    let samples = runs.map(|runs| runs.into_iter().collect::<Samples>());
    let anew = samples[0].cpu().map_or(0.0, |spread| spread.median);
    for (operation, samples) in ["root_anew", "root", "root_shared"].into_iter().zip(&samples) {
        let row = Row::timed(TABLE, "kzg", operation, ("us", 1e6), samples);
        let row = row.ok_or_else(|| BenchError::Wrong("nothing was measured".to_owned()))?.size(options.vectors);
        let ratio = row.cpu_median.unwrap_or(0.0) / (anew * 1e6);
        report.add(if operation == "root_anew" { row } else { row.compared("kzg root_anew", ratio) })?;
    }
    report.note("root: the tree is kept, and a block's vectors change in it; root_shared: a clone of it exists, which keeps its own; root_anew: all leaves are hashed.");
    Ok(())
}
