//! The audit: checks that the store is exactly what its blocks say.
//!
//! 1. The engine checks its own file: checksums of pages, list of free pages.
//! 2. Genesis and every block are read from the log, held against the chain of links, and replayed
//!    by the ordinary rules into a fresh store: the validator checks every opening of
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
//! lies beside the store, is compared and not used. Nothing is changed. A small store is replayed
//! in memory, a larger one in a file without a name, which takes as much disk as the store: memory
//! then holds pages of both and what a block, the window and the commitments take, whatever the
//! number of keys.

mod anchor;
mod anchored;
mod compare;
mod finding;
mod invariants;
mod link_sum;
mod newest;
mod partition;

use std::sync::Arc;

use aardvark_commitment::Scheme;

use crate::archive::Archive;
use crate::error::{ArchiveError, Damage, Place};
use crate::progress::{Phase, Progress};
use crate::read::{LoggedBlock, decode_block};
use crate::records;
use crate::redb_store::RedbStore;
use crate::scratch::temporary_files;
use crate::store::StoreError;
use crate::tables::Tables;

pub use anchor::{Anchor, AnchoredCommitments};
pub use finding::{AuditReport, Fault, Finding};
pub(crate) use link_sum::LinkSum;
pub(crate) use partition::AuditedVectors;

/// Findings after which an audit stops looking for more of their kind.
pub(crate) const MOST_FINDINGS: usize = 100;
/// Bytes of a store up to which it is replayed in memory.
const REPLAYED_IN_MEMORY: u64 = 64 << 20;

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
        let in_memory = self.bytes_on_disk()? <= REPLAYED_IN_MEMORY;
        let store = if in_memory { RedbStore::in_memory()? } else { self.scratch_store()? };
        self.audit_into(store, anchor, progress)
    }

    /// An empty store in a file without a name: beside the archive's own where that is allowed.
    fn scratch_store(&self) -> Result<RedbStore, ArchiveError> {
        let file = self.temporary_files()().or_else(|_| temporary_files(None)()).map_err(StoreError::from)?;
        Ok(RedbStore::scratch(file)?)
    }

    /// Audits the archive, replaying its blocks into a store that is empty.
    fn audit_into(
        &self,
        store: RedbStore,
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
        let replayed = audit.collect(|audit| audit.replay(store))?;
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
        Finding::of(error).map_or_else(Self::Error, Self::Finding)
    }
}

impl From<Damage> for Stop {
    fn from(damage: Damage) -> Self {
        ArchiveError::from(damage).into()
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

    /// Replays all blocks into a fresh archive on an empty store.
    fn replay(&mut self, store: RedbStore) -> Result<Archive, Stop> {
        let tables = self.archive.tables()?;
        let (mut replayed, mut link) = self.replay_genesis(&tables, store)?;
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

    fn replay_genesis(&mut self, tables: &Tables<'_>, store: RedbStore) -> Result<(Archive, [u8; 32]), Stop> {
        let archive = self.archive;
        let (genesis, bytes) = self.logged_genesis(tables)?;
        let builder = Archive::builder().retention(archive.retention()).scheme(self.scheme.clone());
        let replayed = builder.create_on(Box::new(store), &genesis)?;
        Ok((replayed, records::link(&archive.id().0, &bytes)))
    }
}

/// A fault that ends the replay.
fn refusal(version: u64, fault: Fault) -> Stop {
    Stop::Finding(Finding { place: Place::Block(version), fault })
}

#[cfg(test)]
mod tests;
