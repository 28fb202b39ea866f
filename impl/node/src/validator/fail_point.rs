//! Places where a test may kill the process, as a power cut would: named in `AARDVARK_FAIL_POINT=NAME` or `NAME@HEIGHT`.
//!
//! Builds without debug assertions have none of it.

/// The places, in the order in which a block passes them.
pub const ALL: [&str; 5] = ["before-finalize", "after-finalize", "before-commit", "after-commit", "after-snapshot"];

/// Aborts the process if this is the place, and the height, that the environment names.
#[cfg(debug_assertions)]
pub fn pass(name: &str, height: u64) {
    let Ok(wanted) = std::env::var("AARDVARK_FAIL_POINT") else { return };
    let here = match wanted.split_once('@') {
        Some((place, at)) => place == name && at.parse() == Ok(height),
        None => wanted == name,
    };
    if here {
        tracing::error!(name, height, "killed at a fail point");
        std::process::abort();
    }
}

/// Does nothing.
#[cfg(not(debug_assertions))]
pub fn pass(_name: &str, _height: u64) {}
