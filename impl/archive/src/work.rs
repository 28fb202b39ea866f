//! The work of one request: its deadline, its cancellation, and the openings that it leaves to
//! others.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::error::ArchiveError;

/// The work of one question. It is looked at between keys and between vectors: whoever waits for
/// the answer ends it from another thread.
#[derive(Debug)]
pub struct Work {
    ended: AtomicBool,
    /// Its end, and the vectors whose openings are to be made by somebody else.
    limited: Option<(Instant, Mutex<BTreeSet<u64>>)>,
}

impl Work {
    /// Work without an end, which makes whatever pays in the long run.
    pub fn unlimited() -> Self {
        Self { ended: AtomicBool::new(false), limited: None }
    }

    /// Work until a moment, which computes no more than its question needs. Of the vectors whose
    /// openings should be held, since so many were asked for ([`crate::openings`]), it makes a
    /// note.
    pub fn until(deadline: Instant) -> Self {
        Self { ended: AtomicBool::new(false), limited: Some((deadline, Mutex::default())) }
    }

    /// Ends it: nobody waits any more.
    pub fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Whether it may go on.
    ///
    /// # Errors
    /// [`ArchiveError::Ended`].
    pub fn check(&self) -> Result<(), ArchiveError> {
        let late = self.limited.as_ref().is_some_and(|(deadline, _)| Instant::now() >= *deadline);
        if late || self.ended.load(Ordering::Relaxed) { Err(ArchiveError::Ended) } else { Ok(()) }
    }

    /// The vectors whose openings it found worth holding, for
    /// [`Snapshot::hold_openings`](crate::Snapshot::hold_openings).
    pub fn postponed(&self) -> Vec<u64> {
        let postponed =
            self.limited.as_ref().map(|(_, vectors)| vectors.lock().unwrap_or_else(PoisonError::into_inner));
        postponed.map_or_else(Vec::new, |vectors| vectors.iter().copied().collect())
    }

    /// Leaves the openings of a vector to others; whether it does.
    pub(crate) fn postpone(&self, vector: u64) -> bool {
        let Some((_, vectors)) = &self.limited else {
            return false;
        };
        vectors.lock().unwrap_or_else(PoisonError::into_inner).insert(vector);
        true
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn work_ends_when_it_is_ended_or_its_time_is_over() {
        let unlimited = Work::unlimited();
        assert!(unlimited.check().is_ok());
        unlimited.end();
        assert!(matches!(unlimited.check(), Err(ArchiveError::Ended)));
        assert!(matches!(Work::until(Instant::now()).check(), Err(ArchiveError::Ended)));
        assert!(Work::until(Instant::now() + Duration::from_secs(60)).check().is_ok());
    }

    #[test]
    fn only_work_with_an_end_leaves_something_to_others() {
        let work = Work::until(Instant::now());
        assert!(work.postpone(7) && work.postpone(3) && work.postpone(7));
        assert_eq!(work.postponed(), [3, 7]);
        assert!(!Work::unlimited().postpone(7));
    }
}
