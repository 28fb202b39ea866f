//! Blocks of the engine's files in memory, most lately used first to stay.
//!
//! Two generations: what is asked for goes into the young one, and when that has half of the room,
//! it becomes the old one, and what was old is dropped.

use std::collections::HashMap;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use slatedb::Error;
use slatedb::db_cache::{CachedEntry, CachedKey, DbCache};

/// What an entry takes besides its block, about.
const ENTRY_BYTES: usize = 128;

/// Blocks, indexes and filters of the engine's files, in a bounded number of bytes.
pub(crate) struct BlockCache {
    generations: Mutex<Generations>,
    /// Most bytes of a generation.
    room: usize,
}

#[derive(Default)]
struct Generations {
    young: HashMap<CachedKey, CachedEntry>,
    old: HashMap<CachedKey, CachedEntry>,
    /// Bytes of the young generation.
    bytes: usize,
}

impl BlockCache {
    /// An empty cache of at most so many bytes, about.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { generations: Mutex::default(), room: bytes / 2 }
    }

    fn generations(&self) -> MutexGuard<'_, Generations> {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, key: &CachedKey) -> Option<CachedEntry> {
        let mut generations = self.generations();
        if let Some(entry) = generations.young.get(key) {
            return Some(entry.clone());
        }
        let entry = generations.old.remove(key)?;
        generations.put(key.clone(), entry.clone(), self.room);
        Some(entry)
    }
}

impl Generations {
    fn put(&mut self, key: CachedKey, entry: CachedEntry, room: usize) {
        self.bytes += ENTRY_BYTES + entry.size();
        if let Some(replaced) = self.young.insert(key, entry) {
            self.bytes -= ENTRY_BYTES + replaced.size();
        }
        if self.bytes > room {
            self.old = mem::take(&mut self.young);
            self.bytes = 0;
        }
    }
}

#[async_trait]
impl DbCache for BlockCache {
    async fn get_block(&self, key: &CachedKey) -> Result<Option<CachedEntry>, Error> {
        Ok(self.get(key))
    }

    async fn get_index(&self, key: &CachedKey) -> Result<Option<CachedEntry>, Error> {
        Ok(self.get(key))
    }

    async fn get_filter(&self, key: &CachedKey) -> Result<Option<CachedEntry>, Error> {
        Ok(self.get(key))
    }

    async fn get_stats(&self, key: &CachedKey) -> Result<Option<CachedEntry>, Error> {
        Ok(self.get(key))
    }

    async fn insert(&self, key: CachedKey, value: CachedEntry) {
        self.generations().put(key, value, self.room);
    }

    async fn remove(&self, key: &CachedKey) {
        let mut generations = self.generations();
        if let Some(removed) = generations.young.remove(key) {
            generations.bytes -= ENTRY_BYTES + removed.size();
        }
        generations.old.remove(key);
    }

    fn entry_count(&self) -> u64 {
        let generations = self.generations();
        u64::try_from(generations.young.len() + generations.old.len()).unwrap_or(u64::MAX)
    }
}
