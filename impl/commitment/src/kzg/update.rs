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

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{Domain, G1Affine, G1Projective, Scalar, batch_to_affine};
use rayon::prelude::*;

use super::quotient::Differences;

/// a_k and u_i of the module's text, k, i < N.
#[derive(Debug)]
pub(super) struct UpdateKeys {
    others: Vec<G1Affine>,
    own: Vec<G1Affine>,
}

impl UpdateKeys {
    /// From the Lagrange basis: two transforms over points.
    pub(super) fn derive(domain: &Domain, basis: &[G1Affine]) -> Self {
        let size = Scalar::from(domain.size() as u64);
        let others: Vec<G1Projective> =
            basis.par_iter().enumerate().map(|(k, point)| point * (domain.inverse_element(k) * size)).collect();
        let basis: Vec<G1Projective> = basis.iter().map(|point| point.to_curve()).collect();
        let mut powers = domain.fft_g1(&basis);
        powers.par_iter_mut().enumerate().for_each(|(s, power)| {
            *power *= Scalar::from((domain.size() - 1 - s) as u64);
        });
        let mut own = domain.ifft_g1(&powers);
        own.par_iter_mut().enumerate().for_each(|(i, point)| *point *= domain.inverse_element(i));
        Self { others: batch_to_affine(&others), own: batch_to_affine(&own) }
    }

    /// What an opening at i grows by when m_j grows by `delta`; (i, j) both below N.
    pub(super) fn change(
        &self,
        domain: &Domain,
        differences: &Differences,
        (i, j): (usize, usize),
        delta: &Scalar,
    ) -> G1Projective {
        if i == j {
            return self.own[i] * delta;
        }
        let c_j = domain.element(j) * domain.size_inverse();
        let factor = delta * c_j * differences.inverse(domain, j, i);
        (self.others[j].to_curve() - self.others[i]) * factor
    }
}
