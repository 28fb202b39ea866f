//! A validator: checks a transaction for a mempool, and applies blocks, whole or not at all.

use crate::base::bytes::*;
use crate::block::block_data::*;
use crate::block::checks::*;
use crate::block::execution::*;
use crate::block::phases::*;
use crate::block::rejection::*;
use crate::block::state::*;
use crate::block::tail::*;
use crate::block::transaction::*;
use crate::commitment::scheme::*;
use crate::dictionary::array::*;
use crate::dictionary::changes::*;
use crate::dictionary::slot_map::*;
use crate::dictionary::vectors::*;
use crate::dictionary::window::*;
use crate::dictionary::writes::*;
use hacspec_lib::*;

/// What a block did, for those who store, index or answer.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// The writes, in ascending order of positions.
    pub effect_writes: Seq<Write>,
    /// The contents before the block of the keys that it names, by transaction and operation.
    pub effect_contents: Seq<Contents>,
    /// The net changes, in ascending order of keys.
    pub effect_changes: ChangeMap,
    /// The ids of the transactions.
    pub effect_ids: Seq<ByteString>,
}

/// Checks one transaction against a state, as phases 1 to 6 and 8 of a block with it alone would:
/// what a mempool asks. The answer is the contents of its keys at t. The item of a refusal is in
/// transaction 0.
pub fn check_transaction(setup: &Setup, state: &ValidatorState, tx: &Transaction) -> Result<Contents, Rejection> {
    let _ = check_transaction_size(&state.parameters, tx, 0)?;
    let _ = check_interval(&state.parameters, tx, state.version + 1, 0)?;
    let ids = Seq::<ByteString>::new(0).push_owned(id_of_transaction(&state.dictionary_id, tx));
    let _ = check_replay(state, &ids, 0)?;
    let _ = check_shape(&state.parameters, tx, 0)?;
    let _ = check_positions(state, tx, 0)?;
    let _ = check_openings(setup, state, tx, 0)?;
    resolve_transaction(state, tx, 0)
}

/// One step of [`replay_entries`].
pub fn replay_entries_step(entries: Seq<ReplayEntry>, id: &ByteString, tx: &Transaction) -> Seq<ReplayEntry> {
    entries.push_owned(ReplayEntry { replay_id: id.clone(), replay_last_valid: tx.last_valid })
}

/// The entries with those of a block's transactions, whose ids are given.
pub fn replay_entries(old: &Seq<ReplayEntry>, ids: &Seq<ByteString>, items: &Seq<Transaction>) -> Seq<ReplayEntry> {
    let mut entries = old.clone();
    for x in 0..items.len() {
        entries = replay_entries_step(entries, &ids[x], &items[x]);
    }
    entries
}

/// The state after one more version: from what was known of the array before and after it, its
/// writes, and the transactions to be remembered. `None` when a slot of the new tail is not known.
pub fn advance(
    setup: &Setup,
    state: &ValidatorState,
    before: &SlotMap,
    after: &Array,
    writes: &Seq<Write>,
    remembered: &Seq<ReplayEntry>,
) -> Option<ValidatorState> {
    let n = state.parameters.vector_size;
    let s = after.array_size;
    let start = tail_start_after(state.tail_start, s, n);
    let new_tail = slots_from(&after.array_slots, start, s)?;
    let record = VersionRecord {
        record_writes: writes.clone(),
        record_size: state.size,
        record_commitments: previous_commitments(&state.commitments, n, writes),
    };
    Some(ValidatorState {
        parameters: state.parameters.clone(),
        dictionary_id: state.dictionary_id.clone(),
        version: state.version + 1,
        size: s,
        commitments: updated_commitments(setup, n, &state.commitments, before, writes, s),
        window: slide(&state.window, state.parameters.window_length, &record),
        tail_start: start,
        tail: new_tail,
        replay_set: replay_set_at(remembered, state.version + 1),
    })
}

/// The state after one more version; should the new tail not be known, which a valid block
/// excludes, the block is refused.
pub fn advance_or_reject(
    setup: &Setup,
    state: &ValidatorState,
    execution: &Execution,
    writes: &Seq<Write>,
    remembered: &Seq<ReplayEntry>,
) -> Result<ValidatorState, Rejection> {
    match advance(setup, state, &execution.execution_before, &execution.execution_after, writes, remembered) {
        Some(advanced) => Ok(advanced),
        None => Err(reject_block(Reason::TailMissing)),
    }
}

/// The state at the next version after a block that passed all phases, and what the block did.
pub fn apply_executed(
    setup: &Setup,
    state: &ValidatorState,
    execution: &Execution,
    items: &Seq<Transaction>,
) -> Result<(ValidatorState, Effects), Rejection> {
    let writes = writes_between(&execution.execution_before, &execution.execution_after.array_slots);
    let remembered = replay_entries(&state.replay_set, &execution.execution_ids, items);
    let advanced = advance_or_reject(setup, state, execution, &writes, &remembered)?;
    Ok((
        advanced,
        Effects {
            effect_writes: writes,
            effect_contents: execution.execution_contents.clone(),
            effect_changes: execution.execution_changes.clone(),
            effect_ids: execution.execution_ids.clone(),
        },
    ))
}

/// Applies a block: the state at the next version and what the block did, or why it is refused.
pub fn apply_block(
    setup: &Setup,
    state: &ValidatorState,
    block: &Block,
) -> Result<(ValidatorState, Effects), Rejection> {
    let execution = execute_block(setup, state, block)?;
    apply_executed(setup, state, &execution, &block.transactions)
}

/// The whole array after a version's writes: what an archive stores.
pub fn array_after(array: &Array, writes: &Seq<Write>, new_size: usize) -> Array {
    Array { array_size: new_size, array_slots: lay_writes(array.array_slots.clone(), writes) }
}
