//! Bytes as hexadecimal.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes, in JSON as lower-case hexadecimal after `0x`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Hex(pub Vec<u8>);

impl Hex {
    /// The bytes as an array; `None` where they are of another length.
    pub fn array<const COUNT: usize>(&self) -> Option<[u8; COUNT]> {
        self.0.as_slice().try_into().ok()
    }
}

impl<B: AsRef<[u8]>> From<B> for Hex {
    fn from(bytes: B) -> Self {
        Self(bytes.as_ref().to_vec())
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("0x{}", hex::encode(&self.0)))
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text.strip_prefix("0x").ok_or_else(|| D::Error::custom("hexadecimal begins with 0x"))?;
        hex::decode(digits).map(Self).map_err(D::Error::custom)
    }
}
