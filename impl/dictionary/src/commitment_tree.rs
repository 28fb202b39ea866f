//! The RFC 6962 tree over the commitments, and the paths that tie one of them to its root (`aardvark_spec::commitment_tree`).
//!
//! A verifier computes the number of leaves from the number of slots and the leaf's index from the claim's position; a path is
//! nothing but siblings, from below. Where a level has an odd number of nodes the last goes up as it is.

use aardvark_algebra::tagged_hash;
use aardvark_commitment::Commitment;
use sha2::{Digest as _, Sha256};

/// A digest of SHA-256.
pub type Digest = [u8; 32];

/// Levels above the leaves of the largest tree: a count has 64 bits.
const MOST_LEVELS: usize = 64;

/// RFC 6962's root over the encoded commitments; the zero digest over none, which no dictionary has.
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

/// The root to which a path ties a commitment (RFC 9162, section 2.1.3.2). `vectors` is ceil(s/N) of a number of slots that the
/// verifier trusts, `vector` the claim's position by N: neither is ever received. `None` where the vector is none of
/// them, or the path has a digest too few or too many.
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

/// All digests of a tree, for who gives many paths: [`commitment_path`] hashes all leaves for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitmentTree {
    /// The leaves, the nodes over them, and so on up to the root.
    levels: Vec<Vec<Digest>>,
}

impl CommitmentTree {
    /// Hashes the tree over commitments.
    pub fn new(commitments: &[Commitment]) -> Self {
        let mut levels = vec![leaves(commitments)];
        while let Some(level) = levels.last().filter(|level| level.len() > 1) {
            let above = level_above(level);
            levels.push(above);
        }
        Self { levels }
    }

    /// [`commitment_root`].
    pub fn root(&self) -> Digest {
        self.levels.last().and_then(|top| top.first()).copied().unwrap_or_default()
    }

    /// [`commitment_path`].
    pub fn path(&self, index: usize) -> Vec<Digest> {
        let siblings = (0..).zip(&self.levels).filter(|(_, level)| level.len() > 1);
        siblings.filter_map(|(height, level)| level.get((index >> height) ^ 1).copied()).collect()
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

    use super::*;

    #[test]
    fn a_kept_tree_gives_the_root_and_the_paths_of_one_that_is_hashed_each_time() {
        let commitment = |number: u64| Commitment::from_point((G1Affine::generator() * Scalar::from(number)).into());
        for count in 0..20 {
            let commitments: Vec<Commitment> = (0..count).map(commitment).collect();
            let tree = CommitmentTree::new(&commitments);
            assert_eq!(tree.root(), commitment_root(&commitments));
            for index in 0..commitments.len() {
                let path = tree.path(index);
                assert_eq!(path, commitment_path(&commitments, index), "{index} of {count}");
                let root = root_of_path(count, index as u64, &commitments[index], &path);
                assert_eq!(root, Some(tree.root()));
            }
        }
    }
}
