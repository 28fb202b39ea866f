//! Answers to readers: the specification, the proofs' oracle and `aardvark-proof` judge the same
//! proofs, honest ones and lies.
//!
//! A [`world`] has a dictionary at several versions, and a second one with the same keys. Its
//! honest proofs are the specification's, with points for exponents; so are its folds ([`fold`]).
//! [`lies`] change and recombine them; [`damage`] makes some from nothing, and damages their
//! encodings. [`judge`] gives a proof to all, and asks that they say the same: the answer, or the
//! reason, its class and the item. What is accepted must be what an ordinary map answers, however
//! the proof came about.
//!
//! Restrictions of the input space, and why no bug is lost: keys are those of [`crate::setting`],
//! and N is at most 4, as there. A proof's scheme is always the true one, since the specification
//! takes it for granted; the tests of `aardvark-proof` have the other one. An identity of another
//! setup, which the specification takes for granted too, must be refused as `OtherScheme` or
//! `OtherVectorSize`. Digests have 32 bytes, as their type says.

mod convert;
pub mod damage;
pub mod fold;
pub mod lies;
pub mod world;

use aardvark_commitment::VectorCommitment;
use aardvark_oracle::{AnswerRequest, Safety};
use aardvark_proof::{
    Answer, AnswerProof, Class, DictionaryIdentity, KnownCommitments, KnownRoot, Question, Trusted, verify,
};
use aardvark_spec::answer::answer_reason::{AnswerRefusal, ReasonClass, class_of_reason};
use aardvark_spec::answer::folded_rooted_answer::FoldedRootedProof;
use aardvark_spec::answer::ideal_answer::ideal_answer;
use aardvark_spec::answer::rooted_answer::{RootedProof, identity_well_formed};
use aardvark_spec::answer::{answer_proof, scan};

use crate::answers::convert::{folded_to_spec, identity_to_spec, proof_to_spec};
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
    let specified = specified(world, (state, believed), asked, proof, safety)?;
    same("verdict on an answer", &specified, &implemented)?;
    if let Verdict::Answer(answer) = &implemented {
        let ideal = answer_from_spec(&ideal_answer(&question_to_spec(asked), &state.map));
        same("what is accepted is what a map answers", &ideal, answer)?;
    }
    Ok(implemented)
}

/// What specification and oracle say.
///
/// # Errors
/// Where they differ.
fn specified(
    world: &World,
    (state, believed): (&State, Believed),
    asked: &Question,
    proof: &AnswerProof,
    safety: Safety,
) -> Result<Verdict, Mismatch> {
    let identity = match (believed, proof.identity()) {
        (Believed::RootAlone, Some(identity)) => Some(identity_to_spec(identity)),
        // The specification's proofs for a root alone have an identity by their type.
        (Believed::RootAlone, None) => return Ok(refused("TieMismatched", Class::Malformed)),
        (Believed::Commitments | Believed::Root, _) => None,
    };
    let well_formed = identity.as_ref().is_none_or(identity_well_formed);
    if let (Some(identity), true) = (proof.identity().filter(|_| identity.is_some()), well_formed) {
        // The specification takes it for granted that the setup is the one that the identity names.
        if let Some(reason) = names_another_setup(world, identity) {
            return Ok(refused(reason, Class::Other));
        }
    }
    let (question, plain) = (question_to_spec(asked), proof_to_spec(proof, &world.points));
    let root = bytes_to_spec(&state.parts.root());
    let trusted = trusted_to_spec(world, state, believed);
    let judged = |request: AnswerRequest<'_>| {
        let judged = request.judged(&world.setting.setup);
        readers::answer(safety, &world.setup_source(), &request, &judged)?;
        Ok(Verdict::from(judged))
    };
    match (&proof.folded_opening, identity) {
        (Some(opening), identity) => {
            let folded_proof = folded_to_spec(plain, opening, &world.points);
            let bound_claims = &fold::bound_claims(world, state, believed, proof);
            match identity {
                Some(folded_identity) => judged(AnswerRequest::FoldedRooted {
                    root: &root,
                    question: &question,
                    proof: &FoldedRootedProof { folded_identity, folded_proof },
                    bound_claims,
                }),
                None => judged(AnswerRequest::Folded {
                    trusted: &trusted,
                    question: &question,
                    proof: &folded_proof,
                    bound_claims,
                }),
            }
        }
        (None, Some(rooted_identity)) => {
            let rooted = RootedProof { rooted_identity, rooted_proof: plain };
            judged(AnswerRequest::Rooted { root: &root, question: &question, proof: &rooted })
        }
        (None, None) => judged(AnswerRequest::Plain { trusted: &trusted, question: &question, proof: &plain }),
    }
}

fn refused(reason: &str, class: Class) -> Verdict {
    Verdict::Refused(reason.to_owned(), class, None)
}

/// Whether a well-formed identity is of another setup than the world's, and the reason for it.
fn names_another_setup(world: &World, identity: &DictionaryIdentity) -> Option<&'static str> {
    let (theirs, ours) = (&identity.parameters, world.setting.parameters.to_bytes());
    // u8 scheme || u32 N || ..
    if theirs[0] != ours[0] || identity.setup_digest != world.setting.scheme.setup_digest() {
        Some("OtherScheme")
    } else {
        (theirs[1..5] != ours[1..5]).then_some("OtherVectorSize")
    }
}

impl From<Result<scan::Answer, AnswerRefusal>> for Verdict {
    fn from(judged: Result<scan::Answer, AnswerRefusal>) -> Self {
        match judged {
            Ok(answer) => Self::Answer(answer_from_spec(&answer)),
            Err(AnswerRefusal { refusal_reason, refusal_item }) => {
                let class = class_from_spec(class_of_reason(&refusal_reason));
                Self::Refused(format!("{refusal_reason:?}"), class, refusal_item)
            }
        }
    }
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
        Believed::RootAlone => Trusted::root_alone(state.parts.root(), scheme),
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
            known_commitments: state.committed.clone(),
        }),
        Believed::Root | Believed::RootAlone => answer_proof::Trusted::TrustedRoot(answer_proof::KnownRoot {
            root_dictionary: dictionary,
            root_vector_size: n,
            root_digest: bytes_to_spec(&state.parts.root()),
        }),
    }
}
