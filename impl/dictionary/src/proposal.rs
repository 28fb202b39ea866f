//! Building a block that every validator accepts (`aardvark_spec::block::phases`, run with "drop"
//! in the place of "refuse").

use std::collections::BTreeSet;

use aardvark_algebra::parallel::prelude::*;

use crate::block_draft::{BlockDraft, Carriage, Form, Outcome, PostponedCause};
use crate::data::block::{Block, TailVector};
use crate::data::rejection::{Fault, Rejection};
use crate::data::transaction::Transaction;
use crate::phases::tail::check_tail_vectors;
use crate::phases::{check_before_openings, openings};
use crate::validator::Validator;

/// A block, and what became of the transactions that are not in it. Indices are those of the list
/// proposed from.
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

/// Transactions that were looked at one by one, and of which blocks may be proposed: see
/// [`Validator::candidates`].
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

impl Validator {
    /// Builds a block of the next version from transactions, in their order: drops and reports
    /// those that fail, postpones those for which no room is left or whose deletes need tail
    /// vectors that were not given.
    ///
    /// `tail_vectors` are whole vectors below [`Tail::start`](crate::tail::Tail::start), the
    /// highest first, as an archive gives them; those from the first false one on are ignored. The
    /// block has at most `byte_limit` bytes as a plain one, and never more than the dictionary's
    /// limits. Where the aggregated block is what is judged, [`Validator::propose_aggregated`]
    /// keeps to that one's length.
    #[must_use = "a proposed block has not been applied"]
    pub fn propose(&self, transactions: Vec<Transaction>, tail_vectors: &[TailVector], byte_limit: usize) -> Proposal {
        let Candidates { transactions, faults } = self.candidates(transactions, &[]);
        let choice = Choice { carriage: Carriage::of_limit(byte_limit), without: &BTreeSet::new(), most: usize::MAX };
        let mut proposal = self.fill(Form::Plain, &transactions, faults, tail_vectors, &choice);
        let mut included = proposal.included.iter().peekable();
        let all = transactions.into_iter().enumerate();
        let chosen = all.filter_map(|(index, transaction)| included.next_if_eq(&&index).map(|_| transaction));
        proposal.block.transactions = chosen.collect();
        proposal
    }

    /// Transactions of which one block after the other may be proposed: what is wrong with each
    /// alone, which phases 1 to 6 tell, is looked at once, with one batch over all openings but
    /// those of transactions marked in `verified`, which were found true at this state's chain
    /// before.
    pub fn candidates(&self, transactions: Vec<Transaction>, verified: &[bool]) -> Candidates {
        let known = self.state.known_commitments();
        let prepared = transactions.par_iter().enumerate().map(|(index, transaction)| {
            check_before_openings(&self.state, transaction)?;
            match verified.get(index) {
                Some(true) => Ok(Vec::new()),
                _ => openings::prepare(&known, transaction),
            }
        });
        let faults = openings::all_faults(&self.scheme, &self.state.dictionary_id, prepared.collect());
        Candidates { transactions, faults }
    }

    /// As [`Validator::propose`], for a block that will be aggregated: the lengths are those of the
    /// aggregated block.
    #[must_use = "a proposed block has not been applied"]
    pub fn propose_aggregated(
        &self,
        candidates: &Candidates,
        tail_vectors: &[TailVector],
        choice: &Choice<'_>,
    ) -> Proposal {
        let Candidates { transactions, faults } = candidates;
        let mut proposal = self.fill(Form::Aggregated, transactions, faults.clone(), tail_vectors, choice);
        let chosen = proposal.included.iter().filter_map(|index| transactions.get(*index).cloned());
        proposal.block.transactions = chosen.collect();
        proposal
    }

    /// A proposal whose block lacks its transactions yet.
    fn fill(
        &self,
        form: Form,
        transactions: &[Transaction],
        faults: Vec<Option<Fault>>,
        tail_vectors: &[TailVector],
        choice: &Choice<'_>,
    ) -> Proposal {
        let tail_vectors = self.true_prefix(tail_vectors);
        let mut draft = BlockDraft::new(&self.state, form, tail_vectors, choice.carriage, choice.most);
        let mut proposal = Proposal {
            block: Block { version: self.state.version + 1, ..Block::default() },
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
        proposal.block.tail_vectors = tail_vectors.iter().take(draft.tail_needed()).cloned().collect();
        proposal
    }

    /// The tail vectors before the first that is false.
    fn true_prefix<'a>(&self, vectors: &'a [TailVector]) -> &'a [TailVector] {
        match check_tail_vectors(&self.scheme, self.state.below_tail(), vectors) {
            Ok(()) => vectors,
            Err((index, _)) => vectors.get(..index).unwrap_or_default(),
        }
    }
}
