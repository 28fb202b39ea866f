//! `cargo xtask operations`: Prometheus' own tool checks the alerts of `docs/operations` and runs
//! their cases. That their metrics exist is a test of the command's
//! (`impl/cli/tests/operations.rs`).

use std::path::{Path, PathBuf};

use crate::chore::{ChoreError, exists, file_error, files_below, output_in, output_of, program, root};

/// The alerts, and their cases.
const ALERTS: &str = "docs/operations/alerts.yml";
const CASES: &str = "docs/operations/alerts.test.yml";
/// Where Debian's package is unpacked.
const UNPACKED: &str = "target/promtool";

/// Checks the alerts; gets promtool where it is missing.
pub fn run() -> Result<(), ChoreError> {
    let promtool = promtool()?;
    program("Alerts", &promtool, &["check", "rules", ALERTS])?;
    program("Alerts' cases", &promtool, &["test", "rules", CASES])
}

/// The tool, of this machine or unpacked from Debian's package: installing that would start a
/// server.
fn promtool() -> Result<String, ChoreError> {
    if exists("promtool") {
        return Ok("promtool".to_owned());
    }
    let folder = root().join(UNPACKED);
    let unpacked = folder.join("usr/bin/promtool");
    if !unpacked.exists() {
        unpack(&folder).map_err(|_| ChoreError::NoPromtool)?;
    }
    Ok(unpacked.display().to_string())
}

fn unpack(folder: &Path) -> Result<(), ChoreError> {
    std::fs::create_dir_all(folder).map_err(|source| file_error(folder, source))?;
    if output_of("id", &["-u"])?.trim() == "0" {
        output_of("apt-get", &["update", "-qq"])?;
    }
    output_in(folder, "apt-get", &["download", "-qq", "prometheus"])?;
    let packages: Vec<PathBuf> = files_below(folder, &["deb"])?;
    let package = packages.last().ok_or(ChoreError::NoPromtool)?.display().to_string();
    output_in(folder, "dpkg-deb", &["-x", &package, "."]).map(drop)
}
