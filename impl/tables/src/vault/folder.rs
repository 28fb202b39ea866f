//! The vault's folder, which nobody but its owner may read.

use std::fs;
use std::io;
use std::path::Path;

use super::error::VaultError;

#[cfg(unix)]
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    // One that an interrupted making has left may be another's idea.
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(unix)]
pub(super) fn check_mode(folder: &Path) -> Result<(), VaultError> {
    use std::os::unix::fs::PermissionsExt;
    let metadata = fs::metadata(folder).map_err(|source| VaultError::File { path: folder.to_owned(), source })?;
    if metadata.permissions().mode() & 0o077 == 0 { Ok(()) } else { Err(VaultError::Readable(folder.to_owned())) }
}

#[cfg(not(unix))]
pub(super) fn check_mode(_: &Path) -> Result<(), VaultError> {
    Ok(())
}
