//! Aggregated openings in one check with two Miller loops.
//!
//! With ρ_j of the first challenge, γ_i of the second, i_j the index of claim j:
//! e(Σ γ_(i_j) ρ_j (C_j - m_j g1) + Σ γ_i ω^i P_i, g2) = e(Σ γ_i P_i, `[τ]_2`).
//!
//! Claims of one vector at one version share their commitment, so its coefficients are added before
//! anything is multiplied: the cost is that of the distinct commitments and of the points, and a
//! claim adds two hashes and a few operations on scalars.

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::parallel::{self, prelude::*};
use aardvark_algebra::{Combination, G1Affine, Scalar, scalar_from_u128};

use super::batch::{Distinct, Places};
use super::parameters::Kzg;
use crate::aggregation::{self, Aggregate, Aggregation, Transcript, UnopenedClaim};
use crate::vector_commitment::VectorCommitment;

impl Aggregation for Kzg {
    fn verify_aggregated(&self, context: &[u8], claims: &[UnopenedClaim], aggregate: &Aggregate) -> bool {
        aggregation::transcript(self.vector_size(), context, claims, aggregate)
            .is_some_and(|transcript| equation_holds(self, claims, aggregate, &transcript))
    }
}

#[allow(clippy::indexing_slicing, reason = "the transcript has places in the list of claims, and indices below N")]
fn equation_holds(kzg: &Kzg, claims: &[UnopenedClaim], aggregate: &Aggregate, transcript: &Transcript) -> bool {
    let size = kzg.vector_size();
    let mut combiner_at = vec![Scalar::ZERO; size];
    for ((index, _), gamma) in aggregate.points.iter().zip(&transcript.combiners) {
        combiner_at[*index] = scalar_from_u128(*gamma);
    }
    let terms: Vec<(&UnopenedClaim, Scalar)> = transcript
        .places
        .par_iter()
        .zip(&transcript.coefficients)
        .map(|(place, rho)| {
            let claim = &claims[*place];
            (claim, combiner_at[claim.index(size)] * scalar_from_u128(*rho))
        })
        .collect();
    let distinct = Distinct::new(&terms, |(claim, _)| &claim.commitment);
    let groups: Vec<Places<'_>> = distinct.groups().collect();

    let mut left = Combination::with_capacity(2 * (groups.len() + aggregate.points.len()));
    let power_at = |index: &usize| combiner_at[*index] * kzg.domain.element(*index);
    left.extend_modulo_torsion(&aggregate.points, |(_, point)| point.point(), |(index, _)| power_at(index));
    let factor_of = |places: &Places<'_>| places.iter().map(|(_, place)| terms[*place].1).sum();
    left.extend_modulo_torsion(&groups, |places| terms[places[0].1].0.commitment.point(), factor_of);
    let combined: Vec<(&G1Affine, u128)> =
        aggregate.points.iter().map(|(_, point)| point.point()).zip(transcript.combiners.iter().copied()).collect();
    let mut right = Combination::with_capacity(combined.len());
    right.extend(&combined, |(point, _)| point, |(_, gamma)| *gamma);
    let products = terms.par_iter().map(|(claim, factor)| factor * claim.scalar);
    let scalar = products.reduce(|| Scalar::ZERO, |a, b| a + b);
    let (left, right) = parallel::join(|| left.sum(), || right.sum());
    let left = left - kzg.verifier.generator_times(&scalar);
    kzg.verifier.equation_holds(&left, &right.to_affine())
}
