//! The secrets of a segment: its rows, and the seed of what hides them.
//!
//! ```text
//! secret = u8 1 || u16 first || seed (32) || u32 rows || u64 number of the first row || varint step*
//!          || (u8 n || bytes16(text)*)*, one a row
//! ```
//!
//! Masks and salts are expanded from the seed, which is drawn for each write.

use aardvark_aggregates::answer::row;
use aardvark_aggregates::{KnownSegment, MaskSource, ProverSetup, Record};
use aardvark_algebra::tagged_hash;
use aardvark_dictionary::DecodeError;
use aardvark_dictionary::codec::Reader;

use crate::error::TablesError;

/// The format of secrets.
const FORMAT: u8 = 1;
/// Domain separation tag of salts.
const SALT_TAG: &str = "AARDVARK-V1-TABLE-SALT";

/// A segment's rows, in ascending order of their numbers, and the seed of what hides them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentSecret {
    /// The position of the first row.
    pub first: u16,
    /// The seed of masks and salts: as secret as the rows.
    pub seed: [u8; 32],
    /// The rows' numbers above the column's lowest, ascending.
    pub numbers: Vec<u64>,
    /// The rows' texts.
    pub texts: Vec<Vec<String>>,
}

impl SegmentSecret {
    /// The segment with its masks, for a column of so many moments.
    pub fn known(&self, moments: usize) -> KnownSegment {
        KnownSegment::draw(&mut MaskSource::new(self.seed), usize::from(self.first), self.numbers.clone(), moments)
    }

    /// The salt of a row, by its index.
    pub fn salt(&self, index: u32) -> [u8; row::SALT_BYTES] {
        let digest = tagged_hash(SALT_TAG, &[self.seed.as_slice(), &index.to_be_bytes()].concat());
        core::array::from_fn(|i| digest.get(i).copied().unwrap_or_default())
    }

    /// The leaves of the tree over the rows' texts; `None` where a text is longer than a leaf
    /// takes.
    pub fn leaves(&self) -> Option<Vec<[u8; 32]>> {
        (0u32..).zip(&self.texts).map(|(index, texts)| row::leaf_digest(&self.salt(index), texts)).collect()
    }

    /// The root over the rows' texts; `None` where a text is longer than a leaf takes.
    pub fn root(&self) -> Option<[u8; 32]> {
        self.leaves().map(|leaves| row::root(&leaves))
    }

    /// Whether a record commits to these rows with their masks and salts. Another keeper may have
    /// put its run under the number of one that was deleted.
    ///
    /// # Errors
    /// [`TablesError::TextTooLong`]; [`TablesError::Setup`] where no sheet is as the record says.
    pub(crate) fn is_of(&self, record: &Record, setup: &ProverSetup) -> Result<bool, TablesError> {
        let sheet = setup.sheet(usize::from(record.log))?;
        let root = self.root().ok_or(TablesError::TextTooLong)?;
        Ok(self.known(record.sums.len()).commit(sheet, root) == *record)
    }

    /// The secret as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![FORMAT];
        bytes.extend(self.first.to_be_bytes());
        bytes.extend(self.seed);
        bytes.extend((self.numbers.len() as u32).to_be_bytes());
        let mut before = 0u64;
        for (i, number) in self.numbers.iter().enumerate() {
            match i {
                0 => bytes.extend(number.to_be_bytes()),
                _ => put_varint(&mut bytes, number.wrapping_sub(before)),
            }
            before = *number;
        }
        for texts in &self.texts {
            bytes.push(texts.len() as u8);
            for text in texts {
                bytes.extend((text.len() as u16).to_be_bytes());
                bytes.extend(text.as_bytes());
            }
        }
        bytes
    }

    /// The secret that bytes are; `None` where they are none.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        read(bytes).ok().flatten()
    }
}

impl SegmentSecret {
    /// The number of the first row of a secret as bytes; `None` where they are none.
    pub(crate) fn first_number(bytes: &[u8]) -> Option<u64> {
        let read = || {
            let mut reader = Reader::new(bytes);
            let format = reader.u8("the format")?;
            reader.u16("the first position")?;
            reader.array::<32>("the seed")?;
            reader.u32("the number of rows")?;
            Ok::<_, DecodeError>((format, reader.u64("a number")?))
        };
        read().ok().filter(|(format, _)| *format == FORMAT).map(|(_, number)| number)
    }
}

fn read(bytes: &[u8]) -> Result<Option<SegmentSecret>, DecodeError> {
    let mut reader = Reader::new(bytes);
    if reader.u8("the format")? != FORMAT {
        return Ok(None);
    }
    let first = reader.u16("the first position")?;
    let seed = reader.array("the seed")?;
    let rows = reader.u32("the number of rows")?;
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    let mut number = 0u64;
    for row in 0..rows {
        if row == 0 {
            number = reader.u64("a number")?;
        } else {
            let Some(next) = read_varint(&mut reader)?.and_then(|step| number.checked_add(step)) else {
                return Ok(None);
            };
            number = next;
        }
        numbers.push(number);
    }
    for _ in 0..rows {
        let count = reader.u8("the number of texts")?;
        let mut row = Vec::new();
        for _ in 0..count {
            let length = reader.u16("the length of a text")?;
            match core::str::from_utf8(reader.take(usize::from(length), "a text")?) {
                Ok(text) => row.push(text.to_owned()),
                Err(_) => return Ok(None),
            }
        }
        texts.push(row);
    }
    reader.finish()?;
    Ok(Some(SegmentSecret { first, seed, numbers, texts }))
}

/// Seven bits a byte, the lowest first; the top bit says that more follow.
fn put_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_varint(reader: &mut Reader<'_>) -> Result<Option<u64>, DecodeError> {
    let mut number = 0u128;
    for shift in (0..70).step_by(7) {
        let byte = reader.u8("a step")?;
        number |= u128::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(u64::try_from(number).ok());
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> SegmentSecret {
        let texts = |user: &str| vec![user.to_owned(), String::new()];
        SegmentSecret {
            first: 9,
            seed: [7; 32],
            numbers: vec![0, 0, 1, 127, 255, 1 << 40, u64::MAX],
            texts: ["a", "b", "é", "", "c", "d", "e"].map(texts).to_vec(),
        }
    }

    #[test]
    fn a_secret_is_read_back_and_nothing_else_is() {
        let bytes = secret().to_bytes();
        assert_eq!(SegmentSecret::from_bytes(&bytes), Some(secret()));
        for length in 0..bytes.len() {
            assert_eq!(SegmentSecret::from_bytes(&bytes[..length]), None, "{length}");
        }
        assert_eq!(SegmentSecret::from_bytes(&[&bytes[..], &[0]].concat()), None);
        // So many rows are not there.
        let mut many = bytes.clone();
        many[35..39].copy_from_slice(&u32::MAX.to_be_bytes());
        assert_eq!(SegmentSecret::from_bytes(&many), None);
    }

    #[test]
    fn salts_differ_by_row_and_by_seed() {
        let (one, other) = (secret(), SegmentSecret { seed: [8; 32], ..secret() });
        let salts: std::collections::BTreeSet<_> = (0..50).flat_map(|i| [one.salt(i), other.salt(i)]).collect();
        assert_eq!(salts.len(), 100);
        assert_ne!(one.root(), other.root());
        assert_ne!(one.known(2).values_masks, other.known(2).values_masks);
    }
}
