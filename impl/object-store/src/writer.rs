//! The one writer of a store.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aardvark_archive::StoreError;
use aardvark_archive::error::ArchiveError;
use aardvark_archive::store::{Read, Store, Table, Transaction, Write};
use slatedb::config::{FlushOptions, FlushType, Settings};
use slatedb::{Db, DbSnapshot, WriteBatch};

use crate::block_cache::BlockCache;
use crate::engine_error::store_error;
use crate::held::{Rows, State};
use crate::keys;
use crate::place::{Place, RETRIES};
use crate::rows::read_all;
use crate::runtime::Runtime;

/// Memory for blocks of the engine's files.
const CACHE_BYTES: usize = 128 << 20;
/// After so many transactions their rows are filed in order, at the latest: who opens the store
/// reads at most so much of the log.
const TRANSACTIONS_OF_LOG: u64 = 256;
/// How long the end of a store waits for what it still has to say to the storage. All that was
/// acknowledged is there already.
const END: Duration = Duration::from_secs(10);

/// A store on object storage, open for writing. Whoever had it open for writing before is fenced.
pub struct SlateStore {
    engine: Db,
    /// The state of the last transaction, or why there is none any more.
    newest: Mutex<Newest>,
    /// Held by the one transaction that runs.
    writing: Mutex<()>,
    runtime: Arc<Runtime>,
}

enum Newest {
    Durable(Arc<DbSnapshot>),
    /// Another writer has the store.
    Fenced,
    /// A transaction failed, and nobody here knows whether it is durable.
    Failed,
}

impl SlateStore {
    /// Opens the store of a place for writing; an empty one where there is none.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where the storage does not answer; [`StoreError`].
    pub fn open(place: &Place) -> Result<Self, StoreError> {
        let runtime = Arc::new(Runtime::start()?);
        let settings = Settings { object_store_max_retries: Some(RETRIES), ..Settings::default() };
        let opened = runtime.wait(async {
            let builder = Db::builder(place.prefix.clone(), Arc::clone(&place.storage)).with_settings(settings);
            let engine = builder.with_db_cache(Arc::new(BlockCache::new(CACHE_BYTES)), 0).build().await?;
            let newest = engine.snapshot()?;
            Ok((engine, newest))
        });
        let (engine, newest) = opened.map_err(store_error)?;
        Ok(Self { engine, newest: Mutex::new(Newest::Durable(newest)), writing: Mutex::default(), runtime })
    }

    fn newest(&self) -> MutexGuard<'_, Newest> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn durable(&self) -> Result<Arc<DbSnapshot>, StoreError> {
        match &*self.newest() {
            Newest::Durable(snapshot) => Ok(Arc::clone(snapshot)),
            Newest::Fenced => Err(StoreError::Fenced),
            Newest::Failed => Err(StoreError::Closed),
        }
    }

    /// Makes a batch durable, and nothing of it visible before.
    async fn commit(&self, batch: WriteBatch) -> Result<Arc<DbSnapshot>, slatedb::Error> {
        let written = self.engine.write(batch).await?;
        self.engine.flush().await?;
        written.await_durable().await?;
        if written.seqnum().is_multiple_of(TRANSACTIONS_OF_LOG) {
            self.engine.flush_with_options(FlushOptions { flush_type: FlushType::MemTable }).await?;
        }
        self.engine.snapshot()
    }
}

impl Store for SlateStore {
    fn read(&self) -> Result<Arc<dyn Read>, StoreError> {
        let state = State::Written(self.durable()?);
        Ok(Arc::new(Rows { state, runtime: Arc::clone(&self.runtime) }))
    }

    fn write(&self, change: &mut Transaction<'_>) -> Result<(), ArchiveError> {
        let _alone = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.durable()?;
        let mut batch = Batch::default();
        change(&mut batch)?;
        if batch.0.is_empty() {
            return Ok(());
        }
        let committed = self.runtime.wait(self.commit(batch.0)).map_err(store_error);
        let mut newest = self.newest();
        match committed {
            Ok(snapshot) => {
                *newest = Newest::Durable(snapshot);
                Ok(())
            }
            Err(error) => {
                let fenced = matches!(error, StoreError::Fenced);
                *newest = if fenced { Newest::Fenced } else { Newest::Failed };
                Err(error.into())
            }
        }
    }

    /// Reads every entry of the newest state, whose blocks the engine checks as it reads them.
    fn check(&self) -> Result<(), StoreError> {
        read_all(self)
    }
}

impl Drop for SlateStore {
    fn drop(&mut self) {
        match self.runtime.wait_at_most(END, self.engine.close()) {
            Some(Ok(())) => {}
            Some(Err(error)) => tracing::debug!(%error, "the store was not closed in order"),
            None => tracing::debug!("the store was not closed in order: the storage does not answer"),
        }
    }
}

/// A transaction, until it is written.
#[derive(Default)]
struct Batch(WriteBatch);

impl Write for Batch {
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        self.0.put(keys::row(table, key), value);
        Ok(())
    }

    fn delete(&mut self, table: Table, key: &[u8]) -> Result<(), StoreError> {
        self.0.delete(keys::row(table, key));
        Ok(())
    }
}
