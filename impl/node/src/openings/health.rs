//! Whether a server is asked: one that fails is left alone for a while, twice as long each time.

use std::time::{Duration, Instant};

/// How long a server is left alone after its first failure, and at most.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));
/// How long after it said something false.
const PAUSE_OF_LIARS: Duration = Duration::from_secs(60);

/// What is remembered of a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Health {
    /// Failures since the last answer.
    failures: u32,
    /// Not asked before.
    paused_until: Option<Instant>,
    /// Whether it did not have the version that it was asked for last.
    behind: bool,
    /// For how long it is held against it that it said something false.
    lies_until: Option<Instant>,
}

/// In which order servers are asked; the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Preference {
    /// It answered last time.
    Answers,
    /// It was behind or failed, and may be asked again.
    Doubtful,
}

impl Health {
    /// Whether it may be asked now, and how willingly.
    pub(super) fn preference(&self, now: Instant) -> Option<Preference> {
        match self.paused_until {
            Some(until) if now < until => None,
            _ if self.failures > 0 || self.behind => Some(Preference::Doubtful),
            _ => Some(Preference::Answers),
        }
    }

    /// It gave what was asked for.
    pub(super) fn answered(&mut self) {
        *self = Self::default();
    }

    /// It answered that it does not have the version yet.
    pub(super) fn is_behind(&mut self) {
        *self = Self { behind: true, ..Self::default() };
    }

    /// It did not answer, or not with openings.
    pub(super) fn failed(&mut self, now: Instant) {
        let (first, most) = PAUSES;
        let pause = first.saturating_mul(1u32.checked_shl(self.failures).unwrap_or(u32::MAX)).min(most);
        *self = Self { failures: self.failures.saturating_add(1), paused_until: Some(now + pause), ..*self };
    }

    /// It gave a false opening.
    pub(super) fn lied(&mut self, now: Instant) {
        let failures = self.failures.saturating_add(1);
        let until = Some(now + PAUSE_OF_LIARS);
        *self = Self { failures, paused_until: until, lies_until: until, ..*self };
    }

    /// Whether it said something false a short while ago.
    pub(super) fn lies(&self, now: Instant) -> bool {
        self.lies_until.is_some_and(|until| now < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_fails_is_left_alone_for_ever_longer_until_it_answers() {
        let now = Instant::now();
        let mut health = Health::default();
        assert_eq!(health.preference(now), Some(Preference::Answers));
        health.is_behind();
        assert_eq!(health.preference(now), Some(Preference::Doubtful), "it may have the version by now");
        let mut pause = PAUSES.0;
        for _ in 0..40 {
            health.failed(now);
            assert_eq!(health.preference(now + pause - Duration::from_nanos(1)), None);
            assert_eq!(health.preference(now + pause), Some(Preference::Doubtful));
            pause = (2 * pause).min(PAUSES.1);
        }
        health.answered();
        assert_eq!(health.preference(now), Some(Preference::Answers));
        health.lied(now);
        assert_eq!(health.preference(now + PAUSES.1), None);
        assert!(health.lies(now) && !health.lies(now + PAUSE_OF_LIARS));
        assert_eq!(health.preference(now + PAUSE_OF_LIARS), Some(Preference::Doubtful));
    }
}
