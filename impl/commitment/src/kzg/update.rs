//! Updates of openings after a change of the vector.
//!
//! When m_j grows by δ, p grows by δ L_j, and the quotient at i by δ (L_j - L_j(ω^i)) / (X - ω^i).
//! With A(X) = X^N - 1, c_j = 1/A'(ω^j) = ω^j / N and a_k = `[A(τ)/(τ - ω^k)]_1` = `[L_k(τ)]_1` /
//! c_k:
//!
//! - j ≠ i: π_i + (δ c_j / (ω^j - ω^i)) (a_j - a_i), by partial fractions of A / ((X - ω^j)(X -
//!   ω^i));
//! - j = i: π_i + δ u_i with u_i = `[(L_i(τ) - 1)/(τ - ω^i)]_1`.
//!
//! All u_i at once: (L_i(X) - 1)/(X - ω^i) = 1/N Σ_s (N-1-s) ω^(-i(s+1)) X^s, so (u_i) is the
//! inverse transform of the points (N-1-s) `[τ^s]_1`, each moved up by one place (the last is 0),
//! and the powers `[τ^s]_1` are the transform of the basis.
//!
//! Since a_k is a known multiple of the basis, k changes of one opening at i are one sum over the
//! basis: with s_j = δ_j / (ω^j - ω^i), π_i + Σ_{j≠i} s_j `[L_j(τ)]_1` - (Σ_{j≠i} s_j c_j / c_i)
//! `[L_i(τ)]_1` + δ_i u_i, where c_j / c_i = ω^(j-i). An index may occur more than once.

use std::sync::OnceLock;

use aardvark_algebra::ff::Field;
use aardvark_algebra::table::Term;
use aardvark_algebra::{Domain, G1Affine, Scalar, Threads, multiply_each};

use super::quotient::Differences;

/// u_i for i < N, made at the first update of an opening at its own index.
///
/// On one thread: the initialisation holds a lock, and work that rayon steals meanwhile could be
/// another update that waits for the same lock.
#[derive(Debug, Default)]
pub(super) struct OwnKeys(OnceLock<Vec<G1Affine>>);

impl OwnKeys {
    pub(super) fn get(&self, domain: &Domain, basis: &[G1Affine]) -> &[G1Affine] {
        self.0.get_or_init(|| own_keys(domain, basis, Threads::Current))
    }

    /// [`OwnKeys::get`] for a caller who holds the key alone: on all threads.
    pub(super) fn prepare(&mut self, domain: &Domain, basis: &[G1Affine]) -> &[G1Affine] {
        if self.0.get().is_none() {
            self.0 = OnceLock::from(own_keys(domain, basis, Threads::All));
        }
        self.get(domain, basis)
    }
}

/// What an opening grows by.
pub(super) struct Change {
    /// Terms over the basis.
    pub(super) basis: Vec<Term>,
    /// δ_i, the factor of u_i.
    pub(super) own: Scalar,
}

/// What an opening at `opened` grows by when the scalars at the indices of `deltas` grow; all
/// indices below N.
pub(super) fn change(domain: &Domain, differences: &Differences, opened: usize, deltas: &[(usize, Scalar)]) -> Change {
    let size = domain.size();
    let own = deltas.iter().filter(|(j, _)| *j == opened).map(|(_, delta)| *delta).sum();
    let others = deltas.iter().filter(|(j, _)| *j != opened);
    let mut basis: Vec<Term> = others.map(|(j, delta)| (*j, delta * differences.inverse(domain, *j, opened))).collect();
    let at_opened: Scalar = basis.iter().map(|(j, s)| s * domain.element(j + size - opened)).sum();
    if !bool::from(at_opened.is_zero()) {
        basis.push((opened, -at_opened));
    }
    Change { basis, own }
}

/// u_i for i < N, for the Lagrange basis of a domain: two transforms over points.
pub fn own_keys(domain: &Domain, basis: &[G1Affine], threads: Threads) -> Vec<G1Affine> {
    let powers = domain.fft_g1(basis, threads);
    let size = domain.size();
    let factors: Vec<Scalar> = (0..size).map(|s| Scalar::from((size - 1 - s) as u64) * domain.size_inverse()).collect();
    let mut weighted = multiply_each(&powers, &factors, threads);
    weighted.rotate_right(1);
    domain.ifft_g1_unscaled(&weighted, threads)
}
