//! What an honest archive says about its whole array: claims for the keys of a transaction, and
//! tail vectors.

use crate::base::bytes::*;
use crate::block::operation::*;
use crate::block::tail::*;
use crate::block::transaction::*;
use crate::commitment::opening::*;
use crate::commitment::scheme::*;
use crate::dictionary::array::*;
use crate::dictionary::slot::*;
use crate::dictionary::slot_map::*;
use crate::dictionary::vectors::*;
use hacspec_lib::*;

/// The claim of what position `p` holds.
pub fn honest_claim(setup: &Setup, slots: &SlotMap, p: usize) -> Option<Claim> {
    let slot = slot_at(slots, p)?;
    let n = setup_vector_size(setup);
    let scalars = vector_scalars(slots, n, vector_of(p, n));
    Some(Claim {
        claim_position: p,
        claim_slot: slot,
        claim_opening: Opening::Point(open(setup, &scalars, index_of(p, n))),
    })
}

/// The claims with that of position `p`, unless it is among them.
pub fn add_claim(items: Seq<Claim>, setup: &Setup, slots: &SlotMap, p: usize) -> Seq<Claim> {
    if claimed_before(&items, items.len(), p) {
        items
    } else {
        match honest_claim(setup, slots, p) {
            None => items,
            Some(claim) => items.push_owned(claim),
        }
    }
}

/// The claims with that of the slot that covers `k`.
pub fn add_covering_claim(items: Seq<Claim>, setup: &Setup, slots: &SlotMap, k: &ByteString) -> Seq<Claim> {
    match covering_position(slots, k) {
        None => items,
        Some(p) => add_claim(items, setup, slots, p),
    }
}

/// The claims with that of the predecessor of `k`.
pub fn add_preceding_claim(items: Seq<Claim>, setup: &Setup, slots: &SlotMap, k: &ByteString) -> Seq<Claim> {
    match preceding_position(slots, k) {
        None => items,
        Some(p) => add_claim(items, setup, slots, p),
    }
}

/// Whether `k` is a key of the array.
pub fn has_key(slots: &SlotMap, k: &ByteString) -> bool {
    match covering_slot(slots, k) {
        None => false,
        Some(slot) => bytes_equal(&slot.key, k),
    }
}

/// One step of [`honest_claims`].
pub fn honest_claims_step(items: Seq<Claim>, setup: &Setup, slots: &SlotMap, operation: &Operation) -> Seq<Claim> {
    let covering = add_covering_claim(items, setup, slots, &operation.operation_key);
    if is_delete(&operation.action) && has_key(slots, &operation.operation_key) {
        add_preceding_claim(covering, setup, slots, &operation.operation_key)
    } else {
        covering
    }
}

/// The claims that a transaction with these operations needs: for each key its covering slot, and
/// its predecessor if it is present and deleted; no position twice.
pub fn honest_claims(setup: &Setup, array: &Array, items: &Seq<Operation>) -> Seq<Claim> {
    let mut collected = Seq::<Claim>::new(0);
    for j in 0..items.len() {
        collected = honest_claims_step(collected, setup, &array.array_slots, &items[j]);
    }
    collected
}

/// One step of [`honest_tail_vectors`].
pub fn honest_tail_vectors_step(
    vectors: Seq<Seq<Slot>>,
    slots: &SlotMap,
    start: usize,
    n: usize,
    i: usize,
) -> Seq<Seq<Slot>> {
    match tail_vector_number(start, n, i) {
        None => vectors,
        Some(number) => match slots_from(slots, number * n, number * n + n) {
            None => vectors,
            Some(items) => vectors.push_owned(items),
        },
    }
}

/// The first `count` tail vectors below `start`.
pub fn honest_tail_vectors(array: &Array, start: usize, n: usize, count: usize) -> Seq<Seq<Slot>> {
    let mut vectors = Seq::<Seq<Slot>>::new(0);
    for i in 0..count {
        vectors = honest_tail_vectors_step(vectors, &array.array_slots, start, n, i);
    }
    vectors
}
