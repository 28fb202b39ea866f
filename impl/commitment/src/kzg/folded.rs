//! Folding openings, and verifying folded ones ([`crate::folded`]).
//!
//! With f_i = γ_i / (z - z_i), for n claims of m commitments:
//!
//! - Fold: W = Σ γ_i π_i, then W' = Σ f_i π_i, of openings π_i that are at hand.
//! - Verify: no z_i is z, and e(Σ f_i (C_i - y_i g1) - W + z W', g2) = e(W', `[τ]_2`): one
//!   multi-scalar multiplication with m + 1 terms, one multiple of g1, one pairing check. All
//!   z - z_i are inverted together.
//!
//! W and W' need not lie in the subgroup: they enter a pairing and nothing else, as openings do.

use aardvark_algebra::ff::{BatchInverter, Field};
use aardvark_algebra::group::Curve;
use aardvark_algebra::{Combination, G1Affine, Scalar, msm};

use super::batch::{Distinct, Places};
use super::parameters::Kzg;
use crate::error::CommitmentError;
use crate::folded::{self, FoldedClaim, FoldedOpening};
use crate::points::Opening;
use crate::vector_commitment::check_index;

impl Kzg {
    /// One opening for all claims, of their own openings. Those should have been verified: with a
    /// false one among them the folded opening does not verify.
    ///
    /// # Errors
    /// [`CommitmentError::IndexOutOfRange`].
    pub fn fold(
        &self,
        context: &[u8; 32],
        claims: &[(FoldedClaim, Opening)],
    ) -> Result<FoldedOpening, CommitmentError> {
        let (unopened, openings): (Vec<FoldedClaim>, Vec<G1Affine>) =
            claims.iter().map(|(claim, opening)| (*claim, *opening.point())).unzip();
        unopened.iter().try_for_each(|claim| check_index(claim.index, self.domain.size()))?;
        let seed = folded::claims_seed(&self.domain, context, &unopened);
        let gammas = folded::gammas(&seed, unopened.len());
        let quotient = Opening::from_point_unchecked(msm(&openings, &gammas).to_affine());
        let z = folded::point(&seed, &quotient);
        // A claim about z itself, which nobody meets, leaves a witness that does not verify.
        let factors = self.factors(&unopened, &gammas, z).unwrap_or_default();
        Ok(FoldedOpening { quotient, witness: Opening::from_point_unchecked(msm(&openings, &factors).to_affine()) })
    }

    /// Whether a folded opening shows all claims.
    #[must_use]
    #[allow(clippy::indexing_slicing, reason = "places are those of the claims, each with a factor")]
    pub fn verify_folded(&self, context: &[u8; 32], claims: &[FoldedClaim], opening: &FoldedOpening) -> bool {
        if claims.iter().any(|claim| claim.index >= self.domain.size()) {
            return false;
        }
        let seed = folded::claims_seed(&self.domain, context, claims);
        let z = folded::point(&seed, &opening.quotient);
        let Some(factors) = self.factors(claims, &folded::gammas(&seed, claims.len()), z) else {
            return false;
        };
        let distinct = Distinct::new(claims, |claim| &claim.commitment);
        let groups: Vec<Places<'_>> = distinct.groups().collect();
        let factor_of = |places: &Places<'_>| places.iter().map(|(_, place)| factors[*place]).sum();
        let mut left = Combination::with_capacity(2 * groups.len() + 2);
        left.extend_modulo_torsion(&groups, |places| claims[places[0].1].commitment.point(), factor_of);
        left.add_modulo_torsion(opening.witness.point(), &z);
        let scalar: Scalar = claims.iter().zip(&factors).map(|(claim, factor)| factor * claim.scalar).sum();
        let left = left.sum() - self.verifier.generator_times(&scalar) - opening.quotient.point();
        self.verifier.equation_holds(&left, opening.witness.point())
    }

    /// γ_i / (z - z_i); `None` where a claim is about z.
    fn factors(&self, claims: &[FoldedClaim], gammas: &[Scalar], z: Scalar) -> Option<Vec<Scalar>> {
        let mut factors: Vec<Scalar> = claims.iter().map(|claim| z - self.domain.element(claim.index)).collect();
        if factors.iter().any(|difference| bool::from(difference.is_zero())) {
            return None;
        }
        let mut scratch = vec![Scalar::ZERO; factors.len()];
        BatchInverter::invert_with_external_scratch(&mut factors, &mut scratch);
        factors.iter_mut().zip(gammas).for_each(|(factor, gamma)| *factor *= gamma);
        Some(factors)
    }
}
