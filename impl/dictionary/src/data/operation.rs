//! Operations of a transaction (`aardvark_spec::block::operation::Operation`).

use crate::data::bytes::{Key, Value};
use crate::data::rejection::Reason;

/// One step of a transaction. Steps run in order on current values, all or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Fails unless the key has this value, or is absent (`None`).
    Require(Key, Option<Value>),
    /// Sets the key's value.
    Put(Key, Value),
    /// Removes the key; nothing happens when it is absent.
    Delete(Key),
    /// Adds to an 8-byte big-endian integer; an absent key counts as 0.
    Add(Key, u64),
    /// Subtracts from an 8-byte big-endian integer; fails on an absent key; zero stays as a value.
    Sub(Key, u64),
}

impl Operation {
    /// The key that the operation names.
    pub fn key(&self) -> &Key {
        match self {
            Self::Require(key, _) | Self::Put(key, _) | Self::Delete(key) | Self::Add(key, _) | Self::Sub(key, _) => {
                key
            }
        }
    }

    /// The value that the operation carries, if any.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Self::Require(_, value) => value.as_ref(),
            Self::Put(_, value) => Some(value),
            Self::Delete(_) | Self::Add(_, _) | Self::Sub(_, _) => None,
        }
    }

    /// Whether the operation is a deletion of `key`.
    pub fn deletes(&self, key: &[u8]) -> bool {
        matches!(self, Self::Delete(deleted) if **deleted == *key)
    }
}

/// Reads an 8-byte big-endian integer.
///
/// # Errors
/// [`Reason::NotANumber`] for any other length.
pub fn number_of_value(value: &[u8]) -> Result<u64, Reason> {
    value.try_into().map(u64::from_be_bytes).map_err(|_| Reason::NotANumber)
}

/// The value that holds a number.
pub fn value_of_number(number: u64) -> Value {
    Value::from(number.to_be_bytes().as_slice())
}
