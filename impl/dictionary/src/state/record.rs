//! One version of the window in the memory that its bytes need
//! (`aardvark_spec::dictionary::window::VersionRecord`).
//!
//! A window holds the slots of W blocks. Kept as [`crate::data::slot::Slot`]s, whose keys and
//! values are allocated each by itself, they take three times the bytes of their encoding. So a
//! record keeps its writes as they are encoded in the window's digest, one after the other in one
//! allocation, and whoever remembers a write remembers where it starts:
//!
//! ```text
//! (u64 position || (u8 0 | u8 1 || slot_bytes))*      ascending by position
//! ```

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use aardvark_algebra::TaggedHash;
use aardvark_commitment::Commitment;

use crate::data::bytes::{Key, Value};
use crate::data::codec::{Reader, count_bytes, put_slot, slot_length};
use crate::data::root_parts::Digest;
use crate::data::slot::{Slot, covers, precedes};

/// Bytes of a position and the tag behind it.
const HEAD_BYTES: usize = 8 + 1;

/// What one version wrote, and what it took away from the version before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionRecord {
    /// The version, u.
    pub version: u64,
    /// Number of slots at u - 1.
    pub previous_size: u64,
    /// Positions written in u, ascending, with their content at u; `None` is unused.
    pub writes: Vec<(u64, Option<Slot>)>,
    /// The vectors written in u with their commitment at u - 1; `None` where they did not exist.
    pub previous_commitments: BTreeMap<u64, Option<Commitment>>,
}

/// A [`VersionRecord`], packed.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) version: u64,
    pub(crate) previous_size: u64,
    /// How many writes there are.
    count: usize,
    /// The writes, encoded.
    writes: Box<[u8]>,
    /// Ascending by vector.
    previous_commitments: Box<[(u64, Option<Commitment>)]>,
    /// The digest, once somebody asked: every block's root is over the digests of all W records,
    /// and only the newest is new.
    digest: OnceLock<Digest>,
}

impl PartialEq for Record {
    /// Whether the digest was asked for makes no difference.
    fn eq(&self, other: &Self) -> bool {
        let parts = |record: &Self| (record.version, record.previous_size, record.count);
        parts(self) == parts(other)
            && self.writes == other.writes
            && self.previous_commitments == other.previous_commitments
    }
}

impl Eq for Record {}

impl Record {
    /// Packs a version. Keys have at most 255 bytes and values at most 65,535, as they have
    /// wherever they are encoded.
    pub(crate) fn new<'a>(
        version: u64,
        previous_size: u64,
        writes: impl Iterator<Item = (u64, Option<&'a Slot>)> + Clone,
        previous_commitments: impl Iterator<Item = (u64, Option<Commitment>)>,
    ) -> Self {
        let length = writes.clone().map(|(_, slot)| HEAD_BYTES + slot.map_or(0, slot_length)).sum();
        let (mut bytes, mut count) = (Vec::with_capacity(length), 0);
        for (position, slot) in writes {
            bytes.extend_from_slice(&position.to_be_bytes());
            bytes.push(slot.is_some().into());
            if let Some(slot) = slot {
                put_slot(&mut bytes, slot);
            }
            count += 1;
        }
        let previous_commitments = previous_commitments.collect();
        let writes = bytes.into_boxed_slice();
        Self { version, previous_size, count, writes, previous_commitments, digest: OnceLock::new() }
    }

    /// The vectors written in the version, ascending, with their commitment before it.
    pub(crate) fn previous_commitments(&self) -> &[(u64, Option<Commitment>)] {
        &self.previous_commitments
    }

    /// `H("AARDVARK-V1-RECORD", u64 version || u64 size before || writes || previous commitments)`,
    /// computed once (`aardvark_spec::block::root::record_digest`).
    pub(crate) fn digest(&self) -> Digest {
        *self.digest.get_or_init(|| {
            let mut hash = TaggedHash::new("AARDVARK-V1-RECORD")
                .chain(self.version.to_be_bytes())
                .chain(self.previous_size.to_be_bytes())
                .chain(count_bytes(self.count))
                .chain(&self.writes)
                .chain(count_bytes(self.previous_commitments.len()));
            for (vector, commitment) in &self.previous_commitments {
                hash.update(vector.to_be_bytes());
                hash.update([commitment.is_some().into()]);
                if let Some(commitment) = commitment {
                    hash.update(commitment.to_bytes());
                }
            }
            hash.finalize()
        })
    }

    /// The commitment that a vector had before the version, if the version wrote it.
    pub(crate) fn previous_commitment(&self, vector: u64) -> Option<Option<Commitment>> {
        let place = self.previous_commitments.binary_search_by_key(&vector, |(vector, _)| *vector).ok()?;
        self.previous_commitments.get(place).map(|(_, commitment)| *commitment)
    }

    /// Where the writes start.
    fn offsets(&self) -> impl Iterator<Item = usize> {
        let mut reader = Reader::new(&self.writes);
        std::iter::from_fn(move || {
            let offset = reader.offset();
            read_write(&mut reader).map(|_| offset)
        })
    }
}

impl From<&VersionRecord> for Record {
    fn from(entry: &VersionRecord) -> Self {
        let writes = entry.writes.iter().map(|(position, slot)| (*position, slot.as_ref()));
        let previous_commitments = entry.previous_commitments.iter().map(|(vector, commitment)| (*vector, *commitment));
        Self::new(entry.version, entry.previous_size, writes, previous_commitments)
    }
}

impl From<&Record> for VersionRecord {
    fn from(record: &Record) -> Self {
        let mut reader = Reader::new(&record.writes);
        let writes = std::iter::from_fn(|| read_write(&mut reader));
        let writes = writes.map(|(position, content)| (position, content.map(|slot| slot.to_slot()))).collect();
        let previous_commitments: BTreeMap<_, _> = record.previous_commitments.iter().copied().collect();
        Self { version: record.version, previous_size: record.previous_size, writes, previous_commitments }
    }
}

/// A slot within its encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotRef<'a> {
    key: &'a [u8],
    next: &'a [u8],
    value: &'a [u8],
}

impl SlotRef<'_> {
    pub(crate) fn covers(&self, key: &[u8]) -> bool {
        covers(self.key, self.next, key)
    }

    pub(crate) fn precedes(&self, key: &[u8]) -> bool {
        precedes(self.key, self.next, key)
    }

    pub(crate) fn to_slot(self) -> Slot {
        Slot { key: Key::from(self.key), value: Value::from(self.value), next: Key::from(self.next) }
    }
}

/// The next write; `None` at the end.
fn read_write<'a>(reader: &mut Reader<'a>) -> Option<(u64, Option<SlotRef<'a>>)> {
    let position = reader.u64("a position").ok()?;
    let content = match reader.u8("a tag").ok()? {
        0 => None,
        _ => Some(read_slot(reader)?),
    };
    Some((position, content))
}

fn read_slot<'a>(reader: &mut Reader<'a>) -> Option<SlotRef<'a>> {
    let mut key = || {
        let length = reader.u8("the length of a key").ok()?;
        reader.take(length.into(), "a key").ok()
    };
    let (key, next) = (key()?, key()?);
    let length = reader.u16("the length of a value").ok()?;
    let value = reader.take(length.into(), "a value").ok()?;
    Some(SlotRef { key, next, value })
}

/// One write of a record that lives as long as it is remembered.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    record: Arc<Record>,
    offset: usize,
}

impl Written {
    /// All writes of a record, ascending by position.
    pub(crate) fn all(record: &Arc<Record>) -> impl Iterator<Item = Self> {
        record.offsets().map(|offset| Self { record: Arc::clone(record), offset })
    }

    /// The version that wrote.
    pub(crate) fn version(&self) -> u64 {
        self.record.version
    }

    /// The position and what was written there; `None` is unused.
    pub(crate) fn read(&self) -> Option<(u64, Option<SlotRef<'_>>)> {
        read_write(&mut Reader::new(self.bytes()))
    }

    /// The position written.
    pub(crate) fn position(&self) -> u64 {
        let position = self.bytes().first_chunk::<8>();
        position.map_or(0, |bytes| u64::from_be_bytes(*bytes))
    }

    /// What was written; `None` is unused.
    pub(crate) fn content(&self) -> Option<SlotRef<'_>> {
        self.read().and_then(|(_, content)| content)
    }

    /// Whether the position is in use.
    pub(crate) fn is_used(&self) -> bool {
        self.bytes().get(HEAD_BYTES - 1).is_some_and(|tag| *tag != 0)
    }

    /// The key of what was written; empty for the sentinel and where nothing was. Looks at no more
    /// than that: keys are compared a dozen times for each write that enters the window.
    pub(crate) fn key(&self) -> &[u8] {
        let slot = self.bytes().get(HEAD_BYTES..).filter(|_| self.is_used());
        let key = slot.and_then(|slot| slot.split_first()).and_then(|(length, rest)| rest.get(..usize::from(*length)));
        key.unwrap_or_default()
    }

    /// The encoding, from this write on.
    fn bytes(&self) -> &[u8] {
        self.record.writes.get(self.offset..).unwrap_or_default()
    }

    /// Whether both are one write.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.is_of(&other.record) && self.offset == other.offset
    }

    /// Whether the record wrote it.
    pub(crate) fn is_of(&self, record: &Arc<Record>) -> bool {
        Arc::ptr_eq(&self.record, record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> VersionRecord {
        let slot = |key: &[u8], value: &[u8], next: &[u8]| {
            Some(Slot { key: Key::from(key), value: Value::from(value), next: Key::from(next) })
        };
        VersionRecord {
            version: 7,
            previous_size: 90,
            writes: vec![
                (0, slot(b"", b"", b"a")),
                (5, None),
                (6, slot(&[0xff; 255], &[1; 1024], b"")),
                // Its tag is followed by a byte that could be the length of a key.
                (1 << 56, None),
                ((1 << 56) + 1, None),
                (u64::MAX, None),
            ],
            previous_commitments: BTreeMap::from([(0, None), (3, Some(Commitment::identity()))]),
        }
    }

    #[test]
    fn packing_loses_nothing() {
        let record = Record::from(&entry());
        assert_eq!(VersionRecord::from(&record), entry());
        assert_eq!(record.count, 6);
        assert_eq!(record.previous_commitment(3), Some(Some(Commitment::identity())));
        assert_eq!((record.previous_commitment(0), record.previous_commitment(1)), (Some(None), None));
    }

    #[test]
    fn every_write_is_found_where_it_starts() {
        let record = Arc::new(Record::from(&entry()));
        let all: Vec<Written> = Written::all(&record).collect();
        assert_eq!(all.iter().map(Written::position).collect::<Vec<_>>(), [0, 5, 6, 1 << 56, (1 << 56) + 1, u64::MAX]);
        assert_eq!(all.iter().map(|write| write.key().len()).collect::<Vec<_>>(), [0, 0, 255, 0, 0, 0]);
        assert_eq!(all.iter().map(Written::is_used).collect::<Vec<_>>(), [true, false, true, false, false, false]);
        assert!(all.iter().all(|write| write.key() == write.content().map_or(&[][..], |slot| slot.key)));
        assert!(all.iter().all(|write| Some(write.position()) == write.read().map(|(position, _)| position)));
        let contents = all.iter().map(|write| write.content().map(SlotRef::to_slot));
        assert!(contents.eq(entry().writes.into_iter().map(|(_, slot)| slot)));
        assert!(all[1].is(&all[1]) && !all[1].is(&all[0]));
    }
}
