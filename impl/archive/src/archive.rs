//! The archive: creating and opening it, and what it knows without reading.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use aardvark_commitment::{Scheme, VectorCommitment};
use aardvark_dictionary::{DictionaryId, Genesis, Identity, Key, Parameters, Validator};

use crate::array_at::ArrayAt;
use crate::directory::Directory;
use crate::error::{ArchiveError, Damage, DamageKind, Place};
use crate::genesis;
use crate::openings::{OpeningOptions, OpeningStatistics, Openings};
use crate::records::{Constitution, VersionInfo};
use crate::redb_store::RedbStore;
use crate::scheme;
use crate::store::Store;
use crate::tables::Tables;

/// A whole dictionary on a store: every slot, the versions within retention, and the log of blocks.
///
/// One archive writes; any number that are open for reading only share a store, but not with a writer.
pub struct Archive {
    pub(crate) store: Box<dyn Store>,
    directory: Option<Directory>,
    pub(crate) constitution: Constitution,
    pub(crate) version: u64,
    pub(crate) info: VersionInfo,
    scheme: OnceLock<Arc<Scheme>>,
    /// The validator of the newest version, kept between blocks.
    pub(crate) validator: Option<Validator>,
    /// Openings that answer faster than computing them: derived, and never needed.
    pub(crate) openings: Openings,
}

/// What a new archive may choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CreateOptions {
    /// How many versions before the newest stay readable. Never fewer than the window W, which is the default.
    pub retention: u64,
}

impl Archive {
    /// Creates an archive in a directory that is empty or not there, on the published setup of the scheme.
    ///
    /// # Errors
    /// [`ArchiveError::NotEmpty`], [`ArchiveError::Setup`] where genesis names another setup, and errors of the store;
    /// nothing is left behind then.
    pub fn create(directory: &Path, genesis: &Genesis, options: &CreateOptions) -> Result<Self, ArchiveError> {
        Self::create_in(Directory::create(directory)?, genesis, options, None)
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
        Self::create_in(Directory::create(directory)?, genesis, options, Some(scheme))
    }

    fn create_in(
        directory: Directory,
        genesis: &Genesis,
        options: &CreateOptions,
        scheme: Option<Arc<Scheme>>,
    ) -> Result<Self, ArchiveError> {
        let made = || {
            let cached = || {
                let cache = directory.lagrange();
                scheme::published_scheme(genesis.parameters(), genesis.setup_digest(), Some(&cache)).map(Arc::new)
            };
            let scheme = scheme.map_or_else(cached, Ok)?;
            let file = directory.store();
            let store = RedbStore::create(&file).map_err(|source| ArchiveError::Open { path: file, source })?;
            let archive = Self::begin(Box::new(store), genesis, options, scheme)?;
            directory.complete()?;
            Ok(archive)
        };
        match made() {
            Ok(archive) => Ok(Self { directory: Some(directory), ..archive }),
            Err(error) => {
                directory.abandon();
                Err(error)
            }
        }
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
        let tables = Tables::new(store.as_ref())?;
        let constitution = tables.constitution()?;
        let version = tables.newest_version()?;
        let info = tables.version(version)?;
        drop(tables);
        if info.size == 0 {
            let fault = DamageKind::Invalid("no sentinel");
            return Err(Damage::new(Place::Version(version), fault).into());
        }
        let lock = OnceLock::new();
        if let Some(scheme) = scheme {
            check_scheme(&scheme, &constitution.parameters, &constitution.setup_digest)?;
            lock.get_or_init(|| scheme);
        }
        let openings = openings(&constitution.parameters, &OpeningOptions::default());
        Ok(Self { store, directory, constitution, version, info, scheme: lock, validator: None, openings })
    }

    /// The dictionary's id.
    pub fn id(&self) -> &DictionaryId {
        &self.constitution.id
    }

    /// The dictionary's name, salt and binding.
    pub fn identity(&self) -> &Identity {
        &self.constitution.identity
    }

    /// The dictionary's parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.constitution.parameters
    }

    /// The digest of the scheme's setup.
    pub fn setup_digest(&self) -> &[u8; 32] {
        &self.constitution.setup_digest
    }

    /// The newest version.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Number of slots at the newest version, the sentinel included: keys, and one.
    pub fn size(&self) -> u64 {
        self.info.size
    }

    /// How many versions before the newest stay readable.
    pub fn retention(&self) -> u64 {
        self.constitution.retention
    }

    /// The oldest version that can be read.
    pub fn oldest_version(&self) -> u64 {
        self.version.saturating_sub(self.constitution.retention)
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
        self.openings = openings(self.parameters(), options);
    }

    /// How proofs were answered, and what is held to answer them.
    pub fn opening_statistics(&self) -> OpeningStatistics {
        self.openings.statistics()
    }

    /// The scheme, derived or loaded at the first call.
    ///
    /// # Errors
    /// [`ArchiveError::Setup`] where the dictionary is on a setup that is not published.
    pub fn scheme(&self) -> Result<&Arc<Scheme>, ArchiveError> {
        if let Some(scheme) = self.scheme.get() {
            return Ok(scheme);
        }
        let cache = self.directory.as_ref().map(Directory::lagrange);
        let Constitution { parameters, setup_digest, .. } = &self.constitution;
        let scheme = scheme::published_scheme(parameters, setup_digest, cache.as_deref())?;
        Ok(self.scheme.get_or_init(|| Arc::new(scheme)))
    }

    pub(crate) fn tables(&self) -> Result<Tables<'_>, ArchiveError> {
        Tables::new(self.store.as_ref())
    }

    /// Runs a question on the array of a version.
    pub(crate) fn at<T>(
        &self,
        version: u64,
        ask: impl FnOnce(&ArrayAt<'_>) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        self.check_version(version)?;
        let tables = self.tables()?;
        ask(&ArrayAt::new(&tables, version, self.version)?)
    }

    pub(crate) fn check_version(&self, version: u64) -> Result<(), ArchiveError> {
        let (oldest, newest) = (self.oldest_version(), self.version);
        if (oldest..=newest).contains(&version) {
            return Ok(());
        }
        Err(ArchiveError::VersionOutOfRange { asked: version, oldest, newest })
    }

    pub(crate) fn check_key(&self, key: &Key) -> Result<(), ArchiveError> {
        let limit = self.parameters().max_key_length;
        if key.is_empty() {
            Err(ArchiveError::EmptyKey)
        } else if key.len() > usize::from(limit) {
            Err(ArchiveError::KeyTooLong { key: key.clone(), limit })
        } else {
            Ok(())
        }
    }
}

/// Nothing held yet.
fn openings(parameters: &Parameters, options: &OpeningOptions) -> Openings {
    let vector_size = usize::try_from(parameters.vector_size).unwrap_or(usize::MAX);
    Openings::new(options, vector_size)
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
