//! The archive: creating and opening it, and what it knows without reading.

use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use aardvark_commitment::{Scheme, VectorCommitment};
use aardvark_dictionary::{Genesis, Parameters, Validator};

use crate::creation::Creation;
use crate::directory::Directory;
use crate::error::{ArchiveError, Damage, DamageKind, Place};
use crate::genesis;
use crate::openings::{OpeningOptions, Openings};
use crate::records::VersionInfo;
use crate::redb_store::RedbStore;
use crate::scheme;
use crate::snapshot::Snapshot;
use crate::store::{Closed, Store};
use crate::tables::Tables;
use crate::work::Work;

/// A whole dictionary on a store: every slot, the versions within retention, and the log of blocks.
///
/// One archive writes; any number that are open for reading only share a store, but not with a writer. It is read through the
/// [`Snapshot`] of its newest version, which it dereferences to, and of which others may keep clones.
pub struct Archive {
    /// The newest version. It goes before the store that it reads.
    snapshot: Snapshot,
    pub(crate) store: Box<dyn Store>,
    directory: Option<Directory>,
    /// The validator of the newest version, kept between blocks.
    pub(crate) validator: Option<Validator>,
}

impl Deref for Archive {
    type Target = Snapshot;

    fn deref(&self) -> &Snapshot {
        &self.snapshot
    }
}

/// What a new archive may choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CreateOptions {
    /// How many versions before the newest stay readable. Never fewer than the window W, which is the default.
    pub retention: u64,
}

impl Archive {
    /// Creates an archive in a directory that is empty or not there, on the published setup of the scheme. One that a killed
    /// creation has left counts as empty.
    ///
    /// # Errors
    /// [`ArchiveError::NotEmpty`], [`ArchiveError::Setup`] where genesis names another setup, and errors of the store;
    /// nothing is left behind then.
    pub fn create(directory: &Path, genesis: &Genesis, options: &CreateOptions) -> Result<Self, ArchiveError> {
        Self::create_in(Creation::begin(directory)?, genesis, options, None)
    }

    /// Creates an archive on a scheme at hand, such as a test's.
    ///
    /// # Errors
    /// As [`Archive::create`].
    pub fn create_with(
        directory: &Path,
        genesis: &Genesis,
        options: &CreateOptions,
        scheme: Arc<Scheme>,
    ) -> Result<Self, ArchiveError> {
        Self::create_in(Creation::begin(directory)?, genesis, options, Some(scheme))
    }

    fn create_in(
        creation: Creation,
        genesis: &Genesis,
        options: &CreateOptions,
        scheme: Option<Arc<Scheme>>,
    ) -> Result<Self, ArchiveError> {
        let directory = creation.directory().clone();
        let made = || {
            let cached = || {
                let cache = directory.lagrange();
                scheme::published_scheme(genesis.parameters(), genesis.setup_digest(), Some(&cache)).map(Arc::new)
            };
            let scheme = scheme.map_or_else(cached, Ok)?;
            let file = directory.store();
            let store = RedbStore::create(&file).map_err(|source| ArchiveError::Open { path: file, source })?;
            let archive = Self::begin(Box::new(store), genesis, options, scheme)?;
            creation.complete()?;
            Ok(archive)
        };
        match made() {
            Ok(archive) => Ok(archive.in_directory(directory)),
            Err(error) => {
                creation.abandon();
                Err(error)
            }
        }
    }

    fn in_directory(mut self, directory: Directory) -> Self {
        self.snapshot.lagrange = Some(directory.lagrange().into());
        self.directory = Some(directory);
        self
    }

    /// An archive on a store that is empty, such as [`RedbStore::in_memory`].
    ///
    /// # Errors
    /// [`ArchiveError::Setup`] where the scheme is not the one that genesis names; errors of the store.
    pub fn begin(
        store: Box<dyn Store>,
        genesis: &Genesis,
        options: &CreateOptions,
        scheme: Arc<Scheme>,
    ) -> Result<Self, ArchiveError> {
        if !genesis.is_complete() {
            return Err(aardvark_dictionary::StateError::NoContent.into());
        }
        check_scheme(&scheme, genesis.parameters(), genesis.setup_digest())?;
        genesis::write(store.as_ref(), genesis, options, &scheme)?;
        Self::on_store(store, None, Some(scheme))
    }

    /// Opens the archive on a store that has one.
    ///
    /// # Errors
    /// [`ArchiveError::Setup`] where the scheme is not the dictionary's; [`ArchiveError::Damaged`].
    pub fn resume(store: Box<dyn Store>, scheme: Arc<Scheme>) -> Result<Self, ArchiveError> {
        Self::on_store(store, None, Some(scheme))
    }

    /// Opens an archive to read it and to add blocks. Excludes every other process.
    ///
    /// # Errors
    /// [`ArchiveError::NotAnArchive`], [`ArchiveError::OtherFormat`], [`ArchiveError::Open`] with
    /// [`crate::store::StoreError::InUse`] where another process has it open, [`ArchiveError::Damaged`].
    pub fn open(directory: &Path) -> Result<Self, ArchiveError> {
        Self::open_in(directory, RedbStore::open, None)
    }

    /// Opens an archive to read it, beside other readers.
    ///
    /// # Errors
    /// As [`Archive::open`]; in use is a store that a writer has open.
    pub fn open_read_only(directory: &Path) -> Result<Self, ArchiveError> {
        Self::open_in(directory, RedbStore::open_read_only, None)
    }

    /// Opens an archive that is on a scheme at hand, such as a test's.
    ///
    /// # Errors
    /// As [`Archive::open`]; [`ArchiveError::Setup`] where the scheme is not the dictionary's.
    pub fn open_with(directory: &Path, scheme: Arc<Scheme>) -> Result<Self, ArchiveError> {
        Self::open_in(directory, RedbStore::open, Some(scheme))
    }

    /// Opens an archive that is on a scheme at hand to read it, beside other readers.
    ///
    /// # Errors
    /// As [`Archive::open_with`].
    pub fn open_read_only_with(directory: &Path, scheme: Arc<Scheme>) -> Result<Self, ArchiveError> {
        Self::open_in(directory, RedbStore::open_read_only, Some(scheme))
    }

    fn open_in(
        directory: &Path,
        open: impl Fn(&Path) -> Result<RedbStore, crate::store::StoreError>,
        scheme: Option<Arc<Scheme>>,
    ) -> Result<Self, ArchiveError> {
        let directory = Directory::open(directory)?;
        let file = directory.store();
        let store = open(&file).map_err(|source| ArchiveError::Open { path: file, source })?;
        Self::on_store(Box::new(store), Some(directory), scheme)
    }

    /// Reads the records that every use needs.
    fn on_store(
        store: Box<dyn Store>,
        directory: Option<Directory>,
        scheme: Option<Arc<Scheme>>,
    ) -> Result<Self, ArchiveError> {
        let read = store.read()?;
        let tables = Tables::of(Arc::clone(&read));
        let constitution = tables.constitution()?;
        let version = tables.newest_version()?;
        let info = tables.version(version)?;
        if info.size == 0 {
            let fault = DamageKind::Invalid("no sentinel");
            return Err(Damage::new(Place::Version(version), fault).into());
        }
        let lock = OnceLock::new();
        if let Some(scheme) = scheme {
            check_scheme(&scheme, &constitution.parameters, &constitution.setup_digest)?;
            lock.get_or_init(|| scheme);
        }
        let snapshot = Snapshot {
            read,
            version,
            info,
            scheme: Arc::new(lock),
            lagrange: directory.as_ref().map(|directory| directory.lagrange().into()),
            openings: openings(&constitution.parameters, &OpeningOptions::default(), version),
            constitution: Arc::new(constitution),
            work: Arc::new(Work::unlimited()),
        };
        Ok(Self { snapshot, store, directory, validator: None })
    }

    /// The newest version as it is now, to be read while the archive goes on.
    pub fn snapshot(&self) -> Snapshot {
        self.snapshot.clone()
    }

    /// Moves on to a version that is stored and that the held openings follow.
    pub(crate) fn move_to(&mut self, version: u64, info: VersionInfo) -> Result<(), ArchiveError> {
        let read = self.store.read()?;
        self.snapshot = Snapshot { read, version, info, ..self.snapshot.clone() };
        Ok(())
    }

    /// Opens the store's file anew after a failure, at its last version. Until that succeeds, the archive is closed; snapshots from
    /// before cannot be read any more.
    ///
    /// # Errors
    /// As [`Archive::open`].
    pub fn reopen(&mut self) -> Result<(), ArchiveError> {
        let Some(directory) = self.directory.clone() else {
            return Ok(());
        };
        self.validator = None;
        self.snapshot.read = Arc::new(Closed);
        self.store = Box::new(Closed);
        let file = directory.store();
        let store = RedbStore::open(&file).map_err(|source| ArchiveError::Open { path: file, source })?;
        let opened = Self::on_store(Box::new(store), Some(directory), self.scheme.get().cloned())?;
        let openings = Arc::new(self.openings.emptied(opened.version));
        *self = opened;
        self.snapshot.openings = openings;
        Ok(())
    }

    /// Bytes on disk; 0 for an archive in memory.
    ///
    /// # Errors
    /// [`ArchiveError::File`].
    pub fn bytes_on_disk(&self) -> Result<u64, ArchiveError> {
        self.directory.as_ref().map_or(Ok(0), Directory::bytes)
    }

    /// Chooses what is held to answer proofs faster, and drops what was held.
    pub fn set_opening_options(&mut self, options: &OpeningOptions) {
        self.snapshot.openings = openings(self.parameters(), options, self.version);
    }
}

/// Nothing held yet.
fn openings(parameters: &Parameters, options: &OpeningOptions, version: u64) -> Arc<Openings> {
    let vector_size = usize::try_from(parameters.vector_size).unwrap_or(usize::MAX);
    Arc::new(Openings::new(options, vector_size, version))
}

/// Whether a scheme is the one that parameters and digest name.
fn check_scheme(scheme: &Scheme, parameters: &Parameters, setup_digest: &[u8; 32]) -> Result<(), ArchiveError> {
    let same_size = u32::try_from(scheme.vector_size()) == Ok(parameters.vector_size);
    if scheme.kind() == parameters.scheme && same_size && scheme.setup_digest() == *setup_digest {
        return Ok(());
    }
    Err(ArchiveError::Setup)
}

/// A node answers from many threads.
const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<Archive>();
};
