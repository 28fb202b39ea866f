//! Slots: a key, its value, and the next larger live key.
//!
//! The slots of a dictionary form one ring in key order, closed by the sentinel, whose key is
//! empty. A slot covers the keys in the cyclic interval `[key, next)`, and precedes those in `(key,
//! next]`. Of a well-formed ring exactly one slot covers each key, and exactly one precedes it.
//! Source: docs/design.md, section 2.

use crate::base::bytes::*;
use crate::base::hash::*;
use crate::base::scalar::*;
use hacspec_lib::*;

/// A key, its value, and the key that follows it in the ring.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slot {
    /// The key; empty in the sentinel only.
    pub key: ByteString,
    /// The key's value; empty in the sentinel.
    pub value: ByteString,
    /// The next larger live key; empty when there is none.
    pub next: ByteString,
}

/// `k` lies in the cyclic interval `[slot.key, slot.next)`; a ring of one slot covers everything.
pub fn covers(slot: &Slot, k: &ByteString) -> bool {
    if bytes_less(&slot.key, &slot.next) {
        bytes_at_most(&slot.key, k) && bytes_less(k, &slot.next)
    } else {
        bytes_at_most(&slot.key, k) || bytes_less(k, &slot.next)
    }
}

/// `k` lies in the cyclic interval `(slot.key, slot.next]`: the slot is the predecessor of `k` when
/// `k` is present, and covers `k` when it is not.
pub fn precedes(slot: &Slot, k: &ByteString) -> bool {
    if bytes_less(&slot.key, &slot.next) {
        bytes_less(&slot.key, k) && bytes_at_most(k, &slot.next)
    } else {
        bytes_less(&slot.key, k) || bytes_at_most(k, &slot.next)
    }
}

/// Whether two slots agree in all three fields.
pub fn slots_equal(a: &Slot, b: &Slot) -> bool {
    bytes_equal(&a.key, &b.key) && bytes_equal(&a.value, &b.value) && bytes_equal(&a.next, &b.next)
}

/// Whether two contents of a position, each a slot or unused, are the same.
pub fn slot_contents_equal(a: &Option<Slot>, b: &Option<Slot>) -> bool {
    match a {
        None => match b {
            None => true,
            Some(_) => false,
        },
        Some(left) => match b {
            None => false,
            Some(right) => slots_equal(left, right),
        },
    }
}

/// The injective encoding that is hashed: `u16 len(key) || key || u16 len(next) || next || value`.
pub fn encode_slot(slot: &Slot) -> ByteString {
    bytes16(&slot.key).concat(&bytes16(&slot.next)).concat(&slot.value)
}

/// The slot's scalar.
pub fn scalar_of_slot(slot: &Slot) -> Scalar {
    hash_to_scalar(&encode_slot(slot), &tag_slot())
}

/// The scalar of a position's content; an unused position is 0.
pub fn scalar_of_content(content: &Option<Slot>) -> Scalar {
    match content {
        None => scalar_zero(),
        Some(slot) => scalar_of_slot(slot),
    }
}

/// The slot as it travels: `bytes8(key) || bytes8(next) || bytes16(value)`.
pub fn slot_bytes(slot: &Slot) -> ByteString {
    bytes8(&slot.key).concat(&bytes8(&slot.next)).concat(&bytes16(&slot.value))
}

/// The length of [`slot_bytes`], in bytes.
pub fn slot_bytes_length(slot: &Slot) -> usize {
    4 + slot.key.len() + slot.next.len() + slot.value.len()
}

/// The sentinel alone in its ring: what position 0 of an empty dictionary holds.
pub fn lone_sentinel() -> Slot {
    Slot { key: ByteString::new(0), value: ByteString::new(0), next: ByteString::new(0) }
}

/// The slot with another value.
pub fn with_value(slot: &Slot, new_value: &ByteString) -> Slot {
    Slot { key: slot.key.clone(), value: new_value.clone(), next: slot.next.clone() }
}

/// The slot with another next key.
pub fn with_next(slot: &Slot, new_next: &ByteString) -> Slot {
    Slot { key: slot.key.clone(), value: slot.value.clone(), next: new_next.clone() }
}
