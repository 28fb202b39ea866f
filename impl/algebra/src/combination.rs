//! Σ k_i P_i for what goes into a pairing: short integers exactly, full scalars up to cofactor
//! torsion.
//!
//! **The endomorphism.** φ(x, y) = (βx, -y) with β³ = 1 is an endomorphism of the curve, and on the
//! subgroup of order r it is multiplication by z² (`glv.rs`). So k P = k_1 P + k_2 φ(P) for
//! k = k_1 + k_2 z², where both halves have 127 bits and a sign: half the doublings, or half the
//! windows, of k.
//!
//! **Outside the subgroup** φ is not multiplication by z², and openings need not lie inside. The
//! curve's group is G1 ⊕ T, where T, the cofactor torsion, has order h prime to r. A homomorphism
//! maps T into T: h φ(t) = φ(h t) = 0. So for P = P_1 + t the result k_1 P + k_2 φ(P) = k P_1 +
//! (k_1 t + k_2 φ(t)) is right up to an element of T, and it is a function of P and k alone. The
//! reduced pairing sends T to 1, hence no verdict depends on it (docs/openings.md). What is
//! *compared or hashed* must never be made so: that is what the long name is for.
//!
//! All additions are exact (`buckets.rs`), so the sum as a group element depends neither on the
//! order of terms nor on the threads.

use blstrs::{G1Affine, G1Projective, Scalar};

use crate::buckets;
use crate::glv::{halves, times_z_squared};
use crate::images::multiply_by_z_squared;
use crate::kernel::Kernel;
use crate::msm::few_short;
use crate::parallel::prelude::*;
use crate::point::Point;
use crate::populate::reserve_populated;

/// Terms up to which interleaved windows cost less than buckets.
const MOST_FOR_WINDOWS: usize = 23;

/// Terms up to which they do in the kernel's lanes, where the kernel has them ([`mod@crate::msm`]).
const MOST_FOR_LANES: usize = 112;

/// Scalars that one task of rayon takes apart.
const HALVED_TOGETHER: usize = 512;

/// Whether a sum of so many multiples by scalars may take no buckets.
pub(crate) fn are_few(count: usize) -> bool {
    let most = if Kernel::in_use() >= Kernel::Avx512 { MOST_FOR_LANES } else { MOST_FOR_WINDOWS };
    2 * count <= most
}

/// Σ k_i P_i over the shorter of the two lists, for points of the subgroup; the identity if it is
/// empty. Exact, and faster than [`msm`](crate::msm()), by the endomorphism. On the current rayon
/// pool.
pub fn msm_in_subgroup(points: &[G1Affine], scalars: &[Scalar]) -> G1Projective {
    let count = points.len().min(scalars.len());
    if are_few(count) {
        let mut sum = Combination::with_capacity(2 * count);
        points.iter().zip(scalars).for_each(|(point, scalar)| sum.add_modulo_torsion(point, scalar));
        return sum.sum();
    }
    // The points before their images, and the lower halves of the scalars before the upper.
    let mut with_images: Vec<Point> = Vec::new();
    reserve_populated(&mut with_images, 2 * count);
    with_images.par_extend(points.par_iter().take(count).map(Point::from));
    with_images.extend_from_within(..);
    multiply_by_z_squared(with_images.split_at_mut(count).1);
    let mut integers = vec![0; 2 * count];
    let (lower, upper) = integers.split_at_mut(count);
    let places = lower.par_chunks_mut(HALVED_TOGETHER).zip(upper.par_chunks_mut(HALVED_TOGETHER));
    places.zip(scalars.par_chunks(HALVED_TOGETHER)).for_each(|((lower, upper), scalars)| {
        let places = lower.iter_mut().zip(upper);
        places.zip(scalars).for_each(|((lower, upper), scalar)| (*lower, *upper) = halves(scalar));
    });
    buckets::sum(&with_images, &integers)
}

/// A sum of multiples in the making.
#[derive(Clone, Debug, Default)]
pub struct Combination {
    points: Vec<Point>,
    integers: Vec<u128>,
}

impl Combination {
    /// The empty sum, with room for so many terms; a term of [`Combination::add_modulo_torsion`]
    /// takes two.
    pub fn with_capacity(terms: usize) -> Self {
        Self { points: Vec::with_capacity(terms), integers: Vec::with_capacity(terms) }
    }

    /// Adds k·P, exactly, for any point of the curve.
    pub fn add(&mut self, point: &G1Affine, integer: u128) {
        self.push(Point::from(point), integer);
    }

    /// Adds k·P up to cofactor torsion, and exactly if P is in the subgroup: for what goes into a
    /// pairing and nowhere else.
    pub fn add_modulo_torsion(&mut self, point: &G1Affine, scalar: &Scalar) {
        let (low, high) = halves(scalar);
        self.push(Point::from(point).negated_if(low < 0), low.unsigned_abs());
        if high != 0 {
            self.push(Point::from(&times_z_squared(point)).negated_if(high < 0), high.unsigned_abs());
        }
    }

    /// Adds k·P for every term, exactly, on the current rayon pool.
    pub fn extend<T: Sync>(
        &mut self,
        terms: &[T],
        point: impl Fn(&T) -> &G1Affine + Send + Sync,
        integer: impl Fn(&T) -> u128 + Send + Sync,
    ) {
        self.points.par_extend(terms.par_iter().map(|term| Point::from(point(term))));
        self.integers.par_extend(terms.par_iter().map(integer));
    }

    /// [`Combination::add_modulo_torsion`] for every term, on the current rayon pool.
    pub fn extend_modulo_torsion<T: Sync>(
        &mut self,
        terms: &[T],
        point: impl Fn(&T) -> &G1Affine + Send + Sync,
        scalar: impl Fn(&T) -> Scalar + Send + Sync,
    ) {
        let halves: Vec<(i128, i128)> = terms.par_iter().map(|term| halves(&scalar(term))).collect();
        let with_halves = || terms.par_iter().zip(&halves);
        self.points.par_extend(with_halves().map(|(term, (low, _))| Point::from(point(term)).negated_if(*low < 0)));
        let upper = self.points.len();
        self.points.par_extend(with_halves().map(|(term, (_, high))| Point::from(point(term)).negated_if(*high < 0)));
        multiply_by_z_squared(self.points.split_at_mut(upper).1);
        self.integers.par_extend(halves.par_iter().map(|(low, _)| low.unsigned_abs()));
        self.integers.par_extend(halves.par_iter().map(|(_, high)| high.unsigned_abs()));
    }

    fn push(&mut self, point: Point, integer: u128) {
        if integer != 0 && !point.is_infinity() {
            self.points.push(point);
            self.integers.push(integer);
        }
    }

    /// The sum, on the current rayon pool.
    pub fn sum(&self) -> G1Projective {
        few_short(&self.points, &self.integers, MOST_FOR_WINDOWS, MOST_FOR_LANES)
            .unwrap_or_else(|| buckets::sum(&self.points, &self.integers))
    }
}
