//! The domain of N-th roots of unity, and the transforms between coefficients and values on it.
//!
//! N is a power of two up to 2^32; ω = 7^((r-1)/N) generates the domain; element i is ω^i, in
//! **natural** order (Ethereum's blobs are bit-reversed, we are not). [`Domain::fft`] turns the
//! coefficients of Σ c_j X^j into its values at ω^0 .. ω^(N-1); [`Domain::ifft`] goes back.
//!
//! The same network works over points: if the coefficients are the powers `[τ^j]_1`, then `ifft`
//! gives the Lagrange basis `[L_i(τ)]_1`, because L_i(X) = 1/N Σ_j ω^(-ij) X^j. There each
//! butterfly costs a scalar multiplication: `fft_points.rs`.

#![allow(clippy::indexing_slicing, reason = "remainders by the length")]

use blstrs::Scalar;
use ff::{Field, PrimeField};
use thiserror::Error;

/// Why there is no such domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DomainError {
    /// The number of elements must be a power of two from 1 to 2^32.
    #[error("domain size {0} is not a power of two from 1 to 2^32")]
    Size(usize),
}

/// The N-th roots of unity in natural order, with the inverse of N.
#[derive(Clone, Debug)]
pub struct Domain {
    powers: Vec<Scalar>,
    omega: Scalar,
    size_inverse: Scalar,
}

impl Domain {
    /// The domain of `size` elements, a power of two.
    pub fn new(size: usize) -> Result<Self, DomainError> {
        let log = size.checked_ilog2().filter(|_| size.is_power_of_two());
        let log = log.filter(|l| *l <= Scalar::S).ok_or(DomainError::Size(size))?;
        let omega = (log..Scalar::S).fold(Scalar::ROOT_OF_UNITY, |root, _| root.square());
        // Twice as many each time: none of those products waits for another.
        let (mut powers, mut step) = (Vec::with_capacity(size), omega);
        powers.push(Scalar::ONE);
        while powers.len() < size {
            powers.extend_from_within(..);
            let half = powers.len() / 2;
            powers[half..].iter_mut().for_each(|power| *power *= &step);
            step = step.square();
        }
        let size_inverse = (0..log).fold(Scalar::ONE, |inverse, _| inverse * Scalar::TWO_INV);
        Ok(Self { powers, omega, size_inverse })
    }

    /// N, the number of elements.
    pub fn size(&self) -> usize {
        self.powers.len()
    }

    /// ω, the generator; 1 when N = 1.
    pub fn omega(&self) -> &Scalar {
        &self.omega
    }

    /// ω^0 .. ω^(N-1).
    pub fn powers(&self) -> &[Scalar] {
        &self.powers
    }

    /// ω^i for any i, reduced modulo N.
    pub fn element(&self, i: usize) -> Scalar {
        self.powers[i % self.powers.len()]
    }

    /// ω^(-i) for any i, reduced modulo N.
    pub fn inverse_element(&self, i: usize) -> Scalar {
        let size = self.powers.len();
        self.powers[(size - i % size) % size]
    }

    /// 1/N.
    pub fn size_inverse(&self) -> &Scalar {
        &self.size_inverse
    }

    /// Values at ω^0 .. ω^(N-1) from N coefficients; shorter input is padded with zeros, longer is
    /// cut.
    pub fn fft(&self, coefficients: &[Scalar]) -> Vec<Scalar> {
        let mut values = self.padded(coefficients);
        self.transform(&mut values, false);
        values
    }

    /// N coefficients from the values at ω^0 .. ω^(N-1); shorter input is padded with zeros, longer
    /// is cut.
    pub fn ifft(&self, values: &[Scalar]) -> Vec<Scalar> {
        let mut coefficients = self.padded(values);
        self.transform(&mut coefficients, true);
        coefficients.iter_mut().for_each(|c| *c *= &self.size_inverse);
        coefficients
    }

    fn padded(&self, input: &[Scalar]) -> Vec<Scalar> {
        let mut items: Vec<Scalar> = input.iter().copied().take(self.size()).collect();
        items.resize(self.size(), Scalar::ZERO);
        items
    }

    /// The radix-2 network, decimation in time: bit-reverse, then log2 N layers of butterflies.
    /// Unscaled; `inverse` runs it on ω^(-1).
    fn transform(&self, items: &mut [Scalar], inverse: bool) {
        bit_reverse(items);
        let size = items.len();
        let mut half = 1;
        while half < size {
            let stride = size / (2 * half);
            for block in items.chunks_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for (k, (a, b)) in low.iter_mut().zip(high).enumerate() {
                    let twiddle = if inverse { self.inverse_element(k * stride) } else { self.element(k * stride) };
                    let turned = *b * twiddle;
                    (*a, *b) = (*a + turned, *a - turned);
                }
            }
            half *= 2;
        }
    }
}

/// Moves item i to the place whose index has the bits of i in reverse. The length is a power of
/// two.
pub fn bit_reverse<T>(items: &mut [T]) {
    let Some(bits) = items.len().checked_ilog2().filter(|b| *b > 0) else {
        return;
    };
    for i in 0..items.len() {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            items.swap(i, j);
        }
    }
}

/// The slow twins.
pub mod naive {
    use blstrs::G1Affine;
    use group::Curve;

    use super::{Domain, Field, Scalar};
    use crate::msm::naive::msm;

    /// The value of Σ c_j X^j at x, by Horner.
    pub fn evaluate(coefficients: &[Scalar], x: &Scalar) -> Scalar {
        coefficients.iter().rev().fold(Scalar::ZERO, |sum, c| sum * x + c)
    }

    /// The values of Σ c_j X^j on the domain, one by one.
    pub fn fft(domain: &Domain, coefficients: &[Scalar]) -> Vec<Scalar> {
        domain.powers().iter().map(|x| evaluate(coefficients, x)).collect()
    }

    /// Σ_j ω^(ij) P_j for all i, one by one.
    pub fn fft_g1(domain: &Domain, points: &[G1Affine]) -> Vec<G1Affine> {
        let row = |i: usize| -> Vec<Scalar> { (0..points.len()).map(|j| domain.element(i * j)).collect() };
        (0..domain.size()).map(|i| msm(points, &row(i)).to_affine()).collect()
    }
}
