//! Aggregated openings in one check with two Miller loops.
//!
//! With ρ_j of the first challenge, γ_i of the second, i_j the index of claim j:
//! e(Σ γ_(i_j) ρ_j (C_j - m_j g1) + Σ γ_i ω^i P_i, g2) = e(Σ γ_i P_i, `[τ]_2`).
//!
//! Claims of one vector at one version share their commitment, so its coefficients are added before anything is multiplied: the cost is that of the distinct commitments and of the points,
//! and a claim adds two hashes and a few operations on scalars.

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::{Combination, Scalar, scalar_from_u128};

use super::Kzg;
use super::batch::Multiples;
use crate::aggregation::{self, Aggregate, Aggregation, Transcript, UnopenedClaim};
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

fn equation_holds(kzg: &Kzg, claims: &[UnopenedClaim], aggregate: &Aggregate, transcript: &Transcript) -> bool {
    let size = kzg.vector_size();
    let mut left = Combination::with_capacity(2 * claims.len() + 2 * aggregate.points.len());
    let mut right = Combination::with_capacity(aggregate.points.len());
    let mut combiner_at = vec![Scalar::ZERO; size];
    for ((index, point), gamma) in aggregate.points.iter().zip(&transcript.combiners) {
        combiner_at[*index] = scalar_from_u128(*gamma);
        left.add_modulo_torsion(point.point(), &(combiner_at[*index] * kzg.domain.element(*index)));
        right.add(point.point(), *gamma);
    }
    let mut commitments = Multiples::default();
    let mut scalar = Scalar::ZERO;
    for (place, rho) in transcript.places.iter().zip(&transcript.coefficients) {
        let claim = &claims[*place];
        let factor = combiner_at[claim.index(size)] * scalar_from_u128(*rho);
        scalar += factor * claim.scalar;
        commitments.add(&claim.commitment, factor);
    }
    commitments.append_to(&mut left);
    let (left, right) = rayon::join(|| left.sum(), || right.sum());
    let left = left - kzg.verifier.generator_times(&scalar);
    kzg.verifier.equation_holds(&left, &right.to_affine())
}
