//! What an archive says of itself in the formats that readers verify.

use aardvark_commitment::Commitment;
use aardvark_dictionary::{Claim, Key};
use aardvark_proof::commitments_json::Commitments;
use aardvark_proof::proof_json::Proof;

use crate::error::ArchiveError;
use crate::snapshot::Snapshot;

impl Snapshot {
    /// The commitments of a version, as a reader trusts them.
    ///
    /// # Errors
    /// A version that cannot be read, a store that cannot be read.
    pub fn published_commitments(&self, version: u64) -> Result<Commitments, ArchiveError> {
        let commitments = self.commitments(version)?;
        let head = self.commitments_head(version)?;
        Ok(Commitments { commitments: commitments.iter().map(Commitment::to_bytes).collect(), ..head })
    }

    /// [`Snapshot::published_commitments`] without the commitments themselves.
    ///
    /// # Errors
    /// As there.
    pub fn commitments_head(&self, version: u64) -> Result<Commitments, ArchiveError> {
        Ok(Commitments {
            dictionary: *self.id(),
            scheme: self.parameters().scheme,
            vector_size: self.parameters().vector_size,
            version,
            slots: self.version_info(version)?.size,
            commitments: Vec::new(),
        })
    }

    /// A proof for a key, of claims that [`Snapshot::prove`] or [`Snapshot::prove_delete`] made at
    /// the version.
    pub fn key_proof(&self, key: Key, version: u64, claims: Vec<Claim>) -> Proof {
        Proof {
            dictionary: *self.id(),
            scheme: self.parameters().scheme,
            vector_size: self.parameters().vector_size,
            version,
            key,
            claims,
            root: None,
        }
    }
}
