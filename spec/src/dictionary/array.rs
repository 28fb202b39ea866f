//! The dense array and its operations: update, insert, and delete by swap-remove.
//!
//! The same operations run on the whole array and on a validator's view of it, which knows some of
//! the slots only: they answer `None` when a slot that they need is not there. Source:
//! docs/design.md, section 4.

use crate::base::bytes::*;
use crate::dictionary::slot::*;
use crate::dictionary::slot_map::*;

/// The slots at the positions `0..array_size`, or those of them that are known.
#[derive(Clone, Debug, Default)]
pub struct Array {
    /// The number of slots in the dictionary, the sentinel included.
    pub array_size: usize,
    /// The slots that are known, by position.
    pub array_slots: SlotMap,
}

/// The array of an empty dictionary: the sentinel alone.
pub fn empty_array() -> Array {
    Array { array_size: 1, array_slots: put_slot(empty_slot_map(), 0, Some(lone_sentinel())) }
}

/// The value of `k`, or absent, as its covering slot says.
pub fn content_in_slot(slot: &Slot, k: &ByteString) -> Option<ByteString> {
    if bytes_equal(&slot.key, k) { Some(slot.value.clone()) } else { None }
}

/// Looks `k` up. The outer `None` says that the covering slot is not known, the inner that `k` is
/// absent.
pub fn array_lookup(array: &Array, k: &ByteString) -> Option<Option<ByteString>> {
    let slot = covering_slot(&array.array_slots, k)?;
    Some(content_in_slot(&slot, k))
}

/// Gives the present key `k` another value.
pub fn array_update(array: &Array, k: &ByteString, new_value: &ByteString) -> Option<Array> {
    let position = covering_position(&array.array_slots, k)?;
    let slot = slot_at(&array.array_slots, position)?;
    Some(Array {
        array_size: array.array_size,
        array_slots: put_slot(array.array_slots.clone(), position, Some(with_value(&slot, new_value))),
    })
}

/// Inserts the absent key `k`: its covering slot's next key becomes `k`, and the new slot stands at
/// the array's end.
pub fn array_insert(array: &Array, k: &ByteString, new_value: &ByteString) -> Option<Array> {
    let position = covering_position(&array.array_slots, k)?;
    let slot = slot_at(&array.array_slots, position)?;
    let appended = Slot { key: k.clone(), value: new_value.clone(), next: slot.next.clone() };
    let linked = put_slot(array.array_slots.clone(), position, Some(with_next(&slot, k)));
    Some(Array { array_size: array.array_size + 1, array_slots: put_slot(linked, array.array_size, Some(appended)) })
}

/// Frees a position: the array's last slot moves there, and the array becomes shorter by one.
pub fn swap_remove(array: &Array, position: usize) -> Option<Array> {
    let last_position = if array.array_size > 0 { array.array_size - 1 } else { 0 };
    let last_slot = slot_at(&array.array_slots, last_position)?;
    let moved = put_slot(array.array_slots.clone(), position, Some(last_slot));
    Some(Array { array_size: last_position, array_slots: put_slot(moved, last_position, None) })
}

/// Deletes the present key `k`: its predecessor's next key becomes that of its slot, and the last
/// slot moves into the freed position. The predecessor is rewritten first, so that it moves with
/// its new next key when it is the last slot.
pub fn array_delete(array: &Array, k: &ByteString) -> Option<Array> {
    let position = covering_position(&array.array_slots, k)?;
    let slot = slot_at(&array.array_slots, position)?;
    let predecessor_position = preceding_position(&array.array_slots, k)?;
    let predecessor = slot_at(&array.array_slots, predecessor_position)?;
    let unlinked = Array {
        array_size: array.array_size,
        array_slots: put_slot(
            array.array_slots.clone(),
            predecessor_position,
            Some(with_next(&predecessor, &slot.next)),
        ),
    };
    swap_remove(&unlinked, position)
}
