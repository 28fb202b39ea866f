//! φ(x, y) = (β x, -y), z² times points of the subgroup (`crate::glv`), eight at a time.

use super::field::{canonical, from_words, splat, to_words};
use super::lanes::{LANES, Lanes, Work};
use super::multiples::KERNEL_BETA;
use super::rows::NOTHING;
use crate::ffi::fp::from_montgomery;
use crate::point::Point;

/// Puts φ(P) in the place of each point of the curve, z² P if it is in the subgroup.
pub(crate) fn multiply_by_z_squared<L: Lanes>(lanes: L, points: &mut [Point]) {
    lanes.run(Images { points });
}

/// Points, and then their images.
struct Images<'a> {
    points: &'a mut [Point],
}

impl<L: Lanes> Work<L> for Images<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        // A factor in the kernel's form leaves the other in the form that it has, whichever it is.
        let beta = splat(lanes, &KERNEL_BETA);
        for points in self.points.chunks_mut(LANES) {
            let mut x = [&NOTHING; LANES];
            x.iter_mut().zip(points.iter()).for_each(|(x, point)| *x = &point.x.l);
            let x = from_words(lanes, &lanes.transposed(x), 0);
            let images = to_words(lanes, &canonical(lanes, &lanes.product(&x, &beta)));
            for (point, x) in points.iter_mut().zip(images) {
                *point = Point { x: from_montgomery(x), y: point.y }.negated_if(true);
            }
        }
    }
}
