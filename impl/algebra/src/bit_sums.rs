//! Σ d B_d of buckets B_1, B_2, …, by the bits of d.
//!
//! Σ d B_d = Σ_b 2^b S_b, where S_b is the sum of all B_d with bit b in d. With d = u 2^h + v, the
//! bits of v need only the columns' sums Σ_u B_(u,v), and those of u the rows' Σ_v B_(u,v): two
//! additions a bucket, and a few more for the square root of as many. All of them are sums of
//! groups ([`crate::group_sums`]), trees with shared inversions, where a running sum P_1 + 2 P_2 +
//! 3 P_3 + … would be one chain of additions that wait for each other.
//!
//! What is left is a doubling and an addition for each bit, and of windows that follow each other
//! in an integer the doublings are those that bring the windows together anyhow.
//!
//! Exact on the whole curve, since group sums are.

#![allow(clippy::indexing_slicing, reason = "a span has as many sums as it was given groups")]

use core::ops::Range;

use blstrs::{G1Affine, G1Projective};
use group::Group;

use crate::group_sums::group_sums;
use crate::point::{Member, Point};

/// Bits of the largest weight, the number of buckets: how many sums [`bit_sums`] makes of them.
pub(crate) fn bits_of(buckets: usize) -> usize {
    (usize::BITS - buckets.leading_zeros()) as usize
}

/// S_0, S_1, … of the buckets from one start to the next, then those of the next; [`bits_of`] says
/// how many.
pub(crate) fn bit_sums(buckets: &[Point], starts: &[usize]) -> Vec<Point> {
    let spans: Vec<Span> = starts.windows(2).map(|pair| Span::new(pair[0]..pair[1])).collect();
    let mut lists = Groups::default();
    spans.iter().for_each(|span| span.rows_and_columns(&mut lists));
    let sums = lists.sums(buckets);
    let (mut groups, mut start) = (Groups::default(), 0);
    for span in &spans {
        groups.by_bits(start + span.rows, span.columns);
        groups.by_bits(start, span.rows);
        start += span.rows + span.columns;
    }
    groups.sums(&sums)
}

/// Σ_b 2^b S_b.
pub(crate) fn total(bit_sums: &[Point]) -> G1Projective {
    let add = |total: G1Projective, sum: &Point| total.double() + G1Affine::from(*sum);
    bit_sums.iter().rev().fold(G1Projective::identity(), add)
}

/// Buckets that weigh 1, 2, 3, … by their numbers, as rows 0 to `rows` and columns 0 to `columns`.
struct Span {
    buckets: Range<usize>,
    rows: usize,
    columns: usize,
    /// Bits of a column's number.
    low_bits: usize,
}

impl Span {
    fn new(buckets: Range<usize>) -> Self {
        let low_bits = bits_of(buckets.len()) / 2;
        Self { rows: buckets.len() >> low_bits, columns: (1 << low_bits) - 1, low_bits, buckets }
    }

    /// A group for each row but the first, then one for each column but the first.
    fn rows_and_columns(&self, groups: &mut Groups) {
        let place = |row: usize, column: usize| {
            let weight = row << self.low_bits | column;
            (weight <= self.buckets.len()).then(|| self.buckets.start + weight - 1)
        };
        for row in 1..=self.rows {
            groups.push((0..=self.columns).filter_map(|column| place(row, column)));
        }
        for column in 1..=self.columns {
            groups.push((0..=self.rows).filter_map(|row| place(row, column)));
        }
    }
}

/// Groups of places in a list.
#[derive(Default)]
struct Groups {
    members: Vec<Member>,
    ends: Vec<usize>,
}

impl Groups {
    fn push(&mut self, places: impl Iterator<Item = usize>) {
        self.members.extend(places.map(|place| Member::new(place, false)));
        self.ends.push(self.members.len());
    }

    /// A group for each bit of the weights 1 to `count`, whose places begin at `start`.
    fn by_bits(&mut self, start: usize, count: usize) {
        for bit in 0..bits_of(count) {
            self.push((1..=count).filter(|weight| weight >> bit & 1 == 1).map(|weight| start + weight - 1));
        }
    }

    fn sums(&self, points: &[Point]) -> Vec<Point> {
        group_sums(points, &self.members, &self.ends)
    }
}

#[cfg(test)]
mod tests {
    use blstrs::Scalar;

    use super::*;

    #[test]
    fn sums_by_bits_make_up_the_weighted_sum() {
        let generator = G1Projective::generator();
        // Equal and opposite points, and infinity.
        let point = |k: usize| match k % 7 {
            3 => Point::INFINITY,
            4 => Point::from(&G1Affine::from(-generator)),
            _ => Point::from(&G1Affine::from(generator * Scalar::from((k * k % 23) as u64))),
        };
        let sizes = [0, 1, 2, 3, 0, 4, 7, 8, 15, 16, 100, 128, 511];
        let starts: Vec<usize> = core::iter::once(0)
            .chain(sizes.iter().scan(0, |end, size| {
                *end += size;
                Some(*end)
            }))
            .collect();
        let buckets: Vec<Point> = (0..starts[sizes.len()]).map(point).collect();
        let sums = bit_sums(&buckets, &starts);
        assert_eq!(sums.len(), sizes.iter().map(|size| bits_of(*size)).sum::<usize>());
        let mut rest = sums.as_slice();
        for (size, start) in sizes.into_iter().zip(starts) {
            let (of_span, later) = rest.split_at(bits_of(size));
            rest = later;
            let weighted = |weight: usize| G1Affine::from(buckets[start + weight - 1]) * Scalar::from(weight as u64);
            let expected: G1Projective = (1..=size).map(weighted).sum();
            assert_eq!(total(of_span), expected, "{size} buckets");
        }
    }
}
