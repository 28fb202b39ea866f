//! Blocks: the phases in their order, and what a valid block does.

use crate::base::bytes::*;
use crate::block::block_data::*;
use crate::block::checks::*;
use crate::block::execution::*;
use crate::block::operation::*;
use crate::block::rejection::*;
use crate::block::state::*;
use crate::block::tail::*;
use crate::block::transaction::*;
use crate::block::view::*;
use crate::commitment::scheme::*;
use crate::dictionary::array::*;
use crate::dictionary::changes::*;
use crate::dictionary::genesis::*;
use crate::dictionary::slot_map::*;
use hacspec_lib::*;

/// One step of [`transaction_ids`].
pub fn transaction_ids_step(ids: Seq<ByteString>, dictionary: &ByteString, tx: &Transaction) -> Seq<ByteString> {
    ids.push_owned(id_of_transaction(dictionary, tx))
}

/// The ids of transactions.
pub fn transaction_ids(dictionary: &ByteString, items: &Seq<Transaction>) -> Seq<ByteString> {
    let mut ids = Seq::<ByteString>::new(0);
    for x in 0..items.len() {
        ids = transaction_ids_step(ids, dictionary, &items[x]);
    }
    ids
}

/// One step of [`phase_size`].
pub fn phase_size_step(
    checked: Result<(), Rejection>,
    p: &Parameters,
    tx: &Transaction,
    x: usize,
) -> Result<(), Rejection> {
    match checked {
        Err(rejection) => Err(rejection),
        Ok(()) => check_transaction_size(p, tx, x),
    }
}

/// Phase 1: sizes.
pub fn phase_size(state: &ValidatorState, block: &Block) -> Result<(), Rejection> {
    let mut checked = check_block_size(state, block);
    for x in 0..block.transactions.len() {
        checked = phase_size_step(checked, &state.parameters, &block.transactions[x], x);
    }
    checked
}

/// One step of [`phase_interval`].
pub fn phase_interval_step(
    checked: Result<(), Rejection>,
    p: &Parameters,
    tx: &Transaction,
    b: usize,
    x: usize,
) -> Result<(), Rejection> {
    match checked {
        Err(rejection) => Err(rejection),
        Ok(()) => check_interval(p, tx, b, x),
    }
}

/// Phase 2: intervals of validity.
pub fn phase_interval(state: &ValidatorState, block: &Block) -> Result<(), Rejection> {
    let mut checked = Ok(());
    for x in 0..block.transactions.len() {
        checked = phase_interval_step(checked, &state.parameters, &block.transactions[x], state.version + 1, x);
    }
    checked
}

/// One step of [`phase_replay`].
pub fn phase_replay_step(
    checked: Result<(), Rejection>,
    state: &ValidatorState,
    ids: &Seq<ByteString>,
    x: usize,
) -> Result<(), Rejection> {
    match checked {
        Err(rejection) => Err(rejection),
        Ok(()) => check_replay(state, ids, x),
    }
}

/// Phase 3: replays, with the ids of the block's transactions.
pub fn phase_replay(state: &ValidatorState, ids: &Seq<ByteString>) -> Result<(), Rejection> {
    let mut checked = Ok(());
    for x in 0..ids.len() {
        checked = phase_replay_step(checked, state, ids, x);
    }
    checked
}

/// One step of [`phase_shape`].
pub fn phase_shape_step(
    checked: Result<(), Rejection>,
    p: &Parameters,
    tx: &Transaction,
    x: usize,
) -> Result<(), Rejection> {
    match checked {
        Err(rejection) => Err(rejection),
        Ok(()) => check_shape(p, tx, x),
    }
}

/// Phase 4: shapes.
pub fn phase_shape(state: &ValidatorState, block: &Block) -> Result<(), Rejection> {
    let mut checked = Ok(());
    for x in 0..block.transactions.len() {
        checked = phase_shape_step(checked, &state.parameters, &block.transactions[x], x);
    }
    checked
}

/// One step of [`phase_position`].
pub fn phase_position_step(
    checked: Result<(), Rejection>,
    state: &ValidatorState,
    tx: &Transaction,
    x: usize,
) -> Result<(), Rejection> {
    match checked {
        Err(rejection) => Err(rejection),
        Ok(()) => check_positions(state, tx, x),
    }
}

/// Phase 5: positions.
pub fn phase_position(state: &ValidatorState, block: &Block) -> Result<(), Rejection> {
    let mut checked = Ok(());
    for x in 0..block.transactions.len() {
        checked = phase_position_step(checked, state, &block.transactions[x], x);
    }
    checked
}

/// One step of [`phase_openings`].
pub fn phase_openings_step(
    checked: Result<(), Rejection>,
    setup: &Setup,
    state: &ValidatorState,
    tx: &Transaction,
    x: usize,
) -> Result<(), Rejection> {
    match checked {
        Err(rejection) => Err(rejection),
        Ok(()) => check_openings(setup, state, tx, x),
    }
}

/// Phase 6: openings.
pub fn phase_openings(setup: &Setup, state: &ValidatorState, block: &Block) -> Result<(), Rejection> {
    let mut checked = Ok(());
    for x in 0..block.transactions.len() {
        checked = phase_openings_step(checked, setup, state, &block.transactions[x], x);
    }
    checked
}

/// The fewest slots that an operation can leave of `s`: a delete takes one.
pub fn least_size_of_operation(s: usize, operation: &Operation) -> usize {
    if is_delete(&operation.action) && s > 0 { s - 1 } else { s }
}

/// The fewest slots that a transaction can leave of `s`.
pub fn least_size_of_transaction(s: usize, tx: &Transaction) -> usize {
    let mut least = s;
    for j in 0..tx.operations.len() {
        least = least_size_of_operation(least, &tx.operations[j]);
    }
    least
}

/// The fewest slots that a block can leave of `s`, whatever its operations find.
pub fn least_size(s: usize, block: &Block) -> usize {
    let mut least = s;
    for x in 0..block.transactions.len() {
        least = least_size_of_transaction(least, &block.transactions[x]);
    }
    least
}

/// Phase 7, before any tail vector is looked at: there are no more than lie below the tail, and no
/// more than the block's deletes can make necessary. A commitment costs much to recompute; what
/// nobody can need is not recomputed.
pub fn phase_tail_number(state: &ValidatorState, block: &Block) -> Result<(), Rejection> {
    let n = state.parameters.vector_size;
    let below = state.tail_start / n;
    let most = tail_needed(state.tail_start, least_size(state.size, block), n);
    if block.tail_vectors.len() > below {
        Err(reject_tail_vector(Reason::TailTooLong, below))
    } else if block.tail_vectors.len() > most {
        Err(reject_block(Reason::TailSuperfluous))
    } else {
        Ok(())
    }
}

/// Phase 7: the number of tail vectors, as far as it can be bounded, and their content.
pub fn phase_tail(setup: &Setup, state: &ValidatorState, block: &Block) -> Result<(), Rejection> {
    let _ = phase_tail_number(state, block)?;
    check_tail_vectors(setup, &state.parameters, &state.commitments, state.tail_start, &block.tail_vectors)
}

/// Phase 10: the number of tail vectors, for a block that leaves `s` slots.
pub fn phase_tail_count(state: &ValidatorState, block: &Block, s: usize) -> Result<(), Rejection> {
    let needed = tail_needed(state.tail_start, s, state.parameters.vector_size);
    if block.tail_vectors.len() < needed {
        Err(reject_block(Reason::TailMissing))
    } else if block.tail_vectors.len() > needed {
        Err(reject_block(Reason::TailSuperfluous))
    } else {
        Ok(())
    }
}

/// What a valid block does to a validator's view of the array.
#[derive(Clone, Debug, Default)]
pub struct Execution {
    /// The ids of the block's transactions.
    pub execution_ids: Seq<ByteString>,
    /// The contents at t of the keys, by transaction and operation.
    pub execution_contents: Seq<Contents>,
    /// The net changes.
    pub execution_changes: ChangeMap,
    /// The view before the block.
    pub execution_before: SlotMap,
    /// The view after it.
    pub execution_after: Array,
}

/// The array after the changes. A block that passed all phases has what they need; should a slot be
/// missing nevertheless, the block is refused for it.
pub fn change_view(before: &Array, net: &ChangeMap) -> Result<Array, Rejection> {
    match apply_changes(before, net) {
        Some(after) => Ok(after),
        None => Err(reject_block(Reason::TailMissing)),
    }
}

/// What follows the openings, whichever way they are proved: the tail, resolution, the operations,
/// and the tail's count.
pub fn execute_proved(
    setup: &Setup,
    state: &ValidatorState,
    block: &Block,
    ids: &Seq<ByteString>,
) -> Result<Execution, Rejection> {
    let _ = phase_tail(setup, state, block)?;
    let contents = resolve_block(state, block)?;
    let changes = run_block(block, &contents)?;
    let net = net_changes(&changes);
    let _ = phase_tail_count(state, block, size_after(state.size, &net))?;
    let known = block_view(state, block);
    let after = change_view(&Array { array_size: state.size, array_slots: known.clone() }, &net)?;
    Ok(Execution {
        execution_ids: ids.clone(),
        execution_contents: contents,
        execution_changes: net,
        execution_before: known,
        execution_after: after,
    })
}

/// Runs all phases in order, and then the block.
pub fn execute_block(setup: &Setup, state: &ValidatorState, block: &Block) -> Result<Execution, Rejection> {
    let _ = phase_size(state, block)?;
    let _ = phase_interval(state, block)?;
    let ids = transaction_ids(&state.dictionary_id, &block.transactions);
    let _ = phase_replay(state, &ids)?;
    let _ = phase_shape(state, block)?;
    let _ = phase_position(state, block)?;
    let _ = phase_openings(setup, state, block)?;
    execute_proved(setup, state, block, &ids)
}
