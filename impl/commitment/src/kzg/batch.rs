//! Many claims in one check with two Miller loops.
//!
//! With ρ_j from [`crate::challenge`]: e(Σ ρ_j (C_j - m_j g1 + ω^(i_j) π_j), g2) = e(Σ ρ_j π_j, `[τ]_2`).
//!
//! A claim costs four terms with 128-bit integers: ρ_j C_j, ρ_j π_j, and two halves of (ρ_j ω^(i_j)) π_j, which the endomorphism splits. The halves are right up to cofactor torsion,
//! which the pairing does not see (docs/openings.md). Claims with one commitment share its term: their coefficients are added first.
//!
//! A failed check is searched with sums at hand: the right half of a range is the range less its left half, so only left halves are computed, about one more batch
//! for the first false claim of many. The coefficients are those of the whole batch throughout.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::{Curve, Group};
use aardvark_algebra::{Combination, G1Affine, G1Projective, Scalar, scalar_from_u128};

use super::Kzg;
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

    /// The sums over claims; those whose indices are not below N, which are false anyway, are left out.
    fn of(kzg: &Kzg, claims: &[BatchClaim], coefficients: &[u128]) -> Self {
        let mut commitments = Multiples::default();
        let mut left = Combination::with_capacity(3 * claims.len());
        let mut right = Combination::with_capacity(claims.len());
        let mut scalar = Scalar::ZERO;
        for (claim, rho) in claims.iter().zip(coefficients) {
            let Some(point) = kzg.domain.powers().get(claim.index) else {
                continue;
            };
            let factor = scalar_from_u128(*rho);
            scalar += factor * claim.scalar;
            commitments.add_short(&claim.commitment, *rho);
            left.add_modulo_torsion(claim.opening.point(), &(factor * point));
            right.add(claim.opening.point(), *rho);
        }
        commitments.append_to(&mut left);
        let (left, right) = rayon::join(|| left.sum(), || right.sum());
        Self { left, scalar, right }
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

/// Distinct commitments, each with the sum of its coefficients.
#[derive(Default)]
pub(super) struct Multiples {
    places: HashMap<[u8; POINT_BYTES], usize>,
    terms: Vec<(G1Affine, Multiple)>,
}

/// A coefficient: short while it stands alone, so that it needs no splitting.
enum Multiple {
    Short(u128),
    Full(Scalar),
}

impl Multiple {
    fn scalar(&self) -> Scalar {
        match self {
            Self::Short(rho) => scalar_from_u128(*rho),
            Self::Full(scalar) => *scalar,
        }
    }
}

impl Multiples {
    fn add_short(&mut self, commitment: &Commitment, rho: u128) {
        self.insert(commitment, Multiple::Short(rho));
    }

    pub(super) fn add(&mut self, commitment: &Commitment, scalar: Scalar) {
        self.insert(commitment, Multiple::Full(scalar));
    }

    fn insert(&mut self, commitment: &Commitment, multiple: Multiple) {
        match self.places.entry(commitment.to_bytes()) {
            Entry::Vacant(place) => {
                place.insert(self.terms.len());
                self.terms.push((*commitment.point(), multiple));
            }
            Entry::Occupied(place) => {
                let known = &mut self.terms[*place.get()].1;
                *known = Multiple::Full(known.scalar() + multiple.scalar());
            }
        }
    }

    pub(super) fn append_to(&self, combination: &mut Combination) {
        for (point, multiple) in &self.terms {
            match multiple {
                Multiple::Short(rho) => combination.add(point, *rho),
                Multiple::Full(scalar) => combination.add_modulo_torsion(point, scalar),
            }
        }
    }
}

/// Whether all claims hold. One claim is checked as such.
pub(super) fn verify(kzg: &Kzg, dictionary: &[u8; 32], claims: &[BatchClaim]) -> bool {
    if claims.iter().any(|claim| claim.index >= kzg.vector_size()) {
        return false;
    }
    match claims {
        [] => true,
        [c] => kzg.verify(&c.commitment, c.index, &c.scalar, &c.opening),
        _ => Sums::of(kzg, claims, &challenge::coefficients(dictionary, claims)).hold(kzg),
    }
}

/// The groups of consecutive claims that hold a false one, at most `most` of them, ascending. Group g ends before claim `ends[g]`; ends ascend to the number of claims.
pub(super) fn false_groups(
    kzg: &Kzg,
    dictionary: &[u8; 32],
    claims: &[BatchClaim],
    ends: &[usize],
    most: usize,
) -> Vec<usize> {
    let coefficients = challenge::coefficients(dictionary, claims);
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
