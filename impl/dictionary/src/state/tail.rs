//! The tail: the plaintext of the last slots, which a delete needs in order to move them
//! (`aardvark_spec::block::tail`, docs/design.md, section 4).
//!
//! A validator keeps the slots `[start, s)`; `start` is a multiple of N. A block that leaves fewer
//! slots than `start` carries the whole vectors below it, highest first, and `start` falls by that
//! many vectors; afterwards it rises again so that between one and two vectors stay in plaintext.

use crate::data::slot::Slot;
use aardvark_commitment::Commitment;

use crate::data::parameters::Parameters;
use crate::state::array::Write;
use crate::state::slot_map::SlotMap;

/// The last slots in plaintext.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Tail {
    start: u64,
    slots: SlotMap,
}

/// Where the tail of a dictionary with `size` slots starts at genesis: `N * max(0, size / N - 1)`.
pub fn tail_floor(size: u64, vector_size: u64) -> u64 {
    (size / vector_size).saturating_sub(1) * vector_size
}

/// How many whole vectors below `start` a block needs that leaves `size` slots.
pub fn tail_needed(start: u64, size: u64, vector_size: u64) -> u64 {
    start.saturating_sub(size).div_ceil(vector_size)
}

/// Where the tail starts after a block that leaves `size` slots.
pub fn tail_start_after(start: u64, size: u64, vector_size: u64) -> u64 {
    let fallen = start - tail_needed(start, size, vector_size) * vector_size;
    fallen.max(tail_floor(size, vector_size))
}

/// Where the tail vectors of a block belong: below the tail of a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BelowTail<'a> {
    pub(crate) parameters: &'a Parameters,
    /// One a vector, now.
    pub(crate) commitments: &'a [Commitment],
    /// The first position of the tail, a multiple of N.
    pub(crate) start: u64,
}

impl Tail {
    /// The tail of slots that begin at position `start`.
    pub fn new(start: u64, slots: impl IntoIterator<Item = Slot>) -> Self {
        Self { start, slots: (start..).zip(slots).collect() }
    }

    /// The first position in plaintext, a multiple of N.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// The slots in plaintext.
    pub fn slots(&self) -> &SlotMap {
        &self.slots
    }

    /// Moves on to the array after a block: takes the vectors that the block carried, its writes,
    /// and the new start.
    pub fn advance(&mut self, carried: impl Iterator<Item = (u64, Slot)>, writes: &[Write], start: u64) {
        for (position, slot) in carried {
            self.slots.set(position, Some(slot));
        }
        let lowest = self.start.min(start);
        for write in writes.iter().filter(|write| write.position >= lowest) {
            self.slots.set(write.position, write.after.clone());
        }
        let below: Vec<u64> =
            self.slots.iter().map(|(position, _)| position).take_while(|position| *position < start).collect();
        for position in below {
            self.slots.set(position, None);
        }
        self.start = start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_one_and_two_vectors_stay_in_plaintext() {
        for (size, start) in [(1, 0), (3, 0), (4, 0), (7, 0), (8, 4), (11, 4), (12, 8)] {
            assert_eq!(tail_floor(size, 4), start, "size {size}");
        }
    }

    #[test]
    fn a_block_needs_vectors_only_when_it_leaves_less_than_the_start() {
        assert_eq!(tail_needed(8, 8, 4), 0);
        assert_eq!(tail_needed(8, 7, 4), 1);
        assert_eq!(tail_needed(8, 4, 4), 1);
        assert_eq!(tail_needed(8, 3, 4), 2);
        assert_eq!(tail_start_after(8, 7, 4), 4);
        assert_eq!(tail_start_after(8, 8, 4), 8);
        assert_eq!(tail_start_after(0, 12, 4), 8);
        assert_eq!(tail_start_after(4, 3, 4), 0);
    }
}
