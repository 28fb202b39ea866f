//! Additions of rows of points, one level of a forest of trees at a time.
//!
//! λ = (y_2 - y_1) / (x_2 - x_1), x_3 = λ² - x_1 - x_2, y_3 = λ (x_1 - x_3) - y_1, six products
//! with the share of a common inversion (`crate::group_sums` has the same). The denominators of a
//! level are multiplied together in two chains, so that a product need not wait for the one before
//! it, eight lanes each; all sixteen share one inversion.
//!
//! **Bounds.** At depth k all x are below X_k = (2^(13+k) - 2) p and all y below Y_k = (2^(3+k) -
//! 2) p: a sum has x_3 = λ² - x_1 - x_2 + 2 X_k < 1.5 p + 2 X_k < X_(k+1), and y_3 likewise.
//! Factors of products are below 2^(15+k) p and 1.5 p, which allows depths up to
//! [`DEEPEST`].
//!
//! **Exceptional pairs.** Where two x are equal, the denominator is 0, hence the product of all,
//! which costs nothing to see: only then every denominator is looked at. Equal points get the
//! tangent's λ = 3 x² / 2 y, opposite ones leave their lane without a point. No point has y = 0,
//! for the curve's order is odd, so afterwards no denominator is 0. A lane in which one point is
//! missing, or both, has 1 as its denominator, and its result is what was there.

#![allow(clippy::indexing_slicing, reason = "rows and pairs are those of the trees they were made for")]

mod finish;

use super::constants::{Limbs, ONE, multiple};
use super::field::{difference, select, shrunk, splat, sum, thrice, twice, zeros};
use super::inversion::inverses;
use super::lanes::{Element, LIMBS, Lanes, Work};
use super::rows::{MOST_Y, Row, Words};
use crate::populate::reserve_populated;

/// Levels of a tree at most: factors stay below 2^34 p².
pub(super) const DEEPEST: u32 = 17;

/// Rows that are mostly worked on together: enough for their inversions to cost little, few enough
/// for a megabyte of second-level cache.
pub(super) const MOSTLY: usize = 512;

/// The rows of a tree: those from `start` on, one for each term of the longest sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tree {
    pub(super) start: usize,
    pub(super) rows: usize,
}

/// An addition: row b to row a, a < b, in these lanes.
#[derive(Clone, Copy, Debug)]
struct Pair {
    a: usize,
    b: usize,
    /// Lanes in which both have points, which are not opposite.
    both: u8,
    /// Lanes in which the points are equal.
    equal: u8,
}

impl Pair {
    /// Of these rows, of whose lanes nothing is known yet.
    fn of(a: usize, b: usize) -> Self {
        Self { a, b, both: 0, equal: 0 }
    }
}

/// Rows of points with the lanes that have one, and the memory for the products of denominators.
pub(super) struct Forest<L: Lanes> {
    pub(super) rows: Vec<Row<L>>,
    pub(super) present: Vec<u8>,
    pairs: Vec<Pair>,
    /// For each pair the product of the denominators before it in its chain, and behind them those
    /// of the whole chains. What is beyond was left by larger levels.
    before: Vec<Element<L>>,
}

impl<L: Lanes> Default for Forest<L> {
    fn default() -> Self {
        Self { rows: Vec::new(), present: Vec::new(), pairs: Vec::new(), before: Vec::new() }
    }
}

/// The work of [`Forest::treat_exceptions`], with all instructions allowed to the compiler.
struct Exceptions<'a, L: Lanes>(&'a mut Forest<L>);

impl<L: Lanes> Work<L> for Exceptions<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        self.0.replace_zeros(lanes);
    }
}

/// Bounds of the coordinates at a depth, multiples of p.
struct Bounds {
    x: Limbs,
    y: Limbs,
}

impl Bounds {
    const fn at(depth: u32) -> Self {
        Self { x: multiple((1 << (13 + depth)) - 2), y: multiple(Self::y(depth)) }
    }

    /// Y_k / p.
    const fn y(depth: u32) -> u64 {
        (1 << (3 + depth)) - 2
    }
}

/// Puts the product of the denominators up to number k of its chain behind that before it.
#[inline(always)]
fn chain<L: Lanes>(lanes: L, before: &mut [Element<L>], k: usize, denominator: &Element<L>) {
    let (done, next) = before.split_at_mut(k + 2);
    lanes.set_product(&mut next[0], &done[k], denominator);
}

impl<L: Lanes> Forest<L> {
    /// Forgets all rows, and makes room for so many: from the first time on for as many as are
    /// mostly worked on together, so that growing seldom copies any.
    pub(super) fn start(&mut self, rows: usize) {
        self.rows.clear();
        self.present.clear();
        let room = rows.max(MOSTLY);
        if rows > MOSTLY / 2 {
            // More than half of it is filled now.
            reserve_populated(&mut self.rows, room);
            if self.before.capacity() < room / 2 + 2 {
                self.before.clear();
            }
            reserve_populated(&mut self.before, room / 2 + 2);
        }
        self.rows.reserve(room);
        self.present.reserve(room);
    }

    /// Sums each tree into its first row. Trees are disjoint and have at most 2^[`DEEPEST`] rows.
    #[inline(always)]
    pub(super) fn sum(&mut self, lanes: L, trees: &[Tree]) {
        let mut trees = trees.to_vec();
        for depth in 0..DEEPEST {
            self.pairs.clear();
            for tree in &mut trees {
                // The upper half of each tree is added to the lower.
                let half = tree.rows.div_ceil(2);
                let pair = |row| Pair::of(tree.start + row - half, tree.start + row);
                self.pairs.extend((half..tree.rows).map(pair));
                tree.rows = half;
            }
            if self.pairs.is_empty() {
                return;
            }
            self.level(lanes, depth);
        }
    }

    /// Adds row `count` + i to row i for all i below `count`, rows of coordinates below 6 p, and
    /// brings the sums below 3 p.
    #[inline(always)]
    pub(super) fn add_upper_half(&mut self, lanes: L, count: usize) {
        self.pairs.clear();
        self.pairs.extend((0..count).map(|row| Pair::of(row, count + row)));
        self.level(lanes, 0);
        self.shrink(lanes, count);
    }

    /// Adds the points that `other` gives for i to row i, for all i below `count` in their order.
    /// Rows are within the bounds of a depth below [`DEEPEST`], and sums within those of the next.
    /// Rows `count` to 2 `count` - 1 are there and overwritten.
    ///
    /// For what is public: which lanes have a point decides what is done. One pass makes the
    /// numerators, the denominators and the products of these, while they are in the registers and
    /// the first cache.
    #[inline(always)]
    pub(super) fn add_each<'w>(
        &mut self,
        lanes: L,
        count: usize,
        depth: u32,
        mut other: impl FnMut(usize) -> Words<'w>,
    ) {
        let bounds = Bounds::at(depth);
        let (bound_x, bound_y) = (splat(lanes, &bounds.x), splat(lanes, &multiple(Bounds::y(depth) + MOST_Y)));
        self.pairs.clear();
        self.start_chains(lanes, count);
        for row in 0..count {
            let (lower, upper) = self.rows.split_at_mut(count);
            let (a, b) = (&mut lower[row], &mut upper[row]);
            let words = other(row);
            b.x = difference(lanes, &words.x(lanes), &a.x, &bound_x);
            let (y, in_b) = words.signed_y(lanes);
            b.y = difference(lanes, &y, &a.y, &bound_y);
            let in_a = self.present[row];
            let pair = Pair { both: in_a & in_b, ..Pair::of(row, count + row) };
            if pair.both != u8::MAX {
                b.x = select(lanes, pair.both, &b.x, &splat(lanes, &ONE));
                let (other, _) = words.row(lanes);
                *a = a.where_in(lanes, in_a, &other);
                self.present[row] = in_a | in_b;
            }
            chain(lanes, &mut self.before, row, &b.x);
            self.pairs.push(pair);
        }
        let chains = self.ends_of_chains(count);
        self.finish_level::<true>(lanes, depth, chains);
    }

    /// Brings the coordinates of the first `count` rows below 3 p.
    #[inline(always)]
    pub(super) fn shrink(&mut self, lanes: L, count: usize) {
        for row in &mut self.rows[..count] {
            *row = row.shrunk(lanes);
        }
    }

    /// Doubles the first `count` rows, whose coordinates are below 3 p, as the results' are.
    #[inline(always)]
    pub(super) fn double(&mut self, lanes: L, count: usize) {
        let (one, zero) = (splat(lanes, &ONE), splat(lanes, &[0; LIMBS]));
        let (three_p, six_p) = (splat(lanes, &multiple(3)), splat(lanes, &multiple(6)));
        self.start_chains(lanes, count);
        for (k, (row, present)) in self.rows[..count].iter().zip(&self.present).enumerate() {
            chain(lanes, &mut self.before, k, &select(lanes, *present, &twice(lanes, &row.y), &one));
        }
        let chains = self.ends_of_chains(count);
        // As in `level`: no point has y = 0.
        let mut inverse = inverses(lanes, &chains).unwrap_or([one; 2]);
        for k in (0..count).rev() {
            let (row, present) = (self.rows[k], self.present[k]);
            let inverse = &mut inverse[k % 2];
            let denominator = select(lanes, present, &twice(lanes, &row.y), &one);
            let mut lambda = lanes.product(inverse, &self.before[k]);
            *inverse = lanes.product(inverse, &denominator);
            lambda = lanes.product(&lambda, &thrice(lanes, &lanes.square(&row.x)));
            let less = difference(lanes, &zero, &twice(lanes, &row.x), &six_p);
            let x = shrunk(lanes, &sum(lanes, &lanes.square(&lambda), &less));
            let back = difference(lanes, &row.x, &x, &three_p);
            let y = difference(lanes, &lanes.product(&lambda, &back), &row.y, &three_p);
            self.rows[k] = Row { x, y: shrunk(lanes, &y) };
        }
    }

    #[inline(always)]
    fn level(&mut self, lanes: L, depth: u32) {
        self.prepare(lanes, &Bounds::at(depth));
        let chains = self.chains(lanes);
        self.finish_level::<false>(lanes, depth, chains);
    }

    /// The rest of a level whose pairs are prepared and whose denominators are multiplied. Where it
    /// is `PUBLIC` which lanes have a point, what is done may depend on it.
    #[inline(always)]
    fn finish_level<const PUBLIC: bool>(&mut self, lanes: L, depth: u32, chains: [Element<L>; 2]) {
        let mut inverted = inverses(lanes, &chains);
        if inverted.is_none() {
            self.treat_exceptions(lanes);
            inverted = inverses(lanes, &self.chains(lanes));
        }
        // What is no point of the curve may have y = 0, and its sum is nobody's.
        let inverted = inverted.unwrap_or([splat(lanes, &ONE); 2]);
        self.finish::<PUBLIC>(lanes, depth, inverted);
    }

    /// Replaces row b of each pair by the denominator and the numerator of λ: x by x_b - x_a, y by
    /// y_b - y_a.
    #[inline(always)]
    fn prepare(&mut self, lanes: L, bounds: &Bounds) {
        let (bound_x, bound_y) = (splat(lanes, &bounds.x), splat(lanes, &bounds.y));
        let one = splat(lanes, &ONE);
        for pair in &mut self.pairs {
            let (lower, upper) = self.rows.split_at_mut(pair.b);
            let (a, b) = (&mut lower[pair.a], &mut upper[0]);
            let (in_a, in_b) = (self.present[pair.a], self.present[pair.b]);
            // Without a branch: which lanes have a point may follow from a secret.
            *a = a.where_in(lanes, in_a, b);
            pair.both = in_a & in_b;
            self.present[pair.a] = in_a | in_b;
            let denominator = difference(lanes, &b.x, &a.x, &bound_x);
            b.x = select(lanes, pair.both, &denominator, &one);
            b.y = difference(lanes, &b.y, &a.y, &bound_y);
        }
    }

    /// The products of the denominators, of every second pair each.
    #[inline(always)]
    fn chains(&mut self, lanes: L) -> [Element<L>; 2] {
        let count = self.pairs.len();
        self.start_chains(lanes, count);
        for (k, pair) in self.pairs.iter().enumerate() {
            chain(lanes, &mut self.before, k, &self.rows[pair.b].x);
        }
        self.ends_of_chains(count)
    }

    /// Makes room for the products of so many denominators, and begins both chains with 1.
    #[inline(always)]
    fn start_chains(&mut self, lanes: L, count: usize) {
        let one = splat(lanes, &ONE);
        if self.before.len() < count + 2 {
            // What the level before left there is of no use, and not copied.
            self.before.clear();
            self.before.resize(count + 2, one);
        }
        self.before[..2].fill(one);
    }

    /// The products of all denominators of each chain.
    #[inline(always)]
    fn ends_of_chains(&self, count: usize) -> [Element<L>; 2] {
        [self.before[count + count % 2], self.before[count + 1 - count % 2]]
    }

    /// Looks for denominators that are 0, and replaces them.
    #[cold]
    #[inline(never)]
    fn treat_exceptions(&mut self, lanes: L) {
        lanes.run(Exceptions(self));
    }

    #[inline(always)]
    fn replace_zeros(&mut self, lanes: L) {
        let one = splat(lanes, &ONE);
        for pair in &mut self.pairs {
            let (lower, upper) = self.rows.split_at_mut(pair.b);
            let (a, b) = (&lower[pair.a], &mut upper[0]);
            let same_x = zeros(lanes, &b.x) & pair.both;
            if same_x == 0 {
                continue;
            }
            pair.equal = zeros(lanes, &b.y) & same_x;
            let opposite = same_x & !pair.equal;
            pair.both &= !opposite;
            self.present[pair.a] &= !opposite;
            let numerator = thrice(lanes, &lanes.square(&lanes.product(&a.x, &one)));
            b.x = select(lanes, pair.equal, &twice(lanes, &a.y), &b.x);
            b.x = select(lanes, opposite, &one, &b.x);
            b.y = select(lanes, pair.equal, &numerator, &b.y);
        }
    }
}
