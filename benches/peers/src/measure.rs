//! Time, memory and disk of this process, as `benches` takes them.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;

/// What one piece of work took, in seconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Taken {
    /// By the clock on the wall.
    pub wall: f64,
    /// CPU time of all threads of the process.
    pub cpu: f64,
}

/// A clock that runs.
pub struct Clock {
    wall: Instant,
    cpu: f64,
}

impl Clock {
    /// Starts.
    pub fn start() -> Self {
        Self { cpu: process_cpu(), wall: Instant::now() }
    }

    /// What each of so many equal parts took since the start.
    pub fn taken(&self, parts: usize) -> Taken {
        let parts = parts.max(1) as f64;
        Taken { wall: self.wall.elapsed().as_secs_f64() / parts, cpu: (process_cpu() - self.cpu) / parts }
    }
}

fn process_cpu() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Lets the peak of memory start from what is resident now (`proc_pid_clear_refs(5)`, value 5).
pub fn forget_peak() -> Result<()> {
    Ok(fs::write("/proc/self/clear_refs", "5")?)
}

/// The most resident memory of this process since [`forget_peak`], in bytes.
pub fn peak_memory() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM from the kernel")?;
    let kilobytes = line.split_whitespace().next().context("no VmHWM from the kernel")?;
    Ok(kilobytes.parse::<u64>()? * 1024)
}

/// Bytes that the files under a directory take on disk, holes not counted.
pub fn bytes_on_disk(directory: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        bytes += if metadata.is_dir() { bytes_on_disk(&entry.path())? } else { metadata.blocks() * 512 };
    }
    Ok(bytes)
}
