//! KZG on roots of unity.
//!
//! Public: `[τ^i]_1`, `[τ]_2`. A vector (m_i) is the polynomial p with p(ω^i) = m_i, of degree
//! below N; L_i are the Lagrange polynomials.
//!
//! - Commit: C = Σ m_i `[L_i(τ)]_1` = `[p(τ)]_1`.
//! - Open at i: π = `[q(τ)]_1` with q(X) = (p(X) - m_i) / (X - ω^i), through q's values on the
//!   domain (`quotient.rs`); with tables, where a quarter of the vector or more is unused, by its
//!   scalars alone, as changes of a vector of zeros (`update.rs`).
//! - Verify (`verifier.rs`): p(τ) - m_i = q(τ)(τ - ω^i), moved so that only G1 sees a scalar: e(C -
//!   m_i g1 + ω^i π, g2) = e(π, `[τ]_2`).
//! - Batch: the same equation for Σ ρ_j (…), still two Miller loops (`batch.rs`).
//! - Aggregation: one point an index instead of the openings (`aggregate.rs`).
//! - Folding: two points instead of all openings (`folded.rs`).
//! - Updates: C + δ `[L_j(τ)]_1`; openings by `update.rs`.
//!
//! [`Kzg`] itself, and how it comes to be, is in `parameters.rs`; what committing, opening and
//! updating need in `prover.rs`.
//!
//! An opening is an ordinary KZG point proof at z = ω^i: any KZG verifier on the same ceremony
//! accepts it.

mod aggregate;
mod batch;
#[cfg_attr(not(feature = "threads"), path = "no_cache.rs")]
mod cache;
mod folded;
mod open_all;
mod parameters;
mod prover;
mod quotient;
mod replaced_file;
mod setup;
mod table_file;
mod table_plan;
mod tables;
mod update;
mod verifier;

use aardvark_algebra::ff::Field;
use aardvark_algebra::parallel::prelude::*;
use aardvark_algebra::table::Term;
use aardvark_algebra::{G1Affine, Scalar};

use crate::error::CommitmentError;
use crate::points::{Commitment, Opening};
use crate::vector_commitment::{
    BatchClaim, CommitmentUpdate, OpeningUpdate, VectorCommitment, check_index, check_length,
};
pub use parameters::Kzg;
use prover::ProverKey;
pub use quotient::Differences;
pub use table_file::TableFileError;
pub use tables::{DEFAULT_TABLE_BYTES, Tables};
use update::Change;
pub use update::own_keys;

impl Kzg {
    /// Commitments after their deltas, by one of the prover key's ways to sum.
    fn updated(
        &self,
        updates: &[CommitmentUpdate],
        sums: impl Fn(&ProverKey, &[(G1Affine, &[Term])]) -> Vec<G1Affine>,
    ) -> Result<Vec<Commitment>, CommitmentError> {
        let prover = self.prover()?;
        let indices = updates.iter().flat_map(|(_, deltas)| *deltas);
        indices.into_iter().try_for_each(|(index, _)| check_index(*index, self.vector_size()))?;
        let runs: Vec<(G1Affine, &[Term])> = updates.iter().map(|(c, deltas)| (*c.point(), *deltas)).collect();
        Ok(sums(prover, &runs).into_iter().map(Commitment::from_point_unchecked).collect())
    }
}

impl VectorCommitment for Kzg {
    fn vector_size(&self) -> usize {
        self.domain.size()
    }

    fn setup_digest(&self) -> [u8; 32] {
        self.setup_digest
    }

    fn commit(&self, scalars: &[Scalar]) -> Result<Commitment, CommitmentError> {
        let prover = self.prover()?;
        check_length(scalars, self.vector_size())?;
        Ok(Commitment::from_point_unchecked(prover.sum(scalars)))
    }

    fn open(&self, scalars: &[Scalar], index: usize) -> Result<Opening, CommitmentError> {
        let prover = self.prover()?;
        check_length(scalars, self.vector_size())?;
        check_index(index, self.vector_size())?;
        if prover.opens_by_terms(scalars.len()) {
            // The opening of zeros is the identity, and follows the scalars as changes.
            let changes: Vec<Term> = scalars.iter().copied().enumerate().collect();
            return self.update_opening_many(&Opening::identity(), index, &changes);
        }
        let values = prover.differences.quotient(&self.domain, scalars, index);
        Ok(Opening::from_point_unchecked(prover.sum(&values)))
    }

    fn open_all(&self, scalars: &[Scalar]) -> Result<Vec<Opening>, CommitmentError> {
        let prover = self.prover()?;
        check_length(scalars, self.vector_size())?;
        Ok(open_all::open_all(&self.domain, prover, scalars).into_iter().map(Opening::from_point_unchecked).collect())
    }

    fn open_many(&self, scalars: &[Scalar], indices: &[usize]) -> Result<Vec<Opening>, CommitmentError> {
        indices.iter().try_for_each(|index| check_index(*index, self.vector_size()))?;
        if indices.len() <= open_all::break_even(self.vector_size()) {
            return indices.par_iter().map(|index| self.open(scalars, *index)).collect();
        }
        let all = self.open_all(scalars)?;
        Ok(indices.iter().filter_map(|index| all.get(*index).copied()).collect())
    }

    fn verify(&self, commitment: &Commitment, index: usize, scalar: &Scalar, opening: &Opening) -> bool {
        index < self.vector_size() && self.verifier.verify(&self.domain, commitment, index, scalar, opening)
    }

    fn verify_batch(&self, context: &[u8], claims: &[BatchClaim]) -> bool {
        batch::verify(self, context, claims)
    }

    fn find_false(&self, context: &[u8], claims: &[BatchClaim]) -> Vec<usize> {
        let ends: Vec<usize> = (1..=claims.len()).collect();
        self.false_groups(context, claims, &ends)
    }

    fn first_false(&self, context: &[u8], claims: &[BatchClaim]) -> Option<usize> {
        let ends: Vec<usize> = (1..=claims.len()).collect();
        batch::false_groups(self, context, claims, &ends, 1).first().copied()
    }

    fn false_groups(&self, context: &[u8], claims: &[BatchClaim], ends: &[usize]) -> Vec<usize> {
        batch::false_groups(self, context, claims, ends, usize::MAX)
    }

    fn update_commitments_many(&self, updates: &[CommitmentUpdate]) -> Result<Vec<Commitment>, CommitmentError> {
        self.updated(updates, ProverKey::add_multiples)
    }

    fn update_commitments_in_bulk(&self, updates: &[CommitmentUpdate]) -> Result<Vec<Commitment>, CommitmentError> {
        self.updated(updates, ProverKey::add_multiples_in_bulk)
    }

    fn update_commitment_many(
        &self,
        commitment: &Commitment,
        deltas: &[(usize, Scalar)],
    ) -> Result<Commitment, CommitmentError> {
        let updated = self.update_commitments_many(&[(*commitment, deltas)])?;
        Ok(updated.first().copied().unwrap_or(*commitment))
    }

    fn update_openings_many(&self, updates: &[OpeningUpdate]) -> Result<Vec<Opening>, CommitmentError> {
        let prover = self.prover()?;
        for (_, opened, deltas) in updates {
            check_index(*opened, self.vector_size())?;
            deltas.iter().try_for_each(|(changed, _)| check_index(*changed, self.vector_size()))?;
        }
        let changes: Vec<Change> = updates
            .par_iter()
            .map(|(_, opened, deltas)| update::change(&self.domain, &prover.differences, *opened, deltas))
            .collect();
        let starts = self.add_own(prover, updates, &changes);
        let runs: Vec<(G1Affine, &[Term])> =
            starts.into_iter().zip(&changes).map(|(start, change)| (start, change.basis.as_slice())).collect();
        Ok(prover.add_multiples(&runs).into_iter().map(Opening::from_point_unchecked).collect())
    }

    fn update_opening_many(
        &self,
        opening: &Opening,
        opened_index: usize,
        deltas: &[(usize, Scalar)],
    ) -> Result<Opening, CommitmentError> {
        let updated = self.update_openings_many(&[(*opening, opened_index, deltas)])?;
        Ok(updated.first().copied().unwrap_or(*opening))
    }

    fn update_opening(
        &self,
        opening: &Opening,
        opened_index: usize,
        changed_index: usize,
        delta: &Scalar,
    ) -> Result<Opening, CommitmentError> {
        self.update_opening_many(opening, opened_index, &[(changed_index, *delta)])
    }
}

impl Kzg {
    /// π + δ_i u_i for every opening, where δ_i ≠ 0.
    #[allow(clippy::indexing_slicing, reason = "there is one change and one point for each update")]
    fn add_own(&self, prover: &ProverKey, updates: &[OpeningUpdate], changes: &[Change]) -> Vec<G1Affine> {
        let mut points: Vec<G1Affine> = updates.iter().map(|(opening, _, _)| *opening.point()).collect();
        let changed = |i: &usize| !bool::from(changes[*i].own.is_zero());
        let own: Vec<usize> = (0..changes.len()).filter(changed).collect();
        let terms: Vec<Term> = own.iter().map(|i| (updates[*i].1, changes[*i].own)).collect();
        let runs: Vec<(G1Affine, &[Term])> =
            own.iter().zip(terms.chunks(1)).map(|(i, term)| (points[*i], term)).collect();
        if runs.is_empty() {
            return points;
        }
        let sums = prover.add_own_multiples(&self.domain, &runs);
        own.into_iter().zip(sums).for_each(|(i, sum)| points[i] = sum);
        points
    }
}
