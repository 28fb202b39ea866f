//! New commitments from a version's writes: C + Σ δ_i `[L_i(τ)]_1` for each vector, many vectors at
//! once.
//!
//! A vector that is new starts from the identity with all its slots as deltas, which is the same
//! sum as committing to it; so one rule serves single updates and bulk imports, and never sums over
//! more points than have changed.

use aardvark_algebra::Scalar;
use aardvark_algebra::integers::{u64_of_usize, usize_or_max};
use aardvark_algebra::parallel::prelude::*;
use aardvark_commitment::{Commitment, CommitmentUpdate, Scheme, VectorCommitment};
use aardvark_dictionary::array::Write;

use crate::error::ArchiveError;

/// Commitments that change, ascending by vector; `None` for vectors that no longer
/// exist.
pub(crate) type Changed = Vec<(u64, Option<Commitment>)>;

/// Vectors whose commitments are made together, between two reports of progress.
const BATCH: usize = 256;

/// The commitments after `writes`, ascending by position, on an array that then has `size` slots.
/// `now` gives the commitment of a vector before, the identity where there was none.
pub(crate) fn changed_commitments(
    scheme: &Scheme,
    writes: &[Write],
    size: u64,
    now: impl Fn(u64) -> Result<Commitment, ArchiveError>,
    mut progress: impl FnMut(u64, u64),
) -> Result<Changed, ArchiveError> {
    let vector_size = u64_of_usize(scheme.vector_size());
    let vector_of = |write: &Write| write.position / vector_size;
    let by_vector: Vec<&[Write]> = writes.chunk_by(|a, b| vector_of(a) == vector_of(b)).collect();
    let total = u64_of_usize(by_vector.len());
    let mut changed: Changed = Vec::with_capacity(by_vector.len());
    for batch in by_vector.chunks(BATCH) {
        progress(u64_of_usize(changed.len()), total);
        let vectors = batch.iter().map(|writes| {
            let vector = writes.first().map_or(0, vector_of);
            let kept = vector * vector_size < size;
            Ok((vector, kept.then(|| now(vector)).transpose()?))
        });
        let vectors: Vec<(u64, Option<Commitment>)> = vectors.collect::<Result<_, ArchiveError>>()?;
        let deltas: Vec<_> = batch.par_iter().map(|writes| deltas(writes, vector_size)).collect();
        let kept = vectors.iter().zip(&deltas);
        let updates: Vec<CommitmentUpdate> =
            kept.filter_map(|((_, now), deltas)| Some(((*now)?, deltas.as_slice()))).collect();
        let mut updated = scheme.update_commitments_in_bulk(&updates)?.into_iter();
        changed.extend(vectors.into_iter().map(|(vector, now)| (vector, now.and_then(|_| updated.next()))));
    }
    progress(total, total);
    Ok(changed)
}

/// How much the scalar at each written index changes.
fn deltas(writes: &[Write], vector_size: u64) -> Vec<(usize, Scalar)> {
    let indices = writes.iter().map(|write| usize_or_max(write.position % vector_size));
    indices.zip(Write::scalar_changes(writes)).collect()
}
