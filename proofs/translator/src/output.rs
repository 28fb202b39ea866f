//! Writing the generated files to their folder, and comparing it with what they should be.

use std::path::Path;

use crate::print_file::MARK;
use crate::{GeneratedFile, TranslationError};

/// How a folder differs from a translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A file is missing.
    Missing(String),
    /// A file's text is another; the line where the difference begins, counted from 1.
    Changed(String, usize),
    /// A file is there that the translation does not have.
    Left(String),
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing(name) => write!(f, "{name} is missing"),
            Self::Changed(name, line) => write!(f, "{name} is stale: it differs from line {line} on"),
            Self::Left(name) => write!(f, "{name} belongs to no file of the specification"),
        }
    }
}

/// How the folder differs from the translation; empty when it does not.
pub fn check(generated: &[GeneratedFile], folder: &Path) -> Result<Vec<Difference>, TranslationError> {
    let mut differences = Vec::new();
    for file in generated {
        match std::fs::read_to_string(folder.join(&file.name)) {
            Ok(found) if found == file.text => {}
            Ok(found) => {
                let same = found.lines().zip(file.text.lines()).take_while(|(a, b)| a == b).count();
                differences.push(Difference::Changed(file.name.clone(), same + 1));
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                differences.push(Difference::Missing(file.name.clone()));
            }
            Err(source) => return Err(TranslationError::Read { path: folder.join(&file.name), source }),
        }
    }
    differences.extend(left_over(generated, folder)?.into_iter().map(Difference::Left));
    Ok(differences)
}

/// Writes the translation; files of an earlier one that it no longer has are removed.
pub fn write(generated: &[GeneratedFile], folder: &Path) -> Result<(), TranslationError> {
    let failure = |path: &Path| {
        let path = path.to_owned();
        move |source| TranslationError::Write { path, source }
    };
    for file in generated {
        let path = folder.join(&file.name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(failure(parent))?;
        }
        // Untouched files keep their date, so that Coq need not compile them again.
        if std::fs::read_to_string(&path).is_ok_and(|found| found == file.text) {
            continue;
        }
        std::fs::write(&path, &file.text).map_err(failure(&path))?;
    }
    for name in left_over(generated, folder)? {
        let path = folder.join(name);
        std::fs::remove_file(&path).map_err(failure(&path))?;
    }
    Ok(())
}

/// The `.v` files in the folder, and in folders in it, that bear our mark and that the translation
/// does not have.
fn left_over(generated: &[GeneratedFile], folder: &Path) -> Result<Vec<String>, TranslationError> {
    let mut names = Vec::new();
    collect_left_over(generated, folder, "", &mut names)?;
    names.sort();
    Ok(names)
}

fn collect_left_over(
    generated: &[GeneratedFile],
    folder: &Path,
    before: &str,
    names: &mut Vec<String>,
) -> Result<(), TranslationError> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = format!("{before}{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            collect_left_over(generated, &path, &format!("{name}/"), names)?;
            continue;
        }
        if !name.ends_with(".v") || generated.iter().any(|file| file.name == name) {
            continue;
        }
        let text = std::fs::read_to_string(&path).map_err(|source| TranslationError::Read { path, source })?;
        if text.contains(MARK) {
            names.push(name);
        }
    }
    Ok(())
}
