//! From a certified root to an answer: the checks of one proof, from cheap to dear.
//!
//! The trusted side is the root, its version, and the dictionary's id, scheme and vector size; the
//! copies inside the proof are compared, never used. Once the parts hash to the root, their size
//! and commitment root are as good as the root, and the number of leaves is ceil(size / N), the
//! leaf position / N.

use aardvark_commitment::{Commitment, Opening, Scheme, VectorCommitment};
use aardvark_dictionary::commitment_tree::root_of_path;
use aardvark_dictionary::root::{Digest, RootParts};
use aardvark_dictionary::{Claim, Key, Value};
use aardvark_proof::proof_json::Proof;
use aardvark_proof::root_json::ProofRoot;

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
/// [`ProofFault`] of the first check that fails, in the order of the module's documentation.
pub fn verify_answer(
    scheme: &Scheme,
    facts: &DictionaryFacts,
    (version, root): (u64, &Digest),
    (key, question): (&Key, Question),
    proof: &Proof,
) -> Result<Answer, ProofFault> {
    is_about(facts, version, key, proof)?;
    let tied = proof.root.as_ref().ok_or(ProofFault::NoRoot)?;
    let parts = RootParts { version, ..tied.parts(&facts.id) };
    if tied.version != version || parts.root() != *root {
        return Err(ProofFault::RootFalse(version));
    }
    let (covering, predecessor) = claims_of(key, question, proof, tied)?;
    for (number, (claim, path)) in (1..).zip(proof.claims.iter().zip(&tied.claims)) {
        let commitment = Commitment::from_bytes(&path.commitment).map_err(|error| ProofFault::Point {
            claim: number,
            what: "commitment",
            reason: error.to_string(),
        })?;
        is_tied(facts, &parts, number, claim, (&commitment, &path.path))?;
        opening_holds(scheme, facts, number, claim, &commitment)?;
    }
    if !covering.slot.covers(key) {
        return Err(ProofFault::NotCovering);
    }
    if predecessor.is_some_and(|claim| claim.slot.next != *key || claim.position == covering.position) {
        return Err(ProofFault::NotPredecessor);
    }
    let value = (covering.slot.key == *key).then(|| covering.slot.value.clone());
    Ok(Answer { value, claims: proof.claims.clone() })
}

/// Whether the proof says that it is about what was asked: a mix-up then has a clear name.
fn is_about(facts: &DictionaryFacts, version: u64, key: &Key, proof: &Proof) -> Result<(), ProofFault> {
    let differences = [
        ("dictionary", hex::encode(proof.dictionary.0), hex::encode(facts.id.0)),
        ("scheme", proof.scheme.to_string(), facts.scheme.to_string()),
        ("vector size", proof.vector_size.to_string(), facts.vector_size.to_string()),
        ("version", proof.version.to_string(), version.to_string()),
        ("key", hex::encode(&*proof.key), hex::encode(&**key)),
    ];
    match differences.into_iter().find(|(_, found, asked)| found != asked) {
        Some((what, found, asked)) => Err(ProofFault::AboutAnother { what, found, asked }),
        None => Ok(()),
    }
}

/// The covering claim, and the predecessor's where the question and the answer need it: neither
/// more nor fewer.
fn claims_of<'a>(
    key: &Key,
    question: Question,
    proof: &'a Proof,
    tied: &ProofRoot,
) -> Result<(&'a Claim, Option<&'a Claim>), ProofFault> {
    let present = proof.claims.first().is_some_and(|claim| claim.slot.key == *key);
    let wanted = if question == Question::Delete && present { 2 } else { 1 };
    let (claims, paths) = (proof.claims.len(), tied.claims.len());
    match proof.claims.as_slice() {
        [covering, rest @ ..] if claims == wanted && paths == wanted => Ok((covering, rest.first())),
        _ => Err(ProofFault::Count { claims, paths, wanted: if wanted == 2 { "two" } else { "one" } }),
    }
}

/// Whether the commitment is that of the claim's vector, and the position one of the array.
fn is_tied(
    facts: &DictionaryFacts,
    parts: &RootParts,
    number: usize,
    claim: &Claim,
    (commitment, path): (&Commitment, &[Digest]),
) -> Result<(), ProofFault> {
    let (position, size) = (claim.position, parts.size);
    if position >= size {
        return Err(ProofFault::PositionOutOfRange { claim: number, position, size });
    }
    let vectors = size.div_ceil(facts.vector_size.into());
    let vector = position / u64::from(facts.vector_size);
    match root_of_path(vectors, vector, commitment, path) {
        Some(found) if found == parts.commitment_root => Ok(()),
        _ => Err(ProofFault::PathFalse(number)),
    }
}

fn opening_holds(
    scheme: &Scheme,
    facts: &DictionaryFacts,
    number: usize,
    claim: &Claim,
    commitment: &Commitment,
) -> Result<(), ProofFault> {
    let opening = Opening::from_bytes(&claim.opening).map_err(|error| ProofFault::Point {
        claim: number,
        what: "opening",
        reason: error.to_string(),
    })?;
    let index = usize::try_from(claim.position % u64::from(facts.vector_size)).unwrap_or(usize::MAX);
    match scheme.verify(commitment, index, &claim.slot.scalar(), &opening) {
        true => Ok(()),
        false => Err(ProofFault::OpeningFalse { claim: number, position: claim.position }),
    }
}

#[cfg(test)]
mod tests;
