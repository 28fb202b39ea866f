//! Byte strings in JSON: hexadecimal behind `0x`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes that are written as hexadecimal behind `0x`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HexBytes(pub Vec<u8>);

/// Why a text is not hexadecimal behind `0x`.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum HexError {
    /// The prefix lacks.
    #[error("a hexadecimal text begins with 0x")]
    Prefix,
    /// A character is no digit, or their number is odd.
    #[error("{0}")]
    Digits(#[from] hex::FromHexError),
    /// The number of bytes is another.
    #[error("{found} bytes where {expected} are expected")]
    Length {
        /// Bytes given.
        found: usize,
        /// Bytes expected.
        expected: usize,
    },
}

impl HexBytes {
    /// Reads hexadecimal behind `0x`.
    ///
    /// # Errors
    /// [`HexError`].
    pub fn parse(text: &str) -> Result<Self, HexError> {
        let digits = text.strip_prefix("0x").ok_or(HexError::Prefix)?;
        Ok(Self(hex::decode(digits)?))
    }

    /// The bytes as an array.
    ///
    /// # Errors
    /// [`HexError::Length`].
    pub fn array<const N: usize>(&self) -> Result<[u8; N], HexError> {
        let wrong = |_| HexError::Length { found: self.0.len(), expected: N };
        <[u8; N]>::try_from(self.0.as_slice()).map_err(wrong)
    }
}

impl<T: AsRef<[u8]> + ?Sized> From<&T> for HexBytes {
    fn from(bytes: &T) -> Self {
        Self(bytes.as_ref().to_vec())
    }
}

impl std::fmt::Display for HexBytes {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "0x{}", hex::encode(&self.0))
    }
}

impl Serialize for HexBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for HexBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'_, str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_json_and_other_texts_are_refused() {
        let json = serde_json::to_string(&HexBytes(vec![0, 255])).unwrap();
        assert_eq!(json, "\"0x00ff\"");
        assert_eq!(serde_json::from_str::<HexBytes>(&json).unwrap(), HexBytes(vec![0, 255]));
        for text in ["00ff", "0x0", "0xzz", ""] {
            assert!(HexBytes::parse(text).is_err(), "{text}");
        }
        assert_eq!(HexBytes(vec![1]).array::<2>(), Err(HexError::Length { found: 1, expected: 2 }));
    }
}
