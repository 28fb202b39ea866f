//! In builds for verifiers alone no basis is kept in a file.

use std::io::{self, ErrorKind};
use std::path::Path;

use aardvark_algebra::{G1Affine, SplitTable};

/// Nothing.
pub(super) fn read(_path: &Path, _vector_size: usize, _setup_digest: &[u8; 32]) -> Option<SplitTable> {
    None
}

/// An error of [`ErrorKind::Unsupported`].
pub(super) fn agrees(_path: &Path, _basis: &[G1Affine], _setup_digest: &[u8; 32]) -> io::Result<Option<bool>> {
    Err(ErrorKind::Unsupported.into())
}

/// An error of [`ErrorKind::Unsupported`].
pub(super) fn write(_path: &Path, _table: &SplitTable, _setup_digest: &[u8; 32]) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}
