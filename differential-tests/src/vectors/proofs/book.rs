//! The dictionaries that the proofs are of, on the ceremony: all that an honest archive has of each
//! version.

use std::sync::Arc;

use aardvark_algebra::Scalar;
use aardvark_commitment::{Ceremony, Commitment, Kzg, Opening, Scheme, SchemeKind, VectorCommitment};
use aardvark_dictionary::array::WholeArray;
use aardvark_dictionary::import::import;
use aardvark_dictionary::root::{RootParts, commitment_path};
use aardvark_dictionary::{
    Change, Claim, ContentHasher, Genesis, Identity, ImportBlock, Key, Parameters, Slot, Validator, ValidatorState,
    Value,
};
use aardvark_proof::answer_openings::{fold_context, folded_claim};
use aardvark_proof::{AnswerProof, DictionaryIdentity, Question, RootTie, TiedVector};
use aardvark_spec::answer::answer_prover::answer_positions;
use aardvark_spec::answer::ideal_answer::ideal_answer;
use aardvark_spec::convert::{key_map_from, to_vec};

use crate::answers::{answer_from_spec, question_to_spec};
use crate::convert::spec_array;
use crate::points::PointBytes;

/// A dictionary at one version.
pub(super) struct Version {
    /// The dictionary's genesis, whose version 0 it is or comes from.
    pub(super) genesis: Genesis,
    pub(super) number: u64,
    pub(super) slots: Vec<Slot>,
    pub(super) commitments: Vec<Commitment>,
    pub(super) parts: RootParts,
    scheme: Arc<Scheme>,
}

/// What the proofs are of.
pub(super) struct Library {
    /// N = 4, eleven slots in three vectors.
    pub(super) small: [Version; 2],
    /// The same keys under another salt, with other values.
    pub(super) other: [Version; 1],
    /// N = 1024, 2071 slots in three vectors.
    pub(super) big: [Version; 2],
}

impl Library {
    pub(super) fn new() -> Self {
        let ceremony = Ceremony::ethereum().expect("the ceremony is part of the program");
        let scheme = |n| Arc::new(Scheme::from(Kzg::new(ceremony, n).expect("a legal size")));
        let (four, thousand) = (scheme(4), scheme(1024));
        let fruits =
            ["apple", "banana", "cherry", "date", "elder", "fig", "grape", "hazel", "iris", "juniper"].map(Key::from);
        let entries = |value: &str| fruits.iter().map(|key| (key.clone(), value.into())).collect();
        let small = Version::genesis("small", 1, &four, entries("old"));
        let other = Version::genesis("other", 2, &four, entries("else"));
        let numbered = (0..2070).map(|number| (numbered_key(2 * number), Value::from(number.to_string().as_str())));
        let big = Version::genesis("big", 3, &thousand, numbered.collect());
        let small_next = small.after(&[("date", Some("new")), ("fennel", Some("new")), ("fig", None)]);
        let big_next = big.after(&[("k0100", Some("new")), ("k0101", Some("new")), ("k3000", None)]);
        Self { small: [small, small_next], other: [other], big: [big, big_next] }
    }
}

/// A key of the big dictionary, where the number is even.
pub(super) fn numbered_key(number: u32) -> Key {
    Key::from(format!("k{number:04}").as_str())
}

impl Version {
    pub(super) fn genesis(name: &str, salt: u8, scheme: &Arc<Scheme>, entries: Vec<(Key, Value)>) -> Self {
        let parameters = Parameters {
            scheme: SchemeKind::Kzg,
            vector_size: u32::try_from(scheme.vector_size()).expect("at most 4096"),
            window: 0,
            ..Parameters::default()
        };
        let identity = Identity::new(name, [salt; 32]).expect("a name");
        let genesis =
            Genesis::new(identity, parameters, scheme.setup_digest(), entries).expect("entries within the maxima");
        let slots = genesis.slots().collect();
        Self::new(genesis, scheme, 0, slots)
    }

    fn new(genesis: Genesis, scheme: &Arc<Scheme>, number: u64, slots: Vec<Slot>) -> Self {
        let commit = |vector: &[Slot]| scheme.commit(&scalars(vector)).expect("a vector");
        let commitments: Vec<Commitment> = slots.chunks(scheme.vector_size()).map(commit).collect();
        let size = slots.len() as u64;
        let tail_start = size - size % scheme.vector_size() as u64;
        let state = ValidatorState {
            version: number,
            size,
            commitments: commitments.clone(),
            window: Vec::new(),
            tail_start,
            tail: slots[tail_start as usize..].to_vec(),
            replay: Vec::new(),
        };
        let parameters = genesis.parameters().clone();
        let validator =
            Validator::from_state(parameters, genesis.dictionary_id(), scheme.clone(), state).expect("a state");
        Self { genesis, number, slots, commitments, parts: validator.root_parts(), scheme: scheme.clone() }
    }

    /// The next version, after changes in the order of their keys.
    fn after(&self, changes: &[(&str, Option<&str>)]) -> Self {
        let change = |(key, value): &(&str, Option<&str>)| Change { key: (*key).into(), value: value.map(Value::from) };
        let block = ImportBlock { version: self.number + 1, changes: changes.iter().map(change).collect() };
        let mut array: WholeArray = self.slots.iter().cloned().collect();
        let imported = import(&array, &block, self.genesis.parameters()).expect("legal changes");
        array.take(&imported.writes, imported.size);
        let slots = array.slots().iter().map(|(_, slot)| slot.clone()).collect();
        Self::new(self.genesis.clone(), &self.scheme, self.number + 1, slots)
    }

    /// The scheme on the ceremony.
    pub(super) fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// N.
    pub(super) fn vector_size(&self) -> usize {
        self.scheme.vector_size()
    }

    /// The slots of a vector.
    pub(super) fn vector(&self, number: usize) -> &[Slot] {
        self.slots.chunks(self.vector_size()).nth(number).expect("a vector")
    }

    /// The commitment and the opening at an index of any slots of one vector.
    pub(super) fn commit_and_open(&self, vector: &[Slot], index: usize) -> (PointBytes, PointBytes) {
        let scalars = scalars(vector);
        let commitment = self.scheme.commit(&scalars).expect("a vector");
        (commitment.to_bytes(), self.scheme.open(&scalars, index).expect("an index").to_bytes())
    }

    /// The honest claim of a position.
    pub(super) fn claim(&self, position: usize) -> Claim {
        let n = self.vector_size();
        let (_, opening) = self.commit_and_open(self.vector(position / n), position % n);
        Claim { position: position as u64, slot: self.slots[position].clone(), opening }
    }

    /// The honest claim of a live key's slot; of the sentinel's for the empty key.
    pub(super) fn claim_of(&self, key: &str) -> Claim {
        let live = |slot: &Slot| *slot.key == *key.as_bytes();
        self.claim(self.slots.iter().position(live).expect("a live key"))
    }

    /// The honest proof, for those who trust commitments. The specification says which slots it
    /// needs.
    pub(super) fn prove(&self, question: &Question) -> AnswerProof {
        let array = spec_array(&self.slots);
        let positions = to_vec(&answer_positions(&question_to_spec(question), &array.array_slots));
        AnswerProof {
            dictionary: self.genesis.dictionary_id(),
            scheme: SchemeKind::Kzg,
            vector_size: self.genesis.parameters().vector_size,
            version: self.number,
            question: question.clone(),
            claims: positions.into_iter().map(|position| self.claim(position)).collect(),
            folded_opening: None,
            tie: None,
        }
    }

    /// The honest proof, for those who trust the root.
    pub(super) fn prove_rooted(&self, question: &Question) -> AnswerProof {
        let proof = self.prove(question);
        AnswerProof { tie: Some(self.tie(&proof.claims)), ..proof }
    }

    /// The honest proof, for those who trust the root alone.
    pub(super) fn prove_alone(&self, question: &Question) -> AnswerProof {
        let mut proof = self.prove_rooted(question);
        proof.tie.iter_mut().for_each(|tie| tie.identity = Some(self.identity()));
        proof
    }

    /// What the dictionary's id is over.
    pub(super) fn identity(&self) -> DictionaryIdentity {
        let genesis = &self.genesis;
        let mut content = ContentHasher::new(genesis.entries().len() as u64);
        genesis.entries().iter().for_each(|(key, value)| content.add(key, value));
        let content = content.finish().expect("as many entries as there are");
        DictionaryIdentity::new(genesis.identity(), genesis.parameters(), *genesis.setup_digest(), content)
    }

    /// A proof of this version with one opening for its claims, made of their own, true or not.
    pub(super) fn together(&self, mut proof: AnswerProof) -> AnswerProof {
        let claims = proof.claims.iter_mut().map(|claim| {
            let commitment = self.commitments[claim.position as usize / self.vector_size()];
            let opening = Opening::from_bytes(&claim.opening).expect("an opening");
            claim.opening = [0; 48];
            (folded_claim(&self.scheme, commitment, claim), opening)
        });
        let claims: Vec<_> = claims.collect();
        let context = fold_context(&proof.dictionary, proof.version, proof.vector_size);
        proof.folded_opening = Some(self.scheme.fold(&context, &claims).expect("KZG folds").to_bytes());
        proof
    }

    /// What ties the vectors of claims to the root.
    pub(super) fn tie(&self, claims: &[Claim]) -> RootTie {
        let mut numbers: Vec<usize> = claims.iter().map(|claim| claim.position as usize / self.vector_size()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        RootTie::new(&self.parts, numbers.into_iter().map(|number| self.tied(number)).collect())
    }

    /// A vector's commitment with its path.
    pub(super) fn tied(&self, number: usize) -> TiedVector {
        TiedVector {
            number: number as u64,
            commitment: self.commitments[number].to_bytes(),
            path: commitment_path(&self.commitments, number),
        }
    }

    /// What an ordinary map of the live keys answers.
    pub(super) fn answer(&self, question: &Question) -> aardvark_proof::Answer {
        let live = self.slots.iter().filter(|slot| !slot.key.is_empty());
        let mut pairs: Vec<_> = live.map(|slot| (slot.key.to_vec(), slot.value.to_vec())).collect();
        pairs.sort();
        answer_from_spec(&ideal_answer(&question_to_spec(question), &key_map_from(&pairs)))
    }
}

fn scalars(vector: &[Slot]) -> Vec<Scalar> {
    vector.iter().map(Slot::scalar).collect()
}
