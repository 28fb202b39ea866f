//! All that the handlers of requests share.

use std::sync::Arc;

use aardvark_archive::Archive;

use super::error::ApiError;
use super::limits::Limits;
use super::metrics::Metrics;
use super::reply::Budget;
use super::shelf::Shelf;
use super::work::Workers;

/// The shelf behind its counter: workers, budget and counters. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) limits: Limits,
    pub(crate) workers: Workers,
    pub(crate) budget: Budget,
    pub(crate) metrics: Arc<Metrics>,
}

impl Service {
    /// A service of a shelf, within limits.
    pub fn new(shelf: Arc<Shelf>, limits: Limits) -> Self {
        Self {
            shelf,
            limits,
            workers: Workers::new(limits.workers, limits.waiting),
            budget: Budget::new(limits.large_answers),
            metrics: Arc::new(Metrics::new()),
        }
    }

    /// Asks the archive on a worker's thread.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Shelf, &Archive) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let shelf = Arc::clone(&self.shelf);
        self.workers.run(move || question(&shelf, &shelf.archive())).await
    }
}
