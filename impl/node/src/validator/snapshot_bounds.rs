//! Upper bounds of a state at a height, from genesis alone: a snapshot beyond them is false
//! whatever it holds.

use aardvark_algebra::integers::u64_of_usize;
use aardvark_chain::ValidatorSet;
use aardvark_dictionary::codec::Reader;

use crate::validator::chain::Chain;
use crate::validator::snapshots::CHUNK_BYTES;

/// Positions that one operation writes at most: a delete writes the predecessor, the freed position
/// and the last one.
const WRITES: u64 = 3;

/// The largest state of a height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    version: u64,
    vector_size: u64,
    /// Most slots.
    slots: u64,
    /// Most bytes of the validators and `state_bytes`.
    bytes: u64,
}

impl Bounds {
    /// Those of a chain at a height.
    pub(super) fn at(chain: &Chain, height: u64) -> Self {
        let parameters = &chain.parameters;
        let limits = &parameters.limits;
        let (vector_size, operations) = (parameters.positions_per_vector(), u64::from(limits.block_operations));
        let slot = 4 + 2 * u64::from(parameters.max_key_length) + u64::from(parameters.max_value_length);
        let slots = chain.genesis_size.saturating_add(height.saturating_mul(operations));
        let vectors = slots.div_ceil(vector_size);
        let written = (WRITES * operations).min(slots.saturating_add(operations));
        let window_entry = 32 + written * (8 + 1 + slot) + written.min(vectors.saturating_add(1)) * (8 + 1 + 48);
        let versions = height.min(parameters.window.into());
        let replay = (versions + 1).saturating_mul(u64::from(limits.block_transactions)).saturating_mul(32 + 8);
        let tail = slots.min(2 * vector_size) * slot;
        let validators = u64_of_usize(ValidatorSet::MOST_BYTES);
        let parts = [validators, 56, vectors.saturating_mul(48), versions.saturating_mul(window_entry), tail, replay];
        let bytes = parts.into_iter().fold(0, u64::saturating_add);
        Self { version: height, vector_size, slots, bytes }
    }

    /// Whether a state can have so many chunks.
    pub(super) fn has_room_for(&self, chunks: u32) -> bool {
        // All but the last are full.
        u64::from(chunks.saturating_sub(1)).saturating_mul(CHUNK_BYTES as u64) < self.bytes
    }

    /// Whether a snapshot can begin so: version, number of slots, start of the tail and number of
    /// commitments.
    pub(super) fn allows_beginning(&self, bytes: &[u8]) -> bool {
        let mut reader = Reader::new(bytes);
        let mut number = || reader.u64("a number");
        let (Ok(version), Ok(size), Ok(tail_start), Ok(commitments)) = (number(), number(), number(), number()) else {
            return false;
        };
        version == self.version
            && (1..=self.slots).contains(&size)
            && tail_start.is_multiple_of(self.vector_size)
            && size.checked_sub(tail_start).is_some_and(|tail| tail < 2 * self.vector_size)
            && commitments == size.div_ceil(self.vector_size)
    }
}
