//! Time: wall clock and the CPU time of the whole process, both in seconds.

use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use crate::error::BenchError;

/// What one piece of work took, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Taken {
    /// By the clock on the wall.
    pub wall: f64,
    /// CPU time of all threads of the process.
    pub cpu: f64,
}

impl Taken {
    /// The share of one of `count` equal parts.
    #[must_use]
    pub fn per(self, count: usize) -> Self {
        let count = count as f64;
        Self { wall: self.wall / count, cpu: self.cpu / count }
    }

    /// Both, one after the other.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { wall: self.wall + other.wall, cpu: self.cpu + other.cpu }
    }
}

/// Runs `work` and says what it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Taken) {
    let cpu = process_cpu();
    let wall = Instant::now();
    let result = work();
    let wall = wall.elapsed().as_secs_f64();
    (result, Taken { wall, cpu: process_cpu() - cpu })
}

/// CPU time of all threads of this process since it began, in seconds.
pub fn process_cpu() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// CPU time of all processes that this one has started and seen end, in seconds.
pub fn cpu_of_ended_processes() -> Result<f64, BenchError> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| BenchError::io("getrusage", error.into()))?;
    Ok((usage.user_time() + usage.system_time()).num_microseconds() as f64 * 1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_of_one_thread_takes_cpu_time_and_sleep_does_not() {
        let (sum, busy) = timed(|| (0..20_000_000u64).fold(0, |sum: u64, i| std::hint::black_box(sum ^ i)));
        assert!(sum < 1 << 32);
        assert!(busy.cpu > 0.0 && busy.wall > 0.0);
        let ((), idle) = timed(|| std::thread::sleep(std::time::Duration::from_millis(100)));
        assert!(idle.wall >= 0.1);
    }
}
