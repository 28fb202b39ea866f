//! KZG on roots of unity.
//!
//! Public: `[τ^i]_1`, `[τ]_2`. A vector (m_i) is the polynomial p with p(ω^i) = m_i, of degree
//! below N; L_i are the Lagrange polynomials.
//!
//! - Commit: C = Σ m_i `[L_i(τ)]_1` = `[p(τ)]_1`.
//! - Open at i: π = `[q(τ)]_1` with q(X) = (p(X) - m_i) / (X - ω^i), through q's values on the
//!   domain (`quotient.rs`).
//! - Verify (`verifier.rs`): p(τ) - m_i = q(τ)(τ - ω^i), moved so that only G1 sees a scalar: e(C -
//!   m_i g1 + ω^i π, g2) = e(π, `[τ]_2`).
//! - Batch: the same equation for Σ ρ_j (…), still two Miller loops (`batch.rs`).
//! - Aggregation: one point an index instead of the openings (`aggregate.rs`).
//! - Updates: C + δ `[L_j(τ)]_1`; openings by `update.rs`.
//!
//! An opening is an ordinary KZG point proof at z = ω^i: any KZG verifier on the same ceremony
//! accepts it.

mod aggregate;
mod batch;
mod cache;
mod open_all;
mod quotient;
mod setup;
mod table_file;
mod table_plan;
mod tables;
mod update;
mod verifier;

use std::io;
use std::path::Path;

use aardvark_algebra::ff::Field;
use aardvark_algebra::parallel::prelude::*;
use aardvark_algebra::table::Term;
use aardvark_algebra::{Domain, G1Affine, G1Projective, G2Affine, Scalar, msm};

use crate::MAX_VECTOR_SIZE;
use crate::ceremony::Ceremony;
use crate::error::CommitmentError;
use crate::points::{Commitment, Opening};
use crate::sums::add_multiples;
use crate::vector_commitment::{
    BatchClaim, CommitmentUpdate, OpeningUpdate, VectorCommitment, check_index, check_length,
};
use quotient::Differences;
pub use table_file::TableFileError;
pub use tables::{DEFAULT_TABLE_BYTES, Tables};
use update::{Change, OwnKeys};
use verifier::VerifierKey;

/// KZG for vectors of N scalars, N a power of two in 1..=4096.
#[derive(Debug)]
pub struct Kzg {
    domain: Domain,
    setup_digest: [u8; 32],
    verifier: Box<VerifierKey>,
    prover: Option<Box<ProverKey>>,
}

/// What committing, opening and updating need beyond verifying.
#[derive(Debug)]
struct ProverKey {
    /// `[L_i(τ)]_1`, i < N.
    basis: Vec<G1Affine>,
    differences: Differences,
    /// Only updates of an opening at its own index need them: derived at the first.
    own_keys: OwnKeys,
    /// Only where they were asked for.
    tables: Option<Tables>,
}

impl Kzg {
    /// KZG on a ceremony, its Lagrange basis derived here: N log2(N) / 2 scalar multiplications (N
    /// = 1,024: 0.4 s on one core).
    pub fn new(ceremony: &Ceremony, vector_size: usize) -> Result<Self, CommitmentError> {
        let kzg = Self::verifier_on(ceremony, vector_size)?;
        let basis = setup::lagrange_basis(&kzg.domain, &ceremony.g1_powers(vector_size)?);
        Ok(kzg.with_basis(basis))
    }

    /// [`Kzg::new`] with the Lagrange basis kept in a file, so that the next start takes
    /// milliseconds.
    ///
    /// The file is **trusted** as what this program wrote: its checksum finds damage, not malice. A
    /// file that is damaged, or for another setup or N, is derived anew and replaced whole. Not
    /// being able to write it costs time at the next start, and is no error.
    pub fn with_cache(ceremony: &Ceremony, vector_size: usize, path: &Path) -> Result<Self, CommitmentError> {
        let kzg = Self::verifier_on(ceremony, vector_size)?;
        if let Some(basis) = cache::read(path, vector_size, &kzg.setup_digest) {
            return Ok(kzg.with_basis(basis));
        }
        let basis = setup::lagrange_basis(&kzg.domain, &ceremony.g1_powers(vector_size)?);
        let _unwritten_is_slower_only = cache::write(path, &basis, &kzg.setup_digest);
        Ok(kzg.with_basis(basis))
    }

    /// Whether a file is what [`Kzg::with_cache`] keeps of this scheme, byte for byte: for an
    /// audit, which derives the basis itself and believes no file. `None` where there is no file.
    ///
    /// # Errors
    /// What the system says where the file cannot be read; [`CommitmentError::VerifierOnly`]
    /// within, where there is no basis to compare.
    pub fn cache_agrees(&self, path: &Path) -> io::Result<Option<bool>> {
        let basis = self.lagrange_basis().ok_or_else(|| io::Error::other(CommitmentError::VerifierOnly))?;
        cache::agrees(path, basis, &self.setup_digest)
    }

    /// A verifier on the Ethereum ceremony: no basis, ready in under a millisecond. Committing,
    /// opening and updating answer [`CommitmentError::VerifierOnly`].
    pub fn verifier(vector_size: usize) -> Result<Self, CommitmentError> {
        Self::verifier_on(Ceremony::ethereum()?, vector_size)
    }

    fn verifier_on(ceremony: &Ceremony, vector_size: usize) -> Result<Self, CommitmentError> {
        Self::from_parameters(vector_size, ceremony.tau_g2(), *ceremony.digest())
    }

    /// The scheme with a given `[τ]_2`, for verifying.
    pub(crate) fn from_parameters(
        vector_size: usize,
        tau_g2: &G2Affine,
        setup_digest: [u8; 32],
    ) -> Result<Self, CommitmentError> {
        if vector_size > MAX_VECTOR_SIZE {
            return Err(CommitmentError::VectorSize(vector_size));
        }
        let domain = Domain::new(vector_size).map_err(|_| CommitmentError::VectorSize(vector_size))?;
        Ok(Self { domain, setup_digest, verifier: Box::new(VerifierKey::new(*tau_g2)), prover: None })
    }

    /// The scheme with a Lagrange basis of N points, for committing too.
    pub(crate) fn with_basis(self, basis: Vec<G1Affine>) -> Self {
        let differences = Differences::new(&self.domain);
        let prover = Some(Box::new(ProverKey { basis, differences, own_keys: OwnKeys::default(), tables: None }));
        Self { prover, ..self }
    }

    /// The same with tables of at most `budget` bytes ([`tables`](Tables)), on rayon's threads:
    /// committing, opening and above all updating become faster, and answer the same. Seconds of
    /// work and megabytes of memory, for processes that update for long; [`DEFAULT_TABLE_BYTES`] is
    /// the usual budget. A budget that is too small for any table builds none.
    pub fn with_tables(mut self, budget: usize) -> Result<Self, CommitmentError> {
        let prover = self.prover.as_mut().ok_or(CommitmentError::VerifierOnly)?;
        let (basis, own_keys) = (&prover.basis, &mut prover.own_keys);
        let own = || own_keys.prepare(&self.domain, basis).to_vec();
        prover.tables = Some(Tables::build(&prover.basis, own, budget));
        Ok(self)
    }

    /// Takes the tables that [`Kzg::save_tables`] wrote to a file for the same setup, N and budget,
    /// in the place of any that are there: a fraction of the time of [`Kzg::with_tables`], which is
    /// for the caller to use where this fails; nothing has changed then.
    ///
    /// The file is **trusted** as our own: its checksum finds damage, not malice.
    ///
    /// # Errors
    /// [`TableFileError`]: there is no such file, or it is damaged, or of another length, setup, N
    /// or budget.
    pub fn load_tables(&mut self, budget: usize, path: &Path) -> Result<(), TableFileError> {
        let prover = self.prover.as_mut().ok_or(CommitmentError::VerifierOnly)?;
        prover.tables = Some(Tables::load(path, prover.basis.len(), budget, &self.setup_digest)?);
        Ok(())
    }

    /// Writes the tables to a file, which is replaced whole; as many bytes as the tables have.
    ///
    /// # Errors
    /// [`TableFileError::NoTables`], or [`TableFileError::Io`].
    pub fn save_tables(&self, path: &Path) -> Result<(), TableFileError> {
        self.tables().ok_or(TableFileError::NoTables)?.save(path, &self.setup_digest)
    }

    /// The same with the lines of `[τ - ω^i]_2` kept from an index's first single verification on:
    /// each later one spares a scalar multiplication. At most N lists of 19,584 bytes (N = 1,024:
    /// 20 MB). Answers are the same; batches do not change.
    #[must_use]
    pub fn with_index_lines(mut self) -> Self {
        self.verifier.keep_index_lines(self.domain.size());
        self
    }

    /// The tables, if they were asked for.
    pub fn tables(&self) -> Option<&Tables> {
        self.prover.as_ref()?.tables.as_ref()
    }

    /// The domain: index i stands for ω^i, in natural order.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The Lagrange basis `[L_i(τ)]_1`, unless this is a verifier.
    pub fn lagrange_basis(&self) -> Option<&[G1Affine]> {
        self.prover.as_ref().map(|prover| prover.basis.as_slice())
    }

    fn prover(&self) -> Result<&ProverKey, CommitmentError> {
        self.prover.as_deref().ok_or(CommitmentError::VerifierOnly)
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
        let prover = self.prover()?;
        let indices = updates.iter().flat_map(|(_, deltas)| *deltas);
        indices.into_iter().try_for_each(|(index, _)| check_index(*index, self.vector_size()))?;
        let runs: Vec<(G1Affine, &[Term])> = updates.iter().map(|(c, deltas)| (*c.point(), *deltas)).collect();
        Ok(prover.add_multiples(&runs).into_iter().map(Commitment::from_point_unchecked).collect())
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
            .map(|(_, opened, deltas)| update::change(&self.domain, prover, *opened, deltas))
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

impl ProverKey {
    /// Σ k_i `[L_i(τ)]_1`.
    fn sum(&self, scalars: &[Scalar]) -> G1Projective {
        match self.tables.as_ref().and_then(|tables| tables.buckets.as_ref()) {
            Some(buckets) => buckets.msm(scalars),
            None => msm(&self.basis, scalars),
        }
    }

    /// start + Σ k_i `[L_i(τ)]_1` for every (start, terms).
    fn add_multiples(&self, runs: &[(G1Affine, &[Term])]) -> Vec<G1Affine> {
        match self.tables.as_ref().and_then(|tables| tables.basis.as_ref()) {
            Some(table) => table.add_multiples(runs),
            None => add_multiples(&self.basis, runs),
        }
    }

    /// start + Σ k_i u_i for every (start, terms).
    fn add_own_multiples(&self, domain: &Domain, runs: &[(G1Affine, &[Term])]) -> Vec<G1Affine> {
        match self.tables.as_ref().and_then(|tables| tables.own.as_ref()) {
            Some(table) => table.add_multiples(runs),
            None => add_multiples(self.own_keys.get(domain, &self.basis), runs),
        }
    }
}
