//! redb, the default store: one file, copy-on-write B-trees, one durable transaction a block.
//!
//! Commits run in two phases and save the allocator's state with them (redb's quick repair), so that after a kill at
//! any instant the file opens at once at its last committed version, for readers too, who could not repair it.

use std::path::{Path, PathBuf};

use redb::{
    Builder, CommitError, Database, DatabaseError, ReadOnlyDatabase, ReadOnlyTable, ReadableDatabase, StorageBackend,
    StorageError, TableDefinition, TableError, TransactionError,
};

use crate::error::ArchiveError;
use crate::shadow::Shadow;
use crate::store::{Bounds, Entries, Read, Store, StoreError, Table, Transaction, Write};

/// Memory for pages, read and not yet written. A block that changes more spills to the file before it commits.
const CACHE_BYTES: usize = 192 << 20;

type Bytes = &'static [u8];

/// A store in one redb file, or in memory.
pub struct RedbStore {
    engine: Engine,
    /// The file, where it is opened for reading only.
    read_only: Option<PathBuf>,
}

enum Engine {
    Writable(Database),
    ReadOnly(ReadOnlyDatabase),
}

impl RedbStore {
    /// Creates a file, which must not hold anything yet.
    ///
    /// # Errors
    /// [`StoreError`] where the file cannot be created.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        Self::writable(builder().create(path)?)
    }

    /// Opens a file for writing, which excludes every other process. Repairs what a kill has left.
    ///
    /// # Errors
    /// [`StoreError::InUse`] where it is open already; [`StoreError`] where it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { engine: Engine::Writable(builder().open(path)?), read_only: None })
    }

    /// Opens a file for reading, beside other readers.
    ///
    /// A file that a kill has left without the state that readers need is repaired in memory only.
    ///
    /// # Errors
    /// [`StoreError::InUse`] where a writer has it open; [`StoreError`] where it cannot be opened.
    pub fn open_read_only(path: &Path) -> Result<Self, StoreError> {
        let engine = match builder().open_read_only(path) {
            Ok(database) => Engine::ReadOnly(database),
            Err(DatabaseError::RepairAborted) => Engine::Writable(builder().create_with_backend(Shadow::open(path)?)?),
            Err(error) => return Err(error.into()),
        };
        Ok(Self { engine, read_only: Some(path.to_owned()) })
    }

    /// An empty store in memory.
    ///
    /// # Errors
    /// [`StoreError`] where redb fails.
    pub fn in_memory() -> Result<Self, StoreError> {
        Self::on_backend(redb::backends::InMemoryBackend::new())
    }

    /// A store on any of redb's backends: new where it is empty.
    ///
    /// # Errors
    /// [`StoreError`] where redb fails.
    pub fn on_backend(backend: impl StorageBackend) -> Result<Self, StoreError> {
        Self::writable(builder().create_with_backend(backend)?)
    }

    /// Takes over a new database and creates its tables, so that readers always find them.
    fn writable(database: Database) -> Result<Self, StoreError> {
        let transaction = begin(&database)?;
        for table in Table::ALL {
            transaction.open_table(definition(table))?;
        }
        transaction.commit()?;
        Ok(Self { engine: Engine::Writable(database), read_only: None })
    }
}

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

fn definition(table: Table) -> TableDefinition<'static, Bytes, Bytes> {
    TableDefinition::new(table.name())
}

fn begin(database: &Database) -> Result<redb::WriteTransaction, StoreError> {
    let mut transaction = database.begin_write()?;
    transaction.set_quick_repair(true);
    Ok(transaction)
}

impl Store for RedbStore {
    fn read(&self) -> Result<Box<dyn Read + '_>, StoreError> {
        let transaction = match &self.engine {
            Engine::Writable(database) => database.begin_read()?,
            Engine::ReadOnly(database) => database.begin_read()?,
        };
        let tables = Table::ALL.iter().map(|table| transaction.open_table(definition(*table)));
        Ok(Box::new(RedbRead { tables: tables.collect::<Result<_, _>>()? }))
    }

    fn write(&self, change: &mut Transaction<'_>) -> Result<(), ArchiveError> {
        let (Engine::Writable(database), None) = (&self.engine, &self.read_only) else {
            return Err(StoreError::ReadOnly.into());
        };
        let transaction = begin(database)?;
        {
            let tables = Table::ALL.iter().map(|table| transaction.open_table(definition(*table)));
            let mut write = RedbWrite { tables: tables.collect::<Result<_, _>>().map_err(StoreError::from)? };
            change(&mut write)?;
        }
        transaction.commit().map_err(StoreError::from)?;
        Ok(())
    }

    fn check(&self) -> Result<(), StoreError> {
        // A writer's lock excludes a second look at the file.
        let Some(path) = &self.read_only else {
            return Ok(());
        };
        let mut database = builder().create_with_backend(Shadow::open(path)?)?;
        match database.check_integrity() {
            Ok(true) => Ok(()),
            Ok(false) => Err(StoreError::Damaged("a page or the list of free pages fails its checksum".to_owned())),
            Err(error) => Err(error.into()),
        }
    }
}

struct RedbRead {
    tables: Vec<ReadOnlyTable<Bytes, Bytes>>,
}

impl RedbRead {
    fn table(&self, table: Table) -> Result<&ReadOnlyTable<Bytes, Bytes>, StoreError> {
        self.tables.get(table.number()).ok_or(StoreError::Closed)
    }
}

impl Read for RedbRead {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.table(table)?.get(key)?.map(|value| value.value().to_vec()))
    }

    fn range(&self, table: Table, bounds: Bounds<'_>) -> Result<Entries<'_>, StoreError> {
        let range = self.table(table)?.range::<&[u8]>(bounds)?;
        Ok(Box::new(range.map(|entry| {
            let (key, value) = entry?;
            Ok((key.value().to_vec(), value.value().to_vec()))
        })))
    }
}

struct RedbWrite<'a> {
    tables: Vec<redb::Table<'a, Bytes, Bytes>>,
}

impl<'a> RedbWrite<'a> {
    fn table(&mut self, table: Table) -> Result<&mut redb::Table<'a, Bytes, Bytes>, StoreError> {
        self.tables.get_mut(table.number()).ok_or(StoreError::Closed)
    }
}

impl Write for RedbWrite<'_> {
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        self.table(table)?.insert(key, value)?;
        Ok(())
    }

    fn delete(&mut self, table: Table, key: &[u8]) -> Result<(), StoreError> {
        self.table(table)?.remove(key)?;
        Ok(())
    }
}

impl From<StorageError> for StoreError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Io(error) => error.into(),
            StorageError::Corrupted(what) => Self::Damaged(what),
            StorageError::PreviousIo | StorageError::DatabaseClosed => Self::Closed,
            other => Self::Engine(other.to_string()),
        }
    }
}

impl From<DatabaseError> for StoreError {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::DatabaseAlreadyOpen => Self::InUse,
            DatabaseError::UpgradeRequired(format) => Self::EngineFormat(format),
            DatabaseError::Storage(error) => error.into(),
            other => Self::Engine(other.to_string()),
        }
    }
}

impl From<TransactionError> for StoreError {
    fn from(error: TransactionError) -> Self {
        match error {
            TransactionError::Storage(error) => error.into(),
            other => Self::Engine(other.to_string()),
        }
    }
}

impl From<TableError> for StoreError {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Storage(error) => error.into(),
            other => Self::Damaged(other.to_string()),
        }
    }
}

impl From<CommitError> for StoreError {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Storage(error) => error.into(),
            other => Self::Engine(other.to_string()),
        }
    }
}
