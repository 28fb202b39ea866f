//! A validator's state as bytes: what the store keeps entry by entry, and what a snapshot carries
//! whole (`aardvark_spec::decoding::snapshot_decoder`).
//!
//! ```text
//! window entry = u64 version | u64 size before | u64 n | (u64 position | content)* | u64 n |
//!                (u64 vector | (u8 0 | u8 1 | commitment 48))*
//! snapshot     = u64 version | u64 size | u64 tail_start | u64 n | commitment (48)* |
//!                u64 n | window entry* | u64 n | slot_bytes* | u64 n | (id 32 | u64 last_valid)*
//! content      = u8 0 | u8 1 | slot_bytes
//! ```
//!
//! The vectors of a window entry are in strictly ascending order, so that a state has one encoding.
//!
//! Nothing here is believed: a snapshot counts only if the state that it gives has the root that
//! the chain certifies.

use std::collections::BTreeMap;

use aardvark_algebra::integers::u64_of_usize;
use aardvark_commitment::Commitment;

use crate::data::codec::{DecodeError, Reader, put_slot};
use crate::data::slot::Slot;
use crate::data::transaction::TransactionId;
use crate::state::plain::ValidatorState;
use crate::state::record::VersionRecord;

/// Why bytes are not a state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateBytesError {
    /// Bytes that lack, are left over, or unknown.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A commitment that is no point of the group.
    #[error("a commitment is not a point: {0}")]
    Point(#[from] aardvark_algebra::DecodeError),
}

/// The bytes of a whole state.
pub fn encode_state(state: &ValidatorState) -> Vec<u8> {
    let mut out = Vec::new();
    for number in [state.version, state.size, state.tail_start] {
        put_u64(&mut out, number);
    }
    put_count(&mut out, state.commitments.len());
    out.extend(state.commitments.iter().flat_map(Commitment::to_bytes));
    put_count(&mut out, state.window.len());
    for entry in &state.window {
        put_window_entry(&mut out, entry);
    }
    put_count(&mut out, state.tail.len());
    for slot in &state.tail {
        put_slot(&mut out, slot);
    }
    put_count(&mut out, state.replay.len());
    for (id, last_valid) in &state.replay {
        out.extend_from_slice(&id.0);
        put_u64(&mut out, *last_valid);
    }
    out
}

/// Reads a whole state from a snapshot. Collections grow as their items are really there.
///
/// # Errors
/// [`StateBytesError`] where the bytes are not exactly one state.
pub fn decode_state(bytes: &[u8]) -> Result<ValidatorState, StateBytesError> {
    let mut reader = Reader::new(bytes);
    let version = reader.u64("the version")?;
    let size = reader.u64("the number of slots")?;
    let tail_start = reader.u64("the start of the tail")?;
    let commitments = read_many(&mut reader, read_commitment)?;
    let window = read_many(&mut reader, read_window_entry)?;
    let tail = read_many(&mut reader, |reader| Ok(reader.slot()?))?;
    let replay =
        read_many(&mut reader, |reader| Ok((TransactionId(reader.array("an id")?), reader.u64("last_valid")?)))?;
    reader.finish()?;
    Ok(ValidatorState { version, size, commitments, window, tail_start, tail, replay })
}

/// Appends a window entry.
pub fn put_window_entry(out: &mut Vec<u8>, entry: &VersionRecord) {
    put_u64(out, entry.version);
    put_u64(out, entry.previous_size);
    put_count(out, entry.writes.len());
    for (position, content) in &entry.writes {
        put_u64(out, *position);
        out.push(content.is_some().into());
        if let Some(slot) = content {
            put_slot(out, slot);
        }
    }
    put_count(out, entry.previous_commitments.len());
    for (vector, commitment) in &entry.previous_commitments {
        put_u64(out, *vector);
        out.push(commitment.is_some().into());
        out.extend(commitment.iter().flat_map(Commitment::to_bytes));
    }
}

/// Reads a window entry.
///
/// # Errors
/// [`StateBytesError`].
pub fn read_window_entry(reader: &mut Reader<'_>) -> Result<VersionRecord, StateBytesError> {
    let version = reader.u64("a version")?;
    let previous_size = reader.u64("a number of slots")?;
    let writes = read_many(reader, |reader| {
        let position = reader.u64("a position")?;
        Ok((position, read_option(reader, read_slot)?))
    })?;
    let mut previous_commitments = BTreeMap::new();
    for _ in 0..reader.u64("a count")? {
        let offset = reader.offset();
        let vector = reader.u64("a vector")?;
        let commitment = read_option(reader, read_commitment)?;
        if previous_commitments.last_key_value().is_some_and(|(last, _)| *last >= vector) {
            return Err(DecodeError::Order { offset, what: "vectors" }.into());
        }
        previous_commitments.insert(vector, commitment);
    }
    Ok(VersionRecord { version, previous_size, writes, previous_commitments })
}

/// Reads a commitment, which must be in the group.
///
/// # Errors
/// [`StateBytesError`].
pub fn read_commitment(reader: &mut Reader<'_>) -> Result<Commitment, StateBytesError> {
    Ok(Commitment::from_bytes(&reader.array("a commitment")?)?)
}

fn read_slot(reader: &mut Reader<'_>) -> Result<Slot, StateBytesError> {
    Ok(reader.slot()?)
}

fn put_u64(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(&number.to_be_bytes());
}

fn put_count(out: &mut Vec<u8>, count: usize) {
    put_u64(out, u64_of_usize(count));
}

fn read_many<T>(
    reader: &mut Reader<'_>,
    read: impl Fn(&mut Reader<'_>) -> Result<T, StateBytesError>,
) -> Result<Vec<T>, StateBytesError> {
    let mut items = Vec::new();
    for _ in 0..reader.u64("a count")? {
        items.push(read(reader)?);
    }
    Ok(items)
}

fn read_option<T>(
    reader: &mut Reader<'_>,
    read: impl FnOnce(&mut Reader<'_>) -> Result<T, StateBytesError>,
) -> Result<Option<T>, StateBytesError> {
    let offset = reader.offset();
    match reader.u8("whether something is there")? {
        0 => Ok(None),
        1 => read(reader).map(Some),
        found => Err(DecodeError::Unknown { offset, what: "presence", found }.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> ValidatorState {
        let slot = |key: &str| Slot { key: key.into(), value: "v".into(), next: "".into() };
        let previous_commitments = BTreeMap::from([(0, Some(Commitment::identity())), (1, None)]);
        let writes = vec![(0, Some(slot("a"))), (2, None)];
        ValidatorState {
            version: 3,
            size: 2,
            commitments: vec![Commitment::identity()],
            window: vec![VersionRecord { version: 3, previous_size: 3, writes, previous_commitments }],
            tail_start: 0,
            tail: vec![slot(""), slot("a")],
            replay: vec![(TransactionId([5; 32]), 9)],
        }
    }

    #[test]
    fn a_state_survives_its_bytes_and_every_cut_and_extension_is_an_error() {
        let mut bytes = encode_state(&example());
        assert_eq!(decode_state(&bytes).unwrap(), example());
        for cut in 0..bytes.len() {
            assert!(decode_state(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        bytes.push(0);
        assert!(decode_state(&bytes).is_err());
    }

    #[test]
    fn the_vectors_of_an_entry_ascend() {
        let entry = |second: u64| {
            let mut bytes = Vec::new();
            put_window_entry(&mut bytes, &example().window[0]);
            let place = bytes.len() - 9;
            bytes[place..place + 8].copy_from_slice(&second.to_be_bytes());
            read_window_entry(&mut Reader::new(&bytes)).map(|entry| entry.previous_commitments.len())
        };
        assert!(matches!(entry(1), Ok(2)));
        let unordered = |result| matches!(result, Err(StateBytesError::Decode(DecodeError::Order { .. })));
        assert!(unordered(entry(0)), "a vector stands once");
    }

    #[test]
    fn a_count_takes_no_memory_before_its_items_are_there() {
        let mut bytes = encode_state(&example());
        bytes[24..32].copy_from_slice(&u64::MAX.to_be_bytes());
        assert!(decode_state(&bytes).is_err());
    }
}
