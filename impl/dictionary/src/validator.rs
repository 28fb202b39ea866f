//! The validator: commitments, window, tail and replay set, and never the data
//! (`aardvark_spec::block::validator`).
//!
//! [`Validator::check`] is what a mempool asks of one transaction, [`Validator::propose`] builds a
//! block that every validator accepts, [`Validator::apply`] takes a block whole or refuses it
//! without a trace, for a reason that is the same on every validator whatever its threads do.

use std::sync::Arc;

use aardvark_algebra::integers::{u64_of_usize, usize_or_max};
use aardvark_algebra::parallel::{self, prelude::*};
use aardvark_commitment::aggregation::UnopenedClaim;
use aardvark_commitment::{Commitment, Scheme, VectorCommitment};

use crate::data::aggregated_block::AggregatedBlock;
use crate::data::block::Block;
use crate::data::genesis::Genesis;
use crate::data::identity::DictionaryId;
use crate::data::parameters::Parameters;
use crate::data::rejection::Rejection;
use crate::data::root_parts::{Digest, RootParts};
use crate::data::slot::Slot;
use crate::data::transaction::{Transaction, TransactionId};
use crate::phases::{self, Execution, openings, points};
use crate::state::array::Write;
use crate::state::plain::{StateError, ValidatorState};
use crate::state::record::Record;
use crate::state::replay::ReplaySet;
use crate::state::tail::{Tail, tail_floor};
use crate::state::vectors::{by_vector, current_commitment, updated_commitments};
use crate::state::window::Window;
use crate::state::{State, root};

/// One node's knowledge of the dictionary at a version t.
#[derive(Clone, Debug)]
pub struct Validator {
    pub(crate) scheme: Arc<Scheme>,
    pub(crate) state: State,
}

/// What a block did (`aardvark_spec::block::validator::Effects`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects {
    /// The version that the block made.
    pub version: u64,
    /// Number of slots before.
    pub previous_size: u64,
    /// Number of slots after.
    pub size: u64,
    /// The positions whose content changed, ascending.
    pub writes: Vec<Write>,
    /// The commitments that changed, ascending by vector; `None` for vectors that no longer exist.
    pub commitments: Vec<(u64, Option<Commitment>)>,
    /// Ids of the block's transactions, in order.
    pub transactions: Vec<TransactionId>,
}

impl Validator {
    /// The validator at version 0. Commitments of the genesis entries are computed in parallel.
    ///
    /// # Errors
    /// [`StateError`] where the scheme is not the one that the genesis names, or the genesis is
    /// without its content.
    pub fn new(genesis: &Genesis, scheme: Arc<Scheme>) -> Result<Self, StateError> {
        if !genesis.is_complete() {
            return Err(StateError::NoContent);
        }
        let parameters = genesis.parameters().clone();
        let slots: Vec<_> = genesis.slots().collect();
        let commitments = slots
            .par_chunks(scheme.vector_size())
            .map(|vector| scheme.commit(&Slot::scalars(vector)))
            .collect::<Result<Vec<_>, _>>()?;
        let size = u64_of_usize(slots.len());
        let tail_start = tail_floor(size, parameters.positions_per_vector());
        let skipped = usize_or_max(tail_start);
        let state = ValidatorState {
            version: 0,
            size,
            commitments,
            window: Vec::new(),
            tail_start,
            tail: slots.into_iter().skip(skipped).collect(),
            replay: Vec::new(),
        };
        if scheme.setup_digest() != *genesis.setup_digest() {
            return Err(StateError::Setup);
        }
        Self::from_state(parameters, genesis.dictionary_id(), scheme, state)
    }

    /// Restores a validator from state that its owner trusts (its own store, or a state root's
    /// snapshot).
    ///
    /// # Errors
    /// [`StateError`] where parts contradict each other.
    pub fn from_state(
        parameters: Parameters,
        id: DictionaryId,
        scheme: Arc<Scheme>,
        state: ValidatorState,
    ) -> Result<Self, StateError> {
        let state = State::from_plain(parameters, id, &scheme, state)?;
        Ok(Self { scheme, state })
    }

    /// The state as plain data, the inverse of [`Validator::from_state`].
    pub fn state(&self) -> ValidatorState {
        self.state.to_plain()
    }

    /// The version t.
    pub fn version(&self) -> u64 {
        self.state.version
    }

    /// Number of slots at t, the sentinel included.
    pub fn size(&self) -> u64 {
        self.state.size
    }

    /// The dictionary's id.
    pub fn id(&self) -> &DictionaryId {
        &self.state.dictionary_id
    }

    /// The dictionary's parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.state.parameters
    }

    /// The commitment scheme.
    pub fn scheme(&self) -> &Arc<Scheme> {
        &self.scheme
    }

    /// One commitment a vector, at t.
    pub fn commitments(&self) -> &[Commitment] {
        &self.state.commitments
    }

    /// The window of the W latest versions.
    pub fn window(&self) -> &Window {
        &self.state.window
    }

    /// The last slots in plaintext.
    pub fn tail(&self) -> &Tail {
        &self.state.tail
    }

    /// The transactions that may not be applied again.
    pub fn replay(&self) -> &ReplaySet {
        &self.state.replay_set
    }

    /// The oldest version that claims may be made at.
    pub fn oldest_version(&self) -> u64 {
        self.state.version.saturating_sub(self.state.parameters.window.into())
    }

    /// Number of slots at a version of the window.
    pub fn size_at(&self, version: u64) -> u64 {
        self.state.size_at(version)
    }

    /// The commitment of a vector at a version of the window; `None` where it did not exist.
    pub fn commitment_at(&self, version: u64, vector: u64) -> Option<Commitment> {
        self.state.known_commitments().at(version, vector)
    }

    /// What this state's root is over.
    pub fn root_parts(&self) -> RootParts {
        root::parts_of_state(&self.state)
    }

    /// The state root. Two validators with equal roots accept the same blocks ever after, and do
    /// the same with them.
    pub fn root(&self) -> Digest {
        self.root_parts().root()
    }

    /// The path from a vector's commitment to [`RootParts::commitment_root`]; `None` where there is
    /// no such vector.
    pub fn commitment_path(&self, vector: u64) -> Option<Vec<Digest>> {
        let index = usize::try_from(vector).ok().filter(|index| *index < self.state.commitments.len())?;
        Some(self.state.commitment_tree.path(index))
    }

    /// Checks one transaction as it would enter the next block alone: phases 1 to 6 and 8
    /// (`docs/format.md`). Whether its operations succeed depends on its neighbours and is the
    /// block's matter.
    ///
    /// # Errors
    /// The [`Rejection`] of the first phase that fails.
    pub fn check(&self, transaction: &Transaction) -> Result<(), Rejection> {
        phases::check_transaction(&self.scheme, &self.state, transaction).map_err(Rejection::of_transaction)
    }

    /// The openings of several transactions, each as it would enter the next block alone (phase 6),
    /// in one batch; where it is false, bisection finds whose: no more than twice the pairing
    /// checks of a batch for each transaction. With [`Validator::check_again`] that is all of
    /// [`Validator::check`].
    #[must_use = "a transaction whose openings are false must not be taken"]
    pub fn check_openings(&self, transactions: &[&Transaction]) -> Vec<Result<(), Rejection>> {
        let known = self.state.known_commitments();
        let prepared = transactions.par_iter().map(|transaction| openings::prepare(&known, transaction)).collect();
        let faults = openings::all_faults(&self.scheme, &self.state.dictionary_id, prepared);
        let rejected = |fault: Option<_>| fault.map(Rejection::of_transaction);
        faults.into_iter().map(|fault| rejected(fault).map_or(Ok(()), Err)).collect()
    }

    /// Checks a transaction whose openings were verified before, as it would enter the next block
    /// alone: phases 1 to 5, 8 and 9. It costs no group operation, and says whether the operations
    /// succeed on what stands there now.
    ///
    /// # Errors
    /// The [`Rejection`] of the first phase that fails.
    pub fn check_again(&self, transaction: &Transaction) -> Result<(), Rejection> {
        phases::check_opened_transaction(&self.state, transaction).map_err(Rejection::of_transaction)
    }

    /// Applies a block of the next version, whole or not at all.
    ///
    /// # Errors
    /// The [`Rejection`] of the first phase that fails; the validator is then unchanged.
    pub fn apply(&mut self, block: &Block) -> Result<Effects, Rejection> {
        let execution = phases::execute_block(&self.scheme, &self.state, block)?;
        Ok(self.advance(execution))
    }

    /// Applies an aggregated block of the next version, whole or not at all: it does what the plain
    /// block with the same transactions does.
    ///
    /// # Errors
    /// The [`Rejection`] of the first phase that fails; the validator is then unchanged.
    pub fn apply_aggregated(&mut self, block: &AggregatedBlock) -> Result<Effects, Rejection> {
        let execution = self.execute_aggregated(block)?;
        Ok(self.advance(execution))
    }

    /// Runs an aggregated block of the next version, and changes nothing: for those who judge a
    /// block first and apply it later, without judging twice.
    ///
    /// # Errors
    /// The [`Rejection`] of the first phase that fails.
    pub fn execute_aggregated(&self, block: &AggregatedBlock) -> Result<Execution, Rejection> {
        phases::execute_aggregated_block(&self.scheme, &self.state, block)
    }

    /// Applies a block that this validator found valid. `None`, and nothing happens, where the
    /// validator has moved on since.
    #[must_use = "nothing happens where the validator has moved on"]
    pub fn apply_executed(&mut self, execution: Execution) -> Option<Effects> {
        (execution.version == self.state.version + 1).then(|| self.advance(execution))
    }

    /// The aggregated form of a block of the next version whose openings are true, such as one that
    /// was proposed.
    ///
    /// # Errors
    /// [`Reason::OpeningMalformed`](crate::Reason::OpeningMalformed) or
    /// [`Reason::OpeningFalse`](crate::Reason::OpeningFalse) where a claim has no opening or no
    /// commitment. A false opening is not noticed here; the aggregated block is then refused.
    pub fn aggregate(&self, block: Block) -> Result<AggregatedBlock, Rejection> {
        points::aggregate(&self.scheme, &self.state.dictionary_id, &self.state.known_commitments(), block)
    }

    /// The claims of transactions as the challenges bind them: what a verifier of the aggregation
    /// looks at.
    ///
    /// # Errors
    /// [`Reason::OpeningFalse`](crate::Reason::OpeningFalse) where a claim speaks of a vector that
    /// did not exist.
    pub fn unopened_claims<O: Sync>(&self, transactions: &[Transaction<O>]) -> Result<Vec<UnopenedClaim>, Rejection> {
        points::unopened_claims(&self.state.known_commitments(), transactions)
    }

    /// Moves on to the version that a block makes. The commitments are updated by all cores while
    /// one keeps the books.
    fn advance(&mut self, execution: Execution) -> Effects {
        let Execution { version, writes, size, tail_start, carried, transactions } = execution;
        let Self { scheme, state } = self;
        let previous_size = state.size;
        let vector_size = state.parameters.positions_per_vector();
        let by_vector = by_vector(&writes, vector_size);
        let State { commitments: now, window, tail, replay_set, .. } = state;
        let (commitments, ()) = parallel::join(
            || updated_commitments(scheme, vector_size, now, &by_vector, size),
            || {
                let previous = by_vector.iter().map(|(vector, _)| (*vector, current_commitment(now, *vector)));
                window.push_record(Record::new(version, previous_size, writes.iter().map(Write::outcome), previous));
                tail.advance(carried.into_iter(), &writes, tail_start);
                replay_set.advance(version, transactions.iter().copied());
            },
        );
        state.take_commitments(&commitments);
        state.version = version;
        state.size = size;
        let transactions = transactions.into_iter().map(|(id, _)| id).collect();
        Effects { version, previous_size, size, writes, commitments, transactions }
    }
}
