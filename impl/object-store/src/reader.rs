//! A store that another process writes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aardvark_archive::StoreError;
use aardvark_archive::error::ArchiveError;
use aardvark_archive::store::{Read, Store, Transaction};

use crate::block_cache::BlockCache;
use crate::engine_error::store_error;
use crate::held::{Rows, State};
use crate::place::Place;
use crate::rows::read_all;
use crate::runtime::Runtime;
use crate::standing_reader::StandingReader;

/// Most engines of a reader: states that are read at a time, the newest among them. While all are
/// held, the newest gets no newer.
const MOST_STATES: usize = 4;
/// How long the end of a reader waits for the storage.
const END: Duration = Duration::from_secs(2);

/// How a store is read.
#[derive(Clone, Copy, Debug)]
pub struct ReaderOptions {
    /// How often to look for a newer state.
    pub interval: Duration,
    /// Most bytes of memory for blocks of the engine's files, about.
    pub cache_bytes: usize,
}

impl Default for ReaderOptions {
    fn default() -> Self {
        Self { interval: Duration::from_millis(500), cache_bytes: 512 << 20 }
    }
}

/// A store on object storage, open for reading, whatever its writer does meanwhile.
///
/// It looks for newer states by itself. Each [`Store::read`] is of one state, that of a whole
/// transaction, which stays as it is while it is held; the next is never of an older one. A state
/// that is held for longer than half an hour may fail to be read, with a typed error.
pub struct SlateReader {
    states: Arc<States>,
    runtime: Arc<Runtime>,
}

struct States {
    place: Place,
    cache: Arc<BlockCache>,
    engines: Mutex<Engines>,
}

struct Engines {
    newest: Arc<StandingReader>,
    /// Engines that were the newest, or may become so.
    others: Vec<Arc<StandingReader>>,
}

impl SlateReader {
    /// Opens the store of a place for reading.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] where there is none; [`StoreError::Unavailable`] where the storage
    /// does not answer.
    pub fn open(place: &Place, options: &ReaderOptions) -> Result<Self, StoreError> {
        let runtime = Arc::new(Runtime::start()?);
        let cache = Arc::new(BlockCache::new(options.cache_bytes));
        let opened = runtime.wait(StandingReader::open(place, Arc::clone(&cache))).map_err(store_error)?;
        let engines = Mutex::new(Engines { newest: Arc::new(opened), others: Vec::new() });
        let states = Arc::new(States { place: place.clone(), cache, engines });
        let (followed, interval) = (Arc::downgrade(&states), options.interval);
        runtime.beside(async move {
            loop {
                tokio::time::sleep(interval).await;
                // The reader is closed.
                let Some(states) = followed.upgrade() else { return };
                if let Err(error) = states.move_on().await {
                    tracing::warn!(%error, "the store was not read anew");
                }
            }
        });
        Ok(Self { states, runtime })
    }
}

impl States {
    fn engines(&self) -> MutexGuard<'_, Engines> {
        self.engines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets an engine whose state nobody reads take a step, and makes it the newest if it is.
    ///
    /// It is called by one task, so that nobody else takes an engine out or puts one in.
    async fn move_on(&self) -> Result<(), StoreError> {
        let Some(engine) = self.idle() else {
            return Ok(());
        };
        let engine = match engine {
            Some(engine) => {
                engine.step().await.map_err(store_error)?;
                engine
            }
            None => Arc::new(StandingReader::open(&self.place, Arc::clone(&self.cache)).await.map_err(store_error)?),
        };
        let mut engines = self.engines();
        let replaced = match engine.number() > engines.newest.number() {
            true => std::mem::replace(&mut engines.newest, engine),
            false => engine,
        };
        engines.others.push(replaced);
        Ok(())
    }

    /// An engine whose state nobody reads, taken out; `Some(None)` where one may be opened.
    fn idle(&self) -> Option<Option<Arc<StandingReader>>> {
        let mut engines = self.engines();
        // Only the newest is handed out: what nobody else holds now stays so.
        match engines.others.iter().position(|engine| Arc::strong_count(engine) == 1) {
            Some(place) => Some(Some(engines.others.swap_remove(place))),
            None if engines.others.len() + 1 < MOST_STATES => Some(None),
            None => None,
        }
    }
}

impl Store for SlateReader {
    fn read(&self) -> Result<Arc<dyn Read>, StoreError> {
        let state = State::Standing(Arc::clone(&self.states.engines().newest));
        Ok(Arc::new(Rows { state, runtime: Arc::clone(&self.runtime) }))
    }

    fn write(&self, _: &mut Transaction<'_>) -> Result<(), ArchiveError> {
        Err(StoreError::ReadOnly.into())
    }

    /// Reads every entry of the newest state, whose blocks the engine checks as it reads them.
    fn check(&self) -> Result<(), StoreError> {
        read_all(self)
    }
}

impl Drop for SlateReader {
    /// Closes the engines whose states nobody holds; the others end with those who hold them.
    fn drop(&mut self) {
        let engines = self.states.engines();
        let all = engines.others.iter().chain([&engines.newest]);
        let idle: Vec<_> = all.filter(|engine| Arc::strong_count(engine) == 1).cloned().collect();
        drop(engines);
        self.runtime.wait_at_most(END, async {
            for engine in idle {
                engine.close().await;
            }
        });
    }
}
