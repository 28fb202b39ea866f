//! What a block does, or why it is refused: all phases in their order
//! (`aardvark_spec::block::phases`).
//!
//! Phases 6 and 7, which cost group operations and scale over all cores, run beside phases 8 to 10,
//! which are cheap and whose transactions follow one after the other: that part of the work does
//! not make other cores wait. Nothing is lost by it, for the earlier phase's refusal wins, and the
//! later ones are total on any slots, true or not.

pub mod changes;
mod checks;
pub mod execution;
pub(crate) mod openings;
pub(crate) mod points;
pub(crate) mod resolution;
pub(crate) mod tail;

use aardvark_algebra::parallel::{self, prelude::*};
use aardvark_commitment::Scheme;

use crate::data::aggregated_block::AggregatedBlock;
use crate::data::block::Block;
use crate::data::rejection::{Fault, Item, Reason, Rejection};
use crate::data::slot::Slot;
use crate::data::transaction::{Transaction, TransactionId};
use crate::phases::changes::{ChangeMap, NetChanges};
use crate::state::State;
use crate::state::array::{Draft, Write};
use crate::state::tail::tail_start_after;

/// All that a block does, found by running its phases; nothing has changed yet
/// (`aardvark_spec::block::phases::Execution`).
/// [`Validator::apply_executed`](crate::Validator::apply_executed) is what takes it.
#[derive(Debug)]
#[must_use = "a block that was found valid has not been applied yet"]
pub struct Execution {
    /// The version that the block makes.
    pub(crate) version: u64,
    pub(crate) writes: Vec<Write>,
    /// Number of slots after the block.
    pub(crate) size: u64,
    /// Where the tail starts after it.
    pub(crate) tail_start: u64,
    /// Slots of the block's tail vectors, with their positions.
    pub(crate) carried: Vec<(u64, Slot)>,
    /// Ids with their `last_valid`, in order.
    pub(crate) transactions: Vec<(TransactionId, u64)>,
}

/// Runs all phases of a block.
pub(crate) fn execute_block(scheme: &Scheme, state: &State, block: &Block) -> Result<Execution, Rejection> {
    execute(scheme, state, block, block.encoded_length(), || {
        openings::phase_openings(scheme, &state.dictionary_id, &state.known_commitments(), &block.transactions)
    })
}

/// Runs all phases of an aggregated block, which differs in how long it is and in what proves its
/// claims.
pub(crate) fn execute_aggregated_block(
    scheme: &Scheme,
    state: &State,
    aggregated: &AggregatedBlock,
) -> Result<Execution, Rejection> {
    execute(scheme, state, &aggregated.block, aggregated.encoded_length(), || {
        points::phase_points(scheme, &state.dictionary_id, &state.known_commitments(), aggregated)
    })
}

/// Phases 1 to 5 of one transaction, as it would enter the next block.
pub(crate) fn check_before_openings<O>(state: &State, transaction: &Transaction<O>) -> Result<(), Fault> {
    let parameters = &state.parameters;
    checks::check_transaction_size(transaction, &parameters.limits)?;
    checks::check_interval(transaction, state.version + 1, parameters.window)?;
    checks::check_replay(&state.replay_set, &transaction.id(&state.dictionary_id), transaction.last_valid)?;
    checks::check_shape(transaction, parameters)?;
    checks::check_positions(transaction, state.size_at(transaction.claims_version()))
}

/// Phases 1 to 6 and 8 of one transaction alone
/// (`aardvark_spec::block::validator::check_transaction`).
pub(crate) fn check_transaction(scheme: &Scheme, state: &State, transaction: &Transaction) -> Result<(), Fault> {
    check_before_openings(state, transaction)?;
    openings::check_openings(scheme, &state.dictionary_id, &state.known_commitments(), transaction)?;
    resolution::resolve_transaction(&state.known_slots(), transaction).map(|_| ())
}

/// Phases 1 to 5, 8 and 9 of one transaction alone, whose openings are known to hold.
pub(crate) fn check_opened_transaction(state: &State, transaction: &Transaction) -> Result<(), Fault> {
    check_before_openings(state, transaction)?;
    let contents = resolution::resolve_transaction(&state.known_slots(), transaction)?;
    execution::run_operations(&mut ChangeMap::default(), &transaction.operations, &contents).map(|_| ())
}

/// All phases, of a block whose encoding has `length` bytes and whose claims `prove` looks at.
fn execute<O: Send + Sync>(
    scheme: &Scheme,
    state: &State,
    block: &Block<O>,
    length: usize,
    prove: impl FnOnce() -> Result<(), Rejection> + Send,
) -> Result<Execution, Rejection> {
    let ids = run_checks(state, block, length)?;
    let prove_all = || {
        prove()?;
        tail::phase_tail(scheme, state.below_tail(), state.size, block)
    };
    let (proved, outcome) = parallel::join(prove_all, || execute_proved(state, block));
    proved?;
    let (writes, size, carried) = outcome?;
    let tail_start = tail_start_after(state.tail.start(), size, state.parameters.positions_per_vector());
    Ok(Execution { version: block.version, writes, size, tail_start, carried, transactions: ids })
}

/// Phases 1 to 5. The answer is the ids of the transactions, with their `last_valid`.
fn run_checks<O: Sync>(state: &State, block: &Block<O>, length: usize) -> Result<Vec<(TransactionId, u64)>, Rejection> {
    let transactions = &block.transactions;
    let (parameters, next) = (&state.parameters, state.version + 1);
    checks::check_block_size(block, length, next, &parameters.limits)?;
    lowest(transactions, |transaction| checks::check_transaction_size(transaction, &parameters.limits))?;
    lowest(transactions, |transaction| checks::check_interval(transaction, next, parameters.window))?;
    let id = |transaction: &Transaction<O>| (transaction.id(&state.dictionary_id), transaction.last_valid);
    let ids: Vec<_> = transactions.par_iter().map(id).collect();
    checks::phase_replay(&state.replay_set, &ids)?;
    lowest(transactions, |transaction| checks::check_shape(transaction, parameters))?;
    lowest(transactions, |transaction| {
        checks::check_positions(transaction, state.size_at(transaction.claims_version()))
    })?;
    Ok(ids)
}

/// The refusal of the lowest transaction that a check does not pass.
fn lowest<O: Sync>(
    transactions: &[Transaction<O>],
    check: impl Fn(&Transaction<O>) -> Result<(), Fault> + Sync,
) -> Result<(), Rejection> {
    let first = transactions.par_iter().enumerate().find_map_first(|(index, transaction)| {
        check(transaction).err().map(|fault| Rejection::in_transaction(index, fault))
    });
    first.map_or(Ok(()), Err)
}

/// Writes, number of slots afterwards, and the slots of tail vectors with their positions.
type Outcome = (Vec<Write>, u64, Vec<(u64, Slot)>);

/// Phases 8 to 10 and what the block writes, should its proofs hold.
fn execute_proved<O: Sync>(state: &State, block: &Block<O>) -> Result<Outcome, Rejection> {
    let contents = resolution::resolve_block(&state.known_slots(), &block.transactions)?;
    let changes = execution::run_block(&block.transactions, &contents)?.net_changes();
    let size = changes.size_after(state.size);
    let (start, vector_size) = (state.tail.start(), state.parameters.positions_per_vector());
    tail::phase_tail_count(start, vector_size, &block.tail_vectors, size)?;
    let carried = tail::carried_slots(start, vector_size, &block.tail_vectors);
    let writes = writes_of(state, &block.transactions, &carried, &changes)?;
    Ok((writes, size, carried))
}

/// The writes of the block, computed on what its claims, window and tail show. They show all that
/// is needed: the covering slot of every key, the predecessor of every deleted one, and the last
/// slots (`block_never_stuck` in the specification's tests); were one missing, the block would be
/// refused, not half done.
fn writes_of<O>(
    state: &State,
    transactions: &[Transaction<O>],
    carried: &[(u64, Slot)],
    changes: &NetChanges,
) -> Result<Vec<Write>, Rejection> {
    let mut view = state.known_slots();
    for transaction in transactions {
        view.add_claims(transaction.claims_version(), &transaction.claims);
    }
    view.add_slots(carried.iter().cloned());
    let mut draft = Draft::new(&view);
    draft.apply(changes).map_err(|_| Rejection::of_block(Reason::TailMissing, Item::Whole))?;
    Ok(draft.writes())
}
