//! `cargo xtask page`: the archive's page is bundled, and its verifier tested under Node against the vectors that every
//! implementation is tested with and against proofs of an archive.

use crate::chore::{ChoreError, exists, output_of, program};

/// The page's folder, from the workspace's root.
const FOLDER: &str = "impl/node/page";

/// Installs npm and the page's packages where they are missing, bundles, tests.
pub fn run() -> Result<(), ChoreError> {
    install_npm()?;
    let npm = |title, arguments: &[&str]| program(title, "npm", &[&["--prefix", FOLDER][..], arguments].concat());
    npm("Page's packages", &["ci", "--ignore-scripts", "--no-progress"])?;
    npm("Page", &["run", "build", "--", "--log-level=warning", "--outfile=../../../target/page.js"])?;
    npm("Page's verifier", &["test"])
}

/// Installs npm where this user may; says what to install where not.
fn install_npm() -> Result<(), ChoreError> {
    if exists("npm") && exists("node") {
        return Ok(());
    }
    let is_root = output_of("id", &["-u"]).is_ok_and(|id| id.trim() == "0");
    if !is_root {
        return Err(ChoreError::NoNpm);
    }
    program("Package lists", "apt-get", &["update", "-qq"])?;
    program("npm", "apt-get", &["install", "-y", "-qq", "--no-install-recommends", "npm"])
}
