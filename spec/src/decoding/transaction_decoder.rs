//! Claims and transactions: their bytes, and how they are read.
//!
//! An opening is 48 bytes here: what point they are, if any, is a matter of the curve, and they are
//! looked at in phase 6 only. In an aggregated block the claims have no openings; there an opening
//! has no bytes. Source: docs/format.md, "Transactions".

use crate::base::bytes::*;
use crate::block::operation::*;
use crate::block::transaction::*;
use crate::commitment::opening::*;
use crate::decoding::cursor::*;
use crate::decoding::decode_reason::*;
use crate::decoding::operation_decoder::*;
use crate::decoding::slot_decoder::*;
use crate::dictionary::slot::*;
use hacspec_lib::*;

/// The length of an opening, in bytes.
pub const OPENING_LENGTH: usize = 48;
/// The format number of a transaction with openings.
pub const TRANSACTION_FORMAT: usize = 1;
/// The format number of a transaction without openings, as an aggregated block has it.
pub const BARE_TRANSACTION_FORMAT: usize = 2;

/// A claim as it is received.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReceivedClaim {
    /// The position.
    pub received_position: usize,
    /// The slot.
    pub received_slot: Slot,
    /// What is to show it: 48 bytes, or none.
    pub received_opening: ByteString,
}

/// A transaction as it is received.
#[derive(Clone, Debug, Default)]
pub struct ReceivedTransaction {
    /// The first version whose block may hold it.
    pub received_first: usize,
    /// The last version whose block may hold it.
    pub received_last: usize,
    /// 16 bytes.
    pub received_nonce: ByteString,
    /// What is asked for, in order.
    pub received_operations: Seq<Operation>,
    /// The claims.
    pub received_claims: Seq<ReceivedClaim>,
}

/// How many operations and claims may still be read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ItemQuotas {
    /// Operations.
    pub operations_left: usize,
    /// Claims.
    pub claims_left: usize,
}

/// `u64 position || slot_bytes || opening`.
pub fn encode_claim(claim: &ReceivedClaim) -> ByteString {
    u64_bytes(claim.received_position).concat(&slot_bytes(&claim.received_slot)).concat(&claim.received_opening)
}

/// The next claim, whose opening has so many bytes.
pub fn read_claim(bytes: &ByteString, opening_length: usize) -> Result<(ReceivedClaim, ByteString), DecodeReason> {
    let (position, after_position) = read_number(bytes, 8)?;
    let (slot, after_slot) = read_slot(&after_position)?;
    let (opening, rest) = take_bytes(&after_slot, opening_length)?;
    Ok((ReceivedClaim { received_position: position, received_slot: slot, received_opening: opening }, rest))
}

/// The claim that the bytes are, opening included.
pub fn decode_claim(bytes: &ByteString) -> Result<ReceivedClaim, DecodeReason> {
    let (found, rest) = read_claim(bytes, OPENING_LENGTH)?;
    let _end = expect_end(&rest)?;
    Ok(found)
}

/// One step of [`read_claims`].
pub fn read_claims_step(
    items: Result<(Seq<ReceivedClaim>, ByteString), DecodeReason>,
    opening_length: usize,
) -> Result<(Seq<ReceivedClaim>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = read_claim(&bytes, opening_length)?;
    Ok((before.push_owned(found), rest))
}

/// The next claims, so many.
pub fn read_claims(
    bytes: &ByteString,
    count: usize,
    opening_length: usize,
) -> Result<(Seq<ReceivedClaim>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<ReceivedClaim>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_claims_step(items, opening_length);
    }
    items
}

/// One step of [`encode_claims`].
pub fn encode_claims_step(encoded: ByteString, claim: &ReceivedClaim) -> ByteString {
    encoded.concat(&encode_claim(claim))
}

/// The claims one after the other.
pub fn encode_claims(items: &Seq<ReceivedClaim>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for c in 0..items.len() {
        encoded = encode_claims_step(encoded, &items[c]);
    }
    encoded
}

/// One step of [`meant_claims`].
pub fn meant_claims_step(items: Seq<Claim>, claim: &ReceivedClaim, c: usize, meanings: &Seq<Opening>) -> Seq<Claim> {
    let meaning = if c < meanings.len() { meanings[c].clone() } else { Opening::Malformed };
    items.push_owned(Claim {
        claim_position: claim.received_position,
        claim_slot: claim.received_slot.clone(),
        claim_opening: meaning,
    })
}

/// The claims, with what their openings are as points; those that nothing is said of are malformed.
pub fn meant_claims(received: &Seq<ReceivedClaim>, meanings: &Seq<Opening>) -> Seq<Claim> {
    let mut items = Seq::<Claim>::new(0);
    for c in 0..received.len() {
        items = meant_claims_step(items, &received[c], c, meanings);
    }
    items
}

/// The transaction that the validator judges.
pub fn meant_transaction(tx: &ReceivedTransaction, meanings: &Seq<Opening>) -> Transaction {
    Transaction {
        first_valid: tx.received_first,
        last_valid: tx.received_last,
        nonce: tx.received_nonce.clone(),
        operations: tx.received_operations.clone(),
        claims: meant_claims(&tx.received_claims, meanings),
    }
}

/// `u8 format || core || u16 number of claims || claims`, where the core is what the id covers.
pub fn encode_transaction(tx: &ReceivedTransaction, format: usize) -> ByteString {
    u8_bytes(format)
        .concat(&encode_core(&meant_transaction(tx, &Seq::<Opening>::new(0))))
        .concat(&u16_bytes(tx.received_claims.len()))
        .concat(&encode_claims(&tx.received_claims))
}

/// The transaction of this format that the bytes are, if it takes no more operations and claims
/// than are left, and what is left then.
pub fn read_transaction(
    bytes: &ByteString,
    format: usize,
    opening_length: usize,
    quotas: ItemQuotas,
) -> Result<(ReceivedTransaction, ItemQuotas), DecodeReason> {
    let after_format = expect_format(bytes, format)?;
    let (first, after_first) = read_number(&after_format, 8)?;
    let (last, after_last) = read_number(&after_first, 8)?;
    let (salt, after_nonce) = take_bytes(&after_last, NONCE_LENGTH)?;
    let (operation_count, after_count) = read_number(&after_nonce, 2)?;
    let operations_then = take_quota(quotas.operations_left, operation_count, DecodeReason::ExcessOperations)?;
    let (asked, after_operations) = read_operations(&after_count, operation_count)?;
    let (claim_count, before_claims) = read_number(&after_operations, 2)?;
    let claims_then = take_quota(quotas.claims_left, claim_count, DecodeReason::ExcessClaims)?;
    let (claimed, rest) = read_claims(&before_claims, claim_count, opening_length)?;
    let _end = expect_end(&rest)?;
    let tx = ReceivedTransaction {
        received_first: first,
        received_last: last,
        received_nonce: salt,
        received_operations: asked,
        received_claims: claimed,
    };
    Ok((tx, ItemQuotas { operations_left: operations_then, claims_left: claims_then }))
}

/// Quotas that no count of 16 bits passes.
pub fn unlimited_quotas() -> ItemQuotas {
    ItemQuotas { operations_left: 65_535, claims_left: 65_535 }
}

/// The transaction with openings that the bytes are.
pub fn decode_transaction(bytes: &ByteString) -> Result<ReceivedTransaction, DecodeReason> {
    let (tx, _quotas) = read_transaction(bytes, TRANSACTION_FORMAT, OPENING_LENGTH, unlimited_quotas())?;
    Ok(tx)
}
