//! Many openings in one: n claims "the polynomial under the commitment C_i has the value y_i at the
//! point z_i", any points, any number of commitments, shown by two points of G1, 96 bytes.
//!
//! With q_i = (p_i - y_i) / (X - z_i), the quotient whose value at τ opens claim i by itself:
//!
//! ```text
//! seed   = H("AARDVARK-V1-FOLD-CLAIMS",
//!            context (32) || u64 n || (C_i (48) || z_i (32) || y_i (32))*)
//! γ_i    = challenge(seed, i)
//! W      = Σ γ_i [q_i(τ)]
//! z      = challenge(H("AARDVARK-V1-FOLD", seed || W (48)), 0)
//! W'     = Σ γ_i / (z - z_i) [q_i(τ)]
//! accept iff no z_i is z, and
//!            e(Σ γ_i / (z - z_i) (C_i - y_i g1) - W + z W', g2) = e(W', [τ]_2)
//! challenge(seed, i) = hash_to_scalar(seed || u64 i, "AARDVARK-V1-CHALLENGE")
//! ```
//!
//! The context is a digest of all else that the fold is about. The encodings of points are a matter
//! of the curve, so their bytes are inputs here, as in [`crate::commitment::challenge`]. Source:
//! docs/answers.md, "Many openings in one".

use crate::base::bytes::*;
use crate::base::group::*;
use crate::base::hash::*;
use crate::base::scalar::*;
use crate::commitment::kzg::*;
use hacspec_lib::*;

/// A claim of a fold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoldedClaim {
    /// C_i, the commitment to a polynomial.
    pub folded_commitment: G1,
    /// z_i, where the polynomial is evaluated.
    pub folded_point: Scalar,
    /// y_i, the value that is claimed.
    pub folded_value: Scalar,
}

/// A claim of a fold, as its challenges bind it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoldedClaimBytes {
    /// The encoded commitment, 48 bytes.
    pub bound_commitment: ByteString,
    /// The point, 32 bytes, highest first.
    pub bound_point: ByteString,
    /// The value, 32 bytes, highest first.
    pub bound_value: ByteString,
}

/// A folded opening: two points of G1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FoldedOpening {
    /// W, which is fixed before z is drawn.
    pub folded_quotient: G1,
    /// W'.
    pub folded_witness: G1,
}

/// The tag of a fold's first seed.
pub fn tag_fold_claims() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-FOLD-CLAIMS")
}

/// The tag of a fold's second seed.
pub fn tag_fold() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-FOLD")
}

/// The tag of challenges that are scalars of full length.
pub fn tag_challenge() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-CHALLENGE")
}

/// `commitment (48) || point (32) || value (32)`.
pub fn encode_folded_claim(claim: &FoldedClaimBytes) -> ByteString {
    claim.bound_commitment.concat(&claim.bound_point).concat(&claim.bound_value)
}

/// One step of [`fold_claims_seed`].
pub fn fold_claims_seed_step(bound: ByteString, claim: &FoldedClaimBytes) -> ByteString {
    bound.concat(&encode_folded_claim(claim))
}

/// The first seed: it binds the context and all claims in their order.
pub fn fold_claims_seed(context: &ByteString, bound_claims: &Seq<FoldedClaimBytes>) -> ByteString {
    let mut bound = context.concat(&u64_bytes(bound_claims.len()));
    for i in 0..bound_claims.len() {
        bound = fold_claims_seed_step(bound, &bound_claims[i]);
    }
    tagged_hash(&tag_fold_claims(), &bound)
}

/// The second seed: it binds the first, and the encoded W.
pub fn fold_point_seed(claims_seed: &ByteString, quotient_bytes: &ByteString) -> ByteString {
    tagged_hash(&tag_fold(), &claims_seed.concat(quotient_bytes))
}

/// The challenge with a number, drawn from a seed: any scalar.
pub fn fold_challenge(seed: &ByteString, i: usize) -> Scalar {
    hash_to_scalar(&seed.concat(&u64_bytes(i)), &tag_challenge())
}

/// One step of [`fold_gammas`].
pub fn fold_gammas_step(gammas: Seq<Scalar>, seed: &ByteString, i: usize) -> Seq<Scalar> {
    gammas.push_owned(fold_challenge(seed, i))
}

/// γ_i, one a claim.
pub fn fold_gammas(claims_seed: &ByteString, count: usize) -> Seq<Scalar> {
    let mut gammas = Seq::<Scalar>::new(0);
    for i in 0..count {
        gammas = fold_gammas_step(gammas, claims_seed, i);
    }
    gammas
}

/// z, once W is fixed.
pub fn fold_point(claims_seed: &ByteString, quotient_bytes: &ByteString) -> Scalar {
    fold_challenge(&fold_point_seed(claims_seed, quotient_bytes), 0)
}

/// One step of [`point_is_claimed`].
pub fn point_is_claimed_step(found: bool, claim: &FoldedClaim, z: Scalar) -> bool {
    found || claim.folded_point == z
}

/// Whether a claim is about the point.
pub fn point_is_claimed(folded: &Seq<FoldedClaim>, z: Scalar) -> bool {
    let mut found = false;
    for i in 0..folded.len() {
        found = point_is_claimed_step(found, &folded[i], z);
    }
    found
}

/// γ_i / (z - z_i)
pub fn fold_factor(claim: &FoldedClaim, gamma: Scalar, z: Scalar) -> Scalar {
    gamma * scalar_inverse(z - claim.folded_point)
}

/// One step of [`fold_commitments`].
pub fn fold_commitments_step(total: G1, claim: &FoldedClaim, gamma: Scalar, z: Scalar) -> G1 {
    let difference = g1_subtract(claim.folded_commitment, g1_multiple(claim.folded_value));
    g1_add(total, g1_scale(fold_factor(claim, gamma, z), difference))
}

/// Σ γ_i / (z - z_i) (C_i - y_i g1)
pub fn fold_commitments(folded: &Seq<FoldedClaim>, gammas: &Seq<Scalar>, z: Scalar) -> G1 {
    let mut total = g1_identity();
    for i in 0..folded.len() {
        total = fold_commitments_step(total, &folded[i], scalar_at(gammas, i), z);
    }
    total
}

/// Whether a folded opening shows all claims, under these challenges.
pub fn verify_fold(
    setup: &KzgSetup,
    folded: &Seq<FoldedClaim>,
    gammas: &Seq<Scalar>,
    z: Scalar,
    opening: &FoldedOpening,
) -> bool {
    let without_quotient = g1_subtract(fold_commitments(folded, gammas, z), opening.folded_quotient);
    let left = g1_add(without_quotient, g1_scale(z, opening.folded_witness));
    !point_is_claimed(folded, z) && pairings_equal(left, opening.folded_witness, setup.kzg_key)
}

/// Whether a folded opening shows all claims, under the challenges that are drawn for them.
pub fn verify_folded(
    setup: &KzgSetup,
    context: &ByteString,
    bound_claims: &Seq<FoldedClaimBytes>,
    folded: &Seq<FoldedClaim>,
    quotient_bytes: &ByteString,
    opening: &FoldedOpening,
) -> bool {
    let claims_seed = fold_claims_seed(context, bound_claims);
    let gammas = fold_gammas(&claims_seed, folded.len());
    verify_fold(setup, folded, &gammas, fold_point(&claims_seed, quotient_bytes), opening)
}

/// The opening of one claim by itself, \[q_i(τ)\]_1, as whoever has the trapdoor makes it of a
/// commitment: what a prover, who has the polynomial and public points, must come to.
pub fn open_folded_claim(tau: Scalar, claim: &FoldedClaim) -> G1 {
    let difference = g1_subtract(claim.folded_commitment, g1_multiple(claim.folded_value));
    g1_scale(scalar_inverse(tau - claim.folded_point), difference)
}

/// W, of the openings of the claims by themselves.
pub fn fold_quotient(single_openings: &Seq<G1>, gammas: &Seq<Scalar>) -> G1 {
    g1_combination(single_openings, gammas)
}

/// One step of [`fold_witness`].
pub fn fold_witness_step(total: G1, claim: &FoldedClaim, single: G1, gamma: Scalar, z: Scalar) -> G1 {
    g1_add(total, g1_scale(fold_factor(claim, gamma, z), single))
}

/// W', of the openings of the claims by themselves.
pub fn fold_witness(folded: &Seq<FoldedClaim>, single_openings: &Seq<G1>, gammas: &Seq<Scalar>, z: Scalar) -> G1 {
    let mut total = g1_identity();
    for i in 0..folded.len() {
        total = fold_witness_step(total, &folded[i], g1_at(single_openings, i), scalar_at(gammas, i), z);
    }
    total
}
