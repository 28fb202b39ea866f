//! Vectors: where a position lies, and the commitments of vectors now and at the versions of the
//! window (`aardvark_spec::dictionary::vectors`).

use aardvark_algebra::integers::usize_or_max;
use aardvark_algebra::parallel::prelude::*;
use aardvark_commitment::{Commitment, CommitmentUpdate, Scheme, VectorCommitment};

use crate::state::array::Write;
use crate::state::window::Window;

/// Where a claim's data lives: vector and index within it.
pub(crate) type Place = (u64, usize);

/// Vector and index of a position.
pub(crate) fn place_of(position: u64, vector_size: u64) -> Place {
    (position / vector_size, usize_or_max(position % vector_size))
}

/// The present commitment of a vector; `None` where it does not exist.
pub(crate) fn current_commitment(commitments: &[Commitment], vector: u64) -> Option<Commitment> {
    usize::try_from(vector).ok().and_then(|vector| commitments.get(vector)).copied()
}

/// The commitments that claims of the window's versions are verified against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownCommitments<'a> {
    pub(crate) vector_size: u64,
    pub(crate) window: &'a Window,
    /// One a vector, now.
    pub(crate) current: &'a [Commitment],
}

impl KnownCommitments<'_> {
    /// The commitment of a vector at a version of the window; `None` where it did not exist.
    pub(crate) fn at(&self, version: u64, vector: u64) -> Option<Commitment> {
        self.window.commitment_at(version, vector, current_commitment(self.current, vector))
    }

    /// The commitment that a claim of a version is verified against, and the index of its position.
    pub(crate) fn of_claim(&self, version: u64, position: u64) -> Option<(Commitment, usize)> {
        let (vector, index) = place_of(position, self.vector_size);
        self.at(version, vector).map(|commitment| (commitment, index))
    }
}

/// A block's writes, grouped by the vector that they change, ascending.
pub(crate) fn by_vector(writes: &[Write], vector_size: u64) -> Vec<(u64, &[Write])> {
    let vector = |write: &Write| write.position / vector_size;
    let groups = writes.chunk_by(|a, b| vector(a) == vector(b));
    groups.filter_map(|group| group.first().map(|first| (vector(first), group))).collect()
}

/// The commitments of the written vectors after a block that leaves `size` slots: each vector's
/// writes are one sum, and all sums share their work. `None` for vectors that no longer exist.
pub(crate) fn updated_commitments(
    scheme: &Scheme,
    vector_size: u64,
    commitments: &[Commitment],
    by_vector: &[(u64, &[Write])],
    size: u64,
) -> Vec<(u64, Option<Commitment>)> {
    let index = |position: u64| place_of(position, vector_size).1;
    // Vectors ascend, so those that no longer exist stand behind those that do.
    let remaining = by_vector.partition_point(|(vector, _)| vector * vector_size < size);
    let (changed, dropped) = by_vector.split_at(remaining);
    let deltas: Vec<Vec<_>> = changed
        .par_iter()
        .map(|(_, writes)| {
            writes.iter().map(|write| index(write.position)).zip(Write::scalar_changes(writes)).collect()
        })
        .collect();
    let now =
        changed.iter().map(|(vector, _)| current_commitment(commitments, *vector).unwrap_or_else(Commitment::identity));
    let updates: Vec<_> = now.zip(&deltas).map(|(now, deltas)| (now, deltas.as_slice())).collect();
    let updated = updated(scheme, &updates).into_iter().map(Some).chain(dropped.iter().map(|_| None));
    by_vector.iter().map(|(vector, _)| *vector).zip(updated).collect()
}

/// The commitments after some of their scalars change. Both causes of an error are excluded before
/// a block arrives: a validator is made only with a scheme that can commit
/// (`Validator::from_state`), and an index is a remainder by N.
#[expect(clippy::expect_used, reason = "a wrong commitment must never be carried on with")]
fn updated(scheme: &Scheme, updates: &[CommitmentUpdate]) -> Vec<Commitment> {
    scheme.update_commitments_many(updates).expect("a scheme that commits, and indices below N")
}
