//! What the state root of any version is over.
//!
//! The newest version's state is in the store. A past one's is too, as long as its whole window can
//! still be read: at versions that are at least W newer than the oldest. Of the others only the log
//! of blocks is left, which is replayed up to the version; that takes as long as it took to make
//! them, and memory of about the size of the store then.

use aardvark_dictionary::Genesis;
use aardvark_dictionary::root::RootParts;

use crate::archive::Archive;
use crate::error::ArchiveError;
use crate::progress::{Phase, Progress};
use crate::read::LoggedBlock;
use crate::redb_store::RedbStore;
use crate::snapshot::Snapshot;

impl Snapshot {
    /// What the state root of a version is over, any version since genesis.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`] for a version that is not there yet,
    /// [`ArchiveError::Damaged`], and what ends a replay.
    pub fn root_parts(&self, version: u64, progress: &mut dyn FnMut(Progress)) -> Result<RootParts, ArchiveError> {
        if version > self.version() {
            return Err(ArchiveError::VersionOutOfRange { asked: version, oldest: 0, newest: self.version() });
        }
        match self.restores(version) {
            true => Ok(self.validator_at(version)?.root_parts()),
            false => Ok(self.replayed(version, progress)?.validator()?.root_parts()),
        }
    }

    /// Whether the store still has all that the state of a version is made of.
    fn restores(&self, version: u64) -> bool {
        let window = self.parameters().window.into();
        version == self.version() || version.saturating_sub(window) >= self.oldest_version()
    }

    /// An archive in memory with the blocks up to a version.
    fn replayed(&self, version: u64, progress: &mut dyn FnMut(Progress)) -> Result<Archive, ArchiveError> {
        let (scheme, parameters) = (self.scheme()?.clone(), self.parameters().clone());
        let entries = match self.block(0)? {
            LoggedBlock::Genesis(entries) => entries,
            _ => Vec::new(),
        };
        let genesis = Genesis::new(self.identity().clone(), parameters, *self.setup_digest(), entries)?;
        let store = Box::new(RedbStore::in_memory()?);
        let mut replayed = Archive::builder().scheme(scheme).create_on(store, &genesis)?;
        for next in 1..=version {
            self.work.check()?;
            progress(Progress { phase: Phase::Replay, done: next, total: version });
            match self.block(next)? {
                // Genesis is version 0's alone; one that stands elsewhere does not count up.
                LoggedBlock::Genesis(_) => return Err(ArchiveError::OutOfOrder { offered: 0, version: next - 1 }),
                LoggedBlock::Import(block) => replayed.import_block(&block)?,
                LoggedBlock::Transactions(block) => drop(replayed.apply(&block)?),
                LoggedBlock::Aggregated(block) => drop(replayed.apply_aggregated(&block)?),
            }
        }
        Ok(replayed)
    }
}
