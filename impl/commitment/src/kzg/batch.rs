//! Many claims in one check with two Miller loops.
//!
//! With ρ_j from [`crate::challenge`]: e(Σ ρ_j (C_j - m_j g1 + ω^(i_j) π_j), g2) = e(Σ ρ_j π_j,
//! `[τ]_2`).
//!
//! A claim costs four terms with 128-bit integers: ρ_j C_j, ρ_j π_j, and two halves of (ρ_j
//! ω^(i_j)) π_j, which the endomorphism splits. The halves are right up to cofactor torsion, which
//! the pairing does not see (docs/openings.md). Claims with one commitment share its term: their
//! coefficients are added first.
//!
//! A failed check is searched with sums at hand: the right half of a range is the range less its
//! left half, so only left halves are computed, about one more batch for the first false claim of
//! many. The coefficients are those of the whole batch throughout.

use std::ops::Range;

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::{Curve, Group};
use aardvark_algebra::parallel::{self, prelude::*};
use aardvark_algebra::{Combination, G1Affine, G1Projective, Scalar, scalar_from_u128};

use super::parameters::Kzg;
use crate::bisect;
use crate::challenge;
use crate::points::{Commitment, POINT_BYTES};
use crate::vector_commitment::{BatchClaim, VectorCommitment};

/// The three sums of the equation, over part of the claims.
#[derive(Clone, Copy)]
struct Sums {
    /// Σ ρ_j (C_j + ω^(i_j) π_j), up to cofactor torsion.
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

    /// The sums over claims; those whose indices are not below N, which are false anyway, are left
    /// out: their coefficients become 0.
    fn of(kzg: &Kzg, claims: &[BatchClaim], coefficients: &[u128]) -> Self {
        let (left, scalar, right) = Self::multiples(kzg, claims, coefficients);
        let (left, right) = parallel::join(|| left.sum(), || right.sum());
        Self { left, scalar, right }
    }

    /// What is to be added up. Everything else that it takes to find it is gone when the adding,
    /// which takes the most memory, begins.
    #[allow(
        clippy::indexing_slicing,
        reason = "places are those of the claims that were sorted, and no group is empty"
    )]
    fn multiples(kzg: &Kzg, claims: &[BatchClaim], coefficients: &[u128]) -> (Combination, Scalar, Combination) {
        let powers = kzg.domain.powers();
        let kept = |(claim, rho): (_, &u128)| -> Term<'_> {
            let claim: &BatchClaim = claim;
            (claim, if claim.index < powers.len() { *rho } else { 0 })
        };
        let terms: Vec<Term<'_>> = claims.par_iter().zip(coefficients).map(kept).collect();
        let power_of = |claim: &BatchClaim| powers.get(claim.index).copied().unwrap_or(Scalar::ZERO);
        let distinct = Distinct::new(claims, |claim| &claim.commitment);
        let (alone, shared): (Vec<Places<'_>>, Vec<Places<'_>>) =
            distinct.groups().partition(|places| places.len() == 1);

        let mut left = Combination::with_capacity(2 * terms.len() + alone.len() + 2 * shared.len());
        left.extend_modulo_torsion(&terms, opening, |(claim, rho)| scalar_from_u128(*rho) * power_of(claim));
        // A coefficient that stands alone is short and needs no splitting.
        left.extend(&alone, |places| claims[places[0].1].commitment.point(), |places| terms[places[0].1].1);
        let sum_of = |places: &Places<'_>| places.iter().map(|(_, place)| scalar_from_u128(terms[*place].1)).sum();
        left.extend_modulo_torsion(&shared, |places| claims[places[0].1].commitment.point(), sum_of);
        let mut right = Combination::with_capacity(terms.len());
        right.extend(&terms, opening, |(_, rho)| *rho);
        let products = terms.par_iter().map(|(claim, rho)| scalar_from_u128(*rho) * claim.scalar);
        let scalar = products.reduce(|| Scalar::ZERO, |a, b| a + b);
        (left, scalar, right)
    }

    fn minus(&self, other: &Self) -> Self {
        Self { left: self.left - other.left, scalar: self.scalar - other.scalar, right: self.right - other.right }
    }

    /// Whether the claims that were summed hold, by one pairing check.
    fn hold(&self, kzg: &Kzg) -> bool {
        let left = self.left - kzg.verifier.generator_times(&self.scalar);
        kzg.verifier.equation_holds(&left, &self.right.to_affine())
    }
}

/// A claim with its coefficient.
type Term<'a> = (&'a BatchClaim, u128);

fn opening<'a>((claim, _): &'a Term<'_>) -> &'a G1Affine {
    claim.opening.point()
}

/// The encoding of a commitment, and the places in a list of claims that speak of it.
pub(super) type Places<'a> = &'a [([u8; POINT_BYTES], usize)];

/// A list of claims, sorted by their commitments.
pub(super) struct Distinct(Vec<([u8; POINT_BYTES], usize)>);

impl Distinct {
    pub(super) fn new<T: Sync>(claims: &[T], commitment: impl Fn(&T) -> &Commitment + Sync) -> Self {
        let places = claims.par_iter().enumerate().map(|(place, claim)| (commitment(claim).to_bytes(), place));
        let mut places: Vec<_> = places.collect();
        places.par_sort_unstable();
        Self(places)
    }

    /// For each distinct commitment the places that have it: at least one.
    pub(super) fn groups(&self) -> impl Iterator<Item = Places<'_>> {
        self.0.chunk_by(|(a, _), (b, _)| a == b)
    }
}

/// Whether all claims hold. One claim is checked as such.
pub(super) fn verify(kzg: &Kzg, context: &[u8], claims: &[BatchClaim]) -> bool {
    if claims.iter().any(|claim| claim.index >= kzg.vector_size()) {
        return false;
    }
    match claims {
        [] => true,
        [c] => kzg.verify(&c.commitment, c.index, &c.scalar, &c.opening),
        _ => Sums::of(kzg, claims, &challenge::coefficients(context, claims)).hold(kzg),
    }
}

/// The groups of consecutive claims that hold a false one, at most `most` of them, ascending. Group
/// g ends before claim `ends[g]`; ends ascend to the number of claims.
#[allow(clippy::indexing_slicing, reason = "the caller's ends ascend to the number of claims")]
pub(super) fn false_groups(
    kzg: &Kzg,
    context: &[u8],
    claims: &[BatchClaim],
    ends: &[usize],
    most: usize,
) -> Vec<usize> {
    let coefficients = challenge::coefficients(context, claims);
    let start_of = |group: usize| group.checked_sub(1).map_or(0, |before| ends[before]);
    let sums_of = |groups: Range<usize>| {
        let span = start_of(groups.start)..start_of(groups.end);
        Sums::of(kzg, &claims[span.clone()], &coefficients[span])
    };
    let beyond = |group: &usize| claims[start_of(*group)..ends[*group]].iter().any(|c| c.index >= kzg.vector_size());
    let mut found: Vec<usize> = (0..ends.len()).filter(beyond).take(most).collect();
    let total = if ends.is_empty() { Sums::zero() } else { sums_of(0..ends.len()) };
    if !total.hold(kzg) {
        found.extend(bisect::find_false_by_sums(ends.len(), total, sums_of, Sums::minus, |sums| sums.hold(kzg), most));
        found.sort_unstable();
        found.dedup();
        found.truncate(most);
    }
    found
}
