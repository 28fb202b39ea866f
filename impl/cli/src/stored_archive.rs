//! Archives on object storage that have no chain: made, and opened to import into them.

use std::path::Path;

use aardvark_archive::{Archive, ArchiveError, StoreError};
use aardvark_dictionary::Genesis;

use crate::failure::Failure;
use crate::object_storage::{Access, store_at};

/// Makes an archive on the store at a URL where there is none; what is beside the store is in a
/// folder, which is made where it is not there.
///
/// # Errors
/// [`ArchiveError::NotEmpty`] where there is one, whose writer is not disturbed; otherwise as for
/// [`aardvark_node::archive::OtherStore::create`].
pub fn create_at(url: &str, beside: &Path, retention: u64, genesis: &Genesis) -> Result<Archive, Failure> {
    match store_at(url, Access::Read)?.open() {
        Ok(_) => return Err(ArchiveError::NotEmpty { path: url.into() }.into()),
        // What a reader says of a place where nothing is, and of a store without an archive.
        Err(ArchiveError::Store(StoreError::Damaged(_)) | ArchiveError::NotAnArchive { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    make_folder(beside)?;
    Ok(store_at(url, Access::Write)?.create(beside, retention, genesis)?)
}

/// Opens the archive on the store at a URL to import into it: whoever wrote it is fenced.
///
/// # Errors
/// [`Failure::Usage`] where it is the archive of a chain, whose writer is not disturbed; as for
/// [`aardvark_node::archive::OtherStore::open_beside`].
pub fn open_to_import(url: &str, beside: &Path) -> Result<Archive, Failure> {
    let is_chains = !store_at(url, Access::Read)?.open()?.identity().binding().is_empty();
    if is_chains {
        return Err(Failure::Usage(format!("{url} has the archive of a chain, which takes blocks from there alone")));
    }
    make_folder(beside)?;
    Ok(store_at(url, Access::Write)?.open_beside(beside)?)
}

fn make_folder(path: &Path) -> Result<(), ArchiveError> {
    std::fs::create_dir_all(path).map_err(|source| ArchiveError::File { path: path.to_owned(), source })
}
