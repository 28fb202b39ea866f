//! The view: what a validator knows of the array at its version t.
//!
//! Claims at the bottom, the tail over them, and the window's writes on top. A claim that is not
//! current is of a position that the window wrote after the claim's version, so the writes replace
//! it: that is how stale claims are dropped. Source: docs/design.md, section 5.

use crate::block::block_data::*;
use crate::block::state::*;
use crate::block::tail::*;
use crate::block::transaction::*;
use crate::dictionary::slot_map::*;
use crate::dictionary::window::*;
use hacspec_lib::*;

/// One step of [`lay_claims`].
pub fn lay_claims_step(slots: SlotMap, claim: &Claim) -> SlotMap {
    put_slot(slots, claim.claim_position, Some(claim.claim_slot.clone()))
}

/// The map with the claimed slots laid over it.
pub fn lay_claims(below: SlotMap, items: &Seq<Claim>) -> SlotMap {
    let mut slots = below;
    for c in 0..items.len() {
        slots = lay_claims_step(slots, &items[c]);
    }
    slots
}

/// The map with the validator's tail and the window's writes laid over it.
pub fn lay_state(below: SlotMap, state: &ValidatorState) -> SlotMap {
    lay_window(lay_slots(below, state.tail_start, &state.tail), &state.window)
}

/// What a validator knows with the claims of one transaction, all of which have been verified.
pub fn transaction_view(state: &ValidatorState, tx: &Transaction) -> SlotMap {
    lay_state(lay_claims(empty_slot_map(), &tx.claims), state)
}

/// One step of [`lay_block_claims`].
pub fn lay_block_claims_step(slots: SlotMap, tx: &Transaction) -> SlotMap {
    lay_claims(slots, &tx.claims)
}

/// The map with the claims of all transactions laid over it.
pub fn lay_block_claims(below: SlotMap, items: &Seq<Transaction>) -> SlotMap {
    let mut slots = below;
    for x in 0..items.len() {
        slots = lay_block_claims_step(slots, &items[x]);
    }
    slots
}

/// What a validator knows with a block's tail vectors and all of its claims, which have been
/// verified.
pub fn block_view(state: &ValidatorState, block: &Block) -> SlotMap {
    let vectors =
        lay_tail_vectors(empty_slot_map(), state.tail_start, state.parameters.vector_size, &block.tail_vectors);
    lay_state(lay_block_claims(vectors, &block.transactions), state)
}
