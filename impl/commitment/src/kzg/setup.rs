//! The Lagrange basis from the powers.
//!
//! L_i(X) = 1/N Σ_j ω^(-ij) X^j, so ([L_i(τ)]_1) is the inverse transform of the first N powers ([τ^j]_1).

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{Domain, G1Affine, G1Projective, Threads, batch_to_affine};

/// `[L_i(τ)]_1` for i < N from `[τ^i]_1` for i < N.
pub(super) fn lagrange_basis(domain: &Domain, powers: &[G1Affine]) -> Vec<G1Affine> {
    let powers: Vec<G1Projective> = powers.iter().map(|power| power.to_curve()).collect();
    batch_to_affine(&domain.ifft_g1(&powers, Threads::All))
}
