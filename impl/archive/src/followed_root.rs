//! What the state root of the newest version is over, moved on from version to version: whoever
//! gives the root of each, such as a front, reads what changed, and neither all commitments nor the
//! whole window.
//!
//! Which vectors a version changed is in the store: the positions that it replaced, which are kept
//! within retention, and those that it appended ([`crate::catching_up`] reads the same). So the
//! tree over the commitments hashes those anew, and a window gets the records of the new versions.
//! The slow twin is [`Snapshot::validator`], which reads everything, and of which the tests compare
//! the root.

use std::collections::{BTreeMap, BTreeSet};

use aardvark_algebra::integers::usize_or_max;
use aardvark_dictionary::commitment_tree::CommitmentTree;
use aardvark_dictionary::root::{Digest, DigestedState, RootParts, record_digest};

use crate::error::ArchiveError;
use crate::snapshot::Snapshot;

/// The tree over the commitments of some version, and the digests of its window's records.
#[derive(Clone, Debug)]
pub struct FollowedRoot {
    version: u64,
    /// The version's link in the chain of blocks.
    link: [u8; 32],
    tree: CommitmentTree,
    records: BTreeMap<u64, Digest>,
}

impl FollowedRoot {
    /// That of a snapshot's version: reads all commitments and the window.
    ///
    /// # Errors
    /// [`ArchiveError::Damaged`].
    pub fn of(archive: &Snapshot) -> Result<Self, ArchiveError> {
        let version = archive.version();
        let tree = CommitmentTree::new(&archive.commitments(version)?);
        let records = archive.record_digests(archive.window_start(version))?;
        Ok(Self { version, link: archive.info.link, tree, records })
    }

    /// The tree of the version that it was moved to last.
    pub fn tree(&self) -> &CommitmentTree {
        &self.tree
    }

    /// What the root of a snapshot's version is over, after moving on to it. It takes what changed
    /// in between; everything where that cannot be read any more, or another history is there.
    ///
    /// # Errors
    /// [`ArchiveError::Damaged`], [`ArchiveError::Store`].
    pub fn root_parts(&mut self, archive: &Snapshot) -> Result<RootParts, ArchiveError> {
        let versions = archive.oldest_version()..=archive.version();
        if versions.contains(&self.version) && archive.version_info(self.version)?.link == self.link {
            self.follow(archive)?;
        } else {
            *self = Self::of(archive)?;
        }
        let (tail_start, tail) = archive.tail(self.version)?;
        let state = DigestedState {
            version: self.version,
            size: archive.size(),
            commitment_root: self.tree.root(),
            records: self.records.values().copied().collect(),
            tail_start,
            tail,
            replay: archive.replay()?,
        };
        Ok(state.root_parts(archive.id()))
    }

    /// Moves on within one history. Where that fails, nothing has moved.
    fn follow(&mut self, archive: &Snapshot) -> Result<(), ArchiveError> {
        let start = archive.window_start(archive.version());
        let entered = archive.record_digests(start.max(self.version + 1))?;
        let changed = archive.vectors_changed_since(self.version)?;
        let tables = archive.tables()?;
        let commitment = |vector| tables.commitment(u64::try_from(vector).unwrap_or(u64::MAX));
        let changed = changed.into_iter().map(usize_or_max);
        self.tree.update_by(usize_or_max(archive.vectors()), changed, commitment)?;
        self.records = self.records.split_off(&start);
        self.records.extend(entered);
        (self.version, self.link) = (archive.version(), archive.info.link);
        Ok(())
    }
}

impl Snapshot {
    /// The digests of the records of a version and those after it.
    fn record_digests(&self, first: u64) -> Result<BTreeMap<u64, Digest>, ArchiveError> {
        let records = self.window(first, self.version())?;
        Ok(records.iter().map(|record| (record.version, record_digest(record))).collect())
    }

    /// The vectors that versions after this one wrote, ascending, those too that are gone again.
    fn vectors_changed_since(&self, version: u64) -> Result<BTreeSet<u64>, ArchiveError> {
        let tables = self.tables()?;
        let vector_size = self.parameters().positions_per_vector();
        let mut vectors = BTreeSet::new();
        let mut size = tables.version(version)?.size;
        for later in version + 1..=self.version() {
            self.work.check()?;
            for position in tables.written(later)? {
                vectors.insert(position? / vector_size);
            }
            let before = std::mem::replace(&mut size, tables.version(later)?.size);
            vectors.extend(before / vector_size..size.max(before).div_ceil(vector_size));
        }
        Ok(vectors)
    }
}
