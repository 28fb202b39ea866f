//! What is known of a version before any opening is looked at: its size, and the commitments of the
//! claims' vectors (`aardvark_spec::answer::answer_basis`).
//!
//! Trusted commitments are known as they are. Under a root the parts must hash to it, and each
//! vector's path must lead from its commitment to the root over the commitments; the number of
//! leaves follows from the size in the parts.

use std::collections::{BTreeMap, BTreeSet};

use aardvark_commitment::Commitment;
use aardvark_dictionary::Claim;
use aardvark_dictionary::root::root_of_path;

use crate::answer_proof::{AnswerProof, KnownRoot, KnownVector, KnownVectors, RootTie, TiedVector, Trusted};
use crate::answer_reason::{Reason, Refusal};

/// What the openings are checked against.
pub(crate) struct Basis<'a> {
    /// N.
    pub(crate) vector_size: u64,
    /// The number of slots.
    pub(crate) size: u64,
    vectors: Vectors<'a>,
}

/// The vectors whose commitments are known.
enum Vectors<'a> {
    /// All of the version.
    Trusted(&'a dyn KnownVectors),
    /// Those whose paths lead to the root.
    Tied(BTreeMap<u64, Commitment>),
}

impl<'a> Basis<'a> {
    /// What is known of the version that a proof is about.
    pub(crate) fn new(trusted: &Trusted<'a>, proof: &AnswerProof) -> Result<Self, Refusal> {
        match (trusted, &proof.tie) {
            (Trusted::Commitments(known), None) => Ok(Self {
                vector_size: trusted.vector_size(),
                size: known.size,
                vectors: Vectors::Trusted(known.commitments),
            }),
            (Trusted::Root(known), Some(tie)) => Self::of_tie(known, trusted.vector_size(), proof, tie),
            (Trusted::Commitments(_), Some(_)) | (Trusted::Root(_), None) => Err(Refusal::whole(Reason::TieMismatched)),
        }
    }

    fn of_tie(known: &KnownRoot<'_>, n: u64, proof: &AnswerProof, tie: &RootTie) -> Result<Self, Refusal> {
        let commitments = tied_commitments(&tie.vectors, &proof.claims, n)?;
        if tie.parts(&known.dictionary, proof.version).root() != known.digest {
            return Err(Refusal::whole(Reason::RootFalse));
        }
        let count = tie.size.div_ceil(n);
        for (i, (vector, commitment)) in tie.vectors.iter().zip(&commitments).enumerate() {
            if root_of_path(count, vector.number, commitment, &vector.path) != Some(tie.commitment_root) {
                return Err(Refusal::item(Reason::PathFalse, i));
            }
        }
        let numbers = tie.vectors.iter().map(|vector| vector.number);
        Ok(Self { vector_size: n, size: tie.size, vectors: Vectors::Tied(numbers.zip(commitments).collect()) })
    }

    /// The commitments of the claims' vectors, in the order of the claims, whose positions must be
    /// in use. Each vector is looked up once.
    pub(crate) fn commitments_of(&self, claims: &[Claim]) -> Result<Vec<Commitment>, Refusal> {
        let mut found = BTreeMap::new();
        let commitments = claims.iter().enumerate().map(|(c, claim)| {
            if claim.position >= self.size {
                return Err(Refusal::item(Reason::AnswerPositionOutOfRange, c));
            }
            let vector = claim.position / self.vector_size;
            match found.entry(vector).or_insert_with(|| self.known(vector)) {
                KnownVector::Known(commitment) => Ok(*commitment),
                KnownVector::Missing => Err(Refusal::item(Reason::TiedVectorsMismatched, c)),
                KnownVector::Malformed => Err(Refusal::item(Reason::CommitmentMalformed, c)),
            }
        });
        commitments.collect()
    }

    fn known(&self, vector: u64) -> KnownVector {
        match &self.vectors {
            Vectors::Trusted(known) => known.known(vector),
            Vectors::Tied(tied) => tied.get(&vector).copied().map_or(KnownVector::Missing, KnownVector::Known),
        }
    }
}

/// The commitments of the tied vectors, which must be some of those that the claims are about,
/// ascending, and well-formed.
fn tied_commitments(vectors: &[TiedVector], claims: &[Claim], n: u64) -> Result<Vec<Commitment>, Refusal> {
    let claimed: BTreeSet<u64> = claims.iter().map(|claim| claim.position / n).collect();
    let mut before = None;
    let decoded = vectors.iter().enumerate().map(|(i, vector)| {
        let ascends = before.replace(vector.number).is_none_or(|before| before < vector.number);
        if !ascends || !claimed.contains(&vector.number) {
            return Err(Refusal::item(Reason::TiedVectorsMismatched, i));
        }
        Commitment::from_bytes(&vector.commitment).map_err(|_| Refusal::item(Reason::CommitmentMalformed, i))
    });
    decoded.collect()
}
