//! Binary Merkle trees on SHA-256.
//!
//! A vector of N = 2^L scalars is a full binary tree with domain-separated hashes, those of RFC
//! 9162 (Certificate Transparency):
//!
//! ```text
//! leaf = SHA-256(0x00 || scalar, 32 bytes big-endian)      node = SHA-256(0x01 || left || right)
//! ```
//!
//! - Commit: the root, 2N - 1 hashes. Open: the L siblings on the way up, read from a stored tree
//!   ([`MerkleTree`]).
//! - Verify: L + 1 hashes. Bit t of the index says on which side the sibling of level t stands.
//! - Commitment update: who holds only the root checks the old scalar's proof first, then hashes
//!   the new scalar up the same siblings ([`Merkle::update_root`]): 2 (L + 1) hashes. Neither a
//!   root nor a proof can be updated from an index and a delta alone: an archive updates its tree
//!   and reads proofs anew ([`MerkleTree::update`]).
//!
//! A proof made before an update does not verify after it.

mod proof;
mod tree;

use aardvark_algebra::Scalar;
use aardvark_commitment::{CommitmentError, MAX_VECTOR_SIZE};

use super::scheme::{Baseline, check_length};
use proof::leaf;
pub use proof::{HASH_BYTES, Hash, MerkleProof};
pub use tree::MerkleTree;

/// Merkle trees over N scalars, N a power of two in 1..=4096.
#[derive(Clone, Copy, Debug)]
pub struct Merkle {
    vector_size: usize,
}

impl Merkle {
    /// Trees over N scalars.
    pub fn new(vector_size: usize) -> Result<Self, CommitmentError> {
        match vector_size.is_power_of_two() && vector_size <= MAX_VECTOR_SIZE {
            true => Ok(Self { vector_size }),
            false => Err(CommitmentError::VectorSize(vector_size)),
        }
    }

    /// The stored tree of a vector; a shorter one is padded with zeros.
    pub fn tree(&self, scalars: &[Scalar]) -> Result<MerkleTree, CommitmentError> {
        check_length(scalars, self.vector_size)?;
        Ok(MerkleTree::new(scalars, self.vector_size))
    }

    /// The root after the scalar at `index` has become `new`, for who holds the root alone. `None`
    /// where `proof` does not prove that it was `old`.
    pub fn update_root(
        &self,
        root: &Hash,
        index: usize,
        (old, new): (&Scalar, &Scalar),
        proof: &MerkleProof,
    ) -> Option<Hash> {
        self.verify(root, index, old, proof).then(|| proof.root_over(leaf(new), index))
    }
}

impl Baseline for Merkle {
    type Commitment = Hash;
    type Opening = MerkleProof;

    fn vector_size(&self) -> usize {
        self.vector_size
    }

    fn commit(&self, scalars: &[Scalar]) -> Result<Hash, CommitmentError> {
        self.tree(scalars).map(|tree| tree.root())
    }

    fn open(&self, scalars: &[Scalar], index: usize) -> Result<MerkleProof, CommitmentError> {
        self.tree(scalars)?.open(index)
    }

    fn open_all(&self, scalars: &[Scalar]) -> Result<Vec<MerkleProof>, CommitmentError> {
        let tree = self.tree(scalars)?;
        (0..self.vector_size).map(|index| tree.open(index)).collect()
    }

    fn verify(&self, commitment: &Hash, index: usize, scalar: &Scalar, opening: &MerkleProof) -> bool {
        index < self.vector_size
            && opening.siblings().len() == self.vector_size.ilog2() as usize
            && opening.root_over(leaf(scalar), index) == *commitment
    }
}

#[cfg(test)]
mod tests;
