//! Answers whose openings are folded, for those who hold a state root and nothing else: 96 bytes
//! for all claims of a proof, and 32 bytes that are trusted. KZG only.
//!
//! The identity is judged as in [`crate::answer::rooted_answer`], all else as in
//! [`crate::answer::folded_answer`] under the root. Source: docs/answers.md.

use crate::answer::answer_proof::*;
use crate::answer::answer_reason::*;
use crate::answer::folded_answer::*;
use crate::answer::question::*;
use crate::answer::rooted_answer::*;
use crate::answer::scan::*;
use crate::base::bytes::*;
use crate::commitment::folded_opening::*;
use crate::commitment::scheme::*;
use hacspec_lib::*;

/// A proof whose openings are folded, and what its dictionary's id is over.
#[derive(Clone, Debug)]
pub struct FoldedRootedProof {
    /// What the id is over.
    pub folded_identity: DictionaryIdentity,
    /// The proof.
    pub folded_proof: FoldedAnswerProof,
}

/// The answer that a proof with folded openings gives to a question, under a root alone; or why it
/// gives none. `bound_claims` are those of [`verify_folded_answer`].
pub fn verify_folded_rooted_answer(
    setup: &Setup,
    trusted_root: &ByteString,
    question: &Question,
    proof: &FoldedRootedProof,
    bound_claims: &Seq<FoldedClaimBytes>,
) -> Result<Answer, AnswerRefusal> {
    if identity_well_formed(&proof.folded_identity) {
        let known = known_root_of(trusted_root, &proof.folded_identity);
        verify_folded_answer(setup, &Trusted::TrustedRoot(known), question, &proof.folded_proof, bound_claims)
    } else {
        Err(refuse_answer(AnswerReason::PartsMalformed))
    }
}
