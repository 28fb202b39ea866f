//! Why a file could not be imported.

use super::debian::DebianError;
use crate::input::{InputError, Place};
use crate::key_text::KeyTextError;

/// Why a file could not be imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file could not be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A line is not an object of the format.
    #[error("{0}: {1}")]
    Json(Place, serde_json::Error),
    /// A line is something else than JSON lines.
    #[error("{0}: {1}")]
    NotJsonLines(Place, &'static str),
    /// A line is not a CSV record.
    #[error("{0}: {1}")]
    Csv(Place, String),
    /// Only CSV has a header.
    #[error("{0}: --header and --no-header are for CSV, and this is not read as CSV; say --format csv if it is")]
    NoHeader(String),
    /// A key or value that no dictionary takes.
    #[error("{0}: {1}")]
    Text(Place, KeyTextError),
    /// A package index is malformed.
    #[error(transparent)]
    Debian(#[from] DebianError),
}
