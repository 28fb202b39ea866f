//! A mixnet with all its servers in this process: what each of them and a querier computes.
//!
//! - `prepare`: of a server, the generators of commitments, its commitment to a permutation and the
//!   proof of that. `check`: the proofs of all inputs.
//! - `mix`: of a server, checking the layers of the others, its own layer, its decryption shares,
//!   checking those of the others, and reading the outputs.
//! - `verify_mix`: of a querier, once, checking all layers and shares and reading the outputs.
//! - `trace_in`, `trace_out`: worst case, all inputs and all outputs are asked for. Of a server:
//!   checking the others' columns, its own column, its shares, checking those of the others. Of the
//!   querier: checking all of it, and the answer.
//!
//! What a server or querier gets from another it reads from bytes, subgroup checks included. Times
//! are one run each; of servers the spread is over the servers. Network, signatures and storage are
//! not there.
//!
//! Checked: the outputs are the inputs' values, and every answer is that of the true assignment.
//!
//! Beside the scheme `columns`, in the same run: `db-sm`, the paper's own way (the module `db_sm`),
//! for trace-in; and, in a build with the feature `groth16`, `groth16` for both directions. Their
//! rows about servers are compared with those of `columns`. Under the rows stand the sections of
//! the paper's artifact, by CPU time.

mod db_sm;
#[cfg(feature = "groth16")]
mod groth16;
mod options;
mod rows;
mod scene;
mod sections;
mod tracing;

use crate::error::{BenchError, require};
use crate::report::Report;
pub use options::Options;
use rows::Rows;
use scene::{Mixed, Scene};
use sections::Section;
use tracing::{Direction, Traced};

/// The way of docs/mixnet.md: encrypted columns of bits.
const SCHEME: &str = "columns";

/// Runs the table.
pub fn run(options: &Options, report: &mut Report) -> Result<(), BenchError> {
    let entries = options.entries.iter().all(|entries| (2..=60_000).contains(entries));
    let legal = (1..=options.servers.into()).contains(&options.threshold) && entries;
    require(legal && options.threads > 0, || {
        "--entries must be from 2 to 60,000, --threshold from 1 to --servers, --threads at least 1".to_owned()
    })?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| BenchError::Options(error.to_string()))?;
    pool.install(|| {
        for entries in &options.entries {
            for (number, bytes) in options.value_bytes.iter().enumerate() {
                with_values(options, *entries, *bytes, number == 0, report)?;
            }
        }
        Ok(())
    })
}

/// The rows for values of so many bytes.
fn with_values(
    options: &Options,
    entries: usize,
    bytes: usize,
    queries: bool,
    report: &mut Report,
) -> Result<(), BenchError> {
    eprintln!("mixing {entries} values of {bytes} bytes");
    let row = Rows { options, entries, bytes, scheme: SCHEME };
    let scene = Scene::prepare(entries, options.servers, options.threshold, bytes)?;
    report.add(row.timed("prepare", "server", &scene.prepared)?)?;
    report.add(row.timed("check", "server", &[scene.checked])?)?;
    let (mixed, taken) = scene.mix()?;
    report.add(row.timed("mix", "server", &taken)?)?;
    let verified = scene.verify(&mixed)?;
    report.add(row.timed("verify_mix", "querier", &[verified])?)?;
    report.add(row.counted("inputs", "bytes", scene.input_bytes))?;
    report.add(row.counted("layer", "bytes", mixed.layer_bytes()))?;
    let section = |name, mixers, other, sizes| Section { name, mixers, other, sizes, lacking: &[] };
    let mut sections = vec![
        section("preprocessing", &scene.prepared[..], None, Vec::new()),
        section("input preparation", &[], Some(("senders", scene.sent)), vec![("inputs", scene.input_bytes)]),
        section("checking inputs", &[], Some(("verifier", scene.checked)), Vec::new()),
        section("mixing", &taken, Some(("verifier", verified)), vec![("layer", mixed.layer_bytes())]),
    ];
    let traced = if queries { trace(&row, &scene, &mixed, report)? } else { Vec::new() };
    for (name, traced) in ["forward set membership", "reverse set membership"].into_iter().zip(&traced) {
        sections.push(Section {
            lacking: &["signature generation", "blinding", "distributed proof"],
            ..section(
                name,
                &traced.servers,
                Some(("verifier", traced.querier)),
                vec![("column and shares", traced.column_bytes)],
            )
        });
    }
    sections.iter().flat_map(Section::lines).for_each(|line| report.note(&line));
    Ok(())
}

/// The rows of both questions and of their baselines.
fn trace(row: &Rows<'_>, scene: &Scene, mixed: &Mixed, report: &mut Report) -> Result<Vec<Traced>, BenchError> {
    let mut both = Vec::new();
    for (operation, direction) in [("trace_in", Direction::In), ("trace_out", Direction::Out)] {
        eprintln!("{operation}");
        let traced = scene.trace(mixed, direction)?;
        let ours = row.timed(operation, "server", &traced.servers)?;
        report.add(ours.clone())?;
        report.add(row.timed(operation, "querier", &[traced.querier])?)?;
        report.add(row.counted("column", "bytes", traced.column_bytes))?;
        let with_baselines = !row.options.without_baselines;
        if with_baselines && direction == Direction::In {
            eprintln!("{operation}, db-sm");
            db_sm::rows(row, scene, mixed, &ours, report)?;
        }
        #[cfg(feature = "groth16")]
        if with_baselines {
            groth16::rows(row, operation, &ours, report)?;
        }
        both.push(traced);
    }
    if !row.options.without_baselines {
        report.note("db-sm: one run, which proves membership only; who is told no wants a second one.");
        #[cfg(feature = "groth16")]
        report.note("groth16: twice one prover's time for each input, as the paper estimates; not run jointly.");
        #[cfg(not(feature = "groth16"))]
        report.note("groth16: not in this build; --features groth16 has it.");
    }
    Ok(both)
}
