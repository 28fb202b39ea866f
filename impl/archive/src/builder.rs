//! Making and opening archives.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use aardvark_commitment::Scheme;
use aardvark_dictionary::{Genesis, StateError};

use crate::archive::{Archive, OpenStore, check_scheme, open_file};
use crate::creation::Creation;
use crate::directory::Directory;
use crate::error::ArchiveError;
use crate::genesis;
use crate::redb_store::RedbStore;
use crate::scheme::published_scheme;
use crate::store::{Store, StoreError};
use crate::tables::Tables;

/// Makes archives, and opens those that there are: [`Archive::builder`].
///
/// ```
/// use aardvark_archive::Archive;
/// # use aardvark_commitment::setups::published_digest;
/// # use aardvark_dictionary::{Genesis, Identity, Parameters};
/// # let parameters = Parameters { vector_size: 4, ..Parameters::default() };
/// # let digest = published_digest(parameters.scheme, parameters.vector_size)?;
/// # let identity = Identity::new("packages", [7; 32])?;
/// # let genesis = Genesis::new(identity, parameters, digest, Vec::new())?;
/// # let parent = tempfile::tempdir()?;
/// # let directory = parent.path().join("archive");
///
/// let archive = Archive::builder().retention(100).create(&directory, &genesis)?;
/// drop(archive);
/// let archive = Archive::builder().open_read_only(&directory)?;
/// assert_eq!((archive.version(), archive.retention()), (0, 100));
///
/// // Where there is an archive, none is made.
/// assert!(Archive::builder().create(&directory, &genesis).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Builder {
    retention: u64,
    scheme: Option<Arc<Scheme>>,
    beside: Option<PathBuf>,
}

impl Archive {
    /// Makes or opens an archive, with choices.
    pub fn builder() -> Builder {
        Builder::default()
    }
}

impl Builder {
    /// How many versions before the newest stay readable in a new archive. Never fewer than the
    /// window W, which is the default. An archive that there is keeps its own.
    pub fn retention(self, versions: u64) -> Self {
        Self { retention: versions, ..self }
    }

    /// A scheme at hand, such as one with tables, or a test's. By default it is the published one
    /// ([`aardvark_commitment::setups`]), derived or read from the archive's cache when it is first
    /// needed.
    pub fn scheme(self, scheme: Arc<Scheme>) -> Self {
        Self { scheme: Some(scheme), ..self }
    }

    /// Where an archive whose store is elsewhere keeps the files beside it: the cache of the
    /// scheme's parameters, stored openings, temporary files. By default it has none.
    pub fn beside(self, directory: &Path) -> Self {
        Self { beside: Some(directory.to_owned()), ..self }
    }

    /// Creates an archive in a directory that is empty or not there. One that a killed creation has
    /// left counts as empty.
    ///
    /// # Errors
    /// [`ArchiveError::NotEmpty`], [`ArchiveError::Setup`] where genesis names another setup than
    /// the scheme's, and errors of the store; nothing is left behind then.
    pub fn create(&self, directory: &Path, genesis: &Genesis) -> Result<Archive, ArchiveError> {
        let creation = Creation::begin(directory)?;
        let directory = creation.directory().clone();
        match self.create_in(&creation, &directory, genesis) {
            Ok(archive) => Ok(archive.in_directory(directory)),
            Err(error) => {
                creation.abandon();
                Err(error)
            }
        }
    }

    fn create_in(
        &self,
        creation: &Creation,
        directory: &Directory,
        genesis: &Genesis,
    ) -> Result<Archive, ArchiveError> {
        let scheme = self.scheme_of(genesis, Some(&directory.lagrange()))?;
        let file = directory.store();
        let store = RedbStore::create(&file).map_err(|source| ArchiveError::Open { path: file, source })?;
        let archive = begin(Box::new(store), genesis, self.retention, scheme)?;
        creation.complete()?;
        Ok(archive)
    }

    /// Creates an archive on a store that is empty, such as [`RedbStore::in_memory`].
    ///
    /// # Errors
    /// [`ArchiveError::Setup`] where the scheme is not the one that genesis names; errors of the
    /// store.
    pub fn create_on(&self, store: Box<dyn Store>, genesis: &Genesis) -> Result<Archive, ArchiveError> {
        let beside = self.directory_beside();
        let cache = beside.as_ref().map(Directory::lagrange);
        let archive = begin(store, genesis, self.retention, self.scheme_of(genesis, cache.as_deref())?)?;
        Ok(match beside {
            Some(directory) => archive.in_directory(directory),
            None => archive,
        })
    }

    /// Opens an archive to read it and to add blocks. Excludes every other process.
    ///
    /// # Errors
    /// [`ArchiveError::NotAnArchive`], [`ArchiveError::OtherFormat`], [`ArchiveError::Open`] with
    /// [`StoreError::InUse`] where another process has it open, [`ArchiveError::Damaged`],
    /// [`ArchiveError::Setup`] where the scheme is not the dictionary's.
    pub fn open(&self, directory: &Path) -> Result<Archive, ArchiveError> {
        let (directory, store) = open_in(directory, RedbStore::open)?;
        let archive = Archive::on_store(store, Some(directory.clone()), self.scheme.clone())?;
        directory.renew_marker()?;
        Ok(archive)
    }

    /// Opens an archive to read it, beside other readers.
    ///
    /// # Errors
    /// As [`Builder::open`]; in use is a store that a writer has open.
    pub fn open_read_only(&self, directory: &Path) -> Result<Archive, ArchiveError> {
        let (directory, store) = open_in(directory, RedbStore::open_read_only)?;
        Archive::on_store(store, Some(directory), self.scheme.clone())
    }

    /// Opens the archive on a store that has one.
    ///
    /// # Errors
    /// [`ArchiveError::Setup`] where the scheme is not the dictionary's; [`ArchiveError::Damaged`].
    pub fn open_on(&self, store: Box<dyn Store>) -> Result<Archive, ArchiveError> {
        Archive::on_store(store, self.directory_beside(), self.scheme.clone())
    }

    /// Opens the archive on a store that is opened so, and makes one where the store is empty;
    /// [`Archive::reopen`] opens the store so again.
    ///
    /// # Errors
    /// As [`Builder::open_on`] and [`Builder::create_on`]; what `genesis` returns.
    pub fn open_or_create_by<E: From<ArchiveError>>(
        &self,
        open: Arc<OpenStore>,
        genesis: impl FnOnce() -> Result<Genesis, E>,
    ) -> Result<Archive, E> {
        let store = open().map_err(ArchiveError::from)?;
        let has_archive = Tables::of(store.read().map_err(ArchiveError::from)?).has_archive()?;
        let archive = match has_archive {
            true => self.open_on(store)?,
            false => self.create_on(store, &genesis()?)?,
        };
        Ok(archive.opened_by(open))
    }

    fn directory_beside(&self) -> Option<Directory> {
        self.beside.as_deref().map(Directory::at)
    }

    /// The scheme at hand, if any.
    pub(crate) fn scheme_at_hand(&self) -> Option<&Arc<Scheme>> {
        self.scheme.as_ref()
    }

    /// The scheme at hand, or the published one, which a cache may keep.
    fn scheme_of(&self, genesis: &Genesis, cache: Option<&Path>) -> Result<Arc<Scheme>, ArchiveError> {
        match &self.scheme {
            Some(scheme) => Ok(Arc::clone(scheme)),
            None => Ok(Arc::new(published_scheme(genesis.parameters(), genesis.setup_digest(), cache)?)),
        }
    }
}

/// The files of an archive, and its store, opened so.
fn open_in(
    directory: &Path,
    open: impl Fn(&Path) -> Result<RedbStore, StoreError>,
) -> Result<(Directory, Box<dyn Store>), ArchiveError> {
    let directory = Directory::open(directory)?;
    let store = open_file(&directory, open)?;
    Ok((directory, store))
}

/// Writes version 0 to an empty store, and opens it.
fn begin(
    store: Box<dyn Store>,
    genesis: &Genesis,
    retention: u64,
    scheme: Arc<Scheme>,
) -> Result<Archive, ArchiveError> {
    if !genesis.is_complete() {
        return Err(StateError::NoContent.into());
    }
    check_scheme(&scheme, genesis.parameters(), genesis.setup_digest())?;
    genesis::write(store.as_ref(), genesis, retention, &scheme)?;
    Archive::on_store(store, None, Some(scheme))
}
