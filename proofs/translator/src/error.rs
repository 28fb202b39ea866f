//! Why a translation fails.

use std::path::PathBuf;

use crate::refusal::Refusal;

/// Why there is no translation.
#[derive(Debug, thiserror::Error)]
pub enum TranslationError {
    /// A file could not be read.
    #[error("{} cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A file or folder could not be written.
    #[error("{} cannot be written: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The specification contains something that is not translated.
    #[error(transparent)]
    Refused(#[from] Refusal),
}
