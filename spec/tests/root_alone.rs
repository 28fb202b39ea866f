//! Answers under a root of which nothing else is known: what a proof brings along is believed only
//! as far as the root goes.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod scene;

use aardvark_spec::answer::answer_proof::{KnownRoot, Trusted};
use aardvark_spec::answer::answer_prover::honest_rooted_answer;
use aardvark_spec::answer::answer_reason::AnswerReason;
use aardvark_spec::answer::rooted_answer::{RootedProof, identity_of_genesis, verify_rooted_answer};
use aardvark_spec::answer::verify::verify_answer;
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::block::root::{root_of_parts, state_root};
use aardvark_spec::convert::byte_string;
use aardvark_spec::dictionary::genesis::{Genesis, Parameters, genesis_legal, id_of_dictionary};

use scene::{N, Scene, bytes, keys, plain_answer, range, shown};

fn genesis() -> Genesis {
    let genesis_parameters = Parameters {
        scheme: 1,
        vector_size: N,
        window_length: 10,
        max_key_length: 64,
        max_value_length: 256,
        transaction_operations: 4,
        transaction_claims: 12,
        transaction_bytes: 65_536,
        block_transactions: 8,
        block_operations: 32,
        block_claims: 96,
        block_bytes: 1 << 20,
    };
    let genesis = Genesis {
        genesis_name: bytes("accounts"),
        genesis_salt: byte_string(&[3; 32]),
        genesis_parameters,
        genesis_setup_digest: byte_string(&[4; 32]),
        ..Genesis::default()
    };
    assert!(genesis_legal(&genesis));
    genesis
}

#[test]
fn a_root_alone_suffices_where_a_proof_brings_along_what_the_id_is_over() {
    let mut scene = Scene::new(&["d", "c", "b", "a"], &[]);
    scene.known.known_dictionary = id_of_dictionary(&genesis());
    let hashed = scene.hashed();
    let root = state_root(&hashed);
    let question = range("a", "d", None);
    let honest = RootedProof {
        rooted_identity: identity_of_genesis(&genesis()),
        rooted_proof: honest_rooted_answer(&scene.setup, &scene.array, &hashed, &question),
    };
    let answer = verify_rooted_answer(&scene.setup, &root, &question, &honest).unwrap();
    assert_eq!(shown(&answer), plain_answer(&scene.map, &question));
    let refused = |root: &ByteString, change: &dyn Fn(&mut RootedProof)| {
        let mut proof = honest.clone();
        change(&mut proof);
        verify_rooted_answer(&scene.setup, root, &question, &proof).unwrap_err().refusal_reason
    };
    let changes: [fn(&mut RootedProof); 6] = [
        |proof| proof.rooted_identity.identity_name = bytes("others"),
        |proof| proof.rooted_identity.identity_salt = byte_string(&[5; 32]),
        |proof| proof.rooted_identity.identity_parameters.window_length = 11,
        |proof| proof.rooted_identity.identity_setup_digest = byte_string(&[5; 32]),
        |proof| proof.rooted_identity.identity_content_digest = byte_string(&[5; 32]),
        |proof| proof.rooted_identity.identity_binding = bytes("chain"),
    ];
    for change in changes {
        assert_eq!(refused(&root, &change), AnswerReason::OtherDictionary);
        // With the id that follows from the lie it is the root that says otherwise.
        let consistent = refused(&root, &|proof| {
            change(proof);
            let id = aardvark_spec::answer::rooted_answer::id_of_identity(&proof.rooted_identity);
            proof.rooted_proof.proof_dictionary = id.clone();
        });
        assert_eq!(consistent, AnswerReason::RootFalse);
        let with_parts = refused(&root, &|proof| {
            change(proof);
            let id = aardvark_spec::answer::rooted_answer::id_of_identity(&proof.rooted_identity);
            proof.rooted_proof.proof_dictionary = id.clone();
            proof.rooted_proof.proof_tie.as_mut().unwrap().tie_parts.parts_dictionary = id;
        });
        assert_eq!(with_parts, AnswerReason::RootFalse);
    }
    let size = |proof: &mut RootedProof| proof.rooted_identity.identity_parameters.vector_size = 3;
    assert_eq!(refused(&root, &size), AnswerReason::PartsMalformed);
    let salt = |proof: &mut RootedProof| proof.rooted_identity.identity_salt = bytes("short");
    assert_eq!(refused(&root, &salt), AnswerReason::PartsMalformed);
    assert_eq!(refused(&byte_string(&[9; 32]), &|_| ()), AnswerReason::RootFalse);
}

/// Whoever knows a preimage of a root may state any size in it: the number of vectors must not
/// leave its range.
#[test]
fn a_size_near_the_end_of_the_range_is_refused_and_does_not_panic() {
    let scene = Scene::new(&["b", "a"], &[]);
    let question = keys(&["a"]);
    for size in [usize::MAX, usize::MAX - 1, 1 << 63] {
        let (mut proof, _) = scene.tied(&question);
        let parts = &mut proof.proof_tie.as_mut().unwrap().tie_parts;
        parts.parts_size = size;
        let root = KnownRoot {
            root_dictionary: scene.known.known_dictionary.clone(),
            root_vector_size: N,
            root_digest: root_of_parts(parts),
        };
        let refusal = verify_answer(&scene.setup, &Trusted::TrustedRoot(root), &question, &proof).unwrap_err();
        assert_eq!(refusal.refusal_reason, AnswerReason::PathFalse);
    }
}
