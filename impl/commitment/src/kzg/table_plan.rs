//! Chooses the sizes of precomputed tables that fit a memory budget.

use aardvark_algebra::table::MINIMUM_WINDOW;
use aardvark_algebra::{BucketTable, FixedBaseTable, G1Affine};

/// How many bits the window of the own table is smaller than that of the basis.
const OWN_BITS_LESS: usize = 2;
/// Largest window of the basis. Beyond it entries miss every cache, and needing fewer of them does
/// not pay.
const LARGEST_WINDOW: usize = 8;

/// Something of each of the three tables: buckets, basis, own.
pub(super) type Points<T> = [T; 3];

/// Which tables of N bases a budget has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) bases: usize,
    pub(super) buckets: bool,
    /// Bits of a digit in the basis' table, if there is one; then there is an own table too.
    pub(super) window: Option<usize>,
}

impl Plan {
    pub(super) fn within(bases: usize, budget: usize) -> Self {
        let buckets = BucketTable::bytes_for(bases) <= budget;
        let rest = if buckets { budget - BucketTable::bytes_for(bases) } else { budget };
        Self { bases, buckets, window: window_within(bases, rest) }
    }

    pub(super) fn own_window(&self) -> Option<usize> {
        self.window.map(own_window)
    }

    /// How many points each table has: buckets, basis, own.
    pub(super) fn points(&self) -> Points<usize> {
        let buckets = if self.buckets { BucketTable::bytes_for(self.bases) } else { 0 };
        let fixed = |window: Option<usize>| window.map_or(0, |window| FixedBaseTable::bytes_for(self.bases, window));
        [buckets, fixed(self.window), fixed(self.own_window())].map(|bytes| bytes / size_of::<G1Affine>())
    }
}

fn own_window(window: usize) -> usize {
    window.saturating_sub(OWN_BITS_LESS).max(MINIMUM_WINDOW)
}

/// The largest window of the basis with which both window tables fit.
fn window_within(bases: usize, bytes: usize) -> Option<usize> {
    let total =
        |window: usize| FixedBaseTable::bytes_for(bases, window) + FixedBaseTable::bytes_for(bases, own_window(window));
    (MINIMUM_WINDOW..=LARGEST_WINDOW).rev().find(|window| total(*window) <= bytes)
}
