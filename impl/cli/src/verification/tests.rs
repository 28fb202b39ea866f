//! Proofs of a small dictionary, true and false: five keys at N = 4, so that the last vector is not
//! full.

use std::sync::LazyLock;

use aardvark_commitment::{Ceremony, Kzg, SchemeKind, VectorCommitment};
use aardvark_dictionary::{DictionaryId, Genesis, Identity, Parameters, Slot, Value};

use super::*;
use crate::commitments_json::{self, Commitments};
use crate::proof_json;

const KEYS: [&str; 5] = ["apt", "bash", "curl", "dash", "git"];

/// An archive and its trusted commitments, as text.
struct Scene {
    scheme: Scheme,
    slots: Vec<Slot>,
    known: Commitments,
    known_text: String,
}

static SCENE: LazyLock<Scene> = LazyLock::new(|| {
    let scheme = Scheme::from(Kzg::new(Ceremony::ethereum().unwrap(), 4).unwrap());
    let parameters = Parameters { vector_size: 4, ..Parameters::default() };
    let entries = KEYS.map(|key| (Key::from(key), Value::from(format!("{key} 1.0").as_str())));
    let genesis =
        Genesis::new(Identity::new("test", [0; 32]).unwrap(), parameters, scheme.setup_digest(), entries.to_vec())
            .unwrap();
    let slots: Vec<Slot> = genesis.slots().collect();
    let commit = |vector: &[Slot]| scheme.commit(&scalars(vector)).unwrap().to_bytes();
    let known = Commitments {
        dictionary: genesis.dictionary_id(),
        scheme: SchemeKind::Kzg,
        vector_size: 4,
        version: 0,
        slots: slots.len() as u64,
        commitments: slots.chunks(4).map(commit).collect(),
    };
    let known_text = commitments_json::write(&known).unwrap();
    Scene { scheme, slots, known, known_text }
});

fn scalars(vector: &[Slot]) -> Vec<aardvark_algebra::Scalar> {
    vector.iter().map(Slot::scalar).collect()
}

fn claim(position: usize) -> Claim {
    let vector = SCENE.slots.chunks(4).nth(position / 4).unwrap();
    let opening = SCENE.scheme.open(&scalars(vector), position % 4).unwrap().to_bytes();
    Claim { position: position as u64, slot: SCENE.slots[position].clone(), opening }
}

fn covering(key: &str) -> Claim {
    claim(SCENE.slots.iter().position(|slot| slot.covers(key.as_bytes())).unwrap())
}

fn proof_of(key: &str) -> Proof {
    let Commitments { dictionary, scheme, vector_size, version, .. } = SCENE.known.clone();
    Proof { dictionary, scheme, vector_size, version, key: key.into(), claims: vec![covering(key)], root: None }
}

fn deletion_of(key: &str) -> Proof {
    let mut proof = proof_of(key);
    let predecessor = SCENE.slots.iter().position(|slot| *slot.next == *key.as_bytes()).unwrap();
    proof.claims.push(claim(predecessor));
    proof
}

fn check(key: &str, proof: &Proof) -> Result<Answer, Refusal> {
    let known = commitments_json::read(SCENE.known_text.as_bytes()).unwrap();
    verify(&SCENE.scheme, &known, &key.into(), proof, Strictness::Format)
}

/// The refusal's name after a change to an honest proof for `curl`.
fn after(change: impl Fn(&mut Proof)) -> &'static str {
    let mut proof = proof_of("curl");
    change(&mut proof);
    check("curl", &proof).unwrap_err().name()
}

#[test]
fn present_and_absent_keys_are_answered_from_the_covering_slot() {
    for key in KEYS {
        let expected = Answer { value: Some(Value::from(format!("{key} 1.0").as_str())), shows_predecessor: false };
        assert_eq!(check(key, &proof_of(key)).unwrap(), expected, "{key}");
    }
    for key in ["a", "apt ", "bat", "zsh", "\0"] {
        let expected = Answer { value: None, shows_predecessor: false };
        assert_eq!(check(key, &proof_of(key)).unwrap(), expected, "{key:?}");
    }
}

#[test]
fn honest_openings_hold_under_the_strict_rule_too() {
    let known = commitments_json::read(SCENE.known_text.as_bytes()).unwrap();
    let verdict = verify(&SCENE.scheme, &known, &"curl".into(), &proof_of("curl"), Strictness::Subgroup);
    assert!(verdict.unwrap().value.is_some());
}

#[test]
fn a_deletion_is_proved_with_the_predecessor() {
    for key in KEYS {
        assert!(check(key, &deletion_of(key)).unwrap().shows_predecessor, "{key}");
    }
}

#[test]
fn a_second_claim_that_is_not_the_predecessor_is_refused() {
    let with_second = |key: &str, position| {
        let mut proof = proof_of(key);
        proof.claims.push(claim(position));
        check(key, &proof).unwrap_err().name()
    };
    assert_eq!(with_second("curl", 0), "NotPredecessor");
    assert_eq!(with_second("curl", 3), "NotPredecessor");
    assert_eq!(with_second("cat", 2), "NotPredecessor");
}

#[test]
fn a_forged_predecessor_is_false() {
    let mut proof = deletion_of("curl");
    proof.claims[1].slot.value = "forged".into();
    assert!(matches!(check("curl", &proof), Err(Refusal::OpeningFalse { claim: 2, position: 2 })));
}

#[test]
fn a_proof_about_something_else_is_refused_before_anything_is_computed() {
    assert_eq!(after(|proof| proof.dictionary = DictionaryId([0; 32])), "AboutAnother");
    assert_eq!(after(|proof| proof.scheme = SchemeKind::LibertYung), "AboutAnother");
    assert_eq!(after(|proof| proof.vector_size = 8), "AboutAnother");
    assert_eq!(after(|proof| proof.version = 1), "AboutAnother");
    assert_eq!(after(|proof| proof.key = "dash".into()), "AnotherKey");
}

#[test]
fn the_slot_of_another_key_does_not_answer_for_this_one() {
    assert_eq!(after(|proof| proof.claims = vec![covering("dash")]), "NotCovering");
    assert_eq!(after(|proof| proof.claims = vec![covering("apt")]), "NotCovering");
}

#[test]
fn a_changed_slot_is_false() {
    assert_eq!(after(|proof| proof.claims[0].slot.value = "curl 2.0".into()), "OpeningFalse");
    assert_eq!(after(|proof| proof.claims[0].slot.next = "d".into()), "OpeningFalse");
    assert_eq!(after(|proof| proof.claims[0].slot.key = "cur".into()), "OpeningFalse");
}

#[test]
fn another_position_is_false_and_one_beyond_the_array_is_out_of_range() {
    for position in [0, 1, 2, 4, 5] {
        assert_eq!(after(|proof| proof.claims[0].position = position), "OpeningFalse");
    }
    for position in [6, 7, 8, 1 << 40, u64::MAX] {
        assert_eq!(after(|proof| proof.claims[0].position = position), "PositionOutOfRange");
    }
}

#[test]
fn an_opening_of_something_else_is_false_and_bytes_that_are_no_point_are_malformed() {
    let mut infinity = [0; 48];
    infinity[0] = 0xc0;
    assert_eq!(after(|proof| proof.claims[0].opening = infinity), "OpeningFalse");
    assert_eq!(after(|proof| proof.claims[0].opening = covering("bash").opening), "OpeningFalse");
    assert_eq!(after(|proof| proof.claims[0].opening = [0; 48]), "OpeningMalformed");
    assert_eq!(after(|proof| proof.claims[0].opening = [0xff; 48]), "OpeningMalformed");
}

#[test]
fn no_bit_of_a_proof_can_flip_unnoticed() {
    let text = proof_json::write(&deletion_of("curl")).unwrap();
    let mut read = 0;
    for bit in 0..text.len() * 8 {
        let mut flipped = text.clone().into_bytes();
        flipped[bit / 8] ^= 1 << (bit % 8);
        if let Ok(proof) = proof_json::read(&flipped) {
            read += 1;
            assert!(check("curl", &proof).is_err(), "bit {bit}: {}", String::from_utf8_lossy(&flipped));
        }
    }
    assert!(read > 300, "only {read} of the flipped proofs could be read at all");
}

#[test]
fn commitments_of_another_state_refuse_the_proof() {
    let mut other = SCENE.known.clone();
    other.commitments.swap(0, 1);
    let text = commitments_json::write(&other).unwrap();
    let known = commitments_json::read(text.as_bytes()).unwrap();
    let refusal = verify(&SCENE.scheme, &known, &"curl".into(), &proof_of("curl"), Strictness::Format).unwrap_err();
    assert_eq!(refusal.verdict(), Verdict::False);
}
