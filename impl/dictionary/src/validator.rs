//! The validator: commitments, window, tail and replay set, and never the data (`aardvark_spec::block::validator`).
//!
//! [`Validator::check`] is what a mempool asks of one transaction, [`Validator::propose`] builds a block that every
//! validator accepts, [`Validator::apply`] takes a block whole or refuses it without a trace, for a reason that is
//! the same on every validator whatever its threads do.

use std::sync::Arc;

use aardvark_commitment::{Commitment, CommitmentUpdate, Scheme, VectorCommitment};
use rayon::prelude::*;

use crate::data::aggregated_block::AggregatedBlock;
use crate::data::block::{Block, TailVector};
use crate::data::genesis::{DictionaryId, Genesis};
use crate::data::parameters::Parameters;
use crate::data::rejection::{Fault, Reason, Rejection};
use crate::data::slot::content_scalar;
use crate::data::transaction::{Transaction, TransactionId};
use crate::phases::block::{Candidate, Effects, evaluate};
use crate::phases::checks as static_checks;
use crate::phases::execution::Ledger;
use crate::phases::openings;
use crate::phases::resolution::resolve;
use crate::proposal::{self, Candidates, Choice, Proposal};
use crate::state::array::Write;
use crate::state::commitment_tree::CommitmentTree;
use crate::state::plain::{StateError, ValidatorState};
use crate::state::record::Record;
use crate::state::replay::ReplaySet;
use crate::state::tail::{Tail, tail_start_of};
use crate::state::view::View;
use crate::state::window::Window;

/// Where a claim's data lives: vector and index within it.
pub type Place = (u64, usize);

/// One node's knowledge of the dictionary at a version t.
#[derive(Clone, Debug)]
pub struct Validator {
    pub(crate) parameters: Parameters,
    pub(crate) id: DictionaryId,
    pub(crate) scheme: Arc<Scheme>,
    pub(crate) version: u64,
    pub(crate) size: u64,
    pub(crate) commitments: Vec<Commitment>,
    /// The tree over the commitments, whose root the state root covers.
    pub(crate) tree: CommitmentTree,
    pub(crate) window: Window,
    pub(crate) tail: Tail,
    pub(crate) replay: ReplaySet,
}

/// A block that was found valid for the next version, with all that it changes: for those who judge a block first and apply it
/// later, without judging twice.
#[derive(Debug)]
pub struct Validated {
    version: u64,
    effects: Effects,
}

/// What a block did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The version that the block made.
    pub version: u64,
    /// Number of slots before.
    pub previous_size: u64,
    /// Number of slots after.
    pub size: u64,
    /// The positions whose content changed, ascending.
    pub writes: Vec<Write>,
    /// The commitments that changed, ascending by vector; `None` for vectors that are no longer.
    pub commitments: Vec<(u64, Option<Commitment>)>,
    /// Identities of the block's transactions, in order.
    pub transactions: Vec<TransactionId>,
}

impl Validator {
    /// The validator at version 0. Commitments of the genesis entries are computed in parallel.
    ///
    /// # Errors
    /// [`StateError`] where the scheme is not the one that the genesis names, or the genesis is without its content.
    pub fn new(genesis: &Genesis, scheme: Arc<Scheme>) -> Result<Self, StateError> {
        if !genesis.is_complete() {
            return Err(StateError::NoContent);
        }
        let parameters = genesis.parameters().clone();
        let slots: Vec<_> = genesis.slots().collect();
        let commitments = slots
            .par_chunks(scheme.vector_size())
            .map(|vector| scheme.commit(&vector.iter().map(|slot| slot.scalar()).collect::<Vec<_>>()))
            .collect::<Result<Vec<_>, _>>()?;
        let size = u64::try_from(slots.len()).unwrap_or(u64::MAX);
        let tail_start = tail_start_of(size, parameters.positions_per_vector());
        let skipped = usize::try_from(tail_start).unwrap_or(usize::MAX);
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

    /// The version t.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Number of slots at t, the sentinel included.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The dictionary's id.
    pub fn id(&self) -> &DictionaryId {
        &self.id
    }

    /// The dictionary's parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The commitment scheme.
    pub fn scheme(&self) -> &Arc<Scheme> {
        &self.scheme
    }

    /// One commitment a vector, at t.
    pub fn commitments(&self) -> &[Commitment] {
        &self.commitments
    }

    /// The window of the W latest versions.
    pub fn window(&self) -> &Window {
        &self.window
    }

    /// The last slots in plaintext.
    pub fn tail(&self) -> &Tail {
        &self.tail
    }

    /// The transactions that may not be applied again.
    pub fn replay(&self) -> &ReplaySet {
        &self.replay
    }

    /// The oldest version that claims may be made at.
    pub fn oldest_version(&self) -> u64 {
        self.version.saturating_sub(self.parameters.window.into())
    }

    /// Number of slots at a version of the window.
    pub fn size_at(&self, version: u64) -> u64 {
        self.window.size_at(version, self.size)
    }

    /// The commitment of a vector at a version of the window; `None` where it did not exist.
    pub fn commitment_at(&self, version: u64, vector: u64) -> Option<Commitment> {
        self.window.commitment_at(version, vector, commitment_of(&self.commitments, vector))
    }

    /// Checks one transaction as it would enter the next block alone: phases 1 to 6 and 8 (`docs/format.md`).
    /// Whether its operations succeed depends on its neighbours and is the block's matter.
    ///
    /// # Errors
    /// The [`Rejection`] of the first phase that fails.
    pub fn check(&self, transaction: &Transaction) -> Result<(), Rejection> {
        self.check_alone(transaction).map_err(alone)
    }

    /// The openings of several transactions, each as it would enter the next block alone (phase 6), in one batch; where it is false, bisection finds
    /// whose: no more than twice the pairing checks of a batch for each transaction. With [`Validator::check_again`] that is all of
    /// [`Validator::check`].
    pub fn check_openings(&self, transactions: &[&Transaction]) -> Vec<Result<(), Rejection>> {
        let prepared = transactions.par_iter().map(|transaction| openings::prepare(self, transaction)).collect();
        let faults = openings::all_faults(&self.scheme, &self.id, prepared);
        faults.into_iter().map(|fault| fault.map_or(Ok(()), |fault| Err(alone(fault)))).collect()
    }

    /// Checks a transaction whose openings were verified before, as it would enter the next block alone: phases 1 to 5, 8 and
    /// 9. It costs no group operation, and says whether the operations succeed on what stands there now.
    ///
    /// # Errors
    /// The [`Rejection`] of the first phase that fails.
    pub fn check_again(&self, transaction: &Transaction) -> Result<(), Rejection> {
        let run = || {
            self.static_fault(transaction)?;
            let resolved = resolve(transaction, &self.view_of(transaction))?;
            Ledger::default().run(&transaction.operations, &resolved).map(|_| ())
        };
        run().map_err(alone)
    }

    /// Builds a block of the next version from transactions, in their order: drops and reports those that fail,
    /// postpones those for which no room is left or whose deletes need tail vectors that were not given.
    ///
    /// `tail_vectors` are whole vectors below [`Tail::start`], the highest first, as an archive gives them; those
    /// from the first false one on are ignored. The block has at most `byte_limit` bytes as a plain one, and never more than the
    /// dictionary's limits. Where the aggregated block is what is judged, [`Validator::propose_aggregated`] keeps to that one's length.
    pub fn propose(&self, transactions: Vec<Transaction>, tail_vectors: &[TailVector], byte_limit: usize) -> Proposal {
        proposal::propose(self, transactions, tail_vectors, byte_limit)
    }

    /// Transactions of which one block after the other may be proposed: what is wrong with each alone is looked at once, with one batch
    /// over all openings but those of transactions marked in `verified`, which were found true at this state's chain before.
    pub fn candidates(&self, transactions: Vec<Transaction>, verified: &[bool]) -> Candidates {
        proposal::candidates(self, transactions, verified)
    }

    /// As [`Validator::propose`], for a block that will be aggregated: the lengths are those of the aggregated block.
    pub fn propose_aggregated(
        &self,
        candidates: &Candidates,
        tail_vectors: &[TailVector],
        choice: &Choice<'_>,
    ) -> Proposal {
        proposal::propose_aggregated(self, candidates, tail_vectors, choice)
    }

    /// Applies a block of the next version, whole or not at all.
    ///
    /// # Errors
    /// The [`Rejection`] of the first phase that fails; the validator is then unchanged.
    pub fn apply(&mut self, block: &Block) -> Result<Applied, Rejection> {
        let effects = evaluate(self, Candidate::Plain(block))?;
        Ok(self.advance(effects))
    }

    /// Applies an aggregated block of the next version, whole or not at all: it does what the plain block with the same
    /// transactions does.
    ///
    /// # Errors
    /// The [`Rejection`] of the first phase that fails; the validator is then unchanged.
    pub fn apply_aggregated(&mut self, block: &AggregatedBlock) -> Result<Applied, Rejection> {
        let effects = evaluate(self, Candidate::Aggregated(block))?;
        Ok(self.advance(effects))
    }

    /// Judges an aggregated block of the next version, and changes nothing.
    ///
    /// # Errors
    /// The [`Rejection`] of the first phase that fails.
    pub fn validate_aggregated(&self, block: &AggregatedBlock) -> Result<Validated, Rejection> {
        let effects = evaluate(self, Candidate::Aggregated(block))?;
        Ok(Validated { version: self.version + 1, effects })
    }

    /// Applies a block that this validator found valid. `None`, and nothing happens, where the validator has moved on since.
    pub fn apply_validated(&mut self, validated: Validated) -> Option<Applied> {
        (validated.version == self.version + 1).then(|| self.advance(validated.effects))
    }

    /// Vector and index of a position.
    pub(crate) fn place(&self, position: u64) -> Place {
        let vector_size = self.parameters.positions_per_vector();
        (position / vector_size, usize::try_from(position % vector_size).unwrap_or(usize::MAX))
    }

    /// Phases 1 to 5 of one transaction.
    pub(crate) fn static_fault(&self, transaction: &Transaction) -> Result<(), Fault> {
        let next = self.version + 1;
        static_checks::size(transaction, &self.parameters.limits)?;
        static_checks::interval(transaction, next, self.parameters.window)?;
        if self.replay.contains_until(&transaction.id(&self.id), transaction.last_valid) {
            return Err(Fault::whole(Reason::Replayed));
        }
        static_checks::shape(transaction, &self.parameters)?;
        static_checks::positions(transaction, self.size_at(transaction.first_valid - 1))
    }

    /// The view of one transaction whose openings verified.
    pub(crate) fn view_of(&self, transaction: &Transaction) -> View<'_> {
        let mut view = View::new(self.size, &self.window, &self.tail);
        view.add_claims(transaction.first_valid - 1, &transaction.claims);
        view
    }

    fn check_alone(&self, transaction: &Transaction) -> Result<(), Fault> {
        self.static_fault(transaction)?;
        let claims = openings::prepare(self, transaction)?;
        if !self.scheme.verify_batch(&self.id.0, &claims) {
            return Err(Fault::whole(Reason::OpeningFalse));
        }
        resolve(transaction, &self.view_of(transaction)).map(|_| ())
    }

    /// Moves on to the version that accepted effects make. The commitments are updated by all cores while one keeps the books.
    fn advance(&mut self, effects: Effects) -> Applied {
        let Effects { writes, size, tail_start, carried, transactions } = effects;
        let previous_size = self.size;
        let version = self.version + 1;
        let vector_size = self.parameters.positions_per_vector();
        let by_vector = by_vector(&writes, vector_size);
        let Self { scheme, commitments: now, window, tail, replay, .. } = self;
        let (commitments, ()) = rayon::join(
            || changed_commitments(scheme, now, &by_vector, size),
            || {
                let previous_commitments = by_vector.iter().map(|(vector, _)| (*vector, commitment_of(now, *vector)));
                let outcomes = writes.iter().map(Write::outcome);
                window.push_record(Record::new(version, previous_size, outcomes, previous_commitments));
                tail.advance(carried.into_iter(), &writes, tail_start);
                replay.advance(version, transactions.iter().copied());
            },
        );
        self.take_commitments(&commitments);
        self.version = version;
        self.size = size;
        let transactions = transactions.into_iter().map(|(id, _)| id).collect();
        Applied { version, previous_size, size, writes, commitments, transactions }
    }

    fn take_commitments(&mut self, changed: &[(u64, Option<Commitment>)]) {
        for (vector, commitment) in changed {
            let vector = usize::try_from(*vector).unwrap_or(usize::MAX);
            match (commitment, self.commitments.get_mut(vector)) {
                (Some(commitment), Some(slot)) => *slot = *commitment,
                (Some(commitment), None) => self.commitments.push(*commitment),
                (None, _) => self.commitments.truncate(vector.min(self.commitments.len())),
            }
        }
        let vectors = changed.iter().filter_map(|(vector, _)| usize::try_from(*vector).ok());
        self.tree.update(&self.commitments, vectors);
    }
}

/// The fault of a transaction that stands in no block.
fn alone(fault: Fault) -> Rejection {
    Rejection { transaction: None, ..Rejection::in_transaction(0, fault) }
}

/// A block's writes, grouped by the vector that they change, ascending.
fn by_vector(writes: &[Write], vector_size: u64) -> Vec<(u64, &[Write])> {
    let vector = |write: &Write| write.position / vector_size;
    let groups = writes.chunk_by(|a, b| vector(a) == vector(b));
    groups.filter_map(|group| group.first().map(|first| (vector(first), group))).collect()
}

/// The present commitment of a vector; `None` where it does not exist.
fn commitment_of(commitments: &[Commitment], vector: u64) -> Option<Commitment> {
    usize::try_from(vector).ok().and_then(|vector| commitments.get(vector)).copied()
}

/// The commitments of the written vectors after the block: each vector's writes are one sum, and all sums share their work.
fn changed_commitments(
    scheme: &Scheme,
    commitments: &[Commitment],
    by_vector: &[(u64, &[Write])],
    size: u64,
) -> Vec<(u64, Option<Commitment>)> {
    let vector_size = scheme.vector_size() as u64;
    let index = |position: u64| usize::try_from(position % vector_size).unwrap_or(usize::MAX);
    // Vectors ascend, so those that are no longer stand behind those that are.
    let remaining = by_vector.partition_point(|(vector, _)| vector * vector_size < size);
    let (changed, dropped) = by_vector.split_at(remaining);
    let deltas: Vec<Vec<_>> = changed
        .par_iter()
        .map(|(_, writes)| writes.iter().map(|write| (index(write.position), delta(write))).collect())
        .collect();
    let now =
        changed.iter().map(|(vector, _)| commitment_of(commitments, *vector).unwrap_or_else(Commitment::identity));
    let updates: Vec<_> = now.zip(&deltas).map(|(now, deltas)| (now, deltas.as_slice())).collect();
    let updated = updated(scheme, &updates).into_iter().map(Some).chain(dropped.iter().map(|_| None));
    by_vector.iter().map(|(vector, _)| *vector).zip(updated).collect()
}

/// The commitments after some of their scalars change. Both causes of an error are excluded before a block arrives: a
/// validator is made only with a scheme that can commit ([`Validator::from_state`]), and an index is a remainder by N.
#[expect(clippy::expect_used, reason = "a wrong commitment must never be carried on with")]
fn updated(scheme: &Scheme, updates: &[CommitmentUpdate<Commitment>]) -> Vec<Commitment> {
    scheme.update_commitments_many(updates).expect("a scheme that commits, and indices below N")
}

/// How much the scalar of a written position changes.
fn delta(write: &Write) -> aardvark_algebra::Scalar {
    content_scalar(write.after.as_ref()) - content_scalar(write.before.as_ref())
}
