//! Building a block that every validator accepts (`aardvark_spec::block::phases`, run with "drop" in the place of "refuse").

use std::collections::BTreeSet;

use crate::block_draft::{BlockDraft, Form, Outcome};
use crate::data::block::{Block, TailVector};
use crate::data::rejection::{Fault, Rejection};
use crate::data::transaction::Transaction;
use crate::phases::openings;
use crate::phases::tail::check_tail_vectors;
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

/// Transactions that were looked at one by one, and of which blocks may be proposed: see [`Validator::candidates`].
#[derive(Clone, Debug)]
pub struct Candidates {
    transactions: Vec<Transaction>,
    /// What is wrong with each, whatever its neighbours are.
    faults: Vec<Option<Fault>>,
}

impl Candidates {
    /// The transactions, in the order given.
    pub fn transactions(&self) -> &[Transaction] {
        &self.transactions
    }
}

/// How long a block may be where it travels, and what it has beside it there.
#[derive(Clone, Copy, Debug)]
pub struct Carriage<'a> {
    /// Most bytes of block and what is beside it.
    pub limit: usize,
    /// Bytes beside the block, whatever it holds.
    pub beside_block: usize,
    /// Bytes beside each transaction, in the order of the list proposed from; none where the list is shorter.
    pub beside_transactions: &'a [usize],
}

impl Carriage<'_> {
    /// A block that travels alone.
    pub fn of_limit(limit: usize) -> Self {
        Self { limit, beside_block: 0, beside_transactions: &[] }
    }
}

/// Which of the candidates a proposal may hold.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// How long the block may be.
    pub carriage: Carriage<'a>,
    /// Candidates that are passed over: they are neither dropped nor postponed.
    pub without: &'a BTreeSet<usize>,
    /// Most transactions, if the dictionary's limit is not lower.
    pub most: usize,
}

/// See [`Validator::propose`].
pub(crate) fn propose(
    validator: &Validator,
    transactions: Vec<Transaction>,
    tail_vectors: &[TailVector],
    byte_limit: usize,
) -> Proposal {
    let Candidates { transactions, faults } = candidates(validator, transactions, &[]);
    let choice = Choice { carriage: Carriage::of_limit(byte_limit), without: &BTreeSet::new(), most: usize::MAX };
    let mut proposal = fill(validator, Form::Plain, &transactions, faults, tail_vectors, &choice);
    let mut included = proposal.included.iter().peekable();
    let all = transactions.into_iter().enumerate();
    let chosen = all.filter_map(|(index, transaction)| included.next_if_eq(&&index).map(|_| transaction));
    proposal.block.transactions = chosen.collect();
    proposal
}

/// See [`Validator::propose_aggregated`].
pub(crate) fn propose_aggregated(
    validator: &Validator,
    candidates: &Candidates,
    tail_vectors: &[TailVector],
    choice: &Choice<'_>,
) -> Proposal {
    let Candidates { transactions, faults } = candidates;
    let mut proposal = fill(validator, Form::Aggregated, transactions, faults.clone(), tail_vectors, choice);
    let chosen = proposal.included.iter().filter_map(|index| transactions.get(*index).cloned());
    proposal.block.transactions = chosen.collect();
    proposal
}

/// See [`Validator::candidates`]: the faults that do not depend on neighbours, which are phases 1 to 6.
pub(crate) fn candidates(validator: &Validator, transactions: Vec<Transaction>, verified: &[bool]) -> Candidates {
    use rayon::prelude::*;
    let prepared = transactions.par_iter().enumerate().map(|(index, transaction)| {
        validator.static_fault(transaction)?;
        match verified.get(index) {
            Some(true) => Ok(Vec::new()),
            _ => openings::prepare(validator, transaction),
        }
    });
    let faults = openings::all_faults(&validator.scheme, &validator.id, prepared.collect());
    Candidates { transactions, faults }
}

/// A proposal whose block lacks its transactions yet.
fn fill(
    validator: &Validator,
    form: Form,
    transactions: &[Transaction],
    faults: Vec<Option<Fault>>,
    tail_vectors: &[TailVector],
    choice: &Choice<'_>,
) -> Proposal {
    let tail_vectors = true_prefix(validator, tail_vectors);
    let mut draft = BlockDraft::new(validator, form, tail_vectors, choice.carriage, choice.most);
    let mut proposal = Proposal {
        block: Block { version: validator.version + 1, ..Block::default() },
        included: Vec::new(),
        dropped: Vec::new(),
        postponed: Vec::new(),
    };
    for (index, (transaction, fault)) in transactions.iter().zip(faults).enumerate() {
        if choice.without.contains(&index) {
            continue;
        }
        match fault.map_or_else(|| draft.add(index, transaction), |fault| Err(Outcome::Drop(fault))) {
            Ok(()) => proposal.included.push(index),
            Err(Outcome::Drop(fault)) => proposal.dropped.push(Rejection::in_transaction(index, fault)),
            Err(Outcome::Postpone(cause)) => proposal.postponed.push(Postponed { transaction: index, cause }),
        }
    }
    proposal.block.tail_vectors = tail_vectors.iter().take(draft.tail_vectors_needed()).cloned().collect();
    proposal
}

/// The tail vectors before the first that is false.
fn true_prefix<'a>(validator: &Validator, vectors: &'a [TailVector]) -> &'a [TailVector] {
    match check_tail_vectors(validator, vectors) {
        Ok(()) => vectors,
        Err((index, _)) => vectors.get(..index).unwrap_or_default(),
    }
}
