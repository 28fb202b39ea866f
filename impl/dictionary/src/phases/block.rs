//! What a block does, or why it is refused: the phases over the whole block (`aardvark_spec::block::phases`).
//!
//! Phases 6 and 7, which cost group operations and scale over all cores, run beside phases 8 to 10, which are cheap and whose
//! transactions follow one after the other: that part of the work does not make other cores wait. Nothing is lost
//! by it, for the earlier phase's refusal wins, and the later ones are total on any slots, true or not.

use std::collections::HashSet;

use rayon::prelude::*;

use crate::data::aggregated_block::{AggregatedBlock, verify_points};
use crate::data::block::Block;
use crate::data::rejection::{Fault, Item, Reason, Rejection};
use crate::data::slot::Slot;
use crate::data::transaction::{Transaction, TransactionId};
use crate::phases::checks as static_checks;
use crate::phases::execution::{Ledger, Resolved};
use crate::phases::openings;
use crate::phases::resolution::resolve;
use crate::phases::tail::{check_tail_number, check_tail_vectors};
use crate::state::array::{Draft, NetChanges, Write};
use crate::state::tail::{tail_start_after, tail_vectors_needed};
use crate::state::view::View;
use crate::validator::Validator;

/// All that an accepted block changes.
#[derive(Debug)]
pub(crate) struct Effects {
    pub(crate) writes: Vec<Write>,
    pub(crate) size: u64,
    pub(crate) tail_start: u64,
    /// Slots of the block's tail vectors, with their positions.
    pub(crate) carried: Vec<(u64, Slot)>,
    /// Identities with their `last_valid`, in order.
    pub(crate) transactions: Vec<(TransactionId, u64)>,
}

/// A block that is to be judged: the two kinds differ in how long they are and in what proves their claims.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Candidate<'a> {
    Plain(&'a Block),
    Aggregated(&'a AggregatedBlock),
}

impl<'a> Candidate<'a> {
    fn block(self) -> &'a Block {
        match self {
            Self::Plain(block) => block,
            Self::Aggregated(aggregated) => &aggregated.block,
        }
    }

    fn encoded_length(self) -> usize {
        match self {
            Self::Plain(block) => block.encoded_length(),
            Self::Aggregated(aggregated) => aggregated.encoded_length(),
        }
    }
}

/// Runs all phases of `docs/format.md` in their order.
pub(crate) fn evaluate(validator: &Validator, candidate: Candidate<'_>) -> Result<Effects, Rejection> {
    let block = candidate.block();
    let transactions = &block.transactions;
    let next = validator.version + 1;
    let parameters = &validator.parameters;
    static_checks::block_size(block, candidate.encoded_length(), next, &parameters.limits)?;
    lowest(transactions, |transaction| static_checks::size(transaction, &parameters.limits))?;
    lowest(transactions, |transaction| static_checks::interval(transaction, next, parameters.window))?;
    let ids = fresh_ids(validator, transactions)?;
    lowest(transactions, |transaction| static_checks::shape(transaction, parameters))?;
    lowest(transactions, |transaction| {
        static_checks::positions(transaction, validator.size_at(transaction.first_valid - 1))
    })?;
    let (proofs, outcome) = rayon::join(|| verify_proofs(validator, candidate), || execute_block(validator, block));
    proofs?;
    let (writes, size, carried) = outcome?;
    let tail_start = tail_start_after(validator.tail.start(), size, parameters.positions_per_vector());
    Ok(Effects { writes, size, tail_start, carried, transactions: ids })
}

/// Phases 6 and 7.
fn verify_proofs(validator: &Validator, candidate: Candidate<'_>) -> Result<(), Rejection> {
    let block = candidate.block();
    match candidate {
        Candidate::Plain(block) => verify_openings(validator, &block.transactions)?,
        Candidate::Aggregated(aggregated) => verify_points(validator, block, &aggregated.points)?,
    }
    check_tail_number(validator, block)?;
    check_tail_vectors(validator, &block.tail_vectors)
        .map_err(|(index, reason)| Rejection::of_block(reason, Item::TailVector(index)))
}

/// Writes, number of slots afterwards, and the slots of tail vectors with their positions.
type Outcome = (Vec<Write>, u64, Vec<(u64, Slot)>);

/// Phases 8 to 10 and what the block writes, should its proofs hold.
fn execute_block(validator: &Validator, block: &Block) -> Result<Outcome, Rejection> {
    let transactions = &block.transactions;
    let changes = execute(transactions, resolve_all(validator, transactions)?)?;
    let size = changes.size_after(validator.size);
    count_tail_vectors(validator, block, size)?;
    let carried = carried_slots(validator, block);
    let writes = writes_of(validator, transactions, &carried, &changes)?;
    Ok((writes, size, carried))
}

fn lowest(
    transactions: &[Transaction],
    check: impl Fn(&Transaction) -> Result<(), Fault> + Sync,
) -> Result<(), Rejection> {
    let first = transactions.par_iter().enumerate().find_map_first(|(index, transaction)| {
        check(transaction).err().map(|fault| Rejection::in_transaction(index, fault))
    });
    first.map_or(Ok(()), Err)
}

/// Phase 3: no transaction was applied before, and none stands in the block twice.
fn fresh_ids(validator: &Validator, transactions: &[Transaction]) -> Result<Vec<(TransactionId, u64)>, Rejection> {
    let ids: Vec<_> =
        transactions.par_iter().map(|transaction| (transaction.id(&validator.id), transaction.last_valid)).collect();
    let mut seen = HashSet::with_capacity(ids.len());
    for (index, (id, last_valid)) in ids.iter().enumerate() {
        let reason = if validator.replay.contains_until(id, *last_valid) {
            Reason::Replayed
        } else if !seen.insert(*id) {
            Reason::RepeatedInBlock
        } else {
            continue;
        };
        return Err(Rejection::in_transaction(index, Fault::whole(reason)));
    }
    Ok(ids)
}

/// Phase 6.
fn verify_openings(validator: &Validator, transactions: &[Transaction]) -> Result<(), Rejection> {
    let fault = openings::first_fault(validator, transactions);
    fault.map_or(Ok(()), |(index, fault)| Err(Rejection::in_transaction(index, fault)))
}

/// Phase 8.
fn resolve_all(validator: &Validator, transactions: &[Transaction]) -> Result<Vec<Vec<Resolved>>, Rejection> {
    let resolved: Vec<Result<_, Fault>> =
        transactions.par_iter().map(|transaction| resolve(transaction, &validator.view_of(transaction))).collect();
    let in_order = resolved.into_iter().enumerate();
    in_order.map(|(index, resolved)| resolved.map_err(|fault| Rejection::in_transaction(index, fault))).collect()
}

/// Phase 9.
fn execute(transactions: &[Transaction], resolved: Vec<Vec<Resolved>>) -> Result<NetChanges, Rejection> {
    let mut ledger = Ledger::default();
    for (index, (transaction, resolved)) in transactions.iter().zip(resolved).enumerate() {
        ledger.run(&transaction.operations, &resolved).map_err(|fault| Rejection::in_transaction(index, fault))?;
    }
    Ok(ledger.net_changes())
}

/// Phase 10.
fn count_tail_vectors(validator: &Validator, block: &Block, size: u64) -> Result<(), Rejection> {
    let vector_size = validator.parameters.positions_per_vector();
    let needed = tail_vectors_needed(validator.tail.start(), size, vector_size);
    let carried = u64::try_from(block.tail_vectors.len()).unwrap_or(u64::MAX);
    match carried.cmp(&needed) {
        std::cmp::Ordering::Less => Err(Rejection::of_block(Reason::TailMissing, Item::Whole)),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(Rejection::of_block(Reason::TailSuperfluous, Item::Whole)),
    }
}

/// The slots of the block's tail vectors with their positions.
fn carried_slots(validator: &Validator, block: &Block) -> Vec<(u64, Slot)> {
    let vector_size = validator.parameters.positions_per_vector();
    let starts = (1..).map(|below| validator.tail.start().saturating_sub(below * vector_size));
    let vectors = starts.zip(&block.tail_vectors);
    vectors.flat_map(|(start, vector)| (start..).zip(vector.iter().cloned())).collect()
}

/// The writes of the block, computed on what its claims, window and tail show. They show all that is needed: the
/// covering slot of every key, the predecessor of every deleted one, and the last slots
/// (`block_never_stuck` in the specification's tests); were one missing, the block would be refused, not half done.
fn writes_of(
    validator: &Validator,
    transactions: &[Transaction],
    carried: &[(u64, Slot)],
    changes: &NetChanges,
) -> Result<Vec<Write>, Rejection> {
    let mut view = View::new(validator.size, &validator.window, &validator.tail);
    for transaction in transactions {
        view.add_claims(transaction.first_valid - 1, &transaction.claims);
    }
    view.add_slots(carried.iter().cloned());
    let mut draft = Draft::new(&view);
    draft.apply(changes).map_err(|_| Rejection::of_block(Reason::TailMissing, Item::Whole))?;
    Ok(draft.writes())
}
