//! `cargo xtask translate`: the specification, in Coq.

use std::path::PathBuf;

use aardvark_translator::translate;

use crate::chore::{ChoreError, root};

fn folders() -> (PathBuf, PathBuf) {
    (root().join("spec/src"), root().join("proofs/generated"))
}

/// Writes proofs/generated.
pub fn write() -> Result<(), ChoreError> {
    let (specification, generated) = folders();
    let files = translate(&specification)?;
    aardvark_translator::write(&files, &generated)?;
    println!("proofs/generated: {} files written", files.len());
    Ok(())
}

/// Fails where proofs/generated is not what spec/ translates to.
pub fn check() -> Result<(), ChoreError> {
    let (specification, generated) = folders();
    let files = translate(&specification)?;
    let differences = aardvark_translator::check(&files, &generated)?;
    for difference in &differences {
        eprintln!("{difference}");
    }
    if differences.is_empty() {
        println!("proofs/generated: {} files, all up to date with spec/", files.len());
        return Ok(());
    }
    Err(ChoreError::Stale)
}
