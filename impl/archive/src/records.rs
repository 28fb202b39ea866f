//! Bodies of the tables' records, and the checksum that ends each of them.
//!
//! ```text
//! record            = body || checksum
//! checksum          = CRC-32C (RFC 3720, section 12.1) of u8 table || u16 len(key) || key || body
//!
//! meta "genesis"    = bytes8(name) || salt (32) || parameters_bytes || setup digest (32)
//!                     || u32 length || binding || dictionary id (32) || u64 retention
//! meta "head"       = u64 newest version
//! slots, past_slots = u64 version that wrote it || slot_bytes
//! index             = u64 position
//! past_keys         = u64 position || u64 version that replaced the slot there
//! commitments,
//! past_commitments  = the point, uncompressed (96)
//! written, replay   = nothing
//! versions          = u64 size || u64 tail_start || u8 kind || u64 items || u64 bytes of the block
//!                     || link (32)
//! log               = up to 65,000 bytes of the block
//!
//! link of version v = H("AARDVARK-STORE-LINK", link of v - 1 || block of v); that of version -1 is
//!                     the dictionary id
//! ```
//!
//! `parameters_bytes`, `slot_bytes` and blocks are those of `docs/format.md`. The block of version
//! 0 is genesis' entries as they enter the digest of the content:
//! `u64 count || (u16 len || key || u16 len || value)*`.
//!
//! The checksum covers table and key, so that a record which moves is noticed, not only one that
//! changes. It is there so that everyday reads notice damage where they meet it; that an audit
//! finds *every* flipped byte rests on recomputation instead. It once was the first 4 bytes of
//! H("AARDVARK-STORE-RECORD", the same), a fourteenth of an import's work: records and backups
//! that end so are read for good, and none is written any more.

use std::sync::OnceLock;

use aardvark_algebra::encoding::{decode_g1_uncompressed_trusted, encode_g1_uncompressed};
use aardvark_algebra::hash::TaggedHash;
use aardvark_algebra::integers::{u8_or_max, u16_or_max, u32_or_max, u64_of_usize, usize_of_u32};
use aardvark_commitment::Commitment;
use aardvark_dictionary::codec::{Reader, put_slot, slot_length};
use aardvark_dictionary::{DecodeError, DictionaryId, Genesis, Identity, Key, Parameters, Slot, Value};

use crate::error::DamageKind;
use crate::store::Table;

/// Bytes of a record's checksum.
pub(crate) const CHECKSUM_BYTES: usize = 4;
/// Most bytes of a block in one record of the log: a page of redb's that it just fits.
pub(crate) const PART_BYTES: usize = 65_000;

impl From<DecodeError> for DamageKind {
    fn from(error: DecodeError) -> Self {
        Self::Malformed(error)
    }
}

/// The checksum of a record.
pub(crate) fn checksum(table: Table, key: &[u8], body: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let sum = crc32c::crc32c(&prefix(table, key));
    crc32c::crc32c_append(crc32c::crc32c_append(sum, key), body).to_be_bytes()
}

/// What records of earlier programs end with.
fn digest(table: Table, key: &[u8], body: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let hash = TaggedHash::new("AARDVARK-STORE-RECORD").chain(prefix(table, key)).chain(key).chain(body);
    let [a, b, c, d, ..] = hash.finalize();
    [a, b, c, d]
}

/// What stands before the key under both.
fn prefix(table: Table, key: &[u8]) -> [u8; 3] {
    let [high, low] = u16_or_max(key.len()).to_be_bytes();
    [table as u8, high, low]
}

/// Splits a record into its body, whose checksum holds.
pub(crate) fn body(table: Table, key: &[u8], mut record: Vec<u8>) -> Result<Vec<u8>, DamageKind> {
    if !is_whole(table, key, &record) {
        return Err(DamageKind::Checksum);
    }
    record.truncate(record.len() - CHECKSUM_BYTES);
    Ok(record)
}

/// Whether a record's checksum holds.
pub(crate) fn is_whole(table: Table, key: &[u8], record: &[u8]) -> bool {
    let parts = record.split_last_chunk();
    parts.is_some_and(|(body, stored)| *stored == checksum(table, key, body) || *stored == digest(table, key, body))
}

/// What stays the same for an archive's life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GenesisRecord {
    pub(crate) identity: Identity,
    pub(crate) parameters: Parameters,
    pub(crate) setup_digest: [u8; 32],
    pub(crate) id: DictionaryId,
    /// How many versions before the newest can be read, at least W.
    pub(crate) retention: u64,
    /// The digest of the first keys and values, once somebody has asked for it: the record does not
    /// have it.
    pub(crate) content_digest: OnceLock<[u8; 32]>,
}

impl GenesisRecord {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let (name, binding) = (self.identity.name(), self.identity.binding());
        let mut bytes = vec![u8_or_max(name.len())];
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend_from_slice(self.identity.salt());
        bytes.extend_from_slice(&self.parameters.to_bytes());
        bytes.extend_from_slice(&self.setup_digest);
        bytes.extend_from_slice(&u32_or_max(binding.len()).to_be_bytes());
        bytes.extend_from_slice(binding);
        bytes.extend_from_slice(&self.id.0);
        bytes.extend_from_slice(&self.retention.to_be_bytes());
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, DamageKind> {
        let mut reader = Reader::new(bytes);
        let length = reader.u8("the length of the name")?;
        let name = reader.take(length.into(), "the name")?;
        let salt = reader.array("the salt")?;
        let identity = std::str::from_utf8(name).ok().and_then(|name| Identity::new(name, salt).ok());
        let parameters = Parameters::from_bytes(&reader.array("the parameters")?)?;
        let setup_digest = reader.array("the digest of the setup")?;
        let length = usize_of_u32(reader.u32("the length of the binding")?);
        let binding = reader.take(length, "the binding")?.to_vec();
        let id = DictionaryId(reader.array("the dictionary id")?);
        let retention = reader.u64("the retention")?;
        reader.finish()?;
        parameters.check().map_err(|_| DamageKind::Invalid("not legal"))?;
        let identity = identity.ok_or(DamageKind::Invalid("not a name"))?.with_binding(binding);
        Ok(Self { identity, parameters, setup_digest, id, retention, content_digest: OnceLock::new() })
    }
}

/// What made a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum BlockKind {
    /// Version 0.
    Genesis = 0,
    /// A block of transactions.
    Transactions = 1,
    /// A block of changes without claims.
    Import = 2,
    /// A block of transactions whose claims are proved together.
    Aggregated = 3,
}

/// What is kept of every version for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionInfo {
    /// Number of slots, the sentinel included.
    pub size: u64,
    /// Where a validator's tail starts.
    pub tail_start: u64,
    /// What made it.
    pub kind: BlockKind,
    /// How many entries, transactions or changes its block has.
    pub items: u64,
    /// Bytes of its block.
    pub block_bytes: u64,
    /// Its link in the chain of blocks: a hash over its block and all before it.
    pub link: [u8; 32],
}

impl VersionInfo {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(65);
        bytes.extend_from_slice(&self.size.to_be_bytes());
        bytes.extend_from_slice(&self.tail_start.to_be_bytes());
        bytes.push(self.kind as u8);
        bytes.extend_from_slice(&self.items.to_be_bytes());
        bytes.extend_from_slice(&self.block_bytes.to_be_bytes());
        bytes.extend_from_slice(&self.link);
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, DamageKind> {
        let mut reader = Reader::new(bytes);
        let size = reader.u64("the size")?;
        let tail_start = reader.u64("the start of the tail")?;
        let kind = match reader.u8("the kind of block")? {
            0 => BlockKind::Genesis,
            1 => BlockKind::Transactions,
            2 => BlockKind::Import,
            3 => BlockKind::Aggregated,
            _ => return Err(DamageKind::Invalid("unknown kind of block")),
        };
        let items = reader.u64("the number of items")?;
        let block_bytes = reader.u64("the length of the block")?;
        let link = reader.array("the link")?;
        reader.finish()?;
        Ok(Self { size, tail_start, kind, items, block_bytes, link })
    }
}

/// The link of a version in the chain of blocks.
pub(crate) fn link(previous: &[u8; 32], block: &[u8]) -> [u8; 32] {
    TaggedHash::new("AARDVARK-STORE-LINK").chain(previous).chain(block).finalize()
}

/// A slot as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// The version that wrote it.
    pub(crate) born: u64,
    /// The slot.
    pub(crate) slot: Slot,
}

pub(crate) fn encode_slot(born: u64, slot: &Slot) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 + slot_length(slot) + CHECKSUM_BYTES);
    append_slot(&mut bytes, born, slot);
    bytes
}

/// [`encode_slot`] to the end of other bytes.
pub(crate) fn append_slot(bytes: &mut Vec<u8>, born: u64, slot: &Slot) {
    bytes.extend_from_slice(&born.to_be_bytes());
    put_slot(bytes, slot);
}

pub(crate) fn decode_slot(bytes: &[u8]) -> Result<Written, DamageKind> {
    let mut reader = Reader::new(bytes);
    let born = reader.u64("the version that wrote it")?;
    let slot = reader.slot()?;
    reader.finish()?;
    Ok(Written { born, slot })
}

/// Where a slot stood, and the version that replaced it.
pub(crate) fn encode_past_key(position: u64, replaced_by: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(16 + CHECKSUM_BYTES);
    bytes.extend_from_slice(&position.to_be_bytes());
    bytes.extend_from_slice(&replaced_by.to_be_bytes());
    bytes
}

/// The inverse of [`encode_past_key`].
pub(crate) fn decode_past_key(bytes: &[u8]) -> Result<(u64, u64), DamageKind> {
    let mut reader = Reader::new(bytes);
    let (position, replaced_by) = (reader.u64("a position")?, reader.u64("a version")?);
    reader.finish()?;
    Ok((position, replaced_by))
}

pub(crate) fn decode_number(bytes: &[u8]) -> Result<u64, DamageKind> {
    let mut reader = Reader::new(bytes);
    let number = reader.u64("a number")?;
    reader.finish()?;
    Ok(number)
}

pub(crate) fn encode_commitment(commitment: &Commitment) -> Vec<u8> {
    encode_g1_uncompressed(commitment.point()).to_vec()
}

/// Uncompressed points open without a square root; that they are ours is what the checksum says.
pub(crate) fn decode_commitment(bytes: &[u8]) -> Result<Commitment, DamageKind> {
    let mut reader = Reader::new(bytes);
    let point = reader.array("a commitment")?;
    reader.finish()?;
    let point = decode_g1_uncompressed_trusted(&point).map_err(|_| DamageKind::Invalid("not a point"))?;
    Ok(Commitment::from_point_unchecked(point))
}

/// Genesis' entries, as the block of version 0.
pub(crate) fn encode_entries(genesis: &Genesis) -> Vec<u8> {
    let count = u64_of_usize(genesis.entries().len());
    let mut bytes = count.to_be_bytes().to_vec();
    for (key, value) in genesis.entries() {
        for field in [&**key, &**value] {
            bytes.extend_from_slice(&u16_or_max(field.len()).to_be_bytes());
            bytes.extend_from_slice(field);
        }
    }
    bytes
}

pub(crate) fn decode_entries(bytes: &[u8]) -> Result<Vec<(Key, Value)>, DecodeError> {
    let mut reader = Reader::new(bytes);
    let mut entries = Vec::new();
    for _ in 0..reader.u64("the number of entries")? {
        let length = reader.u16("the length of a key")?;
        let key = Key::from(reader.take(length.into(), "a key")?);
        entries.push((key, reader.value()?));
    }
    reader.finish()?;
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use aardvark_algebra::hash::tagged_hash;

    use super::*;

    #[test]
    fn every_flipped_bit_of_a_record_its_key_or_its_table_fails_the_checksum() {
        let key = [1, 2, 3];
        let content = b"some body".to_vec();
        let record = [content.clone(), checksum(Table::Slots, &key, &content).to_vec()].concat();
        assert_eq!(body(Table::Slots, &key, record.clone()), Ok(content));
        for bit in 0..record.len() * 8 {
            let mut flipped = record.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(body(Table::Slots, &key, flipped), Err(DamageKind::Checksum), "bit {bit}");
        }
        assert_eq!(body(Table::PastSlots, &key, record.clone()), Err(DamageKind::Checksum));
        assert_eq!(body(Table::Slots, &[1, 2], record.clone()), Err(DamageKind::Checksum));
        assert_eq!(body(Table::Slots, &key, record[..3].to_vec()), Err(DamageKind::Checksum));
    }

    #[test]
    fn checksums_are_those_of_others_and_those_of_earlier_programs_are_taken() {
        // CRC-32C of "123456789", from the catalogue of CRC algorithms of G. Cook.
        assert_eq!(crc32c::crc32c(b"123456789"), 0xe306_9283);
        let (table, key, content) = (Table::Slots, [1, 2, 3], b"some body");
        let bytes = [&[1, 0, 3], key.as_slice(), content].concat();
        assert_eq!(checksum(table, &key, content), crc32c::crc32c(&bytes).to_be_bytes());
        let [a, b, c, d, ..] = tagged_hash("AARDVARK-STORE-RECORD", &bytes);
        let earlier = [content.as_slice(), &[a, b, c, d]].concat();
        assert_eq!(body(table, &key, earlier.clone()), Ok(content.to_vec()));
        assert_eq!(body(Table::PastSlots, &key, earlier), Err(DamageKind::Checksum));
    }

    #[test]
    fn records_survive_their_encoding_and_no_cut_of_them_is_read() {
        let genesis_record = GenesisRecord {
            identity: Identity::new("test", [3; 32]).unwrap().with_binding(vec![1, 2]),
            parameters: Parameters { window: 3, ..Parameters::default() },
            setup_digest: [1; 32],
            id: DictionaryId([2; 32]),
            retention: 7,
            content_digest: OnceLock::new(),
        };
        let bytes = genesis_record.encode();
        assert_eq!(GenesisRecord::decode(&bytes), Ok(genesis_record));
        assert!((0..bytes.len()).all(|cut| GenesisRecord::decode(&bytes[..cut]).is_err()));
        let kind = BlockKind::Import;
        let info = VersionInfo { size: 9, tail_start: 4, kind, items: 3, block_bytes: 99, link: [7; 32] };
        let bytes = info.encode();
        assert_eq!(VersionInfo::decode(&bytes), Ok(info));
        assert!((0..bytes.len()).all(|cut| VersionInfo::decode(&bytes[..cut]).is_err()));
        let identity = Commitment::identity();
        assert_eq!(decode_commitment(&encode_commitment(&identity)), Ok(identity));
    }

    #[test]
    fn genesis_entries_survive_their_encoding() {
        let entries = vec![(Key::from("a"), Value::from("1")), (Key::from("b"), Value::from(""))];
        let genesis =
            Genesis::new(Identity::new("test", [0; 32]).unwrap(), Parameters::default(), [0; 32], entries.clone())
                .unwrap();
        assert_eq!(decode_entries(&encode_entries(&genesis)), Ok(entries));
    }
}
