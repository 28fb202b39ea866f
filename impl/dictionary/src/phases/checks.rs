//! Phases 1 to 5, which need no group operation: size, interval, replay, shape, position
//! (`aardvark_spec::block::checks`, `docs/format.md`, Order of checks).

use std::collections::{BTreeSet, HashSet};

use crate::data::block::Block;
use crate::data::claim::Claim;
use crate::data::operation::Operation;
use crate::data::parameters::{Limits, Parameters};
use crate::data::rejection::{Fault, Item, Reason, Rejection};
use crate::data::transaction::{Transaction, TransactionId};
use crate::state::replay::ReplaySet;

/// Phase 1, for the block as a whole, whose encoding has `length` bytes.
pub(crate) fn check_block_size<O>(
    block: &Block<O>,
    length: usize,
    version: u64,
    limits: &Limits,
) -> Result<(), Rejection> {
    let operations: usize = block.transactions.iter().map(|transaction| transaction.operations.len()).sum();
    let claims: usize = block.transactions.iter().map(|transaction| transaction.claims.len()).sum();
    let checks = [
        (block.version == version, Reason::WrongVersion),
        (within(block.transactions.len(), limits.block_transactions), Reason::TooManyTransactions),
        (within(operations, limits.block_operations), Reason::TooManyBlockOperations),
        (within(claims, limits.block_claims), Reason::TooManyBlockClaims),
        (within(length, limits.block_bytes), Reason::BlockTooLong),
    ];
    first_failure(&checks).map_or(Ok(()), |reason| Err(Rejection::of_block(reason, Item::Whole)))
}

/// Phase 1, for one transaction.
pub(crate) fn check_transaction_size<O>(transaction: &Transaction<O>, limits: &Limits) -> Result<(), Fault> {
    let checks = [
        (within(transaction.operations.len(), limits.transaction_operations), Reason::TooManyOperations),
        (within(transaction.claims.len(), limits.transaction_claims), Reason::TooManyClaims),
        (within(transaction.submitted_length(), limits.transaction_bytes), Reason::TransactionTooLong),
    ];
    first_failure(&checks).map_or(Ok(()), |reason| Err(Fault::whole(reason)))
}

/// Phase 2: `1 <= first_valid <= version <= last_valid <= first_valid + W`.
pub(crate) fn check_interval<O>(transaction: &Transaction<O>, version: u64, window: u32) -> Result<(), Fault> {
    let Transaction { first_valid, last_valid, .. } = *transaction;
    let checks = [
        (first_valid >= 1 && last_valid >= first_valid, Reason::IntervalMalformed),
        (last_valid.saturating_sub(first_valid) <= window.into(), Reason::IntervalTooLong),
        (first_valid <= version, Reason::NotYetValid),
        (version <= last_valid, Reason::Expired),
    ];
    first_failure(&checks).map_or(Ok(()), |reason| Err(Fault::whole(reason)))
}

/// Phase 3, for one transaction that stands in no block: it was not applied before.
pub(crate) fn check_replay(replay_set: &ReplaySet, id: &TransactionId, last_valid: u64) -> Result<(), Fault> {
    match replay_set.contains_until(id, last_valid) {
        true => Err(Fault::whole(Reason::Replayed)),
        false => Ok(()),
    }
}

/// Phase 3, for a block: no transaction was applied before, and none stands in the block twice. The
/// ids come with the last version that may hold their transaction.
pub(crate) fn phase_replay(replay_set: &ReplaySet, ids: &[(TransactionId, u64)]) -> Result<(), Rejection> {
    let mut seen = HashSet::with_capacity(ids.len());
    for (index, (id, last_valid)) in ids.iter().enumerate() {
        let fault = match check_replay(replay_set, id, *last_valid) {
            Ok(()) if seen.insert(*id) => continue,
            Ok(()) => Fault::whole(Reason::RepeatedInBlock),
            Err(fault) => fault,
        };
        return Err(Rejection::in_transaction(index, fault));
    }
    Ok(())
}

/// Phase 4: lengths, amounts, and which claims the transaction brings.
pub(crate) fn check_shape<O>(transaction: &Transaction<O>, parameters: &Parameters) -> Result<(), Fault> {
    if transaction.operations.is_empty() {
        return Err(Fault::whole(Reason::NoOperations));
    }
    for (index, operation) in transaction.operations.iter().enumerate() {
        operation_shape(operation, parameters).map_err(|reason| Fault::operation(reason, index, operation.key()))?;
    }
    let mut positions = BTreeSet::new();
    for (index, claim) in transaction.claims.iter().enumerate() {
        let reason = slot_shape(claim, parameters)
            .or_else(|| (!positions.insert(claim.position)).then_some(Reason::RepeatedPosition))
            .or_else(|| (!serves_any(claim, &transaction.operations)).then_some(Reason::SuperfluousClaim));
        if let Some(reason) = reason {
            return Err(Fault::claim(reason, index, claim.position));
        }
    }
    Ok(())
}

/// Phase 5: `position < s_v`, where `size` is s_v.
pub(crate) fn check_positions<O>(transaction: &Transaction<O>, size: u64) -> Result<(), Fault> {
    let beyond = transaction.claims.iter().enumerate().find(|(_, claim)| claim.position >= size);
    beyond.map_or(Ok(()), |(index, claim)| Err(Fault::claim(Reason::PositionOutOfRange, index, claim.position)))
}

fn operation_shape(operation: &Operation, parameters: &Parameters) -> Result<(), Reason> {
    let longest = usize::from(parameters.max_value_length);
    let arithmetic = matches!(operation, Operation::Add(_, _) | Operation::Sub(_, _));
    let value_length = if arithmetic { 8 } else { operation.value().map_or(0, |value| value.len()) };
    let checks = [
        (!operation.key().is_empty(), Reason::EmptyKey),
        (operation.key().len() <= usize::from(parameters.max_key_length), Reason::KeyTooLong),
        (value_length <= longest, Reason::ValueTooLong),
        (!matches!(operation, Operation::Add(_, 0) | Operation::Sub(_, 0)), Reason::ZeroAmount),
    ];
    first_failure(&checks).map_or(Ok(()), Err)
}

fn slot_shape<O>(claim: &Claim<O>, parameters: &Parameters) -> Option<Reason> {
    let longest = usize::from(parameters.max_key_length);
    let slot = &claim.slot;
    first_failure(&[
        (slot.key.len() <= longest && slot.next.len() <= longest, Reason::ClaimKeyTooLong),
        (slot.value.len() <= usize::from(parameters.max_value_length), Reason::ClaimValueTooLong),
    ])
}

/// Whether some operation needs the claim: its slot covers the key, or precedes one that is
/// deleted.
///
/// The comparison with every operation is bounded by the limits: claims times operations of one
/// transaction.
fn serves_any<O>(claim: &Claim<O>, operations: &[Operation]) -> bool {
    let serves = |operation: &Operation| claim.slot.covers(operation.key()) || operation.deletes(&claim.slot.next);
    operations.iter().any(serves)
}

fn within(count: usize, limit: u32) -> bool {
    u64::try_from(count).is_ok_and(|count| count <= u64::from(limit))
}

fn first_failure(checks: &[(bool, Reason)]) -> Option<Reason> {
    checks.iter().find(|(holds, _)| !holds).map(|(_, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::slot::Slot;

    #[test]
    fn a_transaction_without_openings_is_as_long_as_it_was_submitted() {
        let claim = Claim { position: 0, slot: Slot::lone_sentinel(), opening: [0; 48] };
        let operations = vec![Operation::Put("k".into(), "v".into())];
        let submitted =
            Transaction { first_valid: 1, last_valid: 1, nonce: [0; 16], operations, claims: vec![claim; 2] };
        let limits = |bytes: usize| Limits { transaction_bytes: u32::try_from(bytes).unwrap(), ..Limits::default() };
        let (enough, less) = (limits(submitted.encoded_length()), limits(submitted.encoded_length() - 1));
        let bare = submitted.clone().without_openings();
        assert_eq!(check_transaction_size(&bare, &enough), Ok(()));
        let too_long = Err(Fault::whole(Reason::TransactionTooLong));
        assert_eq!(check_transaction_size(&bare, &less), too_long);
        assert_eq!(check_transaction_size(&submitted, &less), too_long);
    }
}
