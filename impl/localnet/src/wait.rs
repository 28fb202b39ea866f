//! Polls a condition until it holds or a deadline passes.

use std::time::{Duration, Instant};

use crate::LocalnetError;

/// Asks until it is so.
pub(crate) fn wait(
    what: &str,
    seconds: u64,
    mut is_so: impl FnMut() -> Result<bool, LocalnetError>,
) -> Result<(), LocalnetError> {
    let started = Instant::now();
    while !is_so()? {
        if started.elapsed() > Duration::from_secs(seconds) {
            return Err(LocalnetError::TooLate { what: what.to_owned(), seconds });
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}
