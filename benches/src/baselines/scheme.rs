//! What every baseline offers.

use aardvark_algebra::Scalar;
use aardvark_commitment::{CommitmentError, bisect};
use rayon::prelude::*;

/// "The vector of `commitment` holds `scalar` at `index`", with its opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim<C, O> {
    /// Commitment to the vector, from the trusted side.
    pub commitment: C,
    /// Index in the vector, below N.
    pub index: usize,
    /// Scalar claimed there.
    pub scalar: Scalar,
    /// Opening.
    pub opening: O,
}

/// A vector commitment for N scalars whose claims are verified one by one.
pub trait Baseline: Sync {
    /// What a vector is bound in.
    type Commitment: Copy + Send + Sync;
    /// What proves one scalar.
    type Opening: Copy + Send + Sync;

    /// N, the number of scalars in a vector.
    fn vector_size(&self) -> usize;

    /// Commits to a vector. A shorter one is padded with zeros; a longer one is an error.
    fn commit(&self, scalars: &[Scalar]) -> Result<Self::Commitment, CommitmentError>;

    /// Opens a vector at one index, below N.
    fn open(&self, scalars: &[Scalar], index: usize) -> Result<Self::Opening, CommitmentError>;

    /// Opens a vector at all N indices.
    fn open_all(&self, scalars: &[Scalar]) -> Result<Vec<Self::Opening>, CommitmentError> {
        (0..self.vector_size()).into_par_iter().map(|index| self.open(scalars, index)).collect()
    }

    /// Whether the opening proves that the vector holds `scalar` at `index`.
    #[must_use]
    fn verify(&self, commitment: &Self::Commitment, index: usize, scalar: &Scalar, opening: &Self::Opening) -> bool;

    /// Whether all claims hold, each verified by itself.
    #[must_use]
    fn verify_all(&self, claims: &[Claim<Self::Commitment, Self::Opening>]) -> bool {
        claims.par_iter().all(|c| self.verify(&c.commitment, c.index, &c.scalar, &c.opening))
    }

    /// Positions of the false claims, ascending.
    #[must_use]
    fn find_false(&self, claims: &[Claim<Self::Commitment, Self::Opening>]) -> Vec<usize> {
        bisect::find_false(claims, |part| self.verify_all(part))
    }
}

/// A vector of at most N scalars.
pub(super) fn check_length(scalars: &[Scalar], vector_size: usize) -> Result<(), CommitmentError> {
    match scalars.len() {
        length if length > vector_size => Err(CommitmentError::VectorTooLong { length, vector_size }),
        _ => Ok(()),
    }
}

/// An index below N.
pub(super) fn check_index(index: usize, vector_size: usize) -> Result<(), CommitmentError> {
    if index < vector_size { Ok(()) } else { Err(CommitmentError::IndexOutOfRange { index, vector_size }) }
}
