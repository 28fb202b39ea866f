//! Σ k_i P_i for few points: interleaved windows (Straus), eight chains at a time.
//!
//! Term i goes to lane i modulo 8. A lane has one chain of doublings for all of its terms, each
//! with its multiples P .. 8 P and signed digits of four bits; the eight sums are added at the end.
//! Additions are complete ([`super::complete`]), so the sum is exact for any points.

#![allow(clippy::indexing_slicing, reason = "digits are at most 8 in absolute value, and rows are counted")]

use blstrs::G1Projective;

use super::complete::Homogeneous;
use super::lanes::{LANES, Lanes, Work};
use super::multiples::{LARGEST, WINDOW, lanes_by_digit, signed_digits};
use super::rows::load_unscaled;
use crate::point::Coordinates;

/// Σ k_i P_i, with little-endian integers k_i of the same number; the identity if there are none.
pub(crate) fn sum_of_few<L: Lanes, P: Coordinates, const BYTES: usize>(
    lanes: L,
    points: &[P],
    integers: &[[u8; BYTES]],
) -> G1Projective {
    let digits: Vec<Vec<i8>> = integers.iter().map(|integer| signed_digits(integer).collect()).collect();
    let used = |digits: &Vec<i8>| digits.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1);
    let positions = digits.iter().map(used).max().unwrap_or(0);
    lanes.run(Sum { points, digits: &digits, positions })
}

/// A sum by its terms' digits, lowest position first.
struct Sum<'a, P> {
    points: &'a [P],
    digits: &'a [Vec<i8>],
    positions: usize,
}

impl<L: Lanes, P: Coordinates> Work<L> for Sum<'_, P> {
    type Output = G1Projective;

    #[inline(always)]
    fn run(self, lanes: L) -> G1Projective {
        let mut rows = Vec::with_capacity(self.points.len().div_ceil(LANES));
        for points in self.points.chunks(LANES) {
            rows.push(multiples(lanes, points));
        }
        let mut sum = Homogeneous::infinity(lanes);
        for position in (0..self.positions).rev() {
            if position + 1 < self.positions {
                for _ in 0..WINDOW {
                    sum = sum.doubled(lanes);
                }
            }
            for (multiples, digits) in rows.iter().zip(self.digits.chunks(LANES)) {
                let (wanted, negative) = lanes_by_digit(digits.iter().map(|digits| digits[position]));
                if wanted[1..].iter().all(|lanes| *lanes == 0) {
                    continue;
                }
                let mut addend = Homogeneous::infinity(lanes);
                for (multiple, wanted) in multiples.iter().zip(&wanted[1..]) {
                    addend = multiple.or(lanes, *wanted, &addend);
                }
                sum = sum.plus(lanes, &addend.negated_in(lanes, negative));
            }
        }
        sum.total(lanes)
    }
}

/// P, 2 P .. 8 P of at most eight points.
#[inline(always)]
fn multiples<L: Lanes, P: Coordinates>(lanes: L, points: &[P]) -> [Homogeneous<L>; LARGEST] {
    let (row, present) = load_unscaled(lanes, points);
    let one = Homogeneous::of_row(lanes, &row, present);
    let mut multiples = [one; LARGEST];
    for last in 1..LARGEST {
        // The double of a known multiple, or one more than the last.
        multiples[last] = match last % 2 {
            1 => multiples[last / 2].doubled(lanes),
            _ => multiples[last - 1].plus(lanes, &one),
        };
    }
    multiples
}
