//! Snapshots: a validator's state as one that joins receives it.
//!
//! Nothing of a snapshot is believed: it counts only if the state that it gives has the root that
//! consensus certifies. Source: docs/network.md, "Snapshots".

use crate::base::bytes::*;
use crate::block::root::*;
use crate::block::state::*;
use crate::decoding::aggregated_decoder::*;
use crate::decoding::cursor::*;
use crate::decoding::decode_reason::*;
use crate::decoding::record_decoder::*;
use crate::decoding::slot_decoder::*;
use hacspec_lib::*;

/// The length of a transaction's id, in bytes.
pub const ID_LENGTH: usize = 32;

/// One step of [`encode_records`].
pub fn encode_records_step(encoded: ByteString, record: &HashedRecord) -> ByteString {
    encoded.concat(&record_bytes(record))
}

/// The records one after the other.
pub fn encode_records(items: &Seq<HashedRecord>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..items.len() {
        encoded = encode_records_step(encoded, &items[i]);
    }
    encoded
}

/// `u64 version || u64 size || u64 tail_start || u64 number || commitments || u64 number || records
/// || u64 number || slots of the tail || u64 number || (id (32) || u64 last_valid)*`: the state but
/// for the dictionary's id.
pub fn encode_snapshot(state: &HashedState) -> ByteString {
    u64_bytes(state.hashed_version)
        .concat(&u64_bytes(state.hashed_size))
        .concat(&u64_bytes(state.hashed_tail_start))
        .concat(&u64_bytes(state.hashed_commitments.len()))
        .concat(&encode_points(&state.hashed_commitments))
        .concat(&u64_bytes(state.hashed_window.len()))
        .concat(&encode_records(&state.hashed_window))
        .concat(&tail_bytes(&state.hashed_tail))
        .concat(&replay_bytes(&state.hashed_replay_set))
}

/// One step of [`read_records`].
pub fn read_records_step(
    items: Result<(Seq<HashedRecord>, ByteString), DecodeReason>,
) -> Result<(Seq<HashedRecord>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = read_record(&bytes)?;
    Ok((before.push_owned(found), rest))
}

/// The next records, so many.
pub fn read_records(bytes: &ByteString, count: usize) -> Result<(Seq<HashedRecord>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<HashedRecord>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_records_step(items);
    }
    items
}

/// The next entry of a replay set.
pub fn read_replay(bytes: &ByteString) -> Result<(ReplayEntry, ByteString), DecodeReason> {
    let (id, after_id) = take_bytes(bytes, ID_LENGTH)?;
    let (last, rest) = read_number(&after_id, 8)?;
    Ok((ReplayEntry { replay_id: id, replay_last_valid: last }, rest))
}

/// One step of [`read_replays`].
pub fn read_replays_step(
    items: Result<(Seq<ReplayEntry>, ByteString), DecodeReason>,
) -> Result<(Seq<ReplayEntry>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = read_replay(&bytes)?;
    Ok((before.push_owned(found), rest))
}

/// The next entries of a replay set, so many.
pub fn read_replays(bytes: &ByteString, count: usize) -> Result<(Seq<ReplayEntry>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<ReplayEntry>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_replays_step(items);
    }
    items
}

/// The state that a snapshot of this dictionary is.
pub fn decode_snapshot(dictionary: &ByteString, bytes: &ByteString) -> Result<HashedState, DecodeReason> {
    let (t, after_version) = read_number(bytes, 8)?;
    let (s, after_size) = read_number(&after_version, 8)?;
    let (start, after_start) = read_number(&after_size, 8)?;
    let (commitment_count, before_commitments) = read_number(&after_start, 8)?;
    let (points, after_commitments) = read_points(&before_commitments, commitment_count)?;
    let (record_count, before_records) = read_number(&after_commitments, 8)?;
    let (records, after_records) = read_records(&before_records, record_count)?;
    let (slot_count, before_slots) = read_number(&after_records, 8)?;
    let (slots, after_slots) = read_slots(&before_slots, slot_count)?;
    let (replay_count, before_replays) = read_number(&after_slots, 8)?;
    let (replays, rest) = read_replays(&before_replays, replay_count)?;
    let _end = expect_end(&rest)?;
    Ok(HashedState {
        hashed_dictionary: dictionary.clone(),
        hashed_version: t,
        hashed_size: s,
        hashed_tail_start: start,
        hashed_commitments: points,
        hashed_tail: slots,
        hashed_replay_set: replays,
        hashed_window: records,
    })
}
