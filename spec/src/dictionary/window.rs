//! The window: what a validator keeps of the W latest versions, as undo.
//!
//! At version t the record of version u holds the writes of u, the number of slots before u, and
//! the commitments before u of the vectors written in u. Records stand oldest first; the last is
//! that of t. Notation as in docs/design.md: t and s are the current version and number of slots, v
//! a version up to t, p a position.

use crate::base::group::*;
use crate::dictionary::slot_map::*;
use crate::dictionary::vectors::*;
use crate::dictionary::writes::*;
use hacspec_lib::*;

/// The commitment of a vector before a version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreviousCommitment {
    /// The vector.
    pub previous_vector: usize,
    /// Its commitment; `None` when the vector did not exist.
    pub previous_commitment: Option<G1>,
}

/// What is kept of one version.
#[derive(Clone, Debug, Default)]
pub struct VersionRecord {
    /// The writes of the version.
    pub record_writes: Seq<Write>,
    /// The number of slots before the version.
    pub record_size: usize,
    /// The commitments before the version of the vectors written in it, in ascending order of
    /// vectors.
    pub record_commitments: Seq<PreviousCommitment>,
}

/// The records of the latest versions, oldest first.
pub type Window = Seq<VersionRecord>;

/// The place in the window of the record of version v + 1, if version v can still be asked for (v <
/// t).
pub fn record_after(kept: &Window, t: usize, v: usize) -> Option<usize> {
    if v < t && t - v <= kept.len() { Some(kept.len() - (t - v)) } else { None }
}

/// s_v, the number of slots at version v; `None` outside of the window.
pub fn size_at(kept: &Window, t: usize, s: usize, v: usize) -> Option<usize> {
    if v == t {
        Some(s)
    } else {
        match record_after(kept, t, v) {
            None => None,
            Some(i) => Some(kept[i].record_size),
        }
    }
}

/// One step of [`is_written`].
pub fn is_written_step(found: bool, write: &Write, p: usize) -> bool {
    found || write.write_position == p
}

/// Whether position `p` is among the writes.
pub fn is_written(writes: &Seq<Write>, p: usize) -> bool {
    let mut found = false;
    for i in 0..writes.len() {
        found = is_written_step(found, &writes[i], p);
    }
    found
}

/// One step of [`is_current`].
pub fn is_current_step(current: bool, record: &VersionRecord, p: usize) -> bool {
    current && !is_written(&record.record_writes, p)
}

/// Whether a claim of position `p` at version v is current at t: `p` was not written in v+1..=t.
pub fn is_current(kept: &Window, t: usize, v: usize, p: usize) -> bool {
    let start = match record_after(kept, t, v) {
        None => kept.len(),
        Some(oldest) => oldest,
    };
    let mut current = true;
    for i in start..kept.len() {
        current = is_current_step(current, &kept[i], p);
    }
    current
}

/// One step of [`commitment_before`].
pub fn commitment_before_step(commitment: Option<G1>, previous: &PreviousCommitment, vector: usize) -> Option<G1> {
    if previous.previous_vector == vector { previous.previous_commitment } else { commitment }
}

/// The commitment of a vector before a version, from the one after it.
pub fn commitment_before(record: &VersionRecord, vector: usize, after: Option<G1>) -> Option<G1> {
    let mut commitment = after;
    for i in 0..record.record_commitments.len() {
        commitment = commitment_before_step(commitment, &record.record_commitments[i], vector);
    }
    commitment
}

/// One step of [`commitment_at`]: undoes the record that is `i` before the last.
pub fn commitment_at_step(commitment: Option<G1>, kept: &Window, i: usize, vector: usize) -> Option<G1> {
    if i < kept.len() { commitment_before(&kept[kept.len() - 1 - i], vector, commitment) } else { commitment }
}

/// The commitment of a vector at the current version.
pub fn current_commitment(commitments_now: &Seq<G1>, vector: usize) -> Option<G1> {
    if vector < commitments_now.len() { Some(commitments_now[vector]) } else { None }
}

/// C_v of a vector: its commitment at version v; `None` when the vector did not exist at v.
pub fn commitment_at(kept: &Window, commitments_now: &Seq<G1>, t: usize, v: usize, vector: usize) -> Option<G1> {
    let undone = if v < t { t - v } else { 0 };
    let mut commitment = current_commitment(commitments_now, vector);
    for i in 0..undone {
        commitment = commitment_at_step(commitment, kept, i, vector);
    }
    commitment
}

/// One step of [`lay_window`].
pub fn lay_window_step(slots: SlotMap, record: &VersionRecord) -> SlotMap {
    lay_writes(slots, &record.record_writes)
}

/// The map with the window's writes laid over it, the latest on top.
pub fn lay_window(below: SlotMap, kept: &Window) -> SlotMap {
    let mut slots = below;
    for i in 0..kept.len() {
        slots = lay_window_step(slots, &kept[i]);
    }
    slots
}

/// Whether the last of the previous commitments is that of the vector.
pub fn last_is_vector(previous: &Seq<PreviousCommitment>, vector: usize) -> bool {
    previous.len() > 0 && previous[previous.len() - 1].previous_vector == vector
}

/// One step of [`previous_commitments`].
pub fn previous_commitments_step(
    previous: Seq<PreviousCommitment>,
    commitments_now: &Seq<G1>,
    n: usize,
    write: &Write,
) -> Seq<PreviousCommitment> {
    let vector = vector_of(write.write_position, n);
    if last_is_vector(&previous, vector) {
        previous
    } else {
        previous.push_owned(PreviousCommitment {
            previous_vector: vector,
            previous_commitment: current_commitment(commitments_now, vector),
        })
    }
}

/// The commitments, before the writes (in ascending order of positions), of the vectors that they
/// touch.
pub fn previous_commitments(commitments_now: &Seq<G1>, n: usize, writes: &Seq<Write>) -> Seq<PreviousCommitment> {
    let mut previous = Seq::<PreviousCommitment>::new(0);
    for i in 0..writes.len() {
        previous = previous_commitments_step(previous, commitments_now, n, &writes[i]);
    }
    previous
}

/// The window after one more version; at most `count` records remain.
pub fn slide(kept: &Window, count: usize, record: &VersionRecord) -> Window {
    let longer = kept.clone().push_owned(record.clone());
    if longer.len() > count { longer.slice(longer.len() - count, count) } else { longer }
}
