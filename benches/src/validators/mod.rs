//! Validators: how fast blocks are applied, by kind of operation and number of threads (the paper's
//! Table 4 and Figure 3).
//!
//! Timed: [`aardvark_dictionary::Validator::apply`], which decodes and verifies the openings,
//! resolves, executes and updates the commitments. Reading the block from bytes is timed beside it.
//! Not timed: signatures, network, disk, and making the claims. `paper` rows: the group operations
//! of the paper's method, in the same process ([`paper_mode`]).

mod options;
pub mod paper_mode;
pub mod prepare;
pub mod process;
pub mod scene;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use crate::error::{BenchError, require};
use crate::measure::clock::Taken;
use crate::measure::row::Row;
use crate::measure::statistics::Samples;
use crate::report::Report;
use crate::workload::history::Origin;
use crate::workload::plan::{Kind, Shape};
use crate::workload::prover::{Prover, Setup};
pub use options::{Options, ProcessOptions};
use process::{Measured, Resident};

/// The table's name in rows.
const TABLE: &str = "validators";

/// Where the plain loop is not sped up by more than this, other work keeps the cores busy, and no
/// serial share can be told.
const LEAST_SPEED_UP: f64 = 1.2;

/// Runs the table.
pub fn run(options: &Options, report: &mut Report) -> Result<(), BenchError> {
    let shape = shape(options)?;
    let scheme = Arc::new(options.setup.scheme(options.vector_size, options.tables)?);
    let prover = Prover::new(options.setup, Arc::clone(&scheme))?;
    eprintln!("genesis: {} keys", shape.keys);
    let origin = Origin::new(shape.keys, shape.window, scheme)?;
    for kind in &options.kind {
        let directory = tempfile::tempdir().map_err(|source| BenchError::io("a temporary directory", source))?;
        let path = directory.path().join("scene");
        write_scene(&path, &origin, (options.setup, &prover), *kind, &shape)?;
        eprintln!("  {}: measuring", kind.name());
        let measured: Vec<Measured> = ask(&path, options, *kind, false)?;
        let resident: Resident = ask(&path, options, *kind, true)?;
        rows(*kind, &shape, &measured, &resident)?.into_iter().try_for_each(|row| report.add(row))?;
    }
    Ok(())
}

/// The measuring process.
pub fn run_process(options: &ProcessOptions) -> Result<(), BenchError> {
    let most = options.threads.iter().copied().max().unwrap_or(1);
    let line = match options.memory {
        true => serde_json::to_string(&process::measure_memory(&options.scene, most, options.tables)?)?,
        false => serde_json::to_string(&process::measure_time(options)?)?,
    };
    println!("{line}");
    Ok(())
}

fn shape(options: &Options) -> Result<Shape, BenchError> {
    let Options { keys, operations, blocks, window, .. } = *options;
    let runs = usize::try_from(blocks).unwrap_or(usize::MAX).saturating_mul(options.repeats);
    let whole = blocks > 0 && operations.is_multiple_of(blocks) && operations > 0;
    let problem = [
        (whole, "--operations must be a multiple of --blocks"),
        (runs >= 5, "--blocks times --repeats must be at least 5: a median of fewer runs says little"),
        (!options.threads.is_empty() && !options.threads.contains(&0), "--threads must be numbers from 1"),
    ];
    match problem.iter().find(|(holds, _)| !holds) {
        Some((_, text)) => Err(BenchError::Options((*text).to_owned())),
        None => Ok(Shape { keys, window, history: window.into(), blocks, transactions: operations / blocks }),
    }
}

fn write_scene(
    path: &Path,
    origin: &Origin,
    prover: (Setup, &Prover),
    kind: Kind,
    shape: &Shape,
) -> Result<(), BenchError> {
    let failure = |source| BenchError::io(path.display().to_string(), source);
    let mut out = BufWriter::new(File::create(path).map_err(failure)?);
    prepare::prepare(&mut out, origin, prover, kind, shape)?;
    out.flush().map_err(failure)
}

/// Runs this program again as the measuring process.
fn ask<T: serde::de::DeserializeOwned>(
    scene: &Path,
    options: &Options,
    kind: Kind,
    memory: bool,
) -> Result<T, BenchError> {
    let program = std::env::current_exe().map_err(|source| BenchError::io("this program", source))?;
    let threads: Vec<String> = options.threads.iter().map(usize::to_string).collect();
    let mut command = Command::new(&program);
    command.arg("validator-process").arg("--scene").arg(scene);
    command.args(["--kind", kind.name(), "--threads", &threads.join(","), "--repeats", &options.repeats.to_string()]);
    command.args(["--tables", &options.tables.to_string()]);
    if memory {
        command.arg("--memory");
    }
    let output = command.stderr(std::process::Stdio::inherit()).output();
    let output = output.map_err(|source| BenchError::io(program.display().to_string(), source))?;
    match output.status.success() {
        true => Ok(serde_json::from_slice(&output.stdout)?),
        false => Err(BenchError::Child(output.status.to_string())),
    }
}

/// Everything that is said of one kind.
fn rows(kind: Kind, shape: &Shape, measured: &[Measured], resident: &Resident) -> Result<Vec<Row>, BenchError> {
    let mut rows = Vec::new();
    let single = measured.iter().find(|measured| measured.threads == 1);
    for at in measured {
        let apply: Samples = at.apply.iter().copied().collect();
        let decode: Samples = at.decode.iter().copied().collect();
        let field: Samples = at.field.iter().copied().collect();
        let timed = |scheme, operation, samples: &Samples| {
            let row = Row::timed(TABLE, scheme, operation, ("s", 1.0), samples);
            row.map(|row| row.size(shape.transactions).threads(at.threads)).ok_or_else(nothing_measured)
        };
        rows.push(timed("kzg", kind.name(), &apply)?);
        rows.extend(rates(kind, shape, at, &apply)?);
        rows.push(timed("kzg", "decode_block", &decode)?);
        rows.push(timed("blst", "field_mul", &field)?.size(process::FIELD_MULTIPLICATIONS));
        if let Some(single) = single.filter(|_| at.threads > 1) {
            rows.extend(scaling(kind, shape, single, at)?);
        }
    }
    let memory = [
        ("resident_tables", resident.tables),
        ("resident_validator", resident.resting.saturating_sub(resident.tables)),
        ("resident_peak", resident.peak.saturating_sub(resident.tables)),
    ];
    let most = measured.iter().map(|measured| measured.threads).max().unwrap_or(1);
    for (operation, bytes) in memory {
        let row = Row::counted(TABLE, "kzg", operation, "bytes", bytes as f64).size(shape.keys).threads(most);
        rows.push(Row { baseline: Some(kind.name().to_owned()), ..row });
    }
    Ok(rows)
}

/// Operations per second, and those by the paper's method in the same run.
fn rates(kind: Kind, shape: &Shape, at: &Measured, apply: &Samples) -> Result<[Row; 2], BenchError> {
    let paper: Samples = at.paper.iter().copied().collect();
    let ours = rate("kzg", kind, shape.transactions, apply)?.threads(at.threads);
    let paper = rate("paper", kind, paper_mode::OPERATIONS as u64, &paper)?.threads(at.threads);
    let medians = ours.cpu_median.zip(paper.cpu_median);
    let ratio = medians.map(|(ours, paper)| ours / paper).ok_or_else(nothing_measured)?;
    Ok([ours.compared(format!("paper {}", kind.name()), ratio), paper])
}

fn rate(scheme: &'static str, kind: Kind, operations: u64, samples: &Samples) -> Result<Row, BenchError> {
    let (wall, cpu) = samples.wall().zip(samples.cpu()).ok_or_else(nothing_measured)?;
    let row = Row::counted(TABLE, scheme, kind.name(), "op/s", 0.0).with_spread(wall.rate(operations as f64));
    let cpu_median = Some(cpu.rate(operations as f64).median);
    Ok(Row { cpu_median, ..row.size(operations).iterations(samples.len() as u64) })
}

/// How much faster several threads are than one, beside the plain loop; and the share of serial
/// work that explains it.
///
/// With T(1) = S + P and T(n) = S + P / c, c the plain loop's speed-up: S / T(1) = (c T(n) /
/// T(1) - 1) / (c - 1).
fn scaling(kind: Kind, shape: &Shape, single: &Measured, many: &Measured) -> Result<Vec<Row>, BenchError> {
    let median = |runs: &[Taken]| -> Result<f64, BenchError> {
        let samples: Samples = runs.iter().copied().collect();
        samples.wall().map(|wall| wall.median).ok_or_else(nothing_measured)
    };
    let speed_up = median(&single.apply)? / median(&many.apply)?;
    let plain = median(&single.field)? / median(&many.field)?;
    require(speed_up.is_finite() && plain.is_finite(), || "a run took no time".to_owned())?;
    let row = |operation, unit, value| {
        let row = Row::counted(TABLE, "kzg", operation, unit, value);
        row.size(shape.transactions).threads(many.threads).iterations(many.apply.len() as u64)
    };
    let mut rows = vec![row(kind.name(), "speed-up", speed_up).compared("blst field_mul", speed_up / plain)];
    if plain > LEAST_SPEED_UP {
        rows.push(row(kind.name(), "serial share", (plain / speed_up - 1.0) / (plain - 1.0)));
    }
    Ok(rows)
}

fn nothing_measured() -> BenchError {
    BenchError::Wrong("nothing was measured".to_owned())
}
