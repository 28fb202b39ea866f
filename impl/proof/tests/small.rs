//! The crate stays small: whoever verifies a proof reads and compiles what is here.

#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Crates that are compiled for this one at most, itself among them.
const MOST_CRATES: usize = 49;
/// Lines of code at most, without comments, blank lines and tests.
const MOST_LINES: usize = 1999;

/// The crates of `cargo tree` for a user who depends on this crate alone.
fn crates() -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--package", "aardvark-proof", "--edges", "normal", "--prefix", "none", "--no-dedupe"])
        .args(["--locked", "--offline", "--format", "{p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // A name and a version.
    let named = |line: &str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    String::from_utf8(output.stdout).unwrap().lines().map(named).collect()
}

#[test]
fn fewer_than_fifty_crates_are_compiled_and_none_for_threads_or_files() {
    let crates = crates();
    assert!(crates.iter().any(|name| name.starts_with("blst ")), "{crates:?}");
    assert!(crates.len() <= MOST_CRATES, "{}: {crates:?}", crates.len());
    for unwanted in ["rayon ", "tokio ", "redb ", "ureq "] {
        assert!(!crates.iter().any(|name| name.starts_with(unwanted)), "{unwanted}: {crates:?}");
    }
}

#[test]
fn there_are_fewer_than_two_thousand_lines_of_code() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut files, mut lines) = (0, 0);
    for file in std::fs::read_dir(source).unwrap() {
        let path = file.unwrap().path();
        // All files lie in one folder: one that lay deeper would not be counted.
        assert!(path.extension().is_some_and(|extension| extension == "rs"), "{}", path.display());
        let text = std::fs::read_to_string(path).unwrap();
        let code = text.lines().map(str::trim).take_while(|line| *line != "#[cfg(test)]");
        lines += code.filter(|line| !line.is_empty() && !line.starts_with("//")).count();
        files += 1;
    }
    assert!(files > 10 && lines > 1000, "{files} files, {lines} lines");
    assert!(lines <= MOST_LINES, "{lines}");
}
