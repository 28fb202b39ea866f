//! Phases 1 to 6: size, interval, replay, shape, position, openings. Source: docs/format.md, "Order
//! of checks".
//!
//! A phase runs over all transactions before the next begins. Within it a transaction comes first,
//! then its operations, then its claims, then the next transaction. `x` is a transaction's number,
//! `j` an operation's, `c` a claim's, `b` = t + 1 the version that the block leads to.

use crate::base::bytes::*;
use crate::block::block_data::*;
use crate::block::operation::*;
use crate::block::rejection::*;
use crate::block::state::*;
use crate::block::transaction::*;
use crate::commitment::opening::*;
use crate::commitment::scheme::*;
use crate::dictionary::genesis::*;
use crate::dictionary::slot::*;
use crate::dictionary::vectors::*;
use crate::dictionary::window::*;
use hacspec_lib::*;

/// Phase 1 for the block as a whole.
pub fn check_block_size(state: &ValidatorState, block: &Block) -> Result<(), Rejection> {
    let totals = block_totals(block);
    let p = state.parameters.clone();
    if block.block_version != state.version + 1 {
        Err(reject_block(Reason::WrongVersion))
    } else if block.transactions.len() > p.block_transactions {
        Err(reject_block(Reason::TooManyTransactions))
    } else if totals.total_operations > p.block_operations {
        Err(reject_block(Reason::TooManyBlockOperations))
    } else if totals.total_claims > p.block_claims {
        Err(reject_block(Reason::TooManyBlockClaims))
    } else if block_length(block) > p.block_bytes {
        Err(reject_block(Reason::BlockTooLong))
    } else {
        Ok(())
    }
}

/// Phase 1 for one transaction.
pub fn check_transaction_size(p: &Parameters, tx: &Transaction, x: usize) -> Result<(), Rejection> {
    if tx.operations.len() > p.transaction_operations {
        Err(reject_transaction(Reason::TooManyOperations, x))
    } else if tx.claims.len() > p.transaction_claims {
        Err(reject_transaction(Reason::TooManyClaims, x))
    } else if transaction_length(tx) > p.transaction_bytes {
        Err(reject_transaction(Reason::TransactionTooLong, x))
    } else {
        Ok(())
    }
}

/// Phase 2 for one transaction.
pub fn check_interval(p: &Parameters, tx: &Transaction, b: usize, x: usize) -> Result<(), Rejection> {
    if tx.first_valid == 0 || tx.last_valid < tx.first_valid {
        Err(reject_transaction(Reason::IntervalMalformed, x))
    } else if tx.last_valid - tx.first_valid > p.window_length {
        Err(reject_transaction(Reason::IntervalTooLong, x))
    } else if tx.first_valid > b {
        Err(reject_transaction(Reason::NotYetValid, x))
    } else if tx.last_valid < b {
        Err(reject_transaction(Reason::Expired, x))
    } else {
        Ok(())
    }
}

/// One step of [`has_id_before`].
pub fn has_id_before_step(found: bool, other: &ByteString, id: &ByteString) -> bool {
    found || bytes_equal(other, id)
}

/// Whether an id is among the first `count`.
pub fn has_id_before(ids: &Seq<ByteString>, count: usize, id: &ByteString) -> bool {
    let mut found = false;
    for i in 0..count {
        found = has_id_before_step(found, &ids[i], id);
    }
    found
}

/// Phase 3 for transaction `x`, with the ids of all transactions of its block.
pub fn check_replay(state: &ValidatorState, ids: &Seq<ByteString>, x: usize) -> Result<(), Rejection> {
    if is_replayed(&state.replay_set, &ids[x]) {
        Err(reject_transaction(Reason::Replayed, x))
    } else if has_id_before(ids, x, &ids[x]) {
        Err(reject_transaction(Reason::RepeatedInBlock, x))
    } else {
        Ok(())
    }
}

/// Whether the value that an action brings, or can make, is longer than values may be.
pub fn action_too_long(p: &Parameters, act: &Action) -> bool {
    match act {
        Action::RequireAbsent => false,
        Action::RequireValue(required) => required.len() > p.max_value_length,
        Action::Put(put_value) => put_value.len() > p.max_value_length,
        Action::Delete => false,
        Action::Add(_) => p.max_value_length < 8,
        Action::Sub(_) => p.max_value_length < 8,
    }
}

/// Whether an action adds or subtracts 0.
pub fn is_zero_amount(act: &Action) -> bool {
    match act {
        Action::RequireAbsent => false,
        Action::RequireValue(_) => false,
        Action::Put(_) => false,
        Action::Delete => false,
        Action::Add(amount) => *amount == 0,
        Action::Sub(amount) => *amount == 0,
    }
}

/// Phase 4 for one operation.
pub fn check_operation_shape(p: &Parameters, operation: &Operation, x: usize, j: usize) -> Result<(), Rejection> {
    if operation.operation_key.len() == 0 {
        Err(reject_item(Reason::EmptyKey, x, j))
    } else if operation.operation_key.len() > p.max_key_length {
        Err(reject_item(Reason::KeyTooLong, x, j))
    } else if action_too_long(p, &operation.action) {
        Err(reject_item(Reason::ValueTooLong, x, j))
    } else if is_zero_amount(&operation.action) {
        Err(reject_item(Reason::ZeroAmount, x, j))
    } else {
        Ok(())
    }
}

/// One step of [`check_operation_shapes`].
pub fn check_operation_shapes_step(
    checked: Result<(), Rejection>,
    p: &Parameters,
    operation: &Operation,
    x: usize,
    j: usize,
) -> Result<(), Rejection> {
    match checked {
        Err(rejection) => Err(rejection),
        Ok(()) => check_operation_shape(p, operation, x, j),
    }
}

/// Phase 4 for the operations of a transaction.
pub fn check_operation_shapes(p: &Parameters, tx: &Transaction, x: usize) -> Result<(), Rejection> {
    let mut checked = Ok(());
    for j in 0..tx.operations.len() {
        checked = check_operation_shapes_step(checked, p, &tx.operations[j], x, j);
    }
    checked
}

/// Phase 4 for claim `c` of a transaction.
pub fn check_claim_shape(p: &Parameters, tx: &Transaction, x: usize, c: usize) -> Result<(), Rejection> {
    let claim = tx.claims[c].clone();
    if claim.claim_slot.key.len() > p.max_key_length || claim.claim_slot.next.len() > p.max_key_length {
        Err(reject_item(Reason::ClaimKeyTooLong, x, c))
    } else if claim.claim_slot.value.len() > p.max_value_length {
        Err(reject_item(Reason::ClaimValueTooLong, x, c))
    } else if claimed_before(&tx.claims, c, claim.claim_position) {
        Err(reject_item(Reason::RepeatedPosition, x, c))
    } else if !serves_some(&claim, &tx.operations) {
        Err(reject_item(Reason::SuperfluousClaim, x, c))
    } else {
        Ok(())
    }
}

/// One step of [`check_claim_shapes`].
pub fn check_claim_shapes_step(
    checked: Result<(), Rejection>,
    p: &Parameters,
    tx: &Transaction,
    x: usize,
    c: usize,
) -> Result<(), Rejection> {
    match checked {
        Err(rejection) => Err(rejection),
        Ok(()) => check_claim_shape(p, tx, x, c),
    }
}

/// Phase 4 for the claims of a transaction.
pub fn check_claim_shapes(p: &Parameters, tx: &Transaction, x: usize) -> Result<(), Rejection> {
    let mut checked = Ok(());
    for c in 0..tx.claims.len() {
        checked = check_claim_shapes_step(checked, p, tx, x, c);
    }
    checked
}

/// Phase 4 for one transaction: its nonce, that it does something, its operations, its claims.
pub fn check_shape(p: &Parameters, tx: &Transaction, x: usize) -> Result<(), Rejection> {
    if tx.nonce.len() != NONCE_LENGTH {
        Err(reject_transaction(Reason::NonceMalformed, x))
    } else if tx.operations.len() == 0 {
        Err(reject_transaction(Reason::NoOperations, x))
    } else {
        match check_operation_shapes(p, tx, x) {
            Err(rejection) => Err(rejection),
            Ok(()) => check_claim_shapes(p, tx, x),
        }
    }
}

/// Phase 5 for one claim of version `v`. The version lies in the window once phase 2 has passed.
pub fn check_position(state: &ValidatorState, claim: &Claim, v: usize, x: usize, c: usize) -> Result<(), Rejection> {
    match size_at(&state.window, state.version, state.size, v) {
        None => Err(reject_item(Reason::PositionOutOfRange, x, c)),
        Some(s) => {
            if claim.claim_position < s {
                Ok(())
            } else {
                Err(reject_item(Reason::PositionOutOfRange, x, c))
            }
        }
    }
}

/// One step of [`check_positions`].
pub fn check_positions_step(
    checked: Result<(), Rejection>,
    state: &ValidatorState,
    claim: &Claim,
    v: usize,
    x: usize,
    c: usize,
) -> Result<(), Rejection> {
    match checked {
        Err(rejection) => Err(rejection),
        Ok(()) => check_position(state, claim, v, x, c),
    }
}

/// Phase 5 for one transaction.
pub fn check_positions(state: &ValidatorState, tx: &Transaction, x: usize) -> Result<(), Rejection> {
    let mut checked = Ok(());
    for c in 0..tx.claims.len() {
        checked = check_positions_step(checked, state, &tx.claims[c], claims_version(tx), x, c);
    }
    checked
}

/// Whether a claim of version `v` verifies against that version's commitment; one against an absent
/// vector does not.
pub fn claim_verifies(setup: &Setup, state: &ValidatorState, claim: &Claim, v: usize) -> bool {
    let n = state.parameters.vector_size;
    let vector = vector_of(claim.claim_position, n);
    match commitment_at(&state.window, &state.commitments, state.version, v, vector) {
        None => false,
        Some(commitment) => verify(
            setup,
            commitment,
            index_of(claim.claim_position, n),
            scalar_of_slot(&claim.claim_slot),
            &claim.claim_opening,
        ),
    }
}

/// One step of [`has_malformed`].
pub fn has_malformed_step(found: bool, claim: &Claim) -> bool {
    found || is_malformed(&claim.claim_opening)
}

/// Whether an opening among the claims is malformed.
pub fn has_malformed(items: &Seq<Claim>) -> bool {
    let mut found = false;
    for c in 0..items.len() {
        found = has_malformed_step(found, &items[c]);
    }
    found
}

/// One step of [`all_verify`].
pub fn all_verify_step(hold: bool, setup: &Setup, state: &ValidatorState, claim: &Claim, v: usize) -> bool {
    hold && claim_verifies(setup, state, claim, v)
}

/// Whether all claims of a transaction verify.
pub fn all_verify(setup: &Setup, state: &ValidatorState, tx: &Transaction) -> bool {
    let mut hold = true;
    for c in 0..tx.claims.len() {
        hold = all_verify_step(hold, setup, state, &tx.claims[c], claims_version(tx));
    }
    hold
}

/// Phase 6 for one transaction.
pub fn check_openings(setup: &Setup, state: &ValidatorState, tx: &Transaction, x: usize) -> Result<(), Rejection> {
    if has_malformed(&tx.claims) {
        Err(reject_transaction(Reason::OpeningMalformed, x))
    } else if !all_verify(setup, state, tx) {
        Err(reject_transaction(Reason::OpeningFalse, x))
    } else {
        Ok(())
    }
}
