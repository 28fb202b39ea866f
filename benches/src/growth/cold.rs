//! Proofs by processes that begin: each opens the archive, proves one key and ends, with stored
//! openings and without.
//!
//! Such a process is this program again, told to do nothing else. Its CPU time is all that it has
//! used when it prints the proof; the wall clock runs from before it starts until it has ended.
//! Between any two processes there is a multi-scalar multiplication of blst's, the ratio's base.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use aardvark_algebra::group::Curve;
use aardvark_algebra::parallel::work_alone;
use aardvark_algebra::{Scalar, msm};
use aardvark_archive::Archive;
use aardvark_commitment::{Scheme, VectorCommitment};
use aardvark_dictionary::{Claim, Key, Slot, Value};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::rows::{check, timed_row};
use crate::error::{BenchError, require};
use crate::measure::clock::{Taken, process_cpu, timed};
use crate::measure::row::Row;
use crate::measure::statistics::Samples;
use crate::report::Report;
use crate::workload::random::{Random, key, scalar};

/// Processes of each kind.
const RUNS: usize = 11;

/// Options of the process that proves.
#[derive(Clone, Debug, Args)]
pub struct ProcessOptions {
    /// The archive.
    #[arg(long)]
    pub archive: PathBuf,
    /// The key's number.
    #[arg(long)]
    pub number: u64,
}

/// What such a process prints.
#[derive(Serialize, Deserialize)]
struct Proof {
    position: u64,
    key: Vec<u8>,
    value: Vec<u8>,
    next: Vec<u8>,
    opening: Vec<u8>,
    /// CPU time so far, in seconds.
    cpu: f64,
}

/// The process: opens an archive and proves a key at the newest version, as `aardvark prove` does.
pub fn run_process(options: &ProcessOptions) -> Result<(), BenchError> {
    let archive = Archive::builder().open_read_only(&options.archive)?;
    if archive.proves_at_once() {
        work_alone();
    }
    let Claim { position, slot, opening } = archive.prove(&key(options.number), archive.version())?;
    let Slot { key, value, next } = slot;
    let [key, value, next] = [key.to_vec(), value.to_vec(), next.to_vec()];
    let proof = Proof { position, key, value, next, opening: opening.to_vec(), cpu: process_cpu() };
    println!("{}", serde_json::to_string(&proof)?);
    Ok(())
}

/// Rows of proofs without stored openings, and, where they are to be `stored`, with them.
pub fn rows(path: &Path, keys: u64, scheme: &Scheme, stored: bool, report: &mut Report) -> Result<(), BenchError> {
    let base = Multiplication::new(scheme);
    prove(path, keys, ("prove_cold", &base), report)?;
    if stored {
        Archive::builder().open_read_only(path)?.store_openings(&mut |_| {})?;
        prove(path, keys, ("prove_cold_stored", &base), report)?;
    }
    Ok(())
}

/// Processes and multiplications in turn.
fn prove(
    path: &Path,
    keys: u64,
    (operation, base): (&'static str, &Multiplication<'_>),
    report: &mut Report,
) -> Result<(), BenchError> {
    let mut random = Random::new(7);
    let (mut proofs, mut multiplications) = (Samples::default(), Samples::default());
    for run in 0..=RUNS {
        let number = random.below(keys);
        let (claim, proving) = prove_in_process(path, number)?;
        require(claim.slot.key == key(number), || "a process proves another key".to_owned())?;
        let archive = Archive::builder().open_read_only(path)?;
        check(&archive, &[claim], archive.version())?;
        let multiplying = base.run()?;
        // Run 0 derives the parameters, and writes them beside the store.
        if run > 0 {
            proofs.push(proving);
            multiplications.push(multiplying);
        }
    }
    let base = timed_row("msm", keys, ("us", 1e6), &multiplications)?;
    let row = timed_row(operation, keys, ("us", 1e6), &proofs)?;
    let medians = row.cpu_median.zip(base.cpu_median);
    let ratio = medians.map_or(f64::NAN, |(proof, base)| proof / base);
    report.add(Row { scheme: "blst", baseline: Some(operation.to_owned()), ..base })?;
    report.add(row.compared("blst msm", ratio))
}

/// The claim that a process proves, and what it took.
fn prove_in_process(path: &Path, number: u64) -> Result<(Claim, Taken), BenchError> {
    let program = std::env::current_exe().map_err(|source| BenchError::io("this program", source))?;
    let mut command = Command::new(&program);
    command.arg("prove-process").arg("--archive").arg(path).args(["--number", &number.to_string()]);
    let begun = Instant::now();
    let output = command.stderr(Stdio::inherit()).output();
    let wall = begun.elapsed().as_secs_f64();
    let output = output.map_err(|source| BenchError::io(program.display().to_string(), source))?;
    require(output.status.success(), || format!("a process that proves ended with {}", output.status))?;
    let Proof { position, key, value, next, opening, cpu } = serde_json::from_slice(&output.stdout)?;
    let opening = opening.try_into().map_err(|_| BenchError::Wrong("an opening of another length".to_owned()))?;
    let slot = Slot { key: Key::from(key), value: Value::from(value), next: Key::from(next) };
    Ok((Claim { position, slot, opening }, Taken { wall, cpu }))
}

/// A multi-scalar multiplication of blst's over N points, the Lagrange basis.
struct Multiplication<'a> {
    scheme: &'a Scheme,
    vector: Vec<Scalar>,
}

impl<'a> Multiplication<'a> {
    fn new(scheme: &'a Scheme) -> Self {
        Self { scheme, vector: (0..scheme.vector_size() as u64).map(scalar).collect() }
    }

    fn run(&self) -> Result<Taken, BenchError> {
        let basis = match self.scheme {
            Scheme::Kzg(kzg) => kzg.lagrange_basis().unwrap_or_default(),
            Scheme::LibertYung(_) => &[],
        };
        let (sum, taken) = timed(|| msm(basis, &self.vector));
        let right = *self.scheme.commit(&self.vector)?.point() == sum.to_affine();
        require(right, || "a multi-scalar multiplication is wrong".to_owned())?;
        Ok(taken)
    }
}
