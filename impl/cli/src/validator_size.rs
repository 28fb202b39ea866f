//! How many bytes a validator's state has, in the encodings of `docs/format.md`, without any
//! overhead of memory.

use aardvark_algebra::integers::u64_of_usize;
use aardvark_dictionary::codec::slot_length;
use aardvark_dictionary::{Slot, Validator};

/// Bytes of the parts of a validator's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValidatorSize {
    /// Number of vectors.
    pub vectors: u64,
    /// Commitments: 48 bytes a vector.
    pub commitments: u64,
    /// Slots of the tail.
    pub tail_slots: u64,
    /// The tail: its slots.
    pub tail: u64,
    /// Writes of the window.
    pub writes: u64,
    /// The window: a position and a slot for each write, the number of slots and the commitments
    /// before each version.
    pub window: u64,
    /// The replay set: an identity and its last version for each transaction.
    pub replay: u64,
}

impl ValidatorSize {
    /// Adds up a validator's state.
    pub fn of(validator: &Validator) -> Self {
        let (mut writes, mut window) = (0, 0);
        for entry in validator.window().entries() {
            writes += length(entry.writes.len());
            let contents = entry.writes.iter().map(|(_, slot)| 9 + slot.as_ref().map_or(0, slot_bytes));
            window += 16 + contents.sum::<u64>() + 56 * length(entry.previous_commitments.len());
        }
        let vectors = length(validator.commitments().len());
        let tail = validator.tail().slots();
        Self {
            vectors,
            commitments: 48 * vectors,
            tail_slots: length(tail.len()),
            tail: tail.iter().map(|(_, slot)| slot_bytes(slot)).sum(),
            writes,
            window,
            replay: 40 * length(validator.replay().len()),
        }
    }

    /// All of it.
    pub fn total(&self) -> u64 {
        self.commitments + self.tail + self.window + self.replay
    }
}

fn slot_bytes(slot: &Slot) -> u64 {
    length(slot_length(slot))
}

fn length(count: usize) -> u64 {
    u64_of_usize(count)
}
