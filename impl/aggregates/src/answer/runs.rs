//! The runs of a box, and what is claimed of their commitments.

use aardvark_algebra::ff::Field;
use aardvark_algebra::{G1Affine, Scalar};

use crate::fold::CombinedClaim;
use crate::record::Head;

/// The most runs of an answer.
pub const MAX_RUNS: usize = 65_536;
/// A box has fewer rows.
pub(super) const MAX_ROWS: u64 = 1 << 40;

/// A run of a box.
#[derive(Clone, Debug)]
pub(super) struct BoxRun {
    /// The key columns, encoded.
    pub(super) columns: Vec<u8>,
    /// The number of the run among those of its key.
    pub(super) run: u32,
    /// Its head.
    pub(super) head: Head,
}

/// What is claimed of the runs' commitments.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    /// The commitments.
    pub(super) points: Vec<G1Affine>,
    /// The claims.
    pub(super) claims: Vec<CombinedClaim>,
    /// s3 of each comparison, which the fold's seed binds.
    pub(super) seeds: Vec<[u8; 32]>,
}

impl Claims {
    /// One more: the polynomial under the sum of these commitments has a value at a point.
    pub(super) fn push(&mut self, commitments: &[G1Affine], point: Scalar, value: Scalar) {
        let terms = (0..commitments.len()).map(|i| (self.points.len() + i, Scalar::ONE)).collect();
        self.points.extend(commitments);
        self.claims.push(CombinedClaim { terms, point, value });
    }
}
