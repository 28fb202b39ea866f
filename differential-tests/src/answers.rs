//! Answers to readers: the specification and `aardvark-proof` judge the same proofs, honest ones
//! and lies.
//!
//! A [`world`] has a dictionary at several versions, and a second one with the same keys. Its
//! honest proofs are the specification's, with points for exponents. [`lies`] change and recombine
//! them. [`judge`] gives a proof to both sides, and asks that they say the same: the answer, or the
//! reason and the item. What is accepted must be what an ordinary map answers, however the proof
//! came about.
//!
//! Restrictions of the input space, and why no bug is lost: keys are those of [`crate::setting`],
//! and N is at most 4, as there. A proof's scheme is always the true one, since the specification
//! takes it for granted; the tests of `aardvark-proof` have the other one. Digests have 32 bytes,
//! as their type says, so that `PartsMalformed` is not met.

mod convert;
pub mod lies;
pub mod world;

use aardvark_proof::{Answer, AnswerProof, KnownCommitments, KnownRoot, Question, Trusted, verify};
use aardvark_spec::answer::answer_proof;
use aardvark_spec::answer::ideal_answer::ideal_answer;
use aardvark_spec::answer::verify::verify_answer;

use crate::answers::convert::{answer_from_spec, proof_to_spec};
use crate::answers::world::{Believed, State, World};
use crate::compare::{Mismatch, same};
use crate::convert::{bytes_to_spec, number_to_spec};

pub use convert::question_to_spec;

/// What both sides say of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It answers.
    Answer(Answer),
    /// It does not: the reason's name, and the item.
    Refused(String, Option<usize>),
}

/// Gives a proof to both sides, under what is believed of a state.
///
/// # Errors
/// Where they differ, or accept what is not so.
pub fn judge(
    world: &World,
    state: &State,
    believed: Believed,
    asked: &Question,
    proof: &AnswerProof,
) -> Result<Verdict, Mismatch> {
    let implemented = match verify(&trusted(world, state, believed), asked, proof) {
        Ok(answer) => Verdict::Answer(answer),
        Err(refusal) => Verdict::Refused(refusal.reason.name().to_owned(), refusal.item),
    };
    let spec_question = question_to_spec(asked);
    let spec_proof = proof_to_spec(proof, &world.points);
    let spec_trusted = trusted_to_spec(world, state, believed);
    let specified = match verify_answer(&world.setting.setup, &spec_trusted, &spec_question, &spec_proof) {
        Ok(answer) => Verdict::Answer(answer_from_spec(&answer)),
        Err(refusal) => Verdict::Refused(format!("{:?}", refusal.refusal_reason), refusal.refusal_item),
    };
    same("verdict on an answer", &specified, &implemented)?;
    if let Verdict::Answer(answer) = &implemented {
        let ideal = answer_from_spec(&ideal_answer(&spec_question, &state.map));
        same("what is accepted is what a map answers", &ideal, answer)?;
    }
    Ok(implemented)
}

/// What the implementation believes.
pub fn trusted<'a>(world: &'a World, state: &'a State, believed: Believed) -> Trusted<'a> {
    let (dictionary, scheme) = (state.dictionary, &*world.setting.scheme);
    match believed {
        Believed::Commitments => Trusted::Commitments(KnownCommitments {
            dictionary,
            scheme,
            version: state.version,
            size: state.slots.len() as u64,
            commitments: &state.commitments,
        }),
        Believed::Root => Trusted::Root(KnownRoot { dictionary, scheme, digest: state.parts.root() }),
    }
}

fn trusted_to_spec(world: &World, state: &State, believed: Believed) -> answer_proof::Trusted {
    let dictionary = bytes_to_spec(&state.dictionary.0);
    let n = world.vector_size();
    match believed {
        Believed::Commitments => answer_proof::Trusted::TrustedCommitments(answer_proof::KnownCommitments {
            known_dictionary: dictionary,
            known_vector_size: n,
            known_version: number_to_spec(state.version),
            known_size: state.slots.len(),
            known_commitments: state.exponents.clone(),
        }),
        Believed::Root => answer_proof::Trusted::TrustedRoot(answer_proof::KnownRoot {
            root_dictionary: dictionary,
            root_vector_size: n,
            root_digest: bytes_to_spec(&state.parts.root()),
        }),
    }
}
