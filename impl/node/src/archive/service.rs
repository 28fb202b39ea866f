//! State that all handlers of requests share.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use aardvark_archive::{OpeningSource, Snapshot, Work};

use super::connection_limits::ConnectionLimits;
use super::costs::Costs;
use super::error::ApiError;
use super::last_backup::last_backup;
use super::limits::{Limits, cores};
use super::metrics::Metrics;
use super::reply::Budget;
use super::shared_archive::SharedArchive;
use super::work::Workers;
use crate::keeper::Keeping;
use crate::openings::Replicas;

/// Threads for the state of the archive and its metrics, and requests that wait for them.
const STATUS: (usize, usize) = (2, 256);
/// Threads for answers that are made piece by piece.
const BULK: usize = 2;
/// Vectors that wait until their openings are made.
const HOLDING: usize = 64;
/// Priorities of what may take long: so far below that of the follower and of short requests.
const NICENESS: (i32, i32) = (5, 10);

/// Shared state of the archive's server: what it serves, and what bounds it. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    pub(crate) shared: Arc<SharedArchive>,
    pub(crate) limits: Limits,
    /// The connections that there are, and may be.
    pub(super) connections: Arc<ConnectionLimits>,
    /// For the state of the archive.
    status: Workers,
    /// For requests that take a moment.
    pub(super) quick: Workers,
    /// For proofs that take longer.
    pub(super) slow: Workers,
    /// For large answers, piece by piece.
    pub(super) bulk: Workers,
    /// For openings that are worth holding.
    holding: Workers,
    pub(super) costs: Costs,
    pub(crate) budget: Budget,
    pub(crate) metrics: Arc<Metrics>,
    /// The folder of the archive, where the time of its last backup is kept; none where it has
    /// none.
    pub(super) folder: Option<Arc<Path>>,
    /// Who has the rows of the dictionary's tables; nobody in an archive.
    pub(super) keeper: Option<Arc<Keeping>>,
    /// Who has the openings; the archive itself by default.
    pub(super) replicas: Option<Arc<Replicas>>,
}

/// Waits for an answer. When it goes, for the time is over or the client has left, the work ends.
pub(super) struct Waiting(Arc<Work>);

impl Waiting {
    pub(super) fn work(&self) -> Arc<Work> {
        Arc::clone(&self.0)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Service {
    /// A service of a shared archive, within limits.
    pub fn new(shared: Arc<SharedArchive>, limits: Limits) -> Self {
        let (low, lowest) = NICENESS;
        let slow = Workers::new("slow", lowest, limits.workers.min(cores()), limits.waiting);
        Self {
            shared,
            limits,
            connections: ConnectionLimits::new(&limits),
            status: Workers::new("status", 0, STATUS.0, STATUS.1),
            quick: Workers::new("quick", 0, limits.workers, limits.waiting),
            bulk: Workers::new("bulk", low, BULK, limits.waiting),
            holding: slow.beside(HOLDING),
            slow,
            costs: Costs::new(&limits),
            budget: Budget::new(limits.large_answers),
            metrics: Arc::default(),
            folder: None,
            keeper: None,
            replicas: None,
        }
    }

    /// The same service, whose archive has a folder.
    #[must_use]
    pub(super) fn in_folder(self, folder: &Path) -> Self {
        self.metrics.last_backup.set(last_backup(folder).unwrap_or_default());
        Self { folder: Some(folder.into()), ..self }
    }

    /// The same service, whose proofs have their openings from these servers.
    #[must_use]
    pub fn with_replicas(self, replicas: Arc<Replicas>) -> Self {
        self.shared.archive_mut().set_opening_source(Arc::clone(&replicas) as Arc<dyn OpeningSource>);
        Self { replicas: Some(replicas), ..self }
    }

    /// The same service, which answers of the rows, too.
    #[must_use]
    pub fn with_keeper(self, keeper: Keeping) -> Self {
        Self { keeper: Some(Arc::new(keeper)), ..self }
    }

    /// How many requests are worked on at a time, on threads of the runtime that wait for those of
    /// the workers.
    pub(super) fn threads(&self) -> usize {
        STATUS.0 + self.limits.workers + self.limits.workers.min(cores()) + BULK + 1
    }

    /// Requests that wait for the archive or are worked on.
    pub(crate) fn waiting_requests(&self) -> usize {
        [&self.status, &self.quick, &self.slow, &self.bulk].into_iter().map(Workers::taken).sum()
    }

    /// The work of a request that is at hand.
    pub(super) fn begin(&self) -> Waiting {
        Waiting(Arc::new(Work::until(Instant::now() + self.limits.request)))
    }

    /// Asks what the archive is at.
    pub(crate) async fn ask_status<T: Send + 'static>(
        &self,
        question: impl FnOnce(&SharedArchive, &Snapshot) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.ask_of(&self.status, question).await
    }

    /// Asks what takes a moment.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&SharedArchive, &Snapshot) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.ask_of(&self.quick, question).await
    }

    /// Asks for a large answer or a piece of one.
    pub(crate) async fn ask_bulk<T: Send + 'static>(
        &self,
        question: impl FnOnce(&SharedArchive, &Snapshot) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.ask_of(&self.bulk, question).await
    }

    async fn ask_of<T: Send + 'static>(
        &self,
        workers: &Workers,
        question: impl FnOnce(&SharedArchive, &Snapshot) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let waiting = self.begin();
        let (shared, work) = (Arc::clone(&self.shared), waiting.work());
        workers.run(move || question(&shared, &shared.archive().for_work(work))).await
    }

    /// Has openings made, one vector after the other, that some work found worth holding.
    pub(super) fn hold(&self, work: &Work) {
        for vector in work.postponed() {
            let (holding, shared) = (self.holding.clone(), Arc::clone(&self.shared));
            tokio::spawn(async move {
                let held = holding.run(move || Ok(shared.archive().hold_openings(vector)?)).await;
                match held {
                    // Where too many wait, the next who asks has it made.
                    Ok(_) | Err(ApiError::Busy) => (),
                    Err(error) => tracing::warn!(%error, vector, "openings are not held"),
                }
            });
        }
    }
}
