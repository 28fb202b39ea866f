//! Precomputed multiples of the ceremony's points, for provers and validators that run for long.
//!
//! Three tables, all asked for by [`super::Kzg::with_tables`] and built there, never by a plain start:
//!
//! - **basis**, a [`FixedBaseTable`] over `[L_i(τ)]_1`: updates of commitments, and of openings at other indices, are sums of its entries. An opening's update
//!   needs no a_k of its own, since a_k = L_k / c_k is a known multiple (`update.rs`).
//! - **own**, a [`FixedBaseTable`] over u_i, with smaller digits: an opening meets its own index once where it meets others N - 1 times.
//! - **buckets**, a [`BucketTable`] over the basis: commit and open, which use all bases at once.
//!
//! The budget goes to the buckets first (2.4 MB at N = 1,024), then to the largest window of the basis that leaves room for the own table at
//! [`OWN_BITS_LESS`] bits less. What does not fit is not built, and the plain computation serves in its place.

use std::time::{Duration, Instant};

use aardvark_algebra::table::MINIMUM_WINDOW;
use aardvark_algebra::{BucketTable, FixedBaseTable, G1Affine};

/// Bytes of tables that a long-running process asks for if nobody says otherwise: 512 MB.
pub const DEFAULT_TABLE_BYTES: usize = 512_000_000;

/// How many bits the window of the own table is smaller than that of the basis.
const OWN_BITS_LESS: usize = 2;
/// Largest window of the basis: beyond it entries are no longer in any cache, and fewer of them do not pay.
const LARGEST_WINDOW: usize = 8;

/// What was built within a budget, and what it cost.
#[derive(Debug)]
pub struct Tables {
    pub(super) basis: Option<FixedBaseTable>,
    pub(super) own: Option<FixedBaseTable>,
    pub(super) buckets: Option<BucketTable>,
    build_time: Duration,
}

impl Tables {
    /// The tables of a basis within `budget` bytes; `own` is asked for u_i only if their table fits.
    pub(super) fn build(basis: &[G1Affine], own: impl FnOnce() -> Vec<G1Affine>, budget: usize) -> Self {
        let start = Instant::now();
        let bases = basis.len();
        let buckets_fit = BucketTable::bytes_for(bases) <= budget;
        let rest = if buckets_fit { budget - BucketTable::bytes_for(bases) } else { budget };
        let window = window_within(bases, rest);
        let buckets = buckets_fit.then(|| BucketTable::new(basis));
        let own = window.map(|window| FixedBaseTable::new(&own(), own_window(window)));
        let basis = window.map(|window| FixedBaseTable::new(basis, window));
        Self { basis, own, buckets, build_time: start.elapsed() }
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> usize {
        let fixed = [&self.basis, &self.own].into_iter().flatten().map(FixedBaseTable::bytes).sum::<usize>();
        fixed + self.buckets.as_ref().map_or(0, BucketTable::bytes)
    }

    /// Bits of a digit in the basis' table; `None` if the budget had no room for one.
    pub fn window(&self) -> Option<usize> {
        self.basis.as_ref().map(FixedBaseTable::window)
    }

    /// Wall time of the building.
    pub fn build_time(&self) -> Duration {
        self.build_time
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
