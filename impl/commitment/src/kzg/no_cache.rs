//! In builds for verifiers alone no basis is kept in a file.

use std::io::{self, ErrorKind};
use std::path::Path;

use aardvark_algebra::{G1Affine, SplitTable};

/// Nothing.
pub(super) fn read(_path: &Path, _vector_size: usize, _setup_digest: &[u8; 32]) -> Option<SplitTable> {
    None
}

/// No file has it.
pub(super) fn has_format(_path: &Path) -> bool {
    false
}

/// An error of [`ErrorKind::Unsupported`].
pub(super) fn agrees(_path: &Path, _basis: &[G1Affine], _setup_digest: &[u8; 32]) -> io::Result<Option<bool>> {
    Err(ErrorKind::Unsupported.into())
}

/// Nothing.
pub(super) fn keep(_path: &Path, _basis: &[G1Affine], _setup_digest: &[u8; 32]) -> Option<SplitTable> {
    None
}
