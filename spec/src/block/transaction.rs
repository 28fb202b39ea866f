//! Claims and transactions: their encoding, the identity, and their lengths.
//!
//! The version of a transaction's claims is `first_valid - 1`. Openings do not enter the encoding
//! here: their bytes are a matter of the curve, and no identity depends on them. Source:
//! docs/format.md, "Transactions".

use crate::base::bytes::*;
use crate::base::hash::*;
use crate::block::operation::*;
use crate::commitment::opening::*;
use crate::dictionary::slot::*;
use hacspec_lib::*;

/// The claim that a position holds a slot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Claim {
    /// The position.
    pub claim_position: usize,
    /// The slot.
    pub claim_slot: Slot,
    /// What shows it.
    pub claim_opening: Opening,
}

/// The length of a nonce, in bytes.
pub const NONCE_LENGTH: usize = 16;

/// A transaction.
#[derive(Clone, Debug, Default)]
pub struct Transaction {
    /// The first version whose block may hold the transaction; its claims are for the version
    /// before.
    pub first_valid: usize,
    /// The last version whose block may hold it.
    pub last_valid: usize,
    /// 16 bytes that tell apart transactions which are otherwise the same. Other lengths are
    /// refused in phase 4: two cores could have one encoding.
    pub nonce: ByteString,
    /// What is asked for, in order.
    pub operations: Seq<Operation>,
    /// The claims that resolve the operations' keys.
    pub claims: Seq<Claim>,
}

/// The version of the claims, once `first_valid` is known to be at least 1.
pub fn claims_version(tx: &Transaction) -> usize {
    if tx.first_valid > 0 { tx.first_valid - 1 } else { 0 }
}

/// `u64 first_valid || u64 last_valid || nonce || u16 number of operations || operations`.
pub fn encode_core(tx: &Transaction) -> ByteString {
    u64_bytes(tx.first_valid)
        .concat(&u64_bytes(tx.last_valid))
        .concat(&tx.nonce)
        .concat(&u16_bytes(tx.operations.len()))
        .concat(&encode_operations(&tx.operations))
}

/// The transaction's id, 32 bytes: it depends on neither claims nor openings.
pub fn id_of_transaction(dictionary: &ByteString, tx: &Transaction) -> ByteString {
    tagged_hash(&tag_transaction(), &dictionary.concat(&encode_core(tx)))
}

/// The length of an encoded claim, in bytes: position, slot, opening.
pub fn claim_length(claim: &Claim) -> usize {
    8 + slot_bytes_length(&claim.claim_slot) + 48
}

/// One step of [`claims_length`].
pub fn claims_length_step(total: usize, claim: &Claim) -> usize {
    total + claim_length(claim)
}

/// The length of the encoded claims, in bytes.
pub fn claims_length(items: &Seq<Claim>) -> usize {
    let mut total = 0;
    for c in 0..items.len() {
        total = claims_length_step(total, &items[c]);
    }
    total
}

/// The length of the encoded transaction, in bytes: format, core, number of claims, claims.
pub fn transaction_length(tx: &Transaction) -> usize {
    1 + (8 + 8 + 16 + 2 + operations_length(&tx.operations)) + 2 + claims_length(&tx.claims)
}

/// Whether a claim serves an operation: its slot covers the operation's key, or precedes the key of
/// a `Delete` directly.
pub fn serves(claim: &Claim, operation: &Operation) -> bool {
    covers(&claim.claim_slot, &operation.operation_key)
        || (is_delete(&operation.action) && bytes_equal(&claim.claim_slot.next, &operation.operation_key))
}

/// One step of [`serves_some`].
pub fn serves_some_step(found: bool, claim: &Claim, operation: &Operation) -> bool {
    found || serves(claim, operation)
}

/// Whether a claim serves at least one of the operations.
pub fn serves_some(claim: &Claim, items: &Seq<Operation>) -> bool {
    let mut found = false;
    for j in 0..items.len() {
        found = serves_some_step(found, claim, &items[j]);
    }
    found
}

/// One step of [`claimed_before`].
pub fn claimed_before_step(found: bool, claim: &Claim, p: usize) -> bool {
    found || claim.claim_position == p
}

/// Whether one of the first `count` claims is of position `p`.
pub fn claimed_before(items: &Seq<Claim>, count: usize, p: usize) -> bool {
    let mut found = false;
    for c in 0..count {
        found = claimed_before_step(found, &items[c], p);
    }
    found
}
