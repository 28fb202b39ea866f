//! What ties a proof's claims to a state root, as the field `root` of a proof.
//!
//! ```json
//! { "version": 7, "size": 12345, "tail_start": 12288, "commitment_root": "0x…", "tail_digest": "0x…",
//!   "replay_digest": "0x…", "window_digest": "0x…",
//!   "claims": [ { "commitment": "0x… 48 bytes", "path": ["0x…", …] } ] }
//! ```
//!
//! Whoever verifies puts the dictionary's id, which they know, before these parts, compares the
//! digest with the root that they trust, and only then uses the size and the commitment root. Every
//! path belongs to the claim at its place.

use aardvark_dictionary::DictionaryId;
use aardvark_dictionary::root::{Digest, RootParts};
use serde::{Deserialize, Serialize};
#[cfg(feature = "openapi")]
use utoipa::ToSchema;

use crate::hex_text;
use crate::strict_json::object_types;

/// The parts of a state root without the dictionary's id, and a path for each claim of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
#[cfg_attr(feature = "openapi", schema(as = RootJson))]
pub struct ProofRoot {
    /// The version.
    pub version: u64,
    /// Its number of slots.
    pub size: u64,
    /// The first position of its tail.
    pub tail_start: u64,
    /// The root of the tree over its commitments.
    #[serde(with = "hex_text::array")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub commitment_root: Digest,
    /// The digest of its tail.
    #[serde(with = "hex_text::array")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub tail_digest: Digest,
    /// The digest of its replay set.
    #[serde(with = "hex_text::array")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub replay_digest: Digest,
    /// The digest of its window.
    #[serde(with = "hex_text::array")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub window_digest: Digest,
    /// One path for each claim, in their order.
    pub claims: Vec<CommitmentPath>,
}

/// A commitment and its path to the commitment root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
#[cfg_attr(feature = "openapi", schema(as = PathJson))]
pub struct CommitmentPath {
    /// The commitment of the claim's vector, compressed.
    #[serde(with = "hex_text::array")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub commitment: [u8; 48],
    /// The siblings from below.
    #[serde(with = "hex_text::arrays")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub path: Vec<Digest>,
}

object_types!(ProofRoot, CommitmentPath);

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
