//! The record of a version in the window, from bytes: the inverse of [`record_bytes`], which a
//! snapshot holds and of which the state root hashes the digest.
//!
//! Commitments are 48 bytes each; what points they are is a matter of the curve.

use crate::base::bytes::*;
use crate::block::root::*;
use crate::decoding::cursor::*;
use crate::decoding::decode_reason::*;
use crate::decoding::slot_decoder::*;
use crate::decoding::transaction_decoder::*;
use crate::dictionary::slot::*;
use crate::dictionary::writes::*;
use hacspec_lib::*;

/// Whether something follows.
pub fn read_presence(bytes: &ByteString) -> Result<(bool, ByteString), DecodeReason> {
    let (found, rest) = read_number(bytes, 1)?;
    if found <= 1 { Ok((found == 1, rest)) } else { Err(DecodeReason::UnknownPresence) }
}

/// The slot that is present.
pub fn read_present_slot(bytes: &ByteString) -> Result<(Option<Slot>, ByteString), DecodeReason> {
    let (found, rest) = read_slot(bytes)?;
    Ok((Some(found), rest))
}

/// The content of a position.
pub fn read_content(bytes: &ByteString) -> Result<(Option<Slot>, ByteString), DecodeReason> {
    let (present, rest) = read_presence(bytes)?;
    if present { read_present_slot(&rest) } else { Ok((None, rest)) }
}

/// The next write.
pub fn read_write(bytes: &ByteString) -> Result<(Write, ByteString), DecodeReason> {
    let (position, after_position) = read_number(bytes, 8)?;
    let (content, rest) = read_content(&after_position)?;
    Ok((Write { write_position: position, write_content: content }, rest))
}

/// One step of [`read_writes`].
pub fn read_writes_step(
    items: Result<(Seq<Write>, ByteString), DecodeReason>,
) -> Result<(Seq<Write>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = read_write(&bytes)?;
    Ok((before.push_owned(found), rest))
}

/// The next writes, so many.
pub fn read_writes(bytes: &ByteString, count: usize) -> Result<(Seq<Write>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<Write>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_writes_step(items);
    }
    items
}

/// The commitment that is present.
pub fn read_present_commitment(bytes: &ByteString) -> Result<(Option<ByteString>, ByteString), DecodeReason> {
    let (found, rest) = take_bytes(bytes, OPENING_LENGTH)?;
    Ok((Some(found), rest))
}

/// The commitment of a vector, if it existed.
pub fn read_commitment_before(bytes: &ByteString) -> Result<(Option<ByteString>, ByteString), DecodeReason> {
    let (present, rest) = read_presence(bytes)?;
    if present { read_present_commitment(&rest) } else { Ok((None, rest)) }
}

/// The next commitment before a version.
pub fn read_previous(bytes: &ByteString) -> Result<(HashedPrevious, ByteString), DecodeReason> {
    let (vector, after_vector) = read_number(bytes, 8)?;
    let (commitment, rest) = read_commitment_before(&after_vector)?;
    Ok((HashedPrevious { hashed_previous_vector: vector, hashed_previous_commitment: commitment }, rest))
}

/// Whether a vector comes after the last of those before.
pub fn expect_later_vector(before: &Seq<HashedPrevious>, found: &HashedPrevious) -> Result<(), DecodeReason> {
    if before.len() == 0 || before[before.len() - 1].hashed_previous_vector < found.hashed_previous_vector {
        Ok(())
    } else {
        Err(DecodeReason::UnorderedVectors)
    }
}

/// One step of [`read_all_previous`].
pub fn read_all_previous_step(
    items: Result<(Seq<HashedPrevious>, ByteString), DecodeReason>,
) -> Result<(Seq<HashedPrevious>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = read_previous(&bytes)?;
    let _later = expect_later_vector(&before, &found)?;
    Ok((before.push_owned(found), rest))
}

/// The next commitments before a version, so many, each of a later vector than the one before.
pub fn read_all_previous(bytes: &ByteString, count: usize) -> Result<(Seq<HashedPrevious>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<HashedPrevious>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_all_previous_step(items);
    }
    items
}

/// The next record.
pub fn read_record(bytes: &ByteString) -> Result<(HashedRecord, ByteString), DecodeReason> {
    let (u, after_version) = read_number(bytes, 8)?;
    let (slots_before, after_size) = read_number(&after_version, 8)?;
    let (write_count, before_writes) = read_number(&after_size, 8)?;
    let (writes, after_writes) = read_writes(&before_writes, write_count)?;
    let (previous_count, before_previous) = read_number(&after_writes, 8)?;
    let (all_previous, rest) = read_all_previous(&before_previous, previous_count)?;
    let record = HashedRecord {
        hashed_record_version: u,
        hashed_record_size: slots_before,
        hashed_record_writes: writes,
        hashed_record_commitments: all_previous,
    };
    Ok((record, rest))
}

/// The record that the bytes are.
pub fn decode_record(bytes: &ByteString) -> Result<HashedRecord, DecodeReason> {
    let (found, rest) = read_record(bytes)?;
    let _end = expect_end(&rest)?;
    Ok(found)
}
