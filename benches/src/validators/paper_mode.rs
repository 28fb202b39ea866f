//! What the same block costs by the paper's method, in the same process: one pairing check a claim,
//! no batching, no tables.
//!
//! Only the group operations, which are nearly all of it: an operation verifies its claims from
//! bytes and updates a commitment for each slot it writes. Modify: one claim, one write; insert:
//! one and two; delete: two and three. Operations run in parallel, one after the other on each
//! thread.

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
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
    /// The commitment after each kind of update, computed from the whole changed vector.
    updated: Vec<Commitment>,
    verifications: usize,
    updates: usize,
}

impl PaperMode {
    /// The mode for one kind of operation, on vectors of N scalars.
    ///
    /// # Errors
    /// Where the method accepts a false claim.
    pub fn new(kind: Kind, vector_size: usize) -> Result<Self, BenchError> {
        let paper = Paper::new(vector_size);
        let vector: Vec<Scalar> = (0..vector_size as u64).map(scalar).collect();
        let claim = |number: usize| {
            let index = number * 5 % vector_size;
            let value = vector.get(index).copied().unwrap_or_default();
            (index, value, paper.open(&vector, index).to_bytes())
        };
        let claims: Vec<_> = (0..CLAIMS).map(claim).collect();
        let commitment = paper.commit(&vector);
        let (verifications, updates) = match kind {
            Kind::Modify => (1, 1),
            Kind::Insert => (1, 2),
            Kind::Delete => (2, 3),
        };
        let updated = (0..CLAIMS).map(|turn| {
            let mut changed = vector.clone();
            for (index, delta) in deltas(turn, updates, vector_size) {
                changed.get_mut(index).into_iter().for_each(|scalar| *scalar += delta);
            }
            paper.commit(&changed)
        });
        let updated = updated.collect();
        let mode = Self { paper, commitment, claims, updated, verifications, updates };
        let forged =
            mode.claims.iter().any(|(index, value, bytes)| mode.verifies(*index, &(value + Scalar::ONE), bytes));
        require(!forged, || "a false claim is accepted by the paper's method".to_owned())?;
        Ok(mode)
    }

    /// Does [`OPERATIONS`] operations, all of whose claims must verify.
    pub fn run(&self, pool: &ThreadPool) -> Result<Taken, BenchError> {
        let (right, taken) =
            timed(|| pool.install(|| (0..OPERATIONS).into_par_iter().all(|number| self.operation(number))));
        require(right, || "an honest operation comes out wrong by the paper's method".to_owned())?;
        Ok(taken)
    }

    /// Whether all of an operation's claims hold and its updates come to the right commitment.
    fn operation(&self, number: usize) -> bool {
        let turn = number % CLAIMS;
        let claims = self.claims.iter().cycle().skip(turn);
        let verified = claims.take(self.verifications).all(|(index, value, bytes)| self.verifies(*index, value, bytes));
        let mut deltas = deltas(turn, self.updates, self.paper.vector_size());
        let updated = deltas.try_fold(self.commitment, |commitment, (index, delta)| {
            self.paper.update_commitment(&commitment, index, &delta)
        });
        verified && updated.as_ref() == self.updated.get(turn)
    }

    fn verifies(&self, index: usize, value: &Scalar, bytes: &[u8; 48]) -> bool {
        let opening = Opening::from_bytes_strict(bytes);
        opening.is_ok_and(|opening| self.paper.verify(&self.commitment, index, value, &opening))
    }
}

/// What the operations of a turn add, and where.
fn deltas(turn: usize, updates: usize, vector_size: usize) -> impl Iterator<Item = (usize, Scalar)> {
    (turn..turn + updates).map(move |number| (number % vector_size, scalar(number as u64)))
}
