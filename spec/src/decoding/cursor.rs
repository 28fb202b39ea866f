//! The smallest things that are read: bytes, numbers, strings with their length in front.
//!
//! A reader takes the bytes that are left and gives what it read with the bytes behind it. Whoever
//! reads a list of a length that the bytes announce takes no more turns than there are bytes, and
//! one: each item has a byte at least, so the turn beyond them finds nothing.

use crate::base::bytes::*;
use crate::base::integers::*;
use crate::decoding::decode_reason::*;

/// The next bytes, so many, and the bytes behind them.
pub fn take_bytes(bytes: &ByteString, count: usize) -> Result<(ByteString, ByteString), DecodeReason> {
    if count <= bytes.len() {
        Ok((bytes.slice(0, count), bytes.slice(count, bytes.len() - count)))
    } else {
        Err(DecodeReason::Truncated)
    }
}

/// A number of at most 8 bytes, highest byte first.
pub fn read_number(bytes: &ByteString, width: usize) -> Result<(usize, ByteString), DecodeReason> {
    let (written, rest) = take_bytes(bytes, width)?;
    Ok((usize_of_u128(number_of_bytes(&written)), rest))
}

/// An amount of 8 bytes.
pub fn read_amount(bytes: &ByteString) -> Result<(u64, ByteString), DecodeReason> {
    let (written, rest) = take_bytes(bytes, 8)?;
    Ok((u64_of_u128(number_of_bytes(&written)), rest))
}

/// What [`bytes8`] writes.
pub fn read_bytes8(bytes: &ByteString) -> Result<(ByteString, ByteString), DecodeReason> {
    let (count, rest) = read_number(bytes, 1)?;
    take_bytes(&rest, count)
}

/// What [`bytes16`] writes.
pub fn read_bytes16(bytes: &ByteString) -> Result<(ByteString, ByteString), DecodeReason> {
    let (count, rest) = read_number(bytes, 2)?;
    take_bytes(&rest, count)
}

/// The bytes behind a format number of one byte.
pub fn expect_format(bytes: &ByteString, format: usize) -> Result<ByteString, DecodeReason> {
    let (found, rest) = read_number(bytes, 1)?;
    if found == format { Ok(rest) } else { Err(DecodeReason::UnknownFormat) }
}

/// Whether nothing is left over.
pub fn expect_end(rest: &ByteString) -> Result<(), DecodeReason> {
    if rest.len() == 0 { Ok(()) } else { Err(DecodeReason::Trailing) }
}

/// Whether a length keeps a limit.
pub fn expect_length(length: usize, limit: usize) -> Result<(), DecodeReason> {
    if length <= limit { Ok(()) } else { Err(DecodeReason::Oversized) }
}

/// What is left of so many items once as many as announced are taken.
pub fn take_quota(left: usize, announced: usize, excess: DecodeReason) -> Result<usize, DecodeReason> {
    if announced <= left { Ok(left - announced) } else { Err(excess) }
}

/// How many turns it takes to read so many items from the bytes, or to find that they are not
/// there.
pub fn reading_turns(count: usize, bytes: &ByteString) -> usize {
    if count <= bytes.len() { count } else { bytes.len() + 1 }
}
