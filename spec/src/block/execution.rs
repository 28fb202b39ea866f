//! Phases 8 and 9: resolving the operations' keys, and running the operations.
//!
//! Resolution looks at the transaction's own claims, the window and the validator's tail.
//! Operations run in order on current values: what the block's latest operation on the key left, or
//! else what resolution found.

use crate::base::bytes::*;
use crate::block::block_data::*;
use crate::block::operation::*;
use crate::block::rejection::*;
use crate::block::state::*;
use crate::block::transaction::*;
use crate::block::view::*;
use crate::dictionary::array::*;
use crate::dictionary::changes::*;
use crate::dictionary::slot::*;
use crate::dictionary::slot_map::*;
use hacspec_lib::*;

/// The contents, at version t, of a transaction's keys: one an operation.
pub type Contents = Seq<Option<ByteString>>;

/// Whether the operation needs the predecessor of its key: it is a `Delete`, and the covering slot
/// is the key's own.
pub fn needs_predecessor(operation: &Operation, covering: &Slot) -> bool {
    is_delete(&operation.action) && bytes_equal(&covering.key, &operation.operation_key)
}

/// Phase 8 for one operation: the content of its key at t.
pub fn resolve_operation(
    known: &SlotMap,
    operation: &Operation,
    x: usize,
    j: usize,
) -> Result<Option<ByteString>, Rejection> {
    match covering_slot(known, &operation.operation_key) {
        None => Err(reject_item(Reason::UnresolvedCovering, x, j)),
        Some(covering) => match preceding_position(known, &operation.operation_key) {
            Some(_) => Ok(content_in_slot(&covering, &operation.operation_key)),
            None => {
                if needs_predecessor(operation, &covering) {
                    Err(reject_item(Reason::UnresolvedPredecessor, x, j))
                } else {
                    Ok(content_in_slot(&covering, &operation.operation_key))
                }
            }
        },
    }
}

/// Appends the content that one more operation resolved to.
pub fn resolve_next(
    contents: Contents,
    known: &SlotMap,
    operation: &Operation,
    x: usize,
    j: usize,
) -> Result<Contents, Rejection> {
    let content = resolve_operation(known, operation, x, j)?;
    Ok(contents.push_owned(content))
}

/// One step of [`resolve_operations`].
pub fn resolve_operations_step(
    resolved: Result<Contents, Rejection>,
    known: &SlotMap,
    operation: &Operation,
    x: usize,
    j: usize,
) -> Result<Contents, Rejection> {
    match resolved {
        Err(rejection) => Err(rejection),
        Ok(contents) => resolve_next(contents, known, operation, x, j),
    }
}

/// Resolves operations in a view.
pub fn resolve_operations(known: &SlotMap, items: &Seq<Operation>, x: usize) -> Result<Contents, Rejection> {
    let mut resolved = Ok(Contents::new(0));
    for j in 0..items.len() {
        resolved = resolve_operations_step(resolved, known, &items[j], x, j);
    }
    resolved
}

/// Phase 8 for one transaction.
pub fn resolve_transaction(state: &ValidatorState, tx: &Transaction, x: usize) -> Result<Contents, Rejection> {
    resolve_operations(&transaction_view(state, tx), &tx.operations, x)
}

/// Appends the contents that one more transaction resolved to.
pub fn resolve_next_transaction(
    contents: Seq<Contents>,
    state: &ValidatorState,
    tx: &Transaction,
    x: usize,
) -> Result<Seq<Contents>, Rejection> {
    let own = resolve_transaction(state, tx, x)?;
    Ok(contents.push_owned(own))
}

/// One step of [`resolve_block`].
pub fn resolve_block_step(
    resolved: Result<Seq<Contents>, Rejection>,
    state: &ValidatorState,
    tx: &Transaction,
    x: usize,
) -> Result<Seq<Contents>, Rejection> {
    match resolved {
        Err(rejection) => Err(rejection),
        Ok(contents) => resolve_next_transaction(contents, state, tx, x),
    }
}

/// Phase 8 for a block: the contents of all keys, by transaction and operation.
pub fn resolve_block(state: &ValidatorState, block: &Block) -> Result<Seq<Contents>, Rejection> {
    let mut resolved = Ok(Seq::<Contents>::new(0));
    for x in 0..block.transactions.len() {
        resolved = resolve_block_step(resolved, state, &block.transactions[x], x);
    }
    resolved
}

/// The change of a key so far; none yet means that nothing has changed since version t.
pub fn change_so_far(changes: &ChangeMap, k: &ByteString, content: &Option<ByteString>) -> Change {
    match change_of(changes, k) {
        Some(change) => change,
        None => Change { change_key: k.clone(), change_before: content.clone(), change_after: content.clone() },
    }
}

/// Phase 9 for one operation, whose key had the content at version t.
pub fn run_operation(
    changes: &ChangeMap,
    operation: &Operation,
    content: &Option<ByteString>,
    x: usize,
    j: usize,
) -> Result<ChangeMap, Rejection> {
    let change = change_so_far(changes, &operation.operation_key, content);
    match run_action(&change.change_after, &operation.action) {
        Err(why) => Err(reject_item(why, x, j)),
        Ok(after) => Ok(put_change(
            changes,
            &Change { change_key: change.change_key, change_before: change.change_before, change_after: after },
        )),
    }
}

/// The resolved content of operation `j`; absent beyond the end, which resolution excludes.
pub fn content_at(contents: &Contents, j: usize) -> Option<ByteString> {
    if j < contents.len() { contents[j].clone() } else { None }
}

/// One step of [`run_operations`].
pub fn run_operations_step(
    changed: Result<ChangeMap, Rejection>,
    operation: &Operation,
    content: &Option<ByteString>,
    x: usize,
    j: usize,
) -> Result<ChangeMap, Rejection> {
    match changed {
        Err(rejection) => Err(rejection),
        Ok(changes) => run_operation(&changes, operation, content, x, j),
    }
}

/// Phase 9 for one transaction.
pub fn run_operations(
    before: &ChangeMap,
    items: &Seq<Operation>,
    contents: &Contents,
    x: usize,
) -> Result<ChangeMap, Rejection> {
    let mut changed = Ok(before.clone());
    for j in 0..items.len() {
        changed = run_operations_step(changed, &items[j], &content_at(contents, j), x, j);
    }
    changed
}

/// The resolved contents of transaction `x`; none beyond the end, which resolution excludes.
pub fn contents_at(resolved: &Seq<Contents>, x: usize) -> Contents {
    if x < resolved.len() { resolved[x].clone() } else { Contents::new(0) }
}

/// One step of [`run_block`].
pub fn run_block_step(
    changed: Result<ChangeMap, Rejection>,
    tx: &Transaction,
    contents: &Contents,
    x: usize,
) -> Result<ChangeMap, Rejection> {
    match changed {
        Err(rejection) => Err(rejection),
        Ok(changes) => run_operations(&changes, &tx.operations, contents, x),
    }
}

/// Phase 9 for a block: the contents of all keys that it names, before and after.
pub fn run_block(block: &Block, resolved: &Seq<Contents>) -> Result<ChangeMap, Rejection> {
    let mut changed = Ok(ChangeMap::new(0));
    for x in 0..block.transactions.len() {
        changed = run_block_step(changed, &block.transactions[x], &contents_at(resolved, x), x);
    }
    changed
}
