//! Audits of an archive: of all that it holds, by replaying its blocks into a second store, and of
//! its newest version alone, in the partitions of a job and without that store.

use std::num::NonZeroU64;
use std::path::Path;

use aardvark_archive::Archive;
use aardvark_archive::jobs::JobKind;

use super::rows::{peak, timed_row};
use crate::error::{BenchError, require};
use crate::measure::clock::{Taken, timed};
use crate::measure::memory;
use crate::measure::statistics::Samples;
use crate::report::Report;

/// Vectors of a job's partition, as `aardvark archive jobs` has them.
const PARTITION: NonZeroU64 = NonZeroU64::new(256).unwrap();

/// An audit of the whole archive.
pub fn replay(path: &Path, keys: u64, report: &mut Report) -> Result<(), BenchError> {
    let archive = Archive::builder().open_read_only(path)?;
    let root = archive.validator()?.root();
    memory::forget_peak()?;
    let (audited, taken) = timed(|| archive.audit(&mut |_| {}));
    let audited = audited?;
    require(audited.is_clean() && audited.root == Some(root), || format!("the audit finds {:?}", audited.findings))?;
    add(["audit", "resident_audit"], keys, taken, report)
}

/// An audit of the newest version.
pub fn newest(path: &Path, keys: u64, report: &mut Report) -> Result<(), BenchError> {
    let archive = Archive::builder().open_read_only(path)?;
    let root = archive.validator()?.root();
    memory::forget_peak()?;
    let (audited, taken) = timed(|| archive.start_job(JobKind::Audit, PARTITION, Some(root), &mut |_| {}));
    let audited = audited?;
    require(audited.is_clean() && audited.root == Some(root), || format!("the audit finds {audited:?}"))?;
    add(["audit_newest", "resident_audit_newest"], keys, taken, report)
}

/// The rows of an audit: time and memory.
fn add([time, memory]: [&'static str; 2], keys: u64, taken: Taken, report: &mut Report) -> Result<(), BenchError> {
    let mut samples = Samples::default();
    samples.push(taken);
    report.add(timed_row(time, keys, ("s", 1.0), &samples)?.threads(rayon::current_num_threads()))?;
    report.add(peak(memory, keys)?)
}
