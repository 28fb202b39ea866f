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

mod scene;

use clap::Args;

use crate::error::{BenchError, require};
use crate::measure::clock::Taken;
use crate::measure::row::Row;
use crate::measure::statistics::Samples;
use crate::report::Report;
use scene::{Direction, Scene, Traced};

/// The table's name in rows.
const TABLE: &str = "mixnet";
/// The way of docs/mixnet.md: encrypted columns of bits.
const SCHEME: &str = "columns";

/// Options of `mixnet`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Inputs.
    #[arg(long, default_value_t = 10_000)]
    pub entries: usize,
    /// Servers that mix and decrypt.
    #[arg(long, default_value_t = 4)]
    pub servers: u16,
    /// Servers that decrypt together.
    #[arg(long, default_value_t = 4)]
    pub threshold: usize,
    /// Bytes of values; queries are measured with the first.
    #[arg(long, value_delimiter = ',', default_value = "2")]
    pub value_bytes: Vec<usize>,
    /// Threads of a server.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
}

/// Runs the table.
pub fn run(options: &Options, report: &mut Report) -> Result<(), BenchError> {
    let legal = (1..=options.servers.into()).contains(&options.threshold) && (2..=60_000).contains(&options.entries);
    require(legal && options.threads > 0, || {
        "--entries must be from 2 to 60,000, --threshold from 1 to --servers, --threads at least 1".to_owned()
    })?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| BenchError::Options(error.to_string()))?;
    pool.install(|| {
        for (number, bytes) in options.value_bytes.iter().enumerate() {
            with_values(options, *bytes, number == 0, report)?;
        }
        Ok(())
    })
}

/// The rows for values of so many bytes.
fn with_values(options: &Options, bytes: usize, queries: bool, report: &mut Report) -> Result<(), BenchError> {
    eprintln!("mixing {} values of {bytes} bytes", options.entries);
    let row = Rows { options, bytes };
    let scene = Scene::prepare(options.entries, options.servers, options.threshold, bytes)?;
    report.add(row.timed("prepare", "server", &scene.prepared)?)?;
    report.add(row.timed("check", "server", &[scene.checked])?)?;
    let (mixed, taken) = scene.mix()?;
    report.add(row.timed("mix", "server", &taken)?)?;
    report.add(row.timed("verify_mix", "querier", &[scene.verify(&mixed)?])?)?;
    report.add(row.counted("inputs", scene.input_bytes))?;
    report.add(row.counted("layer", mixed.layer_bytes()))?;
    if queries {
        for (operation, direction) in [("trace_in", Direction::In), ("trace_out", Direction::Out)] {
            eprintln!("{operation}");
            let Traced { servers, querier, column_bytes } = scene.trace(&mixed, direction)?;
            report.add(row.timed(operation, "server", &servers)?)?;
            report.add(row.timed(operation, "querier", &[querier])?)?;
            report.add(row.counted("column", column_bytes))?;
        }
    }
    Ok(())
}

/// Makes rows.
struct Rows<'a> {
    options: &'a Options,
    bytes: usize,
}

impl Rows<'_> {
    fn finish(&self, row: Row) -> Row {
        let (entries, servers) = (self.options.entries as u64, u64::from(self.options.servers));
        Row {
            servers: Some(servers),
            value_bytes: Some(self.bytes as u64),
            ..row.size(entries).threads(self.options.threads)
        }
    }

    fn timed(&self, operation: &'static str, role: &'static str, taken: &[Taken]) -> Result<Row, BenchError> {
        let samples: Samples = taken.iter().copied().collect();
        let row = Row::timed(TABLE, SCHEME, operation, ("s", 1.0), &samples);
        let row = row.ok_or_else(|| BenchError::Wrong("nothing was measured".to_owned()))?;
        Ok(Row { role: Some(role), ..self.finish(row) })
    }

    fn counted(&self, operation: &'static str, bytes: usize) -> Row {
        self.finish(Row::counted(TABLE, SCHEME, operation, "bytes", bytes as f64))
    }
}
