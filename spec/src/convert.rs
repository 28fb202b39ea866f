//! Conversions between this specification's types and ordinary Rust, for tests and comparisons.
//!
//! This file is no part of the specification: it is not translated, and no other file uses it.

use crate::base::bytes::*;
use crate::base::group::*;
use crate::base::scalar::*;
use crate::block::state::*;
use crate::dictionary::key_map::*;
use crate::dictionary::slot::*;
use crate::dictionary::window::*;
use crate::dictionary::writes::*;
use hacspec_lib::*;

const _: () = assert!(usize::BITS == 64, "the specification runs where usize has 64 bits");

/// A sequence from a vector.
pub fn to_seq<T: Clone + Default>(items: Vec<T>) -> Seq<T> {
    Seq::from_vec(items)
}

/// A vector from a sequence.
pub fn to_vec<T: Clone + Default>(items: &Seq<T>) -> Vec<T> {
    items.native_slice().to_vec()
}

/// A byte string from bytes.
pub fn byte_string(bytes: &[u8]) -> ByteString {
    ByteString::from_native_slice(bytes)
}

/// The bytes of a byte string.
pub fn byte_vec(bytes: &ByteString) -> Vec<u8> {
    bytes.native_slice().to_vec()
}

/// Bytes as lower-case hex.
pub fn byte_hex(bytes: &ByteString) -> String {
    bytes.native_slice().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A slot from the bytes of key, value and next key.
pub fn slot_from(key: &[u8], value: &[u8], next: &[u8]) -> Slot {
    Slot { key: byte_string(key), value: byte_string(value), next: byte_string(next) }
}

/// The bytes of a slot's key, value and next key.
pub fn slot_parts(slot: &Slot) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    (byte_vec(&slot.key), byte_vec(&slot.value), byte_vec(&slot.next))
}

/// The 32 bytes of a scalar, highest first.
pub fn scalar_to_bytes(scalar: Scalar) -> [u8; 32] {
    let bytes = scalar.to_be_bytes();
    let mut fixed = [0; 32];
    for (to, from) in fixed.iter_mut().zip(bytes) {
        *to = from;
    }
    fixed
}

/// The scalar that 32 bytes write, highest first, modulo r.
pub fn scalar_from_bytes(bytes: &[u8; 32]) -> Scalar {
    Scalar::from_be_bytes(bytes)
}

/// The entries of a map, in ascending order of keys.
pub fn key_map_pairs(map: &KeyMap) -> Vec<(Vec<u8>, Vec<u8>)> {
    map.native_slice().iter().map(|entry| (byte_vec(&entry.entry_key), byte_vec(&entry.entry_value))).collect()
}

/// A map from its entries, which must be in strictly ascending order of keys for most uses.
pub fn key_map_from(pairs: &[(Vec<u8>, Vec<u8>)]) -> KeyMap {
    let entry = |(k, v): &(Vec<u8>, Vec<u8>)| KeyEntry { entry_key: byte_string(k), entry_value: byte_string(v) };
    Seq::from_vec(pairs.iter().map(entry).collect())
}

/// Writes as pairs of a position and its new content.
pub fn write_pairs(writes: &Seq<Write>) -> Vec<(usize, Option<Slot>)> {
    writes.native_slice().iter().map(|write| (write.write_position, write.write_content.clone())).collect()
}

/// The ids of the replay set with their last versions, in ascending order.
pub fn replay_pairs(entries: &Seq<ReplayEntry>) -> Vec<(Vec<u8>, usize)> {
    let pair = |entry: &ReplayEntry| (byte_vec(&entry.replay_id), entry.replay_last_valid);
    let mut pairs: Vec<_> = entries.native_slice().iter().map(pair).collect();
    pairs.sort();
    pairs
}

/// What a record says, as ordinary data: writes, the number of slots before, previous commitments.
pub type RecordParts = (Vec<(usize, Option<Slot>)>, usize, Vec<(usize, Option<G1>)>);

/// The records of a window, oldest first.
pub fn window_parts(kept: &Window) -> Vec<RecordParts> {
    let previous = |entry: &PreviousCommitment| (entry.previous_vector, entry.previous_commitment);
    let parts = |record: &VersionRecord| {
        let commitments = record.record_commitments.native_slice().iter().map(previous).collect();
        (write_pairs(&record.record_writes), record.record_size, commitments)
    };
    kept.native_slice().iter().map(parts).collect()
}
