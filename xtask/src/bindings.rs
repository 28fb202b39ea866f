//! `cargo xtask bindings`: the verifiers for those who do not write Rust (impl/bindings), each with
//! its own tests, on the vectors that every implementation is tested with.

use crate::chore::{ChoreError, program};
use crate::page::install_npm;

/// A verifier in another language: its name, and what tests it.
type Binding = (&'static str, fn() -> Result<(), ChoreError>);

/// All of them.
const BINDINGS: [Binding; 1] = [("JavaScript", javascript)];

/// A verifier that was not tested, and what was missing.
pub type Skipped = (&'static str, ChoreError);

/// Tests all, and installs what they need where it may.
pub fn run() -> Result<(), ChoreError> {
    BINDINGS.iter().try_for_each(|(_, test)| test())
}

/// The same; those whose language is missing are skipped, and returned to be said. On CI nothing is
/// skipped.
pub fn test() -> Result<Vec<Skipped>, ChoreError> {
    let mut skipped = Vec::new();
    for (name, test) in BINDINGS {
        match test() {
            Err(missing @ ChoreError::NoNpm) if std::env::var_os("CI").is_none() => skipped.push((name, missing)),
            outcome => outcome?,
        }
    }
    Ok(skipped)
}

/// The npm package: its types with TypeScript's compiler, then its tests under Node.
fn javascript() -> Result<(), ChoreError> {
    const FOLDER: &str = "impl/bindings/javascript";
    install_npm()?;
    let npm = |title, arguments: &[&str]| program(title, "npm", &[&["--prefix", FOLDER][..], arguments].concat());
    npm("JavaScript's packages", &["ci", "--ignore-scripts", "--no-progress"])?;
    npm("Verifier in JavaScript", &["test"])
}
