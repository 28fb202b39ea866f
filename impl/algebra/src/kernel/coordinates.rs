//! Points by both of their coordinates, eight at a time: whether y² = x³ + 4.

use super::constants::{FOUR, R_SQUARED, multiple};
use super::field::{canonical, difference, splat, sum, to_words, zeros};
use super::lanes::{LANES, Lanes, WORDS, Work};
use super::roots::{INTEGER_OUT, integers};
use crate::ffi::fp::from_montgomery;
use crate::point::Point;

/// Points that go in step.
pub(crate) const COORDINATES_IN_STEP: usize = LANES;

/// The integers below p that are the coordinates of eight points.
pub(crate) struct BothCoordinates {
    pub(crate) x: [[u64; WORDS]; LANES],
    pub(crate) y: [[u64; WORDS]; LANES],
}

impl<L: Lanes> Work<L> for &BothCoordinates {
    /// The points, and a bit for each that is on the curve.
    type Output = ([Point; LANES], u8);

    #[inline(always)]
    fn run(self, lanes: L) -> Self::Output {
        let (x, y) = (integers(lanes, &self.x), integers(lanes, &self.y));
        let (r_squared, out) = (splat(lanes, &R_SQUARED), splat(lanes, &INTEGER_OUT));
        let in_form = lanes.product(&x, &r_squared);
        let cube = lanes.product(&lanes.square(&in_form), &in_form);
        let right = sum(lanes, &cube, &splat(lanes, &FOUR));
        let left = lanes.square(&lanes.product(&y, &r_squared));
        let on_curve = zeros(lanes, &difference(lanes, &left, &right, &splat(lanes, &multiple(3))));
        let x = to_words(lanes, &canonical(lanes, &lanes.product(&x, &out)));
        let y = to_words(lanes, &canonical(lanes, &lanes.product(&y, &out)));
        let mut points = [Point::INFINITY; LANES];
        for (point, (x, y)) in points.iter_mut().zip(x.into_iter().zip(y)) {
            *point = Point { x: from_montgomery(x), y: from_montgomery(y) };
        }
        (points, on_curve)
    }
}
