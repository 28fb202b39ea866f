//! How openings follow a change of the vector.
//!
//! When m_j grows by δ, p grows by δ L_j, and the quotient at i by δ (L_j - L_j(ω^i)) / (X - ω^i). With A(X) = X^N - 1, c_j = 1/A'(ω^j) = ω^j / N and
//! a_k = `[A(τ)/(τ - ω^k)]_1` = `[L_k(τ)]_1` / c_k:
//!
//! - j ≠ i: π_i + (δ c_j / (ω^j - ω^i)) (a_j - a_i), by partial fractions of A / ((X - ω^j)(X - ω^i));
//! - j = i: π_i + δ u_i with u_i = `[(L_i(τ) - 1)/(τ - ω^i)]_1`.
//!
//! All u_i at once: (L_i(X) - 1)/(X - ω^i) = ω^(-i)/N Σ_s (N-1-s) ω^(-is) X^s, so (ω^i u_i) is the inverse transform of ((N-1-s) [τ^s]_1), and the powers
//! [τ^s]_1 are the transform of the basis.

//! Both tables are made at the first update that needs them, on one thread: their initialisation holds a lock, and work that
//! rayon steals meanwhile could be another update that waits for the same lock.

use std::sync::OnceLock;

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{Domain, G1Affine, G1Projective, Scalar, Threads, batch_to_affine};

use super::ProverKey;

/// a_k and u_i of the module's text, k, i < N.
#[derive(Debug, Default)]
pub(super) struct UpdateKeys {
    others: OnceLock<Vec<G1Affine>>,
    own: OnceLock<Vec<G1Affine>>,
}

/// What an opening at i grows by when m_j grows by `delta`; (i, j) both below N.
pub(super) fn change(domain: &Domain, key: &ProverKey, (i, j): (usize, usize), delta: &Scalar) -> G1Projective {
    if i == j {
        let own = key.update_keys.own.get_or_init(|| derive_own(domain, &key.basis));
        return own[i] * delta;
    }
    let others = key.update_keys.others.get_or_init(|| derive_others(domain, &key.basis));
    let c_j = domain.element(j) * domain.size_inverse();
    let factor = delta * c_j * key.differences.inverse(domain, j, i);
    (others[j].to_curve() - others[i]) * factor
}

/// a_k for k < N: N scalar multiplications.
fn derive_others(domain: &Domain, basis: &[G1Affine]) -> Vec<G1Affine> {
    let size = Scalar::from(domain.size() as u64);
    let terms = basis.iter().enumerate();
    let others: Vec<G1Projective> = terms.map(|(k, point)| point * (domain.inverse_element(k) * size)).collect();
    batch_to_affine(&others)
}

/// u_i for i < N: two transforms over points.
fn derive_own(domain: &Domain, basis: &[G1Affine]) -> Vec<G1Affine> {
    let basis: Vec<G1Projective> = basis.iter().map(|point| point.to_curve()).collect();
    let mut powers = domain.fft_g1(&basis, Threads::Current);
    for (s, power) in powers.iter_mut().enumerate() {
        *power *= Scalar::from((domain.size() - 1 - s) as u64);
    }
    let mut own = domain.ifft_g1(&powers, Threads::Current);
    for (i, point) in own.iter_mut().enumerate() {
        *point *= domain.inverse_element(i);
    }
    batch_to_affine(&own)
}
