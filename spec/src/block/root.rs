//! The state root: one digest over all that the validity of the next blocks depends on.
//!
//! A node that joins by a snapshot believes nothing of it but what hashes to the root that
//! consensus gave it. So the root covers the replay set, the tail, and of each version in the
//! window the writes, the number of slots **and the previous commitments**: old commitments cannot
//! be derived from new ones, and a joiner that did not check them would accept claims against
//! forged ones. Commitments stand in an RFC 6962 tree, so that a path of digests ties one of them
//! to the root, and a light client holds one root instead of all commitments.
//!
//! ```text
//! state_root -> id, version, s, tail_start
//!            -> commitment_root -> C_0 .. C_{ceil(s/N)-1}      (RFC 6962: a path proves one)
//!            -> tail_digest, replay_digest
//!            -> window_digest -> record_digest, one a version: writes, s before, previous commitments
//! ```
//!
//! The encodings of points are a matter of the curve, so commitments are byte strings of 48 bytes
//! here, as in [`crate::commitment::challenge`]. Source: docs/format.md, "The state root".

use crate::base::bytes::*;
use crate::base::hash::*;
use crate::block::state::*;
use crate::commitment::commitment_tree::*;
use crate::dictionary::slot::*;
use crate::dictionary::writes::*;
use hacspec_lib::*;

/// The encoded commitment of a vector before a version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HashedPrevious {
    /// The vector.
    pub hashed_previous_vector: usize,
    /// Its commitment, 48 bytes; `None` when the vector did not exist.
    pub hashed_previous_commitment: Option<ByteString>,
}

/// The record of a version, with encoded commitments.
#[derive(Clone, Debug, Default)]
pub struct HashedRecord {
    /// The version.
    pub hashed_record_version: usize,
    /// The number of slots before the version.
    pub hashed_record_size: usize,
    /// The writes of the version, in ascending order of positions.
    pub hashed_record_writes: Seq<Write>,
    /// The commitments before the version of the vectors written in it, in ascending order of
    /// vectors.
    pub hashed_record_commitments: Seq<HashedPrevious>,
}

/// A validator's state as it is hashed.
#[derive(Clone, Debug, Default)]
pub struct HashedState {
    /// The dictionary's id, 32 bytes; it binds the parameters and the setup.
    pub hashed_dictionary: ByteString,
    /// t, the version.
    pub hashed_version: usize,
    /// s, the number of slots.
    pub hashed_size: usize,
    /// The first position of the tail.
    pub hashed_tail_start: usize,
    /// The commitments of the vectors, 48 bytes each.
    pub hashed_commitments: Seq<ByteString>,
    /// The slots of the tail.
    pub hashed_tail: Seq<Slot>,
    /// The replay set, as [`sorted_replay_set`] orders it.
    pub hashed_replay_set: Seq<ReplayEntry>,
    /// The records of the window, oldest first.
    pub hashed_window: Seq<HashedRecord>,
}

/// The tag of state roots.
pub fn tag_state() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-STATE")
}

/// The tag of the tail's digest.
pub fn tag_tail() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-TAIL")
}

/// The tag of the replay set's digest.
pub fn tag_replay() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-REPLAY")
}

/// The tag of the window's digest.
pub fn tag_window() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-WINDOW")
}

/// The tag of the digest of a version's record.
pub fn tag_record() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-RECORD")
}

/// `u8 0`, or `u8 1 || slot_bytes`.
pub fn content_bytes(content: &Option<Slot>) -> ByteString {
    match content {
        None => u8_bytes(0),
        Some(slot) => u8_bytes(1).concat(&slot_bytes(slot)),
    }
}

/// `u64 position || content`.
pub fn write_bytes(write: &Write) -> ByteString {
    u64_bytes(write.write_position).concat(&content_bytes(&write.write_content))
}

/// One step of [`writes_bytes`].
pub fn writes_bytes_step(encoded: ByteString, write: &Write) -> ByteString {
    encoded.concat(&write_bytes(write))
}

/// `u64 number || write*`.
pub fn writes_bytes(writes: &Seq<Write>) -> ByteString {
    let mut encoded = u64_bytes(writes.len());
    for i in 0..writes.len() {
        encoded = writes_bytes_step(encoded, &writes[i]);
    }
    encoded
}

/// `u64 vector`, then `u8 0`, or `u8 1 || commitment`.
pub fn previous_bytes(previous: &HashedPrevious) -> ByteString {
    match &previous.hashed_previous_commitment {
        None => u64_bytes(previous.hashed_previous_vector).concat(&u8_bytes(0)),
        Some(commitment) => u64_bytes(previous.hashed_previous_vector).concat(&u8_bytes(1)).concat(commitment),
    }
}

/// One step of [`all_previous_bytes`].
pub fn all_previous_bytes_step(encoded: ByteString, previous: &HashedPrevious) -> ByteString {
    encoded.concat(&previous_bytes(previous))
}

/// `u64 number || previous*`.
pub fn all_previous_bytes(all_previous: &Seq<HashedPrevious>) -> ByteString {
    let mut encoded = u64_bytes(all_previous.len());
    for i in 0..all_previous.len() {
        encoded = all_previous_bytes_step(encoded, &all_previous[i]);
    }
    encoded
}

/// What the digest of a record is over.
pub fn record_bytes(record: &HashedRecord) -> ByteString {
    u64_bytes(record.hashed_record_version)
        .concat(&u64_bytes(record.hashed_record_size))
        .concat(&writes_bytes(&record.hashed_record_writes))
        .concat(&all_previous_bytes(&record.hashed_record_commitments))
}

/// The digest of a record; a node computes it once, when the version is made.
pub fn record_digest(record: &HashedRecord) -> ByteString {
    tagged_hash(&tag_record(), &record_bytes(record))
}

/// One step of [`window_bytes`].
pub fn window_bytes_step(encoded: ByteString, record: &HashedRecord) -> ByteString {
    encoded.concat(&record_digest(record))
}

/// `u64 number || record_digest*`.
pub fn window_bytes(records: &Seq<HashedRecord>) -> ByteString {
    let mut encoded = u64_bytes(records.len());
    for i in 0..records.len() {
        encoded = window_bytes_step(encoded, &records[i]);
    }
    encoded
}

/// The digest of the window.
pub fn window_digest(records: &Seq<HashedRecord>) -> ByteString {
    tagged_hash(&tag_window(), &window_bytes(records))
}

/// One step of [`tail_bytes`].
pub fn tail_bytes_step(encoded: ByteString, slot: &Slot) -> ByteString {
    encoded.concat(&slot_bytes(slot))
}

/// `u64 number || slot_bytes*`.
pub fn tail_bytes(slots_of_tail: &Seq<Slot>) -> ByteString {
    let mut encoded = u64_bytes(slots_of_tail.len());
    for i in 0..slots_of_tail.len() {
        encoded = tail_bytes_step(encoded, &slots_of_tail[i]);
    }
    encoded
}

/// The digest of the tail.
pub fn tail_digest(slots_of_tail: &Seq<Slot>) -> ByteString {
    tagged_hash(&tag_tail(), &tail_bytes(slots_of_tail))
}

/// Whether an entry of the replay set stands before another: by `last_valid`, then by id.
pub fn replay_before(a: &ReplayEntry, b: &ReplayEntry) -> bool {
    a.replay_last_valid < b.replay_last_valid
        || (a.replay_last_valid == b.replay_last_valid && bytes_less(&a.replay_id, &b.replay_id))
}

/// A list into which an entry is put where it belongs.
#[derive(Clone, Debug, Default)]
pub struct ReplayInsertion {
    /// The list so far.
    pub insertion_list: Seq<ReplayEntry>,
    /// Whether the entry is in it.
    pub insertion_done: bool,
}

/// One step of [`insert_replay`].
pub fn insert_replay_step(insertion: ReplayInsertion, entry: &ReplayEntry, other: &ReplayEntry) -> ReplayInsertion {
    if !insertion.insertion_done && replay_before(entry, other) {
        ReplayInsertion {
            insertion_list: insertion.insertion_list.push_owned(entry.clone()).push_owned(other.clone()),
            insertion_done: true,
        }
    } else {
        ReplayInsertion {
            insertion_list: insertion.insertion_list.push_owned(other.clone()),
            insertion_done: insertion.insertion_done,
        }
    }
}

/// A sorted list with one entry more.
pub fn insert_replay(sorted: &Seq<ReplayEntry>, entry: &ReplayEntry) -> Seq<ReplayEntry> {
    let mut insertion = ReplayInsertion { insertion_list: Seq::<ReplayEntry>::new(0), insertion_done: false };
    for i in 0..sorted.len() {
        insertion = insert_replay_step(insertion, entry, &sorted[i]);
    }
    if insertion.insertion_done { insertion.insertion_list } else { insertion.insertion_list.push_owned(entry.clone()) }
}

/// One step of [`sorted_replay_set`].
pub fn sorted_replay_set_step(sorted: Seq<ReplayEntry>, entry: &ReplayEntry) -> Seq<ReplayEntry> {
    insert_replay(&sorted, entry)
}

/// The entries by `last_valid`, then by id: their order of arrival decides nothing, so it is not
/// hashed.
pub fn sorted_replay_set(entries: &Seq<ReplayEntry>) -> Seq<ReplayEntry> {
    let mut sorted = Seq::<ReplayEntry>::new(0);
    for i in 0..entries.len() {
        sorted = sorted_replay_set_step(sorted, &entries[i]);
    }
    sorted
}

/// One step of [`replay_bytes`].
pub fn replay_bytes_step(encoded: ByteString, entry: &ReplayEntry) -> ByteString {
    encoded.concat(&entry.replay_id).concat(&u64_bytes(entry.replay_last_valid))
}

/// `u64 number || (id (32) || u64 last_valid)*`.
pub fn replay_bytes(entries: &Seq<ReplayEntry>) -> ByteString {
    let mut encoded = u64_bytes(entries.len());
    for i in 0..entries.len() {
        encoded = replay_bytes_step(encoded, &entries[i]);
    }
    encoded
}

/// The digest of the replay set.
pub fn replay_digest(entries: &Seq<ReplayEntry>) -> ByteString {
    tagged_hash(&tag_replay(), &replay_bytes(entries))
}

/// What the state root is over: all that a light client needs to see of a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RootParts {
    /// The dictionary's id, 32 bytes.
    pub parts_dictionary: ByteString,
    /// t, the version.
    pub parts_version: usize,
    /// s, the number of slots, from which the number of vectors follows.
    pub parts_size: usize,
    /// The first position of the tail.
    pub parts_tail_start: usize,
    /// The root over the commitments.
    pub parts_commitment_root: ByteString,
    /// The digest of the tail.
    pub parts_tail_digest: ByteString,
    /// The digest of the replay set.
    pub parts_replay_digest: ByteString,
    /// The digest of the window.
    pub parts_window_digest: ByteString,
}

/// The parts of a state.
pub fn parts_of_state(state: &HashedState) -> RootParts {
    RootParts {
        parts_dictionary: state.hashed_dictionary.clone(),
        parts_version: state.hashed_version,
        parts_size: state.hashed_size,
        parts_tail_start: state.hashed_tail_start,
        parts_commitment_root: commitment_root(&state.hashed_commitments),
        parts_tail_digest: tail_digest(&state.hashed_tail),
        parts_replay_digest: replay_digest(&state.hashed_replay_set),
        parts_window_digest: window_digest(&state.hashed_window),
    }
}

/// `dictionary (32) || u64 version || u64 size || u64 tail_start || commitment_root ||
/// tail_digest || replay_digest || window_digest`.
pub fn parts_bytes(parts: &RootParts) -> ByteString {
    parts
        .parts_dictionary
        .concat(&u64_bytes(parts.parts_version))
        .concat(&u64_bytes(parts.parts_size))
        .concat(&u64_bytes(parts.parts_tail_start))
        .concat(&parts.parts_commitment_root)
        .concat(&parts.parts_tail_digest)
        .concat(&parts.parts_replay_digest)
        .concat(&parts.parts_window_digest)
}

/// The root over the parts.
pub fn root_of_parts(parts: &RootParts) -> ByteString {
    tagged_hash(&tag_state(), &parts_bytes(parts))
}

/// The state root.
pub fn state_root(state: &HashedState) -> ByteString {
    root_of_parts(&parts_of_state(state))
}
