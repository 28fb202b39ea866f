//! Sums of shifted points: Horner's rule for many sums in step, so that the doublings of one step
//! share an inversion.

use blstrs::{G1Affine, G1Projective};
use group::Group;

use crate::affine::Slopes;
use crate::kernel::{self, in_lanes};
use crate::msm::batch_to_affine;

/// Sums below which an inversion for each doubling costs more than it saves, and Jacobian
/// coordinates are used.
const FEW: usize = 12;
/// Sums below which eight lanes stay too empty to be worth their inversions.
const FEWEST_FOR_LANES: usize = 32;

/// Σ_v 2^(shift v) `parts[v][i]` for all i; the lists have the same length. Exact for any points of
/// the curve. On the calling thread.
pub fn shifted_sums(parts: &[&[G1Affine]], shift: usize) -> Vec<G1Affine> {
    let Some((last, rest)) = parts.split_last() else { return Vec::new() };
    if rest.is_empty() {
        return last.to_vec();
    }
    if last.len() < FEW {
        return one_by_one(last, rest, shift);
    }
    if let Some(lanes) = kernel::lanes()
        && last.len() >= FEWEST_FOR_LANES
    {
        let sums = in_lanes!(lanes => kernel::shifted_sums(lanes, parts, shift));
        return sums.into_iter().map(G1Affine::from).collect();
    }
    let mut slopes = Slopes::new();
    let mut sums = last.to_vec();
    let pairs: Vec<(usize, usize)> = (0..sums.len()).map(|i| (i, i)).collect();
    for part in rest.iter().rev() {
        (0..shift).for_each(|_| slopes.double(&mut sums));
        slopes.add(&mut sums, part, &pairs);
    }
    sums
}

/// The sums in Jacobian coordinates, with one inversion at the end.
fn one_by_one(last: &[G1Affine], rest: &[&[G1Affine]], shift: usize) -> Vec<G1Affine> {
    let mut sums: Vec<G1Projective> = last.iter().map(G1Projective::from).collect();
    for part in rest.iter().rev() {
        for (sum, point) in sums.iter_mut().zip(*part) {
            *sum = (0..shift).fold(*sum, |sum, _| sum.double()) + point;
        }
    }
    batch_to_affine(&sums)
}

#[cfg(test)]
mod tests {
    use group::Curve;
    use group::prime::PrimeCurveAffine;

    use super::*;
    use crate::hash_to_scalar;
    use crate::kernel::{Portable, shifted_sums as sums_by, with_each};

    /// Points that meet: infinity, and sums that double or vanish.
    fn points(count: u64, tag: &[u8]) -> Vec<G1Affine> {
        let point = |i: u64| (G1Affine::generator() * hash_to_scalar(&i.to_be_bytes(), tag)).to_affine();
        (0..count).map(|i| if i % 5 == 3 { G1Affine::identity() } else { point(i) }).collect()
    }

    #[test]
    fn every_way_gives_the_sum_by_doublings() {
        for count in [0, 1, 11, 12, 31, 32, 75] {
            let [a, b] = [points(count, b"a"), points(count, b"b")];
            // 4 (b - 2 a) + 8 a: where the middle part is this, it doubles or vanishes on the way.
            let opposite: Vec<G1Affine> = a.iter().map(|a| (-(G1Projective::from(a).double())).to_affine()).collect();
            for parts in [vec![&*a], vec![&*b, &*a], vec![&*b, &*opposite, &*a], vec![&*a, &*b, &*a, &*b]] {
                for shift in [1, 3] {
                    let sum = |i: usize| {
                        let shifted = |(v, part): (usize, &&[G1Affine])| {
                            (0..shift * v).fold(G1Projective::from(part[i]), |point, _| point.double())
                        };
                        parts.iter().enumerate().map(shifted).sum::<G1Projective>().to_affine()
                    };
                    let expected: Vec<G1Affine> = (0..a.len()).map(sum).collect();
                    assert_eq!(shifted_sums(&parts, shift), expected, "{count} sums, shift {shift}");
                    let affine = |points: Vec<crate::point::Point>| points.into_iter().map(G1Affine::from).collect();
                    let portable: Vec<G1Affine> = affine(sums_by(Portable, &parts, shift));
                    assert_eq!(portable, expected, "{count} sums, shift {shift}");
                    with_each!(lanes => {
                        let each: Vec<G1Affine> = affine(sums_by(lanes, &parts, shift));
                        assert_eq!(each, expected, "{count} sums, shift {shift}");
                    });
                }
            }
        }
    }
}
