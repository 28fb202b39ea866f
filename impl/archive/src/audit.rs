//! The audit: checks that the store is exactly what its blocks say.
//!
//! 1. The engine checks its own file: checksums of pages, list of free pages.
//! 2. Genesis and every block are read from the log, held against the chain of links, and replayed
//!    by the ordinary rules into a fresh store in memory: the validator checks every opening of
//!    every transaction again.
//! 3. Every record of every table is compared with the replayed one, byte for byte, on a walk over
//!    the table and again by its key; so slots, index, commitments, undo, log and replay set are
//!    covered alike, and no byte of a record can differ without a finding.
//! 4. Independently of the code that wrote them: the slots form one ring in key order and the index
//!    points at them, and every commitment is computed anew from the whole vector.
//! 5. On request, a version is held against an [`Anchor`]: commitments or a root that do not lie
//!    beside the store. Without one, a whole other archive in the place of this one passes, since
//!    it agrees with itself.
//!
//! The parameters of the commitments are derived from the published setup: the cache of them, which
//! lies beside the store, is compared and not used. Nothing is changed. The replayed store needs
//! memory of about the size of the store.

mod anchor;
mod compare;
mod invariants;

use std::fmt;
use std::sync::Arc;

use aardvark_commitment::Scheme;
use aardvark_dictionary::{Genesis, GenesisError};

use crate::archive::Archive;
use crate::error::{ArchiveError, Damage, DamageKind, Place};
use crate::progress::{Phase, Progress};
use crate::read::{LoggedBlock, decode_block};
use crate::records;
use crate::redb_store::RedbStore;
use crate::store::StoreError;
use crate::tables::Tables;

pub use anchor::{Anchor, AnchoredCommitments};

/// Findings after which an audit stops looking for more of their kind.
const MOST_FINDINGS: usize = 100;

/// What an audit found.
#[must_use = "an audit that nobody reads finds nothing"]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditReport {
    /// Everything that is not as it should be, at most 100 items of each step; empty when all
    /// agrees.
    pub findings: Vec<Finding>,
    /// Versions replayed.
    pub versions: u64,
    /// Records compared.
    pub records: u64,
    /// Commitments computed anew.
    pub commitments: u64,
    /// The state root of the newest version, as replaying gives it, where it could be replayed.
    pub root: Option<[u8; 32]>,
    /// The version that was compared with the anchor, whether it agrees or not.
    pub anchored: Option<u64>,
}

impl AuditReport {
    /// Whether all agrees.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Something in the store that its blocks do not justify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where.
    pub place: Place,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// It should be there and is not.
    #[error("missing")]
    Missing,
    /// It should not be there.
    #[error("not justified by any block")]
    Superfluous,
    /// It differs from what the blocks give.
    #[error("differs from what the blocks give")]
    Different,
    /// It stands in its table and is not found by its key.
    #[error("not found by its key")]
    Unreachable,
    /// It cannot be read.
    #[error("{0}")]
    Damaged(DamageKind),
    /// The block breaks the chain of links.
    #[error("not the block that was written")]
    Link,
    /// The block breaks the dictionary's rules, or the entries are no genesis.
    #[error("refused at replay: {0}")]
    Refused(String),
    /// An invariant of the array fails.
    #[error("{0}")]
    Invariant(&'static str),
    /// The engine finds its file damaged.
    #[error("{0}")]
    Engine(String),
    /// The cache has other parameters than the published setup gives.
    #[error("not what the setup gives; what was computed with it may be wrong. Without the file, it is derived anew")]
    OtherBasis,
    /// The anchor is of another dictionary.
    #[error("this is another dictionary, with the id {}", Hex(.0))]
    OtherDictionary([u8; 32]),
    /// The anchor's version has not been reached.
    #[error("the store ends before it, at version {0}")]
    Behind(u64),
    /// The version has another number of slots than the anchor says.
    #[error("it has {stored} slots and not {anchored}")]
    OtherSize {
        /// Slots that the blocks give.
        stored: u64,
        /// Slots that the anchor says.
        anchored: u64,
    },
    /// Commitments of the version differ from the anchor's.
    #[error("{number} of its commitments differ, the first one that of vector {first}")]
    OtherCommitments {
        /// The first vector whose commitment differs.
        first: u64,
        /// How many differ.
        number: u64,
    },
    /// The version has another state root than the anchor.
    #[error("its state root is {}", Hex(.0))]
    OtherRoot([u8; 32]),
}

/// Bytes as lower-case hexadecimal behind `0x`.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.fault)
    }
}

impl Archive {
    /// Audits the whole archive. Damage is reported, not an error.
    ///
    /// # Errors
    /// [`ArchiveError`] where reading fails for reasons other than damage, or the scheme is not at
    /// hand.
    pub fn audit(&self, progress: &mut dyn FnMut(Progress)) -> Result<AuditReport, ArchiveError> {
        self.audit_against(None, progress)
    }

    /// [`Archive::audit`], holding a version against something that was kept elsewhere. Any version
    /// that the log has will do, those beyond retention too: it is looked at while the blocks are
    /// replayed.
    ///
    /// # Errors
    /// As [`Archive::audit`]. A version that differs from the anchor, or is not there, is a
    /// finding.
    pub fn audit_against(
        &self,
        anchor: Option<&Anchor>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<AuditReport, ArchiveError> {
        let (scheme, other_cache) = self.audited_scheme()?;
        let mut audit = Audit { archive: self, scheme, anchor, anchored: None, findings: Vec::new(), progress };
        if let Some(cache) = other_cache {
            audit.find(Place::Cache(cache), Fault::OtherBasis);
        }
        let mut report = AuditReport::default();
        audit.collect(|audit| Ok(audit.archive.store.check()?))?;
        audit.find_unreached_anchor();
        let replayed = audit.collect(Audit::replay)?;
        if let Some(replayed) = &replayed {
            report.versions = replayed.version() + 1;
            report.root = audit.collect(|_| Ok(replayed.validator()?.root()))?;
            report.records = audit.collect(|audit| audit.compare(replayed))?.unwrap_or(0);
        }
        audit.collect(Audit::ring)?;
        report.commitments = audit.collect(Audit::recommit)?.unwrap_or(0);
        report.anchored = audit.anchored;
        report.findings = audit.findings;
        Ok(report)
    }
}

/// What ends a step of an audit: a finding that leaves nothing to go on with, or a failure that
/// says nothing about the archive.
enum Stop {
    Finding(Finding),
    Error(ArchiveError),
}

impl From<ArchiveError> for Stop {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::Damaged(damage) => damage.into(),
            ArchiveError::Store(StoreError::Damaged(what)) => {
                Self::Finding(Finding { place: Place::File, fault: Fault::Engine(what) })
            }
            other => Self::Error(other),
        }
    }
}

impl From<Damage> for Stop {
    fn from(Damage { place, fault }: Damage) -> Self {
        let fault = if fault == DamageKind::Missing { Fault::Missing } else { Fault::Damaged(fault) };
        Self::Finding(Finding { place, fault })
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        ArchiveError::from(error).into()
    }
}

struct Audit<'a> {
    archive: &'a Archive,
    /// Derived here, not read from a cache.
    scheme: Arc<Scheme>,
    anchor: Option<&'a Anchor>,
    /// The version that was compared with the anchor.
    anchored: Option<u64>,
    findings: Vec<Finding>,
    progress: &'a mut dyn FnMut(Progress),
}

impl<'a> Audit<'a> {
    /// Runs a step; a finding that stops it is one among others.
    fn collect<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<Option<T>, ArchiveError> {
        match step(self) {
            Ok(result) => Ok(Some(result)),
            Err(Stop::Finding(finding)) => {
                self.findings.push(finding);
                Ok(None)
            }
            Err(Stop::Error(error)) => Err(error),
        }
    }

    fn find(&mut self, place: Place, fault: Fault) {
        self.findings.push(Finding { place, fault });
    }

    /// Replays all blocks into a fresh archive in memory.
    fn replay(&mut self) -> Result<Archive, Stop> {
        let tables = self.archive.tables()?;
        let (mut replayed, mut link) = self.replay_genesis(&tables)?;
        let newest = self.archive.version();
        self.compare_anchor(&replayed)?;
        for version in 1..=newest {
            (self.progress)(Progress { phase: Phase::Replay, done: version, total: newest });
            let bytes = tables.block_bytes(version)?;
            let info = tables.version(version)?;
            link = records::link(&link, &bytes);
            if link != info.link {
                return Err(refusal(version, Fault::Link));
            }
            let block = decode_block(&bytes, info.kind, self.archive.parameters())
                .map_err(|fault| Damage::new(Place::Block(version), fault))?;
            let taken = match block {
                LoggedBlock::Genesis(_) => return Err(refusal(version, Fault::Invariant("genesis comes first"))),
                LoggedBlock::Import(block) if block.version != version => {
                    return Err(refusal(version, Fault::Invariant("it is for another version")));
                }
                LoggedBlock::Import(block) => replayed.import_block(&block),
                LoggedBlock::Transactions(block) => replayed.apply(&block).map(drop),
                LoggedBlock::Aggregated(block) => replayed.apply_aggregated(&block).map(drop),
            };
            taken.map_err(|error| match error {
                ArchiveError::NotCommitted { .. } | ArchiveError::Store(_) => Stop::Error(error),
                refused => refusal(version, Fault::Refused(refused.to_string())),
            })?;
            self.compare_anchor(&replayed)?;
        }
        Ok(replayed)
    }

    fn replay_genesis(&mut self, tables: &Tables<'_>) -> Result<(Archive, [u8; 32]), Stop> {
        let archive = self.archive;
        let bytes = tables.block_bytes(0)?;
        let entries = records::decode_entries(&bytes).map_err(|fault| Damage::new(Place::Block(0), fault.into()))?;
        let genesis =
            Genesis::new(archive.identity().clone(), archive.parameters().clone(), *archive.setup_digest(), entries)
                .map_err(|error: GenesisError| refusal(0, Fault::Refused(error.to_string())))?;
        if genesis.dictionary_id() != *archive.id() {
            return Err(refusal(0, Fault::Link));
        }
        let store = Box::new(RedbStore::in_memory()?);
        let replayed =
            Archive::builder().retention(archive.retention()).scheme(self.scheme.clone()).create_on(store, &genesis)?;
        Ok((replayed, records::link(&archive.id().0, &bytes)))
    }
}

/// A fault that ends the replay.
fn refusal(version: u64, fault: Fault) -> Stop {
    Stop::Finding(Finding { place: Place::Block(version), fault })
}

#[cfg(test)]
mod tests;
