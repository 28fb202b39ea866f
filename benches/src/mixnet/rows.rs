//! Makes rows.

use super::options::Options;
use crate::error::BenchError;
use crate::measure::clock::Taken;
use crate::measure::row::Row;
use crate::measure::statistics::Samples;

/// The table's name in rows.
const TABLE: &str = "mixnet";

/// Rows of one scheme and size of values.
pub struct Rows<'a> {
    /// How many servers there are.
    pub options: &'a Options,
    /// Inputs.
    pub entries: usize,
    /// Bytes of a value.
    pub bytes: usize,
    /// Whose algorithm.
    pub scheme: &'static str,
}

impl<'a> Rows<'a> {
    /// The same of another scheme.
    pub fn of(&self, scheme: &'static str) -> Self {
        Self { scheme, options: self.options, entries: self.entries, bytes: self.bytes }
    }

    fn finish(&self, row: Row) -> Row {
        let (entries, servers) = (self.entries as u64, u64::from(self.options.servers));
        Row {
            servers: Some(servers),
            value_bytes: Some(self.bytes as u64),
            ..row.size(entries).threads(self.options.threads)
        }
    }

    /// A row of seconds, one run each.
    pub fn timed(&self, operation: &'static str, role: &'static str, taken: &[Taken]) -> Result<Row, BenchError> {
        self.sampled(operation, role, &taken.iter().copied().collect(), 1.0)
    }

    /// A row of seconds, each run taken so many times.
    pub fn sampled(
        &self,
        operation: &'static str,
        role: &'static str,
        samples: &Samples,
        times: f64,
    ) -> Result<Row, BenchError> {
        let row = Row::timed(TABLE, self.scheme, operation, ("s", times), samples);
        let row = row.ok_or_else(|| BenchError::Wrong("nothing was measured".to_owned()))?;
        Ok(Row { role: Some(role), ..self.finish(row) })
    }

    /// A row of something counted.
    pub fn counted(&self, operation: &'static str, unit: &'static str, count: usize) -> Row {
        self.finish(Row::counted(TABLE, self.scheme, operation, unit, count as f64))
    }
}

/// A baseline's row compared with ours, by CPU time.
pub fn against(baseline: Row, ours: &Row) -> Row {
    let ratio = baseline.cpu_median.zip(ours.cpu_median).map(|(theirs, own)| theirs / own);
    match ratio.filter(|ratio| ratio.is_finite()) {
        Some(ratio) => baseline.compared(ours.scheme, ratio),
        None => baseline,
    }
}
