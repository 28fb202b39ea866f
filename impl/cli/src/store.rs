//! Opens a dictionary's store, which may have to be waited for: one writer, or any number of
//! readers, have it open.

use std::path::Path;
use std::time::{Duration, Instant};

use aardvark_archive::store::StoreError;
use aardvark_archive::{Archive, ArchiveError};
use clap::Args;

/// How long between two attempts.
const PAUSE: Duration = Duration::from_millis(50);

/// How long to wait for a store that another process has open.
#[derive(Clone, Copy, Debug, Args)]
pub struct Patience {
    /// How long to wait for a dictionary that another process has open.
    #[arg(long = "wait", value_name = "SECONDS", default_value_t = 0)]
    seconds: u64,
}

/// Opens a dictionary to write to it.
///
/// # Errors
/// As [`Builder::open`](aardvark_archive::Builder::open).
pub fn open(directory: &Path, patience: Patience) -> Result<Archive, ArchiveError> {
    patiently(|| Archive::builder().open(directory), patience)
}

/// Opens a dictionary to read it.
///
/// # Errors
/// As [`Builder::open_read_only`](aardvark_archive::Builder::open_read_only).
pub fn open_read_only(directory: &Path, patience: Patience) -> Result<Archive, ArchiveError> {
    patiently(|| Archive::builder().open_read_only(directory), patience)
}

fn patiently(
    open: impl Fn() -> Result<Archive, ArchiveError>,
    Patience { seconds }: Patience,
) -> Result<Archive, ArchiveError> {
    let begun = Instant::now();
    loop {
        match open() {
            Err(error) if is_busy(&error) && begun.elapsed() < Duration::from_secs(seconds) => {
                std::thread::sleep(PAUSE)
            }
            opened => return opened,
        }
    }
}

/// Whether another process has the store open.
pub fn is_busy(error: &ArchiveError) -> bool {
    matches!(error, ArchiveError::Open { source: StoreError::InUse, .. })
}
