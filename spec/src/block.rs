//! Blocks: the phases in their order, and what a valid block does.

use crate::block_data::*;
use crate::bytes::*;
use crate::changes::*;
use crate::checks::*;
use crate::dictionary::*;
use crate::execution::*;
use crate::genesis::*;
use crate::rejection::*;
use crate::scheme::*;
use crate::slot_map::*;
use crate::state::*;
use crate::tail::*;
use crate::transaction::*;
use crate::view::*;
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

/// Phase 7: the content of tail vectors.
pub fn phase_tail(setup: &Setup, state: &ValidatorState, block: &Block) -> Result<(), Rejection> {
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

/// The array after the changes. A block that passed all phases has what they need; should a slot be missing nevertheless,
/// the block is refused for it.
pub fn change_view(before: &Array, net: &ChangeMap) -> Result<Array, Rejection> {
    match apply_changes(before, net) {
        Some(after) => Ok(after),
        None => Err(reject_block(Reason::TailMissing)),
    }
}

/// What follows the openings, whichever way they are proved: the tail, resolution, the operations, and the tail's count.
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
