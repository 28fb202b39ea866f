//! The transforms over points, in affine coordinates throughout.
//!
//! The network is that of [`crate::fft`], four layers at a time as far as they go: all points that
//! a twiddle other than 1 turns are multiplied in step ([`crate::multiply`]), then all sixteens are
//! transformed together (`sixteen.rs`). The one to three layers that are left come first: each
//! butterfly (a, b) ↦ (a + b, a - b) shares its slope's denominator, and all share inversions. At N
//! = 1,024 that makes 3,585 multiplications, where layers alone have N/2 log2 N - N + 1 = 4,097.

#![allow(clippy::indexing_slicing, reason = "places are those of a domain of this size")]

use blstrs::{G1Affine, Scalar};
use group::prime::PrimeCurveAffine;

use crate::fft::{Domain, bit_reverse};
use crate::multiply::{Recoded, Threads, multiply_each, multiply_recoded};

mod butterflies;
mod sixteen;

use self::butterflies::butterflies;
use self::sixteen::{SIXTEEN, Sixteen};

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

    /// [`Domain::fft_g1`] of each block of this many of N points by the roots of unity of that
    /// order, all blocks in step. The length of a block is a power of two, at most N.
    pub fn fft_g1_blocks(&self, points: &[G1Affine], block: usize, threads: Threads) -> Vec<G1Affine> {
        self.transform_blocks(points, block, false, threads)
    }

    fn transform_g1(&self, input: &[G1Affine], inverse: bool, threads: Threads) -> Vec<G1Affine> {
        self.transform_blocks(input, self.size(), inverse, threads)
    }

    fn transform_blocks(&self, input: &[G1Affine], block: usize, inverse: bool, threads: Threads) -> Vec<G1Affine> {
        let size = self.size();
        let mut items: Vec<G1Affine> = input.iter().copied().take(size).collect();
        items.resize(size, G1Affine::identity());
        items.chunks_mut(block).for_each(bit_reverse);
        let layers = block.ilog2();
        let mut done = 1;
        for _ in 0..layers % SIXTEEN.ilog2() {
            self.layer(&mut items, done, inverse, threads);
            done *= 2;
        }
        while done < block {
            self.sixteens(&mut items, done, inverse, threads);
            done *= SIXTEEN;
        }
        items
    }

    /// ω^exponent, or ω^-exponent.
    fn root(&self, exponent: usize, inverse: bool) -> Scalar {
        if inverse { self.inverse_element(exponent) } else { self.element(exponent) }
    }

    /// Makes transforms of 2 `done` points of those of `done` points.
    fn layer(&self, items: &mut [G1Affine], done: usize, inverse: bool, threads: Threads) {
        let stride = self.size() / (2 * done);
        self.turn(items, inverse, threads, |i| if i & done == 0 { 0 } else { i % done * stride });
        let lower: Vec<usize> = (0..items.len()).filter(|i| i & done == 0).collect();
        let mut pairs: Vec<[G1Affine; 2]> = lower.iter().map(|i| [items[*i], items[i + done]]).collect();
        butterflies(&mut pairs, threads);
        for (i, [sum, difference]) in lower.into_iter().zip(pairs) {
            (items[i], items[i + done]) = (sum, difference);
        }
    }

    /// Makes transforms of 16 `done` points of those of `done` points: output k + `done` s is the
    /// transform's output s of the k-th outputs of all sixteen, the t-th turned by t k.
    fn sixteens(&self, items: &mut [G1Affine], done: usize, inverse: bool, threads: Threads) {
        let stride = self.size() / (SIXTEEN * done);
        // Bit reversal has put the t-th where the bits of t are reversed.
        let number = |place: usize| (place % SIXTEEN).reverse_bits() >> (usize::BITS - SIXTEEN.ilog2());
        self.turn(items, inverse, threads, |i| number(i / done) * (i % done) * stride);
        let first: Vec<usize> = (0..items.len()).filter(|i| (i / done).is_multiple_of(SIXTEEN)).collect();
        let column = |place: usize| first.iter().map(|i| items[i + place * done]).collect();
        let columns = (0..SIXTEEN).map(|t| column(number(t))).collect();
        let sixteenth = self.size() / SIXTEEN;
        let columns = Sixteen::new(columns, threads).transformed(|power| self.root(power * sixteenth, inverse));
        for (s, column) in columns.into_iter().enumerate() {
            first.iter().zip(column).for_each(|(i, output)| items[i + s * done] = output);
        }
    }

    /// Multiplies each item by ω to what `exponent` says of its place, or by the inverse.
    fn turn(&self, items: &mut [G1Affine], inverse: bool, threads: Threads, exponent: impl Fn(usize) -> usize) {
        let turned = || (0..items.len()).map(|i| (i, exponent(i))).filter(|(_, exponent)| *exponent != 0);
        let (places, exponents): (Vec<usize>, Vec<usize>) = turned().unzip();
        let mut distinct = exponents.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let twiddles: Vec<Recoded> = distinct.iter().map(|e| Recoded::new(&self.root(*e, inverse))).collect();
        let place = |exponent: &usize| distinct.partition_point(|known| known < exponent);
        let scalars: Vec<&Recoded> = exponents.iter().map(|exponent| &twiddles[place(exponent)]).collect();
        let mut points: Vec<G1Affine> = places.iter().map(|i| items[*i]).collect();
        multiply_recoded(&mut points, &scalars, threads);
        places.into_iter().zip(points).for_each(|(i, point)| items[i] = point);
    }
}
