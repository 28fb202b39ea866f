//! The Lagrange basis from the powers.
//!
//! L_i(X) = 1/N Σ_j ω^(-ij) X^j, so ([L_i(τ)]_1) is the inverse transform of the first N powers
//! ([τ^j]_1).

use aardvark_algebra::{Domain, G1Affine, Threads};

/// `[L_i(τ)]_1` for i < N from `[τ^i]_1` for i < N.
pub(super) fn lagrange_basis(domain: &Domain, powers: &[G1Affine]) -> Vec<G1Affine> {
    domain.ifft_g1(powers, Threads::All)
}
