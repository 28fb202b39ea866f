//! What a query about the order of n rows asks for: a cut of them at a rank or at a number.
//!
//! Sorted, the rows are x_(1) <= .. <= x_(n). With k/q in lowest terms:
//!
//! | function | cut |
//! |---|---|
//! | 2 order statistic of rank j | at j, where j <= n |
//! | 3 `percentile_disc` | at max(1, ceil(n k / q)) |
//! | 4 `percentile_cont`, h = (n - 1) k / q | at floor(h) + 1; where h is no integer the next row too |
//! | 5 top, t = max(1, ceil(n k / q)) | at n - t + 1 |
//! | 6 rank of a number | before the number |
//!
//! Of no rows nothing is asked. Source: docs/tables.md, "Order statistics".

use crate::table::table_query::*;
use hacspec_lib::*;

/// What is asked of the order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutGoal {
    /// Nothing: there is no such row.
    NoCut,
    /// The row with a rank, from 1 on.
    AtRank(u128),
    /// The row with a rank and the one behind it.
    AroundRank(u128),
    /// How many rows are below a number.
    BelowNumber(u128),
}

/// max(1, ceil(n k / q)), for q of at least 1.
pub fn share_of_rows(rows: u128, k: u128, q: u128) -> u128 {
    let share = (rows * k + (q - 1)) / q;
    if share >= 1 { share } else { 1 }
}

/// The cut of n rows that interpolation at k/q asks for: h = (n - 1) k / q, for n of at least 1.
pub fn interpolated_goal(rows: u128, k: u128, q: u128) -> CutGoal {
    let product = (rows - 1) * k;
    if product % q == 0 { CutGoal::AtRank(product / q + 1) } else { CutGoal::AroundRank(product / q + 1) }
}

/// What is asked of so many rows, fewer than 2^40, by a function with legal parameters below 2^64.
pub fn cut_goal(function: usize, a: u128, b: u128, rows: u128) -> CutGoal {
    if rows < 1 {
        CutGoal::NoCut
    } else if function == FUNCTION_ORDER {
        if a >= 1 && a <= rows { CutGoal::AtRank(a) } else { CutGoal::NoCut }
    } else if function == FUNCTION_RANK {
        CutGoal::BelowNumber(a)
    } else if b < 1 {
        CutGoal::NoCut
    } else if function == FUNCTION_PERCENTILE_DISC {
        CutGoal::AtRank(share_of_rows(rows, a, b))
    } else if function == FUNCTION_PERCENTILE_CONT {
        interpolated_goal(rows, a, b)
    } else if function == FUNCTION_TOP && share_of_rows(rows, a, b) <= rows {
        CutGoal::AtRank(rows - share_of_rows(rows, a, b) + 1)
    } else {
        CutGoal::NoCut
    }
}
