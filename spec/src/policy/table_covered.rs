//! Which segments the certificates of a transaction cover.
//!
//! Certificates cover the segments that are put in order, each once: the further segments, and the
//! first one of each run that does not only grow. Those of one certificate are of one column, and
//! only the first of them may continue a run. Source: docs/network.md, "Who may write".

use crate::decoding::signed_decoder::*;
use crate::policy::policy_reason::*;
use crate::policy::table_steps::*;
use crate::policy::table_write::*;
use hacspec_lib::*;

/// A segment that certificates have to cover.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoveredSegment {
    /// The number of its value column.
    pub covered_column: usize,
    /// Whether it continues a run.
    pub covered_continues: bool,
}

/// One step of [`with_put_segments`].
pub fn with_put_segments_step(covered: Seq<CoveredSegment>, column: usize) -> Seq<CoveredSegment> {
    covered.push_owned(CoveredSegment { covered_column: column, covered_continues: true })
}

/// Segments with as many further ones of a column.
pub fn with_put_segments(before: Seq<CoveredSegment>, column: usize, count: usize) -> Seq<CoveredSegment> {
    let mut covered = before;
    for _i in 0..count {
        covered = with_put_segments_step(covered, column);
    }
    covered
}

/// One step of [`covered_segments`].
pub fn covered_segments_step(covered: Seq<CoveredSegment>, read_step: &TableStep) -> Seq<CoveredSegment> {
    let column = read_step.step_place.place_column;
    let grown = with_put_segments(covered, column, read_step.step_put.len());
    if step_begins(read_step) {
        grown.push_owned(CoveredSegment { covered_column: column, covered_continues: false })
    } else {
        grown
    }
}

/// The segments that certificates have to cover, in the order in which they are put.
pub fn covered_segments(steps: &Seq<TableStep>) -> Seq<CoveredSegment> {
    let mut covered = Seq::<CoveredSegment>::new(0);
    for i in 0..steps.len() {
        covered = covered_segments_step(covered, &steps[i]);
    }
    covered
}

/// One step of [`one_sheet`].
pub fn one_sheet_step(fits: bool, covered: &Seq<CoveredSegment>, from: usize, k: usize) -> bool {
    fits && covered[k].covered_column == covered[from].covered_column && (k == from || !covered[k].covered_continues)
}

/// Whether the segments from one place up to another may have one certificate.
pub fn one_sheet(covered: &Seq<CoveredSegment>, from: usize, to: usize) -> bool {
    let mut fits = true;
    for k in from..to {
        fits = one_sheet_step(fits, covered, from, k);
    }
    fits
}

/// One step of [`covered_end`].
pub fn covered_end_step(
    end: Option<usize>,
    covered: &Seq<CoveredSegment>,
    brought: &ReceivedCertificate,
) -> Option<usize> {
    match end {
        None => None,
        Some(from) => {
            let count = brought.received_segments;
            if from <= covered.len()
                && count >= 1
                && count <= covered.len() - from
                && one_sheet(covered, from, from + count)
            {
                Some(from + count)
            } else {
                None
            }
        }
    }
}

/// How many segments certificates cover, each the next ones; `None` where one covers none, or such
/// as cannot have one certificate.
pub fn covered_end(covered: &Seq<CoveredSegment>, items: &Seq<ReceivedCertificate>) -> Option<usize> {
    let mut end = Some(0);
    for i in 0..items.len() {
        end = covered_end_step(end, covered, &items[i]);
    }
    end
}

/// The segments that a write's certificates have to cover.
pub fn covered_by_write(write: &TableWrite) -> Seq<CoveredSegment> {
    match write {
        TableWrite::WriteRuns(runs) => covered_segments(&runs.written_steps),
        _ => Seq::<CoveredSegment>::new(0),
    }
}

/// Whether certificates cover what a write puts.
pub fn check_covered(write: &TableWrite, items: &Seq<ReceivedCertificate>) -> Result<(), PolicyReason> {
    let covered = covered_by_write(write);
    match covered_end(&covered, items) {
        None => Err(PolicyReason::CertificatesMalformed),
        Some(end) => {
            if end == covered.len() {
                Ok(())
            } else {
                Err(PolicyReason::CertificatesMalformed)
            }
        }
    }
}
