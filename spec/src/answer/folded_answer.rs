//! Answers whose openings are folded: 96 bytes for all claims of a proof, however many. KZG only.
//!
//! All but the openings is as in [`crate::answer::verify`]: the same phases in the same order, with
//! the same reasons. The fold's context is `H("AARDVARK-V1-FOLD-ANSWER", dictionary (32) || u64
//! version || u32 N)`; its claims are those of the proof, in their order: the commitment of the
//! claim's vector, ω^index, and the scalar of the slot. Source: docs/answers.md, "Many openings in
//! one".

use crate::answer::answer_basis::*;
use crate::answer::answer_proof::*;
use crate::answer::answer_reason::*;
use crate::answer::question::*;
use crate::answer::scan::*;
use crate::answer::verify::*;
use crate::base::bytes::*;
use crate::base::group::*;
use crate::base::hash::*;
use crate::base::scalar::*;
use crate::block::transaction::*;
use crate::commitment::folded_opening::*;
use crate::commitment::kzg::*;
use crate::commitment::opening::*;
use crate::commitment::scheme::*;
use crate::dictionary::slot::*;
use crate::dictionary::vectors::*;
use hacspec_lib::*;

/// A proof whose openings are folded.
#[derive(Clone, Debug)]
pub struct FoldedAnswerProof {
    /// The proof; the openings of its claims mean nothing.
    pub unopened_proof: AnswerProof,
    /// The encoded W as received, 48 bytes.
    pub received_quotient: ByteString,
    /// What these bytes decode to.
    pub decoded_quotient: Opening,
    /// What the bytes of W' decode to.
    pub decoded_witness: Opening,
}

/// The tag of the context of answers.
pub fn tag_fold_answer() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-FOLD-ANSWER")
}

/// The context of an answer's fold.
pub fn fold_answer_context(proof: &AnswerProof) -> ByteString {
    tagged_hash(
        &tag_fold_answer(),
        &proof.proof_dictionary.concat(&u64_bytes(proof.proof_version)).concat(&u32_bytes(proof.proof_vector_size)),
    )
}

/// The commitment of a claim's vector; the identity where none is known, which positions have been
/// checked for.
pub fn claimed_commitment(basis: &AnswerBasis, claim: &Claim) -> G1 {
    match basis_commitment(basis, vector_of(claim.claim_position, basis.basis_vector_size)) {
        None => g1_identity(),
        Some(commitment) => commitment,
    }
}

/// One step of [`folded_claims`].
pub fn folded_claims_step(
    folded: Seq<FoldedClaim>,
    setup: &KzgSetup,
    basis: &AnswerBasis,
    claim: &Claim,
) -> Seq<FoldedClaim> {
    folded.push_owned(FoldedClaim {
        folded_commitment: claimed_commitment(basis, claim),
        folded_point: scalar_at(&setup.kzg_domain, index_of(claim.claim_position, basis.basis_vector_size)),
        folded_value: scalar_of_slot(&claim.claim_slot),
    })
}

/// The claims of a proof, as those of a fold.
pub fn folded_claims(setup: &KzgSetup, basis: &AnswerBasis, items: &Seq<Claim>) -> Seq<FoldedClaim> {
    let mut folded = Seq::<FoldedClaim>::new(0);
    for c in 0..items.len() {
        folded = folded_claims_step(folded, setup, basis, &items[c]);
    }
    folded
}

/// The two points of a proof, if the bytes of neither break the format's rule.
pub fn decoded_fold(proof: &FoldedAnswerProof) -> Result<FoldedOpening, AnswerRefusal> {
    match &proof.decoded_quotient {
        Opening::Malformed => Err(refuse_answer(AnswerReason::AnswerOpeningMalformed)),
        Opening::Point(quotient) => match &proof.decoded_witness {
            Opening::Malformed => Err(refuse_answer(AnswerReason::AnswerOpeningMalformed)),
            Opening::Point(witness) => Ok(FoldedOpening { folded_quotient: *quotient, folded_witness: *witness }),
        },
    }
}

/// Whether the two points show all claims. Other schemes than KZG have no folded openings.
pub fn check_fold(
    setup: &Setup,
    basis: &AnswerBasis,
    proof: &FoldedAnswerProof,
    bound_claims: &Seq<FoldedClaimBytes>,
    opening: &FoldedOpening,
) -> Result<(), AnswerRefusal> {
    match setup {
        Setup::LibertYung(_) => Err(refuse_answer(AnswerReason::AnswerOpeningFalse)),
        Setup::Kzg(kzg) => {
            if verify_folded(
                kzg,
                &fold_answer_context(&proof.unopened_proof),
                bound_claims,
                &folded_claims(kzg, basis, &proof.unopened_proof.proof_claims),
                &proof.received_quotient,
                opening,
            ) {
                Ok(())
            } else {
                Err(refuse_answer(AnswerReason::AnswerOpeningFalse))
            }
        }
    }
}

/// The answer that a proof with folded openings gives, as [`verify_answer`] has it for one with
/// plain ones. `bound_claims` are the encodings of the claims, which a verifier makes of what it
/// has checked.
pub fn verify_folded_answer(
    setup: &Setup,
    trusted: &Trusted,
    question: &Question,
    proof: &FoldedAnswerProof,
    bound_claims: &Seq<FoldedClaimBytes>,
) -> Result<Answer, AnswerRefusal> {
    let _ = check_answer_form(question, &proof.unopened_proof)?;
    let _ = check_answer_about(trusted, question, &proof.unopened_proof)?;
    let basis = answer_basis(trusted, &proof.unopened_proof)?;
    let _ = check_answer_positions(&basis, &proof.unopened_proof.proof_claims)?;
    let opening = decoded_fold(proof)?;
    let _ = check_fold(setup, &basis, proof, bound_claims, &opening)?;
    answer_of_claims(question, &proof.unopened_proof.proof_claims)
}
