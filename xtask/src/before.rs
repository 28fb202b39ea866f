//! The program `aardvark` of an earlier commit, which the tests of an upgrade begin with: built in
//! target/before from the repository's own history.

use std::path::PathBuf;

use crate::chore::{ChoreError, cargo, file_error, output_of, root};

/// The last commit whose validators know no app version but 1, and halt at a height.
const COMMIT: &str = "da6ae482039f21329adf508c70c0d101cc685e0a";

/// The program; nothing where the history does not reach as far, as in a copy without it.
pub fn built() -> Result<Option<PathBuf>, ChoreError> {
    let folder = root().join("target/before").join(&COMMIT[..12]);
    let program = folder.join("target/release/aardvark");
    if program.exists() {
        return Ok(Some(program));
    }
    if output_of("git", &["cat-file", "-e", &format!("{COMMIT}^{{commit}}")]).is_err() {
        return Ok(None);
    }
    let source = folder.join("source");
    std::fs::create_dir_all(&source).map_err(|error| file_error(&source, error))?;
    let script = r#"set -o pipefail; git archive "$0" | tar -x -C "$1""#;
    output_of("bash", &["-c", script, COMMIT, &source.display().to_string()])?;
    let (manifest, target) = (source.join("Cargo.toml").display().to_string(), folder.join("target"));
    let build = ["build", "--release", "--locked", "--package", "aardvark-cli", "--manifest-path", &manifest];
    cargo("The program of before", &build, &[("CARGO_TARGET_DIR", &target.display().to_string())])?;
    Ok(Some(program))
}
