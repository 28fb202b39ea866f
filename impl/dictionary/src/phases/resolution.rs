//! Phase 8: what each key of a transaction was at version t
//! (`aardvark_spec::block::execution::resolve_transaction`).
//!
//! A transaction resolves through its own claims, the window and the validator's tail, never
//! through a neighbour's claims: whether it is acceptable must not depend on whom it shares a block
//! with.

use aardvark_algebra::parallel::prelude::*;

use crate::data::bytes::{Key, Value};
use crate::data::operation::Operation;
use crate::data::rejection::{Fault, Reason, Rejection};
use crate::data::transaction::Transaction;
use crate::state::view::View;

/// The keys that a transaction's operations name, in their order, with their value at version t
/// (`aardvark_spec::block::execution::Contents`).
pub(crate) type Contents = Vec<(Key, Option<Value>)>;

/// Resolves the keys of a transaction whose openings hold; `known` is what window and tail show.
///
/// A key is present with the covering slot's value when it is that slot's key, and absent
/// otherwise. A present key that the transaction deletes needs its predecessor too.
pub(crate) fn resolve_transaction<O>(known: &View<'_>, transaction: &Transaction<O>) -> Result<Contents, Fault> {
    let mut view = known.clone();
    view.add_claims(transaction.claims_version(), &transaction.claims);
    let mut contents = Contents::with_capacity(transaction.operations.len());
    for (index, operation) in transaction.operations.iter().enumerate() {
        let key = operation.key();
        let fault = |reason| Fault::operation(reason, index, key);
        let (_, slot) = view.covering_slot(key).ok_or_else(|| fault(Reason::UnresolvedCovering))?;
        let present = slot.key == *key;
        let deletes = matches!(operation, Operation::Delete(_));
        if present && deletes && view.preceding_slot(key).is_none() {
            return Err(fault(Reason::UnresolvedPredecessor));
        }
        contents.push((key.clone(), present.then_some(slot.value)));
    }
    Ok(contents)
}

/// Phase 8 for a block: the contents of all keys, by transaction and operation.
pub(crate) fn resolve_block<O: Sync>(
    known: &View<'_>,
    transactions: &[Transaction<O>],
) -> Result<Vec<Contents>, Rejection> {
    let resolved: Vec<Result<_, Fault>> =
        transactions.par_iter().map(|transaction| resolve_transaction(known, transaction)).collect();
    let in_order = resolved.into_iter().enumerate();
    in_order.map(|(index, contents)| contents.map_err(|fault| Rejection::in_transaction(index, fault))).collect()
}
