//! With the feature `page`: bundles the page's script with npm, from the versions and digests of
//! its lock file.
//!
//! The work is done in cargo's own folder, so that nothing is left in the source tree. Without the
//! feature nothing is done.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// What npm needs of the page, and of the verifier that the page is built on, with the folders
/// relative to this one's parent. The copies lie as the originals do: the page names the verifier's
/// folder.
const PACKAGES: [(&str, &[&str]); 2] =
    [("node/page", &["package.json", "package-lock.json", ".npmrc"]), ("bindings/javascript", &["package.json"])];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_PAGE").is_none() {
        return Ok(());
    }
    let (here, out) = (PathBuf::from(env::var("CARGO_MANIFEST_DIR")?), PathBuf::from(env::var("OUT_DIR")?));
    for (folder, files) in PACKAGES {
        let (source, work) = (here.join("..").join(folder), out.join(folder));
        fs::create_dir_all(work.join("src"))?;
        for name in files {
            copy(&source.join(name), &work.join(name))?;
        }
        println!("cargo::rerun-if-changed={}", source.join("src").display());
        for entry in fs::read_dir(source.join("src"))? {
            let entry = entry?;
            copy(&entry.path(), &work.join("src").join(entry.file_name()))?;
        }
    }
    let work = out.join("node/page");
    npm(&work, &["ci", "--omit=dev", "--ignore-scripts", "--no-progress"])?;
    let bundle = format!("--outfile={}", out.join("page.js").display());
    npm(&work, &["run", "build", "--", &bundle])
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", from.display());
    fs::copy(from, to).map(drop)
}

fn npm(folder: &Path, arguments: &[&str]) -> Result<(), Box<dyn std::error::Error>> {
    let output = Command::new("npm").args(arguments).current_dir(folder).output();
    let output = output.map_err(|error| format!("the feature `page` needs npm (Debian: apt install npm): {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    Err(format!("npm {}: {}\n{}", arguments.join(" "), output.status, String::from_utf8_lossy(&said)).into())
}
