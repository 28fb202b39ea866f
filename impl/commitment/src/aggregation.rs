//! Aggregation: all openings of one index merged into one point, so that a message carries at most
//! N points, whatever the number of its claims.
//!
//! For claims (label v_j, position p_j, commitment C_j, scalar m_j) with openings π_j,
//! i_j = p_j mod N, identical claims merged first:
//!
//! ```text
//! seed1 = H("AARDVARK-V1-AGGREGATE-CLAIMS",
//!           context || u64 n || (u64 v_j || u64 p_j || C_j (48) || m_j (32))*)
//! rho_j = the first 16 bytes, as an integer, of H("AARDVARK-V1-COEFFICIENT", seed1 || u64 j)
//! P_i   = Σ rho_j π_j over the claims at index i
//! seed2 = H("AARDVARK-V1-AGGREGATE-POINTS", seed1 || u64 k || (u32 i || P_i (48))*)
//! gamma = likewise from seed2, one an index, indices ascending
//! ```
//!
//! The context is the caller's ([`crate::challenge`]). A dictionary's is its id and the version
//! that the block makes; labels are the versions that claims are about.
//!
//! **Why two challenges.** The prover sends the P_i and nothing else, so the ρ_j cannot depend on
//! single openings. If the γ_i were known before the points are fixed, two false claims would
//! cancel: with an error e at index a, shift P_a by x = -e / (ω^a - ω^b) and P_b by
//! y = -γ_a x / γ_b; then γ_a x + γ_b y = 0 on the side of τ, and the error vanishes on the other.
//! Hence γ is drawn from a hash of all points.
//!
//! **Which points.** Exactly one for each claimed index, in ascending order. A missing one would
//! leave claims unchecked; an extra one, such as the identity at an unclaimed index, would give one
//! message many encodings. Positions determine the indices, so points travel alone
//! ([`Aggregate::of_points`]). Points obey the rule for openings: no subgroup check, since they
//! only enter pairings.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use aardvark_algebra::Scalar;
use aardvark_algebra::group::Curve;
use aardvark_algebra::integers::u32_or_max;
use aardvark_algebra::parallel::prelude::*;
use aardvark_algebra::{G1Affine, TaggedHash, msm_short, scalar_to_bytes};

use crate::challenge;
use crate::points::{Commitment, Opening};
use crate::vector_commitment::VectorCommitment;

/// Domain separation tag of the first seed.
const CLAIMS_TAG: &str = "AARDVARK-V1-AGGREGATE-CLAIMS";
/// Domain separation tag of the second seed.
const POINTS_TAG: &str = "AARDVARK-V1-AGGREGATE-POINTS";

/// A claim without its opening: "`scalar` stands at `position` of an array of vectors".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnopenedClaim {
    /// A number of the caller's, such as that of a version of the array. Only the challenge
    /// binds it.
    pub label: u64,
    /// Position in the array; the index within its vector is the remainder by N.
    pub position: u64,
    /// Commitment to the position's vector, from the trusted side.
    pub commitment: Commitment,
    /// Scalar claimed there.
    pub scalar: Scalar,
}

impl UnopenedClaim {
    /// Index in the vector, below N > 0.
    pub fn index(&self, vector_size: usize) -> usize {
        // Below N, so it fits.
        (self.position % vector_size as u64) as usize
    }

    /// What the first seed binds of the claim: label, position, commitment, scalar.
    fn to_bytes(self) -> [u8; 96] {
        let mut bytes = [0; 96];
        let parts: [&[u8]; 4] = [
            &self.label.to_be_bytes(),
            &self.position.to_be_bytes(),
            &self.commitment.to_bytes(),
            &scalar_to_bytes(&self.scalar),
        ];
        bytes.iter_mut().zip(parts.into_iter().flatten()).for_each(|(byte, part)| *byte = *part);
        bytes
    }
}

/// The points that stand for the openings of many claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aggregate {
    /// (index, P_index). Honestly made, one for each claimed index, ascending; verification accepts
    /// no other form.
    pub points: Vec<(usize, Opening)>,
}

impl Aggregate {
    /// The aggregate of points that travelled without their indices: as many as there are claimed
    /// indices, in ascending order of index; otherwise none.
    pub fn of_points(vector_size: usize, claims: &[UnopenedClaim], points: &[Opening]) -> Option<Self> {
        let indices = claimed_indices(vector_size, claims);
        (indices.len() == points.len())
            .then(|| Self { points: indices.into_iter().zip(points.iter().copied()).collect() })
    }
}

/// The indices that claims speak of, ascending, each once.
pub fn claimed_indices(vector_size: usize, claims: &[UnopenedClaim]) -> Vec<usize> {
    let indices: BTreeSet<usize> = claims.iter().map(|claim| claim.index(vector_size)).collect();
    indices.into_iter().collect()
}

/// Claims in order, later repetitions of an identical one left out, each with its place in the list
/// given; and their encodings.
fn distinct(claims: &[UnopenedClaim]) -> (Vec<usize>, Vec<[u8; 96]>) {
    let encoded: Vec<[u8; 96]> = claims.par_iter().map(|claim| claim.to_bytes()).collect();
    let mut seen = HashSet::with_capacity(encoded.len());
    encoded.into_iter().enumerate().filter(|(_, bytes)| seen.insert(*bytes)).unzip()
}

/// The first seed, over the encodings of distinct claims in order.
fn claims_seed(context: &[u8], encoded: &[[u8; 96]]) -> [u8; 32] {
    let mut hash = TaggedHash::new(CLAIMS_TAG);
    hash.update(context);
    hash.update((encoded.len() as u64).to_be_bytes());
    encoded.iter().for_each(|claim| hash.update(claim));
    hash.finalize()
}

/// The second seed, over the first and all points.
fn points_seed(claims_seed: &[u8; 32], points: &[(usize, Opening)]) -> [u8; 32] {
    let mut hash = TaggedHash::new(POINTS_TAG);
    hash.update(claims_seed);
    hash.update((points.len() as u64).to_be_bytes());
    for (index, point) in points {
        // Below N <= 4096 wherever it matters: other indices are refused before.
        hash.update(u32_or_max(*index).to_be_bytes());
        hash.update(point.to_bytes());
    }
    hash.finalize()
}

/// Schemes whose openings of one index merge. Both do; the equations are the scheme's.
pub trait Aggregation: VectorCommitment {
    /// P_i = Σ ρ_j π_j for every claimed index, ascending. The openings should have been verified:
    /// a false one makes an aggregate that does not verify. Of identical claims the first one's
    /// opening counts.
    fn aggregate(&self, context: &[u8], claims: &[(UnopenedClaim, Opening)]) -> Aggregate {
        let unopened: Vec<UnopenedClaim> = claims.iter().map(|(claim, _)| *claim).collect();
        let (places, encoded) = distinct(&unopened);
        let coefficients = challenge::coefficients_of_seed(&claims_seed(context, &encoded), places.len());
        let mut groups: BTreeMap<usize, (Vec<G1Affine>, Vec<u128>)> = BTreeMap::new();
        for ((claim, opening), rho) in places.iter().filter_map(|place| claims.get(*place)).zip(coefficients) {
            let (openings, factors) = groups.entry(claim.index(self.vector_size())).or_default();
            openings.push(*opening.point());
            factors.push(rho);
        }
        let groups: Vec<_> = groups.into_iter().collect();
        let merge = |(index, (openings, factors)): (usize, (Vec<G1Affine>, Vec<u128>))| {
            (index, Opening::from_point_unchecked(msm_short(&openings, &factors).to_affine()))
        };
        Aggregate { points: groups.into_par_iter().map(merge).collect() }
    }

    /// Whether the aggregate proves all claims. False unless it has exactly one point for each
    /// claimed index, ascending. If a claim is false, the answer is true with probability at most
    /// 2^-127 (proofs/theories/Theorems/Challenges.v), unless the prover breaks position binding.
    #[must_use]
    fn verify_aggregated(&self, context: &[u8], claims: &[UnopenedClaim], aggregate: &Aggregate) -> bool;
}

/// The transcript of an aggregation: distinct claims, and both challenges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// Places of the distinct claims in the list given, ascending.
    pub places: Vec<usize>,
    /// The first seed.
    pub claims_seed: [u8; 32],
    /// ρ_j, one for each distinct claim.
    pub coefficients: Vec<u128>,
    /// The second seed.
    pub points_seed: [u8; 32],
    /// γ, one for each point.
    pub combiners: Vec<u128>,
}

/// The transcript that a verifier computes; nothing if the points are not one for each claimed
/// index, ascending.
pub fn transcript(
    vector_size: usize,
    context: &[u8],
    claims: &[UnopenedClaim],
    aggregate: &Aggregate,
) -> Option<Transcript> {
    let indices = claimed_indices(vector_size, claims);
    if !indices.iter().eq(aggregate.points.iter().map(|(index, _)| index)) {
        return None;
    }
    let (places, encoded) = distinct(claims);
    let claims_seed = claims_seed(context, &encoded);
    let coefficients = challenge::coefficients_of_seed(&claims_seed, places.len());
    // Only now, since it hashes the points.
    let points_seed = points_seed(&claims_seed, &aggregate.points);
    let combiners = challenge::coefficients_of_seed(&points_seed, aggregate.points.len());
    Some(Transcript { places, claims_seed, coefficients, points_seed, combiners })
}
