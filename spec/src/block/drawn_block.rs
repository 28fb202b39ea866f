//! Aggregated blocks under the challenges that are drawn for them: what a validator calls.
//!
//! The transcript of a block is made of the dictionary's id, the version that the block makes, its
//! distinct claims and its points, as bytes. The encodings of points and scalars are a matter of
//! the curve, so their bytes are inputs beside the group elements, as in
//! [`crate::commitment::challenge`]; all else comes from the state and the block. Source:
//! docs/format.md, "The aggregation challenges".

use crate::base::bytes::*;
use crate::block::aggregated_block::*;
use crate::block::block_data::*;
use crate::block::rejection::*;
use crate::block::state::*;
use crate::block::validator::*;
use crate::commitment::aggregation::*;
use crate::commitment::opening::*;
use crate::commitment::scheme::*;
use crate::commitment::transcript::*;
use hacspec_lib::*;

/// The encodings of what a claim says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClaimEncoding {
    /// The encoded commitment, 48 bytes.
    pub commitment_bytes: ByteString,
    /// The slot's scalar, 32 bytes, highest first.
    pub scalar_bytes: ByteString,
}

/// The encodings that the challenges of an aggregated block bind.
#[derive(Clone, Debug, Default)]
pub struct BlockEncodings {
    /// Of the distinct claims, in the order of [`unopened_claims`].
    pub claim_encodings: Seq<ClaimEncoding>,
    /// Of the points as received, 48 bytes each, in their order.
    pub point_encodings: Seq<ByteString>,
}

/// The encodings of claim `j`; empty ones beyond the end.
pub fn claim_encoding_at(encodings: &Seq<ClaimEncoding>, j: usize) -> ClaimEncoding {
    if j < encodings.len() {
        encodings[j].clone()
    } else {
        ClaimEncoding { commitment_bytes: ByteString::new(0), scalar_bytes: ByteString::new(0) }
    }
}

/// The bytes of point `k`; none beyond the end.
pub fn point_encoding_at(encodings: &Seq<ByteString>, k: usize) -> ByteString {
    if k < encodings.len() { encodings[k].clone() } else { ByteString::new(0) }
}

/// One step of [`bound_claims_of`].
pub fn bound_claims_of_step(
    bound: Seq<UnopenedClaim>,
    claim: &MergedClaim,
    encoding: &ClaimEncoding,
) -> Seq<UnopenedClaim> {
    bound.push_owned(UnopenedClaim {
        unopened_version: claim.merged_version,
        unopened_position: claim.merged_position,
        unopened_commitment: encoding.commitment_bytes.clone(),
        unopened_scalar: encoding.scalar_bytes.clone(),
    })
}

/// The distinct claims, as the first challenge binds them.
pub fn bound_claims_of(items: &Seq<MergedClaim>, encodings: &Seq<ClaimEncoding>) -> Seq<UnopenedClaim> {
    let mut bound = Seq::<UnopenedClaim>::new(0);
    for j in 0..items.len() {
        bound = bound_claims_of_step(bound, &items[j], &claim_encoding_at(encodings, j));
    }
    bound
}

/// One step of [`bound_points_of`].
pub fn bound_points_of_step(
    bound: Seq<EncodedPoint>,
    point: &AggregatedOpening,
    encoding: &ByteString,
) -> Seq<EncodedPoint> {
    bound.push_owned(EncodedPoint { encoded_index: point.aggregated_index, encoded_point: encoding.clone() })
}

/// The points, as the second challenge binds them.
pub fn bound_points_of(indexed: &Seq<AggregatedOpening>, encodings: &Seq<ByteString>) -> Seq<EncodedPoint> {
    let mut bound = Seq::<EncodedPoint>::new(0);
    for k in 0..indexed.len() {
        bound = bound_points_of_step(bound, &indexed[k], &point_encoding_at(encodings, k));
    }
    bound
}

/// The distinct claims of a block; none when one of them is about a vector that did not exist, for
/// which phase 5 refuses the block.
pub fn collected_claims(state: &ValidatorState, block: &Block) -> Seq<MergedClaim> {
    match unopened_claims(state, block) {
        None => Seq::<MergedClaim>::new(0),
        Some(items) => items,
    }
}

/// What the challenges of a block are drawn from.
pub fn block_transcript(
    state: &ValidatorState,
    aggregated: &AggregatedBlock,
    encodings: &BlockEncodings,
) -> AggregateTranscript {
    let n = state.parameters.vector_size;
    let items = collected_claims(state, &aggregated.plain_block);
    let indexed = indexed_points(&batch_of_unopened(&items, n), &aggregated.block_points, n);
    AggregateTranscript {
        transcript_dictionary: state.dictionary_id.clone(),
        transcript_version: aggregated.plain_block.block_version,
        transcript_claims: bound_claims_of(&items, &encodings.claim_encodings),
        transcript_points: bound_points_of(&indexed, &encodings.point_encodings),
    }
}

/// Applies an aggregated block: the state at the next version and what the block did, or why it is
/// refused. The challenges are drawn from the block's transcript.
pub fn apply_aggregated_block(
    setup: &Setup,
    state: &ValidatorState,
    aggregated: &AggregatedBlock,
    encodings: &BlockEncodings,
) -> Result<(ValidatorState, Effects), Rejection> {
    let drawn_from = block_transcript(state, aggregated, encodings);
    apply_challenged_block(
        setup,
        state,
        aggregated,
        &transcript_coefficients(&drawn_from),
        &transcript_combiners(&drawn_from),
    )
}
