//! Hashes, and the proofs that are made of them.

use aardvark_algebra::{Scalar, scalar_to_bytes};
use aardvark_commitment::MAX_VECTOR_SIZE;
use sha2::{Digest, Sha256};

/// Bytes of a hash.
pub const HASH_BYTES: usize = 32;
/// The largest L: log2 of the largest N.
const MAX_LOG_SIZE: usize = MAX_VECTOR_SIZE.ilog2() as usize;

/// A node of the tree.
pub type Hash = [u8; HASH_BYTES];

/// The siblings on the way from a leaf to the root, the leaf's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MerkleProof {
    length: usize,
    siblings: [Hash; MAX_LOG_SIZE],
}

impl MerkleProof {
    /// The proof of these siblings, the leaf's first.
    pub(super) fn new(list: impl Iterator<Item = Hash>) -> Self {
        let mut proof = Self { length: 0, siblings: [[0; HASH_BYTES]; MAX_LOG_SIZE] };
        for (place, sibling) in proof.siblings.iter_mut().zip(list) {
            *place = sibling;
            proof.length += 1;
        }
        proof
    }

    /// The L siblings.
    pub fn siblings(&self) -> &[Hash] {
        self.siblings.get(..self.length).unwrap_or_default()
    }

    /// 32 L bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.siblings().concat()
    }

    /// The proof that 32 L bytes encode; `None` where their number is not a multiple of 32, or too
    /// large.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (siblings, rest) = bytes.as_chunks::<HASH_BYTES>();
        let fits = rest.is_empty() && siblings.len() <= MAX_LOG_SIZE;
        fits.then(|| Self::new(siblings.iter().copied()))
    }

    /// The root over a leaf at an index.
    pub(super) fn root_over(&self, leaf: Hash, index: usize) -> Hash {
        self.siblings().iter().enumerate().fold(leaf, |below, (t, sibling)| match (index >> t) & 1 {
            0 => node(&below, sibling),
            _ => node(sibling, &below),
        })
    }
}

/// SHA-256(0x00 || scalar).
pub(super) fn leaf(scalar: &Scalar) -> Hash {
    Sha256::new().chain_update([0]).chain_update(scalar_to_bytes(scalar)).finalize().into()
}

/// SHA-256(0x01 || left || right).
pub(super) fn node(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}
