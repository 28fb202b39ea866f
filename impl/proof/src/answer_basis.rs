//! What is known of a version before any opening is looked at: its size, and the commitments of the
//! claims' vectors (`aardvark_spec::answer::answer_basis`).
//!
//! Trusted commitments are known as they are. Under a root the parts must hash to it, and each
//! vector's path must lead from its commitment to the root over the commitments; the number of
//! leaves follows from the size in the parts.

use std::collections::{BTreeMap, BTreeSet};

use aardvark_commitment::{Commitment, Scheme, VectorCommitment};
use aardvark_dictionary::root::root_of_path;
use aardvark_dictionary::{Claim, DictionaryId};

use crate::answer_proof::{
    AnswerProof, KnownCommitments, KnownRoot, KnownVector, KnownVectors, RootAlone, RootTie, TiedVector, Trusted,
};
use crate::answer_reason::{Reason, Refusal};

/// What is trusted, once the dictionary is known.
pub(crate) enum Known<'a> {
    /// Commitments.
    Commitments(KnownCommitments<'a>),
    /// A root.
    Root(KnownRoot<'a>),
}

impl<'a> Known<'a> {
    /// What is trusted; under a root alone, that and what follows from the proof's identity.
    pub(crate) fn new(trusted: &Trusted<'a>, proof: &AnswerProof) -> Result<Self, Refusal> {
        Ok(match trusted {
            Trusted::Commitments(known) => Self::Commitments(*known),
            Trusted::Root(known) => Self::Root(*known),
            Trusted::RootAlone(RootAlone { scheme, digest }) => {
                let identity = proof.identity().ok_or(Refusal::whole(Reason::TieMismatched))?;
                identity.check_setup(scheme)?;
                Self::Root(KnownRoot { dictionary: identity.id(), scheme, digest: *digest })
            }
        })
    }

    /// The dictionary's id.
    pub(crate) fn dictionary(&self) -> &DictionaryId {
        match self {
            Self::Commitments(known) => &known.dictionary,
            Self::Root(known) => &known.dictionary,
        }
    }

    /// The scheme on the dictionary's setup.
    pub(crate) fn scheme(&self) -> &'a Scheme {
        match self {
            Self::Commitments(known) => known.scheme,
            Self::Root(known) => known.scheme,
        }
    }
}

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
    pub(crate) fn new(known: &Known<'a>, proof: &AnswerProof) -> Result<Self, Refusal> {
        let vector_size = known.scheme().vector_size() as u64;
        match (known, &proof.tie) {
            (Known::Commitments(known), None) => {
                Ok(Self { vector_size, size: known.size, vectors: Vectors::Trusted(known.commitments) })
            }
            (Known::Root(known), Some(tie)) => Self::of_tie(known, vector_size, proof, tie),
            (Known::Commitments(_), Some(_)) | (Known::Root(_), None) => Err(Refusal::whole(Reason::TieMismatched)),
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
