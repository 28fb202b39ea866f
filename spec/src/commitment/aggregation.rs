//! The challenges of an aggregation: the first from the claims without their openings, the second
//! from the first and all points.
//!
//! The encodings of points are a matter of the curve, so their bytes are inputs here. Coefficients
//! and combiners are drawn from their seeds as those of a batch are. Source: docs/format.md, "The
//! aggregation challenges".

use crate::base::bytes::*;
use crate::base::hash::*;
use hacspec_lib::*;

/// One claim as the first challenge binds it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnopenedClaim {
    /// The version of the claim.
    pub unopened_version: usize,
    /// The position in the dictionary's array.
    pub unopened_position: usize,
    /// The encoded commitment, 48 bytes.
    pub unopened_commitment: ByteString,
    /// The scalar, 32 bytes, highest first.
    pub unopened_scalar: ByteString,
}

/// One point as the second challenge binds it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EncodedPoint {
    /// The index.
    pub encoded_index: usize,
    /// The encoded point, 48 bytes.
    pub encoded_point: ByteString,
}

/// `u64 version || u64 position || commitment || scalar`.
pub fn encode_unopened_claim(claim: &UnopenedClaim) -> ByteString {
    u64_bytes(claim.unopened_version)
        .concat(&u64_bytes(claim.unopened_position))
        .concat(&claim.unopened_commitment)
        .concat(&claim.unopened_scalar)
}

/// One step of [`is_repeated`].
pub fn is_repeated_step(repeated: bool, earlier: &UnopenedClaim, claim: &UnopenedClaim) -> bool {
    repeated || bytes_equal(&encode_unopened_claim(earlier), &encode_unopened_claim(claim))
}

/// Whether the claim is one of the claims.
pub fn is_repeated(claims: &Seq<UnopenedClaim>, claim: &UnopenedClaim) -> bool {
    let mut repeated = false;
    for j in 0..claims.len() {
        repeated = is_repeated_step(repeated, &claims[j], claim);
    }
    repeated
}

/// One step of [`distinct_claims`].
pub fn distinct_claims_step(distinct: Seq<UnopenedClaim>, claim: &UnopenedClaim) -> Seq<UnopenedClaim> {
    if is_repeated(&distinct, claim) { distinct } else { distinct.push_owned(claim.clone()) }
}

/// The claims in their order, without the repetitions of earlier ones.
pub fn distinct_claims(claims: &Seq<UnopenedClaim>) -> Seq<UnopenedClaim> {
    let mut distinct = Seq::<UnopenedClaim>::new(0);
    for j in 0..claims.len() {
        distinct = distinct_claims_step(distinct, &claims[j]);
    }
    distinct
}

/// One step of [`aggregate_claims_seed`].
pub fn aggregate_claims_seed_step(bound: ByteString, claim: &UnopenedClaim) -> ByteString {
    bound.concat(&encode_unopened_claim(claim))
}

/// The seed of the first challenge, of which [`crate::commitment::challenge::batch_coefficient`]
/// draws a coefficient a claim: it binds the dictionary, the version that the block makes, and all
/// distinct claims in their order.
pub fn aggregate_claims_seed(dictionary: &ByteString, version: usize, distinct: &Seq<UnopenedClaim>) -> ByteString {
    let mut bound = dictionary.concat(&u64_bytes(version)).concat(&u64_bytes(distinct.len()));
    for j in 0..distinct.len() {
        bound = aggregate_claims_seed_step(bound, &distinct[j]);
    }
    tagged_hash(&tag_aggregate_claims(), &bound)
}

/// One step of [`aggregate_points_seed`].
pub fn aggregate_points_seed_step(bound: ByteString, point: &EncodedPoint) -> ByteString {
    bound.concat(&u32_bytes(point.encoded_index)).concat(&point.encoded_point)
}

/// The seed of the second challenge, of which [`crate::commitment::challenge::batch_coefficient`]
/// draws a combiner a point: it binds the first seed and all points.
pub fn aggregate_points_seed(claims_seed: &ByteString, points: &Seq<EncodedPoint>) -> ByteString {
    let mut bound = claims_seed.concat(&u64_bytes(points.len()));
    for j in 0..points.len() {
        bound = aggregate_points_seed_step(bound, &points[j]);
    }
    tagged_hash(&tag_aggregate_points(), &bound)
}
