//! What a process takes of its machine, under the names that Prometheus' own clients have.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use aardvark_algebra::integers::u64_of_usize;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};

use super::samples::Samples;

/// Figures of this process: of the system's clocks and limits, and of Linux' `/proc/self`. What the
/// system does not give is left out.
#[derive(Debug)]
pub(super) struct Process {
    /// Seconds since 1970.
    began: u64,
}

impl Process {
    /// The process that runs this, as one that begins now.
    pub(super) fn beginning_now() -> Self {
        Self { began: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() }
    }
}

impl Collector for Process {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut samples = Samples::new(encoder);
        samples.counter("process_cpu_seconds", "Processor time that the process took.", processor_seconds())?;
        samples.gauge("process_start_time_seconds", "When it began, since 1970.", self.began)?;
        if let Some(most) = getrlimit(Resource::Nofile).current {
            samples.gauge("process_max_fds", "Descriptors that may be open.", most)?;
        }
        if let Ok(open) = std::fs::read_dir("/proc/self/fd") {
            samples.gauge("process_open_fds", "Descriptors that are open.", u64_of_usize(open.count()))?;
        }
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let bytes = |name| Some(number(&status, name)? << 10);
        if let Some(resident) = bytes("VmRSS") {
            samples.gauge("process_resident_memory_bytes", "Memory that the process has.", resident)?;
        }
        if let Some(size) = bytes("VmSize") {
            samples.gauge("process_virtual_memory_bytes", "Addresses that the process has.", size)?;
        }
        match number(&status, "Threads") {
            Some(threads) => samples.gauge("process_threads", "Threads of the process.", threads),
            None => Ok(()),
        }
    }
}

fn processor_seconds() -> f64 {
    let taken = clock_gettime(ClockId::ProcessCPUTime);
    let (seconds, nanoseconds) = (u64::try_from(taken.tv_sec).unwrap_or(0), u32::try_from(taken.tv_nsec).unwrap_or(0));
    std::time::Duration::new(seconds, nanoseconds).as_secs_f64()
}

/// The number on a line of `/proc/self/status`; sizes are in KiB there.
fn number(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_their_whole_names() {
        let status = "VmPeak:\t  9 kB\nVmRSS:\t  12 kB\nThreads:\t3\nThreadsOfOthers:\t4\nNone:\n";
        assert_eq!(
            ["VmRSS", "Threads", "None", "Vm"].map(|name| number(status, name)),
            [Some(12), Some(3), None, None]
        );
    }

    #[test]
    fn processor_time_grows_with_work() {
        let before = processor_seconds();
        let mut sum = 0u64;
        while processor_seconds() < before + 0.01 {
            sum = sum.wrapping_mul(3).wrapping_add(1);
        }
        assert!(std::hint::black_box(sum) != 0);
    }
}
