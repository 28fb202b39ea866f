//! What a verifier believes, and what it is given. Source: docs/answers.md.
//!
//! The encodings of points are a matter of the curve: under a root a commitment comes as its 48
//! bytes, which are hashed, and as the group element that they decode to.

use crate::answer::question::*;
use crate::base::bytes::*;
use crate::base::group::*;
use crate::block::root::*;
use crate::block::transaction::*;
use crate::commitment::opening::*;
use hacspec_lib::*;

/// The commitments of a version, and what else a verifier knows of it.
#[derive(Clone, Debug, Default)]
pub struct KnownCommitments {
    /// The dictionary's id.
    pub known_dictionary: ByteString,
    /// N.
    pub known_vector_size: usize,
    /// The version.
    pub known_version: usize,
    /// The number of slots.
    pub known_size: usize,
    /// The commitments of the vectors.
    pub known_commitments: Seq<G1>,
}

/// A state root, and what it does not say by itself.
#[derive(Clone, Debug, Default)]
pub struct KnownRoot {
    /// The dictionary's id.
    pub root_dictionary: ByteString,
    /// N.
    pub root_vector_size: usize,
    /// The root.
    pub root_digest: ByteString,
}

/// What a verifier believes.
#[derive(Clone, Debug)]
pub enum Trusted {
    /// Commitments.
    TrustedCommitments(KnownCommitments),
    /// A root.
    TrustedRoot(KnownRoot),
}

/// The commitment of a vector, and its path to the root.
#[derive(Clone, Debug, Default)]
pub struct TiedVector {
    /// The vector's number.
    pub tied_number: usize,
    /// The encoded commitment, 48 bytes.
    pub tied_bytes: ByteString,
    /// What the bytes decode to.
    pub tied_commitment: Opening,
    /// The siblings on the way to the root over the commitments.
    pub tied_path: Seq<ByteString>,
}

/// What ties the commitments of the claims' vectors to a root.
#[derive(Clone, Debug, Default)]
pub struct RootTie {
    /// What the root is over.
    pub tie_parts: RootParts,
    /// One entry for each vector of the claims, in strictly ascending order.
    pub tie_vectors: Seq<TiedVector>,
}

/// A proof.
#[derive(Clone, Debug)]
pub struct AnswerProof {
    /// The dictionary that it is about.
    pub proof_dictionary: ByteString,
    /// Its N.
    pub proof_vector_size: usize,
    /// The version.
    pub proof_version: usize,
    /// The question.
    pub proof_question: Question,
    /// The claims, in the order in which their slots answer.
    pub proof_claims: Seq<Claim>,
    /// What ties them to a root; none where commitments are trusted.
    pub proof_tie: Option<RootTie>,
}

/// What the openings are checked against.
#[derive(Clone, Debug, Default)]
pub struct AnswerBasis {
    /// N.
    pub basis_vector_size: usize,
    /// The number of slots.
    pub basis_size: usize,
    /// The vectors whose commitments are known, and these.
    pub basis_vectors: Seq<TiedVector>,
}
