//! Others' libraries, set up on the same ceremony and the same vector.

use aardvark_algebra::{Scalar, scalar_to_bytes};
use c_kzg::{Blob, Bytes32, Bytes48, KzgSettings, ethereum_kzg_settings};
use rs_merkle::algorithms::Sha256;
use rs_merkle::{Hasher, MerkleProof, MerkleTree};
use rust_eth_kzg::DASContext;

use crate::error::BenchError;

/// Bytes of a blob.
pub const BLOB_BYTES: usize = 4096 * 32;

/// A point proof as the wire has it.
#[derive(Clone, Copy, Debug)]
pub struct PointProof {
    /// The commitment.
    pub commitment: [u8; 48],
    /// Where the polynomial is evaluated.
    pub z: [u8; 32],
    /// Its value there.
    pub y: [u8; 32],
    /// The proof.
    pub proof: [u8; 48],
}

/// c-kzg, rust_eth_kzg and rs_merkle.
pub struct Peers {
    c_kzg: &'static KzgSettings,
    rust_eth_kzg: DASContext,
    leaves: Vec<[u8; 32]>,
    tree: MerkleTree<Sha256>,
}

impl Peers {
    /// Both KZG libraries on the ceremony that they ship, and a Merkle tree over the vector.
    pub fn new(vector: &[Scalar]) -> Self {
        let leaves: Vec<[u8; 32]> = vector.iter().map(|scalar| Sha256::hash(&scalar_to_bytes(scalar))).collect();
        let tree = MerkleTree::from_leaves(&leaves);
        Self { c_kzg: ethereum_kzg_settings(0), rust_eth_kzg: DASContext::default(), leaves, tree }
    }

    /// c-kzg's commitment to a blob.
    pub fn c_kzg_commit(&self, blob: &[u8; BLOB_BYTES]) -> Result<[u8; 48], BenchError> {
        let commitment = self.c_kzg.blob_to_kzg_commitment(&Blob::new(*blob)).map_err(failed)?;
        Ok(commitment.to_bytes().into_inner())
    }

    /// c-kzg's opening of a blob, with the value.
    pub fn c_kzg_open(&self, blob: &[u8; BLOB_BYTES], z: [u8; 32]) -> Result<([u8; 48], [u8; 32]), BenchError> {
        let (proof, y) = self.c_kzg.compute_kzg_proof(&Blob::new(*blob), &Bytes32::new(z)).map_err(failed)?;
        Ok((proof.to_bytes().into_inner(), *y))
    }

    /// c-kzg's verification of an opening.
    pub fn c_kzg_verify(&self, p: &PointProof) -> Result<bool, BenchError> {
        let (commitment, proof) = (Bytes48::new(p.commitment), Bytes48::new(p.proof));
        self.c_kzg.verify_kzg_proof(&commitment, &Bytes32::new(p.z), &Bytes32::new(p.y), &proof).map_err(failed)
    }

    /// c-kzg's verification of a batch of blobs.
    pub fn c_kzg_verify_blobs(
        &self,
        blobs: &[Blob],
        commitments: &[Bytes48],
        proofs: &[Bytes48],
    ) -> Result<bool, BenchError> {
        self.c_kzg.verify_blob_kzg_proof_batch(blobs, commitments, proofs).map_err(failed)
    }

    /// c-kzg's proof of a whole blob.
    pub fn c_kzg_blob_proof(&self, blob: &[u8; BLOB_BYTES], commitment: [u8; 48]) -> Result<[u8; 48], BenchError> {
        let proof = self.c_kzg.compute_blob_kzg_proof(&Blob::new(*blob), &Bytes48::new(commitment)).map_err(failed)?;
        Ok(proof.to_bytes().into_inner())
    }

    /// rust_eth_kzg's commitment to a blob.
    pub fn rust_eth_kzg_commit(&self, blob: &[u8; BLOB_BYTES]) -> Result<[u8; 48], BenchError> {
        self.rust_eth_kzg.blob_to_kzg_commitment(blob).map_err(failed)
    }

    /// rust_eth_kzg's opening of a blob, with the value.
    pub fn rust_eth_kzg_open(&self, blob: &[u8; BLOB_BYTES], z: [u8; 32]) -> Result<([u8; 48], [u8; 32]), BenchError> {
        self.rust_eth_kzg.compute_kzg_proof(blob, z).map_err(failed)
    }

    /// rust_eth_kzg's verification of an opening.
    pub fn rust_eth_kzg_verify(&self, p: &PointProof) -> bool {
        self.rust_eth_kzg.verify_kzg_proof(&p.commitment, p.z, p.y, &p.proof).is_ok()
    }

    /// rust_eth_kzg's verification of a batch of blobs.
    pub fn rust_eth_kzg_verify_blobs(
        &self,
        blobs: &[&[u8; BLOB_BYTES]],
        commitments: &[&[u8; 48]],
        proofs: &[&[u8; 48]],
    ) -> bool {
        let (blobs, commitments, proofs) = (blobs.to_vec(), commitments.to_vec(), proofs.to_vec());
        self.rust_eth_kzg.verify_blob_kzg_proof_batch(blobs, commitments, proofs).is_ok()
    }

    /// rs_merkle's root over hashed leaves, from the scalars.
    pub fn rs_merkle_commit(&self, vector: &[Scalar]) -> Option<[u8; 32]> {
        let leaves: Vec<[u8; 32]> = vector.iter().map(|scalar| Sha256::hash(&scalar_to_bytes(scalar))).collect();
        MerkleTree::<Sha256>::from_leaves(&leaves).root()
    }

    /// rs_merkle's root of the stored tree.
    pub fn rs_merkle_root(&self) -> Option<[u8; 32]> {
        self.tree.root()
    }

    /// rs_merkle's proof from the stored tree, as bytes.
    pub fn rs_merkle_open(&self, index: usize) -> Vec<u8> {
        self.tree.proof(&[index]).to_bytes()
    }

    /// rs_merkle's verification, from bytes.
    pub fn rs_merkle_verify(&self, root: [u8; 32], index: usize, scalar: &Scalar, proof: &[u8]) -> bool {
        let leaf = Sha256::hash(&scalar_to_bytes(scalar));
        let proof = MerkleProof::<Sha256>::from_bytes(proof);
        proof.is_ok_and(|proof| proof.verify(root, &[index], &[leaf], self.leaves.len()))
    }
}

/// An error of another's library.
pub fn failed(error: impl std::fmt::Debug) -> BenchError {
    BenchError::Wrong(format!("a peer failed: {error:?}"))
}
