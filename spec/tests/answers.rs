//! Answers: honest ones are what an ordinary map says, whatever is asked; and each reason of a
//! refusal is reached by a lie that deserves it.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod scene;

use aardvark_spec::answer::answer_proof::{AnswerProof, RootTie, TiedVector};
use aardvark_spec::answer::answer_prover::honest_rooted_answer;
use aardvark_spec::answer::answer_reason::{AnswerReason, ReasonClass, class_of_reason};
use aardvark_spec::answer::question::Question;
use aardvark_spec::answer::verify::verify_answer;
use aardvark_spec::block::transaction::Claim;
use aardvark_spec::commitment::opening::Opening;
use aardvark_spec::convert::{byte_string, to_vec};
use aardvark_spec::dictionary::slot::Slot;
use hacspec_lib::Seq;

use scene::{Scene, bytes, keys, plain_answer, range, shown};

/// Every question about keys between and beside those of the scenes.
fn questions() -> Vec<Question> {
    let points = ["a", "b", "bb", "c", "d", "m", "z"];
    let mut all = vec![keys(&points), range("", "", None)];
    for (i, from) in points.iter().enumerate() {
        all.extend([keys(&[from]), Question::AskPredecessor(bytes(from)), Question::AskSuccessor(bytes(from))]);
        all.extend([range(from, "", None), range("", from, Some(1)), range(from, "", Some(2))]);
        for to in &points[i + 1..] {
            all.extend([keys(&[from, to]), range(from, to, None), range(from, to, Some(1)), range(from, to, Some(3))]);
        }
    }
    all
}

fn scenes() -> Vec<Scene> {
    let some: [(&[&str], &[&str]); 6] = [
        (&[], &[]),
        (&["c"], &[]),
        (&["m", "a", "d", "c"], &[]),
        (&["z", "bb", "b", "a"], &["bb"]),
        (&["d", "c", "b", "a", "z", "m"], &["a", "z"]),
        (&["a", "b", "c"], &["c", "a", "b"]),
    ];
    some.iter().map(|(inserted, deleted)| Scene::new(inserted, deleted)).collect()
}

#[test]
fn honest_answers_are_what_an_ordinary_map_says() {
    for scene in scenes() {
        for question in questions() {
            let answer = scene.verify(&question, &scene.honest(&question)).unwrap();
            assert_eq!(shown(&answer), plain_answer(&scene.map, &question), "{question:?}");
            let (proof, trusted) = scene.tied(&question);
            let honest = honest_rooted_answer(&scene.setup, &scene.array, &scene.hashed(), &question);
            assert_eq!(format!("{honest:?}"), format!("{proof:?}"));
            let under_root = verify_answer(&scene.setup, &trusted, &question, &proof).unwrap();
            assert_eq!(shown(&under_root), shown(&answer));
        }
    }
}

#[test]
fn claims_left_out_repeated_exchanged_or_added_never_change_an_answer() {
    let scene = Scene::new(&["d", "c", "b", "a", "z", "m"], &["a"]);
    let everything = to_vec(&scene.honest(&range("", "", None)).proof_claims);
    for question in questions() {
        let honest = scene.honest(&question);
        let claims = to_vec(&honest.proof_claims);
        let with = |claims: Vec<Claim>| AnswerProof { proof_claims: Seq::from_vec(claims), ..honest.clone() };
        let mut lies = Vec::new();
        for i in 0..claims.len() {
            lies.push([&claims[..i], &claims[i + 1..]].concat());
            lies.push([&claims[..=i], &claims[i..]].concat());
            for j in 0..i {
                let mut exchanged = claims.clone();
                exchanged.swap(i, j);
                lies.push(exchanged);
            }
            for other in everything.iter().filter(|other| **other != claims[i]) {
                let mut replaced = claims.clone();
                replaced[i] = other.clone();
                lies.push(replaced);
            }
        }
        for other in &everything {
            lies.push([claims.clone(), vec![other.clone()]].concat());
            lies.push([vec![other.clone()], claims.clone()].concat());
        }
        for lie in lies {
            let reason = scene.verify(&question, &with(lie)).unwrap_err();
            assert_eq!(class_of_reason(&reason), ReasonClass::ClassFalse, "{question:?} {reason:?}");
        }
    }
}

#[test]
fn every_reason_is_given_to_a_lie_that_deserves_it() {
    let scene = Scene::new(&["d", "c", "b", "a"], &[]);
    let question = range("a", "d", None);
    let honest = scene.honest(&question);
    let refused = |change: &dyn Fn(&mut AnswerProof)| {
        let mut proof = honest.clone();
        change(&mut proof);
        scene.verify(&question, &proof).unwrap_err()
    };
    let claim = |change: fn(&mut Claim)| {
        refused(&|proof| {
            let mut claims = to_vec(&proof.proof_claims);
            change(&mut claims[1]);
            proof.proof_claims = Seq::from_vec(claims);
        })
    };
    let illegal =
        [keys(&[]), keys(&["b", "a"]), keys(&["a", "a"]), keys(&[""]), range("b", "b", None), range("b", "a", None)];
    for question in illegal.into_iter().chain([range("a", "", Some(0)), Question::AskPredecessor(bytes(""))]) {
        assert_eq!(scene.verify(&question, &honest).unwrap_err(), AnswerReason::QuestionIllegal);
    }
    assert_eq!(claim(|claim| claim.claim_slot.value = byte_string(&[0; 1025])), AnswerReason::AnswerSlotTooLong);
    assert_eq!(claim(|claim| claim.claim_slot.next = byte_string(&[1; 256])), AnswerReason::AnswerSlotTooLong);
    assert_eq!(refused(&|proof| proof.proof_dictionary = bytes("another")), AnswerReason::OtherDictionary);
    assert_eq!(refused(&|proof| proof.proof_vector_size = 4), AnswerReason::OtherVectorSize);
    assert_eq!(refused(&|proof| proof.proof_version = 4), AnswerReason::OtherVersion);
    assert_eq!(refused(&|proof| proof.proof_question = range("a", "c", None)), AnswerReason::OtherQuestion);
    assert_eq!(refused(&|proof| proof.proof_question = keys(&["a"])), AnswerReason::OtherQuestion);
    assert_eq!(refused(&|proof| proof.proof_tie = Some(RootTie::default())), AnswerReason::TieMismatched);
    assert_eq!(claim(|claim| claim.claim_position = 5), AnswerReason::AnswerPositionOutOfRange);
    assert_eq!(claim(|claim| claim.claim_position = 0), AnswerReason::AnswerOpeningFalse);
    assert_eq!(claim(|claim| claim.claim_opening = Opening::Malformed), AnswerReason::AnswerOpeningMalformed);
    assert_eq!(claim(|claim| claim.claim_slot.value = bytes("another")), AnswerReason::AnswerOpeningFalse);
    assert_eq!(claim(|claim| claim.claim_slot = Slot::default()), AnswerReason::AnswerOpeningFalse);
    let of_others = to_vec(&scene.honest(&range("d", "", None)).proof_claims);
    assert_eq!(refused(&|proof| proof.proof_claims = Seq::from_vec(of_others.clone())), AnswerReason::ChainNotCovering);
    assert_eq!(refused(&|proof| proof.proof_claims = Seq::new(0)), AnswerReason::ChainMissing);
    let longer = [to_vec(&honest.proof_claims), of_others.clone()].concat();
    assert_eq!(refused(&|proof| proof.proof_claims = Seq::from_vec(longer.clone())), AnswerReason::ChainSuperfluous);
}

#[test]
fn under_a_root_every_reason_is_given_to_a_lie_that_deserves_it() {
    let scene = Scene::new(&["d", "c", "b", "a"], &[]);
    let question = range("a", "d", None);
    let (honest, trusted) = scene.tied(&question);
    let refused = |change: &dyn Fn(&mut AnswerProof)| {
        let mut proof = honest.clone();
        change(&mut proof);
        verify_answer(&scene.setup, &trusted, &question, &proof).unwrap_err().refusal_reason
    };
    let tie = |change: &dyn Fn(&mut RootTie)| refused(&|proof| change(proof.proof_tie.as_mut().unwrap()));
    let vectors = |change: &dyn Fn(&mut Vec<TiedVector>)| {
        tie(&|tie| {
            let mut vectors = to_vec(&tie.tie_vectors);
            change(&mut vectors);
            tie.tie_vectors = Seq::from_vec(vectors);
        })
    };
    assert_eq!(refused(&|proof| proof.proof_tie = None), AnswerReason::TieMismatched);
    assert_eq!(tie(&|tie| tie.tie_parts.parts_tail_digest = bytes("short")), AnswerReason::PartsMalformed);
    assert_eq!(tie(&|tie| tie.tie_parts.parts_size += 1), AnswerReason::RootFalse);
    assert_eq!(refused(&|proof| proof.proof_version = 4), AnswerReason::RootFalse);
    assert_eq!(vectors(&|vectors| vectors.swap(0, 1)), AnswerReason::TiedVectorsMismatched);
    assert_eq!(vectors(&|vectors| vectors[1] = vectors[0].clone()), AnswerReason::TiedVectorsMismatched);
    assert_eq!(vectors(&|vectors| drop(vectors.pop())), AnswerReason::TiedVectorsMismatched);
    assert_eq!(vectors(&|vectors| vectors[0].tied_commitment = Opening::Malformed), AnswerReason::CommitmentMalformed);
    assert_eq!(vectors(&|vectors| vectors[1].tied_bytes = vectors[0].tied_bytes.clone()), AnswerReason::PathFalse);
    assert_eq!(vectors(&|vectors| vectors[0].tied_path = Seq::new(0)), AnswerReason::PathFalse);
    let exchanged = vectors(&|vectors| {
        let paths = (vectors[0].tied_path.clone(), vectors[1].tied_path.clone());
        (vectors[1].tied_path, vectors[0].tied_path) = paths;
    });
    assert_eq!(exchanged, AnswerReason::PathFalse);
    let one = keys(&["a"]);
    let (small, _) = scene.tied(&one);
    let superfluous = AnswerProof { proof_tie: honest.proof_tie.clone(), ..small };
    let refusal = verify_answer(&scene.setup, &trusted, &one, &superfluous).unwrap_err();
    assert_eq!(refusal.refusal_reason, AnswerReason::TiedVectorsMismatched);
}
