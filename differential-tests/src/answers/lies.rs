//! Lies: honest proofs that are changed, cut, reordered, and put together from several.

use aardvark_algebra::Scalar;
use aardvark_dictionary::{Claim, Key, Value};
use aardvark_proof::{AnswerProof, Question, Region, RootTie};

use crate::answers::convert::exponent_of;
use crate::answers::fold;
use crate::answers::world::{Believed, Draw, State, World};

/// Changes a proof, or what is asked, in one to three ways. A third is folded after that, and half
/// of those changed once more.
pub fn lie(world: &World, state: &State, draw: &mut Draw, asked: &mut Question, proof: &mut AnswerProof) {
    for _ in 0..[1, 1, 1, 2, 3][draw.below(5)] {
        match draw.below(23) {
            0..=7 => change_claims(world, state, draw, proof),
            8..=12 => change_a_claim(world, draw, proof),
            13 | 14 => change_what_it_is_about(world, draw, asked, proof),
            15..=17 => change_the_identity(world, draw, proof),
            _ => change_the_tie(world, state, draw, proof),
        }
    }
    if draw.below(3) == 0 {
        fold::fold(world, state, proof);
        if draw.below(2) == 0 {
            change_the_fold(world, draw, proof);
        }
    }
}

/// An honest proof of some state, for some question.
fn other(world: &World, draw: &mut Draw, believed: Believed) -> AnswerProof {
    let state = &world.states[draw.below(world.states.len())];
    world.prove(state, believed, &draw.question())
}

fn change_claims(world: &World, state: &State, draw: &mut Draw, proof: &mut AnswerProof) {
    let foreign = other(world, draw, Believed::Commitments).claims;
    let own = world.prove(state, Believed::Commitments, &draw.question()).claims;
    let claims = &mut proof.claims;
    let (i, j) = (draw.below(claims.len().max(1)), draw.below(claims.len().max(1)));
    let spare = |draw: &mut Draw| [&own, &foreign][usize::from(draw.below(4) == 0)].first().cloned();
    match draw.below(8) {
        0 if !claims.is_empty() => drop(claims.remove(i)),
        1 if !claims.is_empty() => claims.insert(i, claims[j].clone()),
        2 if !claims.is_empty() => claims.swap(i, j),
        3 if !claims.is_empty() => claims.truncate(i),
        4 => claims.extend(spare(draw)),
        5 => *claims = own,
        6 => *claims = foreign,
        _ => {
            if let (Some(claim), Some(spare)) = (claims.get_mut(i), spare(draw)) {
                *claim = spare;
            }
        }
    }
    // Mostly the tie is that of the new claims, so that the lie gets further than to it.
    if proof.tie.is_some() && draw.below(4) != 0 {
        proof.tie = Some(world.tie(state, &proof.claims));
    }
}

fn change_a_claim(world: &World, draw: &mut Draw, proof: &mut AnswerProof) {
    let place = draw.below(proof.claims.len().max(1));
    let Some(claim) = proof.claims.get_mut(place) else { return };
    let Claim { position, slot, opening } = claim;
    match draw.below(12) {
        0 => slot.key = draw.key(),
        1 => slot.next = draw.key(),
        2 => slot.next = Key::empty(),
        3 => slot.value = Value::from(vec![draw.below(4) as u8]),
        4 => slot.value = Value::from(vec![0; 1020 + draw.below(8)]),
        5 => slot.key = Key::from(vec![b'k'; 253 + draw.below(6)]),
        6 => *position ^= 1 << draw.below(4),
        7 => *position = [u64::MAX, 14, 1 << 40][draw.below(3)],
        8 => opening[draw.below(48)] ^= 1 << draw.below(8),
        9 => *opening = [0; 48],
        _ => {
            let Some(exponent) = exponent_of(opening, &world.points) else { return };
            *opening = match draw.below(2) {
                0 => world.points.opening(exponent + Scalar::from(1)),
                _ => world.points.opening_with_torsion(exponent),
            };
        }
    }
}

fn change_what_it_is_about(world: &World, draw: &mut Draw, asked: &mut Question, proof: &mut AnswerProof) {
    match draw.below(9) {
        0 => proof.dictionary = world.states[draw.below(world.states.len())].dictionary,
        1 => proof.vector_size = [0, 1, 2, 4, u32::MAX][draw.below(5)],
        2 => proof.version = draw.below(4) as u64,
        3 => proof.question = draw.question(),
        4 => *asked = draw.question(),
        5 | 6 => {
            // The claims of one question as the answer to another.
            *asked = draw.question();
            proof.question = asked.clone();
        }
        7 => *asked = Question::Region(Region::Keys(vec![draw.key(), draw.key()])),
        _ => *asked = Question::range(draw.key(), draw.key(), Some(draw.below(3) as u64)),
    }
}

fn change_the_tie(world: &World, state: &State, draw: &mut Draw, proof: &mut AnswerProof) {
    let foreign = other(world, draw, Believed::Root).tie;
    let claims = &proof.claims;
    let Some(tie) = &mut proof.tie else {
        if draw.below(4) == 0 {
            proof.tie = foreign;
        }
        return;
    };
    let place = draw.below(tie.vectors.len().max(1));
    let digest = [draw.below(256) as u8; 32];
    match draw.below(16) {
        0 => proof.tie = None,
        1 => proof.tie = foreign,
        2 => *tie = RootTie { vectors: foreign.unwrap_or_default().vectors, ..tie.clone() },
        3 => tie.size = [0, 1, tie.size + 1, u64::MAX >> 8][draw.below(4)],
        4 => tie.tail_start ^= 1,
        5 => tie.commitment_root = digest,
        6 => tie.window_digest = digest,
        7 => *tie = world.tie(state, &[]),
        8 => {
            *tie = world
                .tie(state, &[claims.as_slice(), &world.prove(state, Believed::Root, &draw.question()).claims].concat())
        }
        9 => tie.vectors.reverse(),
        _ if tie.vectors.is_empty() => (),
        10 => tie.vectors.insert(place, tie.vectors[place].clone()),
        11 => tie.vectors[place].number ^= 1,
        12 => tie.vectors[place].commitment[draw.below(48)] ^= 1 << draw.below(8),
        13 => tie.vectors[place].commitment = state.commitments[draw.below(state.commitments.len())].to_bytes(),
        14 => match draw.below(3) {
            0 => drop(tie.vectors[place].path.pop()),
            1 => tie.vectors[place].path.push(digest),
            _ => tie.vectors[place].path.reverse(),
        },
        _ => drop(tie.vectors.remove(place)),
    }
}

/// Only who knows the root alone looks at it.
fn change_the_identity(world: &World, draw: &mut Draw, proof: &mut AnswerProof) {
    let foreign = &world.states[draw.below(world.states.len())].identity;
    let Some(tie) = &mut proof.tie else { return };
    let Some(identity) = &mut tie.identity else {
        tie.identity = Some(foreign.clone());
        return;
    };
    match draw.below(14) {
        0 => tie.identity = None,
        1 => *identity = foreign.clone(),
        2 | 12 => identity.name.clear(),
        3 => identity.name = vec![b'n'; 254 + draw.below(4)],
        4 => identity.salt[draw.below(32)] ^= 1 << draw.below(8),
        5 => identity.content_digest[draw.below(32)] ^= 1 << draw.below(8),
        6 | 13 => identity.setup_digest[draw.below(32)] ^= 1 << draw.below(8),
        7 => identity.binding.push(0),
        // From the name's end to the salt's beginning nothing can move: lengths are fixed or bound.
        8 => drop(identity.name.pop()),
        9 => identity.parameters[0] = [0, 1, 2, 3, 255][draw.below(5)],
        10 => identity.parameters[4] = [0, 1, 2, 3, 4, 8][draw.below(6)],
        _ => identity.parameters[draw.below(41)] ^= 1 << draw.below(8),
    }
}

fn change_the_fold(world: &World, draw: &mut Draw, proof: &mut AnswerProof) {
    let foreign = fold::folded(world, draw);
    let Some(opening) = &mut proof.folded_opening else {
        proof.folded_opening = foreign.or(Some([0; 96]));
        return;
    };
    let half = 48 * draw.below(2);
    let exponent_of_half =
        |opening: &[u8; 96]| exponent_of(&std::array::from_fn(|place| opening[half + place]), &world.points);
    let point = match (draw.below(10), exponent_of_half(opening)) {
        (0 | 1, _) => {
            *opening = foreign.unwrap_or([0; 96]);
            return;
        }
        (2, _) => return proof.folded_opening = None,
        (3, _) => return opening.rotate_left(48),
        (4, _) => return opening[draw.below(96)] ^= 1 << draw.below(8),
        (5, _) => [0; 48],
        (6, _) => world.points.opening(Scalar::from(0)),
        (_, None) => return,
        (7 | 8, Some(exponent)) => world.points.opening_with_torsion(exponent),
        (_, Some(exponent)) => world.points.opening(exponent + Scalar::from(1)),
    };
    opening[half..half + 48].copy_from_slice(&point);
}
