//! The RFC 6962 tree over the commitments, and the paths that tie one of them to its root
//! (`aardvark_spec::commitment::commitment_tree`).
//!
//! A verifier computes the number of leaves from the number of slots and the leaf's index from the
//! claim's position; a path is nothing but siblings, from below. Where a level has an odd number of
//! nodes the last goes up as it is.

use std::sync::Arc;

use aardvark_algebra::tagged_hash;
use aardvark_commitment::Commitment;
use sha2::{Digest as _, Sha256};

pub use crate::data::root_parts::Digest;

/// Levels above the leaves of the largest tree: a count has 64 bits.
const MOST_LEVELS: usize = 64;

/// RFC 6962's root over the encoded commitments; the zero digest over none, which no dictionary
/// has.
pub fn commitment_root(commitments: &[Commitment]) -> Digest {
    let mut level = leaves(commitments);
    while level.len() > 1 {
        level = level_above(&level);
    }
    level.first().copied().unwrap_or_default()
}

/// The siblings on the way from leaf `index` to the root, from below.
pub fn commitment_path(commitments: &[Commitment], index: usize) -> Vec<Digest> {
    let (mut level, mut index, mut path) = (leaves(commitments), index, Vec::new());
    while level.len() > 1 {
        path.extend(level.get(index ^ 1).copied());
        level = level_above(&level);
        index /= 2;
    }
    path
}

/// The root to which a path ties a commitment (RFC 9162, section 2.1.3.2). `vectors` is ceil(s/N)
/// of a number of slots that the verifier trusts, `vector` the claim's position by N: neither is
/// ever received. `None` where the vector is none of them, or the path has a digest too few or too
/// many.
#[must_use = "a path proves nothing before its root is compared"]
pub fn root_of_path(vectors: u64, vector: u64, commitment: &Commitment, path: &[Digest]) -> Option<Digest> {
    if vector >= vectors || path.len() > MOST_LEVELS {
        return None;
    }
    let (mut digest, mut index, mut width) = (leaf_digest(commitment), vector, vectors);
    let mut siblings = path.iter();
    while width > 1 {
        let carried = index % 2 == 0 && index + 1 == width;
        if !carried {
            let sibling = siblings.next()?;
            digest = if index % 2 == 0 { node_digest(&digest, sibling) } else { node_digest(sibling, &digest) };
        }
        index /= 2;
        width = width / 2 + width % 2;
    }
    siblings.next().is_none().then_some(digest)
}

/// All digests of a tree, kept up to date: for who gives roots of one version after the other, or
/// many paths. [`commitment_root`] and [`commitment_path`], which hash all leaves each time, are
/// its slow twins.
///
/// It takes twice 32 bytes a commitment. A clone shares them with its original until one of the two
/// changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitmentTree {
    /// The leaves, the nodes over them, and so on up to the root; at least one level.
    levels: Vec<Level>,
}

impl CommitmentTree {
    /// Hashes the tree over commitments.
    pub fn new(commitments: &[Commitment]) -> Self {
        let mut tree = Self::default();
        tree.update(commitments, []);
        tree
    }

    /// Moves on to the commitments of the next version, of which those at the indices `changed`,
    /// ascending, are others than before. Those that are new or no longer there are found by their
    /// number. Hashes no more than the changed leaves, the last one, and the nodes above these.
    pub fn update(&mut self, commitments: &[Commitment], changed: impl IntoIterator<Item = usize>) {
        let changed = self.changed_leaves(commitments.len(), changed);
        let leaves = changed.iter().filter_map(|index| Some((*index, leaf_digest(commitments.get(*index)?))));
        self.update_leaves(commitments.len(), leaves.collect());
    }

    /// [`CommitmentTree::update`] where not all commitments are at hand: `commitment` is asked for
    /// those that are hashed, of `width` that there are now.
    ///
    /// # Errors
    /// What `commitment` returns; the tree then is as it was.
    pub fn update_by<E>(
        &mut self,
        width: usize,
        changed: impl IntoIterator<Item = usize>,
        commitment: impl Fn(usize) -> Result<Commitment, E>,
    ) -> Result<(), E> {
        let changed = self.changed_leaves(width, changed);
        let leaves = changed.into_iter().map(|index| Ok((index, leaf_digest(&commitment(index)?))));
        let leaves = leaves.collect::<Result<_, E>>()?;
        self.update_leaves(width, leaves);
        Ok(())
    }

    /// The leaves that are to be hashed, ascending, where there are `width` now.
    fn changed_leaves(&self, width: usize, changed: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let before = self.levels.first().map_or(0, Level::len).min(width);
        let mut changed: Vec<usize> = changed.into_iter().filter(|index| *index < before).collect();
        changed.extend(before..width);
        // What is cut off changes what stands above the last leaf.
        changed.extend(width.checked_sub(1).filter(|last| changed.last() != Some(last)));
        changed
    }

    /// Gives the tree its leaves, of which these are other ones or new, and the nodes above them.
    fn update_leaves(&mut self, mut width: usize, leaves: Vec<(usize, Digest)>) {
        let mut changed: Vec<usize> = leaves.iter().map(|(index, _)| *index).collect();
        self.set(0, width, leaves);
        let mut height = 0;
        while width > 1 {
            changed.iter_mut().for_each(|index| *index /= 2);
            changed.dedup();
            let nodes = changed.iter().filter_map(|index| Some((*index, self.node_over(height, *index)?))).collect();
            (width, height) = (width.div_ceil(2), height + 1);
            self.set(height, width, nodes);
        }
        self.levels.truncate(height + 1);
    }

    /// [`commitment_root`].
    pub fn root(&self) -> Digest {
        self.levels.last().and_then(|top| top.get(0)).unwrap_or_default()
    }

    /// [`commitment_path`].
    pub fn path(&self, index: usize) -> Vec<Digest> {
        let siblings = (0..).zip(&self.levels).filter(|(_, level)| level.len() > 1);
        siblings.filter_map(|(height, level)| level.get((index >> height) ^ 1)).collect()
    }

    /// Gives a level its width, and some of its digests, ascending.
    fn set(&mut self, height: usize, width: usize, digests: Vec<(usize, Digest)>) {
        if self.levels.len() <= height {
            self.levels.push(Level::default());
        }
        if let Some(level) = self.levels.get_mut(height) {
            level.truncate(width);
            digests.into_iter().for_each(|(index, digest)| level.set(index, digest));
        }
    }

    /// The node over the two nodes `2 index` and `2 index + 1` of a level, or over the first alone.
    fn node_over(&self, height: usize, index: usize) -> Option<Digest> {
        let level = self.levels.get(height)?;
        let left = level.get(2 * index)?;
        Some(level.get(2 * index + 1).map_or(left, |right| node_digest(&left, &right)))
    }
}

/// Digests in a piece of a level: 4 KiB, what a clone copies when one of them changes.
const PIECE: usize = 128;

/// The digests of one level, in pieces that clones share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Level {
    /// All of [`PIECE`] digests, but the last, which has at least one.
    pieces: Vec<Arc<Vec<Digest>>>,
}

impl Level {
    fn len(&self) -> usize {
        let last = self.pieces.last().map_or(0, |piece| piece.len());
        self.pieces.len().saturating_sub(1) * PIECE + last
    }

    fn get(&self, index: usize) -> Option<Digest> {
        self.pieces.get(index / PIECE)?.get(index % PIECE).copied()
    }

    /// Replaces a digest, or appends one.
    fn set(&mut self, index: usize, digest: Digest) {
        if index / PIECE == self.pieces.len() {
            self.pieces.push(Arc::default());
        }
        let Some(piece) = self.pieces.get_mut(index / PIECE).map(Arc::make_mut) else {
            return;
        };
        match piece.get_mut(index % PIECE) {
            Some(place) => *place = digest,
            None => piece.push(digest),
        }
    }

    fn truncate(&mut self, length: usize) {
        if length >= self.len() {
            return;
        }
        self.pieces.truncate(length.div_ceil(PIECE));
        let rest = length - self.pieces.len().saturating_sub(1) * PIECE;
        if let Some(last) = self.pieces.last_mut().filter(|last| last.len() > rest) {
            Arc::make_mut(last).truncate(rest);
        }
    }
}

fn leaves(commitments: &[Commitment]) -> Vec<Digest> {
    commitments.iter().map(leaf_digest).collect()
}

/// SHA-256(0x00 || commitment): the tagged hash under the empty tag.
fn leaf_digest(commitment: &Commitment) -> Digest {
    tagged_hash("", &commitment.to_bytes())
}

/// SHA-256(0x01 || left || right).
fn node_digest(left: &Digest, right: &Digest) -> Digest {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// A node over each two; the last of an odd number as it is.
fn level_above(level: &[Digest]) -> Vec<Digest> {
    let nodes = level.chunks(2).filter_map(|pair| match pair {
        [left, right] => Some(node_digest(left, right)),
        [last] => Some(*last),
        _ => None,
    });
    nodes.collect()
}

#[cfg(test)]
mod tests {
    use aardvark_algebra::group::prime::PrimeCurveAffine;
    use aardvark_algebra::{G1Affine, Scalar};
    use proptest::prelude::*;

    use super::*;

    fn commitment(number: u64) -> Commitment {
        Commitment::from_point_unchecked(G1Affine::generator() * Scalar::from(number))
    }

    /// The root and all paths are those of the slow twins, and the paths lead to the root.
    fn assert_agrees(tree: &CommitmentTree, commitments: &[Commitment]) {
        assert_eq!(tree.root(), commitment_root(commitments), "{} commitments", commitments.len());
        let count = commitments.len();
        // Every one of few; of many, those around the pieces' ends.
        for index in (0..count).filter(|index| count < 20 || index % PIECE < 2 || index + 2 > count) {
            let path = tree.path(index);
            assert_eq!(path, commitment_path(commitments, index), "{index} of {count}");
            let root = root_of_path(count as u64, index as u64, &commitments[index], &path);
            assert_eq!(root, Some(tree.root()));
        }
    }

    #[test]
    fn a_kept_tree_gives_the_root_and_the_paths_of_one_that_is_hashed_each_time() {
        for count in 0..20 {
            let commitments: Vec<Commitment> = (0..count).map(commitment).collect();
            assert_agrees(&CommitmentTree::new(&commitments), &commitments);
        }
    }

    /// From any number of commitments to any other, with none, some and all of those that stay
    /// changed.
    #[test]
    fn a_kept_tree_follows_every_change_of_size() {
        let all: Vec<Commitment> = (0..40).map(commitment).collect();
        let (old, new) = all.split_at(20);
        for before in 0..old.len() {
            for after in 0..new.len() {
                for every in [1, 3, usize::MAX] {
                    let mut commitments = old[..before].to_vec();
                    let mut tree = CommitmentTree::new(&commitments);
                    commitments.resize(after, Commitment::identity());
                    let other = |index: &usize| *index >= before || (*index + 1).is_multiple_of(every);
                    let changed: Vec<usize> = (0..after).filter(other).collect();
                    changed.iter().for_each(|index| commitments[*index] = new[*index]);
                    let mut sparse = tree.clone();
                    tree.update(&commitments, changed.clone());
                    assert_agrees(&tree, &commitments);
                    assert_eq!(tree, CommitmentTree::new(&commitments), "{before} to {after}");
                    let untouched = sparse.clone();
                    let fails = sparse.update_by(after, changed.clone(), |_| Err::<Commitment, ()>(()));
                    assert_eq!((fails.is_err(), &sparse), (after > 0, if after > 0 { &untouched } else { &tree }));
                    // None is asked for but those that it needs.
                    let needed = |index: usize| changed.contains(&index) || index + 1 == after;
                    sparse
                        .update_by(after, changed.clone(), |index| needed(index).then(|| commitments[index]).ok_or(()))
                        .unwrap();
                    assert_eq!(sparse, tree, "{before} to {after}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Sizes across several pieces; a clone stays what it was.
        #[test]
        fn a_kept_tree_is_that_of_its_commitments_after_any_changes(
            steps in prop::collection::vec((0usize..5 * PIECE, prop::collection::btree_set(0usize..5 * PIECE, 0..9)), 1..6)
        ) {
            let all: Vec<Commitment> = (0..64).map(commitment).collect();
            let (mut tree, mut commitments) = (CommitmentTree::new(&[]), Vec::new());
            for (turn, (size, changed)) in steps.into_iter().enumerate() {
                let (kept, kept_commitments) = (tree.clone(), commitments.clone());
                let start = commitments.len();
                commitments.truncate(size);
                commitments.extend((start..size).map(|index| all[(index * 7 + turn) % 64]));
                let changed: Vec<usize> = changed.into_iter().filter(|index| *index < size).collect();
                changed.iter().for_each(|index| commitments[*index] = all[(index * 5 + turn + 1) % 64]);
                tree.update(&commitments, changed);
                assert_agrees(&tree, &commitments);
                prop_assert_eq!(&tree, &CommitmentTree::new(&commitments));
                prop_assert_eq!(kept, CommitmentTree::new(&kept_commitments));
            }
        }
    }
}
