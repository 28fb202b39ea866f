//! A front: an archive whose store another process writes. It answers as any archive does, follows
//! that store instead of a chain, and keeps nothing of its own.

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

    /// The same; the files beside the store are in a directory.
    ///
    /// # Errors
    /// As [`OtherStore::open`].
    pub fn open_beside(&self, directory: &Path) -> Result<Archive, ArchiveError> {
        self.open_by(&Archive::builder().beside(directory))
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
/// there.
///
/// # Errors
/// As [`OtherStore::open`].
pub fn open_front(store: &OtherStore) -> Result<(Arc<SharedArchive>, StoreFollower), ArchiveError> {
    let shared = Arc::new(SharedArchive::without_roots(store.open()?));
    shared.set_following(Following::CatchingUp { height: None, trouble: None });
    let follower = StoreFollower::new(Arc::clone(&shared)).with_roots()?;
    Ok((shared, follower))
}
