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
pub use crate::data::root_parts::{Digest, RootParts};
use crate::data::slot::Slot;
use crate::data::transaction::TransactionId;
use crate::state::State;
pub use crate::state::commitment_tree::{commitment_path, commitment_root, root_of_path};
use crate::state::record::Record;

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
        window_digest: window_digest(state.window.records()),
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
fn window_digest<'a>(records: impl ExactSizeIterator<Item = &'a Record>) -> Digest {
    let mut bytes = count_bytes(records.len()).to_vec();
    for record in records {
        bytes.extend(record.digest());
    }
    tagged_hash("AARDVARK-V1-WINDOW", &bytes)
}
