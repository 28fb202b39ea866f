//! Sums and differences of pairs of points, many in step.

use blstrs::G1Affine;

use crate::affine::Slopes;
use crate::multiply::Threads;

/// Butterflies that one task takes.
const BUTTERFLIES: usize = 256;

/// (a, b) becomes (a + b, a - b) for all pairs.
pub(super) fn butterflies(pairs: &mut [[G1Affine; 2]], threads: Threads) {
    let all = vec![(); pairs.len()];
    threads.for_chunks(pairs, &all, BUTTERFLIES, |pairs, _| Slopes::new().butterflies(pairs));
}
