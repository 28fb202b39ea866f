//! The trees over the commitments of the versions that are asked for, kept because a path takes all
//! leaves of its tree.
//!
//! A tree over V vectors takes 2 V hashes and 128 V bytes or so; the latest few versions are what
//! clients ask about, so a few trees are held, and the one not asked for longest goes.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use aardvark_archive::{ArchiveError, Snapshot};
use aardvark_commitment::Commitment;
use aardvark_dictionary::commitment_tree::{CommitmentTree, Digest};

/// Trees that are held.
const HELD: usize = 8;

/// The commitments of one version and the tree over them.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) version: u64,
    commitments: Vec<Commitment>,
    levels: CommitmentTree,
}

impl Tree {
    /// Reads the commitments of a version and builds the tree.
    pub(crate) fn of(archive: &Snapshot, version: u64) -> Result<Self, ArchiveError> {
        let commitments = archive.commitments(version)?;
        let levels = CommitmentTree::new(&commitments);
        Ok(Self { version, commitments, levels })
    }

    /// The commitment of a vector, compressed, and its path; `None` where there is no such vector.
    pub(crate) fn path(&self, vector: u64) -> Option<([u8; 48], Vec<Digest>)> {
        let index = usize::try_from(vector).ok()?;
        let commitment = self.commitments.get(index)?;
        Some((commitment.to_bytes(), self.levels.path(index)))
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
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.push_front(Arc::clone(&tree));
        held.truncate(HELD);
        Ok(tree)
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
