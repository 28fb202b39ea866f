//! The oracle says of the parts what the specification says: seeds and coefficients, state roots
//! and the paths to them, commitments, openings, batches and aggregations by themselves, what an
//! archive answers, and what is current.

// A broken premise must stop a test.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use aardvark_oracle::{Oracle, Part, Safety};
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::{g1_identity, g1_multiple};
use aardvark_spec::base::scalar::{Scalar, scalar_of_number};
use aardvark_spec::block::operation::{Action, Operation};
use aardvark_spec::block::root::{HashedPrevious, HashedRecord, HashedState};
use aardvark_spec::block::state::ReplayEntry;
use aardvark_spec::block::validator::apply_block;
use aardvark_spec::commitment::aggregation::{EncodedPoint, UnopenedClaim};
use aardvark_spec::commitment::challenge::ChallengeClaim;
use aardvark_spec::commitment::commitment_tree::{commitment_path, commitment_root, root_of_path};
use aardvark_spec::commitment::opening::{AggregatedOpening, BatchClaim, aggregated_opening};
use aardvark_spec::commitment::scheme::{commit, open, setup_vector_size};
use aardvark_spec::convert::byte_string;
use aardvark_spec::dictionary::slot::Slot;
use aardvark_spec::dictionary::writes::Write;
use hacspec_lib::Seq;

use common::aggregation::coefficients;
use common::scene::Scene;
use common::{Dice, seq, start};

/// Both say the same, and the twin holds. Parts that need a state or a setup are asked in the
/// scene's.
fn agree(scene: &Scene, oracle: &mut Oracle, part: &Part) {
    let answer = oracle.part(Safety::Ask, part).unwrap();
    assert_eq!(answer.text, part.specified(&scene.setup, &scene.state), "{part:?}");
    assert_eq!(answer.safe, Some(true), "the twin says that {part:?} makes the specification panic");
}

/// A number of any length, often a small one.
fn number(dice: &mut Dice) -> usize {
    let bits = [2, 2, 9, 18, 40, 63][dice.size(6)];
    let wide = dice.below(1 << 31) << 32 | dice.below(1 << 32);
    usize::try_from(wide & ((1 << bits) - 1)).unwrap()
}

/// A string of some bytes, of which few are likely, so that some come again.
fn some_bytes(dice: &mut Dice, length: usize) -> ByteString {
    let byte = dice.below(3);
    byte_string(&(0..length).map(|_| u8::try_from(byte * dice.below(120)).unwrap()).collect::<Vec<u8>>())
}

fn many<T: Clone + Default>(dice: &mut Dice, bound: u64, mut one: impl FnMut(&mut Dice) -> T) -> Seq<T> {
    let count = dice.size(bound);
    seq((0..count).map(|_| one(dice)).collect())
}

fn scalar(dice: &mut Dice) -> Scalar {
    scalar_of_number(u128::from(dice.below(1 << 31))) * scalar_of_number(u128::MAX - u128::from(dice.below(99)))
}

#[test]
fn seeds_and_coefficients_bind_the_same_bytes() {
    let Some(mut oracle) = start() else { return };
    let scene = Scene::new(0, &mut oracle);
    let mut dice = Dice(1);
    for _ in 0..60 {
        let claims = many(&mut dice, 5, |dice| ChallengeClaim {
            challenge_version: number(dice),
            challenge_commitment: some_bytes(dice, 48),
            challenge_index: dice.size(1 << 32),
            challenge_scalar: some_bytes(dice, 32),
            challenge_opening: some_bytes(dice, 48),
        });
        agree(&scene, &mut oracle, &Part::Seed { dictionary: some_bytes(&mut dice, 32), claims });
        agree(&scene, &mut oracle, &Part::Coefficient { seed: some_bytes(&mut dice, 32), number: number(&mut dice) });
        let claims = many(&mut dice, 5, |dice| UnopenedClaim {
            unopened_version: dice.size(3),
            unopened_position: number(dice),
            unopened_commitment: some_bytes(dice, 48),
            unopened_scalar: some_bytes(dice, 32),
        });
        // Some stand twice, next to each other and apart.
        let repeated = claims.native_slice().iter().filter(|_| dice.below(2) == 0);
        let claims = seq([claims.native_slice(), &repeated.cloned().collect::<Vec<_>>()].concat());
        let points = many(&mut dice, 5, |dice| EncodedPoint {
            encoded_index: dice.size(1 << 32),
            encoded_point: some_bytes(dice, 48),
        });
        let version = number(&mut dice);
        agree(&scene, &mut oracle, &Part::Seeds { dictionary: some_bytes(&mut dice, 32), version, claims, points });
    }
}

/// A state that no history leads to, but that can be hashed.
fn hashed_state(dice: &mut Dice) -> HashedState {
    HashedState {
        hashed_dictionary: some_bytes(dice, 32),
        hashed_version: number(dice),
        hashed_size: number(dice),
        hashed_tail_start: number(dice),
        hashed_commitments: many(dice, 8, |dice| some_bytes(dice, 48)),
        hashed_tail: many(dice, 4, slot),
        hashed_replay_set: replay_set(dice),
        hashed_window: many(dice, 4, |dice| HashedRecord {
            hashed_record_version: number(dice),
            hashed_record_size: number(dice),
            hashed_record_writes: many(dice, 4, write),
            hashed_record_commitments: many(dice, 4, |dice| HashedPrevious {
                hashed_previous_vector: number(dice),
                hashed_previous_commitment: (dice.below(3) > 0).then(|| some_bytes(dice, 48)),
            }),
        }),
    }
}

fn slot(dice: &mut Dice) -> Slot {
    Slot { key: dice.key(), value: dice.value(), next: dice.key() }
}

fn write(dice: &mut Dice) -> Write {
    Write { write_position: number(dice), write_content: (dice.below(3) > 0).then(|| slot(dice)) }
}

/// Entries of which some share their last version, and some of these their first byte, or all.
fn replay_set(dice: &mut Dice) -> Seq<ReplayEntry> {
    many(dice, 9, |dice| ReplayEntry {
        replay_id: byte_string(&[[u8::try_from(dice.below(3)).unwrap(); 16], [9; 16]].concat()),
        replay_last_valid: dice.size(3) << dice.size(40),
    })
}

#[test]
fn state_roots_are_over_the_same_parts_and_the_replay_set_is_sorted_alike() {
    let Some(mut oracle) = start() else { return };
    let scene = Scene::new(0, &mut oracle);
    let mut dice = Dice(2);
    agree(&scene, &mut oracle, &Part::Root(HashedState::default()));
    for _ in 0..60 {
        agree(&scene, &mut oracle, &Part::Root(hashed_state(&mut dice)));
        agree(&scene, &mut oracle, &Part::Replay(replay_set(&mut dice)));
    }
}

#[test]
fn paths_lead_to_the_same_roots_and_those_that_are_none_nowhere() {
    let Some(mut oracle) = start() else { return };
    let scene = Scene::new(0, &mut oracle);
    let mut dice = Dice(3);
    for width in 0..10 {
        let leaves = seq((0..width).map(|_| some_bytes(&mut dice, 48)).collect());
        for index in 0..width {
            agree(&scene, &mut oracle, &Part::Path { leaves: leaves.clone(), index });
            let path = commitment_path(&leaves, index);
            let leaf = leaves[index].clone();
            assert_eq!(root_of_path(width, index, &leaf, &path), Some(commitment_root(&leaves)));
            let digests = path.native_slice();
            let mut paths = vec![path.clone(), seq([digests, &[some_bytes(&mut dice, 32)]].concat())];
            paths.extend(digests.split_last().map(|(_, fewer)| seq(fewer.to_vec())));
            for path in paths {
                // No tree has a node for each: numbers that a liar gives.
                for (width, index) in [(width, index), (width, index + 1), (width + 1, index), (width, width), (0, 0)]
                    .into_iter()
                    .chain([(usize::MAX, index), (usize::MAX, usize::MAX), (usize::MAX, usize::MAX - 1)])
                {
                    let leaf = leaf.clone();
                    agree(&scene, &mut oracle, &Part::End { width, index, leaf, path: path.clone() });
                }
            }
        }
    }
}

#[test]
fn commitments_openings_and_their_updates_are_the_same_numbers() {
    let Some(mut oracle) = start() else { return };
    for seed in 0..16 {
        let mut scene = Scene::new(seed, &mut oracle);
        let n = setup_vector_size(&scene.setup);
        agree(&scene, &mut oracle, &Part::Scheme);
        let wide = (0..48).map(|_| u8::try_from(scene.dice.below(256)).unwrap()).collect::<Vec<u8>>();
        agree(&scene, &mut oracle, &Part::Wide(byte_string(&wide)));
        let dice = &mut scene.dice;
        let length = if dice.below(3) == 0 { dice.size(n as u64 + 1) } else { n };
        let scalars = seq((0..length).map(|_| scalar(dice)).collect());
        let (commitment, delta) = (commit(&scene.setup, &scalars), scalar(dice));
        for index in 0..n {
            agree(&scene, &mut oracle, &Part::Vector { scalars: scalars.clone(), index });
            let opening = open(&scene.setup, &scalars, index);
            for changed in 0..n {
                agree(&scene, &mut oracle, &Part::Updated { commitment, opening, index, changed, delta });
            }
        }
    }
}

/// True claims about some vectors, with the openings.
fn true_claims(scene: &mut Scene) -> Vec<BatchClaim> {
    let n = setup_vector_size(&scene.setup);
    let dice = &mut scene.dice;
    let vectors: Vec<Seq<Scalar>> = (0..3).map(|_| seq((0..n).map(|_| scalar(dice)).collect())).collect();
    let claim = |dice: &mut Dice| {
        let (vector, i) = (&vectors[dice.size(3)], dice.size(n as u64));
        BatchClaim {
            batch_commitment: commit(&scene.setup, vector),
            batch_index: i,
            batch_scalar: vector[i],
            batch_opening: open(&scene.setup, vector, i),
        }
    };
    (0..dice.size(7)).map(|_| claim(dice)).collect()
}

/// The points of claims, one an index that they speak of.
fn points_of(claims: &[BatchClaim], rho: &Seq<Scalar>) -> Vec<AggregatedOpening> {
    let claims = seq(claims.to_vec());
    let mut indices: Vec<usize> = claims.native_slice().iter().map(|claim| claim.batch_index).collect();
    indices.sort_unstable();
    indices.dedup();
    let point = |i| AggregatedOpening { aggregated_index: i, aggregated_point: aggregated_opening(&claims, rho, i) };
    indices.into_iter().map(point).collect()
}

#[test]
fn batches_and_aggregations_are_judged_alike_true_false_and_misshapen() {
    let Some(mut oracle) = start() else { return };
    let mut accepted = [0; 2];
    let mut asked = 0;
    for seed in 0..50 {
        let mut scene = Scene::new(seed, &mut oracle);
        let n = setup_vector_size(&scene.setup);
        let claims = true_claims(&mut scene);
        let rho = coefficients(&some_bytes(&mut scene.dice, 32), claims.len());
        let honest = points_of(&claims, &rho);
        let gamma = coefficients(&some_bytes(&mut scene.dice, 32), honest.len() + 1);
        let mut cases = vec![(claims.clone(), honest.clone())];
        for i in 0..claims.len() {
            let mut spoil = |change: &dyn Fn(&mut BatchClaim)| {
                let mut spoiled = claims.clone();
                change(&mut spoiled[i]);
                cases.push((spoiled.clone(), points_of(&spoiled, &rho)));
                cases.push((spoiled, honest.clone()));
            };
            spoil(&|claim| claim.batch_scalar = scalar_of_number(4));
            spoil(&|claim| claim.batch_commitment = g1_identity());
            spoil(&|claim| claim.batch_opening = g1_multiple(scalar_of_number(4)));
            spoil(&|claim| claim.batch_index = (claim.batch_index + 1) % n);
            spoil(&|claim| claim.batch_index += n);
            spoil(&|claim| (claim.batch_index, claim.batch_opening) = (claim.batch_index + n, g1_identity()));
        }
        for j in 0..=honest.len() {
            let mut reshape = |change: &dyn Fn(&mut Vec<AggregatedOpening>)| {
                let mut points = honest.clone();
                change(&mut points);
                cases.push((claims.clone(), points));
            };
            // The identity, which proves nothing, at each index, and beyond.
            for index in 0..n + 2 {
                let nothing = AggregatedOpening { aggregated_index: index, aggregated_point: g1_identity() };
                reshape(&|points| points.insert(j, nothing.clone()));
            }
            if j < honest.len() {
                reshape(&|points| _ = points.remove(j));
                reshape(&|points| points.rotate_left(j));
                reshape(&|points| points[j].aggregated_index += 1);
                reshape(&|points| points[j].aggregated_point = g1_multiple(scalar_of_number(4)));
            }
        }
        for (claims, points) in cases {
            let (claims, points) = (seq(claims), seq(points));
            let part = Part::Batch { claims, coefficients: rho.clone(), points, combiners: gamma.clone() };
            agree(&scene, &mut oracle, &part);
            let specified = part.specified(&scene.setup, &scene.state);
            let flags: Vec<&str> = specified.split(' ').take(2).collect();
            accepted[0] += usize::from(flags[0] == "1");
            accepted[1] += usize::from(flags[1] == "1");
            asked += 1;
        }
    }
    assert!(accepted.iter().all(|count| *count > 30 && 2 * *count < asked), "{accepted:?} of {asked}");
}

fn operation(key: &[u8], action: Action) -> Operation {
    Operation { operation_key: byte_string(key), action }
}

#[test]
fn archives_answer_alike_along_histories_and_claims_are_current_alike() {
    let Some(mut oracle) = start() else { return };
    for seed in 40..60 {
        let mut scene = Scene::new(seed, &mut oracle);
        for _ in 0..4 {
            let operations =
                many(&mut scene.dice, 4, |dice| Operation { operation_key: dice.key(), action: dice.action() });
            let (array, start) = (scene.array.clone(), scene.state.tail_start);
            agree(&scene, &mut oracle, &Part::Claims { array: array.clone(), operations });
            // Where a slot is missing, an archive gives the claims that it can.
            let deletes = [b"a".as_slice(), b"ab", b"b", b"c", b"d"].map(|key| operation(key, Action::Delete));
            for position in 0..array.array_size {
                let mut array = array.clone();
                array.array_slots[position] = None;
                agree(&scene, &mut oracle, &Part::Claims { array, operations: seq(deletes.to_vec()) });
            }
            let vector_size = setup_vector_size(&scene.setup);
            for count in 0..3 {
                agree(&scene, &mut oracle, &Part::Tail { array: array.clone(), start, vector_size, count });
            }
            for version in scene.state.version.saturating_sub(4)..=scene.state.version {
                for position in 0..array.array_size + 2 {
                    agree(&scene, &mut oracle, &Part::Current { version, position });
                }
            }
            let transactions = vec![scene.transaction()];
            let block = scene.block(transactions);
            let Ok((state, effects)) = apply_block(&scene.setup, &scene.state, &block) else { continue };
            agree(&scene, &mut oracle, &Part::Written { array, writes: effects.effect_writes, size: state.size });
            scene.step(&mut oracle, &block, Safety::Skip);
        }
    }
}

#[test]
fn parts_that_need_a_genesis_are_refused_before_it() {
    let Some(mut oracle) = start() else { return };
    let part = Part::Current { version: 0, position: 0 };
    assert!(oracle.part(Safety::Skip, &part).unwrap_err().to_string().contains("there is no state yet"));
    let part = Part::Vector { scalars: seq(Vec::new()), index: 0 };
    assert!(oracle.part(Safety::Skip, &part).unwrap_err().to_string().contains("there is no setup yet"));
    assert!(oracle.part(Safety::Skip, &Part::Replay(seq(Vec::new()))).is_ok());
}
