//! Slots from bytes: the inverse of [`slot_bytes`].

use crate::base::bytes::*;
use crate::decoding::cursor::*;
use crate::decoding::decode_reason::*;
use crate::dictionary::slot::*;
use hacspec_lib::*;

/// The next slot.
pub fn read_slot(bytes: &ByteString) -> Result<(Slot, ByteString), DecodeReason> {
    let (read_key, after_key) = read_bytes8(bytes)?;
    let (read_next, after_next) = read_bytes8(&after_key)?;
    let (read_value, rest) = read_bytes16(&after_next)?;
    Ok((Slot { key: read_key, value: read_value, next: read_next }, rest))
}

/// The slot that the bytes are.
pub fn decode_slot(bytes: &ByteString) -> Result<Slot, DecodeReason> {
    let (found, rest) = read_slot(bytes)?;
    let _end = expect_end(&rest)?;
    Ok(found)
}

/// One step of [`read_slots`].
pub fn read_slots_step(
    items: Result<(Seq<Slot>, ByteString), DecodeReason>,
) -> Result<(Seq<Slot>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = read_slot(&bytes)?;
    Ok((before.push_owned(found), rest))
}

/// The next slots, so many.
pub fn read_slots(bytes: &ByteString, count: usize) -> Result<(Seq<Slot>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<Slot>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_slots_step(items);
    }
    items
}
