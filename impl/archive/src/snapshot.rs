//! One state of an archive, read by any number of threads while the archive goes on.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use aardvark_commitment::{Kzg, Opening, Scheme, SchemeKind};
use aardvark_dictionary::{DictionaryId, Identity, Key, Parameters, Slot};

use crate::array_at::ArrayAt;
use crate::directory::Directory;
use crate::error::ArchiveError;
use crate::openings::{OpeningStatistics, Openings};
use crate::records::{GenesisRecord, VersionInfo};
use crate::scheme;
use crate::store::Read;
use crate::tables::Tables;
use crate::work::Work;

/// Where the openings of an archive's proofs come from: the archive itself
/// ([`OwnOpenings`](crate::OwnOpenings)), or servers that each have the openings of some vectors.
pub trait OpeningSource: Send + Sync {
    /// The openings of slots that stand at these positions at a version that can be read, by
    /// position. They are those of the archive's commitments: a source that asks others checks
    /// what they say ([`Snapshot::checked_openings`]).
    ///
    /// # Errors
    /// [`ArchiveError::NoOpenings`] where nobody has them now; what the archive says.
    fn openings(
        &self,
        archive: &Snapshot,
        version: u64,
        slots: &[(u64, Slot)],
    ) -> Result<BTreeMap<u64, Opening>, ArchiveError>;

    /// What that takes of one core of this process, about, in microseconds.
    ///
    /// # Errors
    /// What the archive says.
    fn cost(&self, archive: &Snapshot, version: u64, slots: &[(u64, Slot)]) -> Result<f64, ArchiveError>;
}

/// An archive as it was after some version: all questions are asked of one, an
/// [`Archive`](crate::Archive) of its newest.
///
/// It waits for nobody, and nobody waits for it: the store keeps the state that it reads as long as
/// the snapshot lives, so it should not live long beside a writer, whose file grows meanwhile. Held
/// openings are shared with the archive and with its other snapshots.
#[derive(Clone)]
pub struct Snapshot {
    pub(crate) read: Arc<dyn Read>,
    pub(crate) genesis_record: Arc<GenesisRecord>,
    pub(crate) version: u64,
    pub(crate) info: VersionInfo,
    pub(crate) scheme: Arc<OnceLock<Arc<Scheme>>>,
    /// Where the archive's files are, unless it is in memory.
    pub(crate) directory: Option<Arc<Directory>>,
    /// Openings that answer faster than computing them: derived, and never needed.
    pub(crate) openings: Arc<Openings>,
    /// Where openings come from.
    pub(crate) source: Arc<dyn OpeningSource>,
    /// The work that asks.
    pub(crate) work: Arc<Work>,
}

impl Snapshot {
    /// The same state, for some work: it ends when the work does.
    #[must_use]
    pub fn for_work(&self, work: Arc<Work>) -> Self {
        Self { work, ..self.clone() }
    }

    /// The work that asks.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// The dictionary's id.
    pub fn id(&self) -> &DictionaryId {
        &self.genesis_record.id
    }

    /// The dictionary's name, salt and binding.
    pub fn identity(&self) -> &Identity {
        &self.genesis_record.identity
    }

    /// The dictionary's parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.genesis_record.parameters
    }

    /// The digest of the scheme's setup.
    pub fn setup_digest(&self) -> &[u8; 32] {
        &self.genesis_record.setup_digest
    }

    /// The newest version.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Number of slots at the newest version, the sentinel included: keys, and one.
    pub fn size(&self) -> u64 {
        self.info.size
    }

    /// Number of vectors at the newest version.
    pub fn vectors(&self) -> u64 {
        self.size().div_ceil(self.parameters().positions_per_vector())
    }

    /// How many versions before the newest stay readable.
    pub fn retention(&self) -> u64 {
        self.genesis_record.retention
    }

    /// The oldest version that can be read.
    pub fn oldest_version(&self) -> u64 {
        self.version.saturating_sub(self.genesis_record.retention)
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
        let GenesisRecord { parameters, setup_digest, .. } = &*self.genesis_record;
        let cache = self.directory.as_ref().map(|directory| directory.lagrange());
        let scheme = scheme::published_scheme(parameters, setup_digest, cache.as_deref())?;
        Ok(self.scheme.get_or_init(|| Arc::new(scheme)))
    }

    /// Whether a process that begins proves one key in milliseconds: the scheme's parameters have
    /// been derived, and lie beside the store. Such a process need not begin threads
    /// ([`work_alone`](aardvark_algebra::parallel::work_alone)).
    pub fn proves_at_once(&self) -> bool {
        let is_kzg = self.genesis_record.parameters.scheme == SchemeKind::Kzg;
        is_kzg && self.directory.as_ref().is_some_and(|directory| Kzg::is_cache(&directory.lagrange()))
    }

    /// The scheme that an audit computes with, and the cache of derived parameters where it
    /// disagrees with it.
    ///
    /// On a published setup everything is derived anew: the cache lies in the folder that is
    /// audited. A scheme on another setup was given by the caller, who is believed.
    pub(crate) fn audited_scheme(&self) -> Result<(Arc<Scheme>, Option<PathBuf>), ArchiveError> {
        let GenesisRecord { parameters, setup_digest, .. } = &*self.genesis_record;
        let cache = self.directory.as_ref().map(|directory| directory.lagrange());
        match scheme::audited_scheme(parameters, setup_digest, cache.as_deref()) {
            Ok((scheme, agrees)) => Ok((Arc::new(scheme), cache.filter(|_| !agrees))),
            Err(ArchiveError::Setup) => Ok((self.scheme()?.clone(), None)),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn tables(&self) -> Result<Tables<'_>, ArchiveError> {
        Ok(Tables::of(Arc::clone(&self.read)))
    }

    /// Runs a question on the array of a version.
    pub(crate) fn at<T>(
        &self,
        version: u64,
        ask: impl FnOnce(&ArrayAt<'_>) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        self.check_version(version)?;
        self.work.check()?;
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

/// A node answers from many threads.
const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<Snapshot>();
};
