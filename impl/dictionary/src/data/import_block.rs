//! Import blocks: changes without claims, as an archive's owner makes them, and their bytes
//! (`aardvark_spec::block::import::ImportBlock`).

use crate::data::block::put_length;
use crate::data::bytes::{Key, Value};
use crate::data::codec::{DecodeError, Reader, put_key, put_value};
use crate::data::transaction::expect_format;

/// Format number of an import block.
pub const IMPORT_FORMAT: u8 = 2;

/// A change without claims, as an archive's own import brings it: a put, or with `None` a delete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The key, legal in the dictionary.
    pub key: Key,
    /// The value after the block, or absent.
    pub value: Option<Value>,
}

/// An archive's own block of changes, net per key, in strictly ascending key order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ImportBlock {
    /// The version that the block makes.
    pub version: u64,
    /// One change a key, ascending.
    pub changes: Vec<Change>,
}

impl ImportBlock {
    /// Canonical bytes (`docs/format.md`, Blocks).
    pub fn encode(&self) -> Vec<u8> {
        // A key's length takes a byte, a value's tag and length take three.
        let each = |change: &Change| change.key.len() + change.value.as_ref().map_or(0, |value| value.len()) + 4;
        let mut bytes = Vec::with_capacity(13 + self.changes.iter().map(each).sum::<usize>());
        bytes.push(IMPORT_FORMAT);
        bytes.extend_from_slice(&self.version.to_be_bytes());
        put_length(&mut bytes, self.changes.len());
        for change in &self.changes {
            put_key(&mut bytes, &change.key);
            match &change.value {
                None => bytes.push(0),
                Some(value) => {
                    bytes.push(1);
                    put_value(&mut bytes, value);
                }
            }
        }
        bytes
    }

    /// Reads canonical bytes.
    ///
    /// # Errors
    /// [`DecodeError`] where the bytes are not exactly one import block, or its keys do not ascend.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        expect_format(&mut reader, IMPORT_FORMAT, "import block format")?;
        let version = reader.u64("the version")?;
        let mut changes: Vec<Change> = Vec::new();
        for _ in 0..reader.u32("the number of changes")? {
            let offset = reader.offset();
            let change = read_change(&mut reader)?;
            if changes.last().is_some_and(|last| last.key >= change.key) {
                return Err(DecodeError::Order { offset, what: "keys" });
            }
            changes.push(change);
        }
        reader.finish()?;
        Ok(Self { version, changes })
    }
}

fn read_change(reader: &mut Reader<'_>) -> Result<Change, DecodeError> {
    let key = reader.key()?;
    let offset = reader.offset();
    let value = match reader.u8("a change's tag")? {
        0 => None,
        1 => Some(reader.value()?),
        found => return Err(DecodeError::Unknown { offset, what: "change", found }),
    };
    Ok(Change { key, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_block_survives_the_wire_and_needs_ascending_keys() {
        let change = |key: &str, value: Option<&str>| Change { key: key.into(), value: value.map(Value::from) };
        let block = ImportBlock { version: 3, changes: vec![change("a", Some("1")), change("b", None)] };
        assert_eq!(ImportBlock::decode(&block.encode()), Ok(block.clone()));
        let doubled = ImportBlock { version: 3, changes: vec![change("a", None), change("a", None)] };
        assert!(matches!(ImportBlock::decode(&doubled.encode()), Err(DecodeError::Order { .. })));
    }
}
