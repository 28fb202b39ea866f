//! What a validator holds at a version (`aardvark_spec::block::state`), and what it can look up
//! there.

pub mod array;
pub(crate) mod ascending_puts;
pub(crate) mod by_key;
pub mod commitment_tree;
pub mod plain;
pub(crate) mod record;
pub mod replay;
pub mod root;
pub mod slot_map;
pub mod state_bytes;
pub mod tail;
pub(crate) mod vectors;
pub mod view;
pub mod window;

use aardvark_algebra::integers::usize_or_max;
use aardvark_commitment::Commitment;

use crate::data::identity::DictionaryId;
use crate::data::parameters::Parameters;
use crate::state::commitment_tree::CommitmentTree;
use crate::state::replay::ReplaySet;
use crate::state::tail::{BelowTail, Tail};
use crate::state::vectors::KnownCommitments;
use crate::state::view::View;
use crate::state::window::Window;

/// The state of a validator at a version: the fields are those of the specification's
/// `ValidatorState`, held so that look-ups are fast.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) parameters: Parameters,
    pub(crate) dictionary_id: DictionaryId,
    /// t.
    pub(crate) version: u64,
    /// s, the number of slots.
    pub(crate) size: u64,
    /// One a vector.
    pub(crate) commitments: Vec<Commitment>,
    /// The records of the W latest versions.
    pub(crate) window: Window,
    /// The last slots, and where they start.
    pub(crate) tail: Tail,
    /// The transactions that could be applied again.
    pub(crate) replay_set: ReplaySet,
    /// The tree over the commitments, whose root the state root covers. It follows from them.
    pub(crate) commitment_tree: CommitmentTree,
}

impl State {
    /// Number of slots at a version of the window.
    pub(crate) fn size_at(&self, version: u64) -> u64 {
        self.window.size_at(version, self.size)
    }

    /// The commitments that claims of the window's versions are verified against.
    pub(crate) fn known_commitments(&self) -> KnownCommitments<'_> {
        let vector_size = self.parameters.positions_per_vector();
        KnownCommitments { vector_size, window: &self.window, current: &self.commitments }
    }

    /// What window and tail alone show of the array.
    pub(crate) fn known_slots(&self) -> View<'_> {
        View::new(self.size, &self.window, &self.tail)
    }

    /// Where the tail vectors of the next block belong.
    pub(crate) fn below_tail(&self) -> BelowTail<'_> {
        BelowTail { parameters: &self.parameters, commitments: &self.commitments, start: self.tail.start() }
    }

    /// Takes over the commitments that a block changed, ascending by vector; `None` for vectors
    /// that no longer exist.
    pub(crate) fn take_commitments(&mut self, changed: &[(u64, Option<Commitment>)]) {
        for (vector, commitment) in changed {
            let vector = usize_or_max(*vector);
            match (commitment, self.commitments.get_mut(vector)) {
                (Some(commitment), Some(slot)) => *slot = *commitment,
                (Some(commitment), None) => self.commitments.push(*commitment),
                (None, _) => self.commitments.truncate(vector.min(self.commitments.len())),
            }
        }
        let vectors = changed.iter().filter_map(|(vector, _)| usize::try_from(*vector).ok());
        self.commitment_tree.update(&self.commitments, vectors);
    }
}
