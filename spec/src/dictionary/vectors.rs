//! Vectors of slots: which vector a position lies in, the scalars of a vector, and its commitment.

use crate::base::group::*;
use crate::base::scalar::*;
use crate::commitment::scheme::*;
use crate::dictionary::array::*;
use crate::dictionary::slot::*;
use crate::dictionary::slot_map::*;
use crate::dictionary::writes::*;
use hacspec_lib::*;

/// The vector of a position.
pub fn vector_of(p: usize, n: usize) -> usize {
    p / n
}

/// The index of a position within its vector.
pub fn index_of(p: usize, n: usize) -> usize {
    p % n
}

/// The number of vectors that hold `s` slots.
pub fn vector_count(s: usize, n: usize) -> usize {
    (s + n - 1) / n
}

/// One step of [`vector_scalars`].
pub fn vector_scalars_step(scalars: Seq<Scalar>, slots: &SlotMap, p: usize) -> Seq<Scalar> {
    scalars.push_owned(scalar_of_content(&slot_at(slots, p)))
}

/// The `n` scalars of a vector; unused positions are 0.
pub fn vector_scalars(slots: &SlotMap, n: usize, vector: usize) -> Seq<Scalar> {
    let mut scalars = Seq::<Scalar>::new(0);
    for p in vector * n..vector * n + n {
        scalars = vector_scalars_step(scalars, slots, p);
    }
    scalars
}

/// One step of [`array_commitments`].
pub fn array_commitments_step(committed: Seq<G1>, setup: &Setup, slots: &SlotMap, n: usize, vector: usize) -> Seq<G1> {
    committed.push_owned(commit(setup, &vector_scalars(slots, n, vector)))
}

/// The commitments to all vectors of a whole array.
pub fn array_commitments(setup: &Setup, n: usize, array: &Array) -> Seq<G1> {
    let mut committed = Seq::<G1>::new(0);
    for vector in 0..vector_count(array.array_size, n) {
        committed = array_commitments_step(committed, setup, &array.array_slots, n, vector);
    }
    committed
}

/// One step of [`updated_commitments`]: the commitment of the write's vector moves by the
/// difference of the scalars.
pub fn updated_commitments_step(updated: Seq<G1>, setup: &Setup, n: usize, before: &SlotMap, write: &Write) -> Seq<G1> {
    let vector = vector_of(write.write_position, n);
    let old = scalar_of_content(&slot_at(before, write.write_position));
    let delta = scalar_of_content(&write.write_content) - old;
    let moved = update_commitment(setup, g1_at(&updated, vector), index_of(write.write_position, n), delta);
    g1_updated(&updated, vector, moved)
}

/// The commitments after writes. The vectors of both versions take part, new ones from 0 on; those
/// that hold no slot afterwards are dropped.
pub fn updated_commitments(
    setup: &Setup,
    n: usize,
    old: &Seq<G1>,
    before: &SlotMap,
    writes: &Seq<Write>,
    new_size: usize,
) -> Seq<G1> {
    let kept = vector_count(new_size, n);
    let widest = if old.len() < kept { kept } else { old.len() };
    let mut updated = g1_resized(old, widest);
    for i in 0..writes.len() {
        updated = updated_commitments_step(updated, setup, n, before, &writes[i]);
    }
    g1_resized(&updated, kept)
}
