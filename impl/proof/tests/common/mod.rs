//! A small dictionary with everything to prove from: slots out of key order, vectors of four,
//! commitments, a state root.

// Not every test uses all of it.
#![allow(dead_code)]
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

use std::collections::{BTreeMap, BTreeSet};

use aardvark_commitment::{Ceremony, Commitment, Kzg, Opening, Scheme, SchemeKind, VectorCommitment};
use aardvark_dictionary::root::{RootParts, commitment_path, commitment_root};
use aardvark_dictionary::{Claim, DictionaryId, Identity, Key, Parameters, Slot, Value};
use aardvark_proof::answer_openings::{fold_context, folded_claim};
use aardvark_proof::commitments_json::Commitments;
use aardvark_proof::scan::Scan;
use aardvark_proof::{
    Answer, AnswerProof, DictionaryIdentity, Entry, KeyAnswer, KnownCommitments, KnownRoot, Question, RangeAnswer,
    Reason, Refusal, Region, RootTie, TiedVector, Trusted, verify,
};

/// Slots in a vector.
pub const N: usize = 4;
/// The version that proofs are about.
pub const VERSION: u64 = 7;
/// Nine keys, so that the third vector is not full.
pub const KEYS: [&str; 9] = ["apt", "bash", "curl", "dash", "git", "make", "perl", "sed", "tar"];

/// A dictionary at one version.
pub struct Scene {
    pub scheme: Scheme,
    pub identity: DictionaryIdentity,
    pub id: DictionaryId,
    pub slots: Vec<Slot>,
    pub map: BTreeMap<Key, Value>,
    pub commitments: Vec<Commitment>,
    pub parts: RootParts,
}

impl Scene {
    /// The nine keys, each with a value that begins with its name. Dictionaries differ by the salt.
    pub fn new(salt: u8, value: &str) -> Self {
        let map: BTreeMap<Key, Value> =
            KEYS.iter().map(|key| (Key::from(*key), Value::from(format!("{key} {value}").as_str()))).collect();
        let ring: Vec<Key> = [Key::empty()].into_iter().chain(map.keys().cloned()).collect();
        let next = |i: usize| ring[(i + 1) % ring.len()].clone();
        let slot = |i: usize| Slot {
            key: ring[i].clone(),
            value: map.get(&ring[i]).cloned().unwrap_or_default(),
            next: next(i),
        };
        // The sentinel is first; the others are out of order, as deletions leave them.
        let slots: Vec<Slot> =
            [0].into_iter().chain((1..ring.len()).map(|i| 1 + (i * 4) % (ring.len() - 1))).map(slot).collect();
        let scheme = Scheme::from(Kzg::new(Ceremony::ethereum().unwrap(), N).unwrap());
        let name = Identity::new("a scene", [salt; 32]).unwrap().with_binding(vec![4, 2]);
        let parameters = Parameters { vector_size: N as u32, ..Parameters::default() };
        let identity = DictionaryIdentity::new(&name, &parameters, scheme.setup_digest(), [8; 32]);
        assert_eq!(identity.id(), name.dictionary_id(&parameters, &scheme.setup_digest(), &[8; 32]));
        let id = identity.id();
        let commit = |vector: &[Slot]| scheme.commit(&vector.iter().map(Slot::scalar).collect::<Vec<_>>()).unwrap();
        let commitments: Vec<Commitment> = slots.chunks(N).map(commit).collect();
        let parts = RootParts {
            dictionary: id.0,
            version: VERSION,
            size: slots.len() as u64,
            tail_start: 4,
            commitment_root: commitment_root(&commitments),
            tail_digest: [5; 32],
            replay_digest: [6; 32],
            window_digest: [7; 32],
        };
        Self { scheme, identity, id, slots, map, commitments, parts }
    }

    /// What somebody who knows the commitments believes.
    pub fn known(&self) -> Trusted<'_> {
        Trusted::Commitments(KnownCommitments {
            dictionary: self.id,
            scheme: &self.scheme,
            version: VERSION,
            size: self.slots.len() as u64,
            commitments: &self.commitments,
        })
    }

    /// What somebody who knows the state root believes.
    pub fn rooted(&self) -> Trusted<'_> {
        Trusted::Root(KnownRoot { dictionary: self.id, scheme: &self.scheme, digest: self.parts.root() })
    }

    /// What somebody believes who knows the state root and nothing else.
    pub fn alone(&self) -> Trusted<'_> {
        Trusted::root_alone(self.parts.root(), &self.scheme)
    }

    /// The commitments as they are published.
    pub fn published(&self) -> Commitments {
        Commitments {
            dictionary: self.id,
            scheme: SchemeKind::Kzg,
            vector_size: N as u32,
            version: VERSION,
            slots: self.slots.len() as u64,
            commitments: self.commitments.iter().map(Commitment::to_bytes).collect(),
        }
    }

    /// The honest claim of what stands at a position.
    pub fn claim(&self, position: usize) -> Claim {
        let vector: Vec<_> = self.slots.chunks(N).nth(position / N).unwrap().iter().map(Slot::scalar).collect();
        let opening = self.scheme.open(&vector, position % N).unwrap().to_bytes();
        Claim { position: position as u64, slot: self.slots[position].clone(), opening }
    }

    /// The honest proof under commitments.
    pub fn prove(&self, question: &Question) -> AnswerProof {
        let position = |holds: &dyn Fn(&Slot) -> bool| self.slots.iter().position(holds).unwrap();
        let positions = match question {
            Question::Region(region) => {
                let (mut scan, mut positions) = (Scan::new(region), Vec::new());
                while let Some(key) = scan.wanted().cloned() {
                    positions.push(position(&|slot| slot.covers(&key)));
                    scan.step(&self.slots[*positions.last().unwrap()]).unwrap();
                }
                positions
            }
            Question::Predecessor(key) => vec![position(&|slot| slot.precedes(key))],
            Question::Successor(key) => vec![position(&|slot| slot.covers(key))],
        };
        AnswerProof {
            dictionary: self.id,
            scheme: SchemeKind::Kzg,
            vector_size: N as u32,
            version: VERSION,
            question: question.clone(),
            claims: positions.into_iter().map(|position| self.claim(position)).collect(),
            folded_opening: None,
            tie: None,
        }
    }

    /// The honest proof under the state root.
    pub fn prove_rooted(&self, question: &Question) -> AnswerProof {
        let mut proof = self.prove(question);
        proof.tie = Some(self.tie(&proof.claims));
        proof
    }

    /// What ties claims to the root.
    pub fn tie(&self, claims: &[Claim]) -> RootTie {
        let vectors: BTreeSet<usize> = claims.iter().map(|claim| claim.position as usize / N).collect();
        let tied = |vector: usize| TiedVector {
            number: vector as u64,
            commitment: self.commitments[vector].to_bytes(),
            path: commitment_path(&self.commitments, vector),
        };
        RootTie::new(&self.parts, vectors.into_iter().map(tied).collect())
    }

    /// The honest proof under the state root alone.
    pub fn prove_alone(&self, question: &Question) -> AnswerProof {
        let mut proof = self.prove_rooted(question);
        proof.tie.as_mut().unwrap().identity = Some(self.identity.clone());
        proof
    }

    /// The same proof with its openings folded into one.
    pub fn folded(&self, mut proof: AnswerProof) -> AnswerProof {
        let fold = |claim: &mut Claim| {
            let commitment = self.commitments[claim.position as usize / N];
            let opening = Opening::from_bytes(&claim.opening).unwrap();
            claim.opening = [0; 48];
            (folded_claim(&self.scheme, commitment, claim), opening)
        };
        let claims: Vec<_> = proof.claims.iter_mut().map(fold).collect();
        let context = fold_context(&proof.dictionary, proof.version, proof.vector_size);
        proof.folded_opening = Some(self.scheme.fold(&context, &claims).unwrap().to_bytes());
        proof
    }

    /// Each kind of trust, with the honest proof for it: plain and folded.
    pub fn all(&self, question: &Question) -> [(Trusted<'_>, AnswerProof); 6] {
        let plain = [self.prove(question), self.prove_rooted(question), self.prove_alone(question)];
        let [a, b, c] = plain.clone().map(|proof| self.folded(proof));
        let [known, rooted, alone] = [self.known(), self.rooted(), self.alone()];
        let [x, y, z] = plain;
        [(known, x), (rooted, y), (alone, z), (known, a), (rooted, b), (alone, c)]
    }

    /// What an ordinary map answers.
    pub fn ideal(&self, question: &Question) -> Answer {
        match question {
            Question::Region(Region::Keys(keys)) => Answer::Keys(
                keys.iter().map(|key| KeyAnswer { key: key.clone(), value: self.map.get(key).cloned() }).collect(),
            ),
            Question::Region(Region::Range(range)) => {
                let within =
                    self.map.iter().filter(|(key, _)| **key >= range.from && (range.to.is_empty() || **key < range.to));
                let mut entries: Vec<Entry> =
                    within.map(|(key, value)| Entry { key: key.clone(), value: value.clone() }).collect();
                let most = range.limit.map_or(usize::MAX, |limit| limit as usize);
                let resume = entries.get(most).map(|entry| entry.key.clone());
                entries.truncate(most);
                Answer::Range(RangeAnswer { entries, resume })
            }
            Question::Predecessor(asked) => {
                let below = self.map.iter().rfind(|(key, _)| *key < asked);
                Answer::Predecessor(below.map(|(key, value)| Entry { key: key.clone(), value: value.clone() }))
            }
            Question::Successor(asked) => Answer::Successor(self.map.keys().find(|key| *key > asked).cloned()),
        }
    }
}

/// Every question about keys between and beside those of the scene.
pub fn questions() -> Vec<Question> {
    let points = ["\0", "apt", "apt\0", "cat", "curl", "git", "nano", "tar", "zsh"].map(Key::from);
    let mut all = vec![Question::range("", "", None), Question::range("", "", Some(4)), Question::keys(points.clone())];
    all.push(Question::keys(KEYS.map(Key::from)));
    for (i, from) in points.iter().enumerate() {
        all.extend([
            Question::key(from.clone()),
            Question::Predecessor(from.clone()),
            Question::Successor(from.clone()),
        ]);
        all.extend([Question::range(from.clone(), "", None), Question::range("", from.clone(), Some(1))]);
        for to in &points[i + 1..] {
            all.push(Question::keys([from.clone(), to.clone()]));
            all.extend([None, Some(1), Some(3)].map(|limit| Question::range(from.clone(), to.clone(), limit)));
        }
    }
    all
}

/// The reason why a proof does not hold.
pub fn reason(trusted: &Trusted<'_>, question: &Question, proof: &AnswerProof) -> Reason {
    refusal(trusted, question, proof).reason
}

/// The reason, and its item.
pub fn refusal(trusted: &Trusted<'_>, question: &Question, proof: &AnswerProof) -> Refusal {
    verify(trusted, question, proof).unwrap_err()
}
