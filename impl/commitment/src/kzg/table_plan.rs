//! Chooses the shapes of precomputed tables that fit a memory budget.

use aardvark_algebra::table::{MINIMUM_WINDOW, TableShape};
use aardvark_algebra::{BucketTable, G1Affine};

/// How many bits the window of the own table is smaller than that of the basis.
const OWN_BITS_LESS: usize = 2;
/// Largest window of the basis. Beyond it entries miss every cache, and needing fewer of them does
/// not pay.
const LARGEST_WINDOW: usize = 8;
/// Strides to choose from.
const STRIDES: [usize; 5] = [1, 2, 4, 8, 16];
/// Terms that a sum has when shapes are compared: a block of 10,000 operations writes to each of
/// 1,000 vectors so often.
const TERMS_A_SUM: usize = 10;

/// Something of each of the three tables: buckets, basis, own.
pub(super) type Points<T> = [T; 3];

/// Which tables of N bases a budget has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) bases: usize,
    pub(super) buckets: bool,
    /// What the basis' table holds, if there is one; then there is an own table too.
    pub(super) shape: Option<TableShape>,
}

impl Plan {
    pub(super) fn within(bases: usize, budget: usize) -> Self {
        let buckets = BucketTable::bytes_for(bases) <= budget;
        let rest = if buckets { budget - BucketTable::bytes_for(bases) } else { budget };
        Self { bases, buckets, shape: shape_within(bases, rest) }
    }

    pub(super) fn own_shape(&self) -> Option<TableShape> {
        self.shape.map(own_shape)
    }

    /// How many points each table has: buckets, basis, own.
    pub(super) fn points(&self) -> Points<usize> {
        let buckets = if self.buckets { BucketTable::bytes_for(self.bases) } else { 0 };
        let fixed = |shape: Option<TableShape>| shape.map_or(0, |shape| shape.bytes(self.bases));
        [buckets, fixed(self.shape), fixed(self.own_shape())].map(|bytes| bytes / size_of::<G1Affine>())
    }
}

fn own_shape(basis: TableShape) -> TableShape {
    TableShape::new(basis.window().saturating_sub(OWN_BITS_LESS), basis.stride())
}

/// The shape of the basis' table that costs a sum of [`TERMS_A_SUM`] terms least, of those with
/// which both window tables fit; of equal ones the smallest.
fn shape_within(bases: usize, bytes: usize) -> Option<TableShape> {
    let total = |shape: &TableShape| shape.bytes(bases) + own_shape(*shape).bytes(bases);
    let cost = |shape: &TableShape| (shape.cost(TERMS_A_SUM), total(shape));
    (MINIMUM_WINDOW..=LARGEST_WINDOW)
        .flat_map(|window| STRIDES.map(|stride| TableShape::new(window, stride)))
        .filter(|shape| total(shape) <= bytes)
        .min_by_key(cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_budget_gets_a_faster_table() {
        let shape = |megabytes: usize| {
            let plan = Plan::within(1024, megabytes * 1_000_000);
            plan.shape.map(|shape| (shape.window(), shape.stride()))
        };
        assert_eq!(shape(300), Some((8, 1)));
        assert_eq!(shape(272), Some((8, 2)));
        assert_eq!(shape(80), Some((8, 4)));
        assert_eq!(shape(40), Some((8, 8)));
        assert_eq!(shape(1), None);
    }
}
