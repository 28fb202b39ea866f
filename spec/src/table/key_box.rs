//! Boxes of keys: which runs of a column a query asks for.
//!
//! The key of a run's head is a prefix, which names table and column, and behind it the key columns
//! and the run's number, each of a fixed width. A box has for each of these a list of closed
//! intervals; its keys are those with the prefix and with each column in one of its intervals.
//! Byte order is the order of the columns, one after the other, so the keys of a box from some byte
//! string on begin with a least one, which [`box_next`] finds column by column, from the last:
//!
//! ```text
//! least[i]  the least digits of the columns from i on
//! next[i]   the least digits of the columns from i on that are not below the asked ones:
//!           the asked digits of column i || next[i + 1], if both exist;
//!           else the least digits of column i above the asked ones || least[i + 1]
//! ```
//!
//! Source: docs/tables.md, "Boxes".

use crate::base::bytes::*;
use crate::base::integers::*;
use hacspec_lib::*;

/// The digits of a column from one up to another, both included.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyInterval {
    /// The least digits.
    pub interval_low: ByteString,
    /// The greatest digits.
    pub interval_high: ByteString,
}

/// A column of a box.
#[derive(Clone, Debug, Default)]
pub struct BoxColumn {
    /// How many bytes the column has in a key.
    pub box_column_width: usize,
    /// What is asked of it: disjoint intervals, ascending.
    pub box_column_intervals: Seq<KeyInterval>,
}

/// A set of keys.
#[derive(Clone, Debug, Default)]
pub struct KeyBox {
    /// What all keys begin with.
    pub box_prefix: ByteString,
    /// The columns behind it.
    pub box_columns: Seq<BoxColumn>,
}

/// How far [`box_next`] has come: it looks at the columns from the last to the first.
#[derive(Clone, Debug, Default)]
pub struct BoxSeek {
    /// How many of the asked digits it has not looked at.
    pub seek_rest: usize,
    /// The least digits of the columns behind that are not below the asked ones.
    pub seek_next: Option<ByteString>,
    /// The least digits of the columns behind.
    pub seek_least: ByteString,
}

/// One step of [`bytes_below_ends`].
pub fn bytes_below_ends_step(found: usize, digits: &ByteString, i: usize) -> usize {
    if digits[i] == 255u8 { found } else { i + 1 }
}

/// How many bytes there are up to the last that is not 255; 0 where there is none.
pub fn bytes_below_ends(digits: &ByteString) -> usize {
    let mut found = 0;
    for i in 0..digits.len() {
        found = bytes_below_ends_step(found, digits, i);
    }
    found
}

/// The number above, of the same width; none above the greatest.
pub fn digits_above(digits: &ByteString) -> Option<ByteString> {
    let end = bytes_below_ends(digits);
    if end < 1 {
        None
    } else {
        let raised = single_byte(u8_of_u128(u128_of_u8(digits[end - 1]) + 1));
        Some(digits.slice(0, end - 1).concat(&raised).concat(&ByteString::new(digits.len() - end)))
    }
}

/// Whether an interval begins behind another with at least one number between them.
pub fn interval_follows(before: &KeyInterval, after: &KeyInterval) -> bool {
    match digits_above(&before.interval_high) {
        None => false,
        Some(number) => bytes_less(&number, &after.interval_low),
    }
}

/// One step of [`intervals_canonical`].
pub fn intervals_canonical_step(canonical: bool, width: usize, intervals: &Seq<KeyInterval>, i: usize) -> bool {
    let well_formed = intervals[i].interval_low.len() == width
        && intervals[i].interval_high.len() == width
        && bytes_at_most(&intervals[i].interval_low, &intervals[i].interval_high);
    if i > 0 {
        canonical && well_formed && interval_follows(&intervals[i - 1], &intervals[i])
    } else {
        canonical && well_formed
    }
}

/// Whether intervals ascend, and are neither empty nor adjacent: a set of numbers has one such
/// list.
pub fn intervals_canonical(width: usize, intervals: &Seq<KeyInterval>) -> bool {
    let mut canonical = true;
    for i in 0..intervals.len() {
        canonical = intervals_canonical_step(canonical, width, intervals, i);
    }
    canonical
}

/// One step of [`column_holds`].
pub fn column_holds_step(found: bool, interval: &KeyInterval, digits: &ByteString) -> bool {
    found || (bytes_at_most(&interval.interval_low, digits) && bytes_at_most(digits, &interval.interval_high))
}

/// Whether digits lie in one of a column's intervals.
pub fn column_holds(column: &BoxColumn, digits: &ByteString) -> bool {
    let mut found = false;
    for i in 0..column.box_column_intervals.len() {
        found = column_holds_step(found, &column.box_column_intervals[i], digits);
    }
    found
}

/// The least digits of an interval above some; none where all of it is at most these.
pub fn interval_above(interval: &KeyInterval, digits: &ByteString) -> Option<ByteString> {
    if bytes_less(digits, &interval.interval_low) {
        Some(interval.interval_low.clone())
    } else if bytes_less(digits, &interval.interval_high) {
        digits_above(digits)
    } else {
        None
    }
}

/// One step of [`column_above`].
pub fn column_above_step(found: Option<ByteString>, interval: &KeyInterval, digits: &ByteString) -> Option<ByteString> {
    match found {
        Some(earlier) => Some(earlier),
        None => interval_above(interval, digits),
    }
}

/// The least digits of a column above some.
pub fn column_above(column: &BoxColumn, digits: &ByteString) -> Option<ByteString> {
    let mut found = None;
    for i in 0..column.box_column_intervals.len() {
        found = column_above_step(found, &column.box_column_intervals[i], digits);
    }
    found
}

/// The least digits of a column; of none where it has no interval.
pub fn column_least(column: &BoxColumn) -> ByteString {
    if column.box_column_intervals.len() > 0 {
        column.box_column_intervals[0usize].interval_low.clone()
    } else {
        ByteString::new(0)
    }
}

/// One step of [`box_width`].
pub fn box_width_step(width: usize, column: &BoxColumn) -> usize {
    width + column.box_column_width
}

/// How many bytes a key of the box has behind the prefix.
pub fn box_width(columns: &Seq<BoxColumn>) -> usize {
    let mut width = 0;
    for i in 0..columns.len() {
        width = box_width_step(width, &columns[i]);
    }
    width
}

/// One step of [`box_inhabited`].
pub fn box_inhabited_step(inhabited: bool, column: &BoxColumn) -> bool {
    inhabited && column.box_column_intervals.len() > 0
}

/// Whether a box has any key: whether each column has an interval.
pub fn box_inhabited(columns: &Seq<BoxColumn>) -> bool {
    let mut inhabited = true;
    for i in 0..columns.len() {
        inhabited = box_inhabited_step(inhabited, &columns[i]);
    }
    inhabited
}

/// The place in a list of so many, counted from its end.
pub fn place_from_end(count: usize, i: usize) -> usize {
    if i < count { count - i - 1 } else { 0 }
}

/// The least digits that are not below the asked ones, of a column and those behind it.
pub fn next_in_column(column: &BoxColumn, digits: &ByteString, seek: &BoxSeek) -> Option<ByteString> {
    let above = match column_above(column, digits) {
        None => None,
        Some(greater) => Some(greater.concat(&seek.seek_least)),
    };
    match &seek.seek_next {
        None => above,
        Some(behind) => {
            if column_holds(column, digits) {
                Some(digits.concat(behind))
            } else {
                above
            }
        }
    }
}

/// One step of [`seek_box`].
pub fn seek_box_step(seek: BoxSeek, column: &BoxColumn, asked: &ByteString) -> BoxSeek {
    let width = column.box_column_width;
    let start = if width <= seek.seek_rest { seek.seek_rest - width } else { 0 };
    let digits = asked.slice(start, seek.seek_rest - start);
    BoxSeek {
        seek_rest: start,
        seek_next: next_in_column(column, &digits, &seek),
        seek_least: column_least(column).concat(&seek.seek_least),
    }
}

/// The state of a search when all columns were looked at, for asked digits of all columns; what is
/// found is above these where `above`, else at least these.
pub fn seek_box(columns: &Seq<BoxColumn>, asked: &ByteString, above: bool) -> BoxSeek {
    let end = if above { None } else { Some(ByteString::new(0)) };
    let mut seek = BoxSeek { seek_rest: asked.len(), seek_next: end, seek_least: ByteString::new(0) };
    for i in 0..columns.len() {
        seek = seek_box_step(seek, &columns[place_from_end(columns.len(), i)], asked);
    }
    seek
}

/// The least digits of a box that are not below a byte string: one that is too short is filled up
/// with zeros, which changes nothing about what is below it; of one that is too long the first
/// digits are below it.
pub fn next_digits(columns: &Seq<BoxColumn>, k: &ByteString) -> Option<ByteString> {
    let width = box_width(columns);
    let asked = k.concat(&ByteString::new(width)).slice(0, width);
    seek_box(columns, &asked, k.len() > width).seek_next
}

/// The prefix before digits, if there are any.
pub fn prefixed(prefix: &ByteString, digits: Option<ByteString>) -> Option<ByteString> {
    match digits {
        None => None,
        Some(found) => Some(prefix.concat(&found)),
    }
}

/// The least key of a box that is at least `k`, whatever byte string that is.
pub fn box_next(key_box: &KeyBox, k: &ByteString) -> Option<ByteString> {
    let prefix = &key_box.box_prefix;
    if !box_inhabited(&key_box.box_columns) {
        None
    } else if first_difference(k, prefix) >= prefix.len() {
        prefixed(prefix, next_digits(&key_box.box_columns, &k.slice(prefix.len(), k.len() - prefix.len())))
    } else if bytes_less(k, prefix) {
        prefixed(prefix, next_digits(&key_box.box_columns, &ByteString::new(0)))
    } else {
        None
    }
}

/// Whether a key lies in a box.
pub fn box_holds(key_box: &KeyBox, k: &ByteString) -> bool {
    match box_next(key_box, k) {
        None => false,
        Some(found) => bytes_equal(&found, k),
    }
}
