//! Building a block that every validator accepts (`aardvark_spec::block`, run with "drop" in the place of "refuse").

use std::collections::HashSet;

use crate::block::{BLOCK_OVERHEAD, Block, TailVector};
use crate::codec::slot_length;
use crate::ledger::Ledger;
use crate::openings;
use crate::rejection::{Fault, Reason, Rejection};
use crate::resolution::resolve;
use crate::tail::tail_vectors_needed;
use crate::tail_check::check_tail_vectors;
use crate::transaction::Transaction;
use crate::validator::Validator;

/// A block, and what became of the transactions that are not in it. Indices are those of the list proposed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// A valid block of the next version.
    pub block: Block,
    /// Which transactions the block holds, ascending.
    pub included: Vec<usize>,
    /// Transactions that fail, with their reason; `transaction` is the index.
    pub dropped: Vec<Rejection>,
    /// Transactions that a later block may hold.
    pub postponed: Vec<Postponed>,
}

/// A transaction that is left for a later block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Postponed {
    /// Its index.
    pub transaction: usize,
    /// Why it must wait.
    pub cause: PostponedCause,
}

/// Why a transaction must wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PostponedCause {
    /// The block has no room left.
    #[error("the block is full")]
    BlockFull,
    /// Its deletes need tail vectors that were not given.
    #[error("its deletes need tail vectors that are not at hand")]
    TailNeeded,
}

/// See [`Validator::propose`].
pub(crate) fn propose(
    validator: &Validator,
    transactions: Vec<Transaction>,
    tail_vectors: &[TailVector],
    byte_limit: usize,
) -> Proposal {
    let faults = faults_alone(validator, &transactions);
    let tail_vectors = true_prefix(validator, tail_vectors);
    let mut draft = BlockDraft::new(validator, tail_vectors, byte_limit);
    let mut proposal = Proposal {
        block: Block { version: validator.version + 1, ..Block::default() },
        included: Vec::new(),
        dropped: Vec::new(),
        postponed: Vec::new(),
    };
    for (index, (transaction, fault)) in transactions.into_iter().zip(faults).enumerate() {
        let outcome = fault.map_or_else(|| draft.add(&transaction), |fault| Err(Outcome::Drop(fault)));
        match outcome {
            Ok(()) => {
                proposal.included.push(index);
                proposal.block.transactions.push(transaction);
            }
            Err(Outcome::Drop(fault)) => proposal.dropped.push(Rejection::in_transaction(index, fault)),
            Err(Outcome::Postpone(cause)) => proposal.postponed.push(Postponed { transaction: index, cause }),
        }
    }
    proposal.block.tail_vectors = tail_vectors.iter().take(draft.tail_vectors_needed()).cloned().collect();
    proposal
}

/// Why a transaction is not in the block.
enum Outcome {
    Drop(Fault),
    Postpone(PostponedCause),
}

/// The faults that do not depend on neighbours: phases 1 to 6, with one batch over all openings.
fn faults_alone(validator: &Validator, transactions: &[Transaction]) -> Vec<Option<Fault>> {
    use rayon::prelude::*;
    let prepared = transactions.par_iter().map(|transaction| {
        validator.static_fault(transaction)?;
        openings::prepare(validator, transaction)
    });
    openings::all_faults(&validator.scheme, &validator.id, prepared.collect())
}

/// The tail vectors before the first that is false.
fn true_prefix<'a>(validator: &Validator, vectors: &'a [TailVector]) -> &'a [TailVector] {
    match check_tail_vectors(validator, vectors) {
        Ok(()) => vectors,
        Err((index, _)) => vectors.get(..index).unwrap_or_default(),
    }
}

/// A block in the making, with its running totals.
struct BlockDraft<'a> {
    validator: &'a Validator,
    tail_vectors: &'a [TailVector],
    byte_limit: usize,
    ledger: Ledger,
    ids: HashSet<crate::transaction::TransactionId>,
    transactions: usize,
    operations: usize,
    claims: usize,
    bytes: usize,
}

impl<'a> BlockDraft<'a> {
    fn new(validator: &'a Validator, tail_vectors: &'a [TailVector], byte_limit: usize) -> Self {
        let limit = usize::try_from(validator.parameters.limits.block_bytes).unwrap_or(usize::MAX);
        Self {
            validator,
            tail_vectors,
            byte_limit: byte_limit.min(limit),
            ledger: Ledger::default(),
            ids: HashSet::new(),
            transactions: 0,
            operations: 0,
            claims: 0,
            bytes: BLOCK_OVERHEAD,
        }
    }

    /// Adds a transaction whose openings hold, or says why not and stays as it was.
    fn add(&mut self, transaction: &Transaction) -> Result<(), Outcome> {
        let id = transaction.id(&self.validator.id);
        if self.ids.contains(&id) {
            return Err(Outcome::Drop(Fault::whole(Reason::RepeatedInBlock)));
        }
        let resolved = resolve(transaction, &self.validator.view_of(transaction)).map_err(Outcome::Drop)?;
        let undo = self.ledger.run(&transaction.operations, &resolved).map_err(Outcome::Drop)?;
        if let Err(cause) = self.room_for(transaction) {
            self.ledger.undo(undo);
            return Err(Outcome::Postpone(cause));
        }
        self.ids.insert(id);
        self.transactions += 1;
        self.operations += transaction.operations.len();
        self.claims += transaction.claims.len();
        self.bytes += 4 + transaction.encoded_length();
        Ok(())
    }

    /// Whether the block holds the transaction that has just run, with the tail vectors it then needs.
    fn room_for(&self, transaction: &Transaction) -> Result<(), PostponedCause> {
        let needed = self.tail_vectors_needed();
        let tail = self.tail_vectors.get(..needed).ok_or(PostponedCause::TailNeeded)?;
        let tail_bytes: usize = tail.iter().flatten().map(slot_length).sum();
        let bytes = self.bytes + 4 + transaction.encoded_length() + tail_bytes;
        let limits = &self.validator.parameters.limits;
        let within = |count: usize, limit: u32| u64::try_from(count).is_ok_and(|count| count <= u64::from(limit));
        let fits = bytes <= self.byte_limit
            && within(self.transactions + 1, limits.block_transactions)
            && within(self.operations + transaction.operations.len(), limits.block_operations)
            && within(self.claims + transaction.claims.len(), limits.block_claims);
        if fits { Ok(()) } else { Err(PostponedCause::BlockFull) }
    }

    fn tail_vectors_needed(&self) -> usize {
        let size = self.ledger.size_after(self.validator.size);
        let vector_size = self.validator.parameters.positions_per_vector();
        usize::try_from(tail_vectors_needed(self.validator.tail.start(), size, vector_size)).unwrap_or(usize::MAX)
    }
}
