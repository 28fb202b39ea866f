//! A dictionary at several versions, and another one with the same keys, on both sides.

use std::sync::Arc;

use aardvark_commitment::{Ceremony, Commitment, Kzg, Scheme, SchemeKind, VectorCommitment};
use aardvark_dictionary::root::{RootParts, commitment_path, commitment_root};
use aardvark_dictionary::{Claim, DictionaryId, Key, Slot};
use aardvark_oracle::SetupSource;
use aardvark_proof::{AnswerProof, DictionaryIdentity, Question, RootTie, TiedVector};
use aardvark_spec::answer::answer_prover::honest_answer;
use aardvark_spec::base::group::{G1, g1_at};
use aardvark_spec::base::scalar::scalar_zero;
use aardvark_spec::commitment::scheme::open;
use aardvark_spec::convert::{key_map_from, to_seq, to_vec};
use aardvark_spec::dictionary::array::{Array, array_delete, array_insert, array_lookup, array_update, empty_array};
use aardvark_spec::dictionary::key_map::KeyMap;
use aardvark_spec::dictionary::vectors::array_commitments;
use hacspec_lib::Seq;

use crate::answers::convert::{point_of, question_to_spec};
use crate::convert::{bytes_to_spec, exponent_from_spec, number_to_spec, scalar_to_spec, slot_from_spec};
use crate::points::Points;
use crate::setting::{ALPHABET, Setting, key_of, secret};

/// Numbers that a seed decides: SplitMix64.
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    /// A key of the alphabet.
    pub fn key(&mut self) -> Key {
        key_of(self.below(ALPHABET.len()) as u8)
    }

    /// Some question about keys of the alphabet.
    pub fn question(&mut self) -> Question {
        let limit = [None, None, Some(1), Some(2), Some(5)][self.below(5)];
        let end = |key: Key, empty: bool| if empty { Key::empty() } else { key };
        match self.below(8) {
            0 | 1 => Question::key(self.key()),
            2 => Question::keys((0..1 + self.below(6)).map(|_| self.key()).collect::<Vec<_>>()),
            3..=5 => {
                let mut ends = [self.key(), self.key()];
                ends.sort();
                let [from, to] = ends;
                let (from, to) = (end(from, self.below(4) == 0), end(to, self.below(3) == 0));
                if from < to || to.is_empty() { Question::range(from, to, limit) } else { Question::key(from) }
            }
            6 => Question::Predecessor(self.key()),
            _ => Question::Successor(self.key()),
        }
    }
}

/// What a reader believes of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Believed {
    /// Its commitments.
    Commitments,
    /// Its root, and the dictionary.
    Root,
    /// Its root, and nothing else.
    RootAlone,
}

/// A dictionary at one version.
#[derive(Debug)]
pub struct State {
    /// The dictionary.
    pub dictionary: DictionaryId,
    /// The version.
    pub version: u64,
    /// The array.
    pub slots: Vec<Slot>,
    /// The map that it stands for.
    pub map: KeyMap,
    /// Its commitments.
    pub commitments: Vec<Commitment>,
    /// The same, as the specification has them.
    pub committed: Seq<G1>,
    /// What its root is over.
    pub parts: RootParts,
    /// What the dictionary's id is over.
    pub identity: DictionaryIdentity,
    array: Array,
}

/// Two dictionaries at three versions each.
#[derive(Debug)]
pub struct World {
    /// Setups and vector size.
    pub setting: Setting,
    /// What points mean.
    pub points: Points,
    /// The states of both dictionaries.
    pub states: Vec<State>,
    on_the_ceremony: bool,
}

impl World {
    /// The world of a seed.
    pub fn new(seed: u64) -> Self {
        let mut draw = Draw::new(seed);
        let kind = if draw.below(4) == 0 { SchemeKind::LibertYung } else { SchemeKind::Kzg };
        let setting = Setting::new(kind, 1 << draw.below(3), 0);
        Self::of_setting(setting, draw, false)
    }

    /// The world of a seed whose points are of the Ethereum ceremony, under which other programs
    /// verify. The specification keeps its known secret: each honest commitment and opening stands
    /// for its exponent under that, which obeys the same equations.
    pub fn on_the_ceremony(seed: u64) -> Self {
        let mut draw = Draw::new(seed);
        let mut setting = Setting::new(SchemeKind::Kzg, 1 << draw.below(3), 0);
        let ceremony = Ceremony::ethereum().expect("the ceremony is part of the program");
        let size = usize::try_from(setting.parameters.vector_size).expect("at most 4");
        setting.scheme = Arc::new(Scheme::from(Kzg::new(ceremony, size).expect("a legal size")));
        Self::of_setting(setting, draw, true)
    }

    fn of_setting(setting: Setting, mut draw: Draw, on_the_ceremony: bool) -> Self {
        let mut world = Self { setting, points: Points::default(), states: Vec::new(), on_the_ceremony };
        for dictionary in [1, 2] {
            let mut array = empty_array();
            let identity = world.identity(dictionary);
            for version in 0..3 {
                for _ in 0..1 + draw.below(12) {
                    array = changed(array, &mut draw);
                }
                let state = world.state(&identity, version, array.clone());
                world.states.push(state);
            }
        }
        world
    }

    /// Whether points are those of the ceremony.
    pub fn is_on_the_ceremony(&self) -> bool {
        self.on_the_ceremony
    }

    /// Has the ceremony's commitments and openings of all vectors stand for their exponents.
    fn take_from_the_ceremony(&self, slots: &[Slot], committed: &Seq<G1>) {
        let (n, scheme) = (self.vector_size(), &self.setting.scheme);
        for (number, vector) in slots.chunks(n).enumerate() {
            let scalars: Vec<_> = vector.iter().map(Slot::scalar).collect();
            let commitment = scheme.commit(&scalars).expect("a vector").to_bytes();
            self.points.stand_for(commitment, exponent_from_spec(g1_at(committed, number)));
            let filled = scalars.iter().map(scalar_to_spec).chain(std::iter::repeat_with(scalar_zero)).take(n);
            let filled = to_seq(filled.collect());
            for index in 0..vector.len() {
                let opening = scheme.open(&scalars, index).expect("an index").to_bytes();
                self.points.stand_for(opening, exponent_from_spec(open(&self.setting.setup, &filled, index)));
            }
        }
    }

    /// N.
    pub fn vector_size(&self) -> usize {
        number_to_spec(self.setting.parameters.positions_per_vector())
    }

    /// What both sides' setups are made from.
    pub fn setup_source(&self) -> SetupSource {
        let scheme = self.setting.parameters.scheme.into();
        SetupSource { scheme, trapdoor: scalar_to_spec(&secret()), vector_size: self.vector_size() }
    }

    fn identity(&self, number: u8) -> DictionaryIdentity {
        let Setting { identity, parameters, scheme, .. } = &self.setting;
        let identity = identity.clone().with_binding(vec![number; usize::from(number)]);
        DictionaryIdentity::new(&identity, parameters, scheme.setup_digest(), [number; 32])
    }

    fn state(&self, identity: &DictionaryIdentity, version: u64, array: Array) -> State {
        let dictionary = identity.id();
        let slots: Vec<Slot> = to_vec(&array.array_slots).iter().flatten().map(slot_from_spec).collect();
        let committed = array_commitments(&self.setting.setup, self.vector_size(), &array);
        if self.on_the_ceremony {
            self.take_from_the_ceremony(&slots, &committed);
        }
        let bytes = |element: &G1| {
            let point = point_of(&aardvark_spec::commitment::opening::Opening::Point(*element), &self.points);
            Commitment::from_bytes(&point).expect("a multiple of the generator")
        };
        let commitments: Vec<Commitment> = to_vec(&committed).iter().map(bytes).collect();
        let mut pairs: Vec<_> =
            slots.iter().filter(|slot| !slot.key.is_empty()).map(|s| (s.key.to_vec(), s.value.to_vec())).collect();
        pairs.sort();
        let digest = |part: u8| [dictionary.0[0] ^ version as u8 ^ part; 32];
        let parts = RootParts {
            dictionary: dictionary.0,
            version,
            size: slots.len() as u64,
            tail_start: 0,
            commitment_root: commitment_root(&commitments),
            tail_digest: digest(16),
            replay_digest: digest(32),
            window_digest: digest(64),
        };
        let (map, identity) = (key_map_from(&pairs), identity.clone());
        State { dictionary, version, slots, map, commitments, committed, parts, identity, array }
    }

    /// The specification's honest proof, with points.
    pub fn prove(&self, state: &State, believed: Believed, question: &Question) -> AnswerProof {
        let id = bytes_to_spec(&state.dictionary.0);
        let asked = question_to_spec(question);
        let honest = honest_answer(&self.setting.setup, &state.array, &id, number_to_spec(state.version), &asked);
        let claims = to_vec(&honest.proof_claims);
        let claims = claims.iter().map(|claim| Claim {
            position: claim.claim_position as u64,
            slot: slot_from_spec(&claim.claim_slot),
            opening: point_of(&claim.claim_opening, &self.points),
        });
        let claims: Vec<Claim> = claims.collect();
        AnswerProof {
            dictionary: state.dictionary,
            scheme: self.setting.parameters.scheme,
            vector_size: self.setting.parameters.vector_size,
            version: state.version,
            question: question.clone(),
            tie: match believed {
                Believed::Commitments => None,
                Believed::Root => Some(RootTie { identity: None, ..self.tie(state, &claims) }),
                Believed::RootAlone => Some(self.tie(state, &claims)),
            },
            claims,
            folded_opening: None,
        }
    }

    /// What ties claims to a state's root, with the dictionary's identity. Claims of positions that
    /// are not there are left out.
    pub fn tie(&self, state: &State, claims: &[Claim]) -> RootTie {
        let mut numbers: Vec<u64> = claims.iter().map(|claim| claim.position / self.vector_size() as u64).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let vector = |number: u64| {
            let index = number as usize;
            let commitment = state.commitments.get(index)?.to_bytes();
            Some(TiedVector { number, commitment, path: commitment_path(&state.commitments, index) })
        };
        let vectors = numbers.into_iter().filter_map(vector).collect();
        RootTie { identity: Some(state.identity.clone()), ..RootTie::new(&state.parts, vectors) }
    }
}

/// The array after one key was written or deleted.
fn changed(array: Array, draw: &mut Draw) -> Array {
    let (key, value) = (draw.key(), bytes_to_spec(&[draw.below(3) as u8]));
    let key = bytes_to_spec(&key);
    let present = array_lookup(&array, &key).flatten().is_some();
    let changed = match (present, draw.below(3)) {
        (true, 0) => array_delete(&array, &key),
        (true, _) => array_update(&array, &key, &value),
        (false, _) => array_insert(&array, &key, &value),
    };
    changed.expect("a ring has what it takes")
}
