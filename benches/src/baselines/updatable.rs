//! What the table of updates asks of a scheme, ours or a baseline.

use aardvark_algebra::Scalar;
use aardvark_commitment::{Commitment, CommitmentError, Opening, VectorCommitment};

use super::multilinear::{Multilinear, MultilinearOpening};
use super::scheme::Baseline;

/// A scheme that follows a change of the vector from its index and delta alone.
pub trait Updatable {
    /// What proves one scalar.
    type Opening: Copy + Send + Sync;

    /// Commits to a vector.
    fn commit(&self, scalars: &[Scalar]) -> Result<Commitment, CommitmentError>;

    /// Whether the opening proves that the vector holds `scalar` at `index`.
    #[must_use]
    fn verify(&self, commitment: &Commitment, index: usize, scalar: &Scalar, opening: &Self::Opening) -> bool;

    /// The commitment after the scalar at `index` has grown by `delta`.
    fn update_commitment(&self, from: &Commitment, index: usize, delta: &Scalar)
    -> Result<Commitment, CommitmentError>;

    /// The opening at `opened` after the scalar at `changed` has grown by `delta`.
    fn update_opening(
        &self,
        from: &Self::Opening,
        opened: usize,
        changed: usize,
        delta: &Scalar,
    ) -> Result<Self::Opening, CommitmentError>;
}

impl<V: VectorCommitment> Updatable for V {
    type Opening = Opening;

    fn commit(&self, scalars: &[Scalar]) -> Result<Commitment, CommitmentError> {
        VectorCommitment::commit(self, scalars)
    }

    fn verify(&self, commitment: &Commitment, index: usize, scalar: &Scalar, opening: &Opening) -> bool {
        VectorCommitment::verify(self, commitment, index, scalar, opening)
    }

    fn update_commitment(
        &self,
        from: &Commitment,
        index: usize,
        delta: &Scalar,
    ) -> Result<Commitment, CommitmentError> {
        VectorCommitment::update_commitment(self, from, index, delta)
    }

    fn update_opening(
        &self,
        from: &Opening,
        opened: usize,
        changed: usize,
        delta: &Scalar,
    ) -> Result<Opening, CommitmentError> {
        VectorCommitment::update_opening(self, from, opened, changed, delta)
    }
}

impl Updatable for Multilinear {
    type Opening = MultilinearOpening;

    fn commit(&self, scalars: &[Scalar]) -> Result<Commitment, CommitmentError> {
        Baseline::commit(self, scalars)
    }

    fn verify(&self, commitment: &Commitment, index: usize, scalar: &Scalar, opening: &Self::Opening) -> bool {
        Baseline::verify(self, commitment, index, scalar, opening)
    }

    fn update_commitment(
        &self,
        from: &Commitment,
        index: usize,
        delta: &Scalar,
    ) -> Result<Commitment, CommitmentError> {
        Multilinear::update_commitment(self, from, index, delta)
    }

    fn update_opening(
        &self,
        from: &Self::Opening,
        opened: usize,
        changed: usize,
        delta: &Scalar,
    ) -> Result<Self::Opening, CommitmentError> {
        Multilinear::update_opening(self, from, opened, changed, delta)
    }
}
