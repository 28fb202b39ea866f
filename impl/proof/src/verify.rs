//! Verifying an answer (`aardvark_spec::answer::verify`): the one function that everyone who reads
//! a dictionary calls.
//!
//! The phases run in this order over the whole proof, and in the first that fails the lowest item
//! names the reason:
//!
//! ```text
//! identity   it is there and well-formed, and names the verifier's setup   (under a root alone)
//! form       the question can be asked; slots have lengths of the format
//! about      dictionary, scheme, vector size, version, question
//! root       parts hash to the root; each vector's path leads to it            (under a root)
//! positions  each is in use, and its vector's commitment is known
//! openings   none malformed; each opens its vector's commitment to its slot's scalar
//! chain      the slots answer the question
//! ```
//!
//! The work is bounded by the proof's length, and nothing that a proof says can make it panic.

use aardvark_commitment::{Commitment, Scheme, VectorCommitment};
use aardvark_dictionary::{Claim, DictionaryId};

use crate::answer_basis::{Basis, Known};
use crate::answer_openings::{Strictness, check_openings};
use crate::answer_proof::{AnswerProof, Trusted};
use crate::answer_reason::{Reason, Refusal};
use crate::key_text::{MAX_KEY_BYTES, MAX_VALUE_BYTES};
use crate::question::Question;
use crate::scan::{Answer, ChainFault, answer_of_slots};

/// The answer that a proof gives to a question, under what is trusted.
///
/// # Errors
/// Why it gives none: the first check that fails, in the order of the module's documentation.
pub fn verify(trusted: &Trusted<'_>, question: &Question, proof: &AnswerProof) -> Result<Answer, Refusal> {
    verify_with(trusted, question, proof, Strictness::Format)
}

/// [`verify`] under another rule for the encodings of openings.
///
/// # Errors
/// As [`verify`].
pub fn verify_with(
    trusted: &Trusted<'_>,
    question: &Question,
    proof: &AnswerProof,
    strictness: Strictness,
) -> Result<Answer, Refusal> {
    let known = &Known::new(trusted, proof)?;
    check_form(question, &proof.claims)?;
    check_about(known, question, proof)?;
    let basis = Basis::new(known, proof)?;
    let commitments = basis.commitments_of(&proof.claims)?;
    check_openings(known, proof, &commitments, strictness)?;
    answer_of_slots(question, proof.claims.iter().map(|claim| &claim.slot)).map_err(|fault| {
        Refusal::whole(match fault {
            ChainFault::NotCovering => Reason::ChainNotCovering,
            ChainFault::SlotSuperfluous => Reason::ChainSuperfluous,
            ChainFault::SlotMissing => Reason::ChainMissing,
        })
    })
}

/// What openings are checked against, once all before them was: for those who have more to check
/// than a question's answer, and check the openings together with it.
#[derive(Debug)]
pub struct Grounds<'a> {
    /// The scheme on the dictionary's setup.
    pub scheme: &'a Scheme,
    /// The dictionary.
    pub dictionary: DictionaryId,
    /// For each claim of the proof the commitment of its vector, in which the position is in use.
    pub commitments: Vec<Commitment>,
}

/// The phases before the openings, of a proof that answers the question it says.
///
/// # Errors
/// As [`verify`], but for openings and chain.
pub fn grounds<'a>(trusted: &Trusted<'a>, proof: &AnswerProof) -> Result<Grounds<'a>, Refusal> {
    let known = &Known::new(trusted, proof)?;
    check_form(&proof.question, &proof.claims)?;
    check_about(known, &proof.question, proof)?;
    let commitments = Basis::new(known, proof)?.commitments_of(&proof.claims)?;
    Ok(Grounds { scheme: known.scheme(), dictionary: *known.dictionary(), commitments })
}

/// The form of a question and of the slots that are to answer it.
pub(crate) fn check_form(question: &Question, claims: &[Claim]) -> Result<(), Refusal> {
    if !question.is_legal() {
        return Err(Refusal::whole(Reason::QuestionIllegal));
    }
    let too_long = |Claim { slot, .. }: &Claim| {
        slot.key.len() > MAX_KEY_BYTES || slot.next.len() > MAX_KEY_BYTES || slot.value.len() > MAX_VALUE_BYTES
    };
    match claims.iter().position(too_long) {
        Some(c) => Err(Refusal::item(Reason::AnswerSlotTooLong, c)),
        None => Ok(()),
    }
}

/// Whether the proof says that it is about what is trusted and asked.
fn check_about(known: &Known<'_>, question: &Question, proof: &AnswerProof) -> Result<(), Refusal> {
    let other_version = match known {
        Known::Commitments(known) => known.version != proof.version,
        // A root says its version by its parts.
        Known::Root(_) => false,
    };
    let differences = [
        (proof.dictionary != *known.dictionary(), Reason::OtherDictionary),
        (proof.scheme != known.scheme().kind(), Reason::OtherScheme),
        (u64::from(proof.vector_size) != known.scheme().vector_size() as u64, Reason::OtherVectorSize),
        (other_version, Reason::OtherVersion),
        (proof.question != *question, Reason::OtherQuestion),
    ];
    match differences.into_iter().find(|(differs, _)| *differs) {
        Some((_, reason)) => Err(Refusal::whole(reason)),
        None => Ok(()),
    }
}
