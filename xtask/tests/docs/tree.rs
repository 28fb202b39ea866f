//! The files of the repository, and what their comments say.

use std::path::{Path, PathBuf};

/// Folders that hold what is built or installed.
const BUILT: [&str; 3] = ["target", "node_modules", ".git"];

/// First parts of paths that are looked for.
const ROOMS: [&str; 8] = ["spec/", "proofs/", "impl/", "differential-tests/", "benches/", "docs/", "xtask/", ".ci/"];

/// The repository's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The files with these extensions, by their paths in the repository.
pub fn files(extensions: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.extend((!BUILT.contains(&name.as_str())).then_some(path));
            } else if extensions.iter().any(|extension| name.ends_with(&format!(".{extension}"))) {
                found.push(path.strip_prefix(root()).unwrap().display().to_string());
            }
        }
    }
    found.sort();
    found
}

/// The text of a file.
pub fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Whether there is such a file or folder.
pub fn exists(path: &str) -> bool {
    root().join(path).exists()
}

/// The text of a file in one line, without the marks of comments, so that a citation may go over a
/// line's end.
pub fn flattened(path: &str) -> String {
    let text = read(path);
    let lines = text.lines().map(|line| line.trim_start().trim_start_matches(['/', '!', '*']).trim());
    lines.collect::<Vec<_>>().join(" ")
}

/// The comments of a Rust file.
pub fn comments(path: &str) -> String {
    let text = read(path);
    text.lines().filter(|line| line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// What stands between backticks in a Rust file's comments, or in square brackets or backticks in
/// Coq's: one a line.
pub fn quoted_in_comments(path: &str) -> String {
    let text = if path.ends_with(".rs") { comments(path) } else { read(path) };
    let quoted = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    quoted.map(str::to_owned).collect::<Vec<_>>().join("\n")
}

/// Paths of the repository in a text that name nothing; patterns and paths of what is built are
/// left out.
pub fn missing_paths(place: &str, text: &str) -> Vec<String> {
    let words = text.split(|character: char| character.is_whitespace() || "()\"',;".contains(character));
    let mut missing = Vec::new();
    for word in words {
        let path = word.trim_end_matches(['.', ':', '/']);
        let path = path.split_once(':').map_or(path, |(path, _)| path);
        let pattern = path.contains(['*', '<', '{', '$', '…', '=', '[']) || path.contains("..");
        let of_repository = ROOMS.iter().any(|room| path.starts_with(room));
        if of_repository && !pattern && !exists(path) {
            missing.push(format!("{place}: {path}"));
        }
    }
    missing
}
