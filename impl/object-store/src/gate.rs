//! What keeps a reader's engine from moving on by itself.
//!
//! The engine looks for newer states whenever its clock has slept for an interval. Here that sleep
//! has no end of its own: the engine stands at the gate until it is let through, once for each time
//! that it was asked to move on.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use slatedb_common::clock::{DefaultSystemClock, SystemClock, SystemClockTicker};
use tokio::sync::{Semaphore, watch};

/// The interval that the engine is told: longer than any other sleep of its, by far.
pub(crate) const INTERVAL: Duration = Duration::from_secs(600);
/// A sleep of at least so long is the wait for the next look. Others end by themselves.
const LEAST_INTERVAL: Duration = Duration::from_secs(60);

/// A gate that lets through once for each step.
pub(crate) struct Gate {
    /// How often the engine has come to stand here.
    arrivals: watch::Sender<u64>,
    steps: Semaphore,
}

impl Gate {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { arrivals: watch::Sender::new(0), steps: Semaphore::new(0) })
    }

    /// Waits until the engine stands here for the first time.
    pub(crate) async fn arrival(&self) {
        self.arrival_after(0).await;
    }

    /// Lets the engine through, and waits until it stands here again.
    pub(crate) async fn step(&self) {
        let before = *self.arrivals.borrow();
        self.steps.add_permits(1);
        self.arrival_after(before).await;
    }

    async fn arrival_after(&self, before: u64) {
        // The sender is this gate's own: the wait cannot fail.
        let mut arrivals = self.arrivals.subscribe();
        let _arrived = arrivals.wait_for(|arrivals| *arrivals > before).await.map(|arrivals| *arrivals);
    }

    async fn stand(&self) {
        self.arrivals.send_modify(|arrivals| *arrivals += 1);
        if let Ok(step) = self.steps.acquire().await {
            step.forget();
        }
    }
}

/// The system's clock, whose long sleeps end at a gate.
pub(crate) struct GateClock {
    pub(crate) gate: Arc<Gate>,
    pub(crate) clock: DefaultSystemClock,
}

impl fmt::Debug for GateClock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("GateClock")
    }
}

impl SystemClock for GateClock {
    fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    fn sleep<'a>(&'a self, duration: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        if duration < LEAST_INTERVAL { self.clock.sleep(duration) } else { Box::pin(self.gate.stand()) }
    }

    fn ticker<'a>(&'a self, duration: Duration) -> SystemClockTicker<'a> {
        SystemClockTicker::new(self, duration)
    }
}
