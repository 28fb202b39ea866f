//! Who makes the claims: an honest archive's commitments and openings, for a workload's setup.
//!
//! On the Ethereum ceremony an opening costs a multi-scalar multiplication of N points, and a
//! workload of 100,000 claims costs half an hour on one core. With a known tau it costs one
//! multiplication: π_i = ((p(τ) - m_i) / (τ - ω^i)) g1. The validator does exactly the same work on
//! both, and verifies all claims on both.

use std::sync::Arc;

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{Domain, G1Affine, Scalar};
use aardvark_commitment::{Ceremony, CommitmentError, Kzg, Opening, Scheme, VectorCommitment, insecure};
use clap::ValueEnum;

/// From this share of a vector on, all of its openings are made at once.
const ALL_AT_ONCE: usize = 8;

/// Where the public parameters come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Setup {
    /// The Ethereum ceremony.
    Ceremony,
    /// A secret known to this program: claims are quick to make, the validator's work is the same.
    KnownTau,
}

impl Setup {
    /// The scheme that validators and archives use, with tables of at most `tables` bytes.
    pub fn scheme(self, vector_size: usize, tables: usize) -> Result<Scheme, CommitmentError> {
        let scheme = match self {
            Self::Ceremony => Kzg::new(Ceremony::ethereum()?, vector_size)?,
            Self::KnownTau => insecure::kzg_with_known_tau(vector_size, tau())?,
        };
        Ok(scheme.with_tables(tables)?.into())
    }
}

/// The known secret: any number that is not in the domain.
fn tau() -> Scalar {
    Scalar::from(0x00aa_4d5a_4b00_0001)
}

/// Makes openings of whole vectors.
#[derive(Debug)]
pub struct Prover {
    scheme: Arc<Scheme>,
    known: Option<KnownTau>,
}

/// What makes openings cheap for who knows τ.
#[derive(Debug)]
struct KnownTau {
    domain: Domain,
    /// L_i(τ).
    basis: Vec<Scalar>,
    /// 1 / (τ - ω^i).
    inverses: Vec<Scalar>,
}

impl Prover {
    /// The prover of a scheme that [`Setup::scheme`] made.
    pub fn new(setup: Setup, scheme: Arc<Scheme>) -> Result<Self, CommitmentError> {
        let known = match setup {
            Setup::Ceremony => None,
            Setup::KnownTau => Some(KnownTau::new(scheme.vector_size())?),
        };
        Ok(Self { scheme, known })
    }

    /// N.
    pub fn vector_size(&self) -> usize {
        self.scheme.vector_size()
    }

    /// Openings of a vector at some indices, on the calling thread unless all are made at once.
    pub fn open(&self, scalars: &[Scalar], indices: &[usize]) -> Result<Vec<Opening>, CommitmentError> {
        if let Some(known) = &self.known {
            return Ok(known.open(scalars, indices));
        }
        if indices.len() * ALL_AT_ONCE >= self.scheme.vector_size() {
            let all = self.scheme.open_all(scalars)?;
            return Ok(indices.iter().filter_map(|index| all.get(*index).copied()).collect());
        }
        indices.iter().map(|index| self.scheme.open(scalars, *index)).collect()
    }
}

impl KnownTau {
    fn new(vector_size: usize) -> Result<Self, CommitmentError> {
        let degenerate = || CommitmentError::DegenerateSecret;
        let domain = Domain::new(vector_size).map_err(|_| CommitmentError::VectorSize(vector_size))?;
        let inverse = |point: &Scalar| Option::<Scalar>::from((tau() - point).invert()).ok_or_else(degenerate);
        let inverses: Vec<Scalar> = domain.powers().iter().map(inverse).collect::<Result<_, _>>()?;
        let vanishing = tau().pow_vartime([vector_size as u64]) - Scalar::ONE;
        let scale = vanishing * domain.size_inverse();
        let basis = domain.powers().iter().zip(&inverses).map(|(point, inverse)| scale * point * inverse).collect();
        Ok(Self { domain, basis, inverses })
    }

    fn open(&self, scalars: &[Scalar], indices: &[usize]) -> Vec<Opening> {
        let value: Scalar = scalars.iter().zip(&self.basis).map(|(scalar, basis)| scalar * basis).sum();
        let at = |index: usize| scalars.get(index).copied().unwrap_or(Scalar::ZERO);
        let inverse = |index: usize| self.inverses.get(index % self.domain.size()).copied().unwrap_or(Scalar::ZERO);
        let open = |index: &usize| {
            Opening::from_point_unchecked(G1Affine::generator() * ((value - at(*index)) * inverse(*index)))
        };
        indices.iter().map(open).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_tau_opens_as_the_scheme_does() {
        let scheme = Arc::new(Setup::KnownTau.scheme(8, 1 << 20).unwrap());
        let scalars: Vec<Scalar> = (3..10u64).map(Scalar::from).collect();
        let all: Vec<usize> = (0..8).collect();
        let quick = Prover::new(Setup::KnownTau, Arc::clone(&scheme)).unwrap().open(&scalars, &all).unwrap();
        let plain = Prover { scheme, known: None }.open(&scalars, &all).unwrap();
        assert_eq!(quick, plain);
    }
}
