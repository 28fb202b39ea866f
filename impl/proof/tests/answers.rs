//! Honest answers are what an ordinary map says, whatever is asked; each reason is given to a lie
//! that deserves it; and honest claims put together otherwise never answer.

#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod common;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use aardvark_commitment::{Kzg, Scheme, SchemeKind};
use aardvark_dictionary::{Claim, DictionaryId, Key, Slot, Value};
use aardvark_proof::{
    AnswerProof, Class, KnownCommitments, KnownVector, KnownVectors, Question, Reason, Refusal, Region, RootTie,
    Strictness, Trusted, verify, verify_with,
};
use common::{N, Scene, VERSION, questions, reason, refusal};

static SCENE: LazyLock<Scene> = LazyLock::new(|| Scene::new(1, "1.0"));
/// Another dictionary with the same keys.
static OTHER: LazyLock<Scene> = LazyLock::new(|| Scene::new(2, "2.0"));

/// A range whose claims stand in two vectors.
fn range() -> Question {
    Question::range("bash", "git", None)
}

/// The reason after a change to an honest proof of [`range`], under commitments.
fn after(change: impl Fn(&mut AnswerProof)) -> Reason {
    let mut proof = SCENE.prove(&range());
    change(&mut proof);
    reason(&SCENE.known(), &range(), &proof)
}

/// The same under the root.
fn after_rooted(change: impl Fn(&mut AnswerProof)) -> Reason {
    let mut proof = SCENE.prove_rooted(&range());
    change(&mut proof);
    reason(&SCENE.rooted(), &range(), &proof)
}

fn tied(change: impl Fn(&mut RootTie)) -> Reason {
    after_rooted(|proof| change(proof.tie.as_mut().unwrap()))
}

#[test]
fn honest_answers_are_what_an_ordinary_map_says() {
    for question in questions() {
        for (trusted, proof) in SCENE.all(&question) {
            let ideal = SCENE.ideal(&question);
            assert_eq!(verify(&trusted, &question, &proof).as_ref(), Ok(&ideal), "{question:?}");
            assert_eq!(verify_with(&trusted, &question, &proof, Strictness::Subgroup), Ok(ideal), "{question:?}");
        }
    }
}

#[test]
fn a_limited_range_says_where_to_go_on_and_all_pages_make_the_whole() {
    let (mut from, mut found) = (Key::empty(), Vec::new());
    loop {
        let question = Question::range(from, "", Some(2));
        let answer = verify(&SCENE.known(), &question, &SCENE.prove(&question)).unwrap();
        let aardvark_proof::Answer::Range(page) = answer else { panic!("{answer:?}") };
        found.extend(page.entries.into_iter().map(|entry| (entry.key, entry.value)));
        match page.resume {
            Some(resume) => from = resume,
            None => break,
        }
    }
    assert_eq!(found, SCENE.map.clone().into_iter().collect::<Vec<_>>());
}

#[test]
fn claims_left_out_repeated_exchanged_or_added_never_change_an_answer() {
    let everything = SCENE.prove(&Question::range("", "", None)).claims;
    for question in questions() {
        let honest = SCENE.prove(&question);
        let claims = &honest.claims;
        let mut lies: Vec<Vec<Claim>> = Vec::new();
        for i in 0..claims.len() {
            lies.push([&claims[..i], &claims[i + 1..]].concat());
            lies.push([&claims[..=i], &claims[i..]].concat());
            let mut exchanged = claims.clone();
            exchanged.swap(0, i);
            lies.push(exchanged);
            let others = everything.iter().filter(|other| **other != claims[i]).step_by(3);
            lies.extend(others.map(|other| {
                let mut replaced = claims.clone();
                replaced[i] = other.clone();
                replaced
            }));
        }
        lies.push([claims.as_slice(), &everything[..1]].concat());
        lies.push([&everything[3..4], claims.as_slice()].concat());
        for claims in lies.into_iter().filter(|lie| lie != claims) {
            let lie = AnswerProof { claims, ..honest.clone() };
            assert_eq!(refusal(&SCENE.known(), &question, &lie).class(), Class::False, "{question:?} {lie:?}");
            let tie = Some(SCENE.tie(&lie.claims));
            let lie = AnswerProof { tie, ..lie };
            assert_eq!(refusal(&SCENE.rooted(), &question, &lie).class(), Class::False, "{question:?} {lie:?}");
        }
    }
}

#[test]
fn every_reason_is_given_to_a_lie_that_deserves_it() {
    let mut met = BTreeSet::new();
    let mut expect = |found: Reason, expected: Reason| {
        assert_eq!(found, expected);
        met.insert(found);
    };
    let unordered = Question::Region(Region::Keys(["b", "a"].map(Key::from).to_vec()));
    expect(reason(&SCENE.known(), &unordered, &SCENE.prove(&range())), Reason::QuestionIllegal);
    expect(after(|proof| proof.claims[1].slot.value = Value::from(vec![0; 1025])), Reason::AnswerSlotTooLong);
    expect(after(|proof| proof.claims[1].slot.key = Key::from(vec![0; 256])), Reason::AnswerSlotTooLong);
    expect(after(|proof| proof.claims[1].slot.next = Key::from(vec![0; 256])), Reason::AnswerSlotTooLong);
    expect(after(|proof| proof.dictionary = OTHER.id), Reason::OtherDictionary);
    expect(after(|proof| proof.scheme = SchemeKind::LibertYung), Reason::OtherScheme);
    expect(after(|proof| proof.vector_size = 8), Reason::OtherVectorSize);
    expect(after(|proof| proof.version = 8), Reason::OtherVersion);
    expect(after(|proof| proof.question = Question::range("bash", "git", Some(9))), Reason::OtherQuestion);
    expect(after(|proof| proof.question = Question::key("bash")), Reason::OtherQuestion);
    expect(after(|proof| proof.tie = Some(SCENE.tie(&proof.claims))), Reason::TieMismatched);
    expect(after(|proof| proof.claims[1].position = 10), Reason::AnswerPositionOutOfRange);
    expect(after(|proof| proof.claims[1].position = u64::MAX), Reason::AnswerPositionOutOfRange);
    expect(after(|proof| proof.claims[1].opening = [0; 48]), Reason::AnswerOpeningMalformed);
    expect(after(|proof| proof.claims[1].position ^= 1), Reason::AnswerOpeningFalse);
    expect(after(|proof| proof.claims[1].slot.value = "forged".into()), Reason::AnswerOpeningFalse);
    expect(after(|proof| proof.claims[1].slot = Slot::lone_sentinel()), Reason::AnswerOpeningFalse);
    expect(after(|proof| proof.claims[0] = SCENE.claim(0)), Reason::ChainNotCovering);
    expect(after(|proof| proof.claims.push(SCENE.claim(0))), Reason::ChainSuperfluous);
    expect(after(|proof| drop(proof.claims.pop())), Reason::ChainMissing);
    expect(after(|proof| proof.claims.clear()), Reason::ChainMissing);

    let mut alone = SCENE.prove_alone(&range());
    alone.tie.as_mut().unwrap().identity.as_mut().unwrap().name.clear();
    expect(reason(&SCENE.alone(), &range(), &alone), Reason::PartsMalformed);
    expect(after_rooted(|proof| proof.tie = None), Reason::TieMismatched);
    expect(tied(|tie| tie.vectors.swap(0, 1)), Reason::TiedVectorsMismatched);
    expect(tied(|tie| tie.vectors[1] = tie.vectors[0].clone()), Reason::TiedVectorsMismatched);
    expect(tied(|tie| drop(tie.vectors.pop())), Reason::TiedVectorsMismatched);
    expect(tied(|tie| tie.vectors.clear()), Reason::TiedVectorsMismatched);
    expect(tied(|tie| tie.vectors[1].number = u64::MAX), Reason::TiedVectorsMismatched);
    expect(tied(|tie| tie.vectors[0].commitment = [0x55; 48]), Reason::CommitmentMalformed);
    expect(tied(|tie| tie.size += 1), Reason::RootFalse);
    expect(tied(|tie| tie.window_digest[31] ^= 1), Reason::RootFalse);
    expect(after_rooted(|proof| proof.version = 8), Reason::RootFalse);
    expect(tied(|tie| tie.vectors[1].path[0][0] ^= 1), Reason::PathFalse);
    expect(tied(|tie| tie.vectors[1].path.push([0; 32])), Reason::PathFalse);
    expect(tied(|tie| tie.vectors[0].commitment = tie.vectors[1].commitment), Reason::PathFalse);
    assert_eq!(met.into_iter().collect::<Vec<_>>(), Reason::ALL);
}

/// A fault more, and what is said then.
type Step = (Box<dyn Fn(&mut AnswerProof)>, Reason, Option<usize>);

#[test]
fn the_first_phase_that_fails_names_the_reason_and_in_it_the_lowest_item() {
    let mut proof = SCENE.prove_rooted(&range());
    // From the last phase to the first: each fault hides those before it.
    let steps: Vec<Step> = vec![
        (Box::new(|proof| drop(proof.claims.pop())), Reason::TiedVectorsMismatched, Some(0)),
        (Box::new(|proof| proof.tie = Some(SCENE.tie(&proof.claims))), Reason::ChainMissing, None),
        (Box::new(|proof| proof.claims[1].slot.value = "forged".into()), Reason::AnswerOpeningFalse, Some(1)),
        (Box::new(|proof| proof.claims[0].slot.value = "forged".into()), Reason::AnswerOpeningFalse, Some(0)),
        (Box::new(|proof| proof.claims[1].opening = [0xff; 48]), Reason::AnswerOpeningMalformed, Some(1)),
        (
            Box::new(|proof| {
                proof.claims[1].position = 10;
                proof.tie = Some(SCENE.tie(&proof.claims));
            }),
            Reason::AnswerPositionOutOfRange,
            Some(1),
        ),
        (Box::new(|proof| proof.tie.as_mut().unwrap().vectors[0].path.clear()), Reason::PathFalse, Some(0)),
        (Box::new(|proof| proof.tie.as_mut().unwrap().tail_start += 1), Reason::RootFalse, None),
        (
            Box::new(|proof| proof.tie.as_mut().unwrap().vectors[0].commitment = [0; 48]),
            Reason::CommitmentMalformed,
            Some(0),
        ),
        (Box::new(|proof| proof.tie = None), Reason::TieMismatched, None),
        (Box::new(|proof| proof.question = Question::key("git")), Reason::OtherQuestion, None),
        (Box::new(|proof| proof.vector_size = 0), Reason::OtherVectorSize, None),
        (Box::new(|proof| proof.scheme = SchemeKind::LibertYung), Reason::OtherScheme, None),
        (Box::new(|proof| proof.dictionary = DictionaryId([9; 32])), Reason::OtherDictionary, None),
        (Box::new(|proof| proof.claims[1].slot.key = Key::from(vec![0; 300])), Reason::AnswerSlotTooLong, Some(1)),
        (Box::new(|proof| proof.claims[0].slot.key = Key::from(vec![0; 300])), Reason::AnswerSlotTooLong, Some(0)),
    ];
    for (change, reason, item) in steps {
        change(&mut proof);
        assert_eq!(refusal(&SCENE.rooted(), &range(), &proof), Refusal { reason, item });
    }
    let illegal = Question::range("b", "a", None);
    assert_eq!(reason(&SCENE.rooted(), &illegal, &proof), Reason::QuestionIllegal);
}

#[test]
fn claims_of_another_dictionary_or_state_are_false_whatever_the_proof_says_of_itself() {
    for question in questions() {
        let proof = AnswerProof { dictionary: SCENE.id, ..OTHER.prove(&question) };
        let verdict = verify(&SCENE.known(), &question, &proof).map_err(|refusal| refusal.reason);
        // Every vector differs in a slot, so no opening of the one opens the other.
        assert_eq!(verdict, Err(Reason::AnswerOpeningFalse), "{question:?}");
        let rooted = AnswerProof { dictionary: SCENE.id, ..OTHER.prove_rooted(&question) };
        assert_eq!(reason(&SCENE.rooted(), &question, &rooted), Reason::RootFalse);
        // With true parts, the other's commitments have no path.
        let mut mixed = rooted.clone();
        let vectors = rooted.tie.unwrap().vectors;
        mixed.tie = Some(RootTie { vectors, ..SCENE.tie(&[]) });
        assert_eq!(reason(&SCENE.rooted(), &question, &mixed), Reason::PathFalse);
    }
}

/// One commitment is not there, another no point.
struct Spoiled;

impl KnownVectors for Spoiled {
    fn known(&self, vector: u64) -> KnownVector {
        match vector {
            0 => KnownVector::Malformed,
            1 => KnownVector::Missing,
            _ => SCENE.commitments.known(vector),
        }
    }
}

#[test]
fn commitments_that_are_not_there_or_malformed_are_no_basis() {
    let trusted = Trusted::Commitments(KnownCommitments {
        dictionary: SCENE.id,
        scheme: &SCENE.scheme,
        version: VERSION,
        size: SCENE.slots.len() as u64,
        commitments: &Spoiled,
    });
    for (position, slot) in SCENE.slots.iter().enumerate().skip(1) {
        let question = Question::key(slot.key.clone());
        let verdict = verify(&trusted, &question, &SCENE.prove(&question)).map_err(|refusal| refusal.reason);
        match position / N {
            0 => assert_eq!(verdict, Err(Reason::CommitmentMalformed)),
            1 => assert_eq!(verdict, Err(Reason::TiedVectorsMismatched)),
            _ => assert_eq!(verdict, Ok(SCENE.ideal(&question))),
        }
    }
}

#[test]
fn a_verifier_without_the_means_to_prove_says_the_same() {
    let verifier = Scheme::from(Kzg::verifier(N).unwrap());
    for question in questions() {
        let Trusted::Commitments(known) = SCENE.known() else { unreachable!() };
        let trusted = Trusted::Commitments(KnownCommitments { scheme: &verifier, ..known });
        assert_eq!(verify(&trusted, &question, &SCENE.prove(&question)), Ok(SCENE.ideal(&question)));
    }
}
