//! Verifying a proof as a validator does that knows the commitments of one version, and nothing else.
//!
//! Scheme, vector size, version, number of slots and dictionary come from the commitments, the key from whoever asks. The
//! copies inside the proof are compared, never used: a vector size taken from a proof would open polynomials off their
//! domain, where slots can be forged. The order is from cheap to dear: what the proof is about, then the ranges and what
//! the slots cover, then the points, then the pairing.

use aardvark_commitment::{Commitment, Opening, Scheme, VectorCommitment};
use aardvark_dictionary::{Claim, Key, Value};

use crate::commitments_json::CommitmentsText;
use crate::hex_text::encode;
use crate::json::JsonError;
use crate::key_text::display;
use crate::proof_json::Proof;
use crate::report::Verdict;

/// Which encodings of openings are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// The format's rule, on which validators agree: the subgroup is not required.
    Format,
    /// The rule of other KZG verifiers: in the subgroup.
    Subgroup,
}

/// What a proof that holds says of its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The value, or `None` where the key is absent.
    pub value: Option<Value>,
    /// Whether the proof is good for a deletion too: it shows the key's predecessor.
    pub shows_predecessor: bool,
}

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
    NotPredecessor(String, &'static str),
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
}

impl Refusal {
    /// Whether the proof is false, as opposed to malformed or about something else.
    pub fn is_proof_invalid(&self) -> bool {
        matches!(self, Self::PositionOutOfRange { .. } | Self::OpeningFalse { .. })
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
    is_about_the_known(known, key, proof)?;
    let (covering, predecessor) = match proof.claims.as_slice() {
        [covering] => (covering, None),
        [covering, predecessor] => (covering, Some(predecessor)),
        _ => return Err(Refusal::NotPredecessor(display(key), "a proof has one claim, or two")),
    };
    for (number, claim) in (1..).zip(&proof.claims) {
        is_in_range(known, number, claim)?;
    }
    if !covering.slot.covers(key) {
        let (from, to) = (bound(&covering.slot.key), bound(&covering.slot.next));
        return Err(Refusal::NotCovering { from, to, key: display(key) });
    }
    if let Some(predecessor) = predecessor {
        precedes(covering, predecessor, key)?;
    }
    for (number, claim) in (1..).zip(&proof.claims) {
        opening_holds(scheme, known, number, claim, strictness)?;
    }
    let value = (covering.slot.key == *key).then(|| covering.slot.value.clone());
    Ok(Answer { value, shows_predecessor: predecessor.is_some() })
}

/// The ends of a covered interval, as people read them: the empty key is where the ring begins and ends.
fn bound(key: &[u8]) -> String {
    if key.is_empty() { "the end of the ring".to_owned() } else { display(key) }
}

fn is_about_the_known(known: &CommitmentsText<'_>, key: &Key, proof: &Proof) -> Result<(), Refusal> {
    let differences = [
        ("dictionary", encode(&proof.dictionary.0), encode(&known.dictionary.0)),
        ("scheme", proof.scheme.to_string(), known.scheme.to_string()),
        ("vector size", proof.vector_size.to_string(), known.vector_size.to_string()),
        ("version", proof.version.to_string(), known.version.to_string()),
    ];
    if let Some((what, found, trusted)) = differences.into_iter().find(|(_, found, trusted)| found != trusted) {
        return Err(Refusal::AboutAnother { what, found, trusted });
    }
    if proof.key != *key {
        return Err(Refusal::AnotherKey { found: display(&proof.key), asked: display(key) });
    }
    Ok(())
}

fn is_in_range(known: &CommitmentsText<'_>, claim: usize, Claim { position, .. }: &Claim) -> Result<(), Refusal> {
    match *position {
        position if position < known.slots => Ok(()),
        position => Err(Refusal::PositionOutOfRange { claim, position, version: known.version, slots: known.slots }),
    }
}

/// Whether the second claim is the one that a deletion of the first one's key needs.
fn precedes(covering: &Claim, predecessor: &Claim, key: &Key) -> Result<(), Refusal> {
    let refuse = |reason| Err(Refusal::NotPredecessor(display(key), reason));
    if covering.slot.key != *key {
        refuse("claim 1 says that the key is absent, and nothing is needed to delete an absent key")
    } else if predecessor.position == covering.position {
        refuse("both claims are for one position")
    } else if predecessor.slot.next != *key {
        refuse("the next key of its slot is another")
    } else {
        Ok(())
    }
}

fn opening_holds(
    scheme: &Scheme,
    known: &CommitmentsText<'_>,
    number: usize,
    claim: &Claim,
    strictness: Strictness,
) -> Result<(), Refusal> {
    let position = claim.position;
    let malformed = |reason: String| Refusal::CommitmentMalformed { position, reason };
    let commitment = known
        .of_position(position)
        .and_then(|bytes| bytes.ok_or_else(|| JsonError::Number("there is none".to_owned())))
        .map_err(|error| malformed(error.to_string()))?;
    let commitment = Commitment::from_bytes(&commitment).map_err(|error| malformed(error.to_string()))?;
    let opening = match strictness {
        Strictness::Format => Opening::from_bytes(&claim.opening),
        Strictness::Subgroup => Opening::from_bytes_strict(&claim.opening),
    };
    let opening = opening.map_err(|error| Refusal::OpeningMalformed { claim: number, reason: error.to_string() })?;
    let index = usize::try_from(position % u64::from(known.vector_size)).unwrap_or(usize::MAX);
    if scheme.verify(&commitment, index, &claim.slot.scalar(), &opening) {
        Ok(())
    } else {
        Err(Refusal::OpeningFalse { claim: number, position })
    }
}

#[cfg(test)]
mod tests;
