//! What ties a proof's claims to a state root, as the field `root` of a proof.
//!
//! ```json
//! { "version": 7, "size": 12345, "tail_start": 12288, "commitment_root": "0x…", "tail_digest": "0x…", "replay_digest": "0x…",
//!   "window_digest": "0x…", "claims": [ { "commitment": "0x… 48 bytes", "path": ["0x…", …] } ] }
//! ```
//!
//! Whoever verifies puts the dictionary's id, which they know, before these parts, compares the digest with the root that
//! they trust, and only then uses the size and the commitment root. Every path belongs to the claim at its place.

use aardvark_dictionary::DictionaryId;
use aardvark_dictionary::root::{Digest, RootParts};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::hex_text::HexArray;

/// The parts of a state root, and a path for each claim of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofRoot {
    /// The version.
    pub version: u64,
    /// Its number of slots.
    pub size: u64,
    /// The first position of its tail.
    pub tail_start: u64,
    /// The root of the tree over its commitments.
    pub commitment_root: Digest,
    /// The digest of its tail.
    pub tail_digest: Digest,
    /// The digest of its replay set.
    pub replay_digest: Digest,
    /// The digest of its window.
    pub window_digest: Digest,
    /// One path for each claim, in their order.
    pub claims: Vec<CommitmentPath>,
}

/// A commitment and its path to the commitment root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitmentPath {
    /// The commitment of the claim's vector, compressed.
    pub commitment: [u8; 48],
    /// The siblings from below.
    pub path: Vec<Digest>,
}

impl ProofRoot {
    /// Parts and paths of one version.
    pub fn new(parts: &RootParts, claims: Vec<CommitmentPath>) -> Self {
        Self {
            version: parts.version,
            size: parts.size,
            tail_start: parts.tail_start,
            commitment_root: parts.commitment_root,
            tail_digest: parts.tail_digest,
            replay_digest: parts.replay_digest,
            window_digest: parts.window_digest,
            claims,
        }
    }

    /// The parts, as those of a dictionary that the caller names.
    pub fn parts(&self, dictionary: &DictionaryId) -> RootParts {
        RootParts {
            dictionary: dictionary.0,
            version: self.version,
            size: self.size,
            tail_start: self.tail_start,
            commitment_root: self.commitment_root,
            tail_digest: self.tail_digest,
            replay_digest: self.replay_digest,
            window_digest: self.window_digest,
        }
    }
}

#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RootJson {
    version: u64,
    size: u64,
    tail_start: u64,
    #[schema(value_type = String)]
    commitment_root: HexArray<32>,
    #[schema(value_type = String)]
    tail_digest: HexArray<32>,
    #[schema(value_type = String)]
    replay_digest: HexArray<32>,
    #[schema(value_type = String)]
    window_digest: HexArray<32>,
    claims: Vec<PathJson>,
}

#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PathJson {
    #[schema(value_type = String)]
    commitment: HexArray<48>,
    #[schema(value_type = Vec<String>)]
    path: Vec<HexArray<32>>,
}

impl From<&ProofRoot> for RootJson {
    fn from(root: &ProofRoot) -> Self {
        let path = |claim: &CommitmentPath| PathJson {
            commitment: HexArray(claim.commitment),
            path: claim.path.iter().copied().map(HexArray).collect(),
        };
        Self {
            version: root.version,
            size: root.size,
            tail_start: root.tail_start,
            commitment_root: HexArray(root.commitment_root),
            tail_digest: HexArray(root.tail_digest),
            replay_digest: HexArray(root.replay_digest),
            window_digest: HexArray(root.window_digest),
            claims: root.claims.iter().map(path).collect(),
        }
    }
}

impl From<RootJson> for ProofRoot {
    fn from(json: RootJson) -> Self {
        let path = |claim: PathJson| CommitmentPath {
            commitment: claim.commitment.0,
            path: claim.path.into_iter().map(|digest| digest.0).collect(),
        };
        Self {
            version: json.version,
            size: json.size,
            tail_start: json.tail_start,
            commitment_root: json.commitment_root.0,
            tail_digest: json.tail_digest.0,
            replay_digest: json.replay_digest.0,
            window_digest: json.window_digest.0,
            claims: json.claims.into_iter().map(path).collect(),
        }
    }
}

#[cfg(test)]
impl ProofRoot {
    /// One whose fields all differ.
    pub(crate) fn example() -> Self {
        Self {
            version: 1,
            size: 2,
            tail_start: 3,
            commitment_root: [4; 32],
            tail_digest: [5; 32],
            replay_digest: [6; 32],
            window_digest: [7; 32],
            claims: vec![CommitmentPath { commitment: [8; 48], path: vec![[9; 32], [10; 32]] }],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_that_go_in_come_out_under_the_dictionary_that_the_reader_names() {
        let root = ProofRoot::example();
        let parts = root.parts(&DictionaryId([11; 32]));
        assert_eq!(ProofRoot::new(&parts, root.claims.clone()), root);
        assert_ne!(root.parts(&DictionaryId([12; 32])).root(), parts.root());
    }
}
