//! The trees over the commitments of the versions that are asked for, kept because a path takes all
//! leaves of its tree.
//!
//! A tree over V vectors takes 2 V hashes and 64 V bytes, the commitments as much again; the latest
//! few versions are what clients ask about, so a few trees are held, and the one not asked for
//! longest goes. A front's follower moves one tree from version to version and puts that here: such
//! trees share what is equal in them, and the commitments are read from the store.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use aardvark_archive::{ArchiveError, Snapshot};
use aardvark_commitment::Commitment;
use aardvark_dictionary::commitment_tree::{CommitmentTree, Digest};

/// Trees that are held.
const HELD: usize = 8;

/// A commitment, compressed, and its path.
pub(crate) type Tied = ([u8; 48], Vec<Digest>);

/// The tree over the commitments of one version.
#[derive(Debug)]
pub(crate) struct Tree {
    version: u64,
    /// Where they were read for it.
    commitments: Option<Vec<Commitment>>,
    levels: CommitmentTree,
}

impl Tree {
    /// Reads the commitments of a version and builds the tree.
    pub(crate) fn of(archive: &Snapshot, version: u64) -> Result<Self, ArchiveError> {
        let commitments = archive.commitments(version)?;
        let levels = CommitmentTree::new(&commitments);
        Ok(Self { version, commitments: Some(commitments), levels })
    }

    /// The commitment of a vector, compressed, and its path; `None` where there is no such vector.
    pub(crate) fn path(&self, archive: &Snapshot, vector: u64) -> Result<Option<Tied>, ArchiveError> {
        let Ok(index) = usize::try_from(vector) else {
            return Ok(None);
        };
        let commitment = match &self.commitments {
            Some(commitments) => commitments.get(index).copied(),
            None => archive.commitments_within(self.version, vector, vector.saturating_add(1))?.pop(),
        };
        Ok(commitment.map(|commitment| (commitment.to_bytes(), self.levels.path(index))))
    }
}

/// Trees of some versions, the one asked for last in front.
#[derive(Debug, Default)]
pub(crate) struct Trees {
    held: Mutex<VecDeque<Arc<Tree>>>,
}

impl Trees {
    /// The tree of a version. Two who ask for one that is not held may both build it.
    pub(crate) fn get(&self, archive: &Snapshot, version: u64) -> Result<Arc<Tree>, ArchiveError> {
        if let Some(tree) = self.held(version) {
            return Ok(tree);
        }
        let tree = Arc::new(Tree::of(archive, version)?);
        self.hold(Arc::clone(&tree));
        Ok(tree)
    }

    /// Holds the tree of a version that somebody else has made.
    pub(crate) fn put(&self, version: u64, levels: CommitmentTree) {
        self.hold(Arc::new(Tree { version, commitments: None, levels }));
    }

    fn hold(&self, tree: Arc<Tree>) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.push_front(tree);
        held.truncate(HELD);
    }

    /// The tree of a version, where it is held.
    pub(crate) fn held(&self, version: u64) -> Option<Arc<Tree>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let place = held.iter().position(|tree| tree.version == version)?;
        let tree = held.remove(place)?;
        held.push_front(Arc::clone(&tree));
        Some(tree)
    }
}
