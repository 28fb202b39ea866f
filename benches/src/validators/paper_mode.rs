//! What the same block costs by the paper's method, in the same process: one pairing check a claim, no batching, no tables.
//!
//! Only the group operations, which are nearly all of it: an operation verifies its claims from bytes and updates a commitment for each slot it writes. Modify: one
//! claim, one write; insert: one and two; delete: two and three. Operations run in parallel, one after the other on each thread.

use aardvark_algebra::Scalar;
use aardvark_commitment::{Commitment, Opening};
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::error::{BenchError, require};
use crate::measure::clock::{Taken, timed};
use crate::paper::Paper;
use crate::workload::plan::Kind;
use crate::workload::random::scalar;

/// Operations of one run.
pub const OPERATIONS: usize = 100;
/// Different claims among them.
const CLAIMS: usize = 8;

/// A vector under the paper's scheme, with claims about it.
pub struct PaperMode {
    paper: Paper,
    commitment: Commitment,
    claims: Vec<(usize, Scalar, [u8; 48])>,
    verifications: usize,
    updates: usize,
}

impl PaperMode {
    /// The mode for one kind of operation, on vectors of N scalars.
    pub fn new(kind: Kind, vector_size: usize) -> Self {
        let paper = Paper::new(vector_size);
        let vector: Vec<Scalar> = (0..vector_size as u64).map(scalar).collect();
        let claim = |number: usize| {
            let index = number * 5 % vector_size;
            let value = vector.get(index).copied().unwrap_or_default();
            (index, value, paper.open(&vector, index).to_bytes())
        };
        let claims = (0..CLAIMS).map(claim).collect();
        let commitment = paper.commit(&vector);
        let (verifications, updates) = match kind {
            Kind::Modify => (1, 1),
            Kind::Insert => (1, 2),
            Kind::Delete => (2, 3),
        };
        Self { paper, commitment, claims, verifications, updates }
    }

    /// Does [`OPERATIONS`] operations, all of whose claims must verify.
    pub fn run(&self, pool: &ThreadPool) -> Result<Taken, BenchError> {
        let (right, taken) =
            timed(|| pool.install(|| (0..OPERATIONS).into_par_iter().all(|number| self.operation(number))));
        require(right, || "an honest claim is false by the paper's method".to_owned())?;
        Ok(taken)
    }

    fn operation(&self, number: usize) -> bool {
        let claims = self.claims.iter().cycle().skip(number % CLAIMS);
        let verified = claims.take(self.verifications).all(|(index, value, bytes)| {
            let opening = Opening::from_bytes_strict(bytes);
            opening.is_ok_and(|opening| self.paper.verify(&self.commitment, *index, value, &opening))
        });
        let deltas = (0..self.updates).map(|update| (number + update, scalar((number + update) as u64)));
        let updated = deltas.into_iter().try_fold(self.commitment, |commitment, (index, delta)| {
            self.paper.update_commitment(&commitment, index % self.paper.vector_size(), &delta)
        });
        verified && updated.is_some_and(|updated| updated != self.commitment)
    }
}
