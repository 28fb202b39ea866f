//! Where a demonstration's dictionary stands: in a folder that is named, or in a temporary one.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::cleanup::{Guard, temporary_folder};
use crate::failure::Failure;

/// Where the dictionary stands.
pub enum Home {
    /// In a folder that is gone with this value.
    Temporary(TempDir, #[expect(dead_code, reason = "removes the folder when a signal comes")] Guard),
    /// In a folder that stays.
    Kept(PathBuf),
}

impl Home {
    /// The folder that is named, else a temporary one.
    ///
    /// # Errors
    /// A temporary folder that cannot be made.
    pub fn new(dir: Option<PathBuf>) -> Result<Self, Failure> {
        let failed = |source| Failure::Output { name: "a temporary folder".to_owned(), source };
        match dir {
            Some(path) => Ok(Self::Kept(path)),
            None => {
                let (folder, guard) = temporary_folder("aardvark-demo-").map_err(failed)?;
                Ok(Self::Temporary(folder, guard))
            }
        }
    }

    /// The dictionary's folder.
    pub fn path(&self) -> PathBuf {
        match self {
            Self::Temporary(folder, _) => folder.path().join("archive"),
            Self::Kept(path) => path.clone(),
        }
    }

    /// What is said of it at the end.
    pub fn farewell(&self) -> String {
        match self {
            Self::Temporary(..) => "the temporary archive is gone; keep one with --dir DIR".to_owned(),
            Self::Kept(path) => format!("the archive is in {}", path.display()),
        }
    }
}
