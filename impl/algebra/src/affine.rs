//! Many additions in affine coordinates at the price of one inversion.
//!
//! The sum of two affine points needs the slope λ = (y₂ - y₁) / (x₂ - x₁), or 3x² / 2y when the
//! points are equal. One inversion costs as much as some seventy multiplications, but n independent
//! slopes share it (Montgomery's trick: invert the product, and peel the factors off), which leaves
//! three multiplications each: five multiplications and a square an addition, where mixed Jacobian
//! coordinates take eleven of both.
//!
//! All functions are complete on the whole curve: infinity, equal and opposite points, any order.

#![allow(clippy::indexing_slicing, reason = "pairs and runs are of the lists that they were made for")]

use blstrs::{G1Affine, G1Projective};
use group::Group;
use group::prime::PrimeCurveAffine;

use crate::ffi::fp::{BaseField, Fp, ZERO, coordinates, coordinates_mut, from_montgomery};
use crate::ffi::to_affine;

/// Additions that share one inversion: enough to make its part small, few enough to stay in the
/// second-level cache.
const SHARED: usize = 512;
/// Additions below which an inversion costs more than it saves, and Jacobian coordinates are used.
const FEW: usize = 12;

/// 1 in Montgomery form: 2^384 mod p.
pub(crate) const ONE: Fp = from_montgomery([
    0x7609_0000_0002_fffd,
    0xebf4_000b_c40c_0002,
    0x5f48_9857_53c7_58ba,
    0x77ce_5853_7052_5745,
    0x5c07_1a97_a256_ec6d,
    0x15f6_5ec3_fa80_e493,
]);

/// What a sum of two points takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A slope between different points.
    Chord,
    /// A slope at one point.
    Tangent,
    /// Nothing: the second operand is infinity.
    First,
    /// Nothing: the first operand is infinity.
    Second,
    /// Nothing: the operands are opposite.
    Infinity,
}

/// The area in which slopes wait for their common inversion.
#[derive(Debug)]
pub(crate) struct Slopes {
    kinds: Vec<Kind>,
    denominators: Vec<Fp>,
    /// Entry k is the product of the first k denominators: one entry more than there are slopes.
    products: Vec<Fp>,
    /// The inverse of the product of all denominators that are left.
    inverse: Fp,
}

impl Slopes {
    pub(crate) fn new() -> Self {
        let mut products = Vec::with_capacity(SHARED + 1);
        products.push(ONE);
        let (kinds, denominators) = (Vec::with_capacity(SHARED), Vec::with_capacity(SHARED));
        Self { kinds, denominators, products, inverse: ONE }
    }

    /// `points[i] += addends[j]` for all (i, j); every i occurs at most once.
    pub(crate) fn add(&mut self, points: &mut [G1Affine], addends: &[G1Affine], pairs: &[(usize, usize)]) {
        self.add_from(points, Some(addends), pairs);
    }

    /// `points[i] += points[j]` for all (i, j); every i occurs at most once, and is no j.
    pub(crate) fn add_within(&mut self, points: &mut [G1Affine], pairs: &[(usize, usize)]) {
        self.add_from(points, None, pairs);
    }

    fn add_from(&mut self, points: &mut [G1Affine], addends: Option<&[G1Affine]>, pairs: &[(usize, usize)]) {
        for pairs in pairs.chunks(SHARED) {
            for (i, j) in pairs {
                self.push(&points[*i], &addends.unwrap_or(points)[*j]);
            }
            self.invert();
            for (i, j) in pairs.iter().rev() {
                let (kind, mut inverse) = self.pop();
                match addends {
                    Some(addends) => add(&mut points[*i], &addends[*j], kind, &mut inverse),
                    None => {
                        let addend = points[*j];
                        add(&mut points[*i], &addend, kind, &mut inverse);
                    }
                }
            }
        }
    }

    /// Doubles every point.
    pub(crate) fn double(&mut self, points: &mut [G1Affine]) {
        for points in points.chunks_mut(SHARED) {
            for point in points.iter() {
                self.push(point, point);
            }
            self.invert();
            for point in points.iter_mut().rev() {
                let (kind, mut inverse) = self.pop();
                if kind == Kind::Tangent {
                    double(point, &mut inverse);
                }
            }
        }
    }

    /// (a, b) becomes (a + b, a - b) for all pairs: both slopes have the denominator x_b - x_a.
    pub(crate) fn butterflies(&mut self, pairs: &mut [[G1Affine; 2]]) {
        for pairs in pairs.chunks_mut(SHARED) {
            for [a, b] in pairs.iter() {
                self.push(a, b);
            }
            self.invert();
            for [a, b] in pairs.iter_mut().rev() {
                let (kind, mut inverse) = self.pop();
                let mut difference = *a;
                let negated = -*b;
                match kind {
                    Kind::Chord => chord(&mut difference, &negated, &mut { inverse }),
                    _ => add_alone(&mut difference, &negated),
                }
                add(a, b, kind, &mut inverse);
                *b = difference;
            }
        }
    }

    /// Takes in the slope of a + b. Only those of chords and tangents have a denominator, which
    /// then is not 0.
    #[inline]
    fn push(&mut self, a: &G1Affine, b: &G1Affine) {
        let last = self.kinds.len();
        self.denominators.push(ZERO);
        self.products.push(ZERO);
        let kind = slope(a, b, &mut self.denominators[last]);
        let (before, after) = self.products.split_at_mut(last + 1);
        match kind {
            Kind::Chord | Kind::Tangent => after[0].set_product(&before[last], &self.denominators[last]),
            _ => after[0] = before[last],
        }
        self.kinds.push(kind);
    }

    fn invert(&mut self) {
        self.inverse = self.products[self.kinds.len()].inverse();
    }

    /// The last slope that was not yet taken out, with the inverse of its denominator.
    #[inline]
    fn pop(&mut self) -> (Kind, Fp) {
        let (Some(kind), Some(denominator), Some(_)) = (self.kinds.pop(), self.denominators.pop(), self.products.pop())
        else {
            return (Kind::First, ZERO);
        };
        let mut inverse = ZERO;
        if matches!(kind, Kind::Chord | Kind::Tangent) {
            inverse.set_product(&self.inverse, &self.products[self.kinds.len()]);
            self.inverse.multiply(&denominator);
        }
        (kind, inverse)
    }
}

/// Sums of consecutive runs of points, the i-th of `lengths[i]` points: the points are added in
/// pairs, pairs of pairs and so on, all runs together.
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
    let mut pairs = Vec::new();
    loop {
        // The upper half of each run is added to the lower.
        pairs.clear();
        for (start, length) in starts.iter().zip(&lengths) {
            let half = length.div_ceil(2);
            pairs.extend((half..*length).map(|k| (start + k - half, start + k)));
        }
        if pairs.len() < FEW {
            return remaining_sums(points, &starts, &lengths);
        }
        slopes.add_within(points, &pairs);
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

#[inline]
fn is_infinity(point: &G1Affine) -> bool {
    let (x, y) = coordinates(point);
    x.is_zero() && y.is_zero()
}

/// What a + b takes; writes the denominator of its slope, if it has one.
#[inline]
fn slope(a: &G1Affine, b: &G1Affine, denominator: &mut Fp) -> Kind {
    if is_infinity(b) {
        return Kind::First;
    }
    if is_infinity(a) {
        return Kind::Second;
    }
    let ((x1, y1), (x2, y2)) = (coordinates(a), coordinates(b));
    if !x1.equals(x2) {
        denominator.set_difference(x2, x1);
        return Kind::Chord;
    }
    // Equal x: the points are opposite or equal, and not both, since no point has y = 0: the
    // curve's order is odd.
    if !y1.equals(y2) {
        return Kind::Infinity;
    }
    denominator.set_double(y1);
    Kind::Tangent
}

/// a += b, given the inverse of the denominator of their [`slope`], which is used up.
#[inline]
fn add(a: &mut G1Affine, b: &G1Affine, kind: Kind, inverse: &mut Fp) {
    match kind {
        Kind::Chord => chord(a, b, inverse),
        Kind::Tangent => double(a, inverse),
        Kind::First => {}
        Kind::Second => *a = *b,
        Kind::Infinity => *a = G1Affine::identity(),
    }
}

/// a += b by an inversion of its own, if it needs one.
fn add_alone(a: &mut G1Affine, b: &G1Affine) {
    let mut denominator = ZERO;
    let kind = slope(a, b, &mut denominator);
    let mut inverse = if denominator.is_zero() { ZERO } else { denominator.inverse() };
    add(a, b, kind, &mut inverse);
}

/// a += b for points with different x, given 1 / (x_b - x_a): λ takes its place.
#[inline]
fn chord(a: &mut G1Affine, b: &G1Affine, inverse: &mut Fp) {
    let (x2, y2) = coordinates(b);
    let (x, y) = coordinates_mut(a);
    let (x1, y1) = (*x, *y);
    y.set_difference(y2, &y1);
    inverse.multiply(y);
    x.set_square(inverse);
    x.subtract(&x1);
    x.subtract(x2);
    y.set_difference(&x1, x);
    y.multiply(inverse);
    y.subtract(&y1);
}

/// Doubles a point other than infinity, given 1 / 2y: λ takes its place.
#[inline]
fn double(a: &mut G1Affine, inverse: &mut Fp) {
    let (x, y) = coordinates_mut(a);
    let (x1, y1) = (*x, *y);
    x.set_square(&x1);
    x.triple();
    inverse.multiply(x);
    x.set_square(inverse);
    x.subtract(&x1);
    x.subtract(&x1);
    y.set_difference(&x1, x);
    y.multiply(inverse);
    y.subtract(&y1);
}
