//! The validator's store: one redb file, one durable transaction a block.
//!
//! A block writes what it changes: commitments of the written vectors, the window entry that comes
//! and the one that goes, the slots of the tail, identities that come and go. All of it, with
//! version and root, is one transaction, so that a kill at any instant leaves the state after some
//! block, whole. Commits run in two phases and save the allocator's state (redb's quick repair):
//! the file opens at once after a kill. The state before the last block stays readable (a savepoint
//! of redb), for [`StateStore::go_back`].
//!
//! | table | key | value |
//! |---|---|---|
//! | head | "head" | u8 format, dictionary id, u64 version, u64 size, u64 tail_start, root, u64 height of each upgrade |
//! | commitments | vector | 48 bytes |
//! | window | version | window entry (`state_bytes`) |
//! | tail | position | slot_bytes |
//! | replay | u64 last_valid, id | nothing |
//! | written | "block" | u64 seconds since 1970, once there was a block ([`written`]) |
//! | validators | "set" | the validators (`aardvark_chain::validator_change`), on a chain with a council |
//!
//! The format is the app version of the block that follows ([`upgrades`](super::upgrades)); there
//! are as many heights as upgrades that made it what it is: none in format 1. A block that
//! announces an app version so makes a store of the next format, and taking it back one of the
//! format before.

use std::path::Path;

use aardvark_chain::ValidatorSet;
use aardvark_dictionary::codec::{Reader, put_slot};
use aardvark_dictionary::state_bytes::{put_window_entry, read_commitment, read_window_entry};
use aardvark_dictionary::{DictionaryId, Effects, Parameters, TransactionId, Validator, ValidatorState};
use redb::{
    Builder, Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, Table, TableDefinition, WriteTransaction,
};

use crate::validator::store_error::{OrEngine as _, StoreError};
use crate::validator::upgrades::{RUN_HERE, Upgrades};
use crate::validator::written;

const HEAD_KEY: &str = "head";
const SET_KEY: &str = "set";
const CACHE_BYTES: usize = 32 << 20;

const HEAD: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("head");
const COMMITMENTS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("commitments");
const WINDOW: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("window");
const TAIL: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("tail");
const REPLAY: TableDefinition<'_, (u64, [u8; 32]), ()> = TableDefinition::new("replay");
const VALIDATORS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("validators");

/// What one block changed, beyond what the state after it shows.
#[derive(Clone, Debug)]
pub struct BlockEffects {
    /// Writes and commitments.
    pub effects: Effects,
    /// The block's transactions with their `last_valid`.
    pub identities: Vec<(TransactionId, u64)>,
    /// Where the tail started before.
    pub previous_tail_start: u64,
}

/// A validator's file.
pub struct StateStore {
    pub(super) database: Database,
}

/// Which state the file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The version.
    pub version: u64,
    /// Number of slots.
    pub size: u64,
    /// Where the tail starts.
    pub tail_start: u64,
    /// The state root.
    pub root: [u8; 32],
    /// The heights that announced the app versions from 2 on.
    pub upgrades: Vec<u64>,
}

impl StateStore {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// [`StoreError::Engine`].
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut builder = Builder::new();
        builder.set_cache_size(CACHE_BYTES);
        Ok(Self { database: builder.create(path).engine()? })
    }

    /// Which state the file holds; `None` where it holds none.
    ///
    /// # Errors
    /// [`StoreError::OtherDictionary`] where it is not this dictionary's.
    pub fn head(&self, id: &DictionaryId) -> Result<Option<Head>, StoreError> {
        let transaction = self.database.begin_read().engine()?;
        let table = match transaction.open_table(HEAD) {
            Err(redb::TableError::TableDoesNotExist(_)) => return Ok(None),
            table => table.engine()?,
        };
        let Some(record) = table.get(HEAD_KEY).engine()? else { return Ok(None) };
        read_head(record.value(), id).map(Some)
    }

    /// The validators after the state's block; `None` on a chain without a council.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn validators(&self) -> Result<Option<ValidatorSet>, StoreError> {
        let transaction = self.database.begin_read().engine()?;
        let table = match transaction.open_table(VALIDATORS) {
            Err(redb::TableError::TableDoesNotExist(_)) => return Ok(None),
            table => table.engine()?,
        };
        let Some(record) = table.get(SET_KEY).engine()? else { return Ok(None) };
        Ok(Some(ValidatorSet::read(&mut Reader::new(record.value()))?))
    }

    /// The validator as it was when it was last written; `None` where it never was.
    ///
    /// # Errors
    /// [`StoreError`], above all [`StoreError::Root`] where the state is not the one that was
    /// written.
    pub fn load(
        &self,
        parameters: &Parameters,
        id: &DictionaryId,
        scheme: &std::sync::Arc<aardvark_commitment::Scheme>,
    ) -> Result<Option<Validator>, StoreError> {
        let Some(head) = self.head(id)? else { return Ok(None) };
        let state = self.read_state(&head)?;
        let validator = Validator::from_state(parameters.clone(), *id, std::sync::Arc::clone(scheme), state)?;
        if validator.root() == head.root { Ok(Some(validator)) } else { Err(StoreError::Root) }
    }

    /// Writes the state after a block, durably: what it changed, where the file holds the state
    /// before it, else whole.
    ///
    /// # Errors
    /// [`StoreError::Engine`]; the file then holds what it held before.
    pub fn write_block(
        &self,
        validator: &Validator,
        block: &BlockEffects,
        root: [u8; 32],
        upgrades: &Upgrades,
        validators: Option<&ValidatorSet>,
    ) -> Result<(), StoreError> {
        let before = self.head(validator.id())?.map(|head| head.version);
        if before != Some(block.effects.version.saturating_sub(1)) {
            return self.write_whole(validator, root, upgrades, validators);
        }
        let transaction = self.begin_marked()?;
        write_commitments(&transaction, block)?;
        write_window(&transaction, validator)?;
        write_tail(&transaction, validator, block)?;
        write_replay(&transaction, validator.version(), &block.identities)?;
        write_validators(&transaction, validators)?;
        write_head(&transaction, validator, root, upgrades)?;
        written::note(&transaction, validator.version())?;
        transaction.commit().engine()
    }

    /// Writes a whole state, durably, in the place of whatever the file holds.
    ///
    /// # Errors
    /// [`StoreError::Engine`]; the file then holds what it held before.
    pub fn write_whole(
        &self,
        validator: &Validator,
        root: [u8; 32],
        upgrades: &Upgrades,
        validators: Option<&ValidatorSet>,
    ) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        forget_marks(&transaction, None)?;
        transaction.delete_table(COMMITMENTS).engine()?;
        transaction.delete_table(WINDOW).engine()?;
        transaction.delete_table(TAIL).engine()?;
        transaction.delete_table(REPLAY).engine()?;
        {
            let mut table = transaction.open_table(COMMITMENTS).engine()?;
            for (vector, commitment) in (0u64..).zip(validator.commitments()) {
                table.insert(vector, commitment.to_bytes().as_slice()).engine()?;
            }
            let mut table = transaction.open_table(WINDOW).engine()?;
            for entry in validator.window().entries() {
                insert_window_entry(&mut table, &entry)?;
            }
            let mut table = transaction.open_table(TAIL).engine()?;
            for (position, slot) in validator.tail().slots().iter() {
                insert_slot(&mut table, position, slot)?;
            }
        }
        write_replay(&transaction, validator.version(), &validator.replay().entries())?;
        write_validators(&transaction, validators)?;
        write_head(&transaction, validator, root, upgrades)?;
        written::note(&transaction, validator.version())?;
        transaction.commit().engine()
    }

    /// Goes back to the state of a version, durably, where the file's is above it, and gives the
    /// version that it then holds. The file keeps the state before its last block, so this goes
    /// back by one.
    ///
    /// # Errors
    /// [`StoreError::NothingEarlier`] where the file does not hold that state.
    pub fn go_back(&self, id: &DictionaryId, version: u64) -> Result<u64, StoreError> {
        let held = self.head(id)?.map_or(0, |head| head.version);
        if held <= version {
            return Ok(held);
        }
        let nothing = || StoreError::NothingEarlier { held, wanted: version };
        let mut transaction = self.begin()?;
        let mark = transaction.list_persistent_savepoints().engine()?.max().filter(|_| held == version + 1);
        let savepoint = transaction.get_persistent_savepoint(mark.ok_or_else(nothing)?).engine()?;
        transaction.restore_savepoint(&savepoint).engine()?;
        forget_marks(&transaction, None)?;
        transaction.commit().engine()?;
        self.head(id)?.map(|head| head.version).filter(|now| *now == version).ok_or_else(nothing)
    }

    /// A transaction that marks the state before it, in the place of the mark before.
    fn begin_marked(&self) -> Result<WriteTransaction, StoreError> {
        let transaction = self.begin()?;
        let mark = transaction.persistent_savepoint().engine()?;
        forget_marks(&transaction, Some(mark))?;
        Ok(transaction)
    }

    fn begin(&self) -> Result<WriteTransaction, StoreError> {
        let mut transaction = self.database.begin_write().engine()?;
        transaction.set_quick_repair(true);
        Ok(transaction)
    }

    fn read_state(&self, head: &Head) -> Result<ValidatorState, StoreError> {
        let Head { version, size, tail_start, .. } = *head;
        let transaction = self.database.begin_read().engine()?;
        let mut state = ValidatorState {
            version,
            size,
            commitments: Vec::new(),
            window: Vec::new(),
            tail_start,
            tail: Vec::new(),
            replay: Vec::new(),
        };
        for item in transaction.open_table(COMMITMENTS).engine()?.iter().engine()? {
            state.commitments.push(read_commitment(&mut Reader::new(item.engine()?.1.value()))?);
        }
        for item in transaction.open_table(WINDOW).engine()?.iter().engine()? {
            state.window.push(read_window_entry(&mut Reader::new(item.engine()?.1.value()))?);
        }
        for item in transaction.open_table(TAIL).engine()?.iter().engine()? {
            state.tail.push(Reader::new(item.engine()?.1.value()).slot()?);
        }
        for item in transaction.open_table(REPLAY).engine()?.iter().engine()? {
            let (last_valid, id) = item.engine()?.0.value();
            state.replay.push((TransactionId(id), last_valid));
        }
        Ok(state)
    }
}

/// Removes the marks of earlier states, all but one.
fn forget_marks(transaction: &WriteTransaction, kept: Option<u64>) -> Result<(), StoreError> {
    let marks: Vec<u64> = transaction.list_persistent_savepoints().engine()?.collect();
    for mark in marks.into_iter().filter(|mark| Some(*mark) != kept) {
        transaction.delete_persistent_savepoint(mark).engine()?;
    }
    Ok(())
}

fn read_head(record: &[u8], id: &DictionaryId) -> Result<Head, StoreError> {
    let mut reader = Reader::new(record);
    let format = reader.u8("the format")?;
    if !RUN_HERE.contains(&format.into()) {
        return Err(StoreError::AppVersion(format));
    }
    let dictionary: [u8; 32] = reader.array("the dictionary's id")?;
    if dictionary != id.0 {
        return Err(StoreError::OtherDictionary(dictionary));
    }
    let version = reader.u64("the version")?;
    let size = reader.u64("the number of slots")?;
    let tail_start = reader.u64("the start of the tail")?;
    let root = reader.array("the root")?;
    let upgrades = (1..format).map(|_| reader.u64("an upgrade's height")).collect::<Result<_, _>>()?;
    Ok(Head { version, size, tail_start, root, upgrades })
}

fn write_head(
    transaction: &WriteTransaction,
    validator: &Validator,
    root: [u8; 32],
    upgrades: &Upgrades,
) -> Result<(), StoreError> {
    let next = validator.version() + 1;
    let mut record = vec![u8::try_from(upgrades.version_at(next)).unwrap_or(u8::MAX)];
    record.extend_from_slice(&validator.id().0);
    for number in [validator.version(), validator.size(), validator.tail().start()] {
        record.extend_from_slice(&number.to_be_bytes());
    }
    record.extend_from_slice(&root);
    record.extend(upgrades.announced_before(next).iter().flat_map(|height| height.to_be_bytes()));
    transaction.open_table(HEAD).engine()?.insert(HEAD_KEY, record.as_slice()).engine()?;
    Ok(())
}

fn write_validators(transaction: &WriteTransaction, validators: Option<&ValidatorSet>) -> Result<(), StoreError> {
    if let Some(set) = validators {
        transaction.open_table(VALIDATORS).engine()?.insert(SET_KEY, set.encode().as_slice()).engine()?;
    }
    Ok(())
}

fn write_commitments(transaction: &WriteTransaction, block: &BlockEffects) -> Result<(), StoreError> {
    let mut table = transaction.open_table(COMMITMENTS).engine()?;
    for (vector, commitment) in &block.effects.commitments {
        match commitment {
            Some(commitment) => table.insert(vector, commitment.to_bytes().as_slice()).engine()?,
            None => table.remove(vector).engine()?,
        };
    }
    Ok(())
}

/// The entry of this version comes, those that have left the window go.
fn write_window(transaction: &WriteTransaction, validator: &Validator) -> Result<(), StoreError> {
    let mut table = transaction.open_table(WINDOW).engine()?;
    if let Some(entry) = validator.window().entries().next_back() {
        insert_window_entry(&mut table, &entry)?;
    }
    let kept = validator.oldest_version() + 1;
    table.retain_in(..kept, |_, _| false).engine()
}

/// Where the tail has grown downwards it is written whole; else the writes in it are enough.
fn write_tail(transaction: &WriteTransaction, validator: &Validator, block: &BlockEffects) -> Result<(), StoreError> {
    let tail = validator.tail();
    let mut table = transaction.open_table(TAIL).engine()?;
    if tail.start() < block.previous_tail_start {
        for (position, slot) in tail.slots().iter() {
            insert_slot(&mut table, position, slot)?;
        }
    } else {
        for write in block.effects.writes.iter().filter(|write| write.position >= tail.start()) {
            if let Some(slot) = &write.after {
                insert_slot(&mut table, write.position, slot)?;
            }
        }
    }
    table.retain_in(..tail.start(), |_, _| false).engine()?;
    table.retain_in(validator.size().., |_, _| false).engine()
}

fn write_replay(
    transaction: &WriteTransaction,
    version: u64,
    identities: &[(TransactionId, u64)],
) -> Result<(), StoreError> {
    let mut table = transaction.open_table(REPLAY).engine()?;
    for (id, last_valid) in identities {
        table.insert((*last_valid, id.0), ()).engine()?;
    }
    if table.is_empty().engine()? {
        return Ok(());
    }
    table.retain_in(..(version, [0; 32]), |_, ()| false).engine()
}

fn insert_window_entry(
    table: &mut Table<'_, u64, &[u8]>,
    entry: &aardvark_dictionary::window::VersionRecord,
) -> Result<(), StoreError> {
    let mut bytes = Vec::new();
    put_window_entry(&mut bytes, entry);
    table.insert(entry.version, bytes.as_slice()).engine()?;
    Ok(())
}

fn insert_slot(
    table: &mut Table<'_, u64, &[u8]>,
    position: u64,
    slot: &aardvark_dictionary::Slot,
) -> Result<(), StoreError> {
    let mut bytes = Vec::new();
    put_slot(&mut bytes, slot);
    table.insert(position, bytes.as_slice()).engine()?;
    Ok(())
}
