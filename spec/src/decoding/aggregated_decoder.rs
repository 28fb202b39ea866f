//! Aggregated blocks: their bytes, and how they are read within a dictionary's limits.
//!
//! The claims have no openings; behind the transactions stands one point for each claimed index.
//! Points are 48 bytes each here, as openings are. Source: docs/format.md, "Aggregated blocks".

use crate::base::bytes::*;
use crate::decoding::block_decoder::*;
use crate::decoding::cursor::*;
use crate::decoding::decode_reason::*;
use crate::decoding::transaction_decoder::*;
use crate::dictionary::genesis::*;
use crate::dictionary::slot::*;
use hacspec_lib::*;

/// The format number of an aggregated block.
pub const AGGREGATED_FORMAT: usize = 3;

/// An aggregated block as it is received.
#[derive(Clone, Debug, Default)]
pub struct ReceivedAggregated {
    /// Transactions, whose openings have no bytes, and tail vectors.
    pub received_plain: ReceivedBlock,
    /// The points, 48 bytes each.
    pub received_points: Seq<ByteString>,
}

/// What stands behind the transactions of an aggregated block.
#[derive(Clone, Debug, Default)]
pub struct ReceivedProof {
    /// The points, 48 bytes each.
    pub proved_points: Seq<ByteString>,
    /// The tail vectors.
    pub proved_tail: Seq<Seq<Slot>>,
}

/// One step of [`encode_points`].
pub fn encode_points_step(encoded: ByteString, point: &ByteString) -> ByteString {
    encoded.concat(point)
}

/// The points one after the other.
pub fn encode_points(items: &Seq<ByteString>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..items.len() {
        encoded = encode_points_step(encoded, &items[i]);
    }
    encoded
}

/// `u16 number of points || points || tail vectors`.
pub fn encode_proof(proof: &ReceivedProof) -> ByteString {
    u16_bytes(proof.proved_points.len())
        .concat(&encode_points(&proof.proved_points))
        .concat(&encode_tail(&proof.proved_tail))
}

/// What stands behind the transactions of the block.
pub fn proof_of_aggregated(block: &ReceivedAggregated) -> ReceivedProof {
    ReceivedProof {
        proved_points: block.received_points.clone(),
        proved_tail: block.received_plain.received_tail_vectors.clone(),
    }
}

/// An aggregated block.
pub fn encode_aggregated(block: &ReceivedAggregated) -> ByteString {
    encode_head(&block.received_plain, AGGREGATED_FORMAT, BARE_TRANSACTION_FORMAT)
        .concat(&encode_proof(&proof_of_aggregated(block)))
}

/// One step of [`read_points`].
pub fn read_points_step(
    items: Result<(Seq<ByteString>, ByteString), DecodeReason>,
) -> Result<(Seq<ByteString>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = take_bytes(&bytes, OPENING_LENGTH)?;
    Ok((before.push_owned(found), rest))
}

/// The next points, so many.
pub fn read_points(bytes: &ByteString, count: usize) -> Result<(Seq<ByteString>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<ByteString>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_points_step(items);
    }
    items
}

/// The points and tail vectors that the bytes are.
pub fn read_proof(bytes: &ByteString, p: &Parameters) -> Result<ReceivedProof, DecodeReason> {
    let (count, after_count) = read_number(bytes, 2)?;
    let _room = take_quota(p.vector_size, count, DecodeReason::ExcessPoints)?;
    let (points, after_points) = read_points(&after_count, count)?;
    let vectors = read_tail(&after_points, p)?;
    Ok(ReceivedProof { proved_points: points, proved_tail: vectors })
}

/// An aggregated block from its parts.
pub fn aggregated_of_parts(b: usize, items: &Seq<ReceivedTransaction>, proof: &ReceivedProof) -> ReceivedAggregated {
    ReceivedAggregated {
        received_plain: ReceivedBlock {
            received_version: b,
            received_transactions: items.clone(),
            received_tail_vectors: proof.proved_tail.clone(),
        },
        received_points: proof.proved_points.clone(),
    }
}

/// The aggregated block that the bytes are, within the limits of a dictionary.
pub fn decode_aggregated(bytes: &ByteString, p: &Parameters) -> Result<ReceivedAggregated, DecodeReason> {
    let _short = expect_length(bytes.len(), p.block_bytes)?;
    let (b, found) = read_head(bytes, p, AGGREGATED_FORMAT, BARE_TRANSACTION_FORMAT, 0)?;
    let proof = read_proof(&found.read_rest, p)?;
    Ok(aggregated_of_parts(b, &found.read_before, &proof))
}
