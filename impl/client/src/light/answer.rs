//! Verifies a proof under a certified root with [`aardvark_proof`], and puts refusals in words.
//!
//! The trusted side is the root, its version, and the dictionary's id, scheme and vector size; the
//! copies inside the proof are compared, never used.

use aardvark_commitment::{Commitment, Opening, Scheme};
use aardvark_dictionary::root::Digest;
use aardvark_dictionary::{Claim, Key, Value};
use aardvark_proof::proof_json::Proof;
use aardvark_proof::root_json::ProofRoot;
use aardvark_proof::{KeyRefusal, KnownRoot, Reason, Refusal, Strictness, Trusted, verify_key};

use crate::light::facts::DictionaryFacts;

/// What is certain about a key at a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The value, or `None` where the key is absent.
    pub value: Option<Value>,
    /// The claims that say so, proved: good for a transaction.
    pub claims: Vec<Claim>,
}

/// Why a proof does not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProofFault {
    /// It is about something else.
    #[error("the proof is for {what} {found}, not {asked}")]
    AboutAnother {
        /// What differs.
        what: &'static str,
        /// The proof's.
        found: String,
        /// What was asked for.
        asked: String,
    },
    /// The root was asked for, and is not there.
    #[error("the proof has no root")]
    NoRoot,
    /// Another number of claims, or of paths, than there must be.
    #[error("{claims} claims and {paths} paths, where {wanted} are needed")]
    Count {
        /// Claims there.
        claims: usize,
        /// Paths there.
        paths: usize,
        /// Those needed.
        wanted: &'static str,
    },
    /// The parts do not hash to the root that the header has.
    #[error("the parts of the root do not hash to the root of version {0}")]
    RootFalse(u64),
    /// The path does not lead from the commitment to the root.
    #[error("claim {0}: the path does not tie its commitment to the root")]
    PathFalse(usize),
    /// The position is beyond the array.
    #[error("claim {claim} is for position {position}, where there are {size} slots")]
    PositionOutOfRange {
        /// Which claim, from 1.
        claim: usize,
        /// Its position.
        position: u64,
        /// The number of slots.
        size: u64,
    },
    /// The bytes of a commitment or an opening are no point.
    #[error("claim {claim}: its {what} is no point: {reason}")]
    Point {
        /// Which claim, from 1.
        claim: usize,
        /// Commitment or opening.
        what: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// The opening does not prove the claim.
    #[error("claim {claim}: the opening does not prove that its slot stands at position {position}")]
    OpeningFalse {
        /// Which claim, from 1.
        claim: usize,
        /// Its position.
        position: u64,
    },
    /// The claimed slot says nothing of the key.
    #[error("the slot of claim 1 does not cover the key")]
    NotCovering,
    /// The second claim does not belong to the first.
    #[error("the slot of claim 2 is not the key's predecessor")]
    NotPredecessor,
    /// The proof of a list of keys or of a range does not hold.
    #[error("{0}")]
    Answer(Refusal),
    /// A reason that no proof has which was read from an archive's answer.
    #[error("{0}")]
    Other(KeyRefusal),
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// What the key is: one claim.
    Get,
    /// What a deletion of the key needs: its predecessor's claim too, where it is present.
    Delete,
}

/// Verifies `proof` as an answer for `key` at `version`, whose state root is `root`.
///
/// # Errors
/// [`ProofFault`] of the first check that fails: what the proof is about, how many claims it has,
/// then [`verify_key`].
pub fn verify_answer(
    scheme: &Scheme,
    facts: &DictionaryFacts,
    (version, root): (u64, &Digest),
    (key, question): (&Key, Question),
    proof: &Proof,
) -> Result<Answer, ProofFault> {
    // A root says its version by its parts; this names a mix-up.
    if proof.dictionary == facts.id && proof.version != version {
        return Err(about_another("version", proof.version, version));
    }
    let tied = proof.root.as_ref().ok_or(ProofFault::NoRoot)?;
    check_counts(key, question, proof, tied)?;
    let trusted = Trusted::Root(KnownRoot { dictionary: facts.id, scheme, digest: *root });
    let statement = verify_key(&trusted, key, proof, Strictness::Format)
        .map_err(|refusal| in_words(refusal, facts, (version, tied), key, proof))?;
    Ok(Answer { value: statement.value, claims: proof.claims.clone() })
}

/// Whether there is the covering claim, and the predecessor's where the question and the answer
/// need it: neither more nor fewer.
fn check_counts(key: &Key, question: Question, proof: &Proof, tied: &ProofRoot) -> Result<(), ProofFault> {
    let present = proof.claims.first().is_some_and(|claim| claim.slot.key == *key);
    let wanted = if question == Question::Delete && present { 2 } else { 1 };
    let (claims, paths) = (proof.claims.len(), tied.claims.len());
    match claims == wanted && paths == wanted {
        true => Ok(()),
        false => Err(ProofFault::Count { claims, paths, wanted: if wanted == 2 { "two" } else { "one" } }),
    }
}

fn about_another(what: &'static str, found: impl ToString, asked: impl ToString) -> ProofFault {
    ProofFault::AboutAnother { what, found: found.to_string(), asked: asked.to_string() }
}

/// A refusal with what it is about.
fn in_words(
    refusal: KeyRefusal,
    facts: &DictionaryFacts,
    (version, tied): (u64, &ProofRoot),
    key: &Key,
    proof: &Proof,
) -> ProofFault {
    let refused = match refusal {
        KeyRefusal::NotPredecessor(_) => return ProofFault::NotPredecessor,
        KeyRefusal::Refused(refused) => refused,
        KeyRefusal::ClaimCount(_) | KeyRefusal::PathCount(_) => return ProofFault::Other(refusal),
    };
    let place = refused.item.unwrap_or_default();
    let (Some(Claim { position, opening, .. }), Some(path)) = (proof.claims.get(place), tied.claims.get(place)) else {
        return ProofFault::Other(refusal);
    };
    let (claim, position, size) = (place.saturating_add(1), *position, tied.size);
    match refused.reason {
        Reason::OtherDictionary => {
            about_another("dictionary", hex::encode(proof.dictionary.0), hex::encode(facts.id.0))
        }
        Reason::OtherScheme => about_another("scheme", proof.scheme, facts.scheme),
        Reason::OtherVectorSize => about_another("vector size", proof.vector_size, facts.vector_size),
        Reason::OtherVersion => about_another("version", proof.version, version),
        Reason::OtherQuestion => about_another("key", hex::encode(&*proof.key), hex::encode(&**key)),
        Reason::TieMismatched => ProofFault::NoRoot,
        Reason::RootFalse => ProofFault::RootFalse(version),
        // A path belongs to its claim, and to a position that is none there is no path: the size is
        // the root's.
        Reason::PathFalse if position >= size => ProofFault::PositionOutOfRange { claim, position, size },
        Reason::PathFalse => ProofFault::PathFalse(claim),
        Reason::AnswerPositionOutOfRange => ProofFault::PositionOutOfRange { claim, position, size },
        Reason::CommitmentMalformed => point(claim, "commitment", Commitment::from_bytes(&path.commitment).err()),
        Reason::AnswerOpeningMalformed => point(claim, "opening", Opening::from_bytes(opening).err()),
        Reason::AnswerOpeningFalse => ProofFault::OpeningFalse { claim, position },
        Reason::ChainNotCovering => ProofFault::NotCovering,
        _ => ProofFault::Other(refusal),
    }
}

fn point(claim: usize, what: &'static str, error: Option<impl ToString>) -> ProofFault {
    ProofFault::Point { claim, what, reason: error.map(|error| error.to_string()).unwrap_or_default() }
}

#[cfg(test)]
mod tests;
