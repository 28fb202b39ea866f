//! Answers under a root of which nothing else is known: what a proof brings along is believed only
//! as far as the root goes.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod scene;

use aardvark_spec::answer::answer_basis::answer_basis;
use aardvark_spec::answer::answer_proof::{KnownRoot, Trusted};
use aardvark_spec::answer::answer_prover::honest_rooted_answer;
use aardvark_spec::answer::answer_reason::AnswerReason;
use aardvark_spec::answer::folded_answer::{FoldedAnswerProof, fold_answer_context, folded_claims};
use aardvark_spec::answer::folded_rooted_answer::{FoldedRootedProof, verify_folded_rooted_answer};
use aardvark_spec::answer::rooted_answer::{RootedProof, identity_of_genesis, known_root_of, verify_rooted_answer};
use aardvark_spec::answer::verify::verify_answer;
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::{g1_add, g1_generator};
use aardvark_spec::block::root::{root_of_parts, state_root};
use aardvark_spec::commitment::folded_opening::{
    FoldedClaimBytes, fold_claims_seed, fold_gammas, fold_point, fold_quotient, fold_witness,
};
use aardvark_spec::commitment::opening::Opening;
use aardvark_spec::commitment::scheme::Setup;
use aardvark_spec::convert::{byte_string, to_seq, to_vec};
use aardvark_spec::dictionary::genesis::{Genesis, Parameters, genesis_legal, id_of_dictionary};

use hacspec_lib::Seq;
use scene::{N, Scene, bytes, encoded, keys, plain_answer, range, shown};

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

#[test]
fn a_folded_answer_needs_a_root_alone_too_and_its_identity_and_fold_are_both_checked() {
    let mut scene = Scene::new(&["d", "c", "b", "a"], &[]);
    scene.known.known_dictionary = id_of_dictionary(&genesis());
    let hashed = scene.hashed();
    let (root, question) = (state_root(&hashed), range("a", "d", None));
    let mut unopened_proof = honest_rooted_answer(&scene.setup, &scene.array, &hashed, &question);
    let Setup::Kzg(kzg) = &scene.setup else { panic!("the scene's scheme is KZG") };
    let known = Trusted::TrustedRoot(known_root_of(&root, &identity_of_genesis(&genesis())));
    let basis = answer_basis(&known, &unopened_proof).unwrap();
    let claims = folded_claims(kzg, &basis, &unopened_proof.proof_claims);
    let mut items = to_vec(&unopened_proof.proof_claims);
    let openings = items.iter().map(|claim| match claim.claim_opening {
        Opening::Point(point) => point,
        Opening::Malformed => panic!("an honest opening"),
    });
    let openings = to_seq(openings.collect());
    // The encodings of the claims are the caller's.
    let bound = |claim| FoldedClaimBytes { bound_commitment: claim, ..FoldedClaimBytes::default() };
    let bound_claims = to_seq(items.iter().map(|claim| bound(claim.claim_slot.key.clone())).collect());
    let seed = fold_claims_seed(&fold_answer_context(&unopened_proof), &bound_claims);
    let gammas = fold_gammas(&seed, items.len());
    let quotient = fold_quotient(&openings, &gammas);
    let witness = fold_witness(&claims, &openings, &gammas, fold_point(&seed, &encoded(quotient)));
    items.iter_mut().for_each(|claim| claim.claim_opening = Opening::Malformed);
    unopened_proof.proof_claims = Seq::from_vec(items);
    let honest = FoldedRootedProof {
        folded_identity: identity_of_genesis(&genesis()),
        folded_proof: FoldedAnswerProof {
            unopened_proof,
            received_quotient: encoded(quotient),
            decoded_quotient: Opening::Point(quotient),
            decoded_witness: Opening::Point(witness),
        },
    };
    let verify = |proof: &FoldedRootedProof| {
        verify_folded_rooted_answer(&scene.setup, &root, &question, proof, &bound_claims)
            .map_err(|refusal| refusal.refusal_reason)
    };
    assert_eq!(shown(&verify(&honest).unwrap()), plain_answer(&scene.map, &question));
    let refused = |change: &dyn Fn(&mut FoldedRootedProof)| {
        let mut proof = honest.clone();
        change(&mut proof);
        verify(&proof).unwrap_err()
    };
    assert_eq!(refused(&|proof| proof.folded_identity.identity_name = bytes("")), AnswerReason::PartsMalformed);
    assert_eq!(refused(&|proof| proof.folded_identity.identity_name = bytes("b")), AnswerReason::OtherDictionary);
    let forged = Opening::Point(g1_add(witness, g1_generator()));
    assert_eq!(refused(&|proof| proof.folded_proof.decoded_witness = forged.clone()), AnswerReason::AnswerOpeningFalse);
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
