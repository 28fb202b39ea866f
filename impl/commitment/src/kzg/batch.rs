//! Many claims in one check with two Miller loops.
//!
//! With ρ_j from [`crate::challenge`]: e(Σ ρ_j (C_j - m_j g1 + ω^(i_j) π_j), g2) = e(Σ ρ_j π_j, `[τ]_2`).
//!
//! A claim costs two 128-bit terms (ρ_j C_j, ρ_j π_j) and one full-size term (ρ_j ω^(i_j)) π_j of a multi-scalar multiplication. The sums are
//! taken chunk by chunk, one a thread, and added: the sum, hence the answer, does not depend on the cutting.

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::group::{Curve, Group};
use aardvark_algebra::{Domain, G1Affine, G1Projective, Scalar, msm, msm_short, scalar_from_u128};
use rayon::prelude::*;

use super::Kzg;
use crate::challenge;
use crate::vector_commitment::{BatchClaim, VectorCommitment};

/// Claims below which a chunk is not worth a thread.
const SMALLEST_CHUNK: usize = 16;

/// The three sums of the equation, over part of the claims.
struct Sums {
    /// Σ ρ_j (C_j + ω^(i_j) π_j).
    left: G1Projective,
    /// Σ ρ_j m_j.
    scalar: Scalar,
    /// Σ ρ_j π_j.
    right: G1Projective,
}

impl Sums {
    fn zero() -> Self {
        Self { left: G1Projective::identity(), scalar: Scalar::ZERO, right: G1Projective::identity() }
    }

    /// The sums over claims whose indices are below N.
    fn of(domain: &Domain, claims: &[BatchClaim], coefficients: &[u128]) -> Self {
        let commitments: Vec<G1Affine> = claims.iter().map(|c| *c.commitment.point()).collect();
        let openings: Vec<G1Affine> = claims.iter().map(|c| *c.opening.point()).collect();
        let factors: Vec<Scalar> = coefficients.iter().map(|rho| scalar_from_u128(*rho)).collect();
        let turned: Vec<Scalar> =
            claims.iter().zip(&factors).map(|(claim, rho)| rho * domain.element(claim.index)).collect();
        Self {
            left: msm_short(&commitments, coefficients) + msm(&openings, &turned),
            scalar: claims.iter().zip(&factors).map(|(c, rho)| c.scalar * rho).sum(),
            right: msm_short(&openings, coefficients),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self { left: self.left + other.left, scalar: self.scalar + other.scalar, right: self.right + other.right }
    }
}

/// Whether all claims hold. One claim is checked as such, so that a bisection ends in exact answers.
pub(super) fn verify(kzg: &Kzg, dictionary: &[u8; 32], claims: &[BatchClaim]) -> bool {
    if claims.iter().any(|claim| claim.index >= kzg.vector_size()) {
        return false;
    }
    match claims {
        [] => true,
        [c] => kzg.verify(&c.commitment, c.index, &c.scalar, &c.opening),
        _ => {
            let coefficients = challenge::coefficients(dictionary, claims);
            let chunk = claims.len().div_ceil(rayon::current_num_threads()).max(SMALLEST_CHUNK);
            let sums = claims
                .par_chunks(chunk)
                .zip(coefficients.par_chunks(chunk))
                .map(|(claims, coefficients)| Sums::of(kzg.domain(), claims, coefficients))
                .reduce(Sums::zero, Sums::plus);
            let left = sums.left - G1Affine::generator() * sums.scalar;
            kzg.equation_holds(&left, &sums.right.to_affine())
        }
    }
}
