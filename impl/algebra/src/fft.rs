//! The domain of N-th roots of unity, and the transforms between coefficients and values on it.
//!
//! N is a power of two up to 2^32; ω = 7^((r-1)/N) generates the domain; element i is ω^i, in **natural** order (Ethereum's blobs are
//! bit-reversed, we are not). [`Domain::fft`] turns the coefficients of Σ c_j X^j into its values at ω^0 .. ω^(N-1); [`Domain::ifft`] goes back.
//!
//! The same network works over points: if the coefficients are the powers `[τ^j]_1`, then `ifft` gives the Lagrange
//! basis `[L_i(τ)]_1`, because L_i(X) = 1/N Σ_j ω^(-ij) X^j. There each butterfly costs a scalar multiplication, so
//! the point transforms can spread their butterflies over rayon's threads ([`Threads`]); the result is the same on any number of them.

use core::ops::{AddAssign, MulAssign, SubAssign};

use blstrs::{G1Projective, Scalar};
use ff::{Field, PrimeField};
use group::Group;
use rayon::prelude::*;
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
        let powers = core::iter::successors(Some(Scalar::ONE), |power| Some(power * omega)).take(size).collect();
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

    /// Values at ω^0 .. ω^(N-1) from N coefficients; shorter input is padded with zeros, longer is cut.
    pub fn fft(&self, coefficients: &[Scalar]) -> Vec<Scalar> {
        let mut values = self.padded(coefficients, Scalar::ZERO);
        self.transform(&mut values, false);
        values
    }

    /// N coefficients from the values at ω^0 .. ω^(N-1); shorter input is padded with zeros, longer is cut.
    pub fn ifft(&self, values: &[Scalar]) -> Vec<Scalar> {
        let mut coefficients = self.padded(values, Scalar::ZERO);
        self.transform(&mut coefficients, true);
        coefficients.iter_mut().for_each(|c| *c *= &self.size_inverse);
        coefficients
    }

    /// [`Domain::fft`] over points of the subgroup.
    pub fn fft_g1(&self, coefficients: &[G1Projective], threads: Threads) -> Vec<G1Projective> {
        let mut values = self.padded(coefficients, G1Projective::identity());
        self.transform_g1(&mut values, false, threads);
        values
    }

    /// [`Domain::ifft`] over points of the subgroup.
    pub fn ifft_g1(&self, values: &[G1Projective], threads: Threads) -> Vec<G1Projective> {
        let mut coefficients = self.padded(values, G1Projective::identity());
        self.transform_g1(&mut coefficients, true, threads);
        let scale = &self.size_inverse;
        match threads {
            Threads::Current => coefficients.iter_mut().for_each(|c| *c *= scale),
            Threads::All => coefficients.par_iter_mut().for_each(|c| *c *= scale),
        }
        coefficients
    }

    fn padded<T: Copy>(&self, input: &[T], zero: T) -> Vec<T> {
        let mut items: Vec<T> = input.iter().copied().take(self.size()).collect();
        items.resize(self.size(), zero);
        items
    }

    /// The radix-2 network, decimation in time: bit-reverse, then log2 N layers of butterflies. Unscaled; `inverse` runs it on ω^(-1).
    fn transform<T: Element>(&self, items: &mut [T], inverse: bool) {
        self.layers(items, |items, half, stride| {
            for block in items.chunks_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for (k, (a, b)) in low.iter_mut().zip(high).enumerate() {
                    butterfly(a, b, k, &self.twiddle(k * stride, inverse));
                }
            }
        });
    }

    /// [`Domain::transform`], on the threads that the caller allows.
    fn transform_g1(&self, items: &mut [G1Projective], inverse: bool, threads: Threads) {
        match threads {
            Threads::Current => self.transform(items, inverse),
            Threads::All => self.layers(items, |items, half, stride| {
                items.par_chunks_mut(2 * half).for_each(|block| {
                    let (low, high) = block.split_at_mut(half);
                    let pairs = low.par_iter_mut().zip(high).enumerate();
                    pairs.for_each(|(k, (a, b))| butterfly(a, b, k, &self.twiddle(k * stride, inverse)));
                });
            }),
        }
    }

    /// The frame of the network: `layer(items, half, stride)` pairs items at distance `half`, in blocks of twice that, the k-th pair of each
    /// block with ω^(k stride).
    fn layers<T>(&self, items: &mut [T], layer: impl Fn(&mut [T], usize, usize)) {
        bit_reverse(items);
        let size = items.len();
        let mut half = 1;
        while half < size {
            layer(items, half, size / (2 * half));
            half *= 2;
        }
    }

    fn twiddle(&self, exponent: usize, inverse: bool) -> Scalar {
        if inverse { self.inverse_element(exponent) } else { self.element(exponent) }
    }
}

/// Where a transform of points runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// On the calling thread alone: safe inside a lock, where rayon's stealing could come back to the same lock.
    Current,
    /// On rayon's threads.
    All,
}

/// What a transform runs over: scalars or points.
trait Element: Copy + AddAssign + SubAssign + for<'a> MulAssign<&'a Scalar> {}
impl<T: Copy + AddAssign + SubAssign + for<'a> MulAssign<&'a Scalar>> Element for T {}

/// (a, b) becomes (a + w b, a - w b). Pair 0 has w = 1, where points save a multiplication.
fn butterfly<T: Element>(a: &mut T, b: &mut T, k: usize, twiddle: &Scalar) {
    if k != 0 {
        *b *= twiddle;
    }
    let turned = *b;
    *b = *a;
    *b -= turned;
    *a += turned;
}

/// Moves item i to the place whose index has the bits of i in reverse. The length is a power of two.
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
    use super::{Domain, Field, Scalar};

    /// The value of Σ c_j X^j at x, by Horner.
    pub fn evaluate(coefficients: &[Scalar], x: &Scalar) -> Scalar {
        coefficients.iter().rev().fold(Scalar::ZERO, |sum, c| sum * x + c)
    }

    /// The values of Σ c_j X^j on the domain, one by one.
    pub fn fft(domain: &Domain, coefficients: &[Scalar]) -> Vec<Scalar> {
        domain.powers().iter().map(|x| evaluate(coefficients, x)).collect()
    }
}
