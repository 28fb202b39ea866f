//! KZG on roots of unity.
//!
//! Public: `[τ^i]_1`, `[τ]_2`. A vector (m_i) is the polynomial p with p(ω^i) = m_i, of degree below N; L_i are the Lagrange polynomials.
//!
//! - Commit: C = Σ m_i `[L_i(τ)]_1` = `[p(τ)]_1`.
//! - Open at i: π = `[q(τ)]_1` with q(X) = (p(X) - m_i) / (X - ω^i), through q's values on the domain (`quotient.rs`).
//! - Verify: p(τ) - m_i = q(τ)(τ - ω^i), moved so that only G1 sees a scalar: e(C - m_i g1 + ω^i π, g2) = e(π, `[τ]_2`).
//! - Batch: the same equation for Σ ρ_j (…), still two Miller loops (`batch.rs`).
//! - Aggregation: one point an index instead of the openings (`aggregate.rs`).
//! - Updates: C + δ `[L_j(τ)]_1`; openings by `update.rs`.
//!
//! An opening is an ordinary KZG point proof at z = ω^i: any KZG verifier on the same ceremony accepts it.

mod aggregate;
mod batch;
mod cache;
mod quotient;
mod setup;
mod update;

use std::path::Path;

use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{Domain, G1Affine, G1Projective, G2Affine, G2Prepared, Scalar, msm, pairings_equal};
use rayon::prelude::*;

use crate::MAX_VECTOR_SIZE;
use crate::ceremony::Ceremony;
use crate::error::CommitmentError;
use crate::points::{Commitment, Opening};
use crate::sums::add_multiples;
use crate::vector_commitment::{BatchClaim, VectorCommitment, check_index, check_length};
use quotient::Differences;
use update::UpdateKeys;

/// KZG for vectors of N scalars, N a power of two in 1..=4096.
#[derive(Debug)]
pub struct Kzg {
    domain: Domain,
    setup_digest: [u8; 32],
    generator_g2: G2Prepared,
    tau_g2: G2Prepared,
    prover: Option<ProverKey>,
}

/// What committing, opening and updating need beyond verifying.
#[derive(Debug)]
struct ProverKey {
    /// `[L_i(τ)]_1`, i < N.
    basis: Vec<G1Affine>,
    differences: Differences,
    /// Only `update_opening` needs them: derived at its first calls.
    update_keys: UpdateKeys,
}

impl Kzg {
    /// KZG on a ceremony, its Lagrange basis derived here: N log2(N) / 2 scalar multiplications (N = 1,024: 0.4 s on one core).
    pub fn new(ceremony: &Ceremony, vector_size: usize) -> Result<Self, CommitmentError> {
        let kzg = Self::verifier_on(ceremony, vector_size)?;
        let basis = setup::lagrange_basis(&kzg.domain, &ceremony.g1_powers(vector_size)?);
        Ok(kzg.with_basis(basis))
    }

    /// [`Kzg::new`] with the Lagrange basis kept in a file, so that the next start takes milliseconds.
    ///
    /// The file is **trusted** as what this program wrote: its checksum finds damage, not malice. A file that is damaged, or for another setup or N, is
    /// derived anew and replaced whole. Not being able to write it costs time at the next start, and is no error.
    pub fn with_cache(ceremony: &Ceremony, vector_size: usize, path: &Path) -> Result<Self, CommitmentError> {
        let kzg = Self::verifier_on(ceremony, vector_size)?;
        if let Some(basis) = cache::read(path, vector_size, &kzg.setup_digest) {
            return Ok(kzg.with_basis(basis));
        }
        let basis = setup::lagrange_basis(&kzg.domain, &ceremony.g1_powers(vector_size)?);
        let _unwritten_is_slower_only = cache::write(path, &basis, &kzg.setup_digest);
        Ok(kzg.with_basis(basis))
    }

    /// A verifier on the Ethereum ceremony: no basis, ready in under a millisecond. Committing, opening and updating
    /// answer [`CommitmentError::VerifierOnly`].
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
        Ok(Self {
            domain,
            setup_digest,
            generator_g2: G2Prepared::from(G2Affine::generator()),
            tau_g2: G2Prepared::from(*tau_g2),
            prover: None,
        })
    }

    /// The scheme with a Lagrange basis of N points, for committing too.
    pub(crate) fn with_basis(self, basis: Vec<G1Affine>) -> Self {
        let prover =
            Some(ProverKey { basis, differences: Differences::new(&self.domain), update_keys: UpdateKeys::default() });
        Self { prover, ..self }
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
        self.prover.as_ref().ok_or(CommitmentError::VerifierOnly)
    }
}

impl VectorCommitment for Kzg {
    type Commitment = Commitment;
    type Opening = Opening;

    fn vector_size(&self) -> usize {
        self.domain.size()
    }

    fn setup_digest(&self) -> [u8; 32] {
        self.setup_digest
    }

    fn commit(&self, scalars: &[Scalar]) -> Result<Commitment, CommitmentError> {
        let prover = self.prover()?;
        check_length(scalars, self.vector_size())?;
        Ok(msm(&prover.basis, scalars).into())
    }

    fn open(&self, scalars: &[Scalar], index: usize) -> Result<Opening, CommitmentError> {
        let prover = self.prover()?;
        check_length(scalars, self.vector_size())?;
        check_index(index, self.vector_size())?;
        let values = prover.differences.quotient(&self.domain, scalars, index);
        Ok(msm(&prover.basis, &values).into())
    }

    fn open_all(&self, scalars: &[Scalar]) -> Result<Vec<Opening>, CommitmentError> {
        (0..self.vector_size()).into_par_iter().map(|index| self.open(scalars, index)).collect()
    }

    fn verify(&self, commitment: &Commitment, index: usize, scalar: &Scalar, opening: &Opening) -> bool {
        let Some(point) = self.domain.powers().get(index) else {
            return false;
        };
        // Outside the subgroup the product with ω^i is right up to torsion, which the pairing does not see.
        let left = opening.point() * point + commitment.point() - G1Affine::generator() * scalar;
        self.equation_holds(&left, opening.point())
    }

    fn verify_batch(&self, dictionary: &[u8; 32], claims: &[BatchClaim]) -> bool {
        batch::verify(self, dictionary, claims)
    }

    fn update_commitment_many(
        &self,
        commitment: &Commitment,
        deltas: &[(usize, Scalar)],
    ) -> Result<Commitment, CommitmentError> {
        let prover = self.prover()?;
        add_multiples(commitment, &prover.basis, deltas)
    }

    fn update_opening(
        &self,
        opening: &Opening,
        opened_index: usize,
        changed_index: usize,
        delta: &Scalar,
    ) -> Result<Opening, CommitmentError> {
        let prover = self.prover()?;
        check_index(opened_index, self.vector_size())?;
        check_index(changed_index, self.vector_size())?;
        let change = update::change(&self.domain, prover, (opened_index, changed_index), delta);
        Ok((change + opening.point()).into())
    }
}

impl Kzg {
    /// e(left, g2) = e(right, `[τ]_2`).
    fn equation_holds(&self, left: &G1Projective, right: &G1Affine) -> bool {
        pairings_equal(&left.to_affine(), &self.generator_g2, right, &self.tau_g2)
    }
}
