//! The tail: the plaintext of the last slots, from which deletes move slots into freed positions.
//!
//! Validators keep the content of the positions from `tail_start`, a multiple of N, to the end. A
//! block that makes the array end below it carries the whole vectors that are lacking, the highest
//! first. Source: docs/format.md.

use crate::base::group::*;
use crate::block::rejection::*;
use crate::commitment::scheme::*;
use crate::dictionary::genesis::*;
use crate::dictionary::slot::*;
use crate::dictionary::slot_map::*;
use crate::dictionary::vectors::*;
use hacspec_lib::*;

/// The least tail start with `s` slots: one full vector of slack remains, N * max(0, s / N - 1).
pub fn tail_floor(s: usize, n: usize) -> usize {
    let full = s / n;
    if full > 0 { n * (full - 1) } else { 0 }
}

/// The number of tail vectors that a block must carry which leaves `s` slots.
pub fn tail_needed(start: usize, s: usize, n: usize) -> usize {
    if s < start { (start - s + n - 1) / n } else { 0 }
}

/// The tail start after a block that leaves `s` slots.
pub fn tail_start_after(start: usize, s: usize, n: usize) -> usize {
    let fallen = n * tail_needed(start, s, n);
    let lowered = if fallen <= start { start - fallen } else { 0 };
    let floor = tail_floor(s, n);
    if lowered < floor { floor } else { lowered }
}

/// The vector that item `i` of a block's tail must be; `None` when there is none.
pub fn tail_vector_number(start: usize, n: usize, i: usize) -> Option<usize> {
    let below = start / n;
    if i < below { Some(below - 1 - i) } else { None }
}

/// One step of [`lay_slots`].
pub fn lay_slots_step(laid: SlotMap, slot: &Slot, p: usize) -> SlotMap {
    put_slot(laid, p, Some(slot.clone()))
}

/// The map with consecutive slots laid over it, the first at position `start`.
pub fn lay_slots(below: SlotMap, start: usize, slots: &Seq<Slot>) -> SlotMap {
    let mut laid = below;
    for i in 0..slots.len() {
        laid = lay_slots_step(laid, &slots[i], start + i);
    }
    laid
}

/// The map with item `i` of a block's tail laid over it.
pub fn lay_tail_vector(below: SlotMap, start: usize, n: usize, vectors: &Seq<Seq<Slot>>, i: usize) -> SlotMap {
    match tail_vector_number(start, n, i) {
        None => below,
        Some(number) => lay_slots(below, number * n, &vectors[i]),
    }
}

/// The map with a block's tail vectors laid over it.
pub fn lay_tail_vectors(below: SlotMap, start: usize, n: usize, vectors: &Seq<Seq<Slot>>) -> SlotMap {
    let mut laid = below;
    for i in 0..vectors.len() {
        laid = lay_tail_vector(laid, start, n, vectors, i);
    }
    laid
}

/// One step of [`slots_from`].
pub fn slots_from_step(taken: Option<Seq<Slot>>, content: &Option<Slot>) -> Option<Seq<Slot>> {
    match taken {
        None => None,
        Some(taken_slots) => match content {
            None => None,
            Some(slot) => Some(taken_slots.push_owned(slot.clone())),
        },
    }
}

/// The slots at the positions from `start` to `stop`; `None` when one is not known.
pub fn slots_from(slots: &SlotMap, start: usize, stop: usize) -> Option<Seq<Slot>> {
    let mut taken = Some(Seq::<Slot>::new(0));
    for p in start..stop {
        taken = slots_from_step(taken, &slot_at(slots, p));
    }
    taken
}

/// Whether a slot's lengths are within the maxima.
pub fn slot_fits(p: &Parameters, slot: &Slot) -> bool {
    slot.key.len() <= p.max_key_length && slot.next.len() <= p.max_key_length && slot.value.len() <= p.max_value_length
}

/// One step of [`slots_fit`].
pub fn slots_fit_step(fit: bool, p: &Parameters, slot: &Slot) -> bool {
    fit && slot_fits(p, slot)
}

/// Whether the lengths of all slots are within the maxima.
pub fn slots_fit(p: &Parameters, slots: &Seq<Slot>) -> bool {
    let mut fit = true;
    for i in 0..slots.len() {
        fit = slots_fit_step(fit, p, &slots[i]);
    }
    fit
}

/// Whether the slots are exactly the content of the vector under its commitment.
pub fn vector_matches(setup: &Setup, n: usize, commitment: G1, slots: &Seq<Slot>) -> bool {
    let scalars = vector_scalars(&lay_slots(empty_slot_map(), 0, slots), n, 0);
    g1_equal(commit(setup, &scalars), commitment)
}

/// Checks item `i` of a block's tail: phase 7.
pub fn check_tail_vector(
    setup: &Setup,
    p: &Parameters,
    commitments_now: &Seq<G1>,
    start: usize,
    slots: &Seq<Slot>,
    i: usize,
) -> Result<(), Rejection> {
    match tail_vector_number(start, p.vector_size, i) {
        None => Err(reject_tail_vector(Reason::TailTooLong, i)),
        Some(number) => {
            if slots.len() != p.vector_size {
                Err(reject_tail_vector(Reason::TailVectorSize, i))
            } else if !slots_fit(p, slots) {
                Err(reject_tail_vector(Reason::TailSlotMalformed, i))
            } else if !vector_matches(setup, p.vector_size, g1_at(commitments_now, number), slots) {
                Err(reject_tail_vector(Reason::TailFalse, i))
            } else {
                Ok(())
            }
        }
    }
}

/// One step of [`check_tail_vectors`].
pub fn check_tail_vectors_step(
    checked: Result<(), Rejection>,
    setup: &Setup,
    p: &Parameters,
    commitments_now: &Seq<G1>,
    start: usize,
    slots: &Seq<Slot>,
    i: usize,
) -> Result<(), Rejection> {
    match checked {
        Err(rejection) => Err(rejection),
        Ok(()) => check_tail_vector(setup, p, commitments_now, start, slots, i),
    }
}

/// Checks the content of a block's tail vectors: phase 7. Whether their number is right is
/// phase 10.
pub fn check_tail_vectors(
    setup: &Setup,
    p: &Parameters,
    commitments_now: &Seq<G1>,
    start: usize,
    vectors: &Seq<Seq<Slot>>,
) -> Result<(), Rejection> {
    let mut checked = Ok(());
    for i in 0..vectors.len() {
        checked = check_tail_vectors_step(checked, setup, p, commitments_now, start, &vectors[i], i);
    }
    checked
}

/// One step of [`slots_length`].
pub fn slots_length_step(total: usize, slot: &Slot) -> usize {
    total + slot_bytes_length(slot)
}

/// The length of the encoded slots, in bytes.
pub fn slots_length(slots: &Seq<Slot>) -> usize {
    let mut total = 0;
    for i in 0..slots.len() {
        total = slots_length_step(total, &slots[i]);
    }
    total
}

/// One step of [`vectors_length`].
pub fn vectors_length_step(total: usize, slots: &Seq<Slot>) -> usize {
    total + slots_length(slots)
}

/// The length of the encoded tail vectors, in bytes.
pub fn vectors_length(vectors: &Seq<Seq<Slot>>) -> usize {
    let mut total = 0;
    for i in 0..vectors.len() {
        total = vectors_length_step(total, &vectors[i]);
    }
    total
}
