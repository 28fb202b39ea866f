//! What an honest archive answers with: the slots that a question needs, in their order, and claims
//! of them.

use crate::answer::answer_basis::*;
use crate::answer::answer_proof::*;
use crate::answer::question::*;
use crate::answer::scan::*;
use crate::base::bytes::*;
use crate::block::prover::*;
use crate::block::root::*;
use crate::block::transaction::*;
use crate::commitment::commitment_tree::*;
use crate::commitment::opening::*;
use crate::commitment::scheme::*;
use crate::dictionary::array::*;
use crate::dictionary::slot::*;
use crate::dictionary::slot_map::*;
use crate::dictionary::vectors::*;
use hacspec_lib::*;

/// How far the search for a region's slots has come.
#[derive(Clone, Debug, Default)]
pub struct ChainSearch {
    /// The scan over the slots found.
    pub search_scan: Scan,
    /// Their positions.
    pub search_positions: Seq<usize>,
}

/// The search with the slot of one more position.
pub fn extend_search(region: &Region, search: &ChainSearch, position: usize, slot: &Slot) -> ChainSearch {
    match scan_slot(region, &search.search_scan, slot) {
        Err(_) => search.clone(),
        Ok(scan) => {
            ChainSearch { search_scan: scan, search_positions: search.search_positions.clone().push_owned(position) }
        }
    }
}

/// The search with the slot at a position, if there is one.
pub fn extend_search_at(region: &Region, search: &ChainSearch, slots: &SlotMap, position: usize) -> ChainSearch {
    match slot_at(slots, position) {
        None => search.clone(),
        Some(slot) => extend_search(region, search, position, &slot),
    }
}

/// One step of [`region_positions`]: the slot that covers the cursor.
pub fn region_positions_step(search: ChainSearch, region: &Region, slots: &SlotMap) -> ChainSearch {
    match &search.search_scan.scan_cursor {
        None => search.clone(),
        Some(cursor) => match covering_position(slots, cursor) {
            None => search.clone(),
            Some(position) => extend_search_at(region, &search, slots, position),
        },
    }
}

/// The positions of the slots that answer for a region. No slot is needed twice.
pub fn region_positions(region: &Region, slots: &SlotMap) -> Seq<usize> {
    let mut search = ChainSearch { search_scan: scan_start(region), search_positions: Seq::<usize>::new(0) };
    for _i in 0..slot_map_end(slots) + 1 {
        search = region_positions_step(search, region, slots);
    }
    search.search_positions
}

/// The position, as a list; empty where there is none.
pub fn listed_position(found_position: Option<usize>) -> Seq<usize> {
    match found_position {
        None => Seq::<usize>::new(0),
        Some(position) => Seq::<usize>::new(0).push_owned(position),
    }
}

/// The positions of the slots that answer a question.
pub fn answer_positions(question: &Question, slots: &SlotMap) -> Seq<usize> {
    match question {
        Question::AskRegion(region) => region_positions(region, slots),
        Question::AskPredecessor(k) => listed_position(preceding_position(slots, k)),
        Question::AskSuccessor(k) => listed_position(covering_position(slots, k)),
    }
}

/// One step of [`slots_of_positions`].
pub fn slots_of_positions_step(chain: Seq<Slot>, slots: &SlotMap, position: usize) -> Seq<Slot> {
    match slot_at(slots, position) {
        None => chain,
        Some(slot) => chain.push_owned(slot),
    }
}

/// The slots at positions.
pub fn slots_of_positions(positions: &Seq<usize>, slots: &SlotMap) -> Seq<Slot> {
    let mut chain = Seq::<Slot>::new(0);
    for i in 0..positions.len() {
        chain = slots_of_positions_step(chain, slots, positions[i]);
    }
    chain
}

/// One step of [`claims_at`].
pub fn claims_at_step(items: Seq<Claim>, setup: &Setup, slots: &SlotMap, position: usize) -> Seq<Claim> {
    match honest_claim(setup, slots, position) {
        None => items,
        Some(claim) => items.push_owned(claim),
    }
}

/// The claims of what positions hold.
pub fn claims_at(setup: &Setup, slots: &SlotMap, positions: &Seq<usize>) -> Seq<Claim> {
    let mut items = Seq::<Claim>::new(0);
    for i in 0..positions.len() {
        items = claims_at_step(items, setup, slots, positions[i]);
    }
    items
}

/// An honest archive's proof, for those who trust commitments.
pub fn honest_answer(
    setup: &Setup,
    array: &Array,
    id: &ByteString,
    version_of_array: usize,
    question: &Question,
) -> AnswerProof {
    AnswerProof {
        proof_dictionary: id.clone(),
        proof_vector_size: setup_vector_size(setup),
        proof_version: version_of_array,
        proof_question: question.clone(),
        proof_claims: claims_at(setup, &array.array_slots, &answer_positions(question, &array.array_slots)),
        proof_tie: None,
    }
}

/// One step of [`honest_tied_vectors`].
pub fn honest_tied_vectors_step(
    tied: Seq<TiedVector>,
    setup: &Setup,
    slots: &SlotMap,
    encoded: &Seq<ByteString>,
    items: &Seq<Claim>,
    number: usize,
) -> Seq<TiedVector> {
    let n = setup_vector_size(setup);
    if is_claimed_vector(items, n, number) {
        tied.push_owned(TiedVector {
            tied_number: number,
            tied_bytes: encoded[number].clone(),
            tied_commitment: Opening::Point(commit(setup, &vector_scalars(slots, n, number))),
            tied_path: commitment_path(encoded, number),
        })
    } else {
        tied
    }
}

/// The vectors of claims, with their paths to the root over the encoded commitments.
pub fn honest_tied_vectors(
    setup: &Setup,
    slots: &SlotMap,
    encoded: &Seq<ByteString>,
    items: &Seq<Claim>,
) -> Seq<TiedVector> {
    let mut tied = Seq::<TiedVector>::new(0);
    for number in 0..encoded.len() {
        tied = honest_tied_vectors_step(tied, setup, slots, encoded, items, number);
    }
    tied
}

/// An honest archive's proof, for those who trust the root of the state of which the array is.
pub fn honest_rooted_answer(setup: &Setup, array: &Array, state: &HashedState, question: &Question) -> AnswerProof {
    let items = claims_at(setup, &array.array_slots, &answer_positions(question, &array.array_slots));
    let tied = honest_tied_vectors(setup, &array.array_slots, &state.hashed_commitments, &items);
    AnswerProof {
        proof_dictionary: state.hashed_dictionary.clone(),
        proof_vector_size: setup_vector_size(setup),
        proof_version: state.hashed_version,
        proof_question: question.clone(),
        proof_claims: items,
        proof_tie: Some(RootTie { tie_parts: parts_of_state(state), tie_vectors: tied }),
    }
}
