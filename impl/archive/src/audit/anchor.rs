//! What a version is held against that does not lie beside the store: commitments or a state root
//! that were noted elsewhere.

use aardvark_dictionary::DictionaryId;

/// What an audited archive must agree with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The commitments of a version.
    Commitments(AnchoredCommitments),
    /// The state root of a version, which covers dictionary, commitments, tail, window and replay
    /// set.
    Root {
        /// The version; the newest where there is none.
        version: Option<u64>,
        /// Its root.
        root: [u8; 32],
    },
}

/// What a validator knows of a version, as someone has noted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchoredCommitments {
    /// The dictionary.
    pub dictionary: DictionaryId,
    /// The version.
    pub version: u64,
    /// Its number of slots.
    pub size: u64,
    /// The commitments of its vectors, 48 bytes each, in order.
    pub commitments: Vec<[u8; 48]>,
}

impl Anchor {
    /// The version that it is of, in an archive whose newest version is `newest`.
    pub fn version(&self, newest: u64) -> u64 {
        match self {
            Self::Commitments(known) => known.version,
            Self::Root { version, .. } => version.unwrap_or(newest),
        }
    }
}
