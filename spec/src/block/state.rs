//! What a validator holds: no keys and values but those of the window's writes and of the tail.

use crate::base::bytes::*;
use crate::base::group::*;
use crate::block::tail::*;
use crate::commitment::scheme::*;
use crate::dictionary::array::*;
use crate::dictionary::genesis::*;
use crate::dictionary::slot::*;
use crate::dictionary::vectors::*;
use crate::dictionary::window::*;
use hacspec_lib::*;

/// A transaction that was applied, and could be applied again were it not remembered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayEntry {
    /// The transaction's id.
    pub replay_id: ByteString,
    /// The last version whose block may hold the transaction.
    pub replay_last_valid: usize,
}

/// The state of a validator at a version.
#[derive(Clone, Debug, Default)]
pub struct ValidatorState {
    /// The dictionary's parameters.
    pub parameters: Parameters,
    /// The dictionary's id.
    pub dictionary_id: ByteString,
    /// t, the version.
    pub version: usize,
    /// s, the number of slots.
    pub size: usize,
    /// The commitments of the vectors.
    pub commitments: Seq<G1>,
    /// The records of the W latest versions.
    pub window: Window,
    /// The first position of the tail, a multiple of N.
    pub tail_start: usize,
    /// The slots at the positions from `tail_start` to the end.
    pub tail: Seq<Slot>,
    /// The transactions that could be applied again, in the order in which they were applied.
    pub replay_set: Seq<ReplayEntry>,
}

/// The tail of a whole array; empty should a slot be missing, which a whole array's is not.
pub fn whole_tail(array: &Array, start: usize) -> Seq<Slot> {
    match slots_from(&array.array_slots, start, array.array_size) {
        Some(items) => items,
        None => Seq::<Slot>::new(0),
    }
}

/// The state at version 0.
pub fn genesis_state(setup: &Setup, genesis: &Genesis) -> ValidatorState {
    let array = genesis_array(&genesis.genesis_entries);
    let n = genesis.genesis_parameters.vector_size;
    let start = tail_floor(array.array_size, n);
    ValidatorState {
        parameters: genesis.genesis_parameters.clone(),
        dictionary_id: id_of_dictionary(genesis),
        version: 0,
        size: array.array_size,
        commitments: array_commitments(setup, n, &array),
        window: Window::new(0),
        tail_start: start,
        tail: whole_tail(&array, start),
        replay_set: Seq::<ReplayEntry>::new(0),
    }
}

/// One step of [`is_replayed`].
pub fn is_replayed_step(found: bool, entry: &ReplayEntry, id: &ByteString) -> bool {
    found || bytes_equal(&entry.replay_id, id)
}

/// Whether the id is in the replay set.
pub fn is_replayed(entries: &Seq<ReplayEntry>, id: &ByteString) -> bool {
    let mut found = false;
    for i in 0..entries.len() {
        found = is_replayed_step(found, &entries[i], id);
    }
    found
}

/// One step of [`replay_set_at`].
pub fn replay_set_at_step(lasting: Seq<ReplayEntry>, entry: &ReplayEntry, b: usize) -> Seq<ReplayEntry> {
    if entry.replay_last_valid < b { lasting } else { lasting.push_owned(entry.clone()) }
}

/// The entries that are still needed at version `b`: those whose last version is not past.
pub fn replay_set_at(entries: &Seq<ReplayEntry>, b: usize) -> Seq<ReplayEntry> {
    let mut lasting = Seq::<ReplayEntry>::new(0);
    for i in 0..entries.len() {
        lasting = replay_set_at_step(lasting, &entries[i], b);
    }
    lasting
}
