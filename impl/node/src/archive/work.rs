//! Workers: threads for what reads the store and computes, and a bounded queue before them.
//!
//! A request takes a place in the queue or is told at once that there is none; so what waits is
//! bounded, however many connections there are, and a client that is told can ask another archive.
//! Each kind of work has threads of its own, so that one does not wait for another, and those that
//! may take long have a lower priority.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::Semaphore;
use tokio::task;

use super::error::ApiError;
use crate::request_id::RequestId;

/// A bounded queue before a bounded number of threads.
#[derive(Clone, Debug)]
pub(crate) struct Workers {
    /// Places for those who wait and those who are worked on.
    places: Arc<Semaphore>,
    threads: Arc<Semaphore>,
    all: usize,
    /// Where the work is done. Without one, which is where the system gives no threads, it is done
    /// beside all others.
    pool: Option<Arc<ThreadPool>>,
}

impl Workers {
    /// So many threads at a time, and so many requests that may wait for them.
    pub(crate) fn new(name: &'static str, niceness: i32, threads: usize, waiting: usize) -> Self {
        let lower = move |_| {
            // Where the system refuses, it is done at the priority of all.
            let _ = rustix::process::nice(niceness);
        };
        let builder = ThreadPoolBuilder::new().num_threads(threads.max(1)).start_handler(lower);
        let pool = builder.thread_name(move |number| format!("{name}-{number}")).build();
        let pool = pool.inspect_err(|error| tracing::warn!(%error, "no threads for {name}")).ok().map(Arc::new);
        let all = threads + waiting;
        Self { places: Arc::new(Semaphore::new(all)), threads: Arc::new(Semaphore::new(threads)), all, pool }
    }

    /// Another queue before the same threads, for one work at a time.
    pub(crate) fn beside(&self, waiting: usize) -> Self {
        let all = 1 + waiting;
        let pool = self.pool.clone();
        Self { places: Arc::new(Semaphore::new(all)), threads: Arc::new(Semaphore::new(1)), all, pool }
    }

    /// Requests that wait or are worked on.
    pub(crate) fn taken(&self) -> usize {
        self.all - self.places.available_permits()
    }

    /// Runs work on a thread of its own. Once begun it goes on where nobody waits for it any more,
    /// until it looks whether it should ([`aardvark_archive::Work`]), and until then it has its
    /// place.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| ApiError::Busy)?;
        let thread = Arc::clone(&self.threads).acquire_owned().await.map_err(|_| ApiError::Busy)?;
        let (pool, span, request) = (self.pool.clone(), tracing::Span::current(), RequestId::here());
        let work = task::spawn_blocking(move || {
            let work = || RequestId::while_working(request, || span.in_scope(work));
            let done = match pool {
                Some(pool) => pool.install(work),
                None => work(),
            };
            drop((thread, place));
            done
        });
        work.await.unwrap_or_else(|_| Err(ApiError::Damaged("the request made the archive fail".to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn who_finds_no_place_is_told_at_once_and_places_come_back() {
        let workers = Workers::new("test", 0, 1, 1);
        let (release, blocked) = mpsc::channel::<()>();
        let first = tokio::spawn({
            let workers = workers.clone();
            async move { workers.run(move || Ok(blocked.recv().is_ok())).await }
        });
        while workers.taken() < 1 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let second = tokio::spawn({
            let workers = workers.clone();
            async move { workers.run(|| Ok(2)).await }
        });
        while workers.taken() < 2 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert_eq!(workers.run(|| Ok(3)).await, Err(ApiError::Busy));
        release.send(()).unwrap();
        assert_eq!(first.await.unwrap(), Ok(true));
        assert_eq!(second.await.unwrap(), Ok(2));
        assert_eq!(workers.taken(), 0);
    }

    #[tokio::test]
    async fn work_that_panics_is_an_error_and_gives_its_place_back() {
        let workers = Workers::new("test", 0, 1, 0);
        for _ in 0..3 {
            let outcome = workers.run(|| -> Result<(), ApiError> { panic!("as a test") }).await;
            assert!(matches!(outcome, Err(ApiError::Damaged(_))));
        }
        assert_eq!(workers.taken(), 0);
    }
}
