//! What blocks mean: their transactions executed one after the other on an ordinary map.
//!
//! This is the ideal that a validator's answer is measured against; nothing here knows positions,
//! commitments or versions.

use crate::block::operation::*;
use crate::block::rejection::*;
use crate::block::transaction::*;
use crate::dictionary::array::*;
use crate::dictionary::key_map::*;
use crate::dictionary::slot_map::*;
use hacspec_lib::*;

/// Runs operation `j` of transaction `x` on the map.
pub fn map_operation(entries: &KeyMap, operation: &Operation, x: usize, j: usize) -> Result<KeyMap, Rejection> {
    match run_action(&key_map_get(entries, &operation.operation_key), &operation.action) {
        Err(why) => Err(reject_item(why, x, j)),
        Ok(after) => Ok(key_map_put(entries, &operation.operation_key, &after)),
    }
}

/// One step of [`map_operations`].
pub fn map_operations_step(
    run: Result<KeyMap, Rejection>,
    operation: &Operation,
    x: usize,
    j: usize,
) -> Result<KeyMap, Rejection> {
    match run {
        Err(rejection) => Err(rejection),
        Ok(entries) => map_operation(&entries, operation, x, j),
    }
}

/// Runs the operations of transaction `x` on the map, all or nothing.
pub fn map_operations(before: &KeyMap, items: &Seq<Operation>, x: usize) -> Result<KeyMap, Rejection> {
    let mut run = Ok(before.clone());
    for j in 0..items.len() {
        run = map_operations_step(run, &items[j], x, j);
    }
    run
}

/// One step of [`map_transactions`].
pub fn map_transactions_step(run: Result<KeyMap, Rejection>, tx: &Transaction, x: usize) -> Result<KeyMap, Rejection> {
    match run {
        Err(rejection) => Err(rejection),
        Ok(entries) => map_operations(&entries, &tx.operations, x),
    }
}

/// Runs the transactions of a block on the map, one after the other.
pub fn map_transactions(before: &KeyMap, items: &Seq<Transaction>) -> Result<KeyMap, Rejection> {
    let mut run = Ok(before.clone());
    for x in 0..items.len() {
        run = map_transactions_step(run, &items[x], x);
    }
    run
}

/// One step of [`map_of_array`]: position 0 holds the sentinel, which is no key of the map.
pub fn map_of_array_step(entries: KeyMap, array: &Array, p: usize) -> KeyMap {
    match slot_at(&array.array_slots, p) {
        None => entries,
        Some(slot) => key_map_put(&entries, &slot.key, &Some(slot.value)),
    }
}

/// The map that a whole array stands for.
pub fn map_of_array(array: &Array) -> KeyMap {
    let mut entries = empty_key_map();
    for p in 1..array.array_size {
        entries = map_of_array_step(entries, array, p);
    }
    entries
}
