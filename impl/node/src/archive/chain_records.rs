//! What an archive of a chain keeps beside its store: of every height, when it was, what its root
//! is over, and how many of the chain's transactions had no effects.
//!
//! ```text
//! DIR/chain.redb      chain: "id"     -> the chain's id
//!                     heights: height -> ChainRecord as JSON
//!                     validators: height -> the validators from this height on, as JSON
//! ```
//!
//! A record is written before the archive stores its version. So every version of an archive that
//! follows from genesis has one; that of a version which was never stored, because the process died
//! in between, is written again.

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use aardvark_client::light::{GenesisValidatorsError, KnownValidators};
use aardvark_dictionary::DictionaryId;
use aardvark_dictionary::root::RootParts;
use aardvark_proof::root_json::ProofRoot;
use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTable, TableDefinition, WriteTransaction};
use serde::{Deserialize, Serialize};

/// The file's name in the archive's directory.
pub const CHAIN_FILE: &str = aardvark_archive::SERVICE_FILE;

const CHAIN: TableDefinition<'_, &str, &str> = TableDefinition::new("chain");
const HEIGHTS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("heights");
const VALIDATORS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("validators");
/// The key of the chain's id.
const ID: &str = "id";

/// Why records cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The store of records fails.
    #[error("chain.redb: {0}")]
    Store(Box<redb::Error>),
    /// A record that is not what was written.
    #[error("chain.redb: the record of height {height}: {source}")]
    Record {
        /// The height.
        height: u64,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// Validators that are not what was written.
    #[error("chain.redb: the validators of height {height}: {source}")]
    Validators {
        /// The height.
        height: u64,
        /// What is wrong.
        source: GenesisValidatorsError,
    },
    /// A record that is of another height than it is entered for.
    #[error("chain.redb: the record of height {height} is of another one")]
    OtherHeight {
        /// The height.
        height: u64,
    },
    /// The records are of another chain.
    #[error("the archive follows chain {there}, not {asked}")]
    OtherChain {
        /// The chain of the records.
        there: String,
        /// The chain at hand.
        asked: String,
    },
}

impl RecordError {
    /// Whether the store is closed, and to be opened anew.
    pub fn is_closed(&self) -> bool {
        let Self::Store(error) = self else { return false };
        matches!(**error, redb::Error::DatabaseClosed | redb::Error::PreviousIo)
    }
}

impl<E: Into<redb::Error>> From<E> for RecordError {
    fn from(error: E) -> Self {
        Self::Store(Box::new(error.into()))
    }
}

/// What is known of a height besides what the archive stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainRecord {
    /// When the block was proposed, RFC 3339; `None` for genesis.
    pub time: Option<String>,
    /// What the root of the version is over.
    pub parts: RootParts,
    /// Transactions of the chain's block that have no effects: all of a block that breaks the
    /// rules.
    pub rejected: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    time: Option<String>,
    root: ProofRoot,
    rejected: u64,
}

/// The records of a chain's heights.
pub struct ChainRecords {
    path: PathBuf,
    /// `None` while it cannot be opened anew.
    database: RwLock<Option<Database>>,
    dictionary: DictionaryId,
    /// How many heights keep theirs; 0: all.
    retained: u64,
}

impl ChainRecords {
    /// Opens the records in an archive's directory, or begins them.
    ///
    /// # Errors
    /// [`RecordError`] where they cannot be read or written.
    pub fn open(directory: &Path, dictionary: DictionaryId) -> Result<Self, RecordError> {
        let path = directory.join(CHAIN_FILE);
        let database = Database::create(&path)?;
        let write = database.begin_write()?;
        write.open_table(CHAIN)?;
        write.open_table(HEIGHTS)?;
        write.open_table(VALIDATORS)?;
        write.commit()?;
        Ok(Self { path, database: RwLock::new(Some(database)), dictionary, retained: 0 })
    }

    /// The records, of which those of so many heights stay from now on (0: all), the newest. What
    /// is there of others is deleted, and the file gives back what they took.
    ///
    /// # Errors
    /// [`RecordError`] where they cannot be read or written.
    pub fn retaining(self, heights: u64) -> Result<Self, RecordError> {
        let records = Self { retained: heights, ..self };
        if heights == 0 {
            return Ok(records);
        }
        let write = records.begin_write()?;
        let newest = write.open_table(HEIGHTS)?.last()?.map(|(height, _)| height.value());
        let deleted = newest.map_or(Ok(0), |newest| records.delete_behind(&write, newest))?;
        write.commit()?;
        let mut database = records.database.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(database) = database.as_mut().filter(|_| deleted > 0) {
            database.compact()?;
        }
        drop(database);
        Ok(records)
    }

    /// Deletes the records that need not stay behind a height, and says how many there were.
    fn delete_behind(&self, write: &WriteTransaction, newest: u64) -> Result<u64, RecordError> {
        let least = if self.retained == 0 { 0 } else { (newest + 1).saturating_sub(self.retained) };
        let mut deleted = 0;
        write.open_table(HEIGHTS)?.retain_in(..least, |_, _| {
            deleted += 1;
            false
        })?;
        Ok(deleted)
    }

    /// Opens the file anew, after it failed.
    ///
    /// # Errors
    /// [`RecordError::Store`].
    pub fn reopen(&self) -> Result<(), RecordError> {
        let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
        *database = None;
        *database = Some(Database::open(&self.path)?);
        Ok(())
    }

    fn begin_read(&self) -> Result<ReadTransaction, RecordError> {
        let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
        Ok(database.as_ref().ok_or(redb::Error::DatabaseClosed)?.begin_read()?)
    }

    fn begin_write(&self) -> Result<WriteTransaction, RecordError> {
        let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
        Ok(database.as_ref().ok_or(redb::Error::DatabaseClosed)?.begin_write()?)
    }

    /// The chain's id, once there is one.
    ///
    /// # Errors
    /// [`RecordError::Store`].
    pub fn chain_id(&self) -> Result<Option<String>, RecordError> {
        let read = self.begin_read()?;
        Ok(read.open_table(CHAIN)?.get(ID)?.map(|id| id.value().to_owned()))
    }

    /// Ties the records to a chain.
    ///
    /// # Errors
    /// [`RecordError::OtherChain`] where they are of another one.
    pub fn set_chain_id(&self, asked: &str) -> Result<(), RecordError> {
        match self.chain_id()? {
            Some(there) if there == asked => Ok(()),
            Some(there) => Err(RecordError::OtherChain { there, asked: asked.to_owned() }),
            None => {
                let write = self.begin_write()?;
                write.open_table(CHAIN)?.insert(ID, asked)?;
                Ok(write.commit()?)
            }
        }
    }

    /// The validators of a height: those that were entered last up to it, or else the first.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn validators(&self, first: KnownValidators, height: u64) -> Result<KnownValidators, RecordError> {
        let read = self.begin_read()?;
        let table = read.open_table(VALIDATORS)?;
        let Some(entry) = table.range(..=height)?.next_back().transpose()? else { return Ok(first) };
        let (since, stored) = (entry.0.value(), entry.1);
        let known = first.with_stored(since, stored.value());
        known.map_err(|source| RecordError::Validators { height: since, source })
    }

    /// Enters the validators of a height, which differ from those of the height before.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn put_validators(&self, known: &KnownValidators) -> Result<(), RecordError> {
        let height = known.height();
        let bytes = known.to_json().map_err(|source| RecordError::Record { height, source })?;
        let write = self.begin_write()?;
        write.open_table(VALIDATORS)?.insert(height, bytes.as_slice())?;
        Ok(write.commit()?)
    }

    /// The record of a height; `None` where there is none.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn get(&self, height: u64) -> Result<Option<ChainRecord>, RecordError> {
        let read = self.begin_read()?;
        let table = read.open_table(HEIGHTS)?;
        let Some(stored) = table.get(height)? else {
            return Ok(None);
        };
        let stored: Stored =
            serde_json::from_slice(stored.value()).map_err(|source| RecordError::Record { height, source })?;
        let parts = stored.root.parts(&self.dictionary);
        Ok(Some(ChainRecord { time: stored.time, parts, rejected: stored.rejected }))
    }

    /// The records of heights `from..=last` as they are stored, the first `most` of them.
    ///
    /// # Errors
    /// [`RecordError::Store`].
    pub(crate) fn stored(&self, from: u64, last: u64, most: usize) -> Result<Vec<(u64, Vec<u8>)>, RecordError> {
        let read = self.begin_read()?;
        let table = read.open_table(HEIGHTS)?;
        let records = table.range(from..=last)?.take(most);
        records
            .map(|record| {
                record.map(|(height, record)| (height.value(), record.value().to_vec())).map_err(RecordError::from)
            })
            .collect()
    }

    /// Enters records of heights as they were stored elsewhere, each of which is one of its height.
    ///
    /// # Errors
    /// [`RecordError`]; none is entered then.
    pub(crate) fn put_stored(&self, records: &[(u64, Vec<u8>)]) -> Result<(), RecordError> {
        let write = self.begin_write()?;
        let mut table = write.open_table(HEIGHTS)?;
        for (height, record) in records {
            let stored: Stored =
                serde_json::from_slice(record).map_err(|source| RecordError::Record { height: *height, source })?;
            if stored.root.parts(&self.dictionary).version != *height {
                return Err(RecordError::OtherHeight { height: *height });
            }
            table.insert(height, record.as_slice())?;
        }
        drop(table);
        Ok(write.commit()?)
    }

    /// The oldest height from which on every height up to the newest has a record; `None` where
    /// there are none.
    ///
    /// # Errors
    /// [`RecordError::Store`].
    pub fn oldest(&self) -> Result<Option<u64>, RecordError> {
        let read = self.begin_read()?;
        Ok(read.open_table(HEIGHTS)?.first()?.map(|(height, _)| height.value()))
    }

    /// Enters the record of a height.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn put(&self, record: &ChainRecord) -> Result<(), RecordError> {
        let height = record.parts.version;
        let root = ProofRoot::new(&record.parts, Vec::new());
        let stored = Stored { time: record.time.clone(), root, rejected: record.rejected };
        let bytes = serde_json::to_vec(&stored).map_err(|source| RecordError::Record { height, source })?;
        let write = self.begin_write()?;
        write.open_table(HEIGHTS)?.insert(height, bytes.as_slice())?;
        self.delete_behind(&write, height)?;
        Ok(write.commit()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(version: u64) -> ChainRecord {
        let parts = RootParts {
            dictionary: [1; 32],
            version,
            size: 2,
            tail_start: 3,
            commitment_root: [4; 32],
            tail_digest: [5; 32],
            replay_digest: [6; 32],
            window_digest: [7; 32],
        };
        ChainRecord { time: Some("2026-01-02T03:04:05Z".to_owned()), parts, rejected: 2 }
    }

    #[test]
    fn records_are_there_after_the_file_is_opened_again() {
        let directory = tempfile::tempdir().unwrap();
        let id = DictionaryId([1; 32]);
        let records = ChainRecords::open(directory.path(), id).unwrap();
        assert_eq!(records.oldest().unwrap(), None);
        for version in [3, 4] {
            records.put(&record(version)).unwrap();
        }
        drop(records);
        let records = ChainRecords::open(directory.path(), id).unwrap();
        assert_eq!(records.oldest().unwrap(), Some(3));
        assert_eq!(records.get(4).unwrap(), Some(record(4)));
        assert_eq!(records.get(5).unwrap(), None);
    }

    #[test]
    fn records_of_the_newest_heights_stay_and_the_disk_falls() {
        let directory = tempfile::tempdir().unwrap();
        let id = DictionaryId([1; 32]);
        let size = || std::fs::metadata(directory.path().join(CHAIN_FILE)).unwrap().len();
        let records = ChainRecords::open(directory.path(), id).unwrap();
        let many: Vec<_> = (0..40_000).map(|version| (version, stored(version))).collect();
        records.put_stored(&many).unwrap();
        drop(records);
        let before = size();
        let records = ChainRecords::open(directory.path(), id).unwrap().retaining(3).unwrap();
        assert_eq!(records.oldest().unwrap(), Some(39_997));
        records.put(&record(40_000)).unwrap();
        assert_eq!(records.oldest().unwrap(), Some(39_998));
        assert_eq!(records.get(40_000).unwrap(), Some(record(40_000)));
        drop(records);
        assert!(4 * size() < before, "{} of {before}", size());
        // All stay from now on.
        let records = ChainRecords::open(directory.path(), id).unwrap().retaining(0).unwrap();
        records.put(&record(40_001)).unwrap();
        assert_eq!(records.oldest().unwrap(), Some(39_998));
    }

    fn stored(version: u64) -> Vec<u8> {
        let ChainRecord { time, parts, rejected } = record(version);
        serde_json::to_vec(&Stored { time, root: ProofRoot::new(&parts, Vec::new()), rejected }).unwrap()
    }

    #[test]
    fn records_belong_to_one_chain() {
        let directory = tempfile::tempdir().unwrap();
        let records = ChainRecords::open(directory.path(), DictionaryId([1; 32])).unwrap();
        records.set_chain_id("one").unwrap();
        records.set_chain_id("one").unwrap();
        assert!(matches!(records.set_chain_id("two"), Err(RecordError::OtherChain { .. })));
    }
}
