//! Queries: a function of a column's numbers, over the runs in a box, with their canonical bytes.
//!
//! ```text
//! query = u8 1 || bytes8(table) || u8 column || u8 function || u64 a || u64 b
//!         || u8 n || (u8 column)* of group by || u8 n || (u16 n || (low || high)*)* of the key columns
//! ```
//!
//! | function | a, b |
//! |---|---|
//! | 1 totals | the highest power that is summed, 0 |
//! | 2 order statistic | its rank, from 1 on; 0 |
//! | 3 `percentile_disc`, 4 `percentile_cont`, 5 top | a/b in lowest terms, at most 1 |
//! | 6 rank | the number's distance from the column's lowest, at most 1 above the cap; 0 |
//! | 7 row | 0, 0 |
//!
//! Only totals are grouped. Intervals are canonical, so two queries that ask for the same have the
//! same bytes. Source: docs/tables.md, "Queries".

use crate::base::bytes::*;
use crate::base::integers::*;
use crate::table::key_box::*;
use hacspec_lib::*;

/// The number of function totals.
pub const FUNCTION_TOTALS: usize = 1;
/// The number of function order statistic.
pub const FUNCTION_ORDER: usize = 2;
/// The number of function `percentile_disc`.
pub const FUNCTION_PERCENTILE_DISC: usize = 3;
/// The number of function `percentile_cont`.
pub const FUNCTION_PERCENTILE_CONT: usize = 4;
/// The number of function top.
pub const FUNCTION_TOP: usize = 5;
/// The number of function rank.
pub const FUNCTION_RANK: usize = 6;
/// The number of function row.
pub const FUNCTION_ROW: usize = 7;
/// More divisions than Euclid's algorithm takes for numbers below 2^64.
pub const MOST_DIVISIONS: usize = 94;
/// The most key columns of a table.
pub const MAX_QUERY_COLUMNS: usize = 8;
/// The most intervals of a column.
pub const MAX_QUERY_INTERVALS: usize = 1024;

/// A query.
#[derive(Clone, Debug, Default)]
pub struct TableQuery {
    /// The table's name.
    pub query_table: ByteString,
    /// The number of the value column.
    pub query_column: usize,
    /// The function's number.
    pub query_function: usize,
    /// Its first parameter.
    pub query_a: u128,
    /// Its second parameter.
    pub query_b: u128,
    /// The numbers of the key columns by which totals are grouped, as they were named.
    pub query_groups: Seq<usize>,
    /// What is asked of each key column.
    pub query_columns: Seq<BoxColumn>,
}

/// What is left of two numbers while their greatest common divisor is looked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DivisorSearch {
    /// The greater.
    pub search_greater: u128,
    /// The smaller.
    pub search_smaller: u128,
}

/// One step of [`greatest_common_divisor`].
pub fn greatest_common_divisor_step(search: DivisorSearch) -> DivisorSearch {
    if search.search_smaller == 0 {
        search
    } else {
        DivisorSearch {
            search_greater: search.search_smaller,
            search_smaller: search.search_greater % search.search_smaller,
        }
    }
}

/// The greatest common divisor of numbers below 2^64, by Euclid's algorithm.
pub fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    let mut search = DivisorSearch { search_greater: a, search_smaller: b };
    for _i in 0..MOST_DIVISIONS {
        search = greatest_common_divisor_step(search);
    }
    search.search_greater
}

/// Whether a/b is a fraction from 0 to 1 in lowest terms.
pub fn fraction_legal(a: u128, b: u128) -> bool {
    b >= 1 && a <= b && greatest_common_divisor(b, a) == 1
}

/// Whether a function has such parameters, of a column with this cap and so many moments.
pub fn parameters_of_function_legal(function: usize, a: u128, b: u128, cap: u128, moments: usize) -> bool {
    if function == FUNCTION_TOTALS {
        a <= u128_of_usize(moments) && b == 0
    } else if function == FUNCTION_ORDER {
        a >= 1 && b == 0
    } else if function >= FUNCTION_PERCENTILE_DISC && function <= FUNCTION_TOP {
        fraction_legal(a, b)
    } else if function == FUNCTION_RANK {
        a <= cap + 1 && b == 0
    } else {
        function == FUNCTION_ROW && a == 0 && b == 0
    }
}

/// One step of [`names_column`].
pub fn names_column_step(found: bool, groups: &Seq<usize>, i: usize, column: usize) -> bool {
    found || groups[i] == column
}

/// Whether one of the first columns of `group by` is this one.
pub fn names_column(groups: &Seq<usize>, count: usize, column: usize) -> bool {
    let mut found = false;
    for i in 0..count {
        found = names_column_step(found, groups, i, column);
    }
    found
}

/// One step of [`groups_legal`].
pub fn groups_legal_step(legal: bool, groups: &Seq<usize>, columns: usize, i: usize) -> bool {
    legal && groups[i] < columns && !names_column(groups, i, groups[i])
}

/// Whether `group by` names key columns, each at most once.
pub fn groups_legal(groups: &Seq<usize>, columns: usize) -> bool {
    let mut legal = true;
    for i in 0..groups.len() {
        legal = groups_legal_step(legal, groups, columns, i);
    }
    legal
}

/// One step of [`columns_legal`].
pub fn columns_legal_step(legal: bool, columns: &Seq<BoxColumn>, widths: &Seq<usize>, i: usize) -> bool {
    if i < widths.len() {
        legal
            && columns[i].box_column_width == widths[i]
            && columns[i].box_column_intervals.len() <= MAX_QUERY_INTERVALS
            && intervals_canonical(widths[i], &columns[i].box_column_intervals)
    } else {
        false
    }
}

/// Whether the columns of a query are those of a table, with canonical intervals.
pub fn columns_legal(columns: &Seq<BoxColumn>, widths: &Seq<usize>) -> bool {
    let mut legal = columns.len() == widths.len() && columns.len() <= MAX_QUERY_COLUMNS;
    for i in 0..columns.len() {
        legal = columns_legal_step(legal, columns, widths, i);
    }
    legal
}

/// Whether a query is one of a table whose key columns have these widths, and whose value column
/// has this cap and so many moments.
pub fn table_query_legal(query: &TableQuery, widths: &Seq<usize>, cap: u128, moments: usize) -> bool {
    parameters_of_function_legal(query.query_function, query.query_a, query.query_b, cap, moments)
        && query.query_a < 18_446_744_073_709_551_616
        && query.query_b < 18_446_744_073_709_551_616
        && (query.query_groups.len() == 0 || query.query_function == FUNCTION_TOTALS)
        && groups_legal(&query.query_groups, widths.len())
        && columns_legal(&query.query_columns, widths)
}

/// One step of [`encode_intervals`].
pub fn encode_intervals_step(encoded: ByteString, interval: &KeyInterval) -> ByteString {
    encoded.concat(&interval.interval_low).concat(&interval.interval_high)
}

/// `(low || high)*`
pub fn encode_intervals(intervals: &Seq<KeyInterval>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..intervals.len() {
        encoded = encode_intervals_step(encoded, &intervals[i]);
    }
    encoded
}

/// One step of [`encode_box_columns`].
pub fn encode_box_columns_step(encoded: ByteString, column: &BoxColumn) -> ByteString {
    encoded
        .concat(&u16_bytes(column.box_column_intervals.len()))
        .concat(&encode_intervals(&column.box_column_intervals))
}

/// `(u16 n || (low || high)*)*`
pub fn encode_box_columns(columns: &Seq<BoxColumn>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..columns.len() {
        encoded = encode_box_columns_step(encoded, &columns[i]);
    }
    encoded
}

/// One step of [`encode_group_columns`].
pub fn encode_group_columns_step(encoded: ByteString, column: usize) -> ByteString {
    encoded.concat(&u8_bytes(column))
}

/// `(u8 column)*`
pub fn encode_group_columns(groups: &Seq<usize>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..groups.len() {
        encoded = encode_group_columns_step(encoded, groups[i]);
    }
    encoded
}

/// The canonical bytes of a legal query.
pub fn encode_table_query(query: &TableQuery) -> ByteString {
    u8_bytes(1)
        .concat(&bytes8(&query.query_table))
        .concat(&u8_bytes(query.query_column))
        .concat(&u8_bytes(query.query_function))
        .concat(&big_endian(query.query_a, 8))
        .concat(&big_endian(query.query_b, 8))
        .concat(&u8_bytes(query.query_groups.len()))
        .concat(&encode_group_columns(&query.query_groups))
        .concat(&u8_bytes(query.query_columns.len()))
        .concat(&encode_box_columns(&query.query_columns))
}
