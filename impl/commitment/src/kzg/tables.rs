//! Precomputed multiples of the ceremony's points, for provers and validators that run for long.
//!
//! Three tables, all asked for by [`super::Kzg::with_tables`] or [`super::Kzg::load_tables`], never
//! by a plain start:
//!
//! - **basis**, a [`FixedBaseTable`] over `[L_i(τ)]_1`: updates of commitments, and of openings at
//!   other indices, are sums of its entries. An opening's update needs no a_k of its own, since a_k
//!   = L_k / c_k is a known multiple (`update.rs`).
//! - **own**, a [`FixedBaseTable`] over u_i, with smaller digits: an opening meets its own index
//!   once where it meets others N - 1 times.
//! - **buckets**, a [`BucketTable`] over the basis: commit and open, which use all bases at once.
//!
//! The budget goes to the buckets first (2.4 MB at N = 1,024), then to the fastest shape of the
//! basis' table that leaves room for the own table with digits of `OWN_BITS_LESS` bits less
//! (`table_plan.rs`): a small budget leaves out positions of digits, for a few doublings a sum.
//! What does not fit is not built, and the plain computation serves in its place. Tables can be
//! kept in a file (`table_file.rs`).

use std::path::Path;
use std::time::{Duration, Instant};

use aardvark_algebra::table::TableShape;
use aardvark_algebra::{BucketTable, FixedBaseTable, G1Affine};

use super::table_file::{self, TableFileError};
use super::table_plan::Plan;

/// Bytes of tables that a long-running process asks for if nobody says otherwise: 80 MB, which at N
/// = 1,024 hold every fourth position of digits of eight bits (71 MB). All positions take 273 MB,
/// and save a sum 24 doublings.
pub const DEFAULT_TABLE_BYTES: usize = 80_000_000;

/// What was built within a budget, and what it cost.
#[derive(Debug)]
pub struct Tables {
    plan: Plan,
    pub(super) basis: Option<FixedBaseTable>,
    pub(super) own: Option<FixedBaseTable>,
    pub(super) buckets: Option<BucketTable>,
    build_time: Duration,
}

impl Tables {
    /// The tables of a basis within `budget` bytes; `own` is asked for u_i only if their table
    /// fits.
    pub(super) fn build(basis: &[G1Affine], own: impl FnOnce() -> Vec<G1Affine>, budget: usize) -> Self {
        let start = Instant::now();
        let plan = Plan::within(basis.len(), budget);
        let buckets = plan.buckets.then(|| BucketTable::new(basis));
        let own = plan.own_shape().map(|shape| FixedBaseTable::of_shape(&own(), shape));
        let basis = plan.shape.map(|shape| FixedBaseTable::of_shape(basis, shape));
        Self { plan, basis, own, buckets, build_time: start.elapsed() }
    }

    /// The tables that a file keeps for a basis of `bases` points within `budget` bytes.
    pub(super) fn load(
        path: &Path,
        bases: usize,
        budget: usize,
        setup_digest: &[u8; 32],
    ) -> Result<Self, TableFileError> {
        let start = Instant::now();
        let plan = Plan::within(bases, budget);
        let [buckets, basis, own] = table_file::read(path, &plan, setup_digest)?;
        let fixed = |shape: Option<TableShape>, points| FixedBaseTable::from_entries(bases, shape?, points);
        let buckets = if plan.buckets { BucketTable::from_entries(bases, buckets) } else { None };
        let (basis, own) = (fixed(plan.shape, basis), fixed(plan.own_shape(), own));
        Ok(Self { plan, basis, own, buckets, build_time: start.elapsed() })
    }

    /// Writes the tables to a file.
    pub(super) fn save(&self, path: &Path, setup_digest: &[u8; 32]) -> Result<(), TableFileError> {
        let [basis, own] =
            [&self.basis, &self.own].map(|table| table.as_ref().map_or(&[][..], FixedBaseTable::entries));
        let buckets = self.buckets.as_ref().map_or(&[][..], BucketTable::entries);
        table_file::write(path, &self.plan, setup_digest, [buckets, basis, own])
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> usize {
        let fixed = [&self.basis, &self.own].into_iter().flatten().map(FixedBaseTable::bytes).sum::<usize>();
        fixed + self.buckets.as_ref().map_or(0, BucketTable::bytes)
    }

    /// What the basis' table holds of each base; `None` if the budget had no room for one.
    pub fn shape(&self) -> Option<TableShape> {
        self.basis.as_ref().map(FixedBaseTable::shape)
    }

    /// Wall time of the building, or of the reading.
    pub fn build_time(&self) -> Duration {
        self.build_time
    }
}
