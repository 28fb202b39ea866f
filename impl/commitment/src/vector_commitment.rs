//! The interface of a vector commitment scheme.

use aardvark_algebra::Scalar;

use crate::bisect;
use crate::error::CommitmentError;
use crate::points::{Commitment, Opening};

/// One item of a batch: "the vector of `commitment` holds `scalar` at `index`", with its opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchClaim {
    /// A number of the caller's, such as that of a version of the vector. The challenge binds it;
    /// the equation ignores it.
    pub label: u64,
    /// Commitment to the vector, from the trusted side.
    pub commitment: Commitment,
    /// Index in the vector, below N.
    pub index: usize,
    /// Scalar claimed there.
    pub scalar: Scalar,
    /// Opening.
    pub opening: Opening,
}

/// A commitment with the deltas (index, growth of its scalar) that it is to follow.
pub type CommitmentUpdate<'a> = (Commitment, &'a [(usize, Scalar)]);

/// An opening with the index that it opens and the deltas (index, growth of its scalar) that it is
/// to follow.
pub type OpeningUpdate<'a> = (Opening, usize, &'a [(usize, Scalar)]);

/// A vector commitment for N scalars with positions 0..N.
///
/// Verification is total: whatever the claims say, the answer is a boolean. All answers are the
/// same on any number of threads.
///
/// Batches take a `context`: bytes of the caller's choice that the challenge is bound to, such as
/// the name of what the claims are about ([`crate::challenge`]).
pub trait VectorCommitment: Send + Sync {
    /// N, the number of scalars in a vector.
    fn vector_size(&self) -> usize;

    /// Digest of the public parameters, as `docs/format.md` defines it: it names the setup.
    fn setup_digest(&self) -> [u8; 32];

    /// Commits to a vector. A shorter one is padded with zeros; a longer one is an error.
    fn commit(&self, scalars: &[Scalar]) -> Result<Commitment, CommitmentError>;

    /// Opens a vector at one index, below N. A shorter vector is padded with zeros; a longer one
    /// is an error.
    fn open(&self, scalars: &[Scalar], index: usize) -> Result<Opening, CommitmentError>;

    /// Opens a vector at all N indices.
    fn open_all(&self, scalars: &[Scalar]) -> Result<Vec<Opening>, CommitmentError>;

    /// Whether the opening proves that the vector holds `scalar` at `index`. False for an index
    /// that is not below N.
    #[must_use]
    fn verify(&self, commitment: &Commitment, index: usize, scalar: &Scalar, opening: &Opening) -> bool;

    /// Whether all claims hold, by one check of their combination under coefficients that hash
    /// `context` and all claims ([`crate::challenge`]). If one is false, the answer is true with
    /// probability at most 2^-128. An empty batch is accepted.
    #[must_use]
    fn verify_batch(&self, context: &[u8], claims: &[BatchClaim]) -> bool;

    /// The commitment after the scalar at `index` has grown by `delta`.
    fn update_commitment(
        &self,
        commitment: &Commitment,
        index: usize,
        delta: &Scalar,
    ) -> Result<Commitment, CommitmentError> {
        self.update_commitment_many(commitment, &[(index, *delta)])
    }

    /// The commitment after several scalars have grown by their deltas. An index may occur more
    /// than once.
    fn update_commitment_many(
        &self,
        commitment: &Commitment,
        deltas: &[(usize, Scalar)],
    ) -> Result<Commitment, CommitmentError>;

    /// [`VectorCommitment::update_commitment_many`] for many vectors at once, in their order:
    /// schemes share work between them, and may use several threads.
    fn update_commitments_many(&self, updates: &[CommitmentUpdate]) -> Result<Vec<Commitment>, CommitmentError> {
        updates.iter().map(|(commitment, deltas)| self.update_commitment_many(commitment, deltas)).collect()
    }

    /// The same for whoever has many whole vectors to change and memory to spare, as an import: a
    /// scheme may then keep tables beyond the budget that it was given, for good (KZG 31 MB at N =
    /// 1,024, once they would have paid). Validators do not call it, so that no block costs memory.
    ///
    /// # Errors
    /// As [`VectorCommitment::update_commitments_many`].
    fn update_commitments_in_bulk(&self, updates: &[CommitmentUpdate]) -> Result<Vec<Commitment>, CommitmentError> {
        self.update_commitments_many(updates)
    }

    /// The opening at `opened_index` after several scalars have grown by their deltas. An index
    /// may occur more than once.
    fn update_opening_many(
        &self,
        opening: &Opening,
        opened_index: usize,
        deltas: &[(usize, Scalar)],
    ) -> Result<Opening, CommitmentError> {
        let step =
            |opening, (index, delta): &(usize, Scalar)| self.update_opening(&opening, opened_index, *index, delta);
        deltas.iter().try_fold(*opening, step)
    }

    /// [`VectorCommitment::update_opening_many`] for many openings at once, of any vectors, in
    /// their order: schemes share work between them, and may use several threads.
    fn update_openings_many(&self, updates: &[OpeningUpdate]) -> Result<Vec<Opening>, CommitmentError> {
        updates.iter().map(|(opening, index, deltas)| self.update_opening_many(opening, *index, deltas)).collect()
    }

    /// Opens a vector at several indices, in their order. An index may occur more than once.
    fn open_many(&self, scalars: &[Scalar], indices: &[usize]) -> Result<Vec<Opening>, CommitmentError> {
        indices.iter().map(|index| self.open(scalars, *index)).collect()
    }

    /// The opening at `opened_index` after the scalar at `changed_index` has grown by `delta`. The
    /// two may be equal.
    fn update_opening(
        &self,
        opening: &Opening,
        opened_index: usize,
        changed_index: usize,
        delta: &Scalar,
    ) -> Result<Opening, CommitmentError>;

    /// Positions in `claims` of all that are false, ascending, by bisection: a handful of batch
    /// checks for each false one.
    #[must_use]
    fn find_false(&self, context: &[u8], claims: &[BatchClaim]) -> Vec<usize> {
        bisect::find_false(claims, |part| self.verify_batch(context, part))
    }

    /// Position in `claims` of the first that is false, by bisection: one batch check of all, and,
    /// if that fails, as much again in ever smaller ones.
    #[must_use]
    fn first_false(&self, context: &[u8], claims: &[BatchClaim]) -> Option<usize> {
        bisect::first_false(claims, |part| self.verify_batch(context, part))
    }

    /// Which groups of consecutive claims hold a false one, ascending. Group g ends before claim
    /// `ends[g]`; ends ascend, the last is the number of claims. A group with many false claims
    /// costs no more than one with a single false claim.
    #[must_use]
    fn false_groups(&self, context: &[u8], claims: &[BatchClaim], ends: &[usize]) -> Vec<usize> {
        let groups: Vec<usize> = (0..ends.len()).collect();
        bisect::find_false(&groups, |groups| {
            let before_first = groups.first().and_then(|first| first.checked_sub(1));
            let end_of = |group: Option<usize>| group.and_then(|group| ends.get(group)).copied().unwrap_or(0);
            let (start, end) = (end_of(before_first), end_of(groups.last().copied()));
            claims.get(start..end).is_some_and(|part| self.verify_batch(context, part))
        })
    }
}

/// A vector of at most N scalars.
pub(crate) fn check_length(scalars: &[Scalar], vector_size: usize) -> Result<(), CommitmentError> {
    let length = scalars.len();
    if length > vector_size {
        return Err(CommitmentError::VectorTooLong { length, vector_size });
    }
    Ok(())
}

/// An index below N.
pub(crate) fn check_index(index: usize, vector_size: usize) -> Result<(), CommitmentError> {
    if index >= vector_size {
        return Err(CommitmentError::IndexOutOfRange { index, vector_size });
    }
    Ok(())
}
