//! Verifying an answer (`aardvark_spec::answer::verify`): the one function that everyone who reads
//! a dictionary calls.
//!
//! The phases run in this order over the whole proof, and in the first that fails the lowest item
//! names the reason:
//!
//! ```text
//! form       the question can be asked; slots have lengths of the format
//! about      dictionary, scheme, vector size, version, question
//! root       parts hash to the root; each vector's path leads to it            (under a root)
//! positions  each is in use, and its vector's commitment is known
//! openings   none malformed; each opens its vector's commitment to its slot's scalar
//! chain      the slots answer the question
//! ```
//!
//! All openings are checked in one batch, whose coefficients hash all claims; only where it fails
//! is the lowest false claim searched for. The work is bounded by the proof's length, and nothing
//! that a proof says can make it panic.

use aardvark_commitment::{BatchClaim, Commitment, Opening, VectorCommitment};
use aardvark_dictionary::Claim;

use crate::answer_basis::Basis;
use crate::answer_proof::{AnswerProof, Trusted};
use crate::answer_reason::{Reason, Refusal};
use crate::key_text::{MAX_KEY_BYTES, MAX_VALUE_BYTES};
use crate::question::Question;
use crate::scan::{Answer, ChainFault, answer_of_slots};

/// Which encodings of openings are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strictness {
    /// The format's rule, on which validators agree: the subgroup is not required.
    #[default]
    Format,
    /// The rule of other KZG verifiers: in the subgroup.
    Subgroup,
}

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
    check_form(question, &proof.claims)?;
    check_about(trusted, question, proof)?;
    let basis = Basis::new(trusted, proof)?;
    let commitments = basis.commitments_of(&proof.claims)?;
    let openings = decode_openings(&proof.claims, strictness)?;
    check_openings(trusted, basis.vector_size, proof, &commitments, &openings)?;
    answer_of_slots(question, proof.claims.iter().map(|claim| &claim.slot)).map_err(|fault| {
        Refusal::whole(match fault {
            ChainFault::NotCovering => Reason::ChainNotCovering,
            ChainFault::SlotSuperfluous => Reason::ChainSuperfluous,
            ChainFault::SlotMissing => Reason::ChainMissing,
        })
    })
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
fn check_about(trusted: &Trusted<'_>, question: &Question, proof: &AnswerProof) -> Result<(), Refusal> {
    let other_version = match trusted {
        Trusted::Commitments(known) => known.version != proof.version,
        // A root says its version by its parts.
        Trusted::Root(_) => false,
    };
    let differences = [
        (proof.dictionary != *trusted.dictionary(), Reason::OtherDictionary),
        (proof.scheme != trusted.scheme().kind(), Reason::OtherScheme),
        (u64::from(proof.vector_size) != trusted.vector_size(), Reason::OtherVectorSize),
        (other_version, Reason::OtherVersion),
        (proof.question != *question, Reason::OtherQuestion),
    ];
    match differences.into_iter().find(|(differs, _)| *differs) {
        Some((_, reason)) => Err(Refusal::whole(reason)),
        None => Ok(()),
    }
}

fn decode_openings(claims: &[Claim], strictness: Strictness) -> Result<Vec<Opening>, Refusal> {
    let decode = match strictness {
        Strictness::Format => Opening::from_bytes,
        Strictness::Subgroup => Opening::from_bytes_strict,
    };
    let decode = |(c, claim): (usize, &Claim)| {
        decode(&claim.opening).map_err(|_| Refusal::item(Reason::AnswerOpeningMalformed, c))
    };
    claims.iter().enumerate().map(decode).collect()
}

/// Whether all openings prove their claims.
fn check_openings(
    trusted: &Trusted<'_>,
    vector_size: u64,
    proof: &AnswerProof,
    commitments: &[Commitment],
    openings: &[Opening],
) -> Result<(), Refusal> {
    let claims = proof.claims.iter().zip(commitments).zip(openings).map(|((claim, commitment), opening)| BatchClaim {
        label: proof.version,
        commitment: *commitment,
        // Below N, which is a usize.
        index: usize::try_from(claim.position % vector_size).unwrap_or(usize::MAX),
        scalar: claim.slot.scalar(),
        opening: *opening,
    });
    let claims: Vec<BatchClaim> = claims.collect();
    let (scheme, dictionary) = (trusted.scheme(), &trusted.dictionary().0);
    if scheme.verify_batch(dictionary, &claims) {
        return Ok(());
    }
    // Where the search would find none, which cannot be, the proof is refused all the same.
    let first = scheme.first_false(dictionary, &claims).unwrap_or_default();
    Err(Refusal::item(Reason::AnswerOpeningFalse, first))
}
