//! Phase 7: the content of a block's tail vectors (`aardvark_spec::tail`).

use aardvark_commitment::VectorCommitment;
use rayon::prelude::*;

use crate::block::TailVector;
use crate::rejection::Reason;
use crate::slot::Slot;
use crate::validator::Validator;

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
