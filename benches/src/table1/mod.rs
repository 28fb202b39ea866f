//! Table 1: what each scheme's operations cost, with the peers beside them, all in one run.
//!
//! All of ours on one thread, N scalars a vector. c-kzg and rust_eth_kzg know only vectors of 4,096
//! (blobs), so `commit` and `open` are compared at that size too, while their verification does not
//! depend on it. Their batch verification is of whole blobs, whose polynomial they evaluate first:
//! comparable work only in part, hence an operation of its own, `verify_blob_batch`.

mod batches;
mod fixture;
mod options;
pub mod peers;
mod single;
mod tables;
pub mod trees;
mod updates;

use crate::error::{BenchError, require};
use crate::measure::contest::Effort;
use crate::report::Report;
use fixture::Fixture;
pub use options::{Options, Part};

/// Where schemes and peers do other work than ours.
const NOTES: [&str; 8] = [
    "one thread; ratios are of CPU time; `errors` is 0 in every row, since a wrong result ends the program. `_31`: deltas of 31 bits, as in the paper's table; all others have 255.",
    "`paper` is the paper's method on this machine: one pairing check a claim, no batching, no tables. The paper's own column for EDRAX was taken on another curve (BN254), and its verifications all failed.",
    "c-kzg and rust_eth_kzg commit to and open vectors of 4,096 only, so ours is measured at that size beside them. Verifying one opening is the same work as our `verify`, subgroup checks of both points included; a validator makes fewer checks: `verify_claim`.",
    "`verify_blob_batch` is the only batch that these libraries verify: whole blobs, whose polynomials they evaluate first. Not comparable with `verify_batch`.",
    "kzg has tables of at most 80 MB, but of 64 MB for vectors of 4,096 and in rows that end in `_64mb`, and of 300 MB, with all positions, in those that end in `_300mb`; libert-yung of 64 MB; `paper`, multilinear and the peers none of ours. Updates of size 10 and 1000: deltas to one vector in one call; of 10000: 1,000 vectors in one call, ten deltas each; `update_apart`: 1,000 vectors, one delta each.",
    "blst multiplies one point by a factor of any length in the same time, so `scalar_mul_31` is no faster than `scalar_mul`.",
    "merkle and rs_merkle hash, and prove membership in a vector, for 32 bytes a level. A Merkle proof cannot be updated: `update_opening` reads it from the updated tree. rs_merkle does not update a leaf of a committed tree.",
    "jmt is a tree over all keys, in memory: a proof is good for one version only. Its `update_commitment` is one key's share of a version with 1,000 writes.",
];

/// Runs the table.
pub fn run(options: &Options, report: &mut Report) -> Result<(), BenchError> {
    let legal = options.size.is_power_of_two() && (2..=4096).contains(&options.size);
    require(legal, || "--size must be a power of two from 2 to 4096".to_owned())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    eprintln!("making parameters and vectors");
    let fixture = Fixture::new(options.size)?;
    let effort = Effort::iterations(options.iterations);
    for part in &options.parts {
        eprintln!("measuring: {part:?}");
        let rows = pool.install(|| match part {
            Part::Commit => single::commit(&fixture, &effort),
            Part::Open => single::open(&fixture, &effort),
            Part::OpenAll => single::open_all(&fixture, &effort),
            Part::Verify => single::verify(&fixture, &effort),
            Part::Batch => batches::verify_batch(&fixture, options.batch, &effort),
            Part::Update => updates::update(&fixture, &effort),
            Part::Tables => tables::tables(&fixture, &effort),
            Part::Trees => trees::dictionary_tree(options.tree_keys, &effort),
        })?;
        rows.into_iter().try_for_each(|row| report.add(row))?;
    }
    NOTES.iter().for_each(|note| report.note(note));
    Ok(())
}
