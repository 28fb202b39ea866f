//! Answers: honest ones are what an ordinary map says, whatever is asked; and each reason of a refusal is reached by a lie that
//! deserves it.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

use std::collections::{BTreeMap, BTreeSet};

use aardvark_spec::answer::answer_proof::{AnswerProof, KnownCommitments, KnownRoot, RootTie, TiedVector, Trusted};
use aardvark_spec::answer::answer_prover::{honest_answer, honest_rooted_answer};
use aardvark_spec::answer::answer_reason::{AnswerReason, ReasonClass, class_of_reason};
use aardvark_spec::answer::question::{KeyRange, Question, Region};
use aardvark_spec::answer::rooted_answer::{RootedProof, identity_of_genesis, verify_rooted_answer};
use aardvark_spec::answer::scan::{Answer, RangeAnswer};
use aardvark_spec::answer::verify::verify_answer;
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::hash::tagged_hash;
use aardvark_spec::base::scalar::{Scalar, scalar_of_number};
use aardvark_spec::block::root::{HashedState, parts_of_state, root_of_parts, state_root};
use aardvark_spec::block::transaction::Claim;
use aardvark_spec::commitment::commitment_tree::commitment_path;
use aardvark_spec::commitment::kzg::kzg_setup;
use aardvark_spec::commitment::opening::Opening;
use aardvark_spec::commitment::scheme::Setup;
use aardvark_spec::convert::{byte_string, byte_vec, key_map_pairs, to_vec};
use aardvark_spec::dictionary::array::{Array, array_delete, array_insert, empty_array};
use aardvark_spec::dictionary::genesis::{Genesis, Parameters, genesis_legal, id_of_dictionary};
use aardvark_spec::dictionary::slot::Slot;
use aardvark_spec::dictionary::vectors::{array_commitments, vector_of};
use hacspec_lib::Seq;

const N: usize = 2;

type Plain = BTreeMap<Vec<u8>, Vec<u8>>;

/// An array, the map that it stands for, and what a verifier believes of it.
struct Scene {
    setup: Setup,
    array: Array,
    map: Plain,
    known: KnownCommitments,
}

impl Scene {
    /// Inserts all keys, then deletes some, so that positions are out of key order.
    fn new(inserted: &[&str], deleted: &[&str]) -> Self {
        let setup = Setup::Kzg(kzg_setup(N, scalar_of_number(987_654_321)));
        let value = |key: &str| format!("value of {key}").into_bytes();
        let mut array = empty_array();
        let mut map = Plain::new();
        for key in inserted {
            array = array_insert(&array, &bytes(key), &byte_string(&value(key))).unwrap();
            map.insert(key.as_bytes().to_vec(), value(key));
        }
        for key in deleted {
            array = array_delete(&array, &bytes(key)).unwrap();
            map.remove(key.as_bytes());
        }
        let known = KnownCommitments {
            known_dictionary: byte_string(&[7; 32]),
            known_vector_size: N,
            known_version: 3,
            known_size: array.array_size,
            known_commitments: array_commitments(&setup, N, &array),
        };
        Self { setup, array, map, known }
    }

    fn honest(&self, question: &Question) -> AnswerProof {
        honest_answer(&self.setup, &self.array, &self.known.known_dictionary, 3, question)
    }

    fn verify(&self, question: &Question, proof: &AnswerProof) -> Result<Answer, AnswerReason> {
        let trusted = Trusted::TrustedCommitments(self.known.clone());
        verify_answer(&self.setup, &trusted, question, proof).map_err(|refusal| refusal.refusal_reason)
    }

    /// The state whose root is trusted: the array's commitments, and nothing in window, tail and replay set.
    fn hashed(&self) -> HashedState {
        let encoded = to_vec(&self.known.known_commitments).into_iter().map(encoded).collect();
        HashedState {
            hashed_dictionary: self.known.known_dictionary.clone(),
            hashed_version: 3,
            hashed_size: self.array.array_size,
            hashed_commitments: Seq::from_vec(encoded),
            ..HashedState::default()
        }
    }

    fn tied(&self, question: &Question) -> (AnswerProof, Trusted) {
        let hashed = self.hashed();
        let mut proof = self.honest(question);
        let claimed: BTreeSet<usize> =
            to_vec(&proof.proof_claims).iter().map(|claim| vector_of(claim.claim_position, N)).collect();
        let tie = |number: usize| TiedVector {
            tied_number: number,
            tied_bytes: hashed.hashed_commitments[number].clone(),
            tied_commitment: Opening::Exponent(self.known.known_commitments[number]),
            tied_path: commitment_path(&hashed.hashed_commitments, number),
        };
        let vectors = Seq::from_vec(claimed.into_iter().map(tie).collect());
        proof.proof_tie = Some(RootTie { tie_parts: parts_of_state(&hashed), tie_vectors: vectors });
        let root = KnownRoot {
            root_dictionary: self.known.known_dictionary.clone(),
            root_vector_size: N,
            root_digest: state_root(&hashed),
        };
        (proof, Trusted::TrustedRoot(root))
    }
}

/// Stands for a point's encoding: injective, 48 bytes.
fn encoded(commitment: Scalar) -> ByteString {
    let digest = byte_vec(&tagged_hash(&byte_string(b"point"), &byte_string(format!("{commitment:?}").as_bytes())));
    byte_string(&[digest, vec![0; 16]].concat())
}

fn bytes(text: &str) -> ByteString {
    byte_string(text.as_bytes())
}

fn keys(asked: &[&str]) -> Question {
    Question::AskRegion(Region::RegionKeys(Seq::from_vec(asked.iter().map(|key| bytes(key)).collect())))
}

fn range(from: &str, to: &str, limit: Option<usize>) -> Question {
    let asked = KeyRange { range_from: bytes(from), range_to: bytes(to), range_limit: limit };
    Question::AskRegion(Region::RegionRange(asked))
}

/// What an ordinary map answers, written without the specification.
fn plain_answer(map: &Plain, question: &Question) -> String {
    match question {
        Question::AskRegion(Region::RegionKeys(asked)) => {
            let pairs = to_vec(asked).iter().map(byte_vec).map(|key| (key.clone(), map.get(&key).cloned())).collect();
            show_keys(pairs)
        }
        Question::AskRegion(Region::RegionRange(asked)) => {
            let (from, to) = (byte_vec(&asked.range_from), byte_vec(&asked.range_to));
            let within = map.iter().filter(|(key, _)| **key >= from && (to.is_empty() || **key < to));
            let mut entries: Vec<_> = within.map(|(key, value)| (key.clone(), value.clone())).collect();
            let rest = asked.range_limit.filter(|limit| *limit < entries.len()).map(|limit| entries.split_off(limit));
            show_range(entries, rest.map(|rest| rest[0].0.clone()))
        }
        Question::AskPredecessor(key) => format!("{:?}", map.range(..byte_vec(key)).next_back()),
        Question::AskSuccessor(key) => {
            format!("{:?}", map.range(byte_vec(key)..).map(|(found, _)| found).find(|found| **found != byte_vec(key)))
        }
    }
}

fn show_keys(pairs: Vec<(Vec<u8>, Option<Vec<u8>>)>) -> String {
    format!("{pairs:?}")
}

fn show_range(entries: Vec<(Vec<u8>, Vec<u8>)>, resume: Option<Vec<u8>>) -> String {
    format!("{entries:?} {resume:?}")
}

fn shown(answer: &Answer) -> String {
    match answer {
        Answer::AnswerKeys(answers) => {
            let pair = |k: &aardvark_spec::answer::scan::KeyAnswer| {
                (byte_vec(&k.answered_key), k.answered_value.as_ref().map(byte_vec))
            };
            show_keys(to_vec(answers).iter().map(pair).collect())
        }
        Answer::AnswerRange(RangeAnswer { range_entries, range_resume }) => {
            show_range(key_map_pairs(range_entries), range_resume.as_ref().map(byte_vec))
        }
        Answer::AnswerPredecessor(entry) => {
            let entry = entry.as_ref().map(|entry| (byte_vec(&entry.entry_key), byte_vec(&entry.entry_value)));
            format!("{entry:?}")
        }
        Answer::AnswerSuccessor(key) => format!("{:?}", key.as_ref().map(byte_vec)),
    }
}

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
