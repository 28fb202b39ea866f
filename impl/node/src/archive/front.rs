//! A front: an archive whose store another process writes. It answers as any archive does, follows
//! that store instead of a chain, and keeps nothing of its own; stored openings, which a job has
//! made, may lie in a folder beside.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use aardvark_archive::{Archive, ArchiveError, Builder, OpenStore};
use aardvark_dictionary::Genesis;

use super::shared_archive::{Following, SharedArchive};
use super::store_follower::StoreFollower;

/// A store that is not a file of the archive's directory.
#[derive(Clone)]
pub struct OtherStore {
    /// Where it is, for messages.
    pub place: String,
    /// How it is opened, to write it or to read what another process writes.
    pub open: Arc<OpenStore>,
}

impl OtherStore {
    /// The archive on the store, which there must be.
    ///
    /// # Errors
    /// [`ArchiveError::NotAnArchive`] where there is none; [`ArchiveError`] where the store cannot
    /// be opened.
    pub fn open(&self) -> Result<Archive, ArchiveError> {
        self.open_by(&Archive::builder())
    }

    /// The same; the files beside the store (the cache of the scheme's parameters, stored openings)
    /// are in a directory, which there must be.
    ///
    /// # Errors
    /// As [`OtherStore::open`]; [`ArchiveError::File`] where there is no such directory.
    pub fn open_beside(&self, directory: &Path) -> Result<Archive, ArchiveError> {
        let looked = std::fs::read_dir(directory);
        looked.map_err(|source| ArchiveError::File { path: directory.to_owned(), source })?;
        self.open_by(&Archive::builder().beside(directory))
    }

    /// A new archive on the store, which must be opened to be written; the files beside it are in a
    /// directory.
    ///
    /// # Errors
    /// [`ArchiveError::NotEmpty`] where the store has an archive; [`ArchiveError`] where the store
    /// cannot be opened.
    pub fn create(&self, directory: &Path, retention: u64, genesis: &Genesis) -> Result<Archive, ArchiveError> {
        let mut is_new = false;
        let made = self.open_or_create(directory, retention, || {
            is_new = true;
            Ok::<_, ArchiveError>(genesis.clone())
        })?;
        if is_new { Ok(made) } else { Err(ArchiveError::NotEmpty { path: self.place.clone().into() }) }
    }

    fn open_by(&self, builder: &Builder) -> Result<Archive, ArchiveError> {
        let what = "no archive was made in that store yet";
        let none = || ArchiveError::NotAnArchive { path: self.place.clone().into(), what };
        builder.open_or_create_by(Arc::clone(&self.open), || Err(none()))
    }

    /// The archive on the store, made from genesis where there is none; the files beside the store
    /// are in a directory.
    pub(super) fn open_or_create<E: From<ArchiveError>>(
        &self,
        directory: &Path,
        retention: u64,
        genesis: impl FnOnce() -> Result<Genesis, E>,
    ) -> Result<Archive, E> {
        let builder = Archive::builder().retention(retention).beside(directory);
        builder.open_or_create_by(Arc::clone(&self.open), genesis)
    }
}

impl fmt::Debug for OtherStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "OtherStore({})", self.place)
    }
}

/// The archive on a store that is opened for reading, at its newest version, and what keeps it
/// there; the files beside the store are in a directory, if one is given.
///
/// # Errors
/// As [`OtherStore::open`] and [`OtherStore::open_beside`].
pub fn open_front(
    store: &OtherStore,
    beside: Option<&Path>,
) -> Result<(Arc<SharedArchive>, StoreFollower), ArchiveError> {
    let archive = beside.map_or_else(|| store.open(), |beside| store.open_beside(beside))?;
    let shared = Arc::new(SharedArchive::without_roots(archive));
    shared.set_following(Following::CatchingUp { height: None, trouble: None });
    let follower = StoreFollower::new(Arc::clone(&shared)).with_roots()?;
    Ok((shared, follower))
}
