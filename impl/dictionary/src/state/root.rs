//! The state root: one digest over all that the validity of the next blocks depends on
//! (`aardvark_spec::block::root`).
//!
//! A node that joins by a snapshot believes nothing of it but what hashes to a root that it trusts;
//! a light client holds one root instead of all commitments, and ties a commitment to it by a path
//! of an RFC 6962 tree. The root covers the **previous commitments** of the window too: they cannot
//! be derived from the current ones.
//!
//! ```text
//! Validator::root -> RootParts -> commitment_root -> (path) -> C_i
//!                              -> tail, replay and window digests
//! ```
//!
//! Two digests of one root and different content would be a collision of SHA-256
//! (`proofs/theories/Theorems/Roots.v`).

use aardvark_algebra::tagged_hash;

use crate::data::codec::{count_bytes, put_slot};
use crate::data::identity::DictionaryId;
pub use crate::data::root_parts::{Digest, RootParts};
use crate::data::slot::Slot;
use crate::data::transaction::TransactionId;
use crate::state::State;
pub use crate::state::commitment_tree::{commitment_path, commitment_root, root_of_path};
use crate::state::record::{Record, VersionRecord};

/// What a state's root is over.
pub(crate) fn parts_of_state(state: &State) -> RootParts {
    let tail = state.tail.slots();
    RootParts {
        dictionary: state.dictionary_id.0,
        version: state.version,
        size: state.size,
        tail_start: state.tail.start(),
        commitment_root: state.commitment_tree.root(),
        tail_digest: tail_digest(tail.len(), tail.iter().map(|(_, slot)| slot)),
        replay_digest: replay_digest(&state.replay_set.entries()),
        window_digest: window_digest(state.window.records().map(Record::digest)),
    }
}

/// A state whose commitments and window are there as their digests alone, which whoever gives the
/// root of one version after the other keeps from version to version.
#[derive(Clone, Debug)]
pub struct DigestedState {
    /// The version t.
    pub version: u64,
    /// Number of slots at t.
    pub size: u64,
    /// The root of the tree over the commitments.
    pub commitment_root: Digest,
    /// The digests of the window's records ([`record_digest`]), oldest first.
    pub records: Vec<Digest>,
    /// The first position in plaintext.
    pub tail_start: u64,
    /// The slots from there on.
    pub tail: Vec<Slot>,
    /// Transactions that could be applied again, by `last_valid` and then by id.
    pub replay: Vec<(TransactionId, u64)>,
}

impl DigestedState {
    /// What the root of this state of a dictionary is over.
    pub fn root_parts(&self, id: &DictionaryId) -> RootParts {
        RootParts {
            dictionary: id.0,
            version: self.version,
            size: self.size,
            tail_start: self.tail_start,
            commitment_root: self.commitment_root,
            tail_digest: tail_digest(self.tail.len(), self.tail.iter()),
            replay_digest: replay_digest(&self.replay),
            window_digest: window_digest(self.records.iter().copied()),
        }
    }
}

/// The digest of one version of the window.
pub fn record_digest(record: &VersionRecord) -> Digest {
    Record::from(record).digest()
}

/// `H("AARDVARK-V1-TAIL", u64 number || slot_bytes*)`.
fn tail_digest<'a>(number: usize, slots: impl Iterator<Item = &'a Slot>) -> Digest {
    let mut bytes = count_bytes(number).to_vec();
    for slot in slots {
        put_slot(&mut bytes, slot);
    }
    tagged_hash("AARDVARK-V1-TAIL", &bytes)
}

/// `H("AARDVARK-V1-REPLAY", u64 number || (id || u64 last_valid)*)`, by `last_valid` and then by
/// id.
fn replay_digest(entries: &[(TransactionId, u64)]) -> Digest {
    let mut bytes = count_bytes(entries.len()).to_vec();
    for (id, last_valid) in entries {
        bytes.extend(id.0);
        bytes.extend(last_valid.to_be_bytes());
    }
    tagged_hash("AARDVARK-V1-REPLAY", &bytes)
}

/// `H("AARDVARK-V1-WINDOW", u64 number || record_digest*)`, oldest first.
fn window_digest(records: impl ExactSizeIterator<Item = Digest>) -> Digest {
    let mut bytes = count_bytes(records.len()).to_vec();
    records.for_each(|digest| bytes.extend(digest));
    tagged_hash("AARDVARK-V1-WINDOW", &bytes)
}
