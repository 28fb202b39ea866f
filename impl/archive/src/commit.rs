//! One version, one transaction: slots, index, commitments, what they replaced, the block and the
//! replay set.
//!
//! [`VersionChanges`] says what a version does, whether genesis, transactions or an import made it;
//! [`write()`] is the only place that changes the store.

use std::collections::BTreeSet;

use aardvark_commitment::Commitment;
use aardvark_dictionary::array::Write as SlotWrite;
use aardvark_dictionary::{Key, Slot, TransactionId};

use crate::error::{ArchiveError, Damage, DamageKind, Place};
use crate::keys;
use crate::past_index::blocks_of;
use crate::records::{self, GenesisRecord, PART_BYTES, VersionInfo, Written};
use crate::store::{Run, Store, StoreError, Table, Write};
use crate::tables::Tables;

/// All that a version changes.
pub(crate) struct VersionChanges<'a> {
    pub(crate) version: u64,
    /// Number of slots before; 0 for genesis.
    pub(crate) previous_size: u64,
    pub(crate) info: VersionInfo,
    /// The bytes of the block.
    pub(crate) block: &'a [u8],
    /// Positions whose content changes, ascending.
    pub(crate) writes: &'a [SlotWrite],
    /// Commitments that change, ascending by vector; `None` for vectors that no longer
    /// exist.
    pub(crate) commitments: &'a [(u64, Option<Commitment>)],
    /// Transactions that enter the replay set, with their `last_valid`.
    pub(crate) applied: &'a [(TransactionId, u64)],
    /// Slots per vector.
    pub(crate) vector_size: u64,
    /// How many versions before this one stay readable. What versions further back replaced is
    /// forgotten.
    pub(crate) retention: u64,
    /// What version 0 writes besides.
    pub(crate) genesis_record: Option<&'a GenesisRecord>,
}

/// Writes a version durably, or not at all.
pub(crate) fn write(store: &dyn Store, changes: &VersionChanges<'_>) -> Result<(), ArchiveError> {
    let before = Tables::new(store)?;
    store.write(&mut |write| {
        let mut writer = Writer { write };
        if let Some(genesis_record) = changes.genesis_record {
            writer.put(Table::Meta, keys::GENESIS, genesis_record.encode())?;
        }
        write_slots(&mut writer, &before, changes)?;
        write_index(&mut writer, changes.writes)?;
        write_commitments(&mut writer, &before, changes)?;
        write_log(&mut writer, changes)?;
        write_replay(&mut writer, &before, changes)?;
        match changes.version.checked_sub(changes.retention) {
            Some(leaving) if leaving > 0 => forget(&mut writer, &before, leaving, changes),
            _ => Ok(()),
        }
    })
}

/// Writes records: bodies with their checksums.
struct Writer<'a> {
    write: &'a mut dyn Write,
}

impl Writer<'_> {
    fn put(&mut self, table: Table, key: &[u8], body: Vec<u8>) -> Result<(), StoreError> {
        self.write.put(table, key, &record(table, key, body))
    }

    /// Puts a record for each item; `write` appends an item's key and body, and keys strictly
    /// ascend.
    fn put_run<T>(
        &mut self,
        table: Table,
        items: impl Iterator<Item = T>,
        write: impl FnMut(T, &mut Vec<u8>, &mut Vec<u8>),
    ) -> Result<(), StoreError> {
        self.write.put_run(table, &mut Records { table, items, write, key: Vec::new(), record: Vec::new() })
    }

    fn put_number(&mut self, table: Table, key: &[u8], number: u64) -> Result<(), StoreError> {
        self.put(table, key, number.to_be_bytes().to_vec())
    }

    fn delete(&mut self, table: Table, key: &[u8]) -> Result<(), StoreError> {
        self.write.delete(table, key)
    }
}

/// A body with its checksum.
fn record(table: Table, key: &[u8], mut body: Vec<u8>) -> Vec<u8> {
    body.extend_from_slice(&records::checksum(table, key, &body));
    body
}

/// The records of a run of items.
struct Records<I, W> {
    table: Table,
    items: I,
    write: W,
    key: Vec<u8>,
    record: Vec<u8>,
}

impl<T, I: Iterator<Item = T>, W: FnMut(T, &mut Vec<u8>, &mut Vec<u8>)> Run for Records<I, W> {
    fn next_entry(&mut self) -> Option<(&[u8], &[u8])> {
        let Self { table, items, write, key, record } = self;
        let item = items.next()?;
        key.clear();
        record.clear();
        write(item, key, record);
        record.extend_from_slice(&records::checksum(*table, key, record));
        Some((key, record))
    }
}

/// Slots, and what they replace. The store's own slots must be what the block's claims said they
/// are.
fn write_slots(writer: &mut Writer<'_>, before: &Tables<'_>, changes: &VersionChanges<'_>) -> Result<(), ArchiveError> {
    let within = changes.writes.partition_point(|write| write.position < changes.previous_size);
    let (within, behind) = changes.writes.split_at(within);
    for SlotWrite { position, before: replaced, after } in within {
        let stored = before.written_slot(*position)?;
        if Some(&stored.slot) != replaced.as_ref() {
            let fault = DamageKind::Invalid("not the slot that its commitment says");
            return Err(Damage::new(Place::Slot(*position), fault).into());
        }
        write_past(writer, changes, *position, &stored)?;
        let key = keys::number(*position);
        match after {
            Some(slot) => writer.put(Table::Slots, &key, records::encode_slot(changes.version, slot))?,
            None => writer.delete(Table::Slots, &key)?,
        }
    }
    let appended = behind.iter().filter_map(|write| Some((write.position, write.after.as_ref()?)));
    let write = |(position, slot), key: &mut Vec<u8>, body: &mut Vec<u8>| {
        key.extend_from_slice(&keys::number(position));
        records::append_slot(body, changes.version, slot);
    };
    Ok(writer.put_run(Table::Slots, appended, write)?)
}

/// Keeps what the version replaced, unless no past version can be read anyway.
fn write_past(
    writer: &mut Writer<'_>,
    changes: &VersionChanges<'_>,
    position: u64,
    past: &Written,
) -> Result<(), StoreError> {
    if changes.retention == 0 {
        return Ok(());
    }
    let Written { born, slot } = past;
    writer.put(Table::PastSlots, &keys::pair(position, changes.version), records::encode_slot(*born, slot))?;
    for (level, start) in blocks_of(*born, changes.version, changes.retention) {
        let key = keys::past_key(level, start, &slot.key);
        writer.put(Table::PastKeys, &key, records::encode_past_key(position, changes.version))?;
    }
    writer.put(Table::Written, &keys::pair(changes.version, position), Vec::new())
}

/// Keys that are gone leave the index; keys that are new or moved enter it, in key order.
fn write_index(writer: &mut Writer<'_>, writes: &[SlotWrite]) -> Result<(), ArchiveError> {
    let moved = |write: &&SlotWrite| key_of(&write.before) != key_of(&write.after);
    let mut placed: Vec<(&Key, u64)> = Vec::new();
    for write in writes.iter().filter(moved) {
        placed.extend(key_of(&write.after).map(|key| (key, write.position)));
    }
    placed.sort_unstable();
    for key in writes.iter().filter(moved).filter_map(|write| key_of(&write.before)) {
        if placed.binary_search_by(|(other, _)| (*other).cmp(key)).is_err() {
            writer.delete(Table::Index, key)?;
        }
    }
    let write = |(slot_key, position): (&Key, u64), key: &mut Vec<u8>, body: &mut Vec<u8>| {
        key.extend_from_slice(slot_key);
        body.extend_from_slice(&position.to_be_bytes());
    };
    Ok(writer.put_run(Table::Index, placed.into_iter(), write)?)
}

fn key_of(content: &Option<Slot>) -> Option<&Key> {
    content.as_ref().map(|slot| &slot.key)
}

fn write_commitments(
    writer: &mut Writer<'_>,
    before: &Tables<'_>,
    changes: &VersionChanges<'_>,
) -> Result<(), ArchiveError> {
    let existed = changes.previous_size.div_ceil(changes.vector_size);
    for (vector, commitment) in changes.commitments {
        if *vector < existed && changes.retention > 0 {
            let past = records::encode_commitment(&before.commitment(*vector)?);
            writer.put(Table::PastCommitments, &keys::pair(*vector, changes.version), past)?;
        }
        let key = keys::number(*vector);
        match commitment {
            Some(commitment) => writer.put(Table::Commitments, &key, records::encode_commitment(commitment))?,
            None => writer.delete(Table::Commitments, &key)?,
        }
    }
    Ok(())
}

fn write_log(writer: &mut Writer<'_>, changes: &VersionChanges<'_>) -> Result<(), ArchiveError> {
    for (part, bytes) in (0..).zip(changes.block.chunks(PART_BYTES)) {
        writer.put(Table::Log, &keys::pair(changes.version, part), bytes.to_vec())?;
    }
    writer.put(Table::Versions, &keys::number(changes.version), changes.info.encode())?;
    writer.put_number(Table::Meta, keys::HEAD, changes.version)?;
    Ok(())
}

/// Ids with `last_valid` below the new version can never be applied again, and leave.
fn write_replay(
    writer: &mut Writer<'_>,
    before: &Tables<'_>,
    changes: &VersionChanges<'_>,
) -> Result<(), ArchiveError> {
    if let Some(expired) = changes.version.checked_sub(1) {
        for entry in before.replay(expired)? {
            let (last_valid, id) = entry?;
            writer.delete(Table::Replay, &keys::replay(last_valid, &id))?;
        }
    }
    for (id, last_valid) in changes.applied {
        writer.put(Table::Replay, &keys::replay(*last_valid, &id.0), Vec::new())?;
    }
    Ok(())
}

/// Forgets what a version replaced.
fn forget(
    writer: &mut Writer<'_>,
    before: &Tables<'_>,
    version: u64,
    changes: &VersionChanges<'_>,
) -> Result<(), ArchiveError> {
    let (vector_size, retention) = (changes.vector_size, changes.retention);
    let mut vectors = BTreeSet::new();
    for position in before.written(version)? {
        let position = position?;
        let past = keys::pair(position, version);
        if let Some(Written { born, slot }) = before.replaced_slot(position, version)? {
            for (level, start) in blocks_of(born, version, retention) {
                writer.delete(Table::PastKeys, &keys::past_key(level, start, &slot.key))?;
            }
        }
        writer.delete(Table::PastSlots, &past)?;
        writer.delete(Table::Written, &keys::pair(version, position))?;
        vectors.insert(position / vector_size);
    }
    // The vector that the version began to append to.
    if let Some(previous) = version.checked_sub(1) {
        vectors.insert(before.version(previous)?.size / vector_size);
    }
    for vector in vectors {
        writer.delete(Table::PastCommitments, &keys::pair(vector, version))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use aardvark_algebra::Scalar;
    use aardvark_commitment::insecure::kzg_with_known_tau;
    use aardvark_commitment::{Scheme, VectorCommitment};
    use aardvark_dictionary::{Change, Genesis, Identity, Operation, Parameters, Transaction};

    use crate::archive::Archive;
    use crate::redb_store::RedbStore;

    use super::*;

    fn archive(window: u32, retention: u64) -> Archive {
        let scheme: Arc<Scheme> = Arc::new(kzg_with_known_tau(2, Scalar::from(5)).unwrap().into());
        let parameters = Parameters { vector_size: 2, window, ..Parameters::default() };
        let genesis =
            Genesis::new(Identity::new("test", [0; 32]).unwrap(), parameters, scheme.setup_digest(), Vec::new())
                .unwrap();
        let store = Box::new(RedbStore::in_memory().unwrap());
        Archive::builder().retention(retention).scheme(scheme).create_on(store, &genesis).unwrap()
    }

    /// The versions that replaced what the index of the past leads to.
    fn of_past_keys(archive: &Archive) -> BTreeSet<u64> {
        let tables = archive.tables().unwrap();
        let records = tables.raw(Table::PastKeys).unwrap().map(Result::unwrap);
        let read = |(key, record): (Vec<u8>, Vec<u8>)| records::body(Table::PastKeys, &key, record).unwrap();
        records.map(|record| records::decode_past_key(&read(record)).unwrap().1).collect()
    }

    fn keys_of(archive: &Archive, table: Table) -> Vec<Vec<u8>> {
        archive.tables().unwrap().raw(table).unwrap().map(|record| record.unwrap().0).collect()
    }

    /// Grows, rewrites, shrinks and appends within a vector, one after the other.
    fn busy(archive: &mut Archive, versions: u64) {
        for version in 1..=versions {
            let change = |key: u64| {
                let value = (!(key + version).is_multiple_of(3)).then(|| version.to_string().as_str().into());
                Change { key: format!("{key}").as_str().into(), value }
            };
            // Each import changes something, or there would be no version.
            let count = Change { key: "count".into(), value: Some(version.to_string().as_str().into()) };
            archive.import((0..version % 7).map(change).chain([count]).collect()).unwrap();
        }
    }

    #[test]
    fn of_what_versions_replaced_only_that_within_retention_is_kept() {
        for retention in [0, 1, 3] {
            let mut archive = archive(0, retention);
            busy(&mut archive, 20);
            let kept: BTreeSet<u64> = (20 - retention + 1..=20).collect();
            let pair = |key: &Vec<u8>| keys::read_pair(key).unwrap();
            let versions = [
                keys_of(&archive, Table::PastSlots).iter().map(|key| pair(key).1).collect::<BTreeSet<_>>(),
                keys_of(&archive, Table::PastCommitments).iter().map(|key| pair(key).1).collect(),
                keys_of(&archive, Table::Written).iter().map(|key| pair(key).0).collect(),
                of_past_keys(&archive),
            ];
            for found in versions {
                assert!(found.is_subset(&kept), "{found:?} with retention {retention}");
                assert_eq!(found.is_empty(), retention == 0);
            }
        }
    }

    #[test]
    fn the_stored_replay_set_is_the_validators() {
        let mut archive = archive(2, 2);
        for version in 1..=8 {
            let transaction = |last_valid: u64| Transaction {
                first_valid: version,
                last_valid,
                nonce: [0; 16],
                operations: vec![Operation::Add("n".into(), 1)],
                claims: vec![archive.prove(&"n".into(), version - 1).unwrap()],
            };
            let transactions = vec![transaction(version), transaction(version + 2)];
            let block = archive.propose(transactions).unwrap().block;
            assert_eq!(block.transactions.len(), 2);
            archive.apply(&block).unwrap();
            let stored: Vec<_> = keys_of(&archive, Table::Replay)
                .iter()
                .map(|key| keys::read_replay(key).unwrap())
                .map(|(last_valid, id)| (TransactionId(id), last_valid))
                .collect();
            assert_eq!(stored, archive.validator().unwrap().replay().entries());
        }
    }
}
