//! A reader's engine that stands still until it is told to take a step.

use std::sync::Arc;
use std::time::Duration;

use slatedb::config::DbReaderOptions;
use slatedb::{DbReader, Error};
use slatedb_common::clock::DefaultSystemClock;

use crate::block_cache::BlockCache;
use crate::gate::{Gate, GateClock, INTERVAL};
use crate::place::{Place, RETRIES};

/// How long the storage keeps what the engine's state is made of after it stopped to take steps:
/// the age of a state at which reading it may begin to fail.
const KEPT: Duration = Duration::from_secs(3600);

/// A reader's engine. Its state is that of its last step.
pub(crate) struct StandingReader {
    engine: DbReader,
    gate: Arc<Gate>,
}

impl StandingReader {
    /// An engine at the newest state.
    pub(crate) async fn open(place: &Place, cache: Arc<BlockCache>) -> Result<Self, Error> {
        let gate = Gate::new();
        let clock = GateClock { gate: Arc::clone(&gate), clock: DefaultSystemClock::new() };
        let options = DbReaderOptions {
            manifest_poll_interval: INTERVAL,
            checkpoint_lifetime: KEPT,
            object_store_max_retries: Some(RETRIES),
            ..DbReaderOptions::default()
        };
        let builder = DbReader::builder(place.prefix.clone(), Arc::clone(&place.storage)).with_options(options);
        let builder = builder.with_system_clock(Arc::new(clock)).with_db_cache(cache, 0);
        let reader = Self { engine: builder.build().await?, gate };
        // The engine looks once before it waits for the first time.
        let arrival = reader.gate.arrival();
        reader.or_closed(arrival).await?;
        Ok(reader)
    }

    /// Takes a step to the newest state.
    ///
    /// # Errors
    /// [`Error`] where the storage fails: the engine is closed then.
    pub(crate) async fn step(&self) -> Result<(), Error> {
        self.or_closed(self.gate.step()).await
    }

    /// The number of the newest transaction of its state. Grows with each.
    pub(crate) fn number(&self) -> u64 {
        self.engine.status().durable_seq
    }

    /// What to read its state with.
    pub(crate) fn engine(&self) -> &DbReader {
        &self.engine
    }

    /// Tells the storage that the state is not read any more.
    pub(crate) async fn close(&self) {
        if let Err(error) = self.engine.close().await {
            tracing::debug!(%error, "a reader of the store was not closed in order");
        }
    }

    async fn or_closed(&self, arrival: impl Future<Output = ()>) -> Result<(), Error> {
        let mut status = self.engine.subscribe();
        let closed = async move { drop(status.wait_for(|status| status.close_reason.is_some()).await) };
        tokio::select! {
            () = arrival => return Ok(()),
            () = closed => {}
        }
        let said = self.engine.get([]).await;
        Err(said.err().unwrap_or_else(|| Error::unavailable("the reader was closed".to_owned())))
    }
}
