//! Fresh proofs of random dictionaries for verifiers in other languages: a file like
//! `vectors/proofs.json`, of another seed each time.
//!
//! The dictionaries are those of [`crate::answers`] on the Ethereum ceremony; so are honest proofs,
//! lies and damage. What must come of each is what specification, oracle and implementation say of
//! it, which must be the same; a verifier that demands points of the subgroup may refuse what they
//! take, and the implementation says where (`strict`).

use std::path::PathBuf;

use aardvark_oracle::Safety;
use aardvark_proof::{AnswerProof, Question, Strictness, answer_bytes, answer_json, verify_with};

use crate::answers::damage::{Received, damaged_form, from_nothing};
use crate::answers::fold::fold;
use crate::answers::lies::lie;
use crate::answers::world::{Believed, Draw, State, World};
use crate::answers::{Verdict, judge, trusted};
use crate::compare::Mismatch;
use crate::vectors::file::{File, Hex};
use crate::vectors::proofs::{
    AnswerJson, ClassJson, CommitmentsJson, Expected, ProofCase, RefusedJson, RootJson, Trusted, TrustedByName,
};

/// Dictionaries' worlds in a file.
const WORLDS: u64 = 8;
/// Proofs that each is asked for. Of each fifth an honest one stands there besides, plain and
/// folded.
const PROOFS: usize = 20;

/// Where the file is written, for the verifiers' tests.
pub fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/bindings/fresh_proofs.json")
}

/// The file of a seed.
///
/// # Errors
/// Where specification, oracle and implementation differ about a proof.
pub fn fresh_proofs(seed: u64) -> Result<File<ProofCase>, Mismatch> {
    let mut maker = Maker::default();
    for number in 0..WORLDS {
        maker.ask(seed.wrapping_add(number), number)?;
    }
    let about = format!("Proofs of random dictionaries, honest and not, of the seed {seed:#x}.");
    let tests = maker.tests.iter().map(|(comment, case)| (comment.as_str(), [].as_slice(), case.clone()));
    Ok(File { trusted: maker.trusted, ..File::new("proofs", &about, tests.collect()) })
}

#[derive(Default)]
struct Maker {
    trusted: TrustedByName,
    tests: Vec<(String, ProofCase)>,
}

/// A world, and what is believed of one of its states.
struct Scene<'a> {
    world: &'a World,
    state: &'a State,
    believed: Believed,
    /// The world's number and the state's.
    numbers: (u64, usize),
}

impl Maker {
    fn ask(&mut self, seed: u64, number: u64) -> Result<(), Mismatch> {
        let (world, mut draw) = (World::on_the_ceremony(seed), Draw::new(!seed));
        for n in 0..PROOFS {
            let place = draw.below(world.states.len());
            let state = &world.states[place];
            let believed = [Believed::Commitments, Believed::Root, Believed::RootAlone][draw.below(3)];
            let scene = Scene { world: &world, state, believed, numbers: (number, place) };
            let mut asked = draw.question();
            let mut proof = world.prove(state, believed, &asked);
            if n % 5 == 0 {
                self.put(&scene, "honest", &asked, &written(&proof))?;
                let mut folded = proof.clone();
                fold(&world, state, &mut folded);
                self.put(&scene, "honest, folded", &asked, &written(&folded))?;
            }
            match draw.below(8) {
                0 => proof = from_nothing(&world, &mut draw, &proof),
                1 => {
                    if let Some(received) = damaged_form(&mut draw, &proof) {
                        self.put(&scene, "damaged", &asked, &received)?;
                    }
                    continue;
                }
                2 => {
                    lie(&world, state, &mut draw, &mut asked, &mut proof);
                    if let Some(received) = damaged_form(&mut draw, &proof) {
                        self.put(&scene, "a lie, damaged", &asked, &received)?;
                    }
                    continue;
                }
                _ => lie(&world, state, &mut draw, &mut asked, &mut proof),
            }
            self.put(&scene, "a lie", &asked, &written(&proof))?;
        }
        Ok(())
    }

    fn put(&mut self, scene: &Scene<'_>, comment: &str, asked: &Question, received: &Received) -> Result<(), Mismatch> {
        let (text, bytes) = match received {
            Received::Text(text) => match String::from_utf8(text.clone()) {
                Ok(text) => (Some(text), None),
                // A file of JSON has no other text than UTF-8.
                Err(_) => return Ok(()),
            },
            Received::Bytes(bytes) => (None, Some(Hex(bytes.clone()))),
        };
        let read = received.read();
        if read.as_ref().is_some_and(|proof| proof.scheme != scene.world.setting.parameters.scheme) {
            // The specification knows nothing of another scheme.
            return Ok(());
        }
        let (expected, strict) = match &read {
            None => (unreadable(), None),
            Some(proof) => scene.verdicts(asked, proof)?,
        };
        if names_another_size(scene.believed, &expected) {
            return Ok(());
        }
        // The same proof as bytes, where it has some.
        let bytes = bytes.or_else(|| answer_bytes::encode(read.as_ref()?).ok().map(Hex));
        let name = scene.name();
        self.trusted.entry(name.clone()).or_insert_with(|| scene.trusted_json());
        let case = ProofCase { trusted: name, question: asked.into(), proof: text, bytes, expected, strict };
        let comment = format!("{comment}, {} of the file", self.tests.len() + 1);
        self.tests.push((comment, case));
        Ok(())
    }
}

impl Scene<'_> {
    fn name(&self) -> String {
        let (world, state) = self.numbers;
        format!("{world}/{state}/{:?}", self.believed)
    }

    /// What all sides say, and what a verifier that demands points of the subgroup says where that
    /// is something else.
    fn verdicts(&self, asked: &Question, proof: &AnswerProof) -> Result<(Expected, Option<Expected>), Mismatch> {
        let judged = judge(self.world, (self.state, self.believed), asked, proof, Safety::Skip)?;
        let expected = match judged {
            Verdict::Answer(answer) => Expected::Answer(AnswerJson::from(&answer)),
            Verdict::Refused(reason, class, item) => {
                Expected::Refused(RefusedJson { reason, class: ClassJson::from(class), item })
            }
        };
        let known = trusted(self.world, self.state, self.believed);
        let strict = match verify_with(&known, asked, proof, Strictness::Subgroup) {
            Ok(answer) => Expected::Answer(AnswerJson::from(&answer)),
            Err(refusal) => Expected::Refused(RefusedJson::from(&refusal)),
        };
        let differs = strict != expected;
        Ok((expected, differs.then_some(strict)))
    }

    fn trusted_json(&self) -> Trusted {
        let (state, parameters) = (self.state, &self.world.setting.parameters);
        let (dictionary, scheme) = (Hex::from(state.dictionary.0), parameters.scheme.to_string());
        let vector_size = parameters.vector_size;
        let root = Hex::from(state.parts.root());
        match self.believed {
            Believed::Commitments => Trusted::Commitments(CommitmentsJson {
                format: 1,
                dictionary,
                scheme,
                vector_size,
                version: state.version,
                slots: state.slots.len() as u64,
                commitments: state.commitments.iter().map(|commitment| Hex::from(commitment.to_bytes())).collect(),
            }),
            Believed::Root => Trusted::Root(RootJson { root, dictionary, scheme, vector_size }),
            Believed::RootAlone => Trusted::RootAlone(root),
        }
    }
}

/// Whether an identity names another vector size under a root alone. The verifiers' setup is then
/// the published one of that size, and not the dictionary's, which is all that the specification
/// knows of.
fn names_another_size(believed: Believed, expected: &Expected) -> bool {
    let Expected::Refused(RefusedJson { reason, .. }) = expected else { return false };
    believed == Believed::RootAlone && reason == "OtherVectorSize"
}

fn unreadable() -> Expected {
    Expected::Refused(RefusedJson { reason: "Unreadable".to_owned(), class: ClassJson::Malformed, item: None })
}

/// A proof as text.
fn written(proof: &AnswerProof) -> Received {
    Received::Text(answer_json::write_line(proof).expect("strings and numbers").into_bytes())
}
