//! Net changes: for each key that a block names, its content before and after, and their effect on
//! the array.
//!
//! The effect depends on the changes alone, in this order: value updates, then inserts, then
//! deletes, each group in ascending order of keys. Source: docs/format.md, "Net changes".

use crate::base::bytes::*;
use crate::dictionary::array::*;
use hacspec_lib::*;

/// A key's content before and after a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// The key.
    pub change_key: ByteString,
    /// The content before: a value, or absent.
    pub change_before: Option<ByteString>,
    /// The content after.
    pub change_after: Option<ByteString>,
}

/// A finite map from keys to changes, in strictly ascending order of keys.
pub type ChangeMap = Seq<Change>;

/// One step of [`change_of`].
pub fn change_of_step(found: Option<Change>, change: &Change, k: &ByteString) -> Option<Change> {
    if bytes_equal(&change.change_key, k) { Some(change.clone()) } else { found }
}

/// The change of `k`, if there is one.
pub fn change_of(changes: &ChangeMap, k: &ByteString) -> Option<Change> {
    let mut found = None;
    for i in 0..changes.len() {
        found = change_of_step(found, &changes[i], k);
    }
    found
}

/// One step of [`changes_below`].
pub fn changes_below_step(below: ChangeMap, change: &Change, k: &ByteString) -> ChangeMap {
    if bytes_less(&change.change_key, k) { below.push_owned(change.clone()) } else { below }
}

/// The changes of keys that come before `k`.
pub fn changes_below(changes: &ChangeMap, k: &ByteString) -> ChangeMap {
    let mut below = ChangeMap::new(0);
    for i in 0..changes.len() {
        below = changes_below_step(below, &changes[i], k);
    }
    below
}

/// One step of [`changes_above`].
pub fn changes_above_step(above: ChangeMap, change: &Change, k: &ByteString) -> ChangeMap {
    if bytes_less(k, &change.change_key) { above.push_owned(change.clone()) } else { above }
}

/// The changes of keys that come after `k`.
pub fn changes_above(changes: &ChangeMap, k: &ByteString) -> ChangeMap {
    let mut above = ChangeMap::new(0);
    for i in 0..changes.len() {
        above = changes_above_step(above, &changes[i], k);
    }
    above
}

/// The changes with `change` in the place of any other of its key.
pub fn put_change(changes: &ChangeMap, change: &Change) -> ChangeMap {
    changes_below(changes, &change.change_key)
        .push_owned(change.clone())
        .concat(&changes_above(changes, &change.change_key))
}

/// One step of [`net_changes`].
pub fn net_changes_step(net: ChangeMap, change: &Change) -> ChangeMap {
    if contents_equal(&change.change_before, &change.change_after) { net } else { net.push_owned(change.clone()) }
}

/// The changes that change something.
pub fn net_changes(changes: &ChangeMap) -> ChangeMap {
    let mut net = ChangeMap::new(0);
    for i in 0..changes.len() {
        net = net_changes_step(net, &changes[i]);
    }
    net
}

/// One step of [`size_after`].
pub fn size_after_step(s: usize, change: &Change) -> usize {
    if !is_present(&change.change_before) && is_present(&change.change_after) {
        s + 1
    } else if is_present(&change.change_before) && !is_present(&change.change_after) && s > 0 {
        s - 1
    } else {
        s
    }
}

/// The number of slots after the changes, from the number before.
pub fn size_after(size_before: usize, changes: &ChangeMap) -> usize {
    let mut s = size_before;
    for i in 0..changes.len() {
        s = size_after_step(s, &changes[i]);
    }
    s
}

/// The array after one change, if it is an update; other changes are left to their own pass.
pub fn apply_update(array: Array, change: &Change) -> Option<Array> {
    match &change.change_after {
        None => Some(array),
        Some(new_value) => {
            if is_present(&change.change_before) {
                array_update(&array, &change.change_key, new_value)
            } else {
                Some(array)
            }
        }
    }
}

/// One step of [`apply_updates`].
pub fn apply_updates_step(array: Option<Array>, change: &Change) -> Option<Array> {
    match array {
        None => None,
        Some(known) => apply_update(known, change),
    }
}

/// The array after the updates among the changes.
pub fn apply_updates(before: &Array, changes: &ChangeMap) -> Option<Array> {
    let mut array = Some(before.clone());
    for i in 0..changes.len() {
        array = apply_updates_step(array, &changes[i]);
    }
    array
}

/// The array after one change, if it is an insert.
pub fn apply_insert(array: Array, change: &Change) -> Option<Array> {
    match &change.change_after {
        None => Some(array),
        Some(new_value) => {
            if is_present(&change.change_before) {
                Some(array)
            } else {
                array_insert(&array, &change.change_key, new_value)
            }
        }
    }
}

/// One step of [`apply_inserts`].
pub fn apply_inserts_step(array: Option<Array>, change: &Change) -> Option<Array> {
    match array {
        None => None,
        Some(known) => apply_insert(known, change),
    }
}

/// The array after the inserts among the changes.
pub fn apply_inserts(before: &Array, changes: &ChangeMap) -> Option<Array> {
    let mut array = Some(before.clone());
    for i in 0..changes.len() {
        array = apply_inserts_step(array, &changes[i]);
    }
    array
}

/// The array after one change, if it is a delete.
pub fn apply_delete(array: Array, change: &Change) -> Option<Array> {
    if is_present(&change.change_before) && !is_present(&change.change_after) {
        array_delete(&array, &change.change_key)
    } else {
        Some(array)
    }
}

/// One step of [`apply_deletes`].
pub fn apply_deletes_step(array: Option<Array>, change: &Change) -> Option<Array> {
    match array {
        None => None,
        Some(known) => apply_delete(known, change),
    }
}

/// The array after the deletes among the changes.
pub fn apply_deletes(before: &Array, changes: &ChangeMap) -> Option<Array> {
    let mut array = Some(before.clone());
    for i in 0..changes.len() {
        array = apply_deletes_step(array, &changes[i]);
    }
    array
}

/// The array after the changes, or `None` when it lacks a slot that they need.
pub fn apply_changes(before: &Array, changes: &ChangeMap) -> Option<Array> {
    let updated = apply_updates(before, changes)?;
    let inserted = apply_inserts(&updated, changes)?;
    apply_deletes(&inserted, changes)
}
