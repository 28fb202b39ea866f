//! `cargo xtask test`: all that must hold before a change lands.

use std::time::Instant;

use crate::chore::{ChoreError, cargo};

/// Runs every check; with `long` the slow and exhaustive ones too.
pub fn run(long: bool) -> Result<(), ChoreError> {
    let started = Instant::now();
    cargo("Formatting", &["fmt", "--all", "--check"], &[])?;
    cargo("Lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])?;
    cargo("Documentation", &["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    cargo("Tests", &["test", "--workspace"], &[])?;
    if long {
        cargo("Long tests", &["test", "--workspace", "--release", "--", "--ignored"], &[])?;
    }
    println!("\nAll checks passed in {:.0} s.", started.elapsed().as_secs_f64());
    if !long {
        println!(
            "Skipped: the tests marked #[ignore] (long histories and timings); `cargo xtask test --long` runs them."
        );
    }
    Ok(())
}
