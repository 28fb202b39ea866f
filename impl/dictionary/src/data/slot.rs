//! Slots: what stands at a position of the dense array (`aardvark_spec::dictionary::slot`).
//!
//! A slot `(key, value, next)` **covers** every key in the cyclic interval `[key, next)`: its own
//! key is present with its value, every other covered key is absent. The slots of a well-formed
//! dictionary partition the key space, so exactly one slot covers a key, and one opening of that
//! slot answers for it.

use aardvark_algebra::Scalar;
use std::sync::LazyLock;

use aardvark_algebra::hash::ScalarHash;
use aardvark_algebra::integers::u16_or_max;

use crate::data::bytes::{Key, Value};

/// Domain separation tag of the hash from slots to scalars.
pub const SLOT_TAG: &[u8] = b"AARDVARK-V1-SLOT";

static SLOT_HASH: LazyLock<ScalarHash> = LazyLock::new(|| ScalarHash::new(SLOT_TAG));

/// One entry of the array: a live key, its value, and the next larger live key.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Slot {
    /// The live key; empty only for the sentinel.
    pub key: Key,
    /// The key's value.
    pub value: Value,
    /// The next larger live key; empty for the largest.
    pub next: Key,
}

impl Slot {
    /// The slot of a dictionary without users' keys: all three fields empty. It covers every key.
    pub fn lone_sentinel() -> Self {
        Self::default()
    }

    /// Whether `key` lies in the cyclic interval `[self.key, self.next)`
    /// (`aardvark_spec::dictionary::slot::covers`).
    #[must_use]
    pub fn covers(&self, key: &[u8]) -> bool {
        covers(&self.key, &self.next, key)
    }

    /// Whether `key` lies in the cyclic interval `(self.key, self.next]`: the slot is the
    /// predecessor of a present key, and covers an absent one
    /// (`aardvark_spec::dictionary::slot::precedes`).
    #[must_use]
    pub fn precedes(&self, key: &[u8]) -> bool {
        precedes(&self.key, &self.next, key)
    }

    /// The injective encoding that is hashed: `u16 len(key) || key || u16 len(next) || next ||
    /// value`.
    ///
    /// Lengths beyond 65,535 do not occur: wire and parameters keep keys at 255 bytes.
    pub fn encode(&self) -> Vec<u8> {
        self.with_pieces(|pieces| pieces.concat())
    }

    /// The scalar that a commitment holds for this slot.
    pub fn scalar(&self) -> Scalar {
        self.with_pieces(|pieces| SLOT_HASH.hash(pieces))
    }

    /// The scalars of slots, in their order: two are hashed in step, in little more than the time
    /// of one.
    pub fn scalars<'a>(slots: impl IntoIterator<Item = &'a Self>) -> Vec<Scalar> {
        let mut slots = slots.into_iter();
        let mut scalars = Vec::with_capacity(slots.size_hint().0);
        while let Some(first) = slots.next() {
            match slots.next() {
                Some(second) => {
                    scalars.extend(first.with_pieces(|of_first| {
                        second.with_pieces(|of_second| SLOT_HASH.hash_two([of_first, of_second]))
                    }))
                }
                None => scalars.push(first.scalar()),
            }
        }
        scalars
    }

    /// The pieces of the encoding.
    fn with_pieces<T>(&self, used: impl FnOnce(&[&[u8]; 5]) -> T) -> T {
        let [key_length, next_length] = [&self.key, &self.next].map(|key| u16_or_max(key.len()).to_be_bytes());
        used(&[&key_length, &self.key, &next_length, &self.next, &self.value])
    }
}

/// Whether `key` lies in the cyclic interval `[start, next)`.
pub(crate) fn covers(start: &[u8], next: &[u8], key: &[u8]) -> bool {
    if start < next { start <= key && key < next } else { start <= key || key < next }
}

/// Whether `key` lies in the cyclic interval `(start, next]`.
pub(crate) fn precedes(start: &[u8], next: &[u8], key: &[u8]) -> bool {
    if start < next { start < key && key <= next } else { start < key || key <= next }
}

#[cfg(test)]
mod tests {
    use aardvark_algebra::encoding::scalar_to_bytes;

    use super::*;

    fn slot(key: &str, value: &str, next: &str) -> Slot {
        Slot { key: key.into(), value: value.into(), next: next.into() }
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn scalars_of_slots_have_the_published_check_values() {
        assert_eq!(
            hex(&scalar_to_bytes(&Slot::lone_sentinel().scalar())),
            "46cb75731f8b415716e6ae07b13c41ce9dd3809fe36b115a00ed5ab9bfb0174b"
        );
        assert_eq!(
            hex(&scalar_to_bytes(&slot("a", "1", "b").scalar())),
            "21b8bdee2ff453374ff58f1efaaa6d2fd0a1b69d642c8a2356c885b9404b1d98"
        );
    }

    #[test]
    fn a_slot_covers_from_its_key_up_to_but_not_including_the_next() {
        let inner = slot("b", "", "d");
        assert!(!inner.covers(b"a") && inner.covers(b"b") && inner.covers(b"c") && !inner.covers(b"d"));
        let largest = slot("d", "", "");
        assert!(largest.covers(b"d") && largest.covers(b"z") && !largest.covers(b"c"));
        assert!(!largest.covers(b""));
    }

    #[test]
    fn a_slot_precedes_from_after_its_key_up_to_and_including_the_next() {
        let inner = slot("b", "", "d");
        assert!(!inner.precedes(b"b") && inner.precedes(b"c") && inner.precedes(b"d") && !inner.precedes(b"e"));
        let largest = slot("d", "", "");
        assert!(!largest.precedes(b"d") && largest.precedes(b"e") && largest.precedes(b""));
    }

    #[test]
    fn the_lone_sentinel_covers_and_precedes_every_key() {
        for key in [b"".as_slice(), b"\0", b"a", b"\xff\xff"] {
            assert!(Slot::lone_sentinel().covers(key) && Slot::lone_sentinel().precedes(key));
        }
    }

    #[test]
    fn encodings_of_different_slots_differ_where_the_fields_run_together() {
        assert_ne!(slot("ab", "", "").encode(), slot("a", "", "b").encode());
        assert_ne!(slot("a", "b", "").encode(), slot("a", "", "b").encode());
    }

    #[test]
    fn slots_have_the_same_scalars_together_and_alone() {
        let key = |length: usize| "k".repeat(length);
        let slots: Vec<Slot> = (0..9).map(|i| slot(&key(i * 31), &key(i % 3 * 40), &key(200 - i * 20))).collect();
        for count in 0..slots.len() {
            let some = &slots[..count];
            assert_eq!(Slot::scalars(some), some.iter().map(Slot::scalar).collect::<Vec<_>>());
        }
    }
}
