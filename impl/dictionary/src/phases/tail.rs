//! Phases 7 and 10: a block's tail vectors, their number and their content
//! (`aardvark_spec::block::tail`, `aardvark_spec::block::phases::phase_tail`).

use std::cmp::Ordering;

use aardvark_algebra::integers::{u64_of_usize, usize_or_max};
use aardvark_algebra::parallel::prelude::*;
use aardvark_commitment::{Scheme, VectorCommitment};

use crate::data::block::{Block, TailVector};
use crate::data::operation::Operation;
use crate::data::rejection::{Item, Reason, Rejection};
use crate::data::slot::Slot;
use crate::state::tail::{BelowTail, tail_needed};
use crate::state::vectors::current_commitment;

/// Phase 7: the number of tail vectors, as far as it can be bounded, and their content. `size` is
/// the number of slots before the block.
pub(crate) fn phase_tail<O>(
    scheme: &Scheme,
    below: BelowTail<'_>,
    size: u64,
    block: &Block<O>,
) -> Result<(), Rejection> {
    phase_tail_number(below, size, block)?;
    check_tail_vectors(scheme, below, &block.tail_vectors)
        .map_err(|(index, reason)| Rejection::of_block(reason, Item::TailVector(index)))
}

/// Checks that there are no more tail vectors than lie below the tail, and than the block's deletes
/// can make necessary. A commitment costs milliseconds to recompute, so this comes before any is.
fn phase_tail_number<O>(below: BelowTail<'_>, size: u64, block: &Block<O>) -> Result<(), Rejection> {
    let vector_size = below.parameters.positions_per_vector();
    let operations = block.transactions.iter().flat_map(|transaction| &transaction.operations);
    let deletes = operations.filter(|operation| matches!(operation, Operation::Delete(_))).count();
    let least = size.saturating_sub(u64_of_usize(deletes));
    let carried = u64_of_usize(block.tail_vectors.len());
    let vectors_below = below.start / vector_size;
    if carried > vectors_below {
        let index = usize_or_max(vectors_below);
        return Err(Rejection::of_block(Reason::TailTooLong, Item::TailVector(index)));
    }
    if carried > tail_needed(below.start, least, vector_size) {
        return Err(Rejection::of_block(Reason::TailSuperfluous, Item::Whole));
    }
    Ok(())
}

/// Checks that vector i is the i-th whole vector below the tail, by recomputing its commitment.
/// Names the lowest that is not.
pub(crate) fn check_tail_vectors(
    scheme: &Scheme,
    below: BelowTail<'_>,
    vectors: &[TailVector],
) -> Result<(), (usize, Reason)> {
    let fault = vectors.par_iter().enumerate().find_map_first(|(index, vector)| {
        check_tail_vector(scheme, below, index, vector).err().map(|reason| (index, reason))
    });
    fault.map_or(Ok(()), Err)
}

fn check_tail_vector(scheme: &Scheme, below: BelowTail<'_>, index: usize, slots: &[Slot]) -> Result<(), Reason> {
    let BelowTail { parameters, commitments, start } = below;
    let number = u64_of_usize(index).saturating_add(1);
    let vector = (start / parameters.positions_per_vector()).checked_sub(number).ok_or(Reason::TailTooLong)?;
    if slots.len() != scheme.vector_size() {
        return Err(Reason::TailVectorSize);
    }
    let key = usize::from(parameters.max_key_length);
    let value = usize::from(parameters.max_value_length);
    if slots.iter().any(|slot| slot.key.len() > key || slot.next.len() > key || slot.value.len() > value) {
        return Err(Reason::TailSlotMalformed);
    }
    let scalars = Slot::scalars(slots);
    let commitment = scheme.commit(&scalars).ok();
    match commitment.is_some() && commitment == current_commitment(commitments, vector) {
        true => Ok(()),
        false => Err(Reason::TailFalse),
    }
}

/// Phase 10: the number of tail vectors, for a block that leaves `size` slots.
pub(crate) fn phase_tail_count(
    start: u64,
    vector_size: u64,
    tail_vectors: &[TailVector],
    size: u64,
) -> Result<(), Rejection> {
    let needed = tail_needed(start, size, vector_size);
    let carried = u64_of_usize(tail_vectors.len());
    match carried.cmp(&needed) {
        Ordering::Less => Err(Rejection::of_block(Reason::TailMissing, Item::Whole)),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(Rejection::of_block(Reason::TailSuperfluous, Item::Whole)),
    }
}

/// The slots of tail vectors with their positions.
pub(crate) fn carried_slots(start: u64, vector_size: u64, tail_vectors: &[TailVector]) -> Vec<(u64, Slot)> {
    let starts = (1..).map(|below: u64| start.saturating_sub(below.saturating_mul(vector_size)));
    let vectors = starts.zip(tail_vectors);
    vectors.flat_map(|(start, vector)| (start..).zip(vector.iter().cloned())).collect()
}
