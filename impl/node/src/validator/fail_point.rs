//! Places where a test may kill the process, as a power cut would: named in `AARDVARK_FAIL_POINT=NAME`.
//!
//! Whoever sets a process' environment can kill it anyway.

use std::sync::LazyLock;

/// The places, in the order in which a block passes them.
pub const ALL: [&str; 5] = ["before-finalize", "after-finalize", "before-commit", "after-commit", "after-snapshot"];

/// The place that the environment names.
static WANTED: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("AARDVARK_FAIL_POINT").ok());

/// Aborts the process if this is the place that the environment names.
pub fn pass(name: &str, height: u64) {
    if WANTED.as_deref() == Some(name) {
        tracing::error!(name, height, "killed at a fail point");
        std::process::abort();
    }
}
