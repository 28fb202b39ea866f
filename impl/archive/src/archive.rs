//! The archive: its store, its newest version, and the validator that is kept between blocks.

use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use aardvark_algebra::integers::usize_of_u32;
use aardvark_commitment::{Scheme, VectorCommitment};
use aardvark_dictionary::{Parameters, Validator};

use crate::directory::Directory;
use crate::error::{ArchiveError, Damage, DamageKind, Place};
use crate::openings::{OpeningOptions, Openings, OwnOpenings};
use crate::records::VersionInfo;
use crate::redb_store::RedbStore;
use crate::scratch::{MakeFile, temporary_files};
use crate::snapshot::{OpeningSource, Snapshot};
use crate::store::{Closed, Read, Store, StoreError};
use crate::tables::Tables;
use crate::work::Work;

/// A whole dictionary on a store: every slot, the versions within retention, and the log of blocks.
///
/// [`Archive::builder`] makes and opens one. One archive writes; any number that are open for
/// reading only share a store, but not with a writer. It is read through the [`Snapshot`] of its
/// newest version, which it dereferences to, and of which others may keep clones.
pub struct Archive {
    /// The newest version. It goes before the store that it reads.
    snapshot: Snapshot,
    pub(crate) store: Box<dyn Store>,
    /// What opens the store anew, where that is not a file of the directory.
    opener: Option<Arc<OpenStore>>,
    /// The validator of the newest version, kept between blocks.
    pub(crate) validator: Option<Validator>,
}

/// What opens a store, whenever it is asked to.
pub type OpenStore = dyn Fn() -> Result<Box<dyn Store>, StoreError> + Send + Sync;

impl Deref for Archive {
    type Target = Snapshot;

    fn deref(&self) -> &Snapshot {
        &self.snapshot
    }
}

impl Archive {
    /// The archive on a store that has one: reads the records that every use needs.
    pub(crate) fn on_store(
        store: Box<dyn Store>,
        directory: Option<Directory>,
        scheme: Option<Arc<Scheme>>,
    ) -> Result<Self, ArchiveError> {
        let read = store.read()?;
        let tables = Tables::of(Arc::clone(&read));
        let genesis_record = tables.genesis_record()?;
        let version = tables.newest_version()?;
        let info = tables.version(version)?;
        if info.size == 0 {
            let fault = DamageKind::Invalid("no sentinel");
            return Err(Damage::new(Place::Version(version), fault).into());
        }
        let lock = OnceLock::new();
        if let Some(scheme) = scheme {
            check_scheme(&scheme, &genesis_record.parameters, &genesis_record.setup_digest)?;
            lock.get_or_init(|| scheme);
        }
        let snapshot = Snapshot {
            read,
            version,
            info,
            scheme: Arc::new(lock),
            directory: directory.map(Arc::new),
            openings: openings(&genesis_record.parameters, &OpeningOptions::default(), version),
            genesis_record: Arc::new(genesis_record),
            source: Arc::new(OwnOpenings),
            work: Arc::new(Work::unlimited()),
        };
        Ok(Self { snapshot, store, opener: None, validator: None })
    }

    /// The same, with what opens the store anew.
    pub(crate) fn opened_by(mut self, opener: Arc<OpenStore>) -> Self {
        self.opener = Some(opener);
        self
    }

    /// The same, in a directory.
    pub(crate) fn in_directory(mut self, directory: Directory) -> Self {
        self.snapshot.directory = Some(Arc::new(directory));
        self
    }

    /// The newest version as it is now, to be read while the archive goes on.
    pub fn snapshot(&self) -> Snapshot {
        self.snapshot.clone()
    }

    /// Moves on to a version that is stored and that the held openings follow.
    pub(crate) fn move_to(&mut self, version: u64, info: VersionInfo) -> Result<(), ArchiveError> {
        let read = self.store.read()?;
        self.move_to_state(read, version, info);
        Ok(())
    }

    /// The same, in a state of the store at hand.
    pub(crate) fn move_to_state(&mut self, read: Arc<dyn Read>, version: u64, info: VersionInfo) {
        self.snapshot = Snapshot { read, version, info, ..self.snapshot.clone() };
    }

    /// Puts what is held in the place of what was.
    pub(crate) fn set_openings(&mut self, openings: Arc<Openings>) {
        self.snapshot.openings = openings;
    }

    /// Opens the store anew after a failure, at its last version. Until that succeeds, the archive
    /// is closed; snapshots from before cannot be read any more.
    ///
    /// # Errors
    /// As [`Builder::open`](crate::Builder::open).
    pub fn reopen(&mut self) -> Result<(), ArchiveError> {
        let (opener, directory) = (self.opener.clone(), self.directory.as_deref().cloned());
        if opener.is_none() && directory.is_none() {
            return Ok(());
        }
        self.validator = None;
        self.snapshot.read = Arc::new(Closed);
        self.store = Box::new(Closed);
        let store = match (&opener, &directory) {
            (Some(open), _) => open()?,
            (None, Some(directory)) => open_file(directory, RedbStore::open)?,
            (None, None) => return Ok(()),
        };
        let mut opened = Self::on_store(store, directory, self.scheme.get().cloned())?;
        opened.opener = opener;
        let openings = Arc::new(self.openings.emptied(opened.version));
        let source = Arc::clone(&self.source);
        *self = opened;
        self.snapshot.openings = openings;
        self.snapshot.source = source;
        Ok(())
    }

    /// Bytes on disk; 0 for an archive in memory.
    ///
    /// # Errors
    /// [`ArchiveError::File`].
    pub fn bytes_on_disk(&self) -> Result<u64, ArchiveError> {
        self.directory.as_deref().map_or(Ok(0), Directory::bytes)
    }

    /// Makes files for what an import or an audit has no memory for: beside the archive's own, and
    /// in the system's folder for an archive in memory.
    pub fn temporary_files(&self) -> MakeFile {
        temporary_files(self.directory.as_ref().map(|directory| directory.path().to_owned()))
    }

    /// Chooses where the openings of proofs come from; by default the archive has its own.
    pub fn set_opening_source(&mut self, source: Arc<dyn OpeningSource>) {
        self.snapshot.source = source;
    }

    /// Chooses what is held to answer proofs faster, and drops what was held.
    pub fn set_opening_options(&mut self, options: &OpeningOptions) {
        self.snapshot.openings = openings(self.parameters(), options, self.version);
    }
}

/// The store in a directory's file.
pub(crate) fn open_file(
    directory: &Directory,
    open: impl Fn(&Path) -> Result<RedbStore, StoreError>,
) -> Result<Box<dyn Store>, ArchiveError> {
    let file = directory.store();
    let store = open(&file).map_err(|source| ArchiveError::Open { path: file, source })?;
    Ok(Box::new(store))
}

/// Nothing held yet.
fn openings(parameters: &Parameters, options: &OpeningOptions, version: u64) -> Arc<Openings> {
    Arc::new(Openings::new(options, usize_of_u32(parameters.vector_size), version))
}

/// Whether a scheme is the one that parameters and digest name.
pub(crate) fn check_scheme(
    scheme: &Scheme,
    parameters: &Parameters,
    setup_digest: &[u8; 32],
) -> Result<(), ArchiveError> {
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
