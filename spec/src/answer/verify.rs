//! Verifying an answer: the one function that everyone who reads a dictionary calls.
//!
//! What is trusted is either the commitments of a version with its number of slots, or a state
//! root. All else comes from whoever answers, and so do dictionary, vector size, version and
//! question as the proof states them: they are compared, so that a mix-up has a clear name, and
//! never used.
//!
//! The phases run in this order over the whole proof, and in the first that fails the lowest item
//! names the reason:
//!
//! ```text
//! form       the question can be asked; slots have lengths of the format
//! about      dictionary, vector size, version, question
//! root       parts hash to the root; each vector's path leads to it            (under a root)
//! positions  each is in use, and its vector's commitment is known
//! openings   none malformed; each opens its vector's commitment to its slot's scalar
//! chain      the slots answer the question
//! ```
//!
//! Source: docs/answers.md.

use crate::answer::answer_basis::*;
use crate::answer::answer_proof::*;
use crate::answer::answer_reason::*;
use crate::answer::question::*;
use crate::answer::scan::*;
use crate::base::bytes::*;
use crate::block::transaction::*;
use crate::commitment::opening::*;
use crate::commitment::scheme::*;
use crate::dictionary::slot::*;
use crate::dictionary::vectors::*;
use hacspec_lib::*;

/// The most bytes of a value in any dictionary.
pub const MAX_ANSWERED_LENGTH: usize = 1024;

/// Whether a slot's lengths are those of some dictionary.
pub fn slot_answerable(slot: &Slot) -> bool {
    slot.key.len() <= MAX_ASKED_LENGTH && slot.next.len() <= MAX_ASKED_LENGTH && slot.value.len() <= MAX_ANSWERED_LENGTH
}

/// One step of [`check_answer_slots`].
pub fn check_answer_slots_step(
    checked: Result<(), AnswerRefusal>,
    claim: &Claim,
    c: usize,
) -> Result<(), AnswerRefusal> {
    match checked {
        Err(refusal) => Err(refusal),
        Ok(_) => {
            if slot_answerable(&claim.claim_slot) {
                Ok(())
            } else {
                Err(refuse_answer_item(AnswerReason::AnswerSlotTooLong, c))
            }
        }
    }
}

/// Whether all claimed slots have lengths of the format.
pub fn check_answer_slots(items: &Seq<Claim>) -> Result<(), AnswerRefusal> {
    let mut checked = Ok(());
    for c in 0..items.len() {
        checked = check_answer_slots_step(checked, &items[c], c);
    }
    checked
}

/// The form of question and proof.
pub fn check_answer_form(question: &Question, proof: &AnswerProof) -> Result<(), AnswerRefusal> {
    if question_legal(question) {
        check_answer_slots(&proof.proof_claims)
    } else {
        Err(refuse_answer(AnswerReason::QuestionIllegal))
    }
}

/// The dictionary that is trusted.
pub fn trusted_dictionary(trusted: &Trusted) -> ByteString {
    match trusted {
        Trusted::TrustedCommitments(known) => known.known_dictionary.clone(),
        Trusted::TrustedRoot(known) => known.root_dictionary.clone(),
    }
}

/// The vector size that is trusted.
pub fn trusted_vector_size(trusted: &Trusted) -> usize {
    match trusted {
        Trusted::TrustedCommitments(known) => known.known_vector_size,
        Trusted::TrustedRoot(known) => known.root_vector_size,
    }
}

/// Whether the version is not another than the one that is trusted. A root says its version by its
/// parts.
pub fn version_fits(trusted: &Trusted, version_of_proof: usize) -> bool {
    match trusted {
        Trusted::TrustedCommitments(known) => known.known_version == version_of_proof,
        Trusted::TrustedRoot(_) => true,
    }
}

/// Whether the proof says that it is about what is trusted and asked.
pub fn check_answer_about(trusted: &Trusted, question: &Question, proof: &AnswerProof) -> Result<(), AnswerRefusal> {
    if !bytes_equal(&proof.proof_dictionary, &trusted_dictionary(trusted)) {
        Err(refuse_answer(AnswerReason::OtherDictionary))
    } else if proof.proof_vector_size != trusted_vector_size(trusted) {
        Err(refuse_answer(AnswerReason::OtherVectorSize))
    } else if !version_fits(trusted, proof.proof_version) {
        Err(refuse_answer(AnswerReason::OtherVersion))
    } else if !same_questions(&proof.proof_question, question) {
        Err(refuse_answer(AnswerReason::OtherQuestion))
    } else {
        Ok(())
    }
}

/// One step of [`check_answer_positions`].
pub fn check_answer_positions_step(
    checked: Result<(), AnswerRefusal>,
    basis: &AnswerBasis,
    claim: &Claim,
    c: usize,
) -> Result<(), AnswerRefusal> {
    match checked {
        Err(refusal) => Err(refusal),
        Ok(_) => {
            if claim.claim_position >= basis.basis_size {
                Err(refuse_answer_item(AnswerReason::AnswerPositionOutOfRange, c))
            } else {
                match basis_commitment(basis, vector_of(claim.claim_position, basis.basis_vector_size)) {
                    None => Err(refuse_answer_item(AnswerReason::TiedVectorsMismatched, c)),
                    Some(_) => Ok(()),
                }
            }
        }
    }
}

/// Whether all positions are in use, and their vectors' commitments known.
pub fn check_answer_positions(basis: &AnswerBasis, items: &Seq<Claim>) -> Result<(), AnswerRefusal> {
    let mut checked = Ok(());
    for c in 0..items.len() {
        checked = check_answer_positions_step(checked, basis, &items[c], c);
    }
    checked
}

/// One step of [`check_answer_encodings`].
pub fn check_answer_encodings_step(
    checked: Result<(), AnswerRefusal>,
    claim: &Claim,
    c: usize,
) -> Result<(), AnswerRefusal> {
    match checked {
        Err(refusal) => Err(refusal),
        Ok(_) => {
            if is_malformed(&claim.claim_opening) {
                Err(refuse_answer_item(AnswerReason::AnswerOpeningMalformed, c))
            } else {
                Ok(())
            }
        }
    }
}

/// Whether no opening's bytes break the format's rule.
pub fn check_answer_encodings(items: &Seq<Claim>) -> Result<(), AnswerRefusal> {
    let mut checked = Ok(());
    for c in 0..items.len() {
        checked = check_answer_encodings_step(checked, &items[c], c);
    }
    checked
}

/// Whether an opening proves its claim.
pub fn answer_opening_holds(setup: &Setup, basis: &AnswerBasis, claim: &Claim) -> bool {
    let n = basis.basis_vector_size;
    match basis_commitment(basis, vector_of(claim.claim_position, n)) {
        None => false,
        Some(commitment) => verify(
            setup,
            commitment,
            index_of(claim.claim_position, n),
            scalar_of_slot(&claim.claim_slot),
            &claim.claim_opening,
        ),
    }
}

/// One step of [`check_answer_openings`].
pub fn check_answer_openings_step(
    checked: Result<(), AnswerRefusal>,
    setup: &Setup,
    basis: &AnswerBasis,
    claim: &Claim,
    c: usize,
) -> Result<(), AnswerRefusal> {
    match checked {
        Err(refusal) => Err(refusal),
        Ok(_) => {
            if answer_opening_holds(setup, basis, claim) {
                Ok(())
            } else {
                Err(refuse_answer_item(AnswerReason::AnswerOpeningFalse, c))
            }
        }
    }
}

/// Whether all openings prove their claims.
pub fn check_answer_openings(setup: &Setup, basis: &AnswerBasis, items: &Seq<Claim>) -> Result<(), AnswerRefusal> {
    let mut checked = Ok(());
    for c in 0..items.len() {
        checked = check_answer_openings_step(checked, setup, basis, &items[c], c);
    }
    checked
}

/// One step of [`claimed_slots`].
pub fn claimed_slots_step(chain: Seq<Slot>, claim: &Claim) -> Seq<Slot> {
    chain.push_owned(claim.claim_slot.clone())
}

/// The slots of claims.
pub fn claimed_slots(items: &Seq<Claim>) -> Seq<Slot> {
    let mut chain = Seq::<Slot>::new(0);
    for c in 0..items.len() {
        chain = claimed_slots_step(chain, &items[c]);
    }
    chain
}

/// The reason for a fault of the chain.
pub fn reason_of_fault(fault: &ChainFault) -> AnswerReason {
    match fault {
        ChainFault::NotCovering => AnswerReason::ChainNotCovering,
        ChainFault::SlotSuperfluous => AnswerReason::ChainSuperfluous,
        ChainFault::SlotMissing => AnswerReason::ChainMissing,
    }
}

/// The answer of claims whose openings hold.
pub fn answer_of_claims(question: &Question, items: &Seq<Claim>) -> Result<Answer, AnswerRefusal> {
    match answer_of_slots(question, &claimed_slots(items)) {
        Ok(answer) => Ok(answer),
        Err(fault) => Err(refuse_answer(reason_of_fault(&fault))),
    }
}

/// The answer that a proof gives to a question, under what is trusted; or why it gives none.
pub fn verify_answer(
    setup: &Setup,
    trusted: &Trusted,
    question: &Question,
    proof: &AnswerProof,
) -> Result<Answer, AnswerRefusal> {
    let _ = check_answer_form(question, proof)?;
    let _ = check_answer_about(trusted, question, proof)?;
    let basis = answer_basis(trusted, proof)?;
    let _ = check_answer_positions(&basis, &proof.proof_claims)?;
    let _ = check_answer_encodings(&proof.proof_claims)?;
    let _ = check_answer_openings(setup, &basis, &proof.proof_claims)?;
    answer_of_claims(question, &proof.proof_claims)
}
