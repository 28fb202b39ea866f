//! The finite map from positions to slots, and the two searches in it.
//!
//! Element `p` of the sequence is the content of position `p`; positions beyond its end have none.
//! What "none" means is up to the reader of the map: unused in the whole array, unused or unknown
//! in a validator's view. Nobody outside this file walks the sequence: others use [`slot_at`],
//! [`put_slot`], [`covering_position`] and [`preceding_position`].

use crate::base::bytes::*;
use crate::dictionary::slot::*;
use hacspec_lib::*;

/// A finite map from positions to slots.
pub type SlotMap = Seq<Option<Slot>>;

/// The map without any slot.
pub fn empty_slot_map() -> SlotMap {
    SlotMap::new(0)
}

/// The content of a position.
pub fn slot_at(slots: &SlotMap, position: usize) -> Option<Slot> {
    if position < slots.len() { slots[position].clone() } else { None }
}

/// One step of [`padded_slot_map`].
pub fn padded_slot_map_step(padded: SlotMap) -> SlotMap {
    padded.push_owned(None)
}

/// The same map, with contents written out for the positions below `count` at least.
pub fn padded_slot_map(slots: SlotMap, count: usize) -> SlotMap {
    let written = slots.len();
    let mut padded = slots;
    for _p in written..count {
        padded = padded_slot_map_step(padded);
    }
    padded
}

/// The map with another content of one position; `None` removes.
pub fn put_slot(slots: SlotMap, position: usize, content: Option<Slot>) -> SlotMap {
    if position < slots.len() {
        let above = slots.slice(position + 1, slots.len() - position - 1);
        slots.slice(0, position).push_owned(content).concat_owned(above)
    } else {
        padded_slot_map(slots, position).push_owned(content)
    }
}

/// A position from which on the map has no slot.
pub fn slot_map_end(slots: &SlotMap) -> usize {
    slots.len()
}

/// Whether there is a slot at this content, and it covers `k`.
pub fn content_covers(content: &Option<Slot>, k: &ByteString) -> bool {
    match content {
        None => false,
        Some(slot) => covers(slot, k),
    }
}

/// Whether there is a slot at this content, and it precedes `k`.
pub fn content_precedes(content: &Option<Slot>, k: &ByteString) -> bool {
    match content {
        None => false,
        Some(slot) => precedes(slot, k),
    }
}

/// One step of [`covering_position`].
pub fn covering_position_step(found: Option<usize>, content: &Option<Slot>, p: usize, k: &ByteString) -> Option<usize> {
    match found {
        Some(position) => Some(position),
        None => {
            if content_covers(content, k) {
                Some(p)
            } else {
                None
            }
        }
    }
}

/// The lowest position whose slot covers `k`.
pub fn covering_position(slots: &SlotMap, k: &ByteString) -> Option<usize> {
    let mut found = None;
    for p in 0..slots.len() {
        found = covering_position_step(found, &slots[p], p, k);
    }
    found
}

/// One step of [`preceding_position`].
pub fn preceding_position_step(
    found: Option<usize>,
    content: &Option<Slot>,
    p: usize,
    k: &ByteString,
) -> Option<usize> {
    match found {
        Some(position) => Some(position),
        None => {
            if content_precedes(content, k) {
                Some(p)
            } else {
                None
            }
        }
    }
}

/// The lowest position whose slot precedes `k`.
pub fn preceding_position(slots: &SlotMap, k: &ByteString) -> Option<usize> {
    let mut found = None;
    for p in 0..slots.len() {
        found = preceding_position_step(found, &slots[p], p, k);
    }
    found
}

/// The slot that covers `k`.
pub fn covering_slot(slots: &SlotMap, k: &ByteString) -> Option<Slot> {
    let position = covering_position(slots, k)?;
    slot_at(slots, position)
}
