//! Reference implementations: each scheme by its definition, for readers and for tests. They trust
//! their caller: vectors of at most N scalars, indices below N, powers as many as named.

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::msm::naive::{msm, multiply};
use aardvark_algebra::pairing::Engine;
use aardvark_algebra::{Bls12, Domain, G1Affine, G1Projective, G2Affine, Scalar, fft};

use crate::error::CommitmentError;
use crate::folded::{FoldedClaim, FoldedOpening};
use crate::points::{Commitment, Opening};
use crate::vector_commitment::{BatchClaim, VectorCommitment};

/// Coefficients of the polynomial of degree below N with value m_i at ω^i: c_j = 1/N Σ_i m_i
/// ω^(-ij).
pub fn interpolate(domain: &Domain, scalars: &[Scalar]) -> Vec<Scalar> {
    (0..domain.size())
        .map(|j| {
            let x = domain.inverse_element(j);
            fft::naive::evaluate(scalars, &x) * domain.size_inverse()
        })
        .collect()
}

/// Quotient of a polynomial by (X - z), remainder dropped: synthetic division.
pub fn divide(coefficients: &[Scalar], z: &Scalar) -> Vec<Scalar> {
    let mut quotient: Vec<Scalar> = coefficients
        .iter()
        .skip(1)
        .rev()
        .scan(Scalar::ZERO, |carry, coefficient| {
            *carry = *carry * z + coefficient;
            Some(*carry)
        })
        .collect();
    quotient.reverse();
    quotient
}

/// KZG's commitment from the powers `[τ^i]_1`: Σ c_i `[τ^i]_1`.
pub fn kzg_commit(domain: &Domain, powers: &[G1Affine], scalars: &[Scalar]) -> Commitment {
    Commitment::from_point_unchecked(msm(powers, &interpolate(domain, scalars)))
}

/// KZG's opening from the powers `[τ^i]_1`, by polynomial division.
pub fn kzg_open(domain: &Domain, powers: &[G1Affine], scalars: &[Scalar], index: usize) -> Opening {
    let quotient = divide(&interpolate(domain, scalars), &domain.element(index));
    Opening::from_point_unchecked(msm(powers, &quotient))
}

/// KZG's equation as the papers write it, in two full pairings: e(C - m g1, g2) = e(π, `[τ]_2` -
/// ω^i g2).
#[must_use]
pub fn kzg_verify(
    domain: &Domain,
    tau_g2: &G2Affine,
    commitment: &Commitment,
    index: usize,
    scalar: &Scalar,
    opening: &Opening,
) -> bool {
    let left = commitment.point().to_curve() - G1Affine::generator() * scalar;
    let right = tau_g2.to_curve() - G2Affine::generator() * domain.element(index);
    Bls12::pairing(&left.to_affine(), &G2Affine::generator()) == Bls12::pairing(opening.point(), &right.to_affine())
}

/// KZG's folded opening of vectors and indices, by polynomial division: W = Σ γ_i `[q_i(τ)]_1`,
/// and W' = Σ γ_i / (z - z_i) `[q_i(τ)]_1` for the z that W gives.
pub fn kzg_fold(
    domain: &Domain,
    powers: &[G1Affine],
    opened: &[(&[Scalar], usize)],
    gammas: &[Scalar],
    point: impl Fn(&Opening) -> Scalar,
) -> FoldedOpening {
    let single = |(scalars, index): &(&[Scalar], usize)| *kzg_open(domain, powers, scalars, *index).point();
    let openings: Vec<G1Affine> = opened.iter().map(single).collect();
    let quotient = Opening::from_point_unchecked(msm(&openings, gammas));
    let z = point(&quotient);
    let factor = |((_, index), gamma): (&(&[Scalar], usize), &Scalar)| gamma * inverse(z - domain.element(*index));
    let factors: Vec<Scalar> = opened.iter().zip(gammas).map(factor).collect();
    FoldedOpening { quotient, witness: Opening::from_point_unchecked(msm(&openings, &factors)) }
}

/// KZG's folded equation, claim by claim and in two full pairings: e(Σ γ_i / (z - z_i) (C_i - y_i
/// g1) - W + z W', g2) = e(W', `[τ]_2`).
#[must_use]
pub fn kzg_verify_folded(
    domain: &Domain,
    tau_g2: &G2Affine,
    claims: &[FoldedClaim],
    gammas: &[Scalar],
    z: &Scalar,
    opening: &FoldedOpening,
) -> bool {
    let term = |(claim, gamma): (&FoldedClaim, &Scalar)| {
        let difference = claim.commitment.point().to_curve() - G1Affine::generator() * claim.scalar;
        difference * (gamma * inverse(z - domain.element(claim.index)))
    };
    let sum: G1Projective = claims.iter().zip(gammas).map(term).sum();
    let witness = opening.witness.point();
    let left = sum - opening.quotient.point() + multiply(witness, &z.to_bytes_le());
    let is_claimed = claims.iter().any(|claim| domain.element(claim.index) == *z);
    !is_claimed && Bls12::pairing(&left.to_affine(), &G2Affine::generator()) == Bls12::pairing(witness, tau_g2)
}

fn inverse(scalar: Scalar) -> Scalar {
    Option::from(scalar.invert()).unwrap_or(Scalar::ZERO)
}

/// Libert–Yung's commitment by its definition; `powers` holds `[α^e]_1` at entry e - 1.
pub fn libert_yung_commit(powers: &[G1Affine], scalars: &[Scalar]) -> Commitment {
    Commitment::from_point_unchecked(msm(powers, scalars))
}

/// Libert–Yung's opening by its definition; `powers` holds `[α^e]_1` at entry e - 1, e in 1..=2N.
#[allow(clippy::indexing_slicing, reason = "the caller's index is below N, and there are 2N powers")]
pub fn libert_yung_open(powers: &[G1Affine], scalars: &[Scalar], index: usize) -> Opening {
    let i = index + 1;
    let n = powers.len() / 2;
    let others = (1..=scalars.len()).filter(|j| *j != i);
    let (points, factors): (Vec<G1Affine>, Vec<Scalar>) =
        others.map(|j| (powers[(n + 1 - i + j) - 1], scalars[j - 1])).unzip();
    Opening::from_point_unchecked(msm(&points, &factors))
}

/// All openings, one by one.
pub fn open_all(scheme: &impl VectorCommitment, scalars: &[Scalar]) -> Result<Vec<Opening>, CommitmentError> {
    (0..scheme.vector_size()).map(|index| scheme.open(scalars, index)).collect()
}

/// A batch, claim by claim.
#[must_use]
pub fn verify_batch(scheme: &impl VectorCommitment, claims: &[BatchClaim]) -> bool {
    claims.iter().all(|c| scheme.verify(&c.commitment, c.index, &c.scalar, &c.opening))
}
