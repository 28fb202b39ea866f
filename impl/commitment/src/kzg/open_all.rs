//! All openings of a vector in O(N log N) group operations.
//!
//! The quotient at i has the value (m_j - m_i) / (ω^j - ω^i) at j ≠ i and p'(ω^i) at i
//! (`quotient.rs`), so with u_i of `update.rs`, whose values are -1 / (ω^j - ω^i) and (N-1) / 2ω^i,
//!
//! π_i = C_i + m_i u_i + (p'(ω^i) - m_i (N-1) / 2ω^i) `[L_i(τ)]_1`, C_i = Σ_{j≠i} m_j / (ω^j - ω^i)
//! `[L_j(τ)]_1`.
//!
//! Only C_i mixes all indices, and 1 / (ω^j - ω^i) = ω^(-i) g(j-i) with g(d) = 1 / (ω^d - 1), g(0)
//! = 0: a cyclic correlation, diagonal under the transform. Its eigenvalues are small: G_k =
//! Σ_{d≠0} ω^(-dk) / (ω^d - 1) has G_0 = -(N-1)/2, the sum of g, and G_k - G_(k+1) = Σ_{d≠0}
//! ω^(-d(k+1)) = -1 for k + 1 < N, so G_k = k - (N-1)/2. With h = ⌊N/2⌋ in place of (N-1)/2 all are
//! integers, and the difference (N-1)/2 - h stands in g(0), where it adds a multiple of
//! `[L_i(τ)]_1` alone. Hence:
//!
//! 1. x_j = (m_j / N) `[L_j(τ)]_1`: N multiplications of known bases;
//! 2. X = transform of x;
//! 3. Y_(k+1) = (k - h) X_k, indices modulo N: integers of log2 N bits, and the shift by one is the
//!    factor ω^(-i);
//! 4. R = inverse transform of Y, unscaled (step 1 has the 1/N);
//! 5. π_i = R_i + m_i u_i + (p'(ω^i) - m_i ω^(-i) (N - 1 - h)) `[L_i(τ)]_1`: two multiplications of
//!    known bases each.
//!
//! That is about N log2 N multiplications by twiddles, where N single openings take N² terms of a
//! multi-scalar multiplication.

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::table::Term;
use aardvark_algebra::{Domain, G1Affine, Scalar, Threads, multiply_each};

use super::prover::ProverKey;

/// Openings at all indices of a vector of at most N scalars, padded with zeros.
pub(super) fn open_all(domain: &Domain, key: &ProverKey, scalars: &[Scalar]) -> Vec<G1Affine> {
    let size = domain.size();
    let mut scalars = scalars.to_vec();
    scalars.resize(size, Scalar::from(0));
    let half = size / 2;

    let scaled: Vec<Term> = scalars.iter().map(|m| m * domain.size_inverse()).enumerate().collect();
    let values = key.add_multiples(&one_each(&vec![G1Affine::identity(); size], &scaled));
    let spectrum = domain.fft_g1(&values, Threads::All);
    let eigenvalues: Vec<Scalar> = (0..size).map(|k| integer(k) - integer(half)).collect();
    let mut spectrum = multiply_each(&spectrum, &eigenvalues, Threads::All);
    spectrum.rotate_right(1);
    let correlation = domain.ifft_g1_unscaled(&spectrum, Threads::All);

    let own: Vec<Term> = scalars.iter().copied().enumerate().collect();
    let with_own = key.add_own_multiples(domain, &one_each(&correlation, &own));
    let diagonal = derivative(domain, &scalars).into_iter().zip(&scalars).enumerate();
    let diagonal: Vec<Term> =
        diagonal.map(|(i, (slope, m))| (i, slope - m * domain.inverse_element(i) * integer(size - 1 - half))).collect();
    key.add_multiples(&one_each(&with_own, &diagonal))
}

/// Single openings that cost as much as [`open_all`] on one thread: 5 log2 N, between the 34
/// (plain) and the 60 (with tables) that `benches/src/bin/figures.rs` showed at N = 1,024 on a
/// shared virtual machine of two cores.
pub(super) fn break_even(vector_size: usize) -> usize {
    5 * vector_size.ilog2() as usize
}

/// Runs of one term.
fn one_each<'a>(starts: &[G1Affine], terms: &'a [Term]) -> Vec<(G1Affine, &'a [Term])> {
    starts.iter().copied().zip(terms.chunks(1)).collect()
}

fn integer(value: usize) -> Scalar {
    Scalar::from(value as u64)
}

/// p'(ω^i) for all i, from the values of p: p' = Σ (s+1) c_(s+1) X^s.
fn derivative(domain: &Domain, values: &[Scalar]) -> Vec<Scalar> {
    let coefficients = domain.ifft(values);
    let of_derivative: Vec<Scalar> =
        coefficients.iter().enumerate().skip(1).map(|(s, coefficient)| coefficient * integer(s)).collect();
    domain.fft(&of_derivative)
}
