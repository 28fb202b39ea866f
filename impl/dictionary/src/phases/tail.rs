//! Phase 7: the number of a block's tail vectors, as far as it can be bounded, and their content (`aardvark_spec::block::tail`,
//! `aardvark_spec::block::phases::phase_tail_number`).

use aardvark_commitment::VectorCommitment;
use rayon::prelude::*;

use crate::data::block::{Block, TailVector};
use crate::data::operation::Operation;
use crate::data::rejection::{Item, Reason, Rejection};
use crate::data::slot::Slot;
use crate::state::tail::tail_vectors_needed;
use crate::validator::Validator;

/// Checks that there are no more tail vectors than lie below the tail, and than the block's deletes can make necessary. A
/// commitment costs milliseconds to recompute, so this comes before any is.
pub(crate) fn check_tail_number(validator: &Validator, block: &Block) -> Result<(), Rejection> {
    let (start, vector_size) = (validator.tail.start(), validator.parameters.positions_per_vector());
    let operations = block.transactions.iter().flat_map(|transaction| &transaction.operations);
    let deletes = operations.filter(|operation| matches!(operation, Operation::Delete(_))).count();
    let least = validator.size.saturating_sub(u64::try_from(deletes).unwrap_or(u64::MAX));
    let carried = u64::try_from(block.tail_vectors.len()).unwrap_or(u64::MAX);
    let below = start / vector_size;
    if carried > below {
        let index = usize::try_from(below).unwrap_or(usize::MAX);
        return Err(Rejection::of_block(Reason::TailTooLong, Item::TailVector(index)));
    }
    if carried > tail_vectors_needed(start, least, vector_size) {
        return Err(Rejection::of_block(Reason::TailSuperfluous, Item::Whole));
    }
    Ok(())
}

/// Checks that vector i is the i-th whole vector below the tail, by recomputing its commitment. Names the lowest
/// that is not.
pub(crate) fn check_tail_vectors(validator: &Validator, vectors: &[TailVector]) -> Result<(), (usize, Reason)> {
    let fault = vectors.par_iter().enumerate().find_map_first(|(index, vector)| {
        check_tail_vector(validator, index, vector).err().map(|reason| (index, reason))
    });
    fault.map_or(Ok(()), Err)
}

fn check_tail_vector(validator: &Validator, index: usize, slots: &[Slot]) -> Result<(), Reason> {
    let parameters = &validator.parameters;
    let above = validator.tail.start() / parameters.positions_per_vector();
    let below = u64::try_from(index).unwrap_or(u64::MAX).saturating_add(1);
    let vector = above.checked_sub(below).ok_or(Reason::TailTooLong)?;
    if slots.len() != validator.scheme.vector_size() {
        return Err(Reason::TailVectorSize);
    }
    let key = usize::from(parameters.max_key_length);
    let value = usize::from(parameters.max_value_length);
    if slots.iter().any(|slot| slot.key.len() > key || slot.next.len() > key || slot.value.len() > value) {
        return Err(Reason::TailSlotMalformed);
    }
    let scalars: Vec<_> = slots.iter().map(Slot::scalar).collect();
    let commitment = validator.scheme.commit(&scalars).ok();
    match commitment.is_some() && commitment == validator.commitment_at(validator.version, vector) {
        true => Ok(()),
        false => Err(Reason::TailFalse),
    }
}
