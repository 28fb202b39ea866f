//! Rows of the table, each compared with NOMT's of the same operation.

use serde::{Deserialize, Serialize};

use super::scene::Scene;
use crate::error::BenchError;
use crate::measure::row::Row;
use crate::measure::statistics::Samples;
use crate::report::Report;

/// The table's name in rows.
const TABLE: &str = "peers";
/// Whom the others are compared with.
const BASE: &str = "nomt";

/// What one of the three took; times are of what a row counts one of, or of a whole block.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Figures {
    /// Whole imports.
    pub import: Samples,
    /// Whole blocks of updates.
    pub updates: Samples,
    /// A proof of a key that is there.
    pub prove: Samples,
    /// A proof of absence.
    pub prove_absent: Samples,
    /// Verifying a proof of a key that is there, from bytes.
    pub verify: Samples,
    /// Verifying a proof of absence, from bytes.
    pub verify_absent: Samples,
    /// Verifying one of all proofs together; none where that is no different.
    pub verify_batch: Samples,
    /// Bytes of a proof of a key that is there, the mean.
    pub proof_bytes: f64,
    /// Bytes of a proof of absence, the mean.
    pub absence_bytes: f64,
    /// Following blocks; `None` where only the whole database can.
    pub follow: Option<Following>,
    /// Bytes that a verifier keeps besides, to take proofs that are older.
    pub window: u64,
    /// How many later blocks a proof outlives.
    pub stale_versions: u64,
    /// Bytes on disk after the import.
    pub disk: u64,
    /// The most memory during the import, in bytes.
    pub resident_import: u64,
}

/// What a verifier needs that follows blocks and keeps as little as it can.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Following {
    /// A whole block.
    pub times: Samples,
    /// Bytes of that block, with what proves it.
    pub bytes: u64,
    /// Bytes that the verifier keeps.
    pub state: u64,
}

impl Figures {
    /// Takes those of a round, and adds its runs to those of the rounds before.
    pub fn take(&mut self, round: Self) {
        let before = std::mem::replace(self, round);
        for (runs, earlier) in self.all_runs().into_iter().zip(before.clone().all_runs()) {
            *runs = earlier.runs().chain(runs.runs()).collect();
        }
        if let (Some(follow), Some(earlier)) = (&mut self.follow, before.follow) {
            follow.times = earlier.times.runs().chain(follow.times.runs()).collect();
        }
    }

    fn all_runs(&mut self) -> [&mut Samples; 7] {
        let Self { import, updates, prove, prove_absent, verify, verify_absent, verify_batch, .. } = self;
        [import, updates, prove, prove_absent, verify, verify_absent, verify_batch]
    }

    /// Its rows, with neither size nor comparison; those of no run are left out.
    fn rows(&self, scheme: &'static str, scene: &Scene) -> Vec<Row> {
        let (keys, operations) = (scene.keys() as f64, scene.operations() as f64);
        let threads = rayon::current_num_threads();
        let timed = |operation, threads, unit, samples| {
            Row::timed(TABLE, scheme, operation, unit, samples).map(|row| row.threads(threads))
        };
        let follow = self.follow.as_ref();
        let times = [
            timed("import_key", threads, ("us", 1e6 / keys), &self.import),
            timed("import", threads, ("s", 1.0), &self.import),
            timed("update_key", threads, ("us", 1e6 / operations), &self.updates),
            timed("prove", 1, ("us", 1e6), &self.prove),
            timed("prove_absent", 1, ("us", 1e6), &self.prove_absent),
            timed("verify", 1, ("us", 1e6), &self.verify),
            timed("verify_absent", 1, ("us", 1e6), &self.verify_absent),
            timed("verify_batch", 1, ("us", 1e6), &self.verify_batch),
            follow.and_then(|follow| timed("follow_key", threads, ("us", 1e6 / operations), &follow.times)),
        ];
        let counted = |operation, unit, value| Some(Row::counted(TABLE, scheme, operation, unit, value));
        let bytes = |operation, value| counted(operation, "bytes", value);
        let counts = [
            bytes("proof", self.proof_bytes),
            bytes("absence", self.absence_bytes),
            follow.and_then(|follow| bytes("follow", follow.bytes as f64 / operations)),
            bytes("validator_state", follow.map_or(self.disk, |follow| follow.state) as f64),
            Some(self.window).filter(|bytes| *bytes > 0).and_then(|window| bytes("validator_window", window as f64)),
            counted("stale_versions", "versions", self.stale_versions as f64),
            bytes("disk", self.disk as f64),
            bytes("resident_import", self.resident_import as f64),
        ];
        times.into_iter().chain(counts).flatten().map(|row| row.size(scene.keys())).collect()
    }
}

/// Adds all rows at a number of keys.
pub fn add(scene: &Scene, measured: &[(&'static str, Figures)], report: &mut Report) -> Result<(), BenchError> {
    let of_each = measured.iter().map(|(scheme, figures)| figures.rows(scheme, scene));
    let rows: Vec<Row> = of_each.flatten().collect();
    for row in &rows {
        // Ours are verified together beside the peers' one by one.
        let operation = if row.operation == "verify_batch" { "verify" } else { row.operation };
        let base = rows.iter().find(|base| base.scheme == BASE && base.operation == operation);
        let ratio = base.and_then(|base| ratio(row, base)).filter(|_| row.scheme != BASE);
        let row = row.clone();
        report.add(match ratio {
            Some(ratio) => row.compared(format!("{BASE} {operation}"), ratio),
            None => row,
        })?;
    }
    Ok(())
}

/// A row's number over another's; of times, that of CPU time.
fn ratio(row: &Row, base: &Row) -> Option<f64> {
    let ratio = row.cpu_median.unwrap_or(row.median) / base.cpu_median.unwrap_or(base.median);
    Some(ratio).filter(|ratio| ratio.is_finite())
}
