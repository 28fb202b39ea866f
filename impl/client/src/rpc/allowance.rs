//! How long one server may keep a client busy, over all its requests: a limit for each request lets
//! a server that answers every one just in time hold a client for as long as it finds something to
//! be asked.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time that a server has left. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct Allowance {
    whole: Duration,
    left: Arc<Mutex<Duration>>,
}

impl Allowance {
    pub(super) fn new(whole: Duration) -> Self {
        Self { whole, left: Arc::new(Mutex::new(whole)) }
    }

    /// What the server had at first.
    pub(super) fn whole(&self) -> Duration {
        self.whole
    }

    /// What is left of it.
    pub(super) fn left(&self) -> Duration {
        *self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the time since `begun` from what is left.
    pub(super) fn charge(&self, begun: Instant) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        *left = left.saturating_sub(begun.elapsed());
    }
}
