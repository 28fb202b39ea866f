//! Typed reading of the tables: every record's checksum is tested, every absence that cannot be is
//! damage.

use std::ops::Bound;
use std::sync::Arc;

use aardvark_commitment::Commitment;
use aardvark_dictionary::{Key, Slot};

use crate::error::{ArchiveError, Damage, DamageKind, Place};
use crate::keys;
use crate::past_index::VersionBlock;
use crate::records::{self, GenesisRecord, VersionInfo, Written};
use crate::store::{Bounds, Read, Store, Table};

/// One state of the store, read as records.
pub(crate) struct Tables<'a> {
    read: Arc<dyn Read + 'a>,
}

/// A record of a range: its key and its body.
pub(crate) type Record = (Vec<u8>, Vec<u8>);

/// Items read one after the other, each of which can fail.
pub(crate) type Walk<'a, T> = Box<dyn Iterator<Item = Result<T, ArchiveError>> + 'a>;

impl<'a> Tables<'a> {
    pub(crate) fn new(store: &'a dyn Store) -> Result<Self, ArchiveError> {
        Ok(Self::of(store.read()?))
    }

    /// The tables of a state at hand.
    pub(crate) fn of(read: Arc<dyn Read + 'a>) -> Self {
        Self { read }
    }

    /// The state that is read.
    pub(crate) fn state(&self) -> Arc<dyn Read + 'a> {
        Arc::clone(&self.read)
    }

    /// The body of a record, where there is one.
    fn find(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, ArchiveError> {
        let Some(record) = self.read.get(table, key)? else {
            return Ok(None);
        };
        let body = records::body(table, key, record).map_err(|fault| Damage::new(keys::place(table, key), fault))?;
        Ok(Some(body))
    }

    /// The body of a record that must be there, read by `decode`.
    fn decoded<T>(
        &self,
        table: Table,
        key: &[u8],
        decode: impl Fn(&[u8]) -> Result<T, DamageKind>,
    ) -> Result<T, ArchiveError> {
        let place = || keys::place(table, key);
        let body = self.find(table, key)?.ok_or_else(|| Damage::missing(place()))?;
        Ok(decode(&body).map_err(|fault| Damage::new(place(), fault))?)
    }

    /// The records of a range of keys, as the store has them, checksum and all.
    pub(crate) fn raw(&self, table: Table) -> Result<Walk<'_, Record>, ArchiveError> {
        let entries = self.read.range(table, (Bound::Unbounded, Bound::Unbounded))?;
        Ok(Box::new(entries.map(|entry| Ok(entry?))))
    }

    /// A record as the store has it, found by its key.
    pub(crate) fn raw_at(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, ArchiveError> {
        Ok(self.read.get(table, key)?)
    }

    /// The records of a range of keys.
    fn range<'s>(
        &'s self,
        table: Table,
        bounds: Bounds<'_>,
    ) -> Result<impl DoubleEndedIterator<Item = Result<Record, ArchiveError>> + use<'s, 'a>, ArchiveError> {
        let entries = self.read.range(table, bounds)?;
        Ok(entries.map(move |entry| {
            let (key, record) = entry?;
            match records::body(table, &key, record) {
                Ok(body) => Ok((key, body)),
                Err(fault) => Err(Damage::new(keys::place(table, &key), fault).into()),
            }
        }))
    }

    pub(crate) fn genesis_record(&self) -> Result<GenesisRecord, ArchiveError> {
        self.decoded(Table::Meta, keys::GENESIS, GenesisRecord::decode)
    }

    /// Whether there is an archive, however damaged.
    pub(crate) fn has_archive(&self) -> Result<bool, ArchiveError> {
        Ok(self.read.get(Table::Meta, keys::GENESIS)?.is_some())
    }

    pub(crate) fn newest_version(&self) -> Result<u64, ArchiveError> {
        self.decoded(Table::Meta, keys::HEAD, records::decode_number)
    }

    pub(crate) fn version(&self, version: u64) -> Result<VersionInfo, ArchiveError> {
        self.decoded(Table::Versions, &keys::number(version), VersionInfo::decode)
    }

    /// The slot at a position in use at the newest version.
    pub(crate) fn slot(&self, position: u64) -> Result<Slot, ArchiveError> {
        Ok(self.written_slot(position)?.slot)
    }

    /// [`Tables::slot`], with the version that wrote it.
    pub(crate) fn written_slot(&self, position: u64) -> Result<Written, ArchiveError> {
        self.decoded(Table::Slots, &keys::number(position), records::decode_slot)
    }

    /// The slots at positions `from..to` in use at the newest version, ascending.
    pub(crate) fn slots(&self, from: u64, to: u64) -> Result<Walk<'_, (u64, Written)>, ArchiveError> {
        let (from, to) = (keys::number(from), keys::number(to));
        let records = self.range(Table::Slots, (Bound::Included(&from), Bound::Excluded(&to)))?;
        Ok(Box::new(records.map(|record| {
            let (key, body) = record?;
            let position = number_key(Table::Slots, &key)?;
            let slot = records::decode_slot(&body).map_err(|fault| Damage::new(Place::Slot(position), fault))?;
            Ok((position, slot))
        })))
    }

    /// The greatest live key at the newest version below an upper bound, with its position.
    pub(crate) fn index_floor(&self, upper: Bound<&[u8]>) -> Result<(Key, u64), ArchiveError> {
        let found = self.range(Table::Index, (Bound::Unbounded, upper))?.next_back();
        let (key, body) = found.ok_or_else(|| Damage::missing(Place::Index(Key::empty())))??;
        let key = Key::from(key);
        match records::decode_number(&body) {
            Ok(position) => Ok((key, position)),
            Err(fault) => Err(Damage::new(Place::Index(key), fault).into()),
        }
    }

    /// Live keys at the newest version with their positions, ascending.
    pub(crate) fn index(&self) -> Result<Walk<'_, (Key, u64)>, ArchiveError> {
        self.index_from(&Key::empty())
    }

    /// Those from a key on.
    pub(crate) fn index_from(&self, first: &Key) -> Result<Walk<'_, (Key, u64)>, ArchiveError> {
        let records = self.range(Table::Index, (Bound::Included(first), Bound::Unbounded))?;
        Ok(Box::new(records.map(|record| {
            let (key, body) = record?;
            let key = Key::from(key);
            match records::decode_number(&body) {
                Ok(position) => Ok((key, position)),
                Err(fault) => Err(Damage::new(Place::Index(key), fault).into()),
            }
        })))
    }

    /// The commitment of a vector at the newest version.
    pub(crate) fn commitment(&self, vector: u64) -> Result<Commitment, ArchiveError> {
        self.decoded(Table::Commitments, &keys::number(vector), records::decode_commitment)
    }

    /// The first vector from a number on that has a commitment.
    pub(crate) fn commitment_from(&self, vector: u64) -> Result<Option<u64>, ArchiveError> {
        let first = keys::number(vector);
        let found = self.range(Table::Commitments, (Bound::Included(&first), Bound::Unbounded))?.next();
        found.transpose()?.map(|(key, _)| number_key(Table::Commitments, &key)).transpose()
    }

    /// The first version after `version` that replaced what stood at a position, with what stood
    /// there.
    pub(crate) fn past_slot(&self, position: u64, version: u64) -> Result<Option<(u64, Written)>, ArchiveError> {
        self.first_after(Table::PastSlots, position, version, records::decode_slot)
    }

    /// What a version replaced at a position, where it replaced something.
    pub(crate) fn replaced_slot(&self, position: u64, version: u64) -> Result<Option<Written>, ArchiveError> {
        let key = keys::pair(position, version);
        let Some(body) = self.find(Table::PastSlots, &key)? else {
            return Ok(None);
        };
        let place = || keys::place(Table::PastSlots, &key);
        Ok(Some(records::decode_slot(&body).map_err(|fault| Damage::new(place(), fault))?))
    }

    /// Position and replacing version of the slot with the greatest key below an upper bound (of a
    /// key, and included or not), among those of a block of versions.
    pub(crate) fn past_key_floor(
        &self,
        (level, start): VersionBlock,
        upper: Bound<&[u8]>,
    ) -> Result<Option<(u64, u64)>, ArchiveError> {
        let first = keys::past_key(level, start, &[]);
        let upper = upper.map(|key| keys::past_key(level, start, key));
        // Below the empty key nothing stands, and a store may refuse to look there.
        if upper == Bound::Excluded(first.clone()) {
            return Ok(None);
        }
        let bounds = (Bound::Included(first.as_slice()), upper.as_ref().map(Vec::as_slice));
        let Some((key, body)) = self.range(Table::PastKeys, bounds)?.next_back().transpose()? else {
            return Ok(None);
        };
        match records::decode_past_key(&body) {
            Ok(found) => Ok(Some(found)),
            Err(fault) => Err(Damage::new(keys::place(Table::PastKeys, &key), fault).into()),
        }
    }

    /// The first version after `version` that replaced the commitment of a vector, with that
    /// commitment.
    pub(crate) fn past_commitment(&self, vector: u64, version: u64) -> Result<Option<(u64, Commitment)>, ArchiveError> {
        self.first_after(Table::PastCommitments, vector, version, records::decode_commitment)
    }

    fn first_after<T>(
        &self,
        table: Table,
        item: u64,
        version: u64,
        decode: impl Fn(&[u8]) -> Result<T, DamageKind>,
    ) -> Result<Option<(u64, T)>, ArchiveError> {
        let (after, last) = (keys::pair(item, version), keys::pair(item, u64::MAX));
        let found = self.range(table, (Bound::Excluded(&after), Bound::Included(&last)))?.next();
        let Some((key, body)) = found.transpose()? else {
            return Ok(None);
        };
        let (_, replaced_by) = pair_key(table, &key)?;
        match decode(&body) {
            Ok(past) => Ok(Some((replaced_by, past))),
            Err(fault) => Err(Damage::new(keys::place(table, &key), fault).into()),
        }
    }

    /// The bytes of the block that made a version.
    pub(crate) fn block_bytes(&self, version: u64) -> Result<Vec<u8>, ArchiveError> {
        let (first, last) = (keys::pair(version, 0), keys::pair(version, u64::MAX));
        let mut bytes = Vec::new();
        let parts = self.range(Table::Log, (Bound::Included(&first), Bound::Included(&last)))?;
        for (expected, part) in (0..).zip(parts) {
            let (key, body) = part?;
            if pair_key(Table::Log, &key)? != (version, expected) {
                return Err(Damage::missing(Place::Block(version)).into());
            }
            bytes.extend_from_slice(&body);
        }
        Ok(bytes)
    }

    /// The positions in use before a version that the version wrote, ascending.
    pub(crate) fn written(&self, version: u64) -> Result<Walk<'_, u64>, ArchiveError> {
        let (first, last) = (keys::pair(version, 0), keys::pair(version, u64::MAX));
        let notes = self.range(Table::Written, (Bound::Included(&first), Bound::Included(&last)))?;
        Ok(Box::new(notes.map(|note| Ok(pair_key(Table::Written, &note?.0)?.1))))
    }

    /// Those positions `from..to` among [`Tables::written`], ascending.
    pub(crate) fn written_within(&self, version: u64, from: u64, to: u64) -> Result<Walk<'_, u64>, ArchiveError> {
        let (first, end) = (keys::pair(version, from), keys::pair(version, to));
        let notes = self.range(Table::Written, (Bound::Included(&first), Bound::Excluded(&end)))?;
        Ok(Box::new(notes.map(|note| Ok(pair_key(Table::Written, &note?.0)?.1))))
    }

    /// The replay set: transaction ids with their `last_valid`, in the order of their keys, up to a
    /// `last_valid`.
    pub(crate) fn replay(&self, last_valid: u64) -> Result<Walk<'_, (u64, [u8; 32])>, ArchiveError> {
        let upper = keys::replay(last_valid, &[255; 32]);
        let entries = self.range(Table::Replay, (Bound::Unbounded, Bound::Included(&upper)))?;
        Ok(Box::new(entries.map(|entry| {
            let (key, _) = entry?;
            keys::read_replay(&key).ok_or_else(|| misfit(Table::Replay))
        })))
    }
}

fn misfit(table: Table) -> ArchiveError {
    Damage::new(Place::Key(table), DamageKind::Invalid("not a key of this table")).into()
}

pub(crate) fn number_key(table: Table, key: &[u8]) -> Result<u64, ArchiveError> {
    keys::read_number(key).ok_or_else(|| misfit(table))
}

pub(crate) fn pair_key(table: Table, key: &[u8]) -> Result<(u64, u64), ArchiveError> {
    keys::read_pair(key).ok_or_else(|| misfit(table))
}
