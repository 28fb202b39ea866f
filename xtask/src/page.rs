//! `cargo xtask page`: the archive's page is bundled, and tested in Debian's Chromium, against an
//! archive that the command serves, and against lies. Its verifier, the npm package of
//! impl/bindings/javascript, is tested with the other bindings ([`crate::bindings`]).

use std::path::Path;

use crate::chore::{ChoreError, cargo, exists, install_packages, program, root, with_environment};

/// The page's folder, from the workspace's root.
const FOLDER: &str = "impl/node/page";

/// Installs npm where it is missing, builds the command with its page, and tests that.
pub fn run() -> Result<(), ChoreError> {
    install_npm()?;
    cargo("The command with its page", &["build", "-p", "aardvark-cli", "--features", "page"], &[])?;
    test()
}

/// Installs the page's packages, and Chromium where it is missing; bundles, and tests the page of
/// target/debug/aardvark, which has to have it.
pub fn test() -> Result<(), ChoreError> {
    let npm = |title, arguments: &[&str]| program(title, "npm", &[&["--prefix", FOLDER][..], arguments].concat());
    npm("Page's packages", &["ci", "--ignore-scripts", "--no-progress"])?;
    npm("Page", &["run", "build", "--", "--log-level=warning", "--outfile=../../../target/page.js"])?;
    install("chromium", &["chromium"], ChoreError::NoChromium)?;
    let [aardvark, screenshots] = ["target/debug/aardvark", "target/page-screenshots"].map(|path| root().join(path));
    let environment: [(&str, &Path); 2] = [("AARDVARK", &aardvark), ("AARDVARK_SCREENSHOTS", &screenshots)];
    with_environment("Page in Chromium", "npm", &["--prefix", FOLDER, "run", "browser"], &environment)
}

/// What builds the page.
pub fn install_npm() -> Result<(), ChoreError> {
    install("npm", &["npm", "node"], ChoreError::NoNpm)
}

/// Installs Debian's package where one of its programs is missing.
fn install(package: &str, programs: &[&str], missing: ChoreError) -> Result<(), ChoreError> {
    if programs.iter().all(|name| exists(name)) {
        return Ok(());
    }
    install_packages(&[package], missing)
}
