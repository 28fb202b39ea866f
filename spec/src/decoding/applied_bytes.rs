//! From received bytes to what they do: what a process that receives a block goes through.
//!
//! Bytes are decoded within the dictionary's limits, the points among them take their meaning, and
//! the block that they are is applied. What the curve says is given beside the bytes: what each
//! opening or point is, in order, and the encodings of the claims for the challenges. The points'
//! encodings are the bytes that were received.

use crate::base::bytes::*;
use crate::block::aggregated_block::*;
use crate::block::block_data::*;
use crate::block::drawn_block::*;
use crate::block::import::*;
use crate::block::rejection::*;
use crate::block::state::*;
use crate::block::transaction::*;
use crate::block::validator::*;
use crate::commitment::opening::*;
use crate::commitment::scheme::*;
use crate::decoding::aggregated_decoder::*;
use crate::decoding::block_decoder::*;
use crate::decoding::chain_decoder::*;
use crate::decoding::decode_reason::*;
use crate::decoding::import_decoder::*;
use crate::decoding::signed_decoder::*;
use crate::decoding::transaction_decoder::*;
use crate::dictionary::array::*;
use hacspec_lib::*;

/// Why received bytes are not applied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BytesRejection {
    /// They are no block.
    UnreadableBlock(DecodeReason),
    /// They are a block that the dictionary's rules refuse.
    RefusedBlock(Rejection),
}

/// Why received bytes are not imported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ImportBytesRejection {
    /// They are no import block.
    UnreadableImport(DecodeReason),
    /// They are one that is refused.
    RefusedImport(ImportRejection),
}

/// What the openings of transaction `x` are; nothing beyond the end.
pub fn meanings_at(meanings: &Seq<Seq<Opening>>, x: usize) -> Seq<Opening> {
    if x < meanings.len() { meanings[x].clone() } else { Seq::<Opening>::new(0) }
}

/// One step of [`meant_transactions`].
pub fn meant_transactions_step(
    items: Seq<Transaction>,
    tx: &ReceivedTransaction,
    x: usize,
    meanings: &Seq<Seq<Opening>>,
) -> Seq<Transaction> {
    items.push_owned(meant_transaction(tx, &meanings_at(meanings, x)))
}

/// The transactions, with what the openings of each are as points.
pub fn meant_transactions(received: &Seq<ReceivedTransaction>, meanings: &Seq<Seq<Opening>>) -> Seq<Transaction> {
    let mut items = Seq::<Transaction>::new(0);
    for x in 0..received.len() {
        items = meant_transactions_step(items, &received[x], x, meanings);
    }
    items
}

/// The block that a validator judges.
pub fn meant_block(received: &ReceivedBlock, meanings: &Seq<Seq<Opening>>) -> Block {
    Block {
        block_version: received.received_version,
        transactions: meant_transactions(&received.received_transactions, meanings),
        tail_vectors: received.received_tail_vectors.clone(),
    }
}

/// One step of [`meant_points`].
pub fn meant_points_step(items: Seq<Opening>, meanings: &Seq<Opening>, k: usize) -> Seq<Opening> {
    let meaning = if k < meanings.len() { meanings[k].clone() } else { Opening::Malformed };
    items.push_owned(meaning)
}

/// As many points as were received, with what they are; those that nothing is said of are
/// malformed.
pub fn meant_points(received: &Seq<ByteString>, meanings: &Seq<Opening>) -> Seq<Opening> {
    let mut items = Seq::<Opening>::new(0);
    for k in 0..received.len() {
        items = meant_points_step(items, meanings, k);
    }
    items
}

/// The aggregated block that a validator judges; its claims have no openings.
pub fn meant_aggregated(received: &ReceivedAggregated, meanings: &Seq<Opening>) -> AggregatedBlock {
    AggregatedBlock {
        plain_block: meant_block(&received.received_plain, &Seq::<Seq<Opening>>::new(0)),
        block_points: meant_points(&received.received_points, meanings),
    }
}

/// One step of [`unsigned_transactions`].
pub fn unsigned_transactions_step(
    items: Seq<ReceivedTransaction>,
    signed: &ReceivedSigned,
) -> Seq<ReceivedTransaction> {
    items.push(&signed.signed_transaction)
}

/// The transactions of a chain's block, without their signatures.
pub fn unsigned_transactions(received: &Seq<ReceivedSigned>) -> Seq<ReceivedTransaction> {
    let mut items = Seq::<ReceivedTransaction>::new(0);
    for x in 0..received.len() {
        items = unsigned_transactions_step(items, &received[x]);
    }
    items
}

/// The aggregated block that a block of a chain is. Signatures are looked at by the chain's policy.
pub fn chain_aggregated(block: &ReceivedChainBlock) -> ReceivedAggregated {
    aggregated_of_parts(block.chain_version, &unsigned_transactions(&block.chain_transactions), &block.chain_proof)
}

/// What applying a block that was read came to.
pub fn read_and_applied(
    applied: Result<(ValidatorState, Effects), Rejection>,
) -> Result<(ValidatorState, Effects), BytesRejection> {
    match applied {
        Ok(outcome) => Ok(outcome),
        Err(rejection) => Err(BytesRejection::RefusedBlock(rejection)),
    }
}

/// Applies an aggregated block as it was received, under the challenges that are drawn for it.
pub fn apply_received_aggregated(
    setup: &Setup,
    state: &ValidatorState,
    received: &ReceivedAggregated,
    meanings: &Seq<Opening>,
    claims_encoded: &Seq<ClaimEncoding>,
) -> Result<(ValidatorState, Effects), BytesRejection> {
    let encodings =
        BlockEncodings { claim_encodings: claims_encoded.clone(), point_encodings: received.received_points.clone() };
    read_and_applied(apply_aggregated_block(setup, state, &meant_aggregated(received, meanings), &encodings))
}

/// Applies the aggregated block that the bytes are: what an archive does with its log.
pub fn apply_aggregated_bytes(
    setup: &Setup,
    state: &ValidatorState,
    bytes: &ByteString,
    meanings: &Seq<Opening>,
    claims_encoded: &Seq<ClaimEncoding>,
) -> Result<(ValidatorState, Effects), BytesRejection> {
    match decode_aggregated(bytes, &state.parameters) {
        Ok(received) => apply_received_aggregated(setup, state, &received, meanings, claims_encoded),
        Err(why) => Err(BytesRejection::UnreadableBlock(why)),
    }
}

/// Applies the block of a height that a list is: what a validator does with the list that consensus
/// decides on, once its signatures and the chain's policy have been looked at.
pub fn apply_chain_list(
    setup: &Setup,
    state: &ValidatorState,
    height: usize,
    txs: &Seq<ByteString>,
    meanings: &Seq<Opening>,
    claims_encoded: &Seq<ClaimEncoding>,
) -> Result<(ValidatorState, Effects), BytesRejection> {
    match decode_chain_block(height, txs, &state.parameters) {
        Ok(received) => apply_received_aggregated(setup, state, &chain_aggregated(&received), meanings, claims_encoded),
        Err(why) => Err(BytesRejection::UnreadableBlock(why)),
    }
}

/// Applies the block with openings that the bytes are; `meanings` has a list for each transaction.
pub fn apply_block_bytes(
    setup: &Setup,
    state: &ValidatorState,
    bytes: &ByteString,
    meanings: &Seq<Seq<Opening>>,
) -> Result<(ValidatorState, Effects), BytesRejection> {
    match decode_block(bytes, &state.parameters) {
        Ok(received) => read_and_applied(apply_block(setup, state, &meant_block(&received, meanings))),
        Err(why) => Err(BytesRejection::UnreadableBlock(why)),
    }
}

/// Applies the import block that the bytes are to an archive's state and whole array.
pub fn apply_import_bytes(
    setup: &Setup,
    state: &ValidatorState,
    array: &Array,
    bytes: &ByteString,
) -> Result<(ValidatorState, Array), ImportBytesRejection> {
    match decode_import(bytes) {
        Ok(block) => match apply_import(setup, state, array, &block) {
            Ok(imported) => Ok(imported),
            Err(rejection) => Err(ImportBytesRejection::RefusedImport(rejection)),
        },
        Err(why) => Err(ImportBytesRejection::UnreadableImport(why)),
    }
}
