//! `cargo xtask test`: all that must hold before a change lands.

use std::time::Instant;

use crate::chore::{ChoreError, cargo};
use crate::{prove, translate};

/// Runs every check; with `long` the slow and exhaustive ones too.
pub fn run(long: bool) -> Result<(), ChoreError> {
    let started = Instant::now();
    cargo("Formatting", &["fmt", "--all", "--check"], &[])?;
    cargo("Lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])?;
    cargo("Documentation", &["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    translate::check()?;
    let proofs = proofs(long)?;
    cargo("Tests", &["test", "--workspace"], &[])?;
    if long {
        cargo("Long tests", &["test", "--workspace", "--release", "--", "--ignored"], &[])?;
    }
    println!("\nAll checks passed in {:.0} s.", started.elapsed().as_secs_f64());
    if let Proofs::Skipped(missing) = proofs {
        println!("Skipped: the proofs ({missing}).");
    }
    if !long {
        println!("Skipped: coqchk and the tests marked #[ignore]; `cargo xtask test --long` runs them.");
    }
    Ok(())
}

enum Proofs {
    Checked,
    Skipped(ChoreError),
}

/// Without Coq the proofs are skipped, and that is said; on CI nothing is skipped.
fn proofs(long: bool) -> Result<Proofs, ChoreError> {
    match prove::run(long) {
        Ok(()) => Ok(Proofs::Checked),
        Err(missing @ ChoreError::NoCoq(_)) if std::env::var_os("CI").is_none() => Ok(Proofs::Skipped(missing)),
        Err(error) => Err(error),
    }
}
