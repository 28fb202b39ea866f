//! The second pass over a level: from the inverses of its chains' products back to the sums.

use super::{Bounds, Forest};
use crate::kernel::field::{carried, difference, select, splat, thrice};
use crate::kernel::lanes::{Element, LIMBS, Lanes};
use crate::kernel::rows::Row;

/// What the sums of a level are made with: bounds of its coordinates, and of the next one's.
struct FinishBounds<L: Lanes> {
    x: Element<L>,
    three_x: Element<L>,
    y: Element<L>,
    next_x: Element<L>,
}

/// Two pairs on their way: what is left of the chains' inverses, λ and x.
struct Steps<L: Lanes> {
    inverse: [Element<L>; 2],
    lambda: [Element<L>; 2],
    x: [Element<L>; 2],
}

impl<L: Lanes> Forest<L> {
    /// Puts the sums into row a of each pair, walking back through the chains.
    #[inline(always)]
    pub(super) fn finish<const PUBLIC: bool>(&mut self, lanes: L, depth: u32, inverse: [Element<L>; 2]) {
        let (bounds, next) = (Bounds::at(depth), Bounds::at(depth + 1));
        let bounds = FinishBounds {
            x: splat(lanes, &bounds.x),
            three_x: thrice(lanes, &splat(lanes, &bounds.x)),
            y: splat(lanes, &bounds.y),
            next_x: splat(lanes, &next.x),
        };
        let mut steps = Steps { inverse, lambda: inverse, x: inverse };
        let count = self.pairs.len();
        if count % 2 == 1 {
            self.finish_pairs::<_, PUBLIC>(lanes, &bounds, [count - 1], &mut steps);
        }
        for k in (0..count / 2).rev() {
            self.finish_pairs::<_, PUBLIC>(lanes, &bounds, [2 * k + 1, 2 * k], &mut steps);
        }
    }

    /// The sums of pairs of different chains, in step: each product stands beside one that does not
    /// wait for it, so that the processor works on both.
    #[inline(always)]
    fn finish_pairs<const N: usize, const PUBLIC: bool>(
        &mut self,
        lanes: L,
        bounds: &FinishBounds<L>,
        numbers: [usize; N],
        Steps { inverse, lambda, x }: &mut Steps<L>,
    ) {
        let pairs = numbers.map(|k| self.pairs[k]);
        for (j, k) in numbers.into_iter().enumerate() {
            lanes.set_product(&mut lambda[j], &inverse[k % 2], &self.before[k]);
        }
        for (j, k) in numbers.into_iter().enumerate() {
            lanes.multiply(&mut inverse[k % 2], &self.rows[pairs[j].b].x);
        }
        for j in 0..N {
            lanes.multiply(&mut lambda[j], &self.rows[pairs[j].b].y);
        }
        for j in 0..N {
            lanes.set_square(&mut x[j], &lambda[j]);
        }
        for j in 0..N {
            let (lower, upper) = self.rows.split_at_mut(pairs[j].b);
            let (a, b) = (&lower[pairs[j].a].x, &mut upper[0].x);
            if pairs[j].equal != 0 {
                *b = select(lanes, pairs[j].equal, &bounds.x, b);
            }
            // With the denominator x_2 - x_1 + X, -x_1 - x_2 + 2 X is 3 X - 2 x_1 less it.
            for i in 0..LIMBS {
                let taken = lanes.add(lanes.add(a[i], a[i]), b[i]);
                x[j][i] = lanes.add(x[j][i], lanes.subtract(bounds.three_x[i], taken));
            }
            x[j] = carried(lanes, x[j]);
            // In lanes without two points row b has 1 and no numerator, and this may be negative:
            // nobody reads those.
            *b = difference(lanes, a, &x[j], &bounds.next_x);
        }
        for j in 0..N {
            lanes.multiply(&mut lambda[j], &self.rows[pairs[j].b].x);
        }
        for j in 0..N {
            let a = &mut self.rows[pairs[j].a];
            let sum = Row { x: x[j], y: difference(lanes, &lambda[j], &a.y, &bounds.y) };
            *a = if PUBLIC && pairs[j].both == u8::MAX { sum } else { sum.where_in(lanes, pairs[j].both, a) };
        }
    }
}
