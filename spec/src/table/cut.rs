//! Cuts of sorted runs: which rows of each run stand before a rank or a number, and what has to be
//! shown of that.
//!
//! A cut states for each run a split p_k in 0..=rows: p_k rows are before it. A cut at rank j has Σ
//! p_k = j and a low end, a run a with p_a >= 1 and a number x: the last row before the split of a
//! is x. Where the next row is asked for too, it has a high end, a run b with p_b < rows and a
//! number y >= x: the first row behind the split of b is y. The ends are opened. All other last
//! rows before a split are compared to be at most x, all other first rows behind a split to be at
//! least y, or x where there is no high end; of the run of the low end this follows then from its
//! order. So x = x_(j) and y = x_(j+1), ties included.
//!
//! A cut before a number t has no ends; rows before the splits are compared to be at most t - 1,
//! those behind them to be at least t. For t = 0 and t above the cap nothing is compared: no row
//! then is before, and every row.
//!
//! Compared rows stand in the order of the runs, the one before a split in front of the one behind
//! it. Source: docs/tables.md, "Order statistics".

use crate::base::bytes::*;
use crate::base::integers::*;
use crate::base::scalar::*;
use crate::commitment::folded_opening::*;
use crate::table::comparison::*;
use crate::table::cut_goal::*;
use crate::table::domain_values::*;
use crate::table::run_record::*;
use crate::table::sheet::*;
use hacspec_lib::*;

/// An end of a cut.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CutEnd {
    /// The place of its run.
    pub end_run: usize,
    /// The row's number.
    pub end_value: u128,
}

/// A cut, as it is stated.
#[derive(Clone, Debug, Default)]
pub struct TableCut {
    /// How many rows of each run are before the cut.
    pub cut_splits: Seq<usize>,
    /// The last row before the cut.
    pub cut_low: Option<CutEnd>,
    /// The first row behind it.
    pub cut_high: Option<CutEnd>,
}

/// What rows on both sides of the splits are compared with.
#[derive(Clone, Debug, Default)]
pub struct CutSides {
    /// What rows before a split are at most.
    pub side_most: u128,
    /// What rows behind a split are at least.
    pub side_least: u128,
    /// The run whose row before the split is not compared, since it is opened; none has the place
    /// behind the last run.
    pub side_opened: usize,
    /// The run whose row behind the split is not compared, since it is opened or follows from the
    /// run's order.
    pub side_implied: usize,
}

/// What has to be shown of a cut.
#[derive(Clone, Debug, Default)]
pub struct CutWork {
    /// The rows that are opened.
    pub work_claims: Seq<FoldedClaim>,
    /// The rows that are compared.
    pub work_rows: Seq<ComparedRow>,
}

/// One step of [`splits_fit`].
pub fn splits_fit_step(fits: bool, records: &Seq<RunRecord>, splits: &Seq<usize>, k: usize) -> bool {
    if k < splits.len() { fits && splits[k] <= records[k].record_rows } else { false }
}

/// Whether there is a split for each run, and none behind its last row.
pub fn splits_fit(records: &Seq<RunRecord>, splits: &Seq<usize>) -> bool {
    let mut fits = splits.len() == records.len();
    for k in 0..records.len() {
        fits = splits_fit_step(fits, records, splits, k);
    }
    fits
}

/// One step of [`splits_total`].
pub fn splits_total_step(total: u128, split: usize) -> u128 {
    total + u128_of_usize(split)
}

/// How many rows are before the splits.
pub fn splits_total(splits: &Seq<usize>) -> u128 {
    let mut total = 0;
    for k in 0..splits.len() {
        total = splits_total_step(total, splits[k]);
    }
    total
}

/// One step of [`records_total`].
pub fn records_total_step(total: u128, run_record: &RunRecord) -> u128 {
    total + u128_of_usize(run_record.record_rows)
}

/// How many rows runs have.
pub fn records_total(records: &Seq<RunRecord>) -> u128 {
    let mut total = 0;
    for k in 0..records.len() {
        total = records_total_step(total, &records[k]);
    }
    total
}

/// Whether a low end is a row of a run before its split, of at most the cap.
pub fn low_end_legal(splits: &Seq<usize>, cap: u128, end: &CutEnd) -> bool {
    if end.end_run < splits.len() { splits[end.end_run] >= 1 && end.end_value <= cap } else { false }
}

/// Whether a high end is a row of a run behind its split, of at most the cap.
pub fn high_end_legal(records: &Seq<RunRecord>, splits: &Seq<usize>, cap: u128, end: &CutEnd) -> bool {
    if end.end_run < splits.len() && end.end_run < records.len() {
        splits[end.end_run] < records[end.end_run].record_rows && end.end_value <= cap
    } else {
        false
    }
}

/// The claim (V, ω^(first + i), number) of the row with index i of a run.
pub fn row_claim(run_record: &RunRecord, i: usize, number: u128) -> FoldedClaim {
    FoldedClaim {
        folded_commitment: run_record.record_values.held_element,
        folded_point: domain_point(sheet_size(run_record.record_log), run_record.record_first + i),
        folded_value: scalar_of_number(number),
    }
}

/// The claim of the row before the split of a run: that of a legal low end.
pub fn low_end_claims(records: &Seq<RunRecord>, splits: &Seq<usize>, end: &CutEnd) -> Seq<FoldedClaim> {
    let none = Seq::<FoldedClaim>::new(0);
    if end.end_run < records.len() && end.end_run < splits.len() && splits[end.end_run] >= 1 {
        none.push_owned(row_claim(&records[end.end_run], splits[end.end_run] - 1, end.end_value))
    } else {
        none
    }
}

/// Claims, and that of the row behind the split of a run: that of a legal high end.
pub fn high_end_claims(
    before: Seq<FoldedClaim>,
    records: &Seq<RunRecord>,
    splits: &Seq<usize>,
    end: &CutEnd,
) -> Seq<FoldedClaim> {
    if end.end_run < records.len() && end.end_run < splits.len() {
        before.push_owned(row_claim(&records[end.end_run], splits[end.end_run], end.end_value))
    } else {
        before
    }
}

/// Compared rows, and the row with index i of run k, which is to be on a side of a threshold.
pub fn with_compared_row(
    before: Seq<ComparedRow>,
    run_record: &RunRecord,
    k: usize,
    i: usize,
    at_most: bool,
    threshold: u128,
) -> Seq<ComparedRow> {
    before.push_owned(ComparedRow {
        compared_run: k,
        compared_segment: 0,
        compared_record: run_record.clone(),
        compared_position: run_record.record_first + i,
        compared_at_most: at_most,
        compared_threshold: threshold,
    })
}

/// One step of [`compared_rows`].
pub fn compared_rows_step(
    before: Seq<ComparedRow>,
    records: &Seq<RunRecord>,
    splits: &Seq<usize>,
    sides: &CutSides,
    k: usize,
) -> Seq<ComparedRow> {
    if k < splits.len() {
        let split = splits[k];
        let with_low = if split >= 1 && k != sides.side_opened {
            with_compared_row(before, &records[k], k, split - 1, true, sides.side_most)
        } else {
            before
        };
        if split < records[k].record_rows && k != sides.side_implied {
            with_compared_row(with_low, &records[k], k, split, false, sides.side_least)
        } else {
            with_low
        }
    } else {
        before
    }
}

/// The rows on both sides of the splits that are compared.
pub fn compared_rows(records: &Seq<RunRecord>, splits: &Seq<usize>, sides: &CutSides) -> Seq<ComparedRow> {
    let mut rows = Seq::<ComparedRow>::new(0);
    for k in 0..records.len() {
        rows = compared_rows_step(rows, records, splits, sides, k);
    }
    rows
}

/// What has to be shown of a cut at a rank, with its low end alone.
pub fn work_at_rank(
    records: &Seq<RunRecord>,
    cap: u128,
    rank: u128,
    stated: &TableCut,
    low: &CutEnd,
) -> Option<CutWork> {
    let splits = &stated.cut_splits;
    match &stated.cut_high {
        Some(_) => None,
        None => {
            if splits_total(splits) == rank && low_end_legal(splits, cap, low) {
                Some(CutWork {
                    work_claims: low_end_claims(records, splits, low),
                    work_rows: compared_rows(
                        records,
                        splits,
                        &CutSides {
                            side_most: low.end_value,
                            side_least: low.end_value,
                            side_opened: low.end_run,
                            side_implied: low.end_run,
                        },
                    ),
                })
            } else {
                None
            }
        }
    }
}

/// What has to be shown of a cut at a rank, with both ends.
pub fn work_around_rank(
    records: &Seq<RunRecord>,
    cap: u128,
    rank: u128,
    stated: &TableCut,
    low: &CutEnd,
) -> Option<CutWork> {
    let splits = &stated.cut_splits;
    match &stated.cut_high {
        None => None,
        Some(high) => {
            let ends_legal = low_end_legal(splits, cap, low) && high_end_legal(records, splits, cap, high);
            if splits_total(splits) == rank && ends_legal && low.end_value <= high.end_value {
                Some(CutWork {
                    work_claims: high_end_claims(low_end_claims(records, splits, low), records, splits, high),
                    work_rows: compared_rows(
                        records,
                        splits,
                        &CutSides {
                            side_most: low.end_value,
                            side_least: high.end_value,
                            side_opened: low.end_run,
                            side_implied: high.end_run,
                        },
                    ),
                })
            } else {
                None
            }
        }
    }
}

/// What has to be shown of a cut before a number.
pub fn work_below_number(records: &Seq<RunRecord>, cap: u128, number: u128, splits: &Seq<usize>) -> Option<CutWork> {
    let nothing = CutWork { work_claims: Seq::<FoldedClaim>::new(0), work_rows: Seq::<ComparedRow>::new(0) };
    if number < 1 {
        if splits_total(splits) == 0 { Some(nothing) } else { None }
    } else if number > cap {
        if splits_total(splits) == records_total(records) { Some(nothing) } else { None }
    } else {
        let sides = CutSides {
            side_most: number - 1,
            side_least: number,
            side_opened: records.len(),
            side_implied: records.len(),
        };
        Some(CutWork { work_claims: nothing.work_claims, work_rows: compared_rows(records, splits, &sides) })
    }
}

/// What has to be shown of a stated cut of runs with these records, so that it is what is asked
/// for; `None` where it cannot be.
pub fn work_of_cut(records: &Seq<RunRecord>, cap: u128, goal: &CutGoal, stated: &TableCut) -> Option<CutWork> {
    if !splits_fit(records, &stated.cut_splits) {
        None
    } else {
        match &stated.cut_low {
            None => match &stated.cut_high {
                Some(_) => None,
                None => match goal {
                    CutGoal::BelowNumber(number) => work_below_number(records, cap, *number, &stated.cut_splits),
                    CutGoal::NoCut => None,
                    CutGoal::AtRank(_) => None,
                    CutGoal::AroundRank(_) => None,
                },
            },
            Some(low) => match goal {
                CutGoal::NoCut => None,
                CutGoal::BelowNumber(_) => None,
                CutGoal::AtRank(rank) => work_at_rank(records, cap, *rank, stated, low),
                CutGoal::AroundRank(rank) => work_around_rank(records, cap, *rank, stated, low),
            },
        }
    }
}

/// How many comparisons so many compared rows take.
pub fn comparison_count(rows: usize) -> usize {
    (rows + (MAX_COMPARED - 1)) / MAX_COMPARED
}

/// The rows of comparison number i.
pub fn rows_of_comparison(rows: &Seq<ComparedRow>, i: usize) -> Seq<ComparedRow> {
    let start = i * MAX_COMPARED;
    if start < rows.len() {
        let left = rows.len() - start;
        rows.slice(start, if left < MAX_COMPARED { left } else { MAX_COMPARED })
    } else {
        Seq::<ComparedRow>::new(0)
    }
}

/// `u32 run || u64 value`, if there is an end.
pub fn encode_cut_end(end: &Option<CutEnd>) -> ByteString {
    match end {
        None => ByteString::new(0),
        Some(stated) => u32_bytes(stated.end_run).concat(&big_endian(stated.end_value, 8)),
    }
}

/// One step of [`encode_splits`].
pub fn encode_splits_step(encoded: ByteString, split: usize) -> ByteString {
    encoded.concat(&u64_bytes(split))
}

/// The splits as bytes, 8 each.
pub fn encode_splits(splits: &Seq<usize>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for k in 0..splits.len() {
        encoded = encode_splits_step(encoded, splits[k]);
    }
    encoded
}

/// A cut's numbers as an answer's seed binds them: `(u64 split)* || low || high`.
pub fn encode_cut(stated: &TableCut) -> ByteString {
    encode_splits(&stated.cut_splits).concat(&encode_cut_end(&stated.cut_low)).concat(&encode_cut_end(&stated.cut_high))
}
