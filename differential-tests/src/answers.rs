//! Answers to readers: the specification, the proofs' oracle and `aardvark-proof` judge the same
//! proofs, honest ones and lies.
//!
//! A [`world`] has a dictionary at several versions, and a second one with the same keys. Its
//! honest proofs are the specification's, with points for exponents. [`lies`] change and recombine
//! them, make some from nothing, and damage their encodings. [`judge`] gives a proof to all, and
//! asks that they say the same: the answer, or the reason, its class and the item. What is accepted
//! must be what an ordinary map answers, however the proof came about.
//!
//! Restrictions of the input space, and why no bug is lost: keys are those of [`crate::setting`],
//! and N is at most 4, as there. A proof's scheme is always the true one, since the specification
//! takes it for granted; the tests of `aardvark-proof` have the other one. Digests have 32 bytes,
//! as their type says, so that `PartsMalformed` is not met.

mod convert;
pub mod damage;
pub mod lies;
pub mod world;

use aardvark_oracle::{AnswerRequest, Safety};
use aardvark_proof::{Answer, AnswerProof, Class, KnownCommitments, KnownRoot, Question, Trusted, verify};
use aardvark_spec::answer::answer_proof;
use aardvark_spec::answer::answer_reason::{ReasonClass, class_of_reason};
use aardvark_spec::answer::ideal_answer::ideal_answer;

use crate::answers::convert::proof_to_spec;
use crate::answers::world::{Believed, State, World};
use crate::compare::{Mismatch, same};
use crate::convert::{bytes_to_spec, number_to_spec};
use crate::oracle::readers;

pub use convert::{answer_from_spec, question_to_spec};

/// What both sides say of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It answers.
    Answer(Answer),
    /// It does not: the reason's name and class, and the item.
    Refused(String, Class, Option<usize>),
}

/// Gives a proof to all, under what is believed of a state; with the oracle's twin, if that is
/// wanted.
///
/// # Errors
/// Where they differ, or accept what is not so.
pub fn judge(
    world: &World,
    (state, believed): (&State, Believed),
    asked: &Question,
    proof: &AnswerProof,
    safety: Safety,
) -> Result<Verdict, Mismatch> {
    let implemented = match verify(&trusted(world, state, believed), asked, proof) {
        Ok(answer) => Verdict::Answer(answer),
        Err(refusal) => Verdict::Refused(refusal.reason.name().to_owned(), refusal.class(), refusal.item),
    };
    let spec_question = question_to_spec(asked);
    let spec_proof = proof_to_spec(proof, &world.points);
    let spec_trusted = trusted_to_spec(world, state, believed);
    let request = AnswerRequest::Plain { trusted: &spec_trusted, question: &spec_question, proof: &spec_proof };
    let judged = request.judged(&world.setting.setup);
    readers::answer(safety, &world.setup_source(), &request, &judged)?;
    let specified = match judged {
        Ok(answer) => Verdict::Answer(answer_from_spec(&answer)),
        Err(refusal) => {
            let class = class_of_reason(&refusal.refusal_reason);
            Verdict::Refused(format!("{:?}", refusal.refusal_reason), class_from_spec(class), refusal.refusal_item)
        }
    };
    same("verdict on an answer", &specified, &implemented)?;
    if let Verdict::Answer(answer) = &implemented {
        let ideal = answer_from_spec(&ideal_answer(&spec_question, &state.map));
        same("what is accepted is what a map answers", &ideal, answer)?;
    }
    Ok(implemented)
}

fn class_from_spec(class: ReasonClass) -> Class {
    match class {
        ReasonClass::ClassMalformed => Class::Malformed,
        ReasonClass::ClassOther => Class::Other,
        ReasonClass::ClassFalse => Class::False,
    }
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
