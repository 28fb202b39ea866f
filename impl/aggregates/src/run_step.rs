//! Which steps of a run are legal (`aardvark_spec::table::run_segments`): a head, and the segments
//! of its revision that are put with it.
//!
//! | step | what stands before | what it asks |
//! |---|---|---|
//! | begin | no head | revision 0 |
//! | extend | a head of this revision | its record stays; one segment at least is put |
//! | replace | a head | not append-only; the next revision |
//!
//! In each, the segments that are put have the numbers behind those that stand, their ranks are the
//! rows before them, and segments, rows and totals of the head are what they add up to. That each
//! is certified, linked to the one before, is looked at apart.

use thiserror::Error;

use crate::record::{Head, Segment};
use crate::sheet::check_layout;

/// Why a step of a run is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StepFault {
    /// A record has no place on a domain, or another number of sums.
    #[error("segment {0} has no place on a domain")]
    Misplaced(u32),
    /// The table does not allow that its runs are replaced.
    #[error("the table does not allow that runs are replaced")]
    Immutable,
    /// The revision is not the next one.
    #[error("revision {found}, where {expected} is next")]
    Revision {
        /// The head's.
        found: u32,
        /// The next one; 2^32 behind the last that there is.
        expected: u64,
    },
    /// A run that grows has another first segment afterwards.
    #[error("a run that grows has another first segment")]
    Record,
    /// A run that grows gets no segment.
    #[error("a run grows by no segment")]
    Nothing,
    /// Segments have other numbers than the next ones.
    #[error("segment {found}, where {expected} is next")]
    Number {
        /// The segment's.
        found: u32,
        /// The next one.
        expected: u32,
    },
    /// A segment's rank is not the rows before it.
    #[error("segment {segment} says that {found} rows are before it, where there are {expected}")]
    Rank {
        /// The segment.
        segment: u32,
        /// What it says.
        found: u64,
        /// The rows before it.
        expected: u64,
    },
    /// The head's segments, rows or totals are not what the segments add up to.
    #[error("the head does not say what its segments add up to")]
    Sums,
}

/// Whether a run may become so, in a table of so many moments that is append-only or is not: by a
/// head, and the segments of its revision that are put with it, in the order of their numbers.
///
/// # Errors
/// [`StepFault`].
pub fn judge_step(
    append_only: bool,
    moments: usize,
    before: Option<&Head>,
    after: &Head,
    put: &[(u32, Segment)],
) -> Result<(), StepFault> {
    check_layout(&[&after.record], moments).map_err(|_| StepFault::Misplaced(0))?;
    let begun = Head::single(after.revision, after.record.clone());
    let (start, expected) = match before {
        None => (begun, 0),
        Some(before) if before.revision == after.revision => {
            if before.record != after.record {
                return Err(StepFault::Record);
            }
            if put.is_empty() {
                return Err(StepFault::Nothing);
            }
            (before.clone(), u64::from(before.revision))
        }
        Some(_) if append_only => return Err(StepFault::Immutable),
        Some(before) => (begun, u64::from(before.revision) + 1),
    };
    if u64::from(after.revision) != expected {
        return Err(StepFault::Revision { found: after.revision, expected });
    }
    let mut extent = start;
    for (number, segment) in put {
        check_layout(&[&segment.record], moments).map_err(|_| StepFault::Misplaced(*number))?;
        if *number != extent.segments() {
            return Err(StepFault::Number { found: *number, expected: extent.segments() });
        }
        if segment.rank != extent.rows() {
            return Err(StepFault::Rank { segment: *number, found: segment.rank, expected: extent.rows() });
        }
        extent = extent.with_segment(&segment.record);
    }
    if extent == *after { Ok(()) } else { Err(StepFault::Sums) }
}
