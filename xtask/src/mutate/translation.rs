//! What a mutation changes in the translation.

use std::path::{Path, PathBuf};

use aardvark_translator::{GeneratedFile, translate};

use crate::chore::{ChoreError, files_below, read, root, write_below};
use crate::mutate::sites::Mutant;
use crate::recompile::NewText;

/// A private copy of the specification's folder, and its translation.
pub struct Translation {
    specification: PathBuf,
    pristine: Vec<GeneratedFile>,
}

impl Translation {
    /// Copies the specification into this folder, and translates it.
    pub fn new(folder: &Path) -> Result<Self, ChoreError> {
        let source = root().join("spec/src");
        let specification = folder.join("specification");
        _ = std::fs::remove_dir_all(&specification);
        for path in files_below(&source, &["rs"])? {
            write_below(&specification.join(path.strip_prefix(&source).unwrap_or(&path)), &read(&path)?)?;
        }
        Ok(Self { pristine: translate(&specification)?, specification })
    }

    /// Whether the translation has a definition of this function.
    pub fn has(&self, function: &str) -> bool {
        let head = format!("\nDefinition {function} ");
        let line = format!("\nDefinition {function}\n");
        self.pristine.iter().any(|file| file.text.contains(&head) || file.text.contains(&line))
    }

    /// What changes in the translation; none where the translator refuses the mutation.
    pub fn of(&self, mutant: &Mutant, text: &str) -> Result<Option<Vec<NewText>>, ChoreError> {
        let path = self.specification.join(&mutant.file);
        write_below(&path, &mutant.applied(text))?;
        let translated = translate(&self.specification);
        write_below(&path, text)?;
        let Ok(translated) = translated else { return Ok(None) };
        let is_new = |file: &&GeneratedFile| !self.pristine.contains(file);
        let new = translated
            .iter()
            .filter(is_new)
            .map(|file| NewText { file: file.name.trim_end_matches(".v").to_owned(), text: file.text.clone() });
        Ok(Some(new.collect()))
    }
}
