//! Whether points lie in the subgroup of order r, eight at a time.
//!
//! φ(x, y) = (β x, -y) is an endomorphism of the curve with φ² - φ + 1 = 0, and multiplies by z² on
//! the subgroup (`crate::glv`). **A point P is in the subgroup if and only if z² P = φ(P)**: then
//! 0 = (φ² - φ + 1) P = (z⁴ - z² + 1) P = r P. z² has 128 bits, 17 of them ones.

use super::complete::Homogeneous;
use super::constants::multiple;
use super::field::{difference, splat};
use super::lanes::{LANES, LIMBS, Lanes, Work};
use super::multiples::KERNEL_BETA;
use super::rows::load_unscaled;
use crate::glv::Z_SQUARED;
use crate::point::Coordinates;

/// Whether each of these points of the curve is in the subgroup of order r; infinity is.
pub(crate) fn in_subgroup<L: Lanes, P: Coordinates>(lanes: L, points: &[P]) -> Vec<bool> {
    points.chunks(LANES).flat_map(|points| lanes.run(Check { points })).take(points.len()).collect()
}

/// At most eight points.
struct Check<'a, P> {
    points: &'a [P],
}

impl<L: Lanes, P: Coordinates> Work<L> for Check<'_, P> {
    type Output = [bool; LANES];

    #[inline(always)]
    fn run(self, lanes: L) -> Self::Output {
        let (row, present) = load_unscaled(lanes, self.points);
        let mut product = Homogeneous::of_row(lanes, &row, u8::MAX);
        for bit in (0..Z_SQUARED.ilog2()).rev() {
            product = product.doubled(lanes);
            if Z_SQUARED >> bit & 1 == 1 {
                product = product.plus_row(lanes, &row);
            }
        }
        let x = lanes.product(&row.x, &splat(lanes, &KERNEL_BETA));
        let y = difference(lanes, &splat(lanes, &[0; LIMBS]), &row.y, &splat(lanes, &multiple(3)));
        let inside = product.equal_to(lanes, &x, &y) | !present;
        core::array::from_fn(|lane| inside >> lane & 1 == 1)
    }
}
