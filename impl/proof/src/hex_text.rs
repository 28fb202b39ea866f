//! Bytes as lower-case hexadecimal behind `0x`: the one notation of the JSON formats.
//!
//! One byte string has one text, so upper-case digits, a missing prefix and an odd number of digits
//! are refused. Digits are read by `hex`; `const-hex` takes the prefix too, but makes it optional
//! and takes upper case, so these rules would remain to be checked here.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

/// Why text is not hexadecimal of this notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HexError {
    /// The prefix is missing.
    #[error("hexadecimal starts with 0x")]
    NoPrefix,
    /// Two digits make a byte.
    #[error("an odd number of hexadecimal digits")]
    OddLength,
    /// A character that is not a lower-case hexadecimal digit.
    #[error("{0:?} is not a lower-case hexadecimal digit")]
    NotADigit(char),
    /// Another number of bytes than the place needs.
    #[error("{actual} bytes where {expected} are needed")]
    WrongLength {
        /// Bytes needed.
        expected: usize,
        /// Bytes found.
        actual: usize,
    },
}

/// `0x` and two lower-case digits a byte.
pub fn encode(bytes: &[u8]) -> String {
    format!("0x{}", hex::encode(bytes))
}

/// The bytes that `text` stands for; the only text that [`encode`] writes for them.
///
/// # Errors
/// Anything else than `0x` and pairs of lower-case hexadecimal digits.
pub fn decode(text: &str) -> Result<Vec<u8>, HexError> {
    hex::decode(digits(text)?).map_err(|_| HexError::OddLength)
}

/// As [`decode`], into exactly `N` bytes.
///
/// # Errors
/// As [`decode`], or another number of bytes.
pub fn decode_array<const N: usize>(text: &str) -> Result<[u8; N], HexError> {
    let digits = digits(text)?;
    let mut bytes = [0; N];
    match hex::decode_to_slice(digits, &mut bytes) {
        Ok(()) => Ok(bytes),
        Err(_) => Err(HexError::WrongLength { expected: N, actual: digits.len() / 2 }),
    }
}

/// The digits behind the prefix, all of them lower-case hexadecimal and even in number.
fn digits(text: &str) -> Result<&str, HexError> {
    let digits = text.strip_prefix("0x").ok_or(HexError::NoPrefix)?;
    match digits.chars().find(|digit| !matches!(digit, '0'..='9' | 'a'..='f')) {
        Some(other) => Err(HexError::NotADigit(other)),
        None if digits.len() % 2 == 1 => Err(HexError::OddLength),
        None => Ok(digits),
    }
}

/// A byte string in a JSON format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexBytes(pub Vec<u8>);

/// A byte string of fixed length in a JSON format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HexArray<const N: usize>(pub [u8; N]);

impl Serialize for HexBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&encode(&self.0))
    }
}

impl<const N: usize> Serialize for HexArray<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for HexBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(HexVisitor(|text: &str| decode(text).map(HexBytes)))
    }
}

impl<'de, const N: usize> Deserialize<'de> for HexArray<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(HexVisitor(|text: &str| decode_array(text).map(HexArray)))
    }
}

/// A field that is an array of bytes: `#[serde(with = "hex_text::array")]`.
pub mod array {
    use super::{Deserialize, Deserializer, HexArray, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer, const N: usize>(bytes: &[u8; N], serializer: S) -> Result<S::Ok, S::Error> {
        HexArray(*bytes).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, const N: usize>(deserializer: D) -> Result<[u8; N], D::Error> {
        Ok(HexArray::deserialize(deserializer)?.0)
    }
}

/// A field that is a byte string: `#[serde(with = "hex_text::bytes")]`.
pub mod bytes {
    use super::{Deserialize, Deserializer, HexBytes, Serializer, encode};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&encode(bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        Ok(HexBytes::deserialize(deserializer)?.0)
    }
}

/// A field that is a list of such arrays: `#[serde(with = "hex_text::arrays")]`.
pub mod arrays {
    use super::{Deserialize, Deserializer, HexArray, Serializer};

    pub(crate) fn serialize<S: Serializer, const N: usize>(list: &[[u8; N]], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(list.iter().copied().map(HexArray))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<Vec<[u8; N]>, D::Error> {
        let list = Vec::<HexArray<N>>::deserialize(deserializer)?;
        Ok(list.into_iter().map(|HexArray(bytes)| bytes).collect())
    }
}

struct HexVisitor<F>(F);

impl<T, F: FnOnce(&str) -> Result<T, HexError>> Visitor<'_> for HexVisitor<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string of lower-case hexadecimal digits after 0x")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        (self.0)(text).map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_their_text() {
        for bytes in [&[][..], &[0], &[0xff, 0x0a, 0]] {
            assert_eq!(decode(&encode(bytes)).as_deref(), Ok(bytes));
        }
        assert_eq!(decode_array::<2>("0x0aff"), Ok([0x0a, 0xff]));
    }

    #[test]
    fn every_other_notation_is_refused() {
        assert_eq!(decode("ff"), Err(HexError::NoPrefix));
        assert_eq!(decode("0Xff"), Err(HexError::NoPrefix));
        assert_eq!(decode("0xf"), Err(HexError::OddLength));
        assert_eq!(decode("0xFF"), Err(HexError::NotADigit('F')));
        assert_eq!(decode("0xé0"), Err(HexError::NotADigit('é')));
        assert_eq!(decode_array::<2>("0xff"), Err(HexError::WrongLength { expected: 2, actual: 1 }));
        assert_eq!(decode_array::<2>("0xffffff"), Err(HexError::WrongLength { expected: 2, actual: 3 }));
    }
}
