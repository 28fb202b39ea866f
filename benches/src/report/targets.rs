//! What the numbers must reach, what they aim at, and whether they do.
//!
//! A target holds for rows at the paper's sizes only: N = 1,024, batches and blocks of 10,000,
//! 1,000,000 keys. Ratios are those of the rows, of CPU time in one run; rates are per second of
//! CPU time, that is per core.

use std::fmt;

use crate::measure::row::Row;
use crate::report::text::number;

/// Which number of a row counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Figure {
    /// Its ratio to the baseline; at most so much.
    RatioAtMost,
    /// Its ratio to the baseline; at least so much.
    RatioAtLeast,
    /// Its number by CPU time; at least so much.
    CpuAtLeast,
    /// Its number by CPU time; at most so much.
    CpuAtMost,
    /// Its number; at most so much.
    NumberAtMost,
    /// Its bytes; at most so many.
    BytesAtMost,
}

/// What rows of one kind must reach.
#[derive(Clone, Copy, Debug)]
struct Target {
    table: &'static str,
    scheme: &'static str,
    operation: &'static str,
    unit: &'static str,
    size: u64,
    /// In the row's `baseline`; empty if it does not matter.
    baseline: &'static str,
    figure: Figure,
    must: f64,
    aim: f64,
    /// An operation of the table, and the size that it must have been measured at for the target to
    /// make sense; empty where the row's own size says enough.
    beside: (&'static str, u64),
    /// How the names of its experiments begin; empty for all.
    experiments: &'static str,
    kernel: By,
}

/// How field arithmetic is done where a target holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Any,
    /// Eight field elements at a time, by IFMA.
    Ifma,
    /// Without IFMA: eight at a time by AVX-512F or AVX2, or one.
    Others,
}

const MIB: f64 = 1_048_576.0;

/// A target of `kzg` in Table 1: at most such a ratio.
const fn ratio(operation: &'static str, size: u64, baseline: &'static str, must: f64, aim: f64) -> Target {
    Target {
        table: "table1",
        scheme: "kzg",
        operation,
        unit: "us",
        size,
        baseline,
        figure: Figure::RatioAtMost,
        must,
        aim,
        beside: ("", 0),
        experiments: "",
        kernel: By::Any,
    }
}

/// What is asked without IFMA; [`ifma`] asks for more.
const fn others(target: Target) -> Target {
    Target { kernel: By::Others, ..target }
}

/// What is asked of IFMA.
const fn ifma(target: Target) -> Target {
    Target { kernel: By::Ifma, ..target }
}

/// Operations of a validator, over those by the paper's method.
const fn over_paper(operation: &'static str, baseline: &'static str, must: f64) -> Target {
    let figure = Figure::RatioAtLeast;
    Target { figure, baseline, aim: must, ..rate("validators", operation, "op/s", 10_000, must) }
}

/// What tables of all positions may save at most: the usual ones' time is at most 1.1 of theirs.
const fn full_tables(operation: &'static str, size: u64, baseline: &'static str) -> Target {
    Target { figure: Figure::RatioAtLeast, ..ratio(operation, size, baseline, 1.0 / 1.1, 1.0) }
}

/// A target of `kzg` for a rate by CPU time.
const fn rate(table: &'static str, operation: &'static str, unit: &'static str, size: u64, must: f64) -> Target {
    let figure = Figure::CpuAtLeast;
    Target {
        table,
        scheme: "kzg",
        operation,
        unit,
        size,
        baseline: "",
        figure,
        must,
        aim: 2.0 * must,
        beside: ("", 0),
        experiments: "",
        kernel: By::Any,
    }
}

/// Proofs, where blocks have 10,000 operations.
const fn proofs(per_update: u64, must: f64) -> Target {
    Target { beside: ("apply", 10_000), ..rate("archives", "prove", "1/s", per_update, must) }
}

const fn scaling(operation: &'static str) -> Target {
    Target {
        unit: "speed-up",
        figure: Figure::RatioAtLeast,
        aim: 0.97,
        ..rate("validators", operation, "", 10_000, 0.9)
    }
}

/// Answers that together take at most so many microseconds of CPU time, at 1,000 claims.
const fn answers(scheme: &'static str, operation: &'static str, must: f64) -> Target {
    let figure = Figure::CpuAtMost;
    Target { scheme, figure, aim: 0.5 * must, ..rate("answers", operation, "us", 1000, must) }
}

/// A query of an epoch of 100 rows, or an insert, an audit: microseconds of CPU time.
const fn of_tables(operation: &'static str, size: u64, must: f64, aim: f64) -> Target {
    Target { figure: Figure::CpuAtMost, aim, ..rate("aggregates", operation, "us", size, must) }
}

/// Memory at a hundred million keys.
const fn resident(operation: &'static str) -> Target {
    let base = rate("growth", operation, "bytes", 100_000_000, 3e9);
    Target { figure: Figure::NumberAtMost, aim: 1e9, ..base }
}

/// A proof by a process that begins, beside blst's multi-scalar multiplication.
const fn cold(operation: &'static str, size: u64, must: f64) -> Target {
    Target { table: "growth", ..ratio(operation, size, "blst msm", must, must) }
}

/// Beside NOMT, at most such a ratio.
const fn beside_nomt(operation: &'static str, size: u64, must: f64) -> Target {
    Target { table: "peers", ..ratio(operation, size, "nomt import_key", must, must) }
}

/// A query of experiment 3: ten runs of an epoch of 100 rows.
const fn of_query(operation: &'static str, must: f64, aim: f64) -> Target {
    Target { experiments: "3", ..of_tables(operation, 100, must, aim) }
}

/// The bytes of such an answer.
const fn of_answer(operation: &'static str, must: f64) -> Target {
    Target { figure: Figure::BytesAtMost, ..of_query(operation, must, must) }
}

/// The order of 64 rows, of `bls_bulletproofs`.
const fn order(operation: &'static str, baseline: &'static str) -> Target {
    Target { table: "aggregates", ..ratio(operation, 64, baseline, 0.05, 0.02) }
}

/// A baseline of the mixnet: so many times what our servers take.
const fn mixnet(scheme: &'static str, operation: &'static str, must: f64) -> Target {
    let figure = Figure::RatioAtLeast;
    let unit = "s";
    Target { table: "mixnet", scheme, unit, figure, ..ratio(operation, 10_000, SCHEME, must, 2.0 * must) }
}

/// Fresh proofs in an archive's steady state, over those by the paper's method.
const fn steady(must: f64) -> Target {
    let beside = ("modify_steady", 10_000);
    let figure = Figure::RatioAtLeast;
    Target { operation: "prove_steady", beside, figure, baseline: "paper prove", aim: must, ..proofs(1, must) }
}

/// The mixnet's own scheme.
const SCHEME: &str = "columns";

/// All targets.
const TARGETS: [Target; 84] = [
    others(ratio("verify_batch", 10_000, "c-kzg verify", 0.015, 0.01)),
    ifma(ratio("verify_batch", 10_000, "c-kzg verify", 0.0055, 0.0055)),
    others(ratio("verify_batch_decode", 10_000, "c-kzg verify", 0.028, 1.0 / 55.0)),
    ifma(ratio("verify_batch_decode", 10_000, "c-kzg verify", 0.009, 0.009)),
    ratio("verify", 1024, "c-kzg verify", 0.65, 0.58),
    others(ratio("commit", 1024, "blst msm", 0.5, 0.5)),
    ifma(ratio("commit", 1024, "blst msm", 0.16, 0.16)),
    others(ratio("update_commitment", 1000, "blst scalar_mul", 0.12, 0.1)),
    ifma(ratio("update_commitment", 1000, "blst scalar_mul", 0.04, 0.04)),
    others(ratio("update_opening", 1000, "blst scalar_mul", 0.12, 0.1)),
    ifma(ratio("update_opening", 1000, "blst scalar_mul", 0.04, 0.04)),
    others(ratio("open_all", 1024, "blst msm", 0.03, 0.025)),
    ifma(ratio("open_all", 1024, "blst msm", 0.009, 0.009)),
    others(ratio("verify_aggregated", 10_000, "kzg verify_batch_decode", 0.45, 0.4)),
    ifma(ratio("verify_aggregated", 10_000, "kzg verify_batch_decode", 0.6, 0.6)),
    Target { unit: "bytes", figure: Figure::NumberAtMost, ..ratio("aggregated_opening", 10_000, "", 5.0, 5.0) },
    rate("validators", "modify", "op/s", 10_000, 12_000.0),
    rate("validators", "insert", "op/s", 10_000, 10_000.0),
    rate("validators", "delete", "op/s", 10_000, 5_000.0),
    others(over_paper("modify", "paper modify", 26.0)),
    ifma(over_paper("modify", "paper modify", 55.0)),
    others(over_paper("insert", "paper insert", 22.0)),
    ifma(over_paper("insert", "paper insert", 38.0)),
    scaling("modify"),
    scaling("insert"),
    scaling("delete"),
    Target {
        figure: Figure::NumberAtMost,
        baseline: "delete",
        aim: 48.0 * MIB,
        ..rate("validators", "resident_peak", "bytes", 1_000_000, 96.0 * MIB)
    },
    Target { operation: "prove_steady", beside: ("modify_steady", 10_000), ..proofs(1, 150.0) },
    others(steady(6.0)),
    ifma(steady(14.0)),
    proofs(100, 1_500.0),
    proofs(0, 1_500.0),
    Target {
        unit: "bytes",
        figure: Figure::NumberAtMost,
        beside: ("commit_64mb", 1024),
        ..ratio("tables", 80, "", 80e6, 80e6)
    },
    ratio("commit_64mb", 1024, "kzg commit", 2.0, 2.0),
    ratio("update_commitment_64mb", 1000, "kzg update_commitment", 2.0, 2.0),
    ratio("update_opening_64mb", 1000, "kzg update_opening", 2.0, 2.0),
    full_tables("update_commitment_300mb", 1000, "kzg update_commitment"),
    full_tables("update_commitment_300mb", 10_000, "kzg update_commitment"),
    full_tables("update_opening_300mb", 1000, "kzg update_opening"),
    Target { table: "answers", ..ratio("verify_one", 1, "kzg pairing_check", 1.1, 1.05) },
    answers("kzg", "verify_keys", 150e3),
    answers("kzg", "verify_range", 150e3),
    answers("kzg root", "verify_keys", 150e3),
    answers("kzg root", "verify_range", 150e3),
    answers("kzg", "prove_range", 1e6),
    answers("kzg root", "prove_range", 1e6),
    mixnet("db-sm", "trace_in", 10.0),
    mixnet("groth16", "trace_in", 1000.0),
    mixnet("groth16", "trace_out", 1000.0),
    Target { table: "answers", unit: "bytes", ..ratio("opening_bytes", 1000, "kzg plain opening_bytes", 0.01, 0.005) },
    of_query("lookup", 4e3, 2e3),
    of_answer("lookup", 1200.0),
    of_query("sum", 20e3, 5e3),
    of_answer("sum", 5e3),
    of_query("average", 20e3, 5e3),
    of_answer("average", 5e3),
    of_query("count", 20e3, 5e3),
    of_answer("count", 5e3),
    of_query("min", 40e3, 15e3),
    of_answer("min", 10e3),
    of_query("max", 40e3, 15e3),
    of_answer("max", 10e3),
    of_query("median", 60e3, 20e3),
    of_answer("median", 12e3),
    of_query("percentile_5", 60e3, 20e3),
    of_answer("percentile_5", 12e3),
    of_query("percentile_95", 60e3, 20e3),
    of_answer("percentile_95", 12e3),
    of_tables("insert", 100, 40e3, 15e3),
    of_tables("audit", 100, 100e3, 10e3),
    of_tables("audit", 15_199, 500e3, 50e3),
    Target { unit: "us/row", ..of_tables("build", 97_780, 100.0, 50.0) },
    of_tables("median_all", 97_780, 5e6, 2e6),
    Target { figure: Figure::BytesAtMost, ..of_tables("median_all", 97_780, 600e3, 600e3) },
    others(cold("prove_cold", 1_000_000, 0.8)),
    ifma(cold("prove_cold", 1_000_000, 0.45)),
    cold("prove_cold_stored", 100_000, 0.15),
    others(beside_nomt("import_key", 1_000_000, 1.8)),
    ifma(beside_nomt("import_key", 1_000_000, 1.2)),
    resident("resident_import"),
    resident("resident_audit"),
    resident("resident_audit_newest"),
    order("order_prove", "bls_bulletproofs order_prove"),
    order("order_verify", "bls_bulletproofs order_verify"),
];

impl Target {
    fn concerns(&self, row: &Row) -> bool {
        let same =
            (row.table, row.scheme, row.operation, row.unit) == (self.table, self.scheme, self.operation, self.unit);
        let baseline = self.baseline.is_empty() || row.baseline.as_deref() == Some(self.baseline);
        let experiment = row.experiment.unwrap_or_default().starts_with(self.experiments);
        let kernel = self.kernel == By::Any || (self.kernel == By::Ifma) == (row.kernel == "ifma");
        same && baseline && experiment && kernel && row.size == self.size
    }

    fn makes_sense(&self, rows: &[Row]) -> bool {
        let beside = |row: &Row| (row.table, row.operation, row.size) == (self.table, self.beside.0, self.beside.1);
        self.beside.0.is_empty() || rows.iter().any(beside)
    }

    fn figure(&self, row: &Row) -> Option<f64> {
        match self.figure {
            Figure::RatioAtMost | Figure::RatioAtLeast => row.ratio,
            Figure::CpuAtLeast | Figure::CpuAtMost => row.cpu_median,
            Figure::NumberAtMost => Some(row.median),
            Figure::BytesAtMost => row.bytes.map(|bytes| bytes as f64),
        }
    }

    fn reached(&self, figure: f64, bound: f64) -> bool {
        match self.figure {
            Figure::RatioAtMost | Figure::NumberAtMost | Figure::CpuAtMost | Figure::BytesAtMost => figure <= bound,
            Figure::RatioAtLeast | Figure::CpuAtLeast => figure >= bound,
        }
    }
}

/// A row's number beside what it must reach.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    what: String,
    figure: f64,
    must: f64,
    aim: f64,
    verdict: String,
}

/// The names of the columns.
pub fn header() -> String {
    format!("target  {:<64} {:>12} {:>12} {:>12}  verdict", "", "measured", "must", "aim")
}

impl fmt::Display for Comparison {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, figure, must, aim, verdict } = self;
        let [figure, must, aim] = [*figure, *must, *aim].map(number);
        write!(formatter, "target  {what:<64} {figure:>12} {must:>12} {aim:>12}  {verdict}")
    }
}

/// Every row that a target concerns, by targets.
pub fn compare(rows: &[Row]) -> Vec<Comparison> {
    let concerned = TARGETS.iter().filter(|target| target.makes_sense(rows)).flat_map(|target| {
        let rows = rows.iter().filter(|row| target.concerns(row));
        rows.filter_map(move |row| Some(comparison(target, row, target.figure(row)?)))
    });
    concerned.collect()
}

fn comparison(target: &Target, row: &Row, figure: f64) -> Comparison {
    let bound = if target.reached(0.0, 1.0) { "at most" } else { "at least" };
    let kind = match (target.figure, &row.baseline) {
        (Figure::RatioAtMost | Figure::RatioAtLeast, Some(baseline)) => format!("of {baseline}"),
        (Figure::CpuAtLeast | Figure::CpuAtMost, _) => format!("{} by CPU time", row.unit),
        (Figure::BytesAtMost, _) => "bytes".to_owned(),
        _ => row.unit.to_owned(),
    };
    let threads = if row.threads > 1 { format!(" on {} threads", row.threads) } else { String::new() };
    let experiment = row.experiment.map_or_else(String::new, |name| format!(" [{name}]"));
    let scheme = if row.table == "mixnet" { format!(" {}", row.scheme) } else { String::new() };
    let what = format!("{}{scheme} {}{experiment} at {}{threads}, {kind}, {bound}", row.table, row.operation, row.size);
    let verdict = if target.reached(figure, target.aim) {
        "reaches the aim".to_owned()
    } else if target.reached(figure, target.must) {
        "reaches what it must".to_owned()
    } else {
        format!("MISSES by {:.0} %", 100.0 * (figure / target.must - 1.0).abs())
    };
    Comparison { what, figure, must: target.must, aim: target.aim, verdict }
}

#[cfg(test)]
mod tests;
