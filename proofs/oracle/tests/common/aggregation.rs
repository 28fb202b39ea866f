//! Aggregated forms of blocks, in the exponent: a point's 48 bytes are 16 zeros and its exponent.

use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::{G1, g1_identity, known_exponent};
use aardvark_spec::base::scalar::Scalar;
use aardvark_spec::block::aggregated_block::{
    AggregatedBlock, MergedClaim, batch_of_unopened, indexed_points, unopened_claims,
};
use aardvark_spec::block::block_data::Block;
use aardvark_spec::block::drawn_block::{BlockEncodings, ClaimEncoding};
use aardvark_spec::block::state::ValidatorState;
use aardvark_spec::block::transaction::claims_version;
use aardvark_spec::commitment::aggregation::{
    EncodedPoint, UnopenedClaim, aggregate_claims_seed, aggregate_points_seed, distinct_claims,
};
use aardvark_spec::commitment::challenge::batch_coefficient;
use aardvark_spec::commitment::opening::{AggregatedOpening, Opening, aggregated_opening};
use aardvark_spec::convert::{byte_string, scalar_to_bytes};
use aardvark_spec::dictionary::slot::scalar_of_slot;
use hacspec_lib::Seq;

use super::seq;

/// An aggregated block, what its challenges bind, and what they come out as.
#[derive(Clone, Debug)]
pub struct Aggregated {
    pub block: AggregatedBlock,
    pub encodings: BlockEncodings,
    pub coefficients: Seq<Scalar>,
    pub combiners: Seq<Scalar>,
}

pub fn encoded(element: G1) -> ByteString {
    byte_string(&[[0; 16].as_slice(), &scalar_to_bytes(known_exponent(element))].concat())
}

fn encoded_opening(point: &Opening) -> ByteString {
    match point {
        Opening::Malformed => byte_string(&[0xff; 48]),
        Opening::Point(point) => encoded(*point),
    }
}

fn claim_encoding(claim: &MergedClaim) -> ClaimEncoding {
    ClaimEncoding {
        commitment_bytes: encoded(claim.merged_commitment),
        scalar_bytes: byte_string(&scalar_to_bytes(claim.merged_scalar)),
    }
}

/// The block with the points that an honest proposer makes of its openings; malformed ones count as
/// 0.
pub fn aggregated(state: &ValidatorState, plain_block: Block) -> Aggregated {
    let claims = unopened_claims(state, &plain_block).map(|claims| claims.native_slice().to_vec()).unwrap_or_default();
    let n = state.parameters.vector_size;
    let mut batch = batch_of_unopened(&seq(claims.clone()), n);
    for (i, claim) in claims.iter().enumerate() {
        batch[i].batch_opening = opening_of(&plain_block, claim);
    }
    let rho = coefficients(&claims_seed(state, &plain_block, &claims), claims.len());
    let points = (0..n).filter(|i| batch.native_slice().iter().any(|claim| claim.batch_index == *i));
    let points = points.map(|i| Opening::Point(aggregated_opening(&batch, &rho, i))).collect();
    with_points(state, plain_block, points)
}

/// The block with these points, and the challenges that a verifier computes of them.
pub fn with_points(state: &ValidatorState, plain_block: Block, points: Vec<Opening>) -> Aggregated {
    let claims = unopened_claims(state, &plain_block).map(|claims| claims.native_slice().to_vec()).unwrap_or_default();
    let n = state.parameters.vector_size;
    let first = claims_seed(state, &plain_block, &claims);
    let batch = batch_of_unopened(&seq(claims.clone()), n);
    let indices = indexed_points(&batch, &seq(points.clone()), n);
    let point_encodings: Vec<ByteString> = points.iter().map(encoded_opening).collect();
    let encode = |(entry, point): (&AggregatedOpening, &ByteString)| EncodedPoint {
        encoded_index: entry.aggregated_index,
        encoded_point: point.clone(),
    };
    let encoded_points = indices.native_slice().iter().zip(&point_encodings).map(encode).collect();
    let second = aggregate_points_seed(&first, &seq(encoded_points));
    Aggregated {
        coefficients: coefficients(&first, claims.len()),
        combiners: coefficients(&second, points.len()),
        encodings: BlockEncodings {
            claim_encodings: seq(claims.iter().map(claim_encoding).collect()),
            point_encodings: seq(point_encodings),
        },
        block: AggregatedBlock { plain_block, block_points: seq(points) },
    }
}

fn claims_seed(state: &ValidatorState, block: &Block, claims: &[MergedClaim]) -> ByteString {
    let unopened = claims.iter().map(|claim| UnopenedClaim {
        unopened_version: claim.merged_version,
        unopened_position: claim.merged_position,
        unopened_commitment: encoded(claim.merged_commitment),
        unopened_scalar: byte_string(&scalar_to_bytes(claim.merged_scalar)),
    });
    let distinct = distinct_claims(&seq(unopened.collect()));
    assert_eq!(distinct.len(), claims.len(), "they are distinct in the exponent as in bytes");
    aggregate_claims_seed(&state.dictionary_id, block.block_version, &distinct)
}

pub fn coefficients(seed: &ByteString, count: usize) -> Seq<Scalar> {
    seq((0..count).map(|j| batch_coefficient(seed, j)).collect())
}

fn opening_of(block: &Block, merged: &MergedClaim) -> G1 {
    let transactions = block.transactions.native_slice().iter();
    let of_version = transactions.filter(|tx| claims_version(tx) == merged.merged_version);
    let mut claims = of_version.flat_map(|tx| tx.claims.native_slice());
    let is_it = |claim: &&aardvark_spec::block::transaction::Claim| {
        claim.claim_position == merged.merged_position && scalar_of_slot(&claim.claim_slot) == merged.merged_scalar
    };
    match claims.find(is_it).unwrap().claim_opening {
        Opening::Malformed => g1_identity(),
        Opening::Point(point) => point,
    }
}
