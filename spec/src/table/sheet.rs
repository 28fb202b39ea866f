//! A sheet: segments that share one domain and are certified together, each with commitments of its
//! own and at positions of its own.
//!
//! | positions | hold |
//! |---|---|
//! | 0, the origin | 0 in values; the total in sums |
//! | 1 ..= N-4 | segments, ascending, with at least one free position before each |
//! | N-3, the guard | 0 |
//! | N-2, N-1, the masks | random scalars, which take no part in any relation |
//!
//! A segment's vector `values` has the numbers of its rows at their positions, and 0 elsewhere; its
//! vector `sums_p` has at position i the sum of the p-th powers of the numbers from i on. Source:
//! docs/tables.md, "Sheets".

use crate::base::bytes::*;
use crate::base::scalar::*;
use crate::table::domain_values::*;
use crate::table::run_record::*;
use hacspec_lib::*;

/// The least logarithm of a domain's size.
pub const MIN_SHEET_LOG: usize = 3;
/// The greatest logarithm of a domain's size.
pub const MAX_SHEET_LOG: usize = 11;
/// The most segments of a sheet.
pub const MAX_SHEET_ITEMS: usize = 1022;

/// A segment of a sheet: where it stands in the table, and its record.
#[derive(Clone, Debug, Default)]
pub struct SheetItem {
    /// The key columns, encoded.
    pub item_columns: ByteString,
    /// The number of the run among those of its key.
    pub item_run: usize,
    /// How often the run was replaced.
    pub item_revision: usize,
    /// The number of the segment within the run; 0 for the first.
    pub item_segment: usize,
    /// Its record.
    pub item_record: RunRecord,
}

/// One step of [`usize_power_of_two`].
pub fn usize_power_of_two_step(power: usize) -> usize {
    power * 2
}

/// 2^exponent, for exponents below 64.
pub fn usize_power_of_two(exponent: usize) -> usize {
    let mut power = 1;
    for _i in 0..exponent {
        power = usize_power_of_two_step(power);
    }
    power
}

/// The domain's size.
pub fn sheet_size(log: usize) -> usize {
    if log <= MAX_SHEET_LOG { usize_power_of_two(log) } else { 0 }
}

/// The greatest logarithm of a domain's size, for so many moments: with three the quotient of
/// [`crate::table::certificate`] has a degree of three times the size.
pub fn max_sheet_log(moments: usize) -> usize {
    if moments <= 2 { MAX_SHEET_LOG } else { 10 }
}

/// The least position at which a segment may begin, after one more; `None` where that one has no
/// place.
pub fn layout_after(free: usize, log: usize, segment_record: &RunRecord) -> Option<usize> {
    let n = sheet_size(log);
    let fits = segment_record.record_log == log
        && segment_record.record_rows >= 1
        && segment_record.record_rows <= n
        && segment_record.record_first >= free
        && segment_record.record_first <= n;
    if fits && segment_record.record_first + segment_record.record_rows <= guard_position(n) {
        Some(segment_record.record_first + segment_record.record_rows + 1)
    } else {
        None
    }
}

/// One step of [`layout_end`].
pub fn layout_end_step(free: Option<usize>, log: usize, placed: &SheetItem) -> Option<usize> {
    match free {
        None => None,
        Some(least) => layout_after(least, log, &placed.item_record),
    }
}

/// The least position at which one more segment could begin; `None` where the segments have no such
/// layout.
pub fn layout_end(log: usize, items: &Seq<SheetItem>) -> Option<usize> {
    let mut free = Some(1);
    for k in 0..items.len() {
        free = layout_end_step(free, log, &items[k]);
    }
    free
}

/// Whether segments have a layout.
pub fn sheet_layout_legal(log: usize, items: &Seq<SheetItem>) -> bool {
    match layout_end(log, items) {
        None => false,
        Some(_) => true,
    }
}

/// One step of [`items_legal`].
pub fn items_legal_step(legal: bool, moments: usize, placed: &SheetItem) -> bool {
    legal && placed.item_segment == 0 && placed.item_record.record_sums.len() == moments
}

/// Whether each item is the first segment of its run, and has as many sums as the table has
/// moments.
pub fn items_legal(moments: usize, items: &Seq<SheetItem>) -> bool {
    let mut legal = true;
    for k in 0..items.len() {
        legal = items_legal_step(legal, moments, &items[k]);
    }
    legal
}

/// Whether segments make a sheet.
pub fn sheet_legal(log: usize, moments: usize, items: &Seq<SheetItem>) -> bool {
    moments >= 1
        && moments <= 3
        && log >= MIN_SHEET_LOG
        && log <= max_sheet_log(moments)
        && items.len() >= 1
        && items.len() <= MAX_SHEET_ITEMS
        && items_legal(moments, items)
        && sheet_layout_legal(log, items)
}

/// The logarithm of the domain's size, as the first segment's record has it; 0 where there is none.
pub fn sheet_log(items: &Seq<SheetItem>) -> usize {
    if items.len() > 0 { items[0usize].item_record.record_log } else { 0 }
}

/// One step of [`last_rows_value`].
pub fn last_rows_value_step(total: Scalar, n: usize, placed: &SheetItem, x: Scalar) -> Scalar {
    let first = placed.item_record.record_first;
    if first + placed.item_record.record_rows > 0 {
        total + lagrange_value(n, first + placed.item_record.record_rows - 1, x)
    } else {
        total
    }
}

/// last(x): the sum of L_i(x) over the segments' last rows.
pub fn last_rows_value(n: usize, items: &Seq<SheetItem>, x: Scalar) -> Scalar {
    let mut total = scalar_zero();
    for k in 0..items.len() {
        total = last_rows_value_step(total, n, &items[k], x);
    }
    total
}

/// One step of [`identity_value`].
pub fn identity_value_step(total: Scalar, n: usize, placed: &SheetItem, rho: Scalar, x: Scalar) -> Scalar {
    total + rho * interval_value(n, placed.item_record.record_first, placed.item_record.record_rows, x)
}

/// id(x): the sum of ρ_k L_i(x) over the positions i of the rows of each segment k.
pub fn identity_value(n: usize, items: &Seq<SheetItem>, rhos: &Seq<Scalar>, x: Scalar) -> Scalar {
    let mut total = scalar_zero();
    for k in 0..items.len() {
        total = identity_value_step(total, n, &items[k], scalar_at(rhos, k), x);
    }
    total
}
