//! The program that measures the peers: a workspace of its own in `benches/peers`, which nothing
//! else compiles.

use crate::chore::{ChoreError, cargo};

/// Where it is, and where what is built of it goes; `benches peers` finds it there.
const PLACE: [&str; 4] = ["--manifest-path", "benches/peers/Cargo.toml", "--target-dir", "target/peers"];

/// Builds it.
pub fn build() -> Result<(), ChoreError> {
    cargo("Building the peers", &[&["build", "--release", "--locked"], &PLACE[..]].concat(), &[])
}

/// Formatting, lints and tests, and the program, for the tests of `benches` that run it.
pub fn check() -> Result<(), ChoreError> {
    let [manifest, directory] = [&PLACE[..2], &PLACE[2..]];
    cargo("Formatting of the peers", &[&["fmt", "--check"], manifest].concat(), &[])?;
    let lints = [&["clippy", "--release", "--locked"], manifest, directory, &["--all-targets", "--", "-D", "warnings"]];
    cargo("Lints of the peers", &lints.concat(), &[])?;
    cargo("Tests of the peers", &[&["test", "--release", "--locked"], manifest, directory].concat(), &[])?;
    build()
}
