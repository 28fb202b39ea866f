//! What the numbers were taken on.

use std::fs;
use std::num::NonZero;

/// Processor, cores that this process may use, memory: one line.
pub fn description() -> String {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let cpu = field("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let memory =
        field("/proc/meminfo", "MemTotal").and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    let memory = memory.map_or_else(String::new, |kilobytes| format!(", {} GiB", (kilobytes + (1 << 19)) >> 20));
    let plural = if cores == 1 { "" } else { "s" };
    format!("{cpu}, {cores} core{plural}{memory}")
}

fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_once(':').map(|(_, value)| value.trim().to_owned())
}
