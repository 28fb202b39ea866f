//! Growth: importing, starting again, proving, applying a block, and auditing, at dictionaries of
//! more and more keys.
//!
//! Import: random keys, made, sorted and imported in blocks into an empty archive on its store, as
//! `aardvark import` does it; its ratio is time per key over that at the smallest n. Restart: the
//! archive opened, and the validator of its newest version restored. Prove: one key at the newest
//! version; cold: by the command `aardvark prove` ([`cold`]). Block: 10,000 (or `--operations`)
//! modifications of random keys. Audit: only where `--audit` asks for it, of the newest version
//! where `--audit-newest` does ([`audits`]). Peak memory is the process's, tables included, during
//! import, proofs and blocks, and audit. An import is measured as often as `--imports` says, once
//! by default, and so is an audit; the rest at least five times.
//! `exponent`: the slope of the logarithm of CPU time over that of n, by least squares. Each import
//! is checked by the number of slots and by proofs against its commitments, each restored validator
//! by its root, each block by the archive itself and by proofs after it, and an audit finds nothing
//! and comes to the root of the validator.

mod audits;
mod cold;
mod rows;

use aardvark_archive::Archive;
use aardvark_archive::changes::ChangeSorter;
use aardvark_archive::import_blocks::{BLOCK_CHANGES, ImportBlocks};
use aardvark_commitment::kzg::DEFAULT_TABLE_BYTES;
use aardvark_commitment::{Ceremony, Kzg, Scheme, VectorCommitment};
use aardvark_dictionary::{Change, Claim, Genesis, Key, Operation, Parameters, Transaction, Value};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::cold::Cold;
use self::rows::{TABLE, check, peak, timed_row};
use crate::error::{BenchError, require};
use crate::measure::clock::{Taken, timed};
use crate::measure::memory;
use crate::measure::row::Row;
use crate::measure::statistics::Samples;
use crate::report::Report;
use crate::workload::history::identity;
use crate::workload::random::{Random, key};

/// Bytes of changes that are sorted in memory.
const SORTED_IN_MEMORY: usize = 256 << 20;
/// Runs of restarts, blocks and proofs.
const RUNS: usize = 5;
/// Keys of every block that are proved after it.
const WRITTEN: usize = 16;

/// Options of `growth`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Numbers of keys, ascending.
    #[arg(long, value_delimiter = ',', default_value = "10000,100000,1000000")]
    pub keys: Vec<u64>,
    /// Transactions in a block.
    #[arg(long, default_value_t = 1000)]
    pub operations: u64,
    /// How often each import is measured.
    #[arg(long, default_value_t = 1)]
    pub imports: usize,
    /// Audit each archive too, which takes longer than importing it.
    #[arg(long)]
    pub audit: bool,
    /// Audit the newest version of each archive too, in partitions, without replaying its blocks.
    #[arg(long)]
    pub audit_newest: bool,
    /// Store all openings of archives of up to so many keys, for cold proofs: a tenth of a
    /// millisecond of CPU time a key.
    #[arg(long, default_value_t = 100_000)]
    pub store_up_to: u64,
    /// The command `aardvark` whose cold proofs are measured; by default the one that is built
    /// beside this program.
    #[arg(long)]
    pub program: Option<PathBuf>,
    /// Most bytes of tables.
    #[arg(long, default_value_t = DEFAULT_TABLE_BYTES)]
    pub tables: usize,
    /// N.
    #[arg(long, default_value_t = 1024)]
    pub vector_size: u32,
}

/// Runs the table.
pub fn run(options: &Options, report: &mut Report) -> Result<(), BenchError> {
    let legal = options.imports > 0 && options.keys.iter().all(|keys| *keys >= 2);
    require(legal, || "--imports must be at least 1, --keys at least 2".to_owned())?;
    let scheme = Arc::new(Scheme::from(
        Kzg::new(Ceremony::ethereum()?, options.vector_size as usize)?.with_tables(options.tables)?,
    ));
    let program = options.program.clone().map_or_else(cold::program_beside_this_one, Ok)?;
    let is_there = std::fs::metadata(&program).map(drop);
    is_there.map_err(|source| BenchError::NoProgram { path: program.clone(), source })?;
    let mut smallest = None;
    let first_row = report.rows().len();
    for keys in &options.keys {
        eprintln!("{keys} keys");
        let parent = tempfile::tempdir().map_err(|source| BenchError::io("a temporary directory", source))?;
        let mut imports = Samples::default();
        memory::forget_peak()?;
        for number in 0..options.imports {
            let path = parent.path().join(number.to_string());
            let (archive, taken) = import(&path, *keys, options.vector_size, &scheme)?;
            imports.push(taken);
            drop(archive);
        }
        report.add(peak("resident_import", *keys)?)?;
        let path = parent.path().join((options.imports - 1).to_string());
        let row = timed_row("import_key", *keys, ("us", 1e6 / *keys as f64), &imports)?;
        let a_key = row.cpu_median.unwrap_or(row.median);
        let ratio = a_key / *smallest.get_or_insert(a_key);
        report.add(row.threads(rayon::current_num_threads()).compared("a key at the smallest n", ratio))?;
        report.add(timed_row("import", *keys, ("s", 1.0), &imports)?.threads(rayon::current_num_threads()))?;
        memory::forget_peak()?;
        restart(&path, *keys, &scheme, report)?;
        let mut archive = Archive::builder().scheme(Arc::clone(&scheme)).open(&path)?;
        measure(&mut archive, *keys, options.operations, report)?;
        report.add(peak("resident_peak", *keys)?)?;
        let disk = archive.bytes_on_disk()?;
        report.add(Row::counted(TABLE, "kzg", "disk", "bytes", disk as f64).size(*keys))?;
        drop(archive);
        let cold = Cold { program: &program, archive: &path, keys: *keys };
        cold.rows(&scheme, *keys <= options.store_up_to, report)?;
        if options.audit {
            audits::replay(&path, *keys, report)?;
        }
        if options.audit_newest {
            audits::newest(&path, *keys, report)?;
        }
    }
    let measured = report.rows().get(first_row..).unwrap_or_default();
    let exponents: Vec<Row> =
        ["import", "apply", "prove"].into_iter().filter_map(|op| exponent(op, measured)).collect();
    exponents.into_iter().try_for_each(|row| report.add(row))
}

/// How an operation's CPU time grows with the number of keys; nothing if it was measured at one
/// number only.
fn exponent(operation: &'static str, rows: &[Row]) -> Option<Row> {
    let measured = rows.iter().filter(|row| row.operation == operation);
    let points: Vec<(f64, f64)> = measured.filter_map(|row| Some((row.size as f64, row.cpu_median?))).collect();
    let (largest, count) = (points.iter().map(|point| point.0).fold(0.0, f64::max), points.len());
    let row = Row::counted(TABLE, "kzg", operation, "exponent", slope(&points)?);
    Some(row.size(largest as u64).iterations(count as u64))
}

/// The slope of log y over log x, by least squares.
pub fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let logarithms: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logarithms.len() as f64;
    let mean = |value: fn(&(f64, f64)) -> f64| logarithms.iter().map(value).sum::<f64>() / count;
    let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
    let covariance: f64 = logarithms.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let variance: f64 = logarithms.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    Some(covariance / variance).filter(|slope| slope.is_finite())
}

/// A new archive with random keys, and what importing them took.
fn import(path: &Path, keys: u64, vector_size: u32, scheme: &Arc<Scheme>) -> Result<(Archive, Taken), BenchError> {
    let parameters = Parameters { vector_size, ..Parameters::default() };
    let genesis = Genesis::new(identity()?, parameters, scheme.setup_digest(), Vec::new())?;
    let mut archive = Archive::builder().scheme(Arc::clone(scheme)).create(path, &genesis)?;
    let (imported, taken) = timed(|| import_sorted(&mut archive, keys));
    imported?;
    require(archive.size() == keys + 1, || format!("{} slots after importing {keys} keys", archive.size()))?;
    Ok((archive, taken))
}

/// Sorts so many random keys and imports them in blocks.
fn import_sorted(archive: &mut Archive, keys: u64) -> Result<(), BenchError> {
    let sorting = |source| BenchError::io("a temporary file", source);
    let mut random = Random::new(5);
    let mut sorter = ChangeSorter::new(SORTED_IN_MEMORY, archive.temporary_files());
    for number in 0..keys {
        sorter.push(&Change { key: key(number), value: Some(random.value()) }).map_err(sorting)?;
    }
    let sorted = sorter.sorted().map_err(sorting)?.map(|change| change.map_err(sorting));
    ImportBlocks::new(sorted, BLOCK_CHANGES).try_for_each(|block| {
        archive.import(block?)?;
        Ok(())
    })
}

/// Opening an archive and restoring its validator.
fn restart(path: &Path, keys: u64, scheme: &Arc<Scheme>, report: &mut Report) -> Result<(), BenchError> {
    let mut samples = Samples::default();
    let mut first = None;
    for run in 0..=RUNS {
        let (validator, taken) = timed(|| -> Result<_, BenchError> {
            let archive = Archive::builder().scheme(Arc::clone(scheme)).open(path)?;
            Ok(archive.validator()?)
        });
        let root = validator?.root();
        require(*first.get_or_insert(root) == root, || "a restored validator has another root".to_owned())?;
        if run > 0 {
            samples.push(taken);
        }
    }
    report.add(timed_row("restart", keys, ("s", 1.0), &samples)?)
}

/// Proofs and blocks on an archive.
fn measure(archive: &mut Archive, keys: u64, operations: u64, report: &mut Report) -> Result<(), BenchError> {
    let mut random = Random::new(6);
    let (mut proofs, mut blocks) = (Samples::default(), Samples::default());
    for run in 0..=RUNS {
        let asked = key(random.below(keys));
        let version = archive.version();
        let (claim, proving) = timed(|| archive.prove(&asked, version));
        check(archive, &[claim?], version)?;
        let keys: Vec<Key> = (0..operations).map(|_| key(random.below(keys))).collect();
        let claims = archive.prove_many(&keys, version)?;
        check(archive, &claims, version)?;
        let written: Vec<Key> = keys.iter().take(WRITTEN).cloned().collect();
        let transaction = |(number, (key, claim)): (usize, (Key, Claim))| {
            let mut nonce = [0; 16];
            nonce[..8].copy_from_slice(&(number as u64).to_be_bytes());
            nonce[8..].copy_from_slice(&version.to_be_bytes());
            let operations = vec![Operation::Put(key, Value::from(version.to_be_bytes().as_slice()))];
            Transaction { first_valid: version + 1, last_valid: version + 1, nonce, operations, claims: vec![claim] }
        };
        let transactions = keys.into_iter().zip(claims).enumerate().map(transaction).collect();
        let proposal = archive.propose(transactions)?;
        let all = proposal.included.len() as u64 == operations;
        require(all, || format!("of {operations} honest transactions {}", proposal.included.len()))?;
        let (applied, applying) = timed(|| archive.apply(&proposal.block));
        applied?;
        check_written(archive, &written, version)?;
        // Run 0 warms up.
        if run > 0 {
            proofs.push(proving);
            blocks.push(applying);
        }
    }
    report.add(timed_row("prove", keys, ("us", 1e6), &proofs)?)?;
    let row = timed_row("apply", keys, ("s", 1.0), &blocks)?.threads(rayon::current_num_threads());
    report.add(Row { baseline: Some(format!("{operations} operations")), ..row })
}

/// After the block made from `version`, keys that it wrote have the value that it gave them, by
/// proofs against the updated commitments.
fn check_written(archive: &Archive, written: &[Key], version: u64) -> Result<(), BenchError> {
    let claims = archive.prove_many(written, version + 1)?;
    let value = Value::from(version.to_be_bytes().as_slice());
    let right = written.iter().zip(&claims).all(|(key, claim)| claim.slot.key == *key && claim.slot.value == value);
    require(right, || format!("the block after version {version} wrote something else"))?;
    check(archive, &claims, version + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_power_is_its_exponent() {
        let square: Vec<(f64, f64)> = [10.0, 100.0, 5000.0].map(|x: f64| (x, 3.0 * x * x)).to_vec();
        assert!((slope(&square).unwrap() - 2.0).abs() < 1e-9);
        assert_eq!(slope(&square[..1]), None);
    }
}
