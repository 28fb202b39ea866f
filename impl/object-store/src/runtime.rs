//! The engine is asynchronous, an archive is not: a runtime of the store's own, on whose threads
//! the engine works, and the wait for it on any thread.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime as Threads};
use tokio::task::coop::unconstrained;

/// Threads on which the engine works: uploads, compaction, checksums.
const WORKERS: usize = 2;

/// Threads of the engine.
pub(crate) struct Runtime {
    /// `None` once the threads were told to end.
    threads: Option<Threads>,
}

impl Runtime {
    /// Starts the threads.
    ///
    /// # Errors
    /// What the system says where it starts none.
    pub(crate) fn start() -> io::Result<Self> {
        let mut builder = Builder::new_multi_thread();
        let threads = builder.worker_threads(WORKERS).thread_name("slatedb").enable_all().build()?;
        Ok(Self { threads: Some(threads) })
    }

    /// Waits for some work of the engine, on the thread that asks, whatever that is: a worker of
    /// another runtime is held up, but nothing panics and nothing waits for itself.
    ///
    /// Work that finds all it needs in memory is done without a change of threads.
    pub(crate) fn wait<F: Future>(&self, work: F) -> F::Output {
        let _within = self.threads.as_ref().map(Threads::enter);
        // The budget of a task is not renewed while that task waits here.
        let mut work = pin!(unconstrained(work));
        let waker = Waker::from(Arc::new(Asleep(thread::current())));
        let mut context = Context::from_waker(&waker);
        loop {
            match work.as_mut().poll(&mut context) {
                Poll::Ready(output) => return output,
                Poll::Pending => thread::park(),
            }
        }
    }

    /// [`Runtime::wait`], at most for a time.
    pub(crate) fn wait_at_most<F: Future>(&self, time: Duration, work: F) -> Option<F::Output> {
        self.wait(async { tokio::time::timeout(time, work).await.ok() })
    }

    /// Works beside whoever asks, until the runtime ends.
    pub(crate) fn beside(&self, work: impl Future<Output = ()> + Send + 'static) {
        if let Some(threads) = &self.threads {
            threads.spawn(work);
        }
    }
}

impl Drop for Runtime {
    /// Ends the threads without waiting for them, which a worker of another runtime may not.
    fn drop(&mut self) {
        if let Some(threads) = self.threads.take() {
            threads.shutdown_background();
        }
    }
}

/// A thread that waits.
struct Asleep(Thread);

impl Wake for Asleep {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
