//! The transforms over points, in affine coordinates throughout.
//!
//! The network is that of [`crate::fft`]. Layer by layer: all points that a twiddle other than 1
//! turns are multiplied in step ([`crate::multiply`]), with the digits of a twiddle made once for
//! all its butterflies; then all butterflies (a, b) ↦ (a + b, a - b) share inversions, and each
//! pair its slope's denominator. N/2 log2 N - N + 1 multiplications in all.

#![allow(clippy::indexing_slicing, reason = "places are those of a domain of this size")]

use blstrs::G1Affine;
use group::prime::PrimeCurveAffine;

use crate::affine::Slopes;
use crate::fft::{Domain, bit_reverse};
use crate::multiply::{Recoded, Threads, multiply_each, multiply_recoded};

/// Butterflies that one task takes.
const BUTTERFLIES: usize = 256;

impl Domain {
    /// [`Domain::fft`] over points of the subgroup.
    pub fn fft_g1(&self, coefficients: &[G1Affine], threads: Threads) -> Vec<G1Affine> {
        self.transform_g1(coefficients, false, threads)
    }

    /// [`Domain::ifft`] over points of the subgroup.
    pub fn ifft_g1(&self, values: &[G1Affine], threads: Threads) -> Vec<G1Affine> {
        let coefficients = self.ifft_g1_unscaled(values, threads);
        multiply_each(&coefficients, &vec![*self.size_inverse(); self.size()], threads)
    }

    /// N times [`Domain::ifft_g1`], for callers who have the factor 1/N elsewhere: N
    /// multiplications less.
    pub fn ifft_g1_unscaled(&self, values: &[G1Affine], threads: Threads) -> Vec<G1Affine> {
        self.transform_g1(values, true, threads)
    }

    fn transform_g1(&self, input: &[G1Affine], inverse: bool, threads: Threads) -> Vec<G1Affine> {
        let size = self.size();
        let mut items: Vec<G1Affine> = input.iter().copied().take(size).collect();
        items.resize(size, G1Affine::identity());
        bit_reverse(&mut items);
        let mut half = 1;
        while half < size {
            self.turn(&mut items, half, inverse, threads);
            items = butterflies(&items, half, threads);
            half *= 2;
        }
        items
    }

    /// Multiplies the upper partner of every butterfly by its twiddle, ω^(k N / 2 half) for the
    /// k-th of each block.
    fn turn(&self, items: &mut [G1Affine], half: usize, inverse: bool, threads: Threads) {
        let stride = self.size() / (2 * half);
        let twiddle = |k| if inverse { self.inverse_element(k * stride) } else { self.element(k * stride) };
        let twiddles: Vec<Recoded> = (0..half).map(|k| Recoded::new(&twiddle(k))).collect();
        // The twiddle of k = 0 is 1.
        let turned = || (0..items.len()).filter(|i| i & half != 0 && i & (half - 1) != 0);
        let places: Vec<usize> = turned().collect();
        let mut points: Vec<G1Affine> = places.iter().map(|i| items[*i]).collect();
        let scalars: Vec<&Recoded> = places.iter().map(|i| &twiddles[i & (half - 1)]).collect();
        multiply_recoded(&mut points, &scalars, threads);
        places.into_iter().zip(points).for_each(|(i, point)| items[i] = point);
    }
}

/// (a, b) becomes (a + b, a - b) for all pairs at distance `half` in blocks of twice that.
fn butterflies(items: &[G1Affine], half: usize, threads: Threads) -> Vec<G1Affine> {
    let lower: Vec<usize> = (0..items.len()).filter(|i| i & half == 0).collect();
    let mut pairs: Vec<[G1Affine; 2]> = lower.iter().map(|i| [items[*i], items[i + half]]).collect();
    threads.for_chunks(&mut pairs, &lower, BUTTERFLIES, |pairs, _| Slopes::new().butterflies(pairs));
    let mut result = items.to_vec();
    for (i, [sum, difference]) in lower.into_iter().zip(pairs) {
        (result[i], result[i + half]) = (sum, difference);
    }
    result
}
