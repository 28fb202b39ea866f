//! What a reader has seen of a board: a hash over all posts in the order in which they were
//! written.
//!
//! A board only grows. One that shows other posts later than it did, or fewer, was forked or set
//! back, and who notices does nothing more for it.

use std::path::{Path, PathBuf};

use aardvark_algebra::TaggedHash;
use aardvark_proof::hex_text::{decode_array, encode};
use aardvark_sigma::Digest;

use crate::bodies::write_whole;

/// What a board was seen to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct History {
    /// Its version: how many posts were seen.
    pub version: u64,
    /// The hash over them: of none the dictionary's id, then `H("..BOARD-HISTORY", hash before ||
    /// u64 bytes of the key || key || value)`.
    pub digest: Digest,
}

/// Why a board is not believed any more.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// It shows something else than it did.
    #[error("BoardForked: at version {version} the board does not have the posts that it had")]
    Forked {
        /// The version that was seen.
        version: u64,
    },
    /// The file.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file that is none.
    #[error("{0}: not what a server has seen of a board")]
    Malformed(PathBuf),
}

impl History {
    /// Of an empty board.
    pub fn new(dictionary: Digest) -> Self {
        Self { version: 0, digest: dictionary }
    }

    /// After one post more.
    #[must_use]
    pub fn after(&self, key: &[u8], value: &[u8]) -> Self {
        let hash = TaggedHash::new("AARDVARK-V1-MIXNET-BOARD-HISTORY").chain(self.digest);
        let hash = hash.chain((key.len() as u64).to_be_bytes()).chain(key).chain(value);
        Self { version: self.version + 1, digest: hash.finalize() }
    }

    /// Reads a file; `None` where there is none.
    pub fn read(path: &Path) -> Result<Option<Self>, HistoryError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(HistoryError::File { path: path.to_owned(), source }),
        };
        let fields = text.trim_end().split_once(' ');
        let seen = fields.and_then(|(version, digest)| {
            Some(Self { version: version.parse().ok()?, digest: decode_array(digest).ok()? })
        });
        seen.map(Some).ok_or_else(|| HistoryError::Malformed(path.to_owned()))
    }

    /// Writes a file, synced.
    pub fn write(&self, path: &Path) -> Result<(), HistoryError> {
        let text = format!("{} {}\n", self.version, encode(&self.digest));
        write_whole(path, text.as_bytes()).map_err(|source| HistoryError::File { path: path.to_owned(), source })
    }
}
