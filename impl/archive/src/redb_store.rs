//! redb, the default store: one file, copy-on-write B-trees, one durable transaction a block.
//!
//! Commits run in two phases and save the allocator's state with them (redb's quick repair), so
//! that after a kill at any instant the file opens at once at its last committed version, for
//! readers too, who could not repair it.

use std::fs::File;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use redb::{
    AccessGuard, Builder, CommitError, CursorError, Database, DatabaseError, ReadOnlyDatabase, ReadOnlyTable,
    ReadableDatabase, ReadableTable, StorageBackend, StorageError, TableDefinition, TableError, TransactionError,
};

use crate::error::ArchiveError;
use crate::guard::{Guarded, guarded};
use crate::scratch::ScratchFile;
use crate::shadow::Shadow;
use crate::store::{Bounds, Entries, Entry, Read, Run, Store, StoreError, Table, Transaction, Write};

/// Memory for pages, read and not yet written. A block that changes more spills to the file before
/// it commits.
const CACHE_BYTES: usize = 192 << 20;

type Bytes = &'static [u8];

/// A store in one redb file, or in memory.
pub struct RedbStore {
    engine: Guarded<Engine>,
    /// The file, where it is opened for reading only.
    read_only: Option<PathBuf>,
}

enum Engine {
    Writable(Database),
    ReadOnly(ReadOnlyDatabase),
}

impl RedbStore {
    /// Makes a store of a file that is empty or not there.
    ///
    /// # Errors
    /// [`StoreError`] where the file cannot be created.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        guarded(|| Self::writable(builder().create(path)?))
    }

    /// Opens a file for writing, which excludes every other process. Repairs what a kill has left.
    ///
    /// # Errors
    /// [`StoreError::InUse`] where it is open already; [`StoreError`] where it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let engine = guarded(|| Ok(Engine::Writable(builder().open(path)?)))?;
        Ok(Self { engine: Guarded::new(engine), read_only: None })
    }

    /// Opens a file for reading, beside other readers.
    ///
    /// A file that a kill has left without the state that readers need is repaired in memory only.
    ///
    /// # Errors
    /// [`StoreError::InUse`] where a writer has it open; [`StoreError`] where it cannot be opened.
    pub fn open_read_only(path: &Path) -> Result<Self, StoreError> {
        let engine = guarded(|| match builder().open_read_only(path) {
            Ok(database) => Ok(Engine::ReadOnly(database)),
            Err(DatabaseError::RepairAborted) => {
                Ok(Engine::Writable(builder().create_with_backend(Shadow::open(path)?)?))
            }
            Err(error) => Err(error.into()),
        })?;
        Ok(Self { engine: Guarded::new(engine), read_only: Some(path.to_owned()) })
    }

    /// An empty store in memory.
    ///
    /// # Errors
    /// [`StoreError`] where redb fails.
    pub fn in_memory() -> Result<Self, StoreError> {
        Self::on_backend(redb::backends::InMemoryBackend::new())
    }

    /// An empty store in a file that is empty, for as long as the process lives: nothing waits
    /// until it is on the disk.
    ///
    /// # Errors
    /// [`StoreError`] where redb fails.
    pub fn scratch(file: File) -> Result<Self, StoreError> {
        Self::on_backend(ScratchFile::new(file)?)
    }

    /// A store on any of redb's backends: new where it is empty.
    ///
    /// # Errors
    /// [`StoreError`] where redb fails.
    pub fn on_backend(backend: impl StorageBackend) -> Result<Self, StoreError> {
        guarded(|| Self::writable(builder().create_with_backend(backend)?))
    }

    /// Takes over a new database and creates its tables, so that readers always find them.
    fn writable(database: Database) -> Result<Self, StoreError> {
        let transaction = begin(&database)?;
        for table in Table::ALL {
            transaction.open_table(definition(table))?;
        }
        transaction.commit()?;
        Ok(Self { engine: Guarded::new(Engine::Writable(database)), read_only: None })
    }
}

/// Entries that a cursor collects: of imports half a megabyte, which stays in the caches.
const COLLECTED: usize = 4096;

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
    fn read(&self) -> Result<Arc<dyn Read>, StoreError> {
        let engine = self.engine.get()?;
        guarded(|| {
            let transaction = match engine {
                Engine::Writable(database) => database.begin_read()?,
                Engine::ReadOnly(database) => database.begin_read()?,
            };
            let tables = Table::ALL.iter().map(|table| transaction.open_table(definition(*table)));
            let tables: Vec<_> = tables.collect::<Result<_, _>>()?;
            Ok(Arc::new(RedbRead { tables: Guarded::new(tables) }) as Arc<dyn Read>)
        })
    }

    fn write(&self, change: &mut Transaction<'_>) -> Result<(), ArchiveError> {
        let (Engine::Writable(database), None) = (self.engine.get()?, &self.read_only) else {
            return Err(StoreError::ReadOnly.into());
        };
        let transaction = guarded(|| begin(database))?;
        match changed(&transaction, change) {
            Ok(()) => Ok(guarded(|| Ok(transaction.commit()?))?),
            Err(error) => {
                // The first failure is the one to report; redb ends the transaction in any case.
                let _ = guarded(|| Ok(transaction.abort()?));
                Err(error)
            }
        }
    }

    fn check(&self) -> Result<(), StoreError> {
        // A writer's lock excludes a second look at the file.
        let Some(path) = &self.read_only else {
            return Ok(());
        };
        guarded(|| {
            let mut database = builder().create_with_backend(Shadow::open(path)?)?;
            match database.check_integrity()? {
                true => Ok(()),
                false => Err(StoreError::Damaged("a page or the list of free pages fails its checksum".to_owned())),
            }
        })
    }
}

fn changed(transaction: &redb::WriteTransaction, change: &mut Transaction<'_>) -> Result<(), ArchiveError> {
    let tables = guarded(|| {
        let tables = Table::ALL.iter().map(|table| transaction.open_table(definition(*table)));
        Ok(tables.collect::<Result<_, _>>()?)
    })?;
    let mut write = RedbWrite { tables: Guarded::new(tables) };
    let outcome = change(&mut write);
    write.tables.end()?;
    outcome
}

struct RedbRead {
    tables: Guarded<Vec<ReadOnlyTable<Bytes, Bytes>>>,
}

impl RedbRead {
    fn table(&self, table: Table) -> Result<&ReadOnlyTable<Bytes, Bytes>, StoreError> {
        self.tables.get()?.get(table.number()).ok_or(StoreError::Closed)
    }
}

impl Read for RedbRead {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        let table = self.table(table)?;
        guarded(|| Ok(table.get(key)?.map(|value| value.value().to_vec())))
    }

    fn range(&self, table: Table, bounds: Bounds<'_>) -> Result<Entries<'_>, StoreError> {
        let table = self.table(table)?;
        let range = guarded(|| Ok(table.range::<&[u8]>(bounds)?))?;
        Ok(Box::new(RedbRange { range: Some(Guarded::new(range)) }))
    }
}

type RedbItem = Result<(AccessGuard<'static, Bytes>, AccessGuard<'static, Bytes>), StorageError>;

/// A walk that ends at its first failure.
struct RedbRange {
    range: Option<Guarded<redb::Range<'static, Bytes, Bytes>>>,
}

impl RedbRange {
    fn step(
        &mut self,
        step: impl FnOnce(&mut redb::Range<'static, Bytes, Bytes>) -> Option<RedbItem>,
    ) -> Option<Result<Entry, StoreError>> {
        let range = self.range.as_mut()?;
        let found = range.get_mut().and_then(|range| {
            guarded(|| {
                let Some(entry) = step(range) else {
                    return Ok(None);
                };
                let (key, value) = entry?;
                Ok(Some((key.value().to_vec(), value.value().to_vec())))
            })
        });
        if found.is_err() {
            self.range = None;
        }
        found.transpose()
    }
}

impl Iterator for RedbRange {
    type Item = Result<Entry, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step(Iterator::next)
    }
}

impl DoubleEndedIterator for RedbRange {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.step(DoubleEndedIterator::next_back)
    }
}

struct RedbWrite<'a> {
    tables: Guarded<Vec<redb::Table<'a, Bytes, Bytes>>>,
}

impl<'a> RedbWrite<'a> {
    fn table(&mut self, table: Table) -> Result<&mut redb::Table<'a, Bytes, Bytes>, StoreError> {
        self.tables.get_mut()?.get_mut(table.number()).ok_or(StoreError::Closed)
    }
}

impl Write for RedbWrite<'_> {
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        let table = self.table(table)?;
        guarded(|| Ok(table.insert(key, value).map(drop)?))
    }

    fn put_run(&mut self, table: Table, run: &mut dyn Run) -> Result<(), StoreError> {
        let table = self.table(table)?;
        guarded(|| {
            let Some((key, value)) = run.next_entry() else { return Ok(()) };
            if table.last()?.is_some_and(|(last, _)| last.value() >= key) {
                drop(table.insert(key, value)?);
                while let Some((key, value)) = run.next_entry() {
                    drop(table.insert(key, value)?);
                }
                return Ok(());
            }
            // At the table's end redb fills page after page, without looking for the place of each.
            // A cursor collects what it is given until it is closed.
            let mut end = table.upper_bound_mut(Bound::<&[u8]>::Unbounded)?;
            end.insert_before(key, value)?;
            let mut collected = 1;
            while let Some((key, value)) = run.next_entry() {
                if collected == COLLECTED {
                    end.close()?;
                    end = table.upper_bound_mut(Bound::<&[u8]>::Unbounded)?;
                    collected = 0;
                }
                end.insert_before(key, value)?;
                collected += 1;
            }
            Ok(end.close()?)
        })
    }

    fn delete(&mut self, table: Table, key: &[u8]) -> Result<(), StoreError> {
        let table = self.table(table)?;
        guarded(|| Ok(table.remove(key).map(drop)?))
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

impl From<CursorError> for StoreError {
    fn from(error: CursorError) -> Self {
        match error {
            CursorError::Storage(error) => error.into(),
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
