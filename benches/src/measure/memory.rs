//! Resident memory of this process, from the kernel, in bytes.

use std::fs;

use crate::error::BenchError;

/// Resident memory now.
pub fn resident() -> Result<u64, BenchError> {
    status_field("VmRSS:")
}

/// The most resident memory since the start, or since [`forget_peak`].
pub fn peak() -> Result<u64, BenchError> {
    status_field("VmHWM:")
}

/// Lets the peak start from what is resident now (`proc_pid_clear_refs(5)`, value 5).
pub fn forget_peak() -> Result<(), BenchError> {
    fs::write("/proc/self/clear_refs", "5").map_err(|source| BenchError::io("/proc/self/clear_refs", source))
}

fn status_field(name: &'static str) -> Result<u64, BenchError> {
    let path = "/proc/self/status";
    let status = fs::read_to_string(path).map_err(|source| BenchError::io(path, source))?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()).and_then(|number| number.parse::<u64>().ok());
    kilobytes.map(|kilobytes| kilobytes * 1024).ok_or(BenchError::NoMemoryFigure(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_remembers_what_is_gone_until_it_is_told_to_forget() {
        let big = std::hint::black_box(vec![1u8; 64 << 20]);
        let sum: u64 = big.iter().map(|byte| u64::from(*byte)).sum();
        drop(big);
        assert_eq!(sum, 64 << 20);
        assert!(peak().unwrap() >= 64 << 20);
        forget_peak().unwrap();
        assert!(peak().unwrap() < resident().unwrap() + (16 << 20));
    }
}
