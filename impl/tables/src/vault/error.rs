//! Why the vault cannot be read or written.

use std::io;
use std::path::PathBuf;

use aardvark_archive::{ArchiveError, StoreError};
use thiserror::Error;

/// Why the vault cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VaultError {
    /// The folder or its file cannot be made or opened.
    #[error("the vault {path}: {source}")]
    File {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Others may read the folder.
    #[error("the vault {0} can be read by others; `chmod 700` it")]
    Readable(PathBuf),
    /// There is no vault.
    #[error("there is no vault {0}: whoever lost it cannot answer questions about the rows")]
    Missing(PathBuf),
    /// It is the vault of another dictionary.
    #[error("the vault is that of another dictionary")]
    OtherDictionary,
    /// It is not what was written.
    #[error("the vault is damaged: {0}")]
    Damaged(&'static str),
    /// Its store failed.
    #[error("the vault: {0}")]
    Store(#[from] StoreError),
    /// Its store failed while it wrote.
    #[error("the vault: {0}")]
    Write(#[from] ArchiveError),
}
