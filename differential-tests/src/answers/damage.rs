//! Encodings that are damaged on the way, and proofs made from nothing.

use aardvark_dictionary::{Claim, DictionaryId, Key, Slot, Value};
use aardvark_proof::{AnswerProof, RootTie, TiedVector, answer_bytes, answer_json};

use crate::answers::world::{Draw, World};

/// A proof as it is received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// Its text.
    Text(Vec<u8>),
    /// Its binary form.
    Bytes(Vec<u8>),
}

impl Received {
    /// The proof, if it can be read.
    pub fn read(&self) -> Option<AnswerProof> {
        match self {
            Self::Text(text) => answer_json::read(text).ok(),
            Self::Bytes(bytes) => {
                let decoded = answer_bytes::decode(bytes).ok()?;
                // Each proof has one encoding.
                if let Ok(again) = answer_bytes::encode(&decoded) {
                    assert_eq!(again, *bytes, "{decoded:?}");
                }
                Some(decoded)
            }
        }
    }
}

/// What is left of a proof whose bytes, or text, were damaged in one to three places: mostly
/// nothing that can be read. So is one for another scheme, of which the specification knows
/// nothing.
pub fn damaged(draw: &mut Draw, proof: &AnswerProof) -> Option<AnswerProof> {
    damaged_form(draw, proof)?.read().filter(|read| read.scheme == proof.scheme)
}

/// The bytes, or the text, of a proof, damaged in one to three places; none where it has no bytes.
pub fn damaged_form(draw: &mut Draw, proof: &AnswerProof) -> Option<Received> {
    if draw.below(2) == 0 {
        let mut bytes = answer_bytes::encode(proof).ok()?;
        damage(draw, &mut bytes, |draw, _| 1 << draw.below(8));
        return Some(Received::Bytes(bytes));
    }
    let mut text = answer_json::write(proof).ok()?.into_bytes();
    // Mostly one digit for another, so that what comes of it is a text again.
    damage(draw, &mut text, |draw, old| if old.is_ascii_digit() { old ^ (b'0' + draw.below(10) as u8) } else { 1 });
    Some(Received::Text(text))
}

fn damage(draw: &mut Draw, bytes: &mut Vec<u8>, change: impl Fn(&mut Draw, u8) -> u8) {
    for _ in 0..1 + draw.below(3) {
        let place = draw.below(bytes.len().max(1));
        match draw.below(12) {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, draw.below(256) as u8),
            2 if place < bytes.len() => drop(bytes.remove(place)),
            3 => bytes.extend_from_within(place..),
            _ => {
                if let Some(byte) = bytes.get_mut(place) {
                    *byte ^= change(draw, *byte);
                }
            }
        }
    }
}

/// A proof of which nothing is honest but, mostly, what it says that it is about.
pub fn from_nothing(world: &World, draw: &mut Draw, honest: &AnswerProof) -> AnswerProof {
    let claims = (0..draw.below(4)).map(|_| claim(world, draw)).collect();
    let tie = honest.tie.as_ref().map(|tie| RootTie {
        vectors: (0..draw.below(3)).map(|number| vector(draw, number as u64)).collect(),
        ..if draw.below(2) == 0 { tie.clone() } else { RootTie { size: draw.below(16) as u64, ..RootTie::default() } }
    });
    let mut proof = AnswerProof { claims, tie, ..honest.clone() };
    match draw.below(8) {
        0 => proof.dictionary = DictionaryId(digest(draw)),
        1 => proof.version = draw.below(4) as u64,
        2 => proof.question = draw.question(),
        _ => {}
    }
    proof
}

fn claim(world: &World, draw: &mut Draw) -> Claim {
    let slot = Slot {
        key: if draw.below(6) == 0 { Key::empty() } else { draw.key() },
        value: Value::from(vec![draw.below(4) as u8; draw.below(3)]),
        next: if draw.below(4) == 0 { Key::empty() } else { draw.key() },
    };
    let opening = match draw.below(3) {
        0 => std::array::from_fn(|_| draw.below(256) as u8),
        1 => world.points.opening(slot.scalar()),
        _ => world.points.opening((draw.below(5) as u64).into()),
    };
    Claim { position: draw.below(14) as u64, slot, opening }
}

fn vector(draw: &mut Draw, number: u64) -> TiedVector {
    TiedVector {
        number,
        commitment: std::array::from_fn(|_| draw.below(256) as u8),
        path: (0..draw.below(4)).map(|_| digest(draw)).collect(),
    }
}

fn digest(draw: &mut Draw) -> [u8; 32] {
    std::array::from_fn(|_| draw.below(256) as u8)
}
