//! Places where a test may kill the process, as a power cut would: named in
//! `AARDVARK_FAIL_POINT=NAME`, or `NAME@HEIGHT` for one block only.
//!
//! Whoever sets a process' environment can kill it anyway.

use std::sync::LazyLock;

/// The validator's places, in the order in which a block passes them.
pub const OF_VALIDATOR: [&str; 5] =
    ["before-finalize", "after-finalize", "before-commit", "after-commit", "after-snapshot"];

/// The archive's places, in the order in which a block passes them: around its record, and after
/// its version is stored.
pub const OF_ARCHIVE: [&str; 3] = ["before-record", "after-record", "after-store"];

/// The place that the environment names.
static WANTED: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("AARDVARK_FAIL_POINT").ok());

/// Aborts the process if this is the place that the environment names.
pub fn pass(name: &str, height: u64) {
    if WANTED.as_deref().is_some_and(|wanted| is(wanted, name, height)) {
        tracing::error!(name, height, "killed at a fail point");
        std::process::abort();
    }
}

fn is(wanted: &str, name: &str, height: u64) -> bool {
    match wanted.split_once('@') {
        Some((wanted, at)) => wanted == name && at.parse() == Ok(height),
        None => wanted == name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_named_for_every_block_or_for_one() {
        assert!(is("after-commit", "after-commit", 3) && !is("after-commit", "before-commit", 3));
        assert!(is("after-commit@3", "after-commit", 3) && !is("after-commit@3", "after-commit", 4));
        assert!(!is("after-commit@3", "before-commit", 3) && !is("after-commit@", "after-commit", 3));
    }
}
