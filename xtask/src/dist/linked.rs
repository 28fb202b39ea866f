//! What the binary is linked with: musl, into one file that needs no library of the system, where
//! the target and a compiler for it are there; otherwise the system's glibc.

use std::path::{Path, PathBuf};

use crate::chore::{ChoreError, cargo, exists, install_packages, output_of, root};

/// The target whose C library is linked in.
const MUSL: &str = "x86_64-unknown-linux-musl";
/// What is handed out has these of the command's features.
const FEATURES: &str = "parquet,sql,object-storage,portable";

/// Builds the binary that is handed out.
pub fn build() -> Result<PathBuf, ChoreError> {
    let mut arguments = vec!["build", "--profile", "dist", "--package", "aardvark-cli", "--features", FEATURES];
    let folder = match missing() {
        None => {
            arguments.extend(["--target", MUSL]);
            root().join("target").join(MUSL).join("dist")
        }
        Some(missing) => {
            println!("The binary needs the system's glibc: for a static one there is no {missing}.");
            root().join("target/dist")
        }
    };
    cargo("The binary", &arguments, &[])?;
    Ok(folder.join("aardvark"))
}

/// What a static binary needs and is not there, after it was tried to install it.
fn missing() -> Option<&'static str> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Some("target on this machine");
    }
    // blst, ring and SQLite are C.
    if !exists("musl-gcc") && (install_packages(&["musl-tools"], ChoreError::NoMusl).is_err() || !exists("musl-gcc")) {
        return Some("musl-gcc (Debian's musl-tools)");
    }
    let standard_library = || {
        let folder = output_of("rustc", &["--print", "target-libdir", "--target", MUSL]);
        folder.is_ok_and(|folder| Path::new(folder.trim()).is_dir())
    };
    if !standard_library() && (output_of("rustup", &["target", "add", MUSL]).is_err() || !standard_library()) {
        return Some("standard library of Rust (rustup target add x86_64-unknown-linux-musl)");
    }
    None
}

/// Whether a program needs libraries of the system that it runs on.
pub fn is_dynamic(binary: &Path) -> Result<bool, ChoreError> {
    Ok(output_of("readelf", &["--program-headers", "--wide", &binary.display().to_string()])?.contains("INTERP"))
}

/// Whether a program names such a library of the system.
pub fn needs(binary: &Path, library: &str) -> Result<bool, ChoreError> {
    let dynamic = output_of("readelf", &["--dynamic", "--wide", &binary.display().to_string()])?;
    Ok(dynamic.lines().any(|line| line.contains("NEEDED") && line.contains(library)))
}
