//! Questions, proofs and answers between the specification's types and the implementation's.

use aardvark_algebra::{G1Affine, Scalar};
use aardvark_commitment::SchemeKind;
use aardvark_dictionary::{Key, Parameters};
use aardvark_proof::{
    Answer, AnswerProof, DictionaryIdentity, Entry, KeyAnswer, KeyRange, Question, RangeAnswer, Region, TiedVector,
};
use aardvark_spec::answer::folded_answer::FoldedAnswerProof;
use aardvark_spec::answer::{answer_proof, question, rooted_answer, scan};
use aardvark_spec::block::root::RootParts;
use aardvark_spec::commitment::opening::Opening;
use aardvark_spec::convert::{byte_vec, key_map_pairs, to_seq, to_vec};
use aardvark_spec::dictionary::genesis;

use crate::convert::{
    bytes_to_spec, claim_to_spec, exponent_from_spec, number_to_spec, opening_to_spec, parameters_to_spec,
};
use crate::points::{Meaning, PointBytes, Points};

/// A question of the specification.
pub fn question_to_spec(asked: &Question) -> question::Question {
    let bytes = |key: &Key| bytes_to_spec(key);
    match asked {
        Question::Region(Region::Keys(keys)) => {
            let listed = to_seq(keys.iter().map(bytes).collect());
            question::Question::AskRegion(question::Region::RegionKeys(listed))
        }
        Question::Region(Region::Range(KeyRange { from, to, limit })) => {
            question::Question::AskRegion(question::Region::RegionRange(question::KeyRange {
                range_from: bytes(from),
                range_to: bytes(to),
                range_limit: limit.map(number_to_spec),
            }))
        }
        Question::Predecessor(key) => question::Question::AskPredecessor(bytes(key)),
        Question::Successor(key) => question::Question::AskSuccessor(bytes(key)),
    }
}

/// A proof of the specification, whatever folded opening it has. Dictionary and version of the
/// root's parts are those of the proof: the implementation's proofs say them once.
pub(super) fn proof_to_spec(proof: &AnswerProof, points: &Points) -> answer_proof::AnswerProof {
    let tie = proof.tie.as_ref().map(|tie| answer_proof::RootTie {
        tie_parts: RootParts {
            parts_dictionary: bytes_to_spec(&proof.dictionary.0),
            parts_version: number_to_spec(proof.version),
            parts_size: number_to_spec(tie.size),
            parts_tail_start: number_to_spec(tie.tail_start),
            parts_commitment_root: bytes_to_spec(&tie.commitment_root),
            parts_tail_digest: bytes_to_spec(&tie.tail_digest),
            parts_replay_digest: bytes_to_spec(&tie.replay_digest),
            parts_window_digest: bytes_to_spec(&tie.window_digest),
        },
        tie_vectors: to_seq(tie.vectors.iter().map(|vector| tied_to_spec(vector, points)).collect()),
    });
    answer_proof::AnswerProof {
        proof_dictionary: bytes_to_spec(&proof.dictionary.0),
        proof_vector_size: number_to_spec(proof.vector_size.into()),
        proof_version: number_to_spec(proof.version),
        proof_question: question_to_spec(&proof.question),
        proof_claims: to_seq(proof.claims.iter().map(|claim| claim_to_spec(claim, points)).collect()),
        proof_tie: tie,
    }
}

fn tied_to_spec(vector: &TiedVector, points: &Points) -> answer_proof::TiedVector {
    answer_proof::TiedVector {
        tied_number: number_to_spec(vector.number),
        tied_bytes: bytes_to_spec(&vector.commitment),
        tied_commitment: commitment_to_spec(&vector.commitment, points),
        tied_path: to_seq(vector.path.iter().map(|digest| bytes_to_spec(digest)).collect()),
    }
}

/// A proof with a folded opening.
pub(super) fn folded_to_spec(
    unopened_proof: answer_proof::AnswerProof,
    opening: &[u8; 96],
    points: &Points,
) -> FoldedAnswerProof {
    let [quotient, witness]: [PointBytes; 2] = [0, 48].map(|start| std::array::from_fn(|place| opening[start + place]));
    FoldedAnswerProof {
        unopened_proof,
        received_quotient: bytes_to_spec(&quotient),
        decoded_quotient: opening_to_spec(points.meaning(&quotient)),
        decoded_witness: opening_to_spec(points.meaning(&witness)),
    }
}

/// An identity of the specification.
pub(super) fn identity_to_spec(identity: &DictionaryIdentity) -> rooted_answer::DictionaryIdentity {
    // Bytes stand for parameters unless the scheme is unknown.
    let mut known = identity.parameters;
    known[0] = SchemeKind::Kzg.into();
    let parameters = Parameters::from_bytes(&known).expect("parameters of a known scheme");
    rooted_answer::DictionaryIdentity {
        identity_name: bytes_to_spec(&identity.name),
        identity_salt: bytes_to_spec(&identity.salt),
        identity_parameters: genesis::Parameters { scheme: identity.parameters[0], ..parameters_to_spec(&parameters) },
        identity_setup_digest: bytes_to_spec(&identity.setup_digest),
        identity_content_digest: bytes_to_spec(&identity.content_digest),
        identity_binding: bytes_to_spec(&identity.binding),
    }
}

/// What the bytes of a commitment mean. Unlike an opening, a commitment must lie in the subgroup:
/// blstrs, which the implementation's decoder does not use, says whether it does.
fn commitment_to_spec(bytes: &PointBytes, points: &Points) -> Opening {
    match Option::<G1Affine>::from(G1Affine::from_compressed(bytes)) {
        None => Opening::Malformed,
        Some(_) => opening_to_spec(points.meaning(bytes)),
    }
}

/// An answer of the specification.
pub fn answer_from_spec(answer: &scan::Answer) -> Answer {
    let entry = |key: Vec<u8>, value: Vec<u8>| Entry { key: key.into(), value: value.into() };
    match answer {
        scan::Answer::AnswerKeys(answers) => Answer::Keys(
            to_vec(answers)
                .iter()
                .map(|answer| KeyAnswer {
                    key: byte_vec(&answer.answered_key).into(),
                    value: answer.answered_value.as_ref().map(|value| byte_vec(value).into()),
                })
                .collect(),
        ),
        scan::Answer::AnswerRange(found) => Answer::Range(RangeAnswer {
            entries: key_map_pairs(&found.range_entries).into_iter().map(|(key, value)| entry(key, value)).collect(),
            resume: found.range_resume.as_ref().map(|key| byte_vec(key).into()),
        }),
        scan::Answer::AnswerPredecessor(found) => Answer::Predecessor(
            found.as_ref().map(|found| entry(byte_vec(&found.entry_key), byte_vec(&found.entry_value))),
        ),
        scan::Answer::AnswerSuccessor(found) => Answer::Successor(found.as_ref().map(|key| byte_vec(key).into())),
    }
}

/// The encoding of a point that the specification knows by its exponent.
pub(super) fn point_of(opening: &Opening, points: &Points) -> PointBytes {
    match opening {
        Opening::Point(point) => points.opening(exponent_from_spec(*point)),
        Opening::Malformed => [0; 48],
    }
}

/// The exponent of a point, where it has one.
pub(super) fn exponent_of(bytes: &PointBytes, points: &Points) -> Option<Scalar> {
    match points.meaning(bytes) {
        Meaning::Malformed => None,
        Meaning::Exponent(exponent) => Some(exponent),
    }
}
