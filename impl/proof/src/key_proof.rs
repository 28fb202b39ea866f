//! Verifying a proof of format 1: one key, and for a deletion its predecessor.
//!
//! Such a proof is two proofs in one. Its first claim answers what the key's value is; its second
//! claim, where there is one, answers which key comes before. Both are judged by
//! [`verify`](crate::verify()), and nothing else is.

use aardvark_dictionary::{Claim, Key, Value};

use crate::answer_openings::Strictness;
use crate::answer_proof::{AnswerProof, RootTie, TiedVector, Trusted};
use crate::answer_reason::{Class, Reason, Refusal};
use crate::proof_json::Proof;
use crate::question::Question;
use crate::root_json::{CommitmentPath, ProofRoot};
use crate::scan::{Answer, KeyAnswer};
use crate::verify::verify_with;

/// What a proof that holds says of its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyStatement {
    /// The value, or `None` where the key is absent.
    pub value: Option<Value>,
    /// Whether the proof is good for a deletion too: it shows the key's predecessor.
    pub shows_predecessor: bool,
}

/// Why a proof for a key does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyRefusal {
    /// A claim does not answer, or the proof as a whole.
    #[error("{0}")]
    Refused(Refusal),
    /// There are not one or two claims.
    #[error("{0} claims, where a proof has one or two")]
    ClaimCount(usize),
    /// There is not one path for each claim.
    #[error("{0} paths, where each claim has one")]
    PathCount(usize),
    /// The second claim does not belong to the first.
    #[error("claim 2 is not the predecessor: {0}")]
    NotPredecessor(NotPredecessor),
}

/// Why a second claim is not that of the predecessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPredecessor {
    /// The key is absent.
    #[error("claim 1 says that the key is absent, and nothing is needed to delete an absent key")]
    Absent,
    /// It is the first claim again.
    #[error("both claims are for one position")]
    SamePosition,
    /// It is another key's predecessor.
    #[error("the next key of its slot is another")]
    OtherNext,
}

impl KeyRefusal {
    /// Whether the proof is malformed, about something else, or false.
    pub fn class(&self) -> Class {
        match self {
            Self::Refused(refusal) => refusal.class(),
            Self::ClaimCount(_) | Self::PathCount(_) => Class::Malformed,
            Self::NotPredecessor(_) => Class::False,
        }
    }
}

/// What a proof says of a key, under what is trusted. Refusals count claims as the proof does, from
/// 0, also those for paths. Where commitments are trusted, what ties the proof to a root is not
/// looked at.
///
/// # Errors
/// [`KeyRefusal`]: of the first claim, then of the second.
pub fn verify_key(
    trusted: &Trusted<'_>,
    key: &Key,
    proof: &Proof,
    strictness: Strictness,
) -> Result<KeyStatement, KeyRefusal> {
    let (covering, predecessor) = match proof.claims.as_slice() {
        [covering] => (covering, None),
        [covering, predecessor] => (covering, Some(predecessor)),
        claims => return Err(KeyRefusal::ClaimCount(claims.len())),
    };
    let root = match trusted {
        Trusted::Commitments(_) => None,
        // A proof of format 1 brings no identity, and is refused under a root alone.
        Trusted::Root(_) | Trusted::RootAlone(_) => proof.root.as_ref(),
    };
    if let Some(paths) = root.map(|root| root.claims.len()).filter(|paths| *paths != proof.claims.len()) {
        return Err(KeyRefusal::PathCount(paths));
    }
    let single = |question: Question, c: usize, claim: &Claim| AnswerProof {
        question,
        claims: vec![claim.clone()],
        tie: root.and_then(|root| Some(root.tie_of(claim.position / trusted.vector_size(), root.claims.get(c)?))),
        ..proof.about()
    };
    let first = single(Question::key(proof.key.clone()), 0, covering);
    let answer = verify_with(trusted, &Question::key(key.clone()), &first, strictness).map_err(KeyRefusal::Refused)?;
    if root.is_some_and(|root| root.version != proof.version) {
        return Err(KeyRefusal::Refused(Refusal::whole(Reason::RootFalse)));
    }
    let value = match answer {
        Answer::Keys(answers) => answers.into_iter().next().and_then(|KeyAnswer { value, .. }| value),
        Answer::Range(_) | Answer::Predecessor(_) | Answer::Successor(_) => None,
    };
    if let Some(claim) = predecessor {
        let asked = Question::Predecessor(key.clone());
        let precedes = match verify_with(trusted, &asked, &single(asked.clone(), 1, claim), strictness) {
            Ok(_) => true,
            Err(Refusal { reason: Reason::ChainNotCovering, .. }) => false,
            Err(Refusal { reason, item }) => {
                return Err(KeyRefusal::Refused(Refusal { reason, item: item.map(|_| 1) }));
            }
        };
        if value.is_none() {
            return Err(KeyRefusal::NotPredecessor(NotPredecessor::Absent));
        }
        if !precedes && claim.position == covering.position {
            return Err(KeyRefusal::NotPredecessor(NotPredecessor::SamePosition));
        }
        if !precedes {
            return Err(KeyRefusal::NotPredecessor(NotPredecessor::OtherNext));
        }
    }
    Ok(KeyStatement { value, shows_predecessor: predecessor.is_some() })
}

impl Proof {
    /// What it says that it is about, without claims.
    fn about(&self) -> AnswerProof {
        AnswerProof {
            dictionary: self.dictionary,
            scheme: self.scheme,
            vector_size: self.vector_size,
            version: self.version,
            question: Question::key(self.key.clone()),
            claims: Vec::new(),
            folded_opening: None,
            tie: None,
        }
    }
}

impl ProofRoot {
    /// What ties one vector to the root.
    fn tie_of(&self, number: u64, CommitmentPath { commitment, path }: &CommitmentPath) -> RootTie {
        RootTie {
            size: self.size,
            tail_start: self.tail_start,
            commitment_root: self.commitment_root,
            tail_digest: self.tail_digest,
            replay_digest: self.replay_digest,
            window_digest: self.window_digest,
            vectors: vec![TiedVector { number, commitment: *commitment, path: path.clone() }],
            identity: None,
        }
    }
}
