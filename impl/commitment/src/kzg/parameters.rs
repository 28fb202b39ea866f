//! The scheme and how it comes to be: on a ceremony or a given setup, for verifying only or for
//! committing too, with a cache of its basis, with tables.

use std::io;
use std::path::Path;

use aardvark_algebra::{Domain, G1Affine, G2Affine, PreparedLines};

use super::prover::{Basis, ProverKey};
use super::quotient::Differences;
use super::table_file::TableFileError;
use super::tables::Tables;
use super::verifier::VerifierKey;
use super::{cache, setup};
use crate::MAX_VECTOR_SIZE;
use crate::ceremony::Ceremony;
use crate::error::CommitmentError;

/// KZG for vectors of N scalars, N a power of two in 1..=4096.
#[derive(Debug)]
pub struct Kzg {
    pub(super) domain: Domain,
    pub(super) setup_digest: [u8; 32],
    pub(super) verifier: Box<VerifierKey>,
    prover: Option<Box<ProverKey>>,
}

impl Kzg {
    /// KZG on a ceremony, its Lagrange basis derived here: N log2(N) / 2 scalar multiplications (N
    /// = 1,024: 0.4 s on one core).
    pub fn new(ceremony: &Ceremony, vector_size: usize) -> Result<Self, CommitmentError> {
        let kzg = Self::verifier_on(ceremony, vector_size)?;
        let basis = setup::lagrange_basis(&kzg.domain, &ceremony.g1_powers(vector_size)?);
        Ok(kzg.with_basis(basis))
    }

    /// [`Kzg::new`] with the Lagrange basis kept in a file, so that the next start takes less than
    /// a millisecond, and its first sums less time (N = 1,024: 393 kB). Without the feature
    /// `threads` no file is read or written.
    ///
    /// The file is **trusted** as what this program wrote: its checksum finds damage, not malice. A
    /// file that is damaged, or for another setup or N, is derived anew and replaced whole. Not
    /// being able to write it costs time at the next start, and is no error.
    pub fn with_cache(ceremony: &Ceremony, vector_size: usize, path: &Path) -> Result<Self, CommitmentError> {
        let kzg = Self::verifier_on(ceremony, vector_size)?;
        if let Some(table) = cache::read(path, vector_size, &kzg.setup_digest) {
            return Ok(kzg.with_points(Basis::Split(table)));
        }
        let basis = setup::lagrange_basis(&kzg.domain, &ceremony.g1_powers(vector_size)?);
        let kept = cache::keep(path, &basis, &kzg.setup_digest);
        Ok(kzg.with_points(kept.map_or(Basis::Alone(basis), Basis::Split)))
    }

    /// Whether a file begins as those that [`Kzg::with_cache`] reads do: a process that finds it
    /// there is likely to have its scheme in less than a millisecond.
    pub fn is_cache(path: &Path) -> bool {
        cache::has_format(path)
    }

    /// Whether a file is what [`Kzg::with_cache`] keeps of this scheme, byte for byte: for an
    /// audit, which derives the basis itself and believes no file. `None` where there is no file,
    /// or one of another format, which is not read.
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

    /// The lines of the generator of G2 and of `[τ]_2`, for those whose own equations stand on the
    /// same setup.
    pub fn lines(&self) -> [&PreparedLines; 2] {
        self.verifier.lines()
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
        self.with_points(Basis::Alone(basis))
    }

    fn with_points(self, basis: Basis) -> Self {
        Self { prover: Some(Box::new(ProverKey::new(basis, Differences::new(&self.domain)))), ..self }
    }

    /// The same with tables of at most `budget` bytes ([`tables`](Tables)), on rayon's threads:
    /// committing, opening and above all updating become faster, and answer the same. Seconds of
    /// work and megabytes of memory, for processes that update for long;
    /// [`DEFAULT_TABLE_BYTES`](super::DEFAULT_TABLE_BYTES) is the usual budget. A budget that is
    /// too small for any table builds none.
    pub fn with_tables(mut self, budget: usize) -> Result<Self, CommitmentError> {
        let prover = self.prover.as_mut().ok_or(CommitmentError::VerifierOnly)?;
        let (basis, own_keys) = (prover.basis.points(), &mut prover.own_keys);
        let own = || own_keys.prepare(&self.domain, basis).to_vec();
        prover.tables = Some(Tables::build(basis, own, budget));
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
        prover.tables = Some(Tables::load(path, prover.basis.points().len(), budget, &self.setup_digest)?);
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
        self.prover.as_ref().map(|prover| prover.basis.points())
    }

    pub(super) fn prover(&self) -> Result<&ProverKey, CommitmentError> {
        self.prover.as_deref().ok_or(CommitmentError::VerifierOnly)
    }
}
