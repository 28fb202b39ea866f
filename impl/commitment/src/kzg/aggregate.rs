//! Aggregated openings in one check with two Miller loops.
//!
//! With ρ_j of the first challenge, γ_i of the second, i_j the index of claim j:
//! e(Σ γ_(i_j) ρ_j (C_j - m_j g1) + Σ γ_i ω^i P_i, g2) = e(Σ γ_i P_i, `[τ]_2`).
//!
//! Claims of one vector at one version share their commitment, so its coefficients are added before anything is multiplied: the cost is that of the distinct commitments and of the points,
//! and a claim adds two hashes and a few operations on scalars.

use std::collections::HashMap;

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, Scalar, msm, msm_short, scalar_from_u128};

use super::Kzg;
use crate::aggregation::{self, Aggregate, Aggregation, Transcript, UnopenedClaim};
use crate::points::POINT_BYTES;
use crate::vector_commitment::VectorCommitment;

impl Aggregation for Kzg {
    fn verify_aggregated(
        &self,
        dictionary: &[u8; 32],
        version: u64,
        claims: &[UnopenedClaim],
        aggregate: &Aggregate,
    ) -> bool {
        aggregation::transcript(self.vector_size(), dictionary, version, claims, aggregate)
            .is_some_and(|transcript| equation_holds(self, claims, aggregate, &transcript))
    }
}

/// The commitments that occur, each once, with the sum of its coefficients γ_(i_j) ρ_j; and Σ γ_(i_j) ρ_j m_j.
fn merge_commitments(
    vector_size: usize,
    claims: &[UnopenedClaim],
    combiner_at: &[Scalar],
    transcript: &Transcript,
) -> (Vec<G1Affine>, Vec<Scalar>, Scalar) {
    let mut known: HashMap<[u8; POINT_BYTES], usize> = HashMap::new();
    let (mut commitments, mut coefficients) = (Vec::new(), Vec::new());
    let mut scalar = Scalar::ZERO;
    for (place, rho) in transcript.places.iter().zip(&transcript.coefficients) {
        let claim = &claims[*place];
        let factor = combiner_at[claim.index(vector_size)] * scalar_from_u128(*rho);
        scalar += factor * claim.scalar;
        let entry = *known.entry(claim.commitment.to_bytes()).or_insert_with(|| {
            commitments.push(*claim.commitment.point());
            coefficients.push(Scalar::ZERO);
            coefficients.len() - 1
        });
        coefficients[entry] += factor;
    }
    (commitments, coefficients, scalar)
}

fn equation_holds(kzg: &Kzg, claims: &[UnopenedClaim], aggregate: &Aggregate, transcript: &Transcript) -> bool {
    let mut combiner_at = vec![Scalar::ZERO; kzg.vector_size()];
    let points: Vec<G1Affine> = aggregate.points.iter().map(|(_, point)| *point.point()).collect();
    let mut turned = Vec::with_capacity(points.len());
    for ((index, _), gamma) in aggregate.points.iter().zip(&transcript.combiners) {
        let gamma = scalar_from_u128(*gamma);
        combiner_at[*index] = gamma;
        turned.push(gamma * kzg.domain.element(*index));
    }
    let (commitments, coefficients, scalar) = merge_commitments(kzg.vector_size(), claims, &combiner_at, transcript);
    let left = msm(&commitments, &coefficients) + msm(&points, &turned) - G1Affine::generator() * scalar;
    let right = msm_short(&points, &transcript.combiners);
    kzg.equation_holds(&left, &right.to_affine())
}
