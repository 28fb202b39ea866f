//! What every scheme offers.

use aardvark_algebra::Scalar;

use crate::bisect;
use crate::error::CommitmentError;
use crate::points;

/// One item of a batch: "the vector of `commitment` holds `scalar` at `index`", with its opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchClaim<C = points::Commitment, O = points::Opening> {
    /// Version of the dictionary that the claim speaks of. The equation ignores it; the challenge binds it.
    pub version: u64,
    /// Commitment to the vector, from the trusted side.
    pub commitment: C,
    /// Index in the vector, below N.
    pub index: usize,
    /// Scalar claimed there.
    pub scalar: Scalar,
    /// Opening.
    pub opening: O,
}

/// A commitment with the deltas (index, growth of its scalar) that it is to follow.
pub type CommitmentUpdate<'a, C = points::Commitment> = (C, &'a [(usize, Scalar)]);

/// An opening with the index that it opens and the deltas (index, growth of its scalar) that it is to follow.
pub type OpeningUpdate<'a, O = points::Opening> = (O, usize, &'a [(usize, Scalar)]);

/// A vector commitment for N scalars with positions 0..N.
///
/// Verification is total: whatever the claims say, the answer is a boolean. All answers are the same on any number of threads.
pub trait VectorCommitment: Send + Sync {
    /// What a vector is bound in.
    type Commitment: Copy + Send + Sync;
    /// What proves one scalar.
    type Opening: Copy + Send + Sync;

    /// N, the number of scalars in a vector.
    fn vector_size(&self) -> usize;

    /// Digest of the public parameters, as `docs/format.md` defines it: 32 bytes of a dictionary's identity.
    fn setup_digest(&self) -> [u8; 32];

    /// Commits to a vector. A shorter one is padded with zeros; a longer one is an error.
    fn commit(&self, scalars: &[Scalar]) -> Result<Self::Commitment, CommitmentError>;

    /// Opens a vector at one index, below N. A shorter vector is padded with zeros; a longer one is an error.
    fn open(&self, scalars: &[Scalar], index: usize) -> Result<Self::Opening, CommitmentError>;

    /// Opens a vector at all N indices.
    fn open_all(&self, scalars: &[Scalar]) -> Result<Vec<Self::Opening>, CommitmentError>;

    /// Whether the opening proves that the vector holds `scalar` at `index`. False for an index that is not below N.
    fn verify(&self, commitment: &Self::Commitment, index: usize, scalar: &Scalar, opening: &Self::Opening) -> bool;

    /// Whether all claims hold, by one check of their combination under coefficients that hash `dictionary` and all claims
    /// ([`crate::challenge`]). If one is false, the answer is true with probability at most 2^-128. No claims hold.
    fn verify_batch(&self, dictionary: &[u8; 32], claims: &[BatchClaim<Self::Commitment, Self::Opening>]) -> bool;

    /// The commitment after the scalar at `index` has grown by `delta`.
    fn update_commitment(
        &self,
        commitment: &Self::Commitment,
        index: usize,
        delta: &Scalar,
    ) -> Result<Self::Commitment, CommitmentError> {
        self.update_commitment_many(commitment, &[(index, *delta)])
    }

    /// The commitment after several scalars have grown by their deltas. An index may occur more than once.
    fn update_commitment_many(
        &self,
        commitment: &Self::Commitment,
        deltas: &[(usize, Scalar)],
    ) -> Result<Self::Commitment, CommitmentError>;

    /// [`VectorCommitment::update_commitment_many`] for many vectors at once, in their order: schemes share work between them, and may use rayon's
    /// threads.
    fn update_commitments_many(
        &self,
        updates: &[CommitmentUpdate<Self::Commitment>],
    ) -> Result<Vec<Self::Commitment>, CommitmentError> {
        updates.iter().map(|(commitment, deltas)| self.update_commitment_many(commitment, deltas)).collect()
    }

    /// The opening at `opened_index` after several scalars have grown by their deltas. An index may occur more than once.
    fn update_opening_many(
        &self,
        opening: &Self::Opening,
        opened_index: usize,
        deltas: &[(usize, Scalar)],
    ) -> Result<Self::Opening, CommitmentError> {
        let step =
            |opening, (index, delta): &(usize, Scalar)| self.update_opening(&opening, opened_index, *index, delta);
        deltas.iter().try_fold(*opening, step)
    }

    /// [`VectorCommitment::update_opening_many`] for many openings at once, of any vectors, in their order: schemes share work between them, and
    /// may use rayon's threads.
    fn update_openings_many(
        &self,
        updates: &[OpeningUpdate<Self::Opening>],
    ) -> Result<Vec<Self::Opening>, CommitmentError> {
        updates.iter().map(|(opening, index, deltas)| self.update_opening_many(opening, *index, deltas)).collect()
    }

    /// Opens a vector at several indices, in their order. An index may occur more than once.
    fn open_many(&self, scalars: &[Scalar], indices: &[usize]) -> Result<Vec<Self::Opening>, CommitmentError> {
        indices.iter().map(|index| self.open(scalars, *index)).collect()
    }

    /// The opening at `opened_index` after the scalar at `changed_index` has grown by `delta`. The two may be equal.
    fn update_opening(
        &self,
        opening: &Self::Opening,
        opened_index: usize,
        changed_index: usize,
        delta: &Scalar,
    ) -> Result<Self::Opening, CommitmentError>;

    /// Positions in `claims` of all that are false, ascending, by bisection: a handful of batch checks for each false one.
    fn find_false(&self, dictionary: &[u8; 32], claims: &[BatchClaim<Self::Commitment, Self::Opening>]) -> Vec<usize> {
        bisect::find_false(claims, |part| self.verify_batch(dictionary, part))
    }

    /// Position in `claims` of the first that is false, by bisection: one batch check of all, and, if that fails, as much again
    /// in ever smaller ones.
    fn first_false(
        &self,
        dictionary: &[u8; 32],
        claims: &[BatchClaim<Self::Commitment, Self::Opening>],
    ) -> Option<usize> {
        bisect::first_false(claims, |part| self.verify_batch(dictionary, part))
    }

    /// Which groups of consecutive claims hold a false one, ascending. Group g ends before claim `ends[g]`; ends ascend, the last is the number of claims.
    /// A group with many false claims costs no more than one with a single false claim.
    fn false_groups(
        &self,
        dictionary: &[u8; 32],
        claims: &[BatchClaim<Self::Commitment, Self::Opening>],
        ends: &[usize],
    ) -> Vec<usize> {
        let groups: Vec<usize> = (0..ends.len()).collect();
        bisect::find_false(&groups, |groups| {
            let start = groups.first().and_then(|first| first.checked_sub(1)).map_or(0, |before| ends[before]);
            let end = groups.last().map_or(0, |last| ends[*last]);
            self.verify_batch(dictionary, &claims[start..end])
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
