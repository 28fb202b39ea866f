//! The scene of the tests of answers: an array, the map that it stands for, and what a verifier
//! believes of it, under commitments and under a root.
#![allow(dead_code, clippy::unwrap_used)]

use aardvark_spec::answer::answer_proof::{AnswerProof, KnownCommitments, KnownRoot, RootTie, TiedVector, Trusted};
use aardvark_spec::answer::answer_prover::honest_answer;
use aardvark_spec::answer::answer_reason::AnswerReason;
use aardvark_spec::answer::question::{KeyRange, Question, Region};
use aardvark_spec::answer::scan::{Answer, RangeAnswer};
use aardvark_spec::answer::verify::verify_answer;
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::{G1, known_exponent};
use aardvark_spec::base::hash::tagged_hash;
use aardvark_spec::base::scalar::scalar_of_number;
use aardvark_spec::block::root::{HashedState, parts_of_state, state_root};
use aardvark_spec::commitment::commitment_tree::commitment_path;
use aardvark_spec::commitment::kzg::kzg_setup;
use aardvark_spec::commitment::opening::Opening;
use aardvark_spec::commitment::scheme::Setup;
use aardvark_spec::convert::{byte_string, byte_vec, key_map_pairs, to_vec};
use aardvark_spec::dictionary::array::{Array, array_delete, array_insert, empty_array};
use aardvark_spec::dictionary::vectors::{array_commitments, vector_of};
use hacspec_lib::Seq;
use std::collections::{BTreeMap, BTreeSet};

pub const N: usize = 2;

pub type Plain = BTreeMap<Vec<u8>, Vec<u8>>;

/// An array, the map that it stands for, and what a verifier believes of it.
pub struct Scene {
    pub setup: Setup,
    pub array: Array,
    pub map: Plain,
    pub known: KnownCommitments,
}

impl Scene {
    /// Inserts all keys, then deletes some, so that positions are out of key order.
    pub fn new(inserted: &[&str], deleted: &[&str]) -> Self {
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

    pub fn honest(&self, question: &Question) -> AnswerProof {
        honest_answer(&self.setup, &self.array, &self.known.known_dictionary, 3, question)
    }

    pub fn verify(&self, question: &Question, proof: &AnswerProof) -> Result<Answer, AnswerReason> {
        let trusted = Trusted::TrustedCommitments(self.known.clone());
        verify_answer(&self.setup, &trusted, question, proof).map_err(|refusal| refusal.refusal_reason)
    }

    /// The state whose root is trusted: the array's commitments, and nothing in window, tail and
    /// replay set.
    pub fn hashed(&self) -> HashedState {
        let encoded = to_vec(&self.known.known_commitments).into_iter().map(encoded).collect();
        HashedState {
            hashed_dictionary: self.known.known_dictionary.clone(),
            hashed_version: 3,
            hashed_size: self.array.array_size,
            hashed_commitments: Seq::from_vec(encoded),
            ..HashedState::default()
        }
    }

    pub fn tied(&self, question: &Question) -> (AnswerProof, Trusted) {
        let hashed = self.hashed();
        let mut proof = self.honest(question);
        let claimed: BTreeSet<usize> =
            to_vec(&proof.proof_claims).iter().map(|claim| vector_of(claim.claim_position, N)).collect();
        let tie = |number: usize| TiedVector {
            tied_number: number,
            tied_bytes: hashed.hashed_commitments[number].clone(),
            tied_commitment: Opening::Point(self.known.known_commitments[number]),
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
pub fn encoded(commitment: G1) -> ByteString {
    let commitment = known_exponent(commitment);
    let digest = byte_vec(&tagged_hash(&byte_string(b"point"), &byte_string(format!("{commitment:?}").as_bytes())));
    byte_string(&[digest, vec![0; 16]].concat())
}

pub fn bytes(text: &str) -> ByteString {
    byte_string(text.as_bytes())
}

pub fn keys(asked: &[&str]) -> Question {
    Question::AskRegion(Region::RegionKeys(Seq::from_vec(asked.iter().map(|key| bytes(key)).collect())))
}

pub fn range(from: &str, to: &str, limit: Option<usize>) -> Question {
    let asked = KeyRange { range_from: bytes(from), range_to: bytes(to), range_limit: limit };
    Question::AskRegion(Region::RegionRange(asked))
}

/// What an ordinary map answers, written without the specification.
pub fn plain_answer(map: &Plain, question: &Question) -> String {
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

pub fn show_keys(pairs: Vec<(Vec<u8>, Option<Vec<u8>>)>) -> String {
    format!("{pairs:?}")
}

pub fn show_range(entries: Vec<(Vec<u8>, Vec<u8>)>, resume: Option<Vec<u8>>) -> String {
    format!("{entries:?} {resume:?}")
}

pub fn shown(answer: &Answer) -> String {
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
