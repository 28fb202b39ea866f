//! The proofs that the tests of the contract in `impl/bindings/solidity` verify on a chain: under
//! state roots of dictionaries of a thousand and of a million addresses.

#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

use std::path::Path;

use aardvark_commitment::{Ceremony, Commitment, Kzg, Scheme, SchemeKind, VectorCommitment};
use aardvark_dictionary::root::{RootParts, commitment_path, commitment_root};
use aardvark_dictionary::{Claim, DictionaryId, Key, Slot};
use aardvark_proof::hex_text::encode;
use aardvark_proof::{AnswerProof, KnownRoot, Question, RootTie, TiedVector, Trusted, answer_json, verify};
use serde_json::json;

const N: usize = 1024;
const VERSION: u64 = 7;

/// The address of a member, 20 bytes; in the order of addresses members are well mixed.
fn address(member: u32) -> Key {
    let mixed = u128::from(member).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    Key::from([mixed.to_be_bytes().as_slice(), &member.to_be_bytes()].concat())
}

/// The dictionary of so many members, at one version.
struct Members {
    scheme: Scheme,
    slots: Vec<Slot>,
    commitments: Vec<Commitment>,
    parts: RootParts,
}

impl Members {
    fn new(count: u32) -> Self {
        let mut members: Vec<(Key, String)> =
            (0..count).map(|member| (address(member), format!("member {member}"))).collect();
        members.sort();
        let nexts = members.iter().map(|(key, _)| key.clone()).chain([Key::empty()]);
        let entries = [(Key::empty(), String::new())].into_iter().chain(members.iter().cloned());
        let slots: Vec<Slot> =
            entries.zip(nexts).map(|((key, value), next)| Slot { key, value: value.as_str().into(), next }).collect();
        let scheme = Scheme::from(Kzg::new(Ceremony::ethereum().unwrap(), N).unwrap());
        let commit = |vector: &[Slot]| scheme.commit(&vector.iter().map(Slot::scalar).collect::<Vec<_>>()).unwrap();
        let commitments: Vec<Commitment> = slots.chunks(N).map(commit).collect();
        let parts = RootParts {
            dictionary: [1; 32],
            version: VERSION,
            size: slots.len() as u64,
            tail_start: (slots.len() / N * N) as u64,
            commitment_root: commitment_root(&commitments),
            tail_digest: [2; 32],
            replay_digest: [3; 32],
            window_digest: [4; 32],
        };
        Self { scheme, slots, commitments, parts }
    }

    /// A verified proof of what an address has.
    fn prove(&self, key: &Key) -> String {
        let position = self.slots.iter().position(|slot| slot.covers(key)).unwrap();
        let number = position / N;
        let vector: Vec<_> = self.slots.chunks(N).nth(number).unwrap().iter().map(Slot::scalar).collect();
        let opening = self.scheme.open(&vector, position % N).unwrap().to_bytes();
        let commitment = self.commitments[number].to_bytes();
        let path = commitment_path(&self.commitments, number);
        let proof = AnswerProof {
            dictionary: DictionaryId(self.parts.dictionary),
            scheme: SchemeKind::Kzg,
            vector_size: N as u32,
            version: VERSION,
            question: Question::key(key.clone()),
            claims: vec![Claim { position: position as u64, slot: self.slots[position].clone(), opening }],
            folded_opening: None,
            tie: Some(RootTie::new(&self.parts, vec![TiedVector { number: number as u64, commitment, path }])),
        };
        let (dictionary, digest) = (proof.dictionary, self.parts.root());
        let trusted = Trusted::Root(KnownRoot { dictionary, scheme: &self.scheme, digest });
        verify(&trusted, &proof.question, &proof).unwrap();
        answer_json::write(&proof).unwrap()
    }

    /// What the contract's tests read: the root, and proofs of a member and of a stranger.
    fn file(&self) -> String {
        let known = json!({
            "root": encode(&self.parts.root()), "dictionary": encode(&self.parts.dictionary), "vector_size": N,
        });
        let parsed = |text: String| serde_json::from_str::<serde_json::Value>(&text).unwrap();
        let (member, stranger) = (address(42), address(u32::MAX));
        let proofs = json!({
            "known": known, "member": parsed(self.prove(&member)), "stranger": parsed(self.prove(&stranger)),
        });
        serde_json::to_string_pretty(&proofs).unwrap() + "\n"
    }
}

/// `WRITE_EXAMPLES=1` writes them anew.
#[test]
#[ignore = "a million slots take half a minute"]
fn the_proofs_of_the_contracts_tests_are_what_is_written_today() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bindings/solidity/proofs");
    for (name, count) in [("thousand.json", 1_000), ("million.json", 1_000_000)] {
        let (path, text) = (folder.join(name), Members::new(count).file());
        if std::env::var_os("WRITE_EXAMPLES").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{name}");
    }
}
