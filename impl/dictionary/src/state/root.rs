//! The state root: one digest over all that the validity of the next blocks depends on (`aardvark_spec::block::root`).
//!
//! A node that joins by a snapshot believes nothing of it but what hashes to a root that it trusts; a light client holds one root
//! instead of all commitments, and ties a commitment to it by a path of an RFC 6962 tree. The root covers the **previous
//! commitments** of the window too: they cannot be derived from the current ones.
//!
//! ```text
//! Validator::root -> RootParts -> commitment_root -> (path) -> C_i
//!                              -> tail, replay and window digests
//! ```
//!
//! Two digests of one root and different content would be a collision of SHA-256 (`proofs/theories/Root.v`).

use aardvark_algebra::{TaggedHash, tagged_hash};

use crate::data::codec::put_slot;
use crate::data::slot::Slot;
use crate::data::transaction::TransactionId;
pub use crate::state::commitment_tree::{Digest, commitment_path, commitment_root, root_of_path};
use crate::state::record::Record;
use crate::validator::Validator;

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

impl Validator {
    /// What this state's root is over.
    pub fn root_parts(&self) -> RootParts {
        RootParts {
            dictionary: self.id().0,
            version: self.version(),
            size: self.size(),
            tail_start: self.tail().start(),
            commitment_root: self.tree.root(),
            tail_digest: tail_digest(self.tail().slots().len(), self.tail().slots().iter().map(|(_, slot)| slot)),
            replay_digest: replay_digest(&self.replay().entries()),
            window_digest: window_digest(self.window().records()),
        }
    }

    /// The state root. Two validators with equal roots accept the same blocks ever after, and do the same with them.
    pub fn root(&self) -> Digest {
        self.root_parts().root()
    }

    /// The path from a vector's commitment to [`RootParts::commitment_root`]; `None` where there is no such vector.
    pub fn commitment_path(&self, vector: u64) -> Option<Vec<Digest>> {
        let index = usize::try_from(vector).ok().filter(|index| *index < self.commitments().len())?;
        Some(self.tree.path(index))
    }
}

/// `H("AARDVARK-V1-TAIL", u64 number || slot_bytes*)`.
fn tail_digest<'a>(number: usize, slots: impl Iterator<Item = &'a Slot>) -> Digest {
    let mut bytes = count_bytes(number).to_vec();
    for slot in slots {
        put_slot(&mut bytes, slot);
    }
    tagged_hash("AARDVARK-V1-TAIL", &bytes)
}

/// `H("AARDVARK-V1-REPLAY", u64 number || (id || u64 last_valid)*)`, by `last_valid` and then by id.
fn replay_digest(entries: &[(TransactionId, u64)]) -> Digest {
    let mut bytes = count_bytes(entries.len()).to_vec();
    for (id, last_valid) in entries {
        bytes.extend(id.0);
        bytes.extend(last_valid.to_be_bytes());
    }
    tagged_hash("AARDVARK-V1-REPLAY", &bytes)
}

/// `H("AARDVARK-V1-WINDOW", u64 number || record_digest*)`, oldest first.
fn window_digest<'a>(records: impl ExactSizeIterator<Item = &'a Record>) -> Digest {
    let mut bytes = count_bytes(records.len()).to_vec();
    for record in records {
        bytes.extend(record.digest());
    }
    tagged_hash("AARDVARK-V1-WINDOW", &bytes)
}

/// The length of a list, before its items: 8 bytes, big-endian.
pub(crate) fn count_bytes(number: usize) -> [u8; 8] {
    u64::try_from(number).unwrap_or(u64::MAX).to_be_bytes()
}
