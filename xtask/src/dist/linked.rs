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
    let missing = missing();
    let folder = match missing {
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
    let binary = folder.join("aardvark");
    if missing.is_none() && !begins_with_ours(&binary)? {
        return Err(ChoreError::Package("the static binary does not begin at aardvark_start".to_owned()));
    }
    Ok(binary)
}

/// Whether a program begins at `aardvark_start` (`impl/musl/src/start.rs`), by the instruction that
/// no other start has: a page's address is made of another.
fn begins_with_ours(binary: &Path) -> Result<bool, ChoreError> {
    let binary = binary.display().to_string();
    let header = output_of("readelf", &["--file-header", "--wide", &binary])?;
    let entry =
        header.lines().find_map(|line| line.trim().strip_prefix("Entry point address:")?.trim().strip_prefix("0x"));
    let entry = entry.and_then(|entry| u64::from_str_radix(entry, 16).ok()).unwrap_or(0);
    let [from, to] = [entry, entry + 14].map(|place| format!("{place:#x}"));
    let listed = ["--disassemble", "--start-address", &from, "--stop-address", &to, &binary];
    Ok(output_of("objdump", &listed)?.contains("and    $0xfffffffffffff000,%rdi"))
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
    (!has_standard_library()).then_some("standard library of Rust (rustup target add x86_64-unknown-linux-musl)")
}

/// Whether Rust's standard library for musl is there, after it was tried to install it.
fn has_standard_library() -> bool {
    let there = || {
        let folder = output_of("rustc", &["--print", "target-libdir", "--target", MUSL]);
        folder.is_ok_and(|folder| Path::new(folder.trim()).is_dir())
    };
    there() || output_of("rustup", &["target", "add", MUSL]).is_ok() && there()
}

/// Tests, with musl linked in, that a program has the memory functions of `aardvark-musl` and not
/// musl's, and begins at its first instruction. `false` where there is no standard library for it,
/// and none can be had.
pub fn test_memory_functions() -> Result<bool, ChoreError> {
    if !has_standard_library() {
        return Ok(false);
    }
    let test = ["test", "--package", "aardvark-musl", "--target", MUSL];
    cargo("Memory functions, with musl linked in", &test, &[]).map(|()| true)
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
