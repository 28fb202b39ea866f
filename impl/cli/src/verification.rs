//! Verifying a proof as a validator does that knows the commitments of one version, and nothing
//! else: what [`aardvark_proof`] says of it, in words for people.

use aardvark_commitment::{Commitment, Opening, Scheme};
use aardvark_dictionary::{Claim, Key};
use aardvark_proof::commitments_json::OtherSetup;
use aardvark_proof::key_proof::NotPredecessor;
use aardvark_proof::{Class, KeyRefusal, Reason, verify_key};

use crate::commitments_json::CommitmentsText;
use crate::hex_text::encode;
use crate::json::JsonError;
use crate::key_text::display;
use crate::proof_json::Proof;
use crate::report::Verdict;

pub use aardvark_proof::{KeyStatement as Answer, Strictness};

/// Why a proof does not hold.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The proof is about another dictionary, scheme, vector size or version.
    #[error("the proof is for {what} {found}, the commitments are for {what} {trusted}; take both from the same")]
    AboutAnother {
        /// What differs.
        what: &'static str,
        /// The proof's.
        found: String,
        /// That of the commitments.
        trusted: String,
    },
    /// The proof is about another key.
    #[error("the proof is for the key {found}, not for {asked}")]
    AnotherKey {
        /// The proof's.
        found: String,
        /// The one asked for.
        asked: String,
    },
    /// The claimed slot says nothing of the key.
    #[error("the slot of claim 1 covers the keys from {from} up to {to}, not {key}")]
    NotCovering {
        /// The slot's key.
        from: String,
        /// The slot's next key.
        to: String,
        /// The key asked for.
        key: String,
    },
    /// The second claim does not belong to the first.
    #[error("claim 2 is not the predecessor of {0}: {1}")]
    NotPredecessor(String, NotPredecessor),
    /// The claimed position is beyond the array.
    #[error("claim {claim} is for position {position}, where version {version} has {slots} slots")]
    PositionOutOfRange {
        /// Which claim, from 1.
        claim: usize,
        /// Its position.
        position: u64,
        /// The version.
        version: u64,
        /// Slots of that version.
        slots: u64,
    },
    /// The bytes of an opening are no point.
    #[error("the opening of claim {claim}: {reason}")]
    OpeningMalformed {
        /// Which claim, from 1.
        claim: usize,
        /// What is wrong.
        reason: String,
    },
    /// A commitment in the trusted file is no point.
    #[error("the commitment for position {position}: {reason}")]
    CommitmentMalformed {
        /// The position.
        position: u64,
        /// What is wrong.
        reason: String,
    },
    /// The opening does not prove the claim.
    #[error("the opening of claim {claim} does not prove that its slot stands at position {position}")]
    OpeningFalse {
        /// Which claim, from 1.
        claim: usize,
        /// Its position.
        position: u64,
    },
    /// A reason that no proof has which was read from a file.
    #[error("{0}")]
    Other(KeyRefusal),
    /// The scheme is not that of the commitments.
    #[error(transparent)]
    Setup(#[from] OtherSetup),
}

impl Refusal {
    /// Whether the proof is false, as opposed to malformed or about something else.
    pub fn is_proof_invalid(&self) -> bool {
        match self {
            Self::PositionOutOfRange { .. }
            | Self::OpeningFalse { .. }
            | Self::NotCovering { .. }
            | Self::NotPredecessor(..) => true,
            Self::Other(refusal) => refusal.class() == Class::False,
            Self::AboutAnother { .. }
            | Self::AnotherKey { .. }
            | Self::OpeningMalformed { .. }
            | Self::CommitmentMalformed { .. }
            | Self::Setup(_) => false,
        }
    }

    /// The verdict that the command ends with.
    pub fn verdict(&self) -> Verdict {
        if self.is_proof_invalid() { Verdict::False } else { Verdict::Malformed }
    }

    /// The reason's name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::AboutAnother { .. } => "AboutAnother",
            Self::AnotherKey { .. } => "AnotherKey",
            Self::NotCovering { .. } => "NotCovering",
            Self::NotPredecessor(..) => "NotPredecessor",
            Self::PositionOutOfRange { .. } => "PositionOutOfRange",
            Self::OpeningMalformed { .. } => "OpeningMalformed",
            Self::CommitmentMalformed { .. } => "CommitmentMalformed",
            Self::OpeningFalse { .. } => "OpeningFalse",
            Self::Other(KeyRefusal::Refused(refusal)) => refusal.reason.name(),
            Self::Other(_) => "ClaimCount",
            Self::Setup(_) => "OtherSetup",
        }
    }
}

/// Verifies `proof` for `key` against trusted commitments, on a scheme made for them.
///
/// # Errors
/// [`Refusal`] where the proof does not hold.
pub fn verify(
    scheme: &Scheme,
    known: &CommitmentsText<'_>,
    key: &Key,
    proof: &Proof,
    strictness: Strictness,
) -> Result<Answer, Refusal> {
    let trusted = known.trusted(scheme)?;
    verify_key(&trusted, key, proof, strictness).map_err(|refusal| in_words(refusal, known, key, proof, strictness))
}

/// A refusal with what it is about.
fn in_words(
    refusal: KeyRefusal,
    known: &CommitmentsText<'_>,
    key: &Key,
    proof: &Proof,
    strictness: Strictness,
) -> Refusal {
    let another = |what, found: String, trusted: String| Refusal::AboutAnother { what, found, trusted };
    let refused = match refusal {
        KeyRefusal::NotPredecessor(reason) => return Refusal::NotPredecessor(display(key), reason),
        KeyRefusal::Refused(refused) => refused,
        KeyRefusal::ClaimCount(_) | KeyRefusal::PathCount(_) => return Refusal::Other(refusal),
    };
    let place = refused.item.unwrap_or_default();
    let (claim, Some(Claim { position, slot, opening })) = (place.saturating_add(1), proof.claims.get(place)) else {
        return Refusal::Other(refusal);
    };
    let position = *position;
    match refused.reason {
        Reason::OtherDictionary => another("dictionary", encode(&proof.dictionary.0), encode(&known.dictionary.0)),
        Reason::OtherScheme => another("scheme", proof.scheme.to_string(), known.scheme.to_string()),
        Reason::OtherVectorSize => another("vector size", proof.vector_size.to_string(), known.vector_size.to_string()),
        Reason::OtherVersion => another("version", proof.version.to_string(), known.version.to_string()),
        Reason::OtherQuestion => Refusal::AnotherKey { found: display(&proof.key), asked: display(key) },
        Reason::AnswerPositionOutOfRange => {
            Refusal::PositionOutOfRange { claim, position, version: known.version, slots: known.slots }
        }
        Reason::TiedVectorsMismatched | Reason::CommitmentMalformed => {
            Refusal::CommitmentMalformed { position, reason: commitment_fault(known, position) }
        }
        Reason::AnswerOpeningMalformed => {
            let decoded = match strictness {
                Strictness::Format => Opening::from_bytes(opening),
                Strictness::Subgroup => Opening::from_bytes_strict(opening),
            };
            Refusal::OpeningMalformed { claim, reason: decoded.err().map(|e| e.to_string()).unwrap_or_default() }
        }
        Reason::AnswerOpeningFalse => Refusal::OpeningFalse { claim, position },
        Reason::ChainNotCovering => {
            Refusal::NotCovering { from: bound(&slot.key), to: bound(&slot.next), key: display(key) }
        }
        _ => Refusal::Other(refusal),
    }
}

/// The ends of a covered interval, as people read them: the empty key is where the ring begins and
/// ends.
fn bound(key: &[u8]) -> String {
    if key.is_empty() { "the end of the ring".to_owned() } else { display(key) }
}

/// What is wrong with a commitment that the trusted file has.
fn commitment_fault(known: &CommitmentsText<'_>, position: u64) -> String {
    let bytes = known
        .of_position(position)
        .and_then(|found| found.ok_or_else(|| JsonError::Number("there is none".to_owned())));
    match bytes {
        Err(error) => error.to_string(),
        Ok(bytes) => Commitment::from_bytes(&bytes).err().map(|error| error.to_string()).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
