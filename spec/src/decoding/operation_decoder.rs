//! Operations from bytes: the inverse of [`encode_operation`].

use crate::base::bytes::*;
use crate::block::operation::*;
use crate::decoding::cursor::*;
use crate::decoding::decode_reason::*;
use hacspec_lib::*;

/// Whether there is an operation of this tag.
pub fn expect_operation(tag: usize) -> Result<(), DecodeReason> {
    if tag <= 5 { Ok(()) } else { Err(DecodeReason::UnknownOperation) }
}

/// The value of a `Require`.
pub fn read_required(bytes: &ByteString) -> Result<(Action, ByteString), DecodeReason> {
    let (required, rest) = read_bytes16(bytes)?;
    Ok((Action::RequireValue(required), rest))
}

/// The value of a `Put`.
pub fn read_put(bytes: &ByteString) -> Result<(Action, ByteString), DecodeReason> {
    let (put_value, rest) = read_bytes16(bytes)?;
    Ok((Action::Put(put_value), rest))
}

/// The amount of an `Add`.
pub fn read_add(bytes: &ByteString) -> Result<(Action, ByteString), DecodeReason> {
    let (amount, rest) = read_amount(bytes)?;
    Ok((Action::Add(amount), rest))
}

/// The amount of a `Sub`.
pub fn read_sub(bytes: &ByteString) -> Result<(Action, ByteString), DecodeReason> {
    let (amount, rest) = read_amount(bytes)?;
    Ok((Action::Sub(amount), rest))
}

/// What follows the key of an operation of this tag, which is one of the six.
pub fn read_action(bytes: &ByteString, tag: usize) -> Result<(Action, ByteString), DecodeReason> {
    if tag == 0 {
        Ok((Action::RequireAbsent, bytes.clone()))
    } else if tag == 1 {
        read_required(bytes)
    } else if tag == 2 {
        read_put(bytes)
    } else if tag == 3 {
        Ok((Action::Delete, bytes.clone()))
    } else if tag == 4 {
        read_add(bytes)
    } else {
        read_sub(bytes)
    }
}

/// The next operation.
pub fn read_operation(bytes: &ByteString) -> Result<(Operation, ByteString), DecodeReason> {
    let (tag, after_tag) = read_number(bytes, 1)?;
    let _known = expect_operation(tag)?;
    let (k, after_key) = read_bytes8(&after_tag)?;
    let (act, rest) = read_action(&after_key, tag)?;
    Ok((Operation { operation_key: k, action: act }, rest))
}

/// One step of [`read_operations`].
pub fn read_operations_step(
    items: Result<(Seq<Operation>, ByteString), DecodeReason>,
) -> Result<(Seq<Operation>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = read_operation(&bytes)?;
    Ok((before.push_owned(found), rest))
}

/// The next operations, so many.
pub fn read_operations(bytes: &ByteString, count: usize) -> Result<(Seq<Operation>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<Operation>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_operations_step(items);
    }
    items
}
