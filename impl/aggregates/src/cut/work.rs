//! What has to be shown of a stated cut (`aardvark_spec::table::cut::work_of_cut`).

use thiserror::Error;

use super::{Cut, CutEnd, CutGoal};
use crate::comparison::{ComparedRow, Side};
use crate::record::Record;

/// Why a cut is not one that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CutFault {
    /// An end is missing that is asked for, or there is one that is not.
    #[error("the cut has not the ends that are asked for")]
    Ends,
    /// There are not as many splits as runs, or one is behind its run's last row.
    #[error("the splits are not those of the runs")]
    Splits,
    /// Another number of rows is before the splits.
    #[error("{found} rows are before the splits, where {expected} have to be")]
    Total {
        /// How many are.
        found: u64,
        /// How many have to be.
        expected: u64,
    },
    /// The low end is no row before a split, or above the cap.
    #[error("the low end is no row before a split")]
    Low,
    /// The high end is no row behind a split, or above the cap.
    #[error("the high end is no row behind a split")]
    High,
    /// The high end is below the low one.
    #[error("the ends are crossed")]
    Crossed,
}

/// A row that is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenedRow {
    /// The place of its run.
    pub run: usize,
    /// Its position on the run's domain.
    pub position: u16,
    /// Its number.
    pub value: u64,
}

/// What has to be shown of a cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CutWork {
    /// The rows that are opened: the low end, the high end.
    pub opened: Vec<OpenedRow>,
    /// The rows that are compared, run by run, the one before a split in front of the one behind
    /// it.
    pub compared: Vec<ComparedRow>,
}

/// What rows on both sides of the splits are compared with.
struct Sides {
    most: u64,
    least: u64,
    /// The run whose row before the split is opened.
    opened: Option<u32>,
    /// The run whose row behind the split is opened, or follows from the run's order.
    implied: Option<u32>,
}

/// What has to be shown of a cut of runs with these records, of numbers up to the cap, so that it
/// is what is asked for.
///
/// # Errors
/// [`CutFault`]: whatever is shown, it is not.
pub fn work(records: &[&Record], cap: u64, goal: CutGoal, cut: &Cut) -> Result<CutWork, CutFault> {
    let within = records.iter().zip(&cut.splits).all(|(record, split)| *split <= u64::from(record.rows));
    if cut.splits.len() != records.len() || !within {
        return Err(CutFault::Splits);
    }
    match (goal, cut.low, cut.high) {
        (CutGoal::BelowNumber(number), None, None) => below_number(records, cap, number, cut),
        (CutGoal::AtRank(rank), Some(low), None) => {
            let opened = vec![low_end(records, cap, rank, cut, low)?];
            // Of the low end's run the row behind the split follows from the run's order.
            let sides = Sides { most: low.value, least: low.value, opened: Some(low.run), implied: Some(low.run) };
            Ok(CutWork { opened, compared: compared(records, cut, &sides) })
        }
        (CutGoal::AroundRank(rank), Some(low), Some(high)) => {
            let opened = vec![low_end(records, cap, rank, cut, low)?, high_end(records, cap, cut, high)?];
            if low.value > high.value {
                return Err(CutFault::Crossed);
            }
            let sides = Sides { most: low.value, least: high.value, opened: Some(low.run), implied: Some(high.run) };
            Ok(CutWork { opened, compared: compared(records, cut, &sides) })
        }
        _ => Err(CutFault::Ends),
    }
}

/// The number of rows before the splits, which has to be this one.
fn total(cut: &Cut, expected: u64) -> Result<(), CutFault> {
    // Splits are at most the runs' rows, which are below 2^40 together.
    let found = cut.splits.iter().fold(0u64, |sum, split| sum.saturating_add(*split));
    if found == expected { Ok(()) } else { Err(CutFault::Total { found, expected }) }
}

/// A cut before a number. Nothing is below 0, and everything below what is above the cap.
fn below_number(records: &[&Record], cap: u64, number: u64, cut: &Cut) -> Result<CutWork, CutFault> {
    let Some(below) = number.checked_sub(1) else {
        return total(cut, 0).map(|()| CutWork::default());
    };
    if number > cap {
        let rows = records.iter().map(|record| u64::from(record.rows)).sum();
        return total(cut, rows).map(|()| CutWork::default());
    }
    let sides = Sides { most: below, least: number, opened: None, implied: None };
    Ok(CutWork { opened: Vec::new(), compared: compared(records, cut, &sides) })
}

/// The row before the split of the low end's run.
fn low_end(records: &[&Record], cap: u64, rank: u64, cut: &Cut, end: CutEnd) -> Result<OpenedRow, CutFault> {
    total(cut, rank)?;
    let before = split(cut, end).and_then(|split| split.checked_sub(1)).ok_or(CutFault::Low)?;
    opened(records, cap, end, before).ok_or(CutFault::Low)
}

/// The row behind the split of the high end's run.
fn high_end(records: &[&Record], cap: u64, cut: &Cut, end: CutEnd) -> Result<OpenedRow, CutFault> {
    let split = split(cut, end).ok_or(CutFault::High)?;
    opened(records, cap, end, split).ok_or(CutFault::High)
}

fn split(cut: &Cut, end: CutEnd) -> Option<u64> {
    cut.splits.get(usize::try_from(end.run).ok()?).copied()
}

/// The row with an index in the run of an end.
fn opened(records: &[&Record], cap: u64, end: CutEnd, index: u64) -> Option<OpenedRow> {
    let run = usize::try_from(end.run).ok()?;
    let position = position(records.get(run)?, index)?;
    (end.value <= cap).then_some(OpenedRow { run, position, value: end.value })
}

/// The position of the row with an index, if there is one.
fn position(record: &Record, index: u64) -> Option<u16> {
    let index = u16::try_from(index).ok().filter(|index| *index < record.rows)?;
    record.first.checked_add(index)
}

/// The rows on both sides of the splits that are compared.
fn compared(records: &[&Record], cut: &Cut, sides: &Sides) -> Vec<ComparedRow> {
    let mut rows = Vec::new();
    for ((record, split), run) in records.iter().zip(&cut.splits).zip(0u32..) {
        let row = |position: u16, side: Side, threshold: u64| ComparedRow {
            run,
            segment: 0,
            record: (*record).clone(),
            position,
            side,
            threshold,
        };
        let before = split.checked_sub(1).and_then(|index| position(record, index));
        if let Some(place) = before.filter(|_| sides.opened != Some(run)) {
            rows.push(row(place, Side::AtMost, sides.most));
        }
        if let Some(place) = position(record, *split).filter(|_| sides.implied != Some(run)) {
            rows.push(row(place, Side::AtLeast, sides.least));
        }
    }
    rows
}
