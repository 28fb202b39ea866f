//! P_1 + 2 P_2 + 3 P_3 + … of several lists of points, eight lists at a time, one a lane.

#![allow(clippy::indexing_slicing, reason = "lists are cut to lanes")]

use blstrs::G1Projective;

use super::complete::Homogeneous;
use super::lanes::{LANES, Lanes, Work};
use super::rows::load_unscaled;
use crate::point::Point;

/// Σ_i i P_i, i from 1 on, of each list.
pub(crate) fn running_sums<L: Lanes>(lanes: L, lists: &[&[Point]]) -> Vec<G1Projective> {
    lists.chunks(LANES).flat_map(|lists| lanes.run(Sums { lists })).take(lists.len()).collect()
}

/// At most eight lists.
struct Sums<'a> {
    lists: &'a [&'a [Point]],
}

impl<L: Lanes> Work<L> for Sums<'_> {
    type Output = [G1Projective; LANES];

    #[inline(always)]
    fn run(self, lanes: L) -> Self::Output {
        let (mut suffix, mut total) = (Homogeneous::infinity(lanes), Homogeneous::infinity(lanes));
        let longest = self.lists.iter().map(|list| list.len()).max().unwrap_or(0);
        for place in (0..longest).rev() {
            let mut points = [Point::INFINITY; LANES];
            for (point, list) in points.iter_mut().zip(self.lists) {
                *point = list.get(place).copied().unwrap_or(Point::INFINITY);
            }
            let (row, present) = load_unscaled(lanes, &points);
            suffix = suffix.plus(lanes, &Homogeneous::of_row(lanes, &row, present));
            total = total.plus(lanes, &suffix);
        }
        total.points(lanes)
    }
}
