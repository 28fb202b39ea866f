//! Phase 8: what each key of a transaction was at version t (`aardvark_spec::block::phases::resolve`).
//!
//! A transaction resolves through its own claims, the window and the validator's tail, never through a neighbour's
//! claims: whether it is acceptable must not depend on whom it shares a block with.

use crate::data::operation::Operation;
use crate::data::rejection::{Fault, Reason};
use crate::data::transaction::Transaction;
use crate::phases::execution::Resolved;
use crate::state::view::View;

/// Resolves the keys of a transaction whose claims were added to `view`.
///
/// A key is present with the covering slot's value when it is that slot's key, and absent otherwise. A present key
/// that the transaction deletes needs its predecessor too.
pub(crate) fn resolve(transaction: &Transaction, view: &View<'_>) -> Result<Vec<Resolved>, Fault> {
    let mut resolved: Vec<Resolved> = Vec::with_capacity(transaction.operations.len());
    for (index, operation) in transaction.operations.iter().enumerate() {
        let key = operation.key();
        let fault = |reason| Fault::operation(reason, index, key);
        let (_, slot) = view.covering_slot(key).ok_or_else(|| fault(Reason::UnresolvedCovering))?;
        let present = slot.key == *key;
        let deletes = matches!(operation, Operation::Delete(_));
        if present && deletes && view.preceding_slot(key).is_none() {
            return Err(fault(Reason::UnresolvedPredecessor));
        }
        resolved.push((key.clone(), present.then_some(slot.value)));
    }
    Ok(resolved)
}
