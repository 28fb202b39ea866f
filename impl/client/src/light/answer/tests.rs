use aardvark_dictionary::Slot;
use aardvark_proof::root_json::CommitmentPath;

use super::*;
use crate::testing::{TestDictionary, VERSIONS};

fn ask(dictionary: &TestDictionary, key: &str, version: u64, proof: &Proof) -> Result<Answer, ProofFault> {
    ask_for(dictionary, (key, Question::Get), version, proof)
}

fn ask_for(
    dictionary: &TestDictionary,
    (key, question): (&str, Question),
    version: u64,
    proof: &Proof,
) -> Result<Answer, ProofFault> {
    let (facts, root) = (dictionary.facts(), dictionary.root(version));
    verify_answer(&facts.verifier().unwrap(), &facts, (version, &root), (&key.into(), question), proof)
}

/// What becomes of an honest proof of a present key after a change.
fn changed(dictionary: &TestDictionary, change: impl FnOnce(&mut Proof)) -> ProofFault {
    let mut proof = dictionary.prove(&"key-20".into(), 2, Question::Get);
    change(&mut proof);
    ask(dictionary, "key-20", 2, &proof).unwrap_err()
}

fn tied(proof: &mut Proof) -> &mut ProofRoot {
    proof.root.as_mut().unwrap()
}

#[test]
fn values_and_absences_are_answered_at_every_version() {
    let dictionary = TestDictionary::new("v");
    for version in 0..=VERSIONS {
        let value = |key: &str| {
            let proof = dictionary.prove(&key.into(), version, Question::Get);
            ask(&dictionary, key, version, &proof).unwrap().value
        };
        assert_eq!(value("key-39"), Some("v".into()));
        assert_eq!(value("key-07"), (version < 3).then(|| "v".into()));
        assert_eq!(value("round"), (version > 0).then(|| version.to_string().as_str().into()));
        for absent in ["a", "key-070", "zebra"] {
            assert_eq!(value(absent), None);
        }
    }
}

#[test]
fn a_deletion_s_proof_has_the_predecessor_and_no_other_slot() {
    let dictionary = TestDictionary::new("v");
    let (question, key) = (Question::Delete, "key-20");
    let proof = dictionary.prove(&key.into(), 2, question);
    assert_eq!(ask_for(&dictionary, (key, question), 2, &proof).unwrap().claims.len(), 2);
    let absent = dictionary.prove(&"nobody".into(), 2, question);
    assert_eq!(ask_for(&dictionary, ("nobody", question), 2, &absent).unwrap().claims.len(), 1);

    let other = dictionary.prove(&"key-30".into(), 2, question);
    let mut wrong = proof.clone();
    wrong.claims[1] = other.claims[1].clone();
    tied(&mut wrong).claims[1] = other.root.unwrap().claims[1].clone();
    assert_eq!(ask_for(&dictionary, (key, question), 2, &wrong), Err(ProofFault::NotPredecessor));
    let mut short = proof.clone();
    short.claims.pop();
    assert!(matches!(ask_for(&dictionary, (key, question), 2, &short), Err(ProofFault::Count { .. })));
    assert!(matches!(ask(&dictionary, key, 2, &proof), Err(ProofFault::Count { .. })));
}

#[test]
fn forged_values_absences_and_positions_are_refused() {
    let dictionary = TestDictionary::new("v");
    let false_opening = |fault| matches!(fault, ProofFault::OpeningFalse { claim: 1, .. });
    assert!(false_opening(changed(&dictionary, |proof| proof.claims[0].slot.value = "w".into())));
    // The key before covers a wider interval, as if key-20 were not there.
    let mut before = dictionary.prove(&"key-19".into(), 2, Question::Get);
    before.key = "key-20".into();
    assert_eq!(ask(&dictionary, "key-20", 2, &before), Err(ProofFault::NotCovering));
    before.claims[0].slot.next = "key-21".into();
    assert!(false_opening(ask(&dictionary, "key-20", 2, &before).unwrap_err()));
    // Another place in the same vector, a place in another vector, a place that is none.
    assert!(false_opening(changed(&dictionary, |proof| proof.claims[0].position ^= 1)));
    assert_eq!(changed(&dictionary, |proof| proof.claims[0].position ^= 8), ProofFault::PathFalse(1));
    assert!(matches!(
        changed(&dictionary, |proof| proof.claims[0].position = 42),
        ProofFault::PositionOutOfRange { size: 42, .. }
    ));
    assert!(matches!(
        changed(&dictionary, |proof| proof.claims[0].position = u64::MAX),
        ProofFault::PositionOutOfRange { .. }
    ));
    let point = |fault| matches!(fault, ProofFault::Point { claim: 1, .. });
    assert!(point(changed(&dictionary, |proof| proof.claims[0].opening = [0xff; 48])));
    assert!(point(changed(&dictionary, |proof| tied(proof).claims[0].commitment = [0x55; 48])));
}

#[test]
fn an_unused_position_proves_nothing() {
    // 42 slots in vectors of 8: position 42 is unused, its scalar is 0, and no slot has that
    // scalar.
    let dictionary = TestDictionary::new("v");
    let fault = changed(&dictionary, |proof| {
        proof.claims[0].position = 42;
        proof.claims[0].slot = Slot::lone_sentinel();
        tied(proof).size = 43;
    });
    assert_eq!(fault, ProofFault::RootFalse(2));
}

#[test]
fn root_parts_are_those_that_hash_to_the_root() {
    let dictionary = TestDictionary::new("v");
    let changes: [fn(&mut ProofRoot); 6] = [
        |root| root.size += 8,
        |root| root.tail_start ^= 8,
        |root| root.commitment_root[0] ^= 1,
        |root| root.tail_digest[0] ^= 1,
        |root| root.replay_digest[0] ^= 1,
        |root| root.window_digest[0] ^= 1,
    ];
    for change in changes {
        assert_eq!(changed(&dictionary, |proof| change(tied(proof))), ProofFault::RootFalse(2));
    }
    assert_eq!(changed(&dictionary, |proof| tied(proof).version = 3), ProofFault::RootFalse(2));
    assert_eq!(changed(&dictionary, |proof| proof.root = None), ProofFault::NoRoot);
}

#[test]
fn paths_lead_from_the_claim_s_vector_to_the_root_and_have_no_digest_too_few_or_many() {
    let dictionary = TestDictionary::new("v");
    let path = |change: fn(&mut CommitmentPath)| changed(&dictionary, |proof| change(&mut tied(proof).claims[0]));
    assert_eq!(path(|claim| claim.path[0][0] ^= 1), ProofFault::PathFalse(1));
    assert_eq!(path(|claim| claim.path.push([0; 32])), ProofFault::PathFalse(1));
    assert_eq!(path(|claim| claim.path.truncate(1)), ProofFault::PathFalse(1));
    assert_eq!(path(|claim| claim.path = vec![[0; 32]; 100_000]), ProofFault::PathFalse(1));
    // A true commitment and path, of another vector: with its own position the slot is not there.
    let other = dictionary.prove(&"key-30".into(), 2, Question::Get);
    let swapped = changed(&dictionary, |proof| proof.root = other.root.clone());
    assert_eq!(swapped, ProofFault::PathFalse(1));
    let count = |paths: usize| {
        changed(&dictionary, |proof| {
            let path = tied(proof).claims[0].clone();
            tied(proof).claims = vec![path; paths];
        })
    };
    assert!(matches!(count(0), ProofFault::Count { .. }) && matches!(count(2), ProofFault::Count { .. }));
}

#[test]
fn a_proof_of_another_version_is_refused_whatever_it_says_of_itself() {
    let dictionary = TestDictionary::new("v");
    for version in [1, 3] {
        let mut proof = dictionary.prove(&"round".into(), version, Question::Get);
        assert!(matches!(ask(&dictionary, "round", 2, &proof), Err(ProofFault::AboutAnother { what: "version", .. })));
        proof.version = 2;
        assert_eq!(ask(&dictionary, "round", 2, &proof), Err(ProofFault::RootFalse(2)));
        tied(&mut proof).version = 2;
        assert_eq!(ask(&dictionary, "round", 2, &proof), Err(ProofFault::RootFalse(2)));
        // With the parts of version 2, the stale slot stands under a commitment that is no longer
        // there.
        let honest = dictionary.prove(&"round".into(), 2, Question::Get);
        let mut stale = honest.clone();
        stale.claims = proof.claims.clone();
        // From version 3 on it stands in another vector.
        let fault = ask(&dictionary, "round", 2, &stale).unwrap_err();
        assert!(matches!(fault, ProofFault::OpeningFalse { .. } | ProofFault::PathFalse(1)), "{fault}");
        let path = tied(&mut proof).claims.clone();
        tied(&mut stale).claims = path;
        assert_eq!(ask(&dictionary, "round", 2, &stale), Err(ProofFault::PathFalse(1)));
    }
}

#[test]
fn another_dictionary_s_proof_is_refused_whatever_it_says_of_itself() {
    let (dictionary, other) = (TestDictionary::new("v"), TestDictionary::new("w"));
    let mut foreign = other.prove(&"key-20".into(), 2, Question::Get);
    let fault = ask(&dictionary, "key-20", 2, &foreign).unwrap_err();
    assert!(matches!(fault, ProofFault::AboutAnother { what: "dictionary", .. }));
    foreign.dictionary = dictionary.facts().id;
    assert_eq!(ask(&dictionary, "key-20", 2, &foreign), Err(ProofFault::RootFalse(2)));
}

#[test]
fn a_proof_says_the_same_scheme_and_vector_size_as_genesis_or_is_refused() {
    let dictionary = TestDictionary::new("v");
    let about = |what: &'static str, change: fn(&mut Proof)| {
        assert!(matches!(changed(&dictionary, change), ProofFault::AboutAnother { what: found, .. } if found == what));
    };
    about("vector size", |proof| proof.vector_size = 4);
    about("scheme", |proof| proof.scheme = aardvark_commitment::SchemeKind::LibertYung);
    about("key", |proof| proof.key = "key-21".into());
    let none = changed(&dictionary, |proof| proof.claims.clear());
    assert!(matches!(none, ProofFault::Count { claims: 0, .. }));
}
