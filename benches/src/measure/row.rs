//! Rows: one number with its spread and all that is needed to read it.

use aardvark_algebra::Kernel;
use serde::Serialize;

use crate::measure::machine;
use crate::measure::statistics::{Samples, Spread};

/// One row of a table, as JSON has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Which table: `table1`, `validators`, `archives`, `answers`, `sizes`, `growth`,
    /// `peers`, `roots`, `mixnet`, `aggregates`.
    pub table: &'static str,
    /// Whose algorithm: `kzg`, `paper`, `c-kzg`, …
    pub scheme: &'static str,
    /// What was done.
    pub operation: &'static str,
    /// N; in rows about batches and blocks, how many are in one.
    pub size: u64,
    /// Threads that worked.
    pub threads: usize,
    /// What `median`, `min` and `max` count.
    pub unit: &'static str,
    /// The median run, by the wall clock where it is a time.
    pub median: f64,
    /// The least run.
    pub min: f64,
    /// The greatest run.
    pub max: f64,
    /// The median run by the process's CPU time, in the same unit; `null` where the row is no time.
    pub cpu_median: Option<f64>,
    /// Times that the operation was done.
    pub iterations: u64,
    /// Results that were wrong. A wrong one ends the program, so this is 0 in every row.
    pub errors: u64,
    /// Processor, cores, memory.
    pub machine: String,
    /// How field arithmetic was done: `scalar`, `avx2`, `avx512` or `ifma`.
    pub kernel: &'static str,
    /// What the row is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// This row's number over the baseline's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Of `aggregates`: which of the paper's experiments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experiment: Option<&'static str>,
    /// Of `aggregates`: the runs that an answer is of, or the groups of a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<u64>,
    /// Of `aggregates`: bytes of the proof that was made or verified, or that are stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Of `mixnet`: who did it, `server` or `querier`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<&'static str>,
    /// Of `mixnet`: how many servers there were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub servers: Option<u64>,
    /// Of `mixnet`: bytes of a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_bytes: Option<u64>,
}

impl Row {
    /// A row of something counted, not timed.
    pub fn counted(
        table: &'static str,
        scheme: &'static str,
        operation: &'static str,
        unit: &'static str,
        value: f64,
    ) -> Self {
        Self {
            table,
            scheme,
            operation,
            size: 0,
            threads: 1,
            unit,
            median: value,
            min: value,
            max: value,
            cpu_median: None,
            iterations: 1,
            errors: 0,
            machine: machine::description(),
            kernel: Kernel::in_use().name(),
            baseline: None,
            ratio: None,
            experiment: None,
            groups: None,
            bytes: None,
            role: None,
            servers: None,
            value_bytes: None,
        }
    }

    /// A row of times, `per_second` of whose unit make a second (1e6 for microseconds). `None`
    /// without runs.
    pub fn timed(
        table: &'static str,
        scheme: &'static str,
        operation: &'static str,
        (unit, per_second): (&'static str, f64),
        samples: &Samples,
    ) -> Option<Self> {
        let (wall, cpu) = (samples.wall()?.times(per_second), samples.cpu()?.times(per_second));
        let iterations = samples.len() as u64;
        let row = Self::counted(table, scheme, operation, unit, wall.median);
        Some(Self { iterations, cpu_median: Some(cpu.median), ..row.with_spread(wall) })
    }

    /// With N, or the size of a batch.
    #[must_use]
    pub fn size(self, size: u64) -> Self {
        Self { size, ..self }
    }

    /// With a number of threads.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// With the number of times that the operation was done.
    #[must_use]
    pub fn iterations(self, iterations: u64) -> Self {
        Self { iterations, ..self }
    }

    /// With the paper's experiment that it belongs to.
    #[must_use]
    pub fn experiment(self, name: &'static str) -> Self {
        Self { experiment: Some(name), ..self }
    }

    /// With a number of groups.
    #[must_use]
    pub fn groups(self, groups: u64) -> Self {
        Self { groups: Some(groups), ..self }
    }

    /// With a number of bytes.
    #[must_use]
    pub fn bytes(self, bytes: u64) -> Self {
        Self { bytes: Some(bytes), ..self }
    }

    /// With a spread.
    #[must_use]
    pub fn with_spread(self, Spread { min, median, max }: Spread) -> Self {
        Self { min, median, max, ..self }
    }

    /// With a comparison.
    #[must_use]
    pub fn compared(self, baseline: impl Into<String>, ratio: f64) -> Self {
        Self { baseline: Some(baseline.into()), ratio: Some(ratio), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_published_fields_and_comparisons_only_where_there_are_some() {
        let row = Row::counted("sizes", "kzg", "prove", "bytes", 48.0);
        let plain = serde_json::to_value(&row).unwrap();
        let fields = [
            "table",
            "scheme",
            "operation",
            "size",
            "threads",
            "unit",
            "median",
            "min",
            "max",
            "cpu_median",
            "iterations",
            "errors",
            "machine",
            "kernel",
        ];
        let object = plain.as_object().unwrap();
        assert_eq!(object.len(), fields.len());
        assert!(fields.iter().all(|field| object.contains_key(*field)));
        let compared = serde_json::to_value(row.compared("merkle", 0.5)).unwrap();
        assert_eq!(compared["baseline"], "merkle");
        assert_eq!(compared["ratio"], 0.5);
    }
}
