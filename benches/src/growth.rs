//! Growth: importing, applying a block, and proving, at dictionaries of more and more keys.
//!
//! Import: one bulk block into an empty archive on its store, n log n work; its ratio is time per n log n over that at the smallest n. Block: 10,000 (or
//! `--operations`) modifications of random keys. Prove: one key at the newest version. Peak memory is the process's. An import is measured as often
//! as `--imports` says, once by default; the rest at least five times.

use aardvark_archive::{Archive, CreateOptions};
use aardvark_commitment::{BatchClaim, Ceremony, Kzg, Opening, Scheme, VectorCommitment};
use aardvark_dictionary::{Change, Claim, Genesis, Key, Operation, Parameters, Transaction, Value};
use clap::Args;
use std::sync::Arc;

use crate::error::{BenchError, require};
use crate::measure::clock::timed;
use crate::measure::memory;
use crate::measure::row::Row;
use crate::measure::statistics::Samples;
use crate::report::Report;
use crate::workload::random::{Random, key};

/// The table's name in rows.
const TABLE: &str = "growth";
/// Runs of blocks and proofs.
const RUNS: usize = 5;

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
    /// N.
    #[arg(long, default_value_t = 1024)]
    pub vector_size: u32,
}

/// Runs the table.
pub fn run(options: &Options, report: &mut Report) -> Result<(), BenchError> {
    let legal = options.imports > 0 && options.keys.iter().all(|keys| *keys >= 2);
    require(legal, || "--imports must be at least 1, --keys at least 2".to_owned())?;
    let scheme = Arc::new(Scheme::from(Kzg::new(Ceremony::ethereum()?, options.vector_size as usize)?));
    let mut smallest = None;
    for keys in &options.keys {
        eprintln!("{keys} keys");
        memory::forget_peak()?;
        let parent = tempfile::tempdir().map_err(|source| BenchError::io("a temporary directory", source))?;
        let mut imports = Samples::default();
        let mut last = None;
        for number in 0..options.imports {
            drop(last.take());
            let path = parent.path().join(number.to_string());
            let (archive, taken) = import(&path, *keys, options.vector_size, &scheme)?;
            imports.push(taken);
            last = Some(archive);
        }
        let Some(mut archive) = last else { continue };
        let per_work = imports.wall().map_or(0.0, |wall| wall.median) / (*keys as f64 * (*keys as f64).log2());
        let base = *smallest.get_or_insert(per_work);
        let row = timed_row("import", *keys, ("s", 1.0), &imports)?;
        report.add(row.threads(rayon::current_num_threads()).compared("n log n at the smallest n", per_work / base))?;
        measure(&mut archive, *keys, options.operations, report)?;
        let peak = memory::peak()?;
        report.add(Row::counted(TABLE, "kzg", "resident_peak", "bytes", peak as f64).size(*keys))?;
        let disk = archive.bytes_on_disk()?;
        report.add(Row::counted(TABLE, "kzg", "disk", "bytes", disk as f64).size(*keys))?;
    }
    Ok(())
}

/// A new archive with random keys, and what importing them took.
fn import(
    path: &std::path::Path,
    keys: u64,
    vector_size: u32,
    scheme: &Arc<Scheme>,
) -> Result<(Archive, crate::measure::clock::Taken), BenchError> {
    let parameters = Parameters { vector_size, ..Parameters::default() };
    let genesis = Genesis::new(parameters, scheme.setup_digest(), Vec::new())?;
    let mut archive = Archive::create_with(path, &genesis, &CreateOptions::default(), Arc::clone(scheme))?;
    let mut random = Random::new(5);
    let changes = (0..keys).map(|number| Change { key: key(number), value: Some(random.value()) }).collect();
    let (imported, taken) = timed(|| archive.import(changes));
    imported?;
    require(archive.size() == keys + 1, || format!("{} slots after importing {keys} keys", archive.size()))?;
    Ok((archive, taken))
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

fn timed_row(
    operation: &'static str,
    keys: u64,
    unit: (&'static str, f64),
    samples: &Samples,
) -> Result<Row, BenchError> {
    let nothing = || BenchError::Wrong("nothing was measured".to_owned());
    Row::timed(TABLE, "kzg", operation, unit, samples).map(|row| row.size(keys)).ok_or_else(nothing)
}

/// All claims hold against the archive's commitments, which the import computed.
fn check(archive: &Archive, claims: &[Claim], version: u64) -> Result<(), BenchError> {
    let commitments = archive.commitments(version)?;
    let vector_size = archive.parameters().positions_per_vector();
    let prepare = |claim: &Claim| {
        let commitment = *commitments.get((claim.position / vector_size) as usize)?;
        let opening = Opening::from_bytes(&claim.opening).ok()?;
        let index = (claim.position % vector_size) as usize;
        Some(BatchClaim { version, commitment, index, scalar: claim.slot.scalar(), opening })
    };
    let claims: Option<Vec<BatchClaim>> = claims.iter().map(prepare).collect();
    let scheme = archive.scheme()?;
    let hold = claims.is_some_and(|claims| scheme.verify_batch(&archive.id().0, &claims));
    require(hold, || format!("a claim at version {version} is false"))
}
