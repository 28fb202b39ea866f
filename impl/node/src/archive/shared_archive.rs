//! Shared state of the archive's server: the archive, the chain's records, and how far the chain is
//! ahead.
//!
//! Readers have snapshots of the newest version. The follower stores the next one meanwhile:
//! neither waits for the other.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use aardvark_algebra::integers::u32_or_max;
use aardvark_archive::{Archive, ArchiveError, Snapshot};
use aardvark_dictionary::commitment_tree::CommitmentTree;
use aardvark_dictionary::root::RootParts;
use aardvark_dictionary::{Claim, Key};
use aardvark_proof::json::JsonError;
use aardvark_proof::proof_json::Proof;
use aardvark_proof::root_json::{CommitmentPath, ProofRoot};
use aardvark_proof::{RootTie, TiedVector};
use aardvark_tables::Certificates;
use aardvark_tables::certificates::CertificatesError;

use super::chain_records::{ChainRecord, ChainRecords, RecordError};
use super::trees::Trees;

/// What one vector costs in the tree over the commitments of a version.
const VECTOR_COST: Duration = Duration::from_micros(12);

/// Roots that are held of an archive without records.
const MOST_ROOTS: usize = 1 << 16;

/// What the follower is at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Following {
    /// There is no chain: the archive serves what it has.
    #[default]
    Nothing,
    /// The chain is more than one height ahead, or was not reached yet.
    CatchingUp {
        /// The chain's height, where it is known.
        height: Option<u64>,
        /// What keeps it, if anything does.
        trouble: Option<String>,
    },
    /// The archive has what the chain has.
    UpToDate {
        /// The chain's height.
        height: u64,
    },
    /// It cannot go on: the chain and this archive do not agree, or the archive fails.
    Stopped {
        /// Why.
        reason: String,
    },
}

/// Why the shared archive cannot answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SharedArchiveError {
    /// The archive does not have it.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The records fail.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// The certificates of the dictionary's tables fail.
    #[error(transparent)]
    Certificates(#[from] CertificatesError),
    /// The root of a version is not known.
    #[error("the root of version {asked} is not known here; known are those from {oldest}")]
    NoRoot {
        /// The version asked for.
        asked: u64,
        /// The oldest version with a root.
        oldest: u64,
    },
    /// An answer cannot be written down.
    #[error(transparent)]
    Json(#[from] JsonError),
}

/// The archive in the hand of one who writes. What is newest when it goes, is what readers get from
/// then on.
pub struct Writing<'a> {
    archive: MutexGuard<'a, Archive>,
    shared: &'a SharedArchive,
}

impl Deref for Writing<'_> {
    type Target = Archive;

    fn deref(&self) -> &Archive {
        &self.archive
    }
}

impl DerefMut for Writing<'_> {
    fn deref_mut(&mut self) -> &mut Archive {
        &mut self.archive
    }
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        let newest = self.archive.snapshot();
        *self.shared.newest_version.write().unwrap_or_else(PoisonError::into_inner) = newest;
    }
}

/// An archive that many read and one writes, and what is known about it besides.
pub struct SharedArchive {
    /// The archive, for the one who writes.
    archive: Mutex<Archive>,
    /// Its newest version. The lock is kept for as long as it takes to copy a handful of pointers.
    newest_version: RwLock<Snapshot>,
    records: Option<ChainRecords>,
    /// Roots by version, for an archive without records: of the version that was the newest at the
    /// start, and of those after it that were noted.
    roots: RwLock<BTreeMap<u64, RootParts>>,
    following: RwLock<Following>,
    trees: Trees,
    certificates: Certificates,
}

impl SharedArchive {
    /// Shares an archive, with the records of its chain if it has one.
    ///
    /// # Errors
    /// [`ArchiveError`] where the validator of the newest version cannot be restored.
    pub fn new(archive: Archive, records: Option<ChainRecords>) -> Result<Self, ArchiveError> {
        let newest = archive.validator()?.root_parts();
        let roots = RwLock::new(BTreeMap::from([(newest.version, newest)]));
        Ok(Self { records, roots, ..Self::without_roots(archive) })
    }

    /// Shares an archive of whose roots nobody asks, such as that of an opening server: no state is
    /// restored for it.
    pub fn without_roots(archive: Archive) -> Self {
        let following = RwLock::new(Following::Nothing);
        let newest_version = RwLock::new(archive.snapshot());
        let (archive, roots) = (Mutex::new(archive), RwLock::default());
        let (trees, certificates) = (Trees::default(), Certificates::default());
        Self { archive, newest_version, records: None, roots, following, trees, certificates }
    }

    /// The same with the certificates of the dictionary's tables.
    #[must_use]
    pub fn with_certificates(self, certificates: Certificates) -> Self {
        Self { certificates, ..self }
    }

    /// The certificates of the dictionary's tables.
    pub fn certificates(&self) -> &Certificates {
        &self.certificates
    }

    /// The newest version, which stays as it is while others are stored.
    pub fn archive(&self) -> Snapshot {
        self.newest_version.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The archive, to store a version. Poison is of no concern: whoever panicked while storing
    /// left a store that has the version or has it not.
    pub fn archive_mut(&self) -> Writing<'_> {
        Writing { archive: self.archive.lock().unwrap_or_else(PoisonError::into_inner), shared: self }
    }

    /// Opens the archive's store, the certificates of its tables and the chain's records anew,
    /// after one of them failed.
    ///
    /// # Errors
    /// [`SharedArchiveError`] where that is not possible now.
    pub fn reopen(&self) -> Result<(), SharedArchiveError> {
        self.archive_mut().reopen()?;
        self.certificates.reopen()?;
        Ok(self.records.as_ref().map_or(Ok(()), ChainRecords::reopen)?)
    }

    /// The chain's records.
    pub fn records(&self) -> Option<&ChainRecords> {
        self.records.as_ref()
    }

    /// Enters the record of a height, before its version is stored.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn record(&self, record: &ChainRecord) -> Result<(), RecordError> {
        self.records.as_ref().map_or(Ok(()), |records| records.put(record))
    }

    /// Notes what the root of a version is over that its writer is about to show, for an archive
    /// without records. The newest 65,536 are held.
    pub fn note_root(&self, parts: RootParts) {
        let mut roots = self.roots.write().unwrap_or_else(PoisonError::into_inner);
        roots.insert(parts.version, parts);
        while roots.len() > MOST_ROOTS {
            roots.pop_first();
        }
    }

    /// Notes what the root of a version is over, as [`SharedArchive::note_root`] does, with the
    /// tree over its commitments.
    pub(super) fn note_root_and_tree(&self, parts: RootParts, tree: CommitmentTree) {
        self.trees.put(parts.version, tree);
        self.note_root(parts);
    }

    /// Whether the root of a version was noted.
    pub(super) fn has_noted_root(&self, version: u64) -> bool {
        self.roots.read().unwrap_or_else(PoisonError::into_inner).contains_key(&version)
    }

    /// What the follower is at.
    pub fn following(&self) -> Following {
        self.following.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says what the follower is at.
    pub fn set_following(&self, following: Following) {
        *self.following.write().unwrap_or_else(PoisonError::into_inner) = following;
    }

    /// What the root of a version of `archive`, the one that is shared, is over.
    ///
    /// # Errors
    /// [`SharedArchiveError::NoRoot`] where it is not known here.
    pub fn root_parts(&self, archive: &Snapshot, version: u64) -> Result<RootParts, SharedArchiveError> {
        if let Some(record) = self.records.as_ref().map(|records| records.get(version)).transpose()?.flatten() {
            return Ok(record.parts);
        }
        if let Some(parts) = self.roots.read().unwrap_or_else(PoisonError::into_inner).get(&version) {
            return Ok(parts.clone());
        }
        Err(SharedArchiveError::NoRoot { asked: version, oldest: self.oldest_root(archive)? })
    }

    /// The oldest version that can be read and whose root is known.
    ///
    /// # Errors
    /// [`SharedArchiveError::Records`].
    pub fn oldest_root(&self, archive: &Snapshot) -> Result<u64, SharedArchiveError> {
        let recorded = self.records.as_ref().map(ChainRecords::oldest).transpose()?.flatten();
        let held = self.roots.read().unwrap_or_else(PoisonError::into_inner).first_key_value().map(|(held, _)| *held);
        let oldest = recorded.into_iter().chain(held).min().unwrap_or(archive.version());
        Ok(oldest.max(archive.oldest_version()))
    }

    /// A proof from claims that `archive`, the one that is shared, made; with what ties them to the
    /// root, if asked.
    ///
    /// # Errors
    /// [`SharedArchiveError`].
    pub fn proof(
        &self,
        archive: &Snapshot,
        key: Key,
        version: u64,
        claims: Vec<Claim>,
        rooted: bool,
    ) -> Result<Proof, SharedArchiveError> {
        let root = if rooted { Some(self.proof_root(archive, version, &claims)?) } else { None };
        Ok(Proof { root, ..archive.key_proof(key, version, claims) })
    }

    /// What the paths to the root of a version take of one core's time, about.
    pub(crate) fn cost_of_root(&self, archive: &Snapshot, version: u64) -> Duration {
        match self.trees.held(version) {
            Some(_) => Duration::ZERO,
            None => {
                let vectors = archive.size().div_ceil(archive.parameters().positions_per_vector());
                VECTOR_COST.saturating_mul(u32_or_max(vectors))
            }
        }
    }

    /// What ties claims that `archive`, the one that is shared, made to the root of their version:
    /// each of their vectors once, and what the dictionary's id is over.
    ///
    /// # Errors
    /// [`SharedArchiveError`].
    pub fn tie(&self, archive: &Snapshot, version: u64, claims: &[Claim]) -> Result<RootTie, SharedArchiveError> {
        let parts = self.root_parts(archive, version)?;
        let tree = self.trees.get(archive, version)?;
        let vector_size = archive.parameters().positions_per_vector();
        let numbers: BTreeSet<u64> = claims.iter().map(|claim| claim.position / vector_size).collect();
        let mut vectors = Vec::new();
        for number in numbers {
            // As below, every claim has a vector.
            let path = tree.path(archive, number)?;
            vectors.extend(path.map(|(commitment, path)| TiedVector { number, commitment, path }));
        }
        let mut tie = RootTie::new(&parts, vectors);
        tie.identity = Some(archive.dictionary_identity()?);
        Ok(tie)
    }

    fn proof_root(&self, archive: &Snapshot, version: u64, claims: &[Claim]) -> Result<ProofRoot, SharedArchiveError> {
        let parts = self.root_parts(archive, version)?;
        let tree = self.trees.get(archive, version)?;
        let vector_size = archive.parameters().positions_per_vector();
        // Every claim of the archive has a vector: without one there would be no opening either.
        let mut paths = Vec::new();
        for claim in claims {
            let path = tree.path(archive, claim.position / vector_size)?;
            paths.extend(path.map(|(commitment, path)| CommitmentPath { commitment, path }));
        }
        Ok(ProofRoot::new(&parts, paths))
    }
}
