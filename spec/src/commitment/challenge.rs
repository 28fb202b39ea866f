//! The batch challenge: a seed from everything that is claimed, and a coefficient a claim.
//!
//! The encodings of points are a matter of the curve, so their bytes are inputs here. Source:
//! docs/format.md, "The batch challenge".

use crate::base::bytes::*;
use crate::base::hash::*;
use crate::base::scalar::*;
use crate::commitment::opening::*;
use hacspec_lib::*;

/// One claim as the challenge binds it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChallengeClaim {
    /// The version of the claim.
    pub challenge_version: usize,
    /// The encoded commitment, 48 bytes.
    pub challenge_commitment: ByteString,
    /// The index within the vector.
    pub challenge_index: usize,
    /// The scalar, 32 bytes, highest first.
    pub challenge_scalar: ByteString,
    /// The opening as received, 48 bytes.
    pub challenge_opening: ByteString,
}

/// `u64 version || commitment || u32 index || scalar || opening`.
pub fn encode_challenge_claim(claim: &ChallengeClaim) -> ByteString {
    u64_bytes(claim.challenge_version)
        .concat(&claim.challenge_commitment)
        .concat(&u32_bytes(claim.challenge_index))
        .concat(&claim.challenge_scalar)
        .concat(&claim.challenge_opening)
}

/// One step of [`batch_seed`].
pub fn batch_seed_step(bound: ByteString, claim: &ChallengeClaim) -> ByteString {
    bound.concat(&encode_challenge_claim(claim))
}

/// The seed of a batch: it binds the dictionary and all claims in their order.
pub fn batch_seed(dictionary: &ByteString, bound_claims: &Seq<ChallengeClaim>) -> ByteString {
    let mut bound = dictionary.concat(&u64_bytes(bound_claims.len()));
    for j in 0..bound_claims.len() {
        bound = batch_seed_step(bound, &bound_claims[j]);
    }
    tagged_hash(&tag_batch(), &bound)
}

/// ρ_j: the first 16 bytes of `H(tag, seed || u64 j)`.
pub fn batch_coefficient(seed: &ByteString, j: usize) -> Scalar {
    coefficient_of_digest(&tagged_hash(&tag_coefficient(), &seed.concat(&u64_bytes(j))))
}
