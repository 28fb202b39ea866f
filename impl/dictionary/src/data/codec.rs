//! Reading canonical bytes: every value has one encoding, and decoding is total (`docs/format.md`).
//!
//! A [`Reader`] walks over borrowed bytes. Nothing is allocated by a count that the sender states:
//! collections grow as their items are really there.

use aardvark_algebra::integers::{u8_or_max, u16_or_max, u64_of_usize};

use crate::data::bytes::{Key, Value};
use crate::data::slot::Slot;

/// Why bytes are not an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes end before the value does.
    #[error("the bytes end at offset {offset}, inside {inside}")]
    Truncated {
        /// Where the bytes end.
        offset: usize,
        /// What was being read.
        inside: &'static str,
    },
    /// Bytes are left over behind the value.
    #[error("{count} bytes are left over at offset {offset}")]
    Trailing {
        /// Where the value ends.
        offset: usize,
        /// How many bytes follow.
        count: usize,
    },
    /// A tag, format number or scheme that does not exist.
    #[error("unknown {what} {found} at offset {offset}")]
    Unknown {
        /// Where it stands.
        offset: usize,
        /// What it should be.
        what: &'static str,
        /// The byte found.
        found: u8,
    },
    /// Items that must be in strictly ascending order are not.
    #[error("{what} out of order at offset {offset}")]
    Order {
        /// Where the order breaks.
        offset: usize,
        /// What is ordered.
        what: &'static str,
    },
    /// The encoding is longer than the dictionary allows.
    #[error("{length} bytes where at most {limit} are allowed")]
    TooLong {
        /// Bytes given.
        length: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// More items than the dictionary allows.
    #[error("{what} pass the limit of {limit} at offset {offset}")]
    TooMany {
        /// Where the count stands.
        offset: usize,
        /// What is counted.
        what: &'static str,
        /// Items allowed.
        limit: u64,
    },
}

/// How many items of one kind may still be read.
///
/// An item in memory is many times as large as its encoding, which can be two bytes: memory is
/// bounded by counting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quota {
    what: &'static str,
    limit: u64,
    left: u64,
}

impl Quota {
    pub(crate) fn new(what: &'static str, limit: u64) -> Self {
        Self { what, limit, left: limit }
    }

    /// Takes as many items as a count at `offset` announces.
    pub(crate) fn take(&mut self, count: u64, offset: usize) -> Result<(), DecodeError> {
        let too_many = DecodeError::TooMany { offset, what: self.what, limit: self.limit };
        self.left = self.left.checked_sub(count).ok_or(too_many)?;
        Ok(())
    }
}

/// A cursor over bytes from outside.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the first byte.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    /// How many bytes were read.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] where fewer are left.
    pub fn take(&mut self, count: usize, inside: &'static str) -> Result<&'a [u8], DecodeError> {
        let end = self.offset.checked_add(count);
        let taken = end.and_then(|end| self.bytes.get(self.offset..end));
        let truncated = DecodeError::Truncated { offset: self.bytes.len(), inside };
        let taken = taken.ok_or(truncated)?;
        self.offset += count;
        Ok(taken)
    }

    /// The next bytes as an array.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`].
    pub fn array<const COUNT: usize>(&mut self, inside: &'static str) -> Result<[u8; COUNT], DecodeError> {
        let mut array = [0; COUNT];
        array.copy_from_slice(self.take(COUNT, inside)?);
        Ok(array)
    }

    /// One byte.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`].
    pub fn u8(&mut self, inside: &'static str) -> Result<u8, DecodeError> {
        self.array::<1>(inside).map(|[byte]| byte)
    }

    /// A 16-bit big-endian integer.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`].
    pub fn u16(&mut self, inside: &'static str) -> Result<u16, DecodeError> {
        self.array(inside).map(u16::from_be_bytes)
    }

    /// A 32-bit big-endian integer.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`].
    pub fn u32(&mut self, inside: &'static str) -> Result<u32, DecodeError> {
        self.array(inside).map(u32::from_be_bytes)
    }

    /// A 64-bit big-endian integer.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`].
    pub fn u64(&mut self, inside: &'static str) -> Result<u64, DecodeError> {
        self.array(inside).map(u64::from_be_bytes)
    }

    /// `bytes8`: a key.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`].
    pub fn key(&mut self) -> Result<Key, DecodeError> {
        let length = self.u8("the length of a key")?;
        self.take(usize::from(length), "a key").map(Key::from)
    }

    /// `bytes16`: a value.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`].
    pub fn value(&mut self) -> Result<Value, DecodeError> {
        let length = self.u16("the length of a value")?;
        self.take(usize::from(length), "a value").map(Value::from)
    }

    /// `slot_bytes`.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`].
    pub fn slot(&mut self) -> Result<Slot, DecodeError> {
        let key = self.key()?;
        let next = self.key()?;
        let value = self.value()?;
        Ok(Slot { key, value, next })
    }

    /// Ends reading.
    ///
    /// # Errors
    /// [`DecodeError::Trailing`] where bytes are left.
    pub fn finish(self) -> Result<(), DecodeError> {
        match self.bytes.len() - self.offset {
            0 => Ok(()),
            count => Err(DecodeError::Trailing { offset: self.offset, count }),
        }
    }
}

/// Appends `bytes8`. Keys beyond 255 bytes have no encoding; what could be made of one never
/// decodes to it.
pub(crate) fn put_key(out: &mut Vec<u8>, key: &Key) {
    out.push(u8_or_max(key.len()));
    out.extend_from_slice(key);
}

/// Appends `bytes16`.
pub(crate) fn put_value(out: &mut Vec<u8>, value: &Value) {
    out.extend_from_slice(&u16_or_max(value.len()).to_be_bytes());
    out.extend_from_slice(value);
}

/// Appends `slot_bytes`.
pub fn put_slot(out: &mut Vec<u8>, slot: &Slot) {
    put_key(out, &slot.key);
    put_key(out, &slot.next);
    put_value(out, &slot.value);
}

/// The length of a list, before its items where it is hashed: 8 bytes, big-endian.
pub(crate) fn count_bytes(number: usize) -> [u8; 8] {
    u64_of_usize(number).to_be_bytes()
}

/// Number of bytes of `slot_bytes`.
pub fn slot_length(slot: &Slot) -> usize {
    4 + slot.key.len() + slot.next.len() + slot.value.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_survives_the_wire_and_every_cut_is_named() {
        let slot = Slot { key: "k".into(), value: "value".into(), next: "n".into() };
        let mut bytes = Vec::new();
        put_slot(&mut bytes, &slot);
        assert_eq!(bytes.len(), slot_length(&slot));
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.slot(), Ok(slot));
        assert_eq!(reader.finish(), Ok(()));
        for cut in 0..bytes.len() {
            assert!(matches!(Reader::new(&bytes[..cut]).slot(), Err(DecodeError::Truncated { .. })));
        }
    }

    #[test]
    fn left_over_bytes_are_an_error() {
        let mut reader = Reader::new(&[0, 1]);
        assert_eq!(reader.u8("a byte"), Ok(0));
        assert_eq!(reader.finish(), Err(DecodeError::Trailing { offset: 1, count: 1 }));
    }
}
