//! Writes of a version: the positions whose content differs between the array before and after it,
//! in ascending order, with their new content. "Unused" counts as a content.

use crate::dictionary::slot::*;
use crate::dictionary::slot_map::*;
use hacspec_lib::*;

/// A position and its new content.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Write {
    /// The position.
    pub write_position: usize,
    /// Its content after the version; `None` when it became unused.
    pub write_content: Option<Slot>,
}

/// One step of [`writes_between`].
pub fn writes_between_step(writes: Seq<Write>, before: &SlotMap, after: &SlotMap, p: usize) -> Seq<Write> {
    if slot_contents_equal(&slot_at(before, p), &slot_at(after, p)) {
        writes
    } else {
        writes.push_owned(Write { write_position: p, write_content: slot_at(after, p) })
    }
}

/// The writes that lead from one map to another.
pub fn writes_between(before: &SlotMap, after: &SlotMap) -> Seq<Write> {
    let stop = if slot_map_end(before) < slot_map_end(after) { slot_map_end(after) } else { slot_map_end(before) };
    let mut writes = Seq::<Write>::new(0);
    for p in 0..stop {
        writes = writes_between_step(writes, before, after, p);
    }
    writes
}

/// One step of [`lay_writes`].
pub fn lay_writes_step(slots: SlotMap, write: &Write) -> SlotMap {
    put_slot(slots, write.write_position, write.write_content.clone())
}

/// The map with the writes laid over it.
pub fn lay_writes(below: SlotMap, writes: &Seq<Write>) -> SlotMap {
    let mut slots = below;
    for i in 0..writes.len() {
        slots = lay_writes_step(slots, &writes[i]);
    }
    slots
}
