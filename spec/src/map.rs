//! What blocks mean: their transactions executed one after the other on an ordinary map.
//!
//! This is the ideal that a validator's answer is measured against; nothing here knows positions, commitments or versions.

use crate::dictionary::*;
use crate::key_map::*;
use crate::operation::*;
use crate::rejection::*;
use crate::slot_map::*;
use crate::transaction::*;
use hacspec_lib::*;

/// Runs operation `j` of transaction `x` on the map.
pub fn map_operation(map: &KeyMap, operation: &Operation, x: usize, j: usize) -> Result<KeyMap, Rejection> {
    match run_action(&key_map_get(map, &operation.operation_key), &operation.action) {
        Err(why) => Err(reject_item(why, x, j)),
        Ok(after) => Ok(key_map_put(map, &operation.operation_key, &after)),
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
        Ok(map) => map_operation(&map, operation, x, j),
    }
}

/// Runs the operations of transaction `x` on the map, all or nothing.
pub fn map_operations(before: &KeyMap, list: &Seq<Operation>, x: usize) -> Result<KeyMap, Rejection> {
    let mut run = Ok(before.clone());
    for j in 0..list.len() {
        run = map_operations_step(run, &list[j], x, j);
    }
    run
}

/// One step of [`map_transactions`].
pub fn map_transactions_step(run: Result<KeyMap, Rejection>, tx: &Transaction, x: usize) -> Result<KeyMap, Rejection> {
    match run {
        Err(rejection) => Err(rejection),
        Ok(map) => map_operations(&map, &tx.operations, x),
    }
}

/// Runs the transactions of a block on the map, one after the other.
pub fn map_transactions(before: &KeyMap, list: &Seq<Transaction>) -> Result<KeyMap, Rejection> {
    let mut run = Ok(before.clone());
    for x in 0..list.len() {
        run = map_transactions_step(run, &list[x], x);
    }
    run
}

/// One step of [`map_of_array`]: position 0 holds the sentinel, which is no key of the map.
pub fn map_of_array_step(map: KeyMap, array: &Array, p: usize) -> KeyMap {
    match slot_at(&array.array_slots, p) {
        None => map,
        Some(slot) => key_map_put(&map, &slot.key, &Some(slot.value)),
    }
}

/// The map that a whole array stands for.
pub fn map_of_array(array: &Array) -> KeyMap {
    let mut map = empty_key_map();
    for p in 1..array.array_size {
        map = map_of_array_step(map, array, p);
    }
    map
}
