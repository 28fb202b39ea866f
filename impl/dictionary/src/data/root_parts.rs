//! What the state root is over (`aardvark_spec::block::root::RootParts`).

use aardvark_algebra::TaggedHash;

/// A digest of SHA-256.
pub type Digest = [u8; 32];

/// What the root is over: all that a light client needs to see of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootParts {
    /// The dictionary's id.
    pub dictionary: Digest,
    /// t, the version.
    pub version: u64,
    /// s, the number of slots, from which the number of vectors follows.
    pub size: u64,
    /// The first position of the tail.
    pub tail_start: u64,
    /// The root of the tree over the commitments.
    pub commitment_root: Digest,
    /// The digest of the tail.
    pub tail_digest: Digest,
    /// The digest of the replay set.
    pub replay_digest: Digest,
    /// The digest of the window.
    pub window_digest: Digest,
}

impl RootParts {
    /// The root: `H("AARDVARK-V1-STATE", ..)` over the parts in their order.
    pub fn root(&self) -> Digest {
        TaggedHash::new("AARDVARK-V1-STATE")
            .chain(self.dictionary)
            .chain(self.version.to_be_bytes())
            .chain(self.size.to_be_bytes())
            .chain(self.tail_start.to_be_bytes())
            .chain(self.commitment_root)
            .chain(self.tail_digest)
            .chain(self.replay_digest)
            .chain(self.window_digest)
            .finalize()
    }
}
