//! Many additions in affine coordinates at the price of one inversion.
//!
//! The sum of two affine points needs the slope λ = (y₂ - y₁) / (x₂ - x₁), or 3x² / 2y when the points are equal. One inversion costs as much as
//! some seventy multiplications, but n independent slopes share it (Montgomery's trick: invert the product, and peel the factors off), which leaves
//! three multiplications each: five multiplications and a square an addition, where mixed Jacobian coordinates take eleven of both.
//!
//! All functions are complete on the whole curve: infinity, equal and opposite points, any order.

use blstrs::{G1Affine, G1Projective};
use group::Group;
use group::prime::PrimeCurveAffine;

use crate::ffi::fp::{Fp, coordinates, from_coordinates};
use crate::ffi::to_affine;

/// Additions that share one inversion: enough to make its part small, few enough to stay in the second-level cache.
const SHARED: usize = 512;
/// Additions below which an inversion costs more than it saves, and Jacobian coordinates are used.
const FEW: usize = 12;

/// 1 in Montgomery form: 2^384 mod p.
const ONE: Fp = Fp::from_montgomery([
    0x7609_0000_0002_fffd,
    0xebf4_000b_c40c_0002,
    0x5f48_9857_53c7_58ba,
    0x77ce_5853_7052_5745,
    0x5c07_1a97_a256_ec6d,
    0x15f6_5ec3_fa80_e493,
]);

/// The area in which slopes wait for their common inversion.
#[derive(Debug)]
pub(crate) struct Slopes {
    /// Product of all denominators before.
    before: Vec<Fp>,
    denominators: Vec<Fp>,
    product: Fp,
}

impl Slopes {
    pub(crate) fn new() -> Self {
        Self { before: Vec::with_capacity(SHARED), denominators: Vec::with_capacity(SHARED), product: ONE }
    }

    /// `points[i] += addend` for all (i, addend); every i occurs at most once.
    pub(crate) fn add(&mut self, points: &mut [G1Affine], addends: &[(usize, G1Affine)]) {
        for addends in addends.chunks(SHARED) {
            for (i, addend) in addends {
                self.push(denominator(&points[*i], addend));
            }
            self.invert();
            for (i, addend) in addends.iter().rev() {
                let inverse = self.pop();
                points[*i] = sum(&points[*i], addend, &inverse);
            }
        }
    }

    /// Doubles every point.
    pub(crate) fn double(&mut self, points: &mut [G1Affine]) {
        for points in points.chunks_mut(SHARED) {
            for point in points.iter() {
                self.push(coordinates(point).1.twice());
            }
            self.invert();
            for point in points.iter_mut().rev() {
                let inverse = self.pop();
                *point = doubled(point, &inverse);
            }
        }
    }

    /// (a, b) becomes (a + b, a - b) for all pairs: both slopes have the denominator x_b - x_a.
    pub(crate) fn butterflies(&mut self, pairs: &mut [[G1Affine; 2]]) {
        for pairs in pairs.chunks_mut(SHARED) {
            for [a, b] in pairs.iter() {
                self.push(coordinates(b).0.minus(&coordinates(a).0));
            }
            self.invert();
            for pair in pairs.iter_mut().rev() {
                let inverse = self.pop();
                let [a, b] = *pair;
                *pair = match inverse.is_zero() || is_infinity(&a) || is_infinity(&b) {
                    true => [add_alone(&a, &b), add_alone(&a, &-b)],
                    false => [chord(&a, &b, &inverse), chord(&a, &-b, &inverse)],
                };
            }
        }
    }

    /// Takes in one denominator; 0 stands for "no slope" and takes no part in the product.
    fn push(&mut self, denominator: Fp) {
        self.before.push(self.product);
        self.denominators.push(denominator);
        if !denominator.is_zero() {
            self.product = self.product.times(&denominator);
        }
    }

    fn invert(&mut self) {
        self.product = self.product.inverse();
    }

    /// The inverse of the last denominator that was not yet taken out; 0 for 0.
    fn pop(&mut self) -> Fp {
        let (Some(before), Some(denominator)) = (self.before.pop(), self.denominators.pop()) else {
            return Fp::ZERO;
        };
        if self.before.is_empty() {
            let inverse = if denominator.is_zero() { Fp::ZERO } else { self.product };
            self.product = ONE;
            return inverse;
        }
        if denominator.is_zero() {
            return Fp::ZERO;
        }
        let inverse = self.product.times(&before);
        self.product = self.product.times(&denominator);
        inverse
    }
}

/// Sums of consecutive runs of points, the i-th of `lengths[i]` points: the points are added in pairs, pairs of pairs and so on, all runs together.
///
/// `points` is used up as working space. An empty run has the sum infinity.
pub(crate) fn sums(points: &mut [G1Affine], lengths: &[usize]) -> Vec<G1Affine> {
    let mut slopes = Slopes::new();
    let starts: Vec<usize> = lengths
        .iter()
        .scan(0, |end, length| {
            let start = *end;
            *end += length;
            Some(start)
        })
        .collect();
    let mut lengths = lengths.to_vec();
    let mut addends = Vec::new();
    loop {
        // The upper half of each run is added to the lower.
        addends.clear();
        for (start, length) in starts.iter().zip(&lengths) {
            let half = length.div_ceil(2);
            addends.extend((half..*length).map(|k| (start + k - half, points[start + k])));
        }
        if addends.len() < FEW {
            return remaining_sums(points, &starts, &lengths);
        }
        slopes.add(points, &addends);
        lengths.iter_mut().for_each(|length| *length = length.div_ceil(2));
    }
}

/// The sums of short runs, in Jacobian coordinates, with one inversion at the end.
fn remaining_sums(points: &[G1Affine], starts: &[usize], lengths: &[usize]) -> Vec<G1Affine> {
    let runs = || starts.iter().zip(lengths).map(|(start, length)| &points[*start..start + length]);
    if runs().all(|run| run.len() < 2) {
        return runs().map(|run| run.first().copied().unwrap_or_else(G1Affine::identity)).collect();
    }
    let sums: Vec<G1Projective> = runs()
        .map(|run| match run {
            [] => G1Projective::identity(),
            [first, rest @ ..] => rest.iter().fold(first.to_curve(), |sum, point| sum + point),
        })
        .collect();
    to_affine(&sums)
}

fn is_infinity(point: &G1Affine) -> bool {
    let (x, y) = coordinates(point);
    x.is_zero() && y.is_zero()
}

/// The denominator of the slope of a + b; 0 where the sum needs none: an operand is infinity, or the operands are opposite.
fn denominator(a: &G1Affine, b: &G1Affine) -> Fp {
    if is_infinity(a) || is_infinity(b) {
        return Fp::ZERO;
    }
    let ((x1, y1), (x2, y2)) = (coordinates(a), coordinates(b));
    if x1 != x2 {
        return x2.minus(&x1);
    }
    // Equal x: the points are opposite, and y1 + y2 = 0, or equal, and y1 + y2 = 2y. No point of the curve has y = 0: its order is odd.
    y1.plus(&y2)
}

/// a + b, given the inverse of their [`denominator`].
fn sum(a: &G1Affine, b: &G1Affine, inverse: &Fp) -> G1Affine {
    if inverse.is_zero() {
        return match (is_infinity(a), is_infinity(b)) {
            (true, _) => *b,
            (_, true) => *a,
            _ => G1Affine::identity(),
        };
    }
    match coordinates(a).0 == coordinates(b).0 {
        true => doubled(a, inverse),
        false => chord(a, b, inverse),
    }
}

/// a + b by an inversion of its own, if it needs one.
fn add_alone(a: &G1Affine, b: &G1Affine) -> G1Affine {
    let denominator = denominator(a, b);
    sum(a, b, &if denominator.is_zero() { denominator } else { denominator.inverse() })
}

/// a + b for points with different x, given 1 / (x_b - x_a).
fn chord(a: &G1Affine, b: &G1Affine, inverse: &Fp) -> G1Affine {
    let ((x1, y1), (x2, y2)) = (coordinates(a), coordinates(b));
    let slope = y2.minus(&y1).times(inverse);
    let x = slope.square().minus(&x1).minus(&x2);
    let y = slope.times(&x1.minus(&x)).minus(&y1);
    from_coordinates(x, y)
}

/// 2a, given 1 / 2y; infinity stays, whatever is given.
fn doubled(a: &G1Affine, inverse: &Fp) -> G1Affine {
    let (x1, y1) = coordinates(a);
    let slope = x1.square().thrice().times(inverse);
    let x = slope.square().minus(&x1.twice());
    let y = slope.times(&x1.minus(&x)).minus(&y1);
    from_coordinates(x, y)
}
