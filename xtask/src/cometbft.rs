//! CometBFT, the consensus engine: built from the Go proxy when it is not there.

use std::path::PathBuf;

use crate::chore::{ChoreError, exists_with, file_error, install_packages, output_of, root, with_environment};

/// The version that everything here is tested with.
const MODULE: &str = "github.com/cometbft/cometbft/cmd/cometbft@v0.38.26";
const VERSION: &str = "0.38.26";

/// The program, installed under target/ where it is not there yet. Needs Go; Debian's is installed
/// where this user may.
pub fn installed() -> Result<PathBuf, ChoreError> {
    let folder = root().join("target/cometbft");
    let path = folder.join("cometbft");
    if output_of(&path.display().to_string(), &["version"]).is_ok_and(|version| version.trim() == VERSION) {
        return Ok(path);
    }
    install_go()?;
    std::fs::create_dir_all(&folder).map_err(|source| file_error(&folder, source))?;
    with_environment("CometBFT", "go", &["install", MODULE], &[("GOBIN", &folder), ("GOFLAGS", "-trimpath".as_ref())])?;
    Ok(path)
}

/// Installs Go where it is not there and this user may.
pub fn install_go() -> Result<(), ChoreError> {
    if exists_with("go", "version") {
        return Ok(());
    }
    install_packages(&["golang-go", "ca-certificates"], ChoreError::NoGo)
}
