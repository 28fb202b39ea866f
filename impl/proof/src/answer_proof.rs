//! What a verifier believes, and what it is given (`aardvark_spec::answer::answer_proof`).

use std::fmt;

use aardvark_commitment::folded::FOLDED_BYTES;
use aardvark_commitment::{Commitment, Scheme, SchemeKind, VectorCommitment};
use aardvark_dictionary::root::{Digest, RootParts};
use aardvark_dictionary::{Claim, DictionaryId};
use serde::{Deserialize, Serialize};

use crate::answer_reason::{Reason, Refusal};
use crate::hex_text;
use crate::identity::DictionaryIdentity;
use crate::json::given;
use crate::question::Question;
use crate::strict_json::object_types;

/// The commitment of a vector, as somebody trusted has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownVector {
    /// It is known.
    Known(Commitment),
    /// There is none.
    Missing,
    /// Its bytes are not a point of the group.
    Malformed,
}

/// Commitments of one version by their vectors' numbers: a list, or a file that is decoded where it
/// is used.
pub trait KnownVectors {
    /// The commitment of a vector.
    fn known(&self, vector: u64) -> KnownVector;
}

impl KnownVectors for [Commitment] {
    fn known(&self, vector: u64) -> KnownVector {
        let commitment = usize::try_from(vector).ok().and_then(|vector| self.get(vector));
        commitment.copied().map_or(KnownVector::Missing, KnownVector::Known)
    }
}

impl KnownVectors for Vec<Commitment> {
    fn known(&self, vector: u64) -> KnownVector {
        self.as_slice().known(vector)
    }
}

/// The commitments of a version, and what else a verifier knows of it.
#[derive(Clone, Copy)]
pub struct KnownCommitments<'a> {
    /// The dictionary's id.
    pub dictionary: DictionaryId,
    /// The scheme on the dictionary's setup, with its vector size.
    pub scheme: &'a Scheme,
    /// The version.
    pub version: u64,
    /// The number of slots.
    pub size: u64,
    /// The commitments of the vectors.
    pub commitments: &'a dyn KnownVectors,
}

/// A state root, and what it does not say by itself.
#[derive(Clone, Copy, Debug)]
pub struct KnownRoot<'a> {
    /// The dictionary's id.
    pub dictionary: DictionaryId,
    /// The scheme on the dictionary's setup, with its vector size.
    pub scheme: &'a Scheme,
    /// The root.
    pub digest: Digest,
}

/// A state root and nothing else: the proof brings what its dictionary's id is over.
#[derive(Clone, Copy, Debug)]
pub struct RootAlone<'a> {
    /// The scheme on the setup that the proof's identity must name; [`AnswerProof::verifier`] gives
    /// the published one.
    pub scheme: &'a Scheme,
    /// The root.
    pub digest: Digest,
}

/// What a verifier believes. All else comes from whoever answers.
#[derive(Clone, Copy, Debug)]
pub enum Trusted<'a> {
    /// The commitments of a version.
    Commitments(KnownCommitments<'a>),
    /// The state root of a version, and the dictionary.
    Root(KnownRoot<'a>),
    /// The state root of a version.
    RootAlone(RootAlone<'a>),
}

impl<'a> Trusted<'a> {
    /// A state root and nothing else, with a scheme to verify with.
    pub fn root_alone(digest: Digest, scheme: &'a Scheme) -> Self {
        Self::RootAlone(RootAlone { scheme, digest })
    }

    /// The scheme to verify with.
    pub fn scheme(&self) -> &'a Scheme {
        match self {
            Self::Commitments(known) => known.scheme,
            Self::Root(known) => known.scheme,
            Self::RootAlone(known) => known.scheme,
        }
    }

    /// N, the number of slots in a vector.
    pub fn vector_size(&self) -> u64 {
        self.scheme().vector_size() as u64
    }
}

impl fmt::Debug for KnownCommitments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dictionary, version, size, .. } = self;
        f.debug_struct("KnownCommitments")
            .field("dictionary", dictionary)
            .field("version", version)
            .field("size", size)
            .finish_non_exhaustive()
    }
}

/// The commitment of a vector, and its path to the root over the commitments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct TiedVector {
    /// The vector's number.
    pub number: u64,
    /// The commitment, compressed.
    #[serde(with = "hex_text::array")]
    pub commitment: [u8; 48],
    /// The siblings from below.
    #[serde(with = "hex_text::arrays")]
    pub path: Vec<Digest>,
}

/// What ties the commitments of the claims' vectors to a state root: what the root is over, besides
/// the dictionary's id and the version, and the paths.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct RootTie {
    /// The number of slots.
    pub size: u64,
    /// The first position of the tail.
    pub tail_start: u64,
    /// The root of the tree over the commitments.
    #[serde(with = "hex_text::array")]
    pub commitment_root: Digest,
    /// The digest of the tail.
    #[serde(with = "hex_text::array")]
    pub tail_digest: Digest,
    /// The digest of the replay set.
    #[serde(with = "hex_text::array")]
    pub replay_digest: Digest,
    /// The digest of the window.
    #[serde(with = "hex_text::array")]
    pub window_digest: Digest,
    /// One entry for each vector of the claims, in strictly ascending order.
    pub vectors: Vec<TiedVector>,
    /// What the dictionary's id is over, for those who know the root alone; looked at by nobody
    /// else.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub identity: Option<DictionaryIdentity>,
}

object_types!(TiedVector, RootTie);

impl RootTie {
    /// The parts of a root, and paths.
    pub fn new(parts: &RootParts, vectors: Vec<TiedVector>) -> Self {
        Self {
            size: parts.size,
            tail_start: parts.tail_start,
            commitment_root: parts.commitment_root,
            tail_digest: parts.tail_digest,
            replay_digest: parts.replay_digest,
            window_digest: parts.window_digest,
            vectors,
            identity: None,
        }
    }

    /// The parts, as those of a dictionary and version that the caller names.
    pub fn parts(&self, dictionary: &DictionaryId, version: u64) -> RootParts {
        RootParts {
            dictionary: dictionary.0,
            version,
            size: self.size,
            tail_start: self.tail_start,
            commitment_root: self.commitment_root,
            tail_digest: self.tail_digest,
            replay_digest: self.replay_digest,
            window_digest: self.window_digest,
        }
    }
}

/// A proof. The answer is derived from it and never stated in it. Dictionary, scheme, vector size,
/// version and question stand in it so that a mix-up has a clear name; a verifier compares them
/// with what it trusts and asks, and uses only the latter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerProof {
    /// The dictionary that it is about.
    pub dictionary: DictionaryId,
    /// The dictionary's vector commitment.
    pub scheme: SchemeKind,
    /// Its N.
    pub vector_size: u32,
    /// The version.
    pub version: u64,
    /// The question.
    pub question: Question,
    /// The claims, in the order in which their slots answer.
    pub claims: Vec<Claim>,
    /// One opening for all claims, `W (48) || W' (48)`. Where it is there, the openings of the
    /// claims mean nothing, are not written, and are read as zeros.
    pub folded_opening: Option<[u8; FOLDED_BYTES]>,
    /// What ties them to a root; none where commitments are trusted.
    pub tie: Option<RootTie>,
}

impl AnswerProof {
    /// What the proof says that its dictionary's id is over, if it does.
    pub fn identity(&self) -> Option<&DictionaryIdentity> {
        self.tie.as_ref()?.identity.as_ref()
    }

    /// A scheme to verify the proof with under a root alone, on the published setup that its
    /// identity names ([`DictionaryIdentity::verifier`]).
    ///
    /// # Errors
    /// [`Reason::TieMismatched`] where the proof has no identity, and as
    /// [`DictionaryIdentity::verifier`].
    pub fn verifier(&self) -> Result<Scheme, Refusal> {
        self.identity().ok_or(Refusal::whole(Reason::TieMismatched))?.verifier()
    }
}
