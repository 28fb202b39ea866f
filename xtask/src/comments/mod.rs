//! `cargo xtask comments`: no comment line is wider than 100 columns, so that prose beside code can
//! be read at the code's width. With `--fill` it fills the paragraphs that are.

mod fill;

use std::path::Path;

use crate::chore::{ChoreError, file_error, output_of, read, root};
use fill::{WIDTH, fill, is_too_wide};

/// Folders of crates that still have wider lines; a folder that has none any more must leave the
/// list.
const NOT_YET: [&str; 15] = [
    "benches",
    "differential-tests",
    "impl/algebra",
    "impl/archive",
    "impl/chain",
    "impl/cli",
    "impl/client",
    "impl/commitment",
    "impl/dictionary",
    "impl/node",
    "impl/proof",
    "proofs/oracle",
    "proofs/translator",
    "spec",
    "xtask",
];

/// Fails on a wide line in a folder that is not listed, and on a listed folder without one.
pub fn check() -> Result<(), ChoreError> {
    let mut wide = Vec::new();
    for path in files()? {
        let text = read(&root().join(&path))?;
        let lines = (1..).zip(text.lines()).filter(|(_, line)| is_too_wide(line));
        wide.extend(lines.map(|(number, _)| (path.clone(), number)));
    }
    match complaint(&wide, &NOT_YET) {
        None => {
            println!("comments: none is wider than {WIDTH} columns, but for {} folders that are listed", NOT_YET.len());
            Ok(())
        }
        Some(complaint) => Err(ChoreError::Comments(complaint)),
    }
}

/// Fills the paragraphs that are too wide in the files under a folder of the workspace.
pub fn fill_all(folder: &Path) -> Result<(), ChoreError> {
    let folder = folder.to_string_lossy();
    let folder = folder.trim_end_matches('/');
    let mut filled = 0;
    for path in files()?.into_iter().filter(|path| is_under(path, folder)) {
        let path = root().join(path);
        let text = read(&path)?;
        let narrow = fill(&text);
        if narrow != text {
            std::fs::write(&path, narrow).map_err(|source| file_error(&path, source))?;
            filled += 1;
        }
    }
    println!("{filled} files filled");
    Ok(())
}

/// What is wrong, given the wide lines and the list of folders that may have some.
fn complaint(wide: &[(String, usize)], not_yet: &[&str]) -> Option<String> {
    let is_listed = |path: &str| not_yet.iter().any(|folder| is_under(path, folder));
    let unlisted = wide.iter().filter(|(path, _)| !is_listed(path));
    let lines = unlisted.map(|(path, line)| format!("{path}, line {line} is wider than {WIDTH} columns"));
    let has_none = |folder: &&&str| !wide.iter().any(|(path, _)| is_under(path, folder));
    let done = not_yet.iter().filter(has_none);
    let done = done.map(|folder| format!("{folder} has no wide line: take it from the list NOT_YET"));
    let lines: Vec<String> = lines.chain(done).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn is_under(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The Rust files that git knows, by their paths in the workspace.
fn files() -> Result<Vec<String>, ChoreError> {
    let text = output_of("git", &["ls-files", "--cached", "--others", "--exclude-standard", "*.rs"])?;
    let exists = |path: &&str| root().join(path).is_file();
    Ok(text.lines().filter(exists).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_line_in_a_listed_folder_is_let_pass_and_a_folder_without_one_must_leave_the_list() {
        let wide = [("a/b/src/x.rs".to_owned(), 3)];
        assert_eq!(complaint(&wide, &["a/b"]), None);
        assert_eq!(complaint(&wide, &["a/bc", "a/b"]).unwrap(), "a/bc has no wide line: take it from the list NOT_YET");
        assert!(complaint(&wide, &[]).unwrap().starts_with("a/b/src/x.rs, line 3 "));
        assert!(complaint(&wide, &["a/b/src/x"]).unwrap().contains("x.rs, line 3"));
        assert_eq!(complaint(&[], &[]), None);
    }
}
