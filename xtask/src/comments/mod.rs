//! `cargo xtask comments`: no comment line is wider than 100 columns, so that prose beside code can
//! be read at the code's width. With `--fill` it fills the paragraphs that are.

mod fill;

use std::path::Path;

use crate::chore::{ChoreError, file_error, output_of, read, root};
use fill::{WIDTH, fill, wide_lines};

/// Fails on a wide line.
pub fn check() -> Result<(), ChoreError> {
    let mut wide = Vec::new();
    for path in files()? {
        let text = read(&root().join(&path))?;
        wide.extend(wide_lines(&text).into_iter().map(|number| (path.clone(), number)));
    }
    if wide.is_empty() {
        println!("comments: none is wider than {WIDTH} columns");
        return Ok(());
    }
    let lines = wide.iter().map(|(path, line)| format!("{path}, line {line} is wider than {WIDTH} columns"));
    Err(ChoreError::Comments(lines.collect::<Vec<_>>().join("\n")))
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

fn is_under(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The Rust files that git knows, by their paths in the workspace.
fn files() -> Result<Vec<String>, ChoreError> {
    let text = output_of("git", &["ls-files", "--cached", "--others", "--exclude-standard", "*.rs"])?;
    let exists = |path: &&str| root().join(path).is_file();
    Ok(text.lines().filter(exists).map(str::to_owned).collect())
}
