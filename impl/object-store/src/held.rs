//! One state of the engine, held as long as it is read.

use std::sync::Arc;

use aardvark_archive::StoreError;
use slatedb::config::ScanOptions;
use slatedb::{DbIterator, DbSnapshot, IterationOrder};

use crate::engine_error::store_error;
use crate::keys::Range;
use crate::runtime::Runtime;
use crate::standing_reader::StandingReader;

/// A key and its value.
pub(crate) type Pair = (Vec<u8>, Vec<u8>);

/// Whose state it is.
#[derive(Clone)]
pub(crate) enum State {
    /// The writer's after a transaction.
    Written(Arc<DbSnapshot>),
    /// A reader's, which does not move on while this is held.
    Standing(Arc<StandingReader>),
}

/// One state of the engine.
#[derive(Clone)]
pub(crate) struct Rows {
    pub(crate) state: State,
    pub(crate) runtime: Arc<Runtime>,
}

impl Rows {
    /// The entries of a range, in some order. `ahead`: how many bytes to fetch at a time.
    pub(crate) fn scan(&self, range: Range, order: IterationOrder, ahead: usize) -> Result<DbIterator, StoreError> {
        let tasks = if ahead > 1 { 2 } else { 1 };
        let options = ScanOptions::new().with_order(order).with_cache_blocks(true);
        let options = options.with_read_ahead_bytes(ahead).with_max_fetch_tasks(tasks);
        let scanned = self.runtime.wait(async {
            match &self.state {
                State::Written(snapshot) => snapshot.scan_with_options(range, &options).await,
                State::Standing(reader) => reader.engine().scan_with_options(range, &options).await,
            }
        });
        scanned.map_err(store_error)
    }

    /// The next entry of a scan.
    pub(crate) fn next(&self, scan: &mut DbIterator) -> Result<Option<Pair>, StoreError> {
        let found = self.runtime.wait(scan.next()).map_err(store_error)?;
        Ok(found.map(|found| (found.key.to_vec(), found.value.to_vec())))
    }
}
