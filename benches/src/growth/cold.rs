//! Proofs by processes that begin: each is the command `aardvark prove`, which opens the archive,
//! proves one key and ends, with stored openings and without.
//!
//! Its CPU time is all that the system counts of it, from its start to its end; the wall clock has
//! what starting it and reading its proof took besides. Between any two processes there is a
//! multi-scalar multiplication of blst's, the ratio's base.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use aardvark_algebra::group::Curve;
use aardvark_algebra::{Scalar, msm};
use aardvark_archive::Archive;
use aardvark_commitment::{Scheme, VectorCommitment};
use aardvark_dictionary::Claim;
use aardvark_proof::proof_json::{self, Proof};

use super::rows::{check, timed_row};
use crate::error::{BenchError, require};
use crate::measure::clock::{Taken, cpu_of_ended_processes, timed};
use crate::measure::row::Row;
use crate::measure::statistics::Samples;
use crate::report::Report;
use crate::workload::random::{Random, key, scalar};

/// Processes of each kind.
const RUNS: usize = 11;

/// The command `aardvark` that was built with this program.
pub fn program_beside_this_one() -> Result<PathBuf, BenchError> {
    let this = std::env::current_exe().map_err(|source| BenchError::io("this program", source))?;
    Ok(this.with_file_name("aardvark"))
}

/// Measures `program` on an archive.
pub struct Cold<'a> {
    /// The command `aardvark`.
    pub program: &'a Path,
    /// The archive's folder.
    pub archive: &'a Path,
    /// Its keys.
    pub keys: u64,
}

impl Cold<'_> {
    /// Rows of proofs without stored openings, and, where they are to be `stored`, with them.
    pub fn rows(&self, scheme: &Scheme, stored: bool, report: &mut Report) -> Result<(), BenchError> {
        let base = Multiplication::new(scheme);
        self.prove("prove_cold", &base, report)?;
        if stored {
            Archive::builder().open_read_only(self.archive)?.store_openings(&mut |_| {})?;
            self.prove("prove_cold_stored", &base, report)?;
        }
        Ok(())
    }

    /// Processes and multiplications in turn.
    fn prove(&self, operation: &'static str, base: &Multiplication<'_>, report: &mut Report) -> Result<(), BenchError> {
        let mut random = Random::new(7);
        let (mut proofs, mut multiplications) = (Samples::default(), Samples::default());
        for run in 0..=RUNS {
            let number = random.below(self.keys);
            let (proof, proving) = self.prove_in_process(number)?;
            let of_the_key = |claim: &Claim| claim.slot.key == key(number);
            let is_of_it = proof.key == key(number) && proof.claims.iter().all(of_the_key);
            require(is_of_it && proof.claims.len() == 1, || "a process proves another key".to_owned())?;
            let archive = Archive::builder().open_read_only(self.archive)?;
            check(&archive, &proof.claims, archive.version())?;
            let multiplying = base.run()?;
            // Run 0 derives the parameters, and writes them beside the store.
            if run > 0 {
                proofs.push(proving);
                multiplications.push(multiplying);
            }
        }
        let base = timed_row("msm", self.keys, ("us", 1e6), &multiplications)?;
        let row = timed_row(operation, self.keys, ("us", 1e6), &proofs)?;
        let medians = row.cpu_median.zip(base.cpu_median);
        let ratio = medians.map_or(f64::NAN, |(proof, base)| proof / base);
        report.add(Row { scheme: "blst", baseline: Some(operation.to_owned()), ..base })?;
        report.add(row.compared("blst msm", ratio))
    }

    /// A process's proof, and what it took.
    fn prove_in_process(&self, number: u64) -> Result<(Proof, Taken), BenchError> {
        let mut command = Command::new(self.program);
        command.arg("prove").arg(self.archive).arg(format!("0x{}", hex::encode(key(number))));
        let (cpu, begun) = (cpu_of_ended_processes()?, Instant::now());
        let output = command.stderr(Stdio::inherit()).output();
        let wall = begun.elapsed().as_secs_f64();
        let output = output.map_err(|source| BenchError::NoProgram { path: self.program.to_owned(), source })?;
        let cpu = cpu_of_ended_processes()? - cpu;
        require(output.status.success(), || format!("a process that proves ended with {}", output.status))?;
        Ok((proof_json::read(&output.stdout)?, Taken { wall, cpu }))
    }
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
