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
//! 1. z_(r, j) = Σ_(i = j mod N/4) ω^(ri) (m_i / N) `[L_i(τ)]_1` for r < 4, j < N/4: sums of four
//!    multiples of known bases, which are two layers of the transform X of (m_i / N) `[L_i(τ)]_1`.
//!    From tables they cost less than what those layers multiply by twiddles. Without tables it is
//!    sums of one, and one transform;
//! 2. X_(4k + r) = Σ_j ω^(4jk) z_(r, j): four transforms of N/4 points;
//! 3. Y_(k+1) = (k - h) X_k, indices modulo N: integers of log2 N bits, and the shift by one is the
//!    factor ω^(-i);
//! 4. R = inverse transform of Y, unscaled (step 1 has the 1/N);
//! 5. π_i = R_i + m_i u_i + (p'(ω^i) - m_i ω^(-i) (N - 1 - h)) `[L_i(τ)]_1`: two multiplications of
//!    known bases each.
//!
//! That is about N (log2 N - 1) multiplications by twiddles, where N single openings take N² terms
//! of a multi-scalar multiplication.

#![allow(clippy::indexing_slicing, reason = "places are those of a domain of this size")]

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::table::Term;
use aardvark_algebra::{Domain, G1Affine, Scalar, Threads, multiply_each};

use super::prover::ProverKey;

/// Multiples of known bases in a sum of step 1.
const FOLDS: usize = 4;

/// Openings at all indices of a vector of at most N scalars, padded with zeros.
pub(super) fn open_all(domain: &Domain, key: &ProverKey, scalars: &[Scalar]) -> Vec<G1Affine> {
    let size = domain.size();
    let mut scalars = scalars.to_vec();
    scalars.resize(size, Scalar::from(0));
    let half = size / 2;

    let spectrum = transform_of_multiples(domain, key, &scalars);
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

/// The transform of (m_i / N) `[L_i(τ)]_1`, m of N scalars: steps 1 and 2.
fn transform_of_multiples(domain: &Domain, key: &ProverKey, scalars: &[Scalar]) -> Vec<G1Affine> {
    let size = domain.size();
    let folds = if key.has_multiples() { FOLDS.min(size) } else { 1 };
    let block = size / folds;
    let scaled: Vec<Scalar> = scalars.iter().map(|m| m * domain.size_inverse()).collect();
    let term = |r: usize, i: usize| (i, scaled[i] * domain.element(r * i));
    let terms: Vec<Term> = (0..size)
        .flat_map(|place| (0..folds).map(move |q| (place / block, place % block + q * block)))
        .map(|(r, i)| term(r, i))
        .collect();
    let runs: Vec<(G1Affine, &[Term])> = terms.chunks(folds).map(|terms| (G1Affine::identity(), terms)).collect();
    let blocks = domain.fft_g1_blocks(&key.add_multiples(&runs), block, Threads::All);
    (0..size).map(|k| blocks[k % folds * block + k / folds]).collect()
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
