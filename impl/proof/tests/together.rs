//! Folded openings and roots alone: every lie about them has its reason, whatever the rest of the
//! proof says.

#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod common;

use std::sync::LazyLock;

use aardvark_commitment::{Ceremony, Kzg, Scheme, SchemeKind, VectorCommitment};
use aardvark_dictionary::{Claim, Key, Parameters};
use aardvark_proof::{
    AnswerProof, Class, DictionaryIdentity, KnownCommitments, Question, Reason, Refusal, Strictness, Trusted, verifier,
    verify, verify_with,
};
use common::{N, Scene, VERSION, questions, reason, refusal};

static SCENE: LazyLock<Scene> = LazyLock::new(|| Scene::new(1, "1.0"));
/// Another dictionary with the same keys.
static OTHER: LazyLock<Scene> = LazyLock::new(|| Scene::new(2, "2.0"));

/// A range whose claims stand in two vectors.
fn range() -> Question {
    Question::range("bash", "git", None)
}

fn whole(reason: Reason) -> Refusal {
    Refusal { reason, item: None }
}

/// The refusal after a change to an honest folded proof of [`range`], under commitments.
fn after(change: impl Fn(&mut AnswerProof)) -> Refusal {
    let mut proof = SCENE.folded(SCENE.prove(&range()));
    change(&mut proof);
    refusal(&SCENE.known(), &range(), &proof)
}

/// The refusal after a change to the identity of an honest proof, under the root alone; the same
/// for a plain proof and for a folded one.
fn after_identity(change: impl Fn(&mut DictionaryIdentity)) -> Refusal {
    let mut proof = SCENE.prove_alone(&range());
    change(proof.tie.as_mut().unwrap().identity.as_mut().unwrap());
    let refused = refusal(&SCENE.alone(), &range(), &proof);
    proof.folded_opening = SCENE.folded(SCENE.prove_alone(&range())).folded_opening;
    assert_eq!(refusal(&SCENE.alone(), &range(), &proof), refused);
    refused
}

fn opening_of(proof: &mut AnswerProof) -> &mut [u8; 96] {
    proof.folded_opening.as_mut().unwrap()
}

#[test]
fn lies_about_a_folded_opening_have_their_reasons() {
    for half in [0, 48] {
        let malformed = |byte: u8| after(|proof| opening_of(proof)[half..half + 48].fill(byte));
        assert_eq!(malformed(0), whole(Reason::AnswerOpeningMalformed));
        assert_eq!(malformed(0xff), whole(Reason::AnswerOpeningMalformed));
    }
    let falsehood = whole(Reason::AnswerOpeningFalse);
    assert_eq!(after(|proof| proof.claims[1].slot.value = "forged".into()), falsehood);
    assert_eq!(after(|proof| proof.claims[1].position ^= 1), falsehood);
    assert_eq!(after(|proof| proof.claims.swap(0, 1)), falsehood);
    assert_eq!(after(|proof| drop(proof.claims.pop())), falsehood);
    assert_eq!(after(|proof| proof.claims.push(SCENE.claim(0))), falsehood);
    assert_eq!(after(|proof| proof.claims.clear()), falsehood);
    let infinity = |proof: &mut AnswerProof| {
        opening_of(proof).fill(0);
        (opening_of(proof)[0], opening_of(proof)[48]) = (0xc0, 0xc0);
    };
    assert_eq!(after(infinity), falsehood);
    assert_eq!(after(|proof| opening_of(proof).rotate_left(48)), falsehood);
    let other = SCENE.folded(SCENE.prove(&Question::key("git"))).folded_opening;
    assert_eq!(after(|proof| proof.folded_opening = other), falsehood);
    // A plain opening is none of one claim.
    let single = SCENE.prove(&range()).claims[0].opening;
    assert_eq!(after(|proof| opening_of(proof)[..48].copy_from_slice(&single)), falsehood);
}

#[test]
fn other_phases_of_a_folded_proof_are_those_of_a_plain_one() {
    assert_eq!(after(|proof| proof.version = 8).reason, Reason::OtherVersion);
    assert_eq!(after(|proof| proof.claims[1].position = 10).reason, Reason::AnswerPositionOutOfRange);
    let both = after(|proof| {
        opening_of(proof)[0] = 0;
        proof.claims[1].position = u64::MAX;
    });
    assert_eq!(both.reason, Reason::AnswerPositionOutOfRange);
    // Folded anew, what the chain lacks is all that is wrong.
    let refolded = |change: &dyn Fn(&mut Vec<Claim>)| {
        let mut proof = SCENE.prove(&range());
        change(&mut proof.claims);
        refusal(&SCENE.known(), &range(), &SCENE.folded(proof))
    };
    assert_eq!(refolded(&|claims| drop(claims.pop())), whole(Reason::ChainMissing));
    assert_eq!(refolded(&|claims| claims.clear()), whole(Reason::ChainMissing));
    assert_eq!(refolded(&|claims| claims[0] = SCENE.claim(0)), whole(Reason::ChainNotCovering));
    assert_eq!(refolded(&|claims| claims.push(SCENE.claim(0))), whole(Reason::ChainSuperfluous));
}

#[test]
fn a_folded_opening_is_bound_to_dictionary_and_version() {
    let Trusted::Commitments(known) = SCENE.known() else { unreachable!() };
    let honest = SCENE.folded(SCENE.prove(&range()));
    let later = AnswerProof { version: VERSION + 1, ..honest.clone() };
    let trusted = Trusted::Commitments(KnownCommitments { version: VERSION + 1, ..known });
    assert_eq!(refusal(&trusted, &range(), &later), whole(Reason::AnswerOpeningFalse));
    let elsewhere = AnswerProof { dictionary: OTHER.id, ..honest };
    let trusted = Trusted::Commitments(KnownCommitments { dictionary: OTHER.id, ..known });
    assert_eq!(refusal(&trusted, &range(), &elsewhere), whole(Reason::AnswerOpeningFalse));
}

#[test]
fn openings_of_claims_beside_a_folded_one_mean_nothing() {
    let mut proof = SCENE.folded(SCENE.prove(&range()));
    proof.claims.iter_mut().for_each(|claim| claim.opening = [0xff; 48]);
    assert_eq!(verify(&SCENE.known(), &range(), &proof), Ok(SCENE.ideal(&range())));
    // Without the folded one they do.
    proof.folded_opening = None;
    assert_eq!(reason(&SCENE.known(), &range(), &proof), Reason::AnswerOpeningMalformed);
}

#[test]
fn honest_claims_recombined_and_folded_anew_never_answer() {
    let everything = SCENE.prove(&Question::range("", "", None)).claims;
    for question in questions().into_iter().step_by(5) {
        let honest = SCENE.prove_alone(&question);
        let mut lies: Vec<Vec<Claim>> = vec![[&everything[3..4], &honest.claims].concat(), everything.clone()];
        for i in 0..honest.claims.len() {
            lies.push([&honest.claims[..i], &honest.claims[i + 1..]].concat());
            let mut replaced = honest.claims.clone();
            replaced[i] = everything[(i + 4) % everything.len()].clone();
            lies.push(replaced);
        }
        for claims in lies.into_iter().filter(|lie| *lie != honest.claims) {
            let mut tie = SCENE.tie(&claims);
            tie.identity = Some(SCENE.identity.clone());
            let lie = SCENE.folded(AnswerProof { claims, tie: Some(tie), ..honest.clone() });
            assert_eq!(refusal(&SCENE.alone(), &question, &lie).class(), Class::False, "{question:?} {lie:?}");
        }
    }
}

#[test]
fn only_kzg_has_folded_openings() {
    let scheme = verifier(SchemeKind::LibertYung, N as u32).unwrap();
    let Trusted::Commitments(known) = SCENE.known() else { unreachable!() };
    let trusted = Trusted::Commitments(KnownCommitments { scheme: &scheme, ..known });
    let mut proof = AnswerProof { scheme: SchemeKind::LibertYung, ..SCENE.folded(SCENE.prove(&range())) };
    assert_eq!(refusal(&trusted, &range(), &proof), whole(Reason::AnswerOpeningFalse));
    opening_of(&mut proof)[0] = 0;
    assert_eq!(refusal(&trusted, &range(), &proof), whole(Reason::AnswerOpeningMalformed));
}

#[test]
fn an_identity_that_no_dictionary_has_is_malformed() {
    let parameters = |change: fn(&mut Parameters)| {
        after_identity(|identity| {
            let mut parameters = Parameters::from_bytes(&identity.parameters).unwrap();
            change(&mut parameters);
            identity.parameters = parameters.to_bytes();
        })
    };
    let malformed = whole(Reason::PartsMalformed);
    assert_eq!(parameters(|parameters| parameters.vector_size = 0), malformed);
    assert_eq!(parameters(|parameters| parameters.vector_size = 3), malformed);
    assert_eq!(parameters(|parameters| parameters.vector_size = u32::MAX), malformed);
    assert_eq!(parameters(|parameters| parameters.max_key_length = 256), malformed);
    assert_eq!(parameters(|parameters| parameters.limits.block_bytes = 0), malformed);
    assert_eq!(after_identity(|identity| identity.parameters[0] = 3), malformed);
    assert_eq!(after_identity(|identity| identity.name.clear()), malformed);
    assert_eq!(after_identity(|identity| identity.name = vec![b'n'; 256]), malformed);
    assert_eq!(after_identity(|identity| identity.name = vec![b'n'; 255]), whole(Reason::OtherDictionary));
    // The specification allows any bytes in a name.
    assert_eq!(after_identity(|identity| identity.name = vec![0xff, 0]), whole(Reason::OtherDictionary));
}

#[test]
fn another_identity_is_another_dictionary_and_the_root_says_which_it_is() {
    let other = whole(Reason::OtherDictionary);
    assert_eq!(after_identity(|identity| identity.salt[0] ^= 1), other);
    assert_eq!(after_identity(|identity| identity.content_digest[31] ^= 1), other);
    assert_eq!(after_identity(|identity| identity.binding.push(0)), other);
    assert_eq!(after_identity(|identity| identity.binding.clear()), other);
    assert_eq!(after_identity(|identity| *identity = OTHER.identity.clone()), other);
    assert_eq!(after_identity(|identity| identity.setup_digest[0] ^= 1), whole(Reason::OtherScheme));
    assert_eq!(after_identity(|identity| identity.parameters[0] = 2), whole(Reason::OtherScheme));
    let larger = after_identity(|identity| identity.parameters[4] = 8);
    assert_eq!(larger, whole(Reason::OtherVectorSize));
    // A proof of another dictionary, whole, is not this root's.
    let whole_other = OTHER.prove_alone(&range());
    assert_eq!(reason(&SCENE.alone(), &range(), &whole_other), Reason::RootFalse);
    // Nor is one that says of itself what it likes.
    let mut renamed = SCENE.prove_alone(&range());
    renamed.dictionary = OTHER.id;
    renamed.tie.as_mut().unwrap().identity = Some(OTHER.identity.clone());
    assert_eq!(reason(&SCENE.alone(), &range(), &renamed), Reason::RootFalse);
    renamed.tie.as_mut().unwrap().identity = Some(SCENE.identity.clone());
    assert_eq!(reason(&SCENE.alone(), &range(), &renamed), Reason::OtherDictionary);
}

#[test]
fn under_a_root_alone_there_must_be_an_identity_and_elsewhere_nobody_looks_at_it() {
    let missing = whole(Reason::TieMismatched);
    assert_eq!(refusal(&SCENE.alone(), &range(), &SCENE.prove_rooted(&range())), missing);
    assert_eq!(refusal(&SCENE.alone(), &range(), &SCENE.prove(&range())), missing);
    let mut proof = SCENE.prove_alone(&range());
    proof.tie.as_mut().unwrap().identity.as_mut().unwrap().name.clear();
    assert_eq!(verify(&SCENE.rooted(), &range(), &proof), Ok(SCENE.ideal(&range())));
    assert_eq!(refusal(&SCENE.known(), &range(), &proof), missing);
    // It is looked at before all else.
    let illegal = Question::range("b", "a", None);
    assert_eq!(reason(&SCENE.alone(), &illegal, &proof), Reason::PartsMalformed);
    assert_eq!(reason(&SCENE.alone(), &illegal, &SCENE.prove_alone(&range())), Reason::QuestionIllegal);
}

#[test]
fn a_root_and_a_proof_are_all_that_a_reader_needs() {
    let root = SCENE.parts.root();
    let proof = SCENE.folded(SCENE.prove_alone(&range()));
    let scheme = proof.verifier().unwrap();
    let answer = verify_with(&Trusted::root_alone(root, &scheme), &range(), &proof, Strictness::Subgroup);
    assert_eq!(answer, Ok(SCENE.ideal(&range())));
    let refused = |change: &dyn Fn(&mut AnswerProof)| {
        let mut proof = proof.clone();
        change(&mut proof);
        proof.verifier().map(|_| ()).unwrap_err()
    };
    let identity = |change: fn(&mut DictionaryIdentity)| {
        refused(&|proof| change(proof.tie.as_mut().unwrap().identity.as_mut().unwrap()))
    };
    assert_eq!(identity(|identity| identity.setup_digest = [0; 32]), whole(Reason::OtherScheme));
    assert_eq!(identity(|identity| identity.parameters[0] = 2), whole(Reason::OtherScheme));
    assert_eq!(identity(|identity| identity.parameters[0] = 0), whole(Reason::PartsMalformed));
    assert_eq!(identity(|identity| identity.name.clear()), whole(Reason::PartsMalformed));
    assert_eq!(refused(&|proof| proof.tie = None), whole(Reason::TieMismatched));
    // A verifier for vectors of another size does not do.
    let larger = Scheme::from(Kzg::new(Ceremony::ethereum().unwrap(), 2 * N).unwrap());
    assert_eq!(larger.vector_size(), 2 * N);
    assert_eq!(reason(&Trusted::root_alone(root, &larger), &range(), &proof), Reason::OtherVectorSize);
    assert_eq!(reason(&SCENE.alone(), &Question::key(Key::from("git")), &proof), Reason::OtherQuestion);
}
