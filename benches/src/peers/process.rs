//! The processes that measure: for a peer the program `peers`, for ours this one again.

use std::process::{Command, Stdio};

use serde::Deserialize;

use super::options::{Options, Work};
use super::rows::{Figures, Following};
use super::scene::Scene;
use crate::error::{BenchError, require};
use crate::measure::clock::Taken;
use crate::measure::statistics::Samples;

/// Bytes of a root.
const ROOT: u64 = 32;
/// Bytes of a key and its value.
const RECORD: u64 = 40;

/// What the program prints.
#[derive(Deserialize)]
struct Printed {
    import: Taken,
    resident_import: u64,
    disk: u64,
    updates: Vec<Taken>,
    prove: Vec<Taken>,
    prove_absent: Vec<Taken>,
    verify: Vec<Taken>,
    verify_absent: Vec<Taken>,
    proof_bytes: f64,
    absence_bytes: f64,
    follow: Vec<Taken>,
    witness_bytes: Option<u64>,
}

/// What ours took on the scene of so many keys.
pub fn measure_ours(keys: u64, work: &Work) -> Result<Figures, BenchError> {
    let program = std::env::current_exe().map_err(|source| BenchError::io("this program", source))?;
    let mut command = Command::new(&program);
    let Work { operations, asked, tables, vector_size } = work;
    command.arg("peers-process").args(["--keys", &keys.to_string()]);
    command.args(["--operations", &operations.to_string(), "--asked", &asked.to_string()]);
    command.args(["--tables", &tables.to_string(), "--vector-size", &vector_size.to_string()]);
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|source| BenchError::io(program.display().to_string(), source))?;
    require(output.status.success(), || format!("the process of ours ended with {}", output.status))?;
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// What a peer took on a scene.
pub fn measure_peer(peer: &str, scene: &Scene, options: &Options) -> Result<Figures, BenchError> {
    let directory = tempfile::tempdir().map_err(|source| BenchError::io("a temporary directory", source))?;
    let (file, database) = (directory.path().join("scene"), directory.path().join("database"));
    scene.write(&file).map_err(|source| BenchError::io(file.display().to_string(), source))?;
    std::fs::create_dir(&database).map_err(|source| BenchError::io(database.display().to_string(), source))?;
    let mut command = Command::new(&options.program);
    command.arg(peer).arg("--scene").arg(&file).arg("--directory").arg(&database);
    command.args(["--threads", &rayon::current_num_threads().to_string()]);
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|source| BenchError::NoPeers { path: options.program.clone(), source })?;
    require(output.status.success(), || format!("the process of {peer} ended with {}", output.status))?;
    let printed: Printed = serde_json::from_slice(&output.stdout)?;
    let follow = printed.witness_bytes.map(|bytes| Following {
        times: samples(printed.follow),
        bytes: bytes + RECORD * scene.operations(),
        state: ROOT,
    });
    Ok(Figures {
        import: samples(vec![printed.import]),
        updates: samples(printed.updates),
        prove: samples(printed.prove),
        prove_absent: samples(printed.prove_absent),
        verify: samples(printed.verify),
        verify_absent: samples(printed.verify_absent),
        verify_batch: Samples::default(),
        proof_bytes: printed.proof_bytes,
        absence_bytes: printed.absence_bytes,
        follow,
        window: 0,
        stale_versions: 0,
        disk: printed.disk,
        resident_import: printed.resident_import,
    })
}

fn samples(runs: Vec<Taken>) -> Samples {
    runs.into_iter().collect()
}
