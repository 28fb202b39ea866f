//! The stored tree: every node, so that a proof is read and not computed.

use aardvark_algebra::Scalar;
use aardvark_commitment::CommitmentError;

use super::super::scheme::check_index;
use super::proof::{Hash, MerkleProof, leaf, node};

/// All nodes of one vector's tree: 2N - 1 hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MerkleTree {
    /// Entry t holds the N / 2^t nodes of level t, the leaves first.
    levels: Vec<Vec<Hash>>,
}

impl MerkleTree {
    /// The tree of at most N = `vector_size` scalars, a power of two, padded with zeros.
    pub(super) fn new(scalars: &[Scalar], vector_size: usize) -> Self {
        let padding = scalars.len()..vector_size;
        let zero = leaf(&Scalar::from(0));
        let mut level: Vec<Hash> = scalars.iter().map(leaf).chain(padding.map(|_| zero)).collect();
        let mut levels = Vec::with_capacity(vector_size.ilog2() as usize + 1);
        while level.len() > 1 {
            let (pairs, _) = level.as_chunks::<2>();
            let above = pairs.iter().map(|[left, right]| node(left, right)).collect();
            levels.push(std::mem::replace(&mut level, above));
        }
        levels.push(level);
        Self { levels }
    }

    /// The root.
    pub fn root(&self) -> Hash {
        self.levels.last().and_then(|level| level.first()).copied().unwrap_or_default()
    }

    /// The proof of the scalar at an index below N: L look-ups.
    pub fn open(&self, index: usize) -> Result<MerkleProof, CommitmentError> {
        check_index(index, self.vector_size())?;
        let siblings = self.levels.iter().enumerate().map_while(|(t, level)| level.get((index >> t) ^ 1));
        Ok(MerkleProof::new(siblings.copied()))
    }

    /// Sets the scalar at an index below N: L + 1 hashes.
    pub fn update(&mut self, index: usize, scalar: &Scalar) -> Result<(), CommitmentError> {
        check_index(index, self.vector_size())?;
        let mut hash = leaf(scalar);
        for (t, level) in self.levels.iter_mut().enumerate() {
            let place = index >> t;
            let sibling = level.get(place ^ 1).copied().unwrap_or_default();
            if let Some(node) = level.get_mut(place) {
                *node = hash;
            }
            hash = if place & 1 == 0 { node(&hash, &sibling) } else { node(&sibling, &hash) };
        }
        Ok(())
    }

    fn vector_size(&self) -> usize {
        self.levels.first().map_or(0, Vec::len)
    }
}
