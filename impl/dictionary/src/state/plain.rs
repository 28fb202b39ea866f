//! A validator's state as plain data: what a store keeps and what comparisons look at
//! (`aardvark_spec::block::state::ValidatorState`).

use aardvark_algebra::integers::u64_of_usize;
use aardvark_commitment::{Commitment, CommitmentError, Scheme, VectorCommitment};

use crate::data::identity::DictionaryId;
use crate::data::parameters::{ParameterError, Parameters};
use crate::data::slot::Slot;
use crate::data::transaction::TransactionId;
use crate::state::State;
use crate::state::commitment_tree::CommitmentTree;
use crate::state::replay::ReplaySet;
use crate::state::tail::Tail;
use crate::state::window::{VersionRecord, Window};

/// All that a validator knows at a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidatorState {
    /// The version t.
    pub version: u64,
    /// Number of slots at t.
    pub size: u64,
    /// One commitment a vector.
    pub commitments: Vec<Commitment>,
    /// The records of the window, oldest first.
    pub window: Vec<VersionRecord>,
    /// The first position in plaintext, a multiple of N.
    pub tail_start: u64,
    /// The slots from there on.
    pub tail: Vec<Slot>,
    /// Applied transactions with their `last_valid`.
    pub replay: Vec<(TransactionId, u64)>,
}

/// Why something is not a validator's state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// Parameters that are not legal.
    #[error(transparent)]
    Parameters(#[from] ParameterError),
    /// The scheme at hand is not the one of the parameters, or has another vector size.
    #[error("the commitment scheme at hand is not the dictionary's")]
    Scheme,
    /// The setup at hand is not the one that genesis names.
    #[error("the setup at hand is not the dictionary's")]
    Setup,
    /// Genesis without its first content.
    #[error("the dictionary's first content is not at hand, only its digest")]
    NoContent,
    /// Numbers of slots, commitments, tail and window do not fit together.
    #[error("the state contradicts itself: {0}")]
    Inconsistent(&'static str),
    /// The commitment scheme failed.
    #[error(transparent)]
    Commitment(#[from] CommitmentError),
}

impl State {
    /// The state from plain data that its owner trusts, for a scheme that is at hand.
    pub(crate) fn from_plain(
        parameters: Parameters,
        dictionary_id: DictionaryId,
        scheme: &Scheme,
        plain: ValidatorState,
    ) -> Result<Self, StateError> {
        parameters.check()?;
        let size_matches = u32::try_from(scheme.vector_size()) == Ok(parameters.vector_size);
        if scheme.kind() != parameters.scheme || !size_matches {
            return Err(StateError::Scheme);
        }
        check(&parameters, &plain)?;
        scheme.update_commitment_many(&Commitment::identity(), &[])?;
        let ValidatorState { version, size, commitments, window: records, tail_start, tail, replay } = plain;
        let mut window = Window::new(parameters.window);
        for record in records {
            window.push(record);
        }
        let mut replay_set = ReplaySet::default();
        replay_set.advance(version, replay.into_iter());
        let tail = Tail::new(tail_start, tail);
        let commitment_tree = CommitmentTree::new(&commitments);
        Ok(Self { parameters, dictionary_id, version, size, commitments, window, tail, replay_set, commitment_tree })
    }

    /// The state as plain data, the inverse of [`State::from_plain`].
    pub(crate) fn to_plain(&self) -> ValidatorState {
        ValidatorState {
            version: self.version,
            size: self.size,
            commitments: self.commitments.clone(),
            window: self.window.entries().collect(),
            tail_start: self.tail.start(),
            tail: self.tail.slots().iter().map(|(_, slot)| slot.clone()).collect(),
            replay: self.replay_set.entries(),
        }
    }
}

fn check(parameters: &Parameters, state: &ValidatorState) -> Result<(), StateError> {
    let vector_size = parameters.positions_per_vector();
    let aligned = state.tail_start.is_multiple_of(vector_size);
    let first = (state.version + 1).saturating_sub(u64_of_usize(state.window.len()));
    let kept = state.version.min(parameters.window.into());
    let checks = [
        (state.size >= 1, "there is no sentinel"),
        (u64_of_usize(state.commitments.len()) == state.size.div_ceil(vector_size), "the number of commitments"),
        (aligned && state.tail_start.checked_add(u64_of_usize(state.tail.len())) == Some(state.size), "the tail"),
        (u64_of_usize(state.window.len()) == kept, "the number of versions in the window"),
        (state.window.iter().map(|entry| entry.version).eq(first..=state.version), "the versions of the window"),
    ];
    match checks.iter().find(|(holds, _)| !holds) {
        Some((_, what)) => Err(StateError::Inconsistent(what)),
        None => Ok(()),
    }
}
