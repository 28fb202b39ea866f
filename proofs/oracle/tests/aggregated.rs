//! The oracle says of aggregated blocks what the specification says: on random histories in which
//! every block is also proposed in its aggregated form, honest and with forged points; where limits
//! are met exactly; and of the claims alone.

// A broken premise must stop a test.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use aardvark_oracle::{Oracle, Part, Safety, specified_judgement};
use aardvark_spec::base::group::{g1_identity, g1_multiple};
use aardvark_spec::base::scalar::scalar_of_number;
use aardvark_spec::block::aggregated_block::{aggregated_length, apply_challenged_block};
use aardvark_spec::block::block_data::Block;
use aardvark_spec::block::drawn_block::{apply_aggregated_block, block_transcript};
use aardvark_spec::block::rejection::Reason;
use aardvark_spec::block::transaction::{Claim, Transaction};
use aardvark_spec::block::validator::apply_block;
use aardvark_spec::commitment::opening::Opening;
use aardvark_spec::commitment::transcript::{transcript_coefficients, transcript_combiners};
use aardvark_spec::convert::{byte_string, to_vec};
use aardvark_spec::dictionary::genesis::Parameters;
use aardvark_spec::dictionary::slot::Slot;

use common::aggregation::{Aggregated, aggregated, with_points};
use common::scene::Scene;
use common::{Dice, seq, start};

/// Both judge the aggregated block under given challenges; the specification's reason, none where
/// it is accepted. Neither moves.
fn agree_challenged(scene: &Scene, oracle: &mut Oracle, proposed: &Aggregated) -> Option<Reason> {
    let Aggregated { block, coefficients, combiners, .. } = proposed;
    let specified = apply_challenged_block(&scene.setup, &scene.state, block, coefficients, combiners);
    let answer = oracle.judge_challenged(Safety::Skip, block, coefficients, combiners).unwrap();
    assert_eq!(answer.text, specified_judgement(&specified), "{block:?}");
    specified.err().map(|rejection| rejection.reason)
}

/// Both judge the aggregated block under the challenges that each draws for it, which are those of
/// the format; the specification's reason, none where it is accepted. Neither moves.
fn agree(scene: &Scene, oracle: &mut Oracle, safety: Safety, proposed: &Aggregated) -> Option<Reason> {
    let Aggregated { block, encodings, coefficients, combiners } = proposed;
    let drawn_from = block_transcript(&scene.state, block, encodings);
    assert_eq!(to_vec(&transcript_coefficients(&drawn_from)), to_vec(coefficients));
    if to_vec(&drawn_from.transcript_points).len() == block.block_points.len() {
        assert_eq!(to_vec(&transcript_combiners(&drawn_from)), to_vec(combiners));
    }
    let specified = apply_aggregated_block(&scene.setup, &scene.state, block, encodings);
    let answer = oracle.judge_aggregated(safety, block, encodings).unwrap();
    assert_eq!(answer.text, specified_judgement(&specified), "{block:?}");
    assert_ne!(answer.safe, Some(false), "the twin says that {block:?} makes the specification panic");
    let unopened = Part::Unopened { block: block.plain_block.clone() };
    let answer = oracle.part(safety, &unopened).unwrap();
    assert_eq!(answer.text, unopened.specified(&scene.setup, &scene.state));
    specified.err().map(|rejection| rejection.reason)
}

/// The block under other challenges than its own, and with too few of them.
fn challenged(honest: &Aggregated) -> Vec<Aggregated> {
    let other = scalar_of_number(5);
    let with_other = |i: usize| {
        let mut coefficients = honest.coefficients.clone();
        coefficients[i] = other;
        Aggregated { coefficients, ..honest.clone() }
    };
    let mut all: Vec<Aggregated> = (0..honest.coefficients.len()).map(with_other).collect();
    all.push(Aggregated { combiners: seq(Vec::new()), ..honest.clone() });
    all
}

/// The block with points that prove nothing, too few, too many, in another order, malformed.
fn forged(scene: &Scene, honest: &Aggregated) -> Vec<Aggregated> {
    let points = honest.block.block_points.native_slice().to_vec();
    let mut all: Vec<Vec<Opening>> = Vec::new();
    for i in 0..points.len() {
        for other in
            [Opening::Malformed, Opening::Point(g1_identity()), Opening::Point(g1_multiple(scalar_of_number(3)))]
        {
            let mut changed = points.clone();
            changed[i] = other;
            all.push(changed);
        }
        let mut fewer = points.clone();
        fewer.remove(i);
        all.push(fewer);
        let mut turned = points.clone();
        turned.rotate_left(i);
        all.push(turned);
    }
    for one_more in [Opening::Malformed, Opening::Point(g1_identity())] {
        all.push([points.clone(), vec![one_more]].concat());
    }
    let propose = |points| with_points(&scene.state, honest.block.plain_block.clone(), points);
    all.into_iter().map(propose).collect()
}

#[test]
fn of_aggregated_blocks_the_oracle_says_what_the_specification_says() {
    let Some(mut oracle) = start() else { return };
    let (mut accepted, mut refused, mut earlier) = (0, 0, 0);
    for seed in 100..130 {
        let mut scene = Scene::new(seed, &mut oracle);
        for number in 0..4 {
            let safety = if number == 1 { Safety::Ask } else { Safety::Skip };
            let transactions: Vec<Transaction> = (0..=scene.dice.below(2)).map(|_| scene.transaction()).collect();
            let spoiled = scene.spoiled(&transactions[0]);
            let spoiled = scene.block(vec![transactions[0].clone(), spoiled]);
            let proposed = aggregated(&scene.state, spoiled);
            earlier += usize::from(agree(&scene, &mut oracle, safety, &proposed).is_some_and(is_early));
            let plain = scene.block(transactions);
            let honest = aggregated(&scene.state, plain.clone());
            for forged in forged(&scene, &honest) {
                refused += usize::from(agree(&scene, &mut oracle, Safety::Skip, &forged).is_some());
            }
            for challenged in challenged(&honest) {
                refused += usize::from(agree_challenged(&scene, &mut oracle, &challenged).is_some());
            }
            let reason = agree(&scene, &mut oracle, safety, &honest);
            let of_plain = apply_block(&scene.setup, &scene.state, &plain).map_err(|rejection| rejection.reason);
            assert_eq!(reason, of_plain.err(), "an honest aggregation proves what the openings prove");
            accepted += usize::from(reason.is_none());
            scene.step(&mut oracle, &plain, Safety::Skip);
        }
    }
    assert!(accepted > 40 && refused > 500 && earlier > 5, "{accepted} accepted, {refused} refused, {earlier} early");
}

/// Whether the reason belongs to a phase before the points.
fn is_early(reason: Reason) -> bool {
    !matches!(reason, Reason::OpeningFalse | Reason::OpeningMalformed)
}

#[test]
fn an_aggregated_block_moves_the_oracle_as_a_plain_one_does() {
    let Some(mut oracle) = start() else { return };
    for seed in 0..10 {
        let mut scene = Scene::new(seed, &mut oracle);
        for _ in 0..3 {
            let transactions = vec![scene.transaction()];
            let plain = scene.block(transactions);
            let Ok((state, effects)) = apply_block(&scene.setup, &scene.state, &plain) else { continue };
            let honest = aggregated(&scene.state, plain.clone());
            assert_eq!(agree(&scene, &mut oracle, Safety::Skip, &honest), None);
            oracle.advance().unwrap();
            // The next blocks are judged after it.
            scene.follow(&effects, state);
        }
    }
}

#[test]
fn the_limits_of_an_aggregated_block_are_met_exactly_and_exceeded_by_one() {
    let Some(mut oracle) = start() else { return };
    let good = |seed: u64, oracle: &mut Oracle| {
        let mut scene = Scene::new(seed, oracle);
        let transactions: Vec<Transaction> = (0..2).map(|_| scene.transaction()).collect();
        let plain = scene.block(transactions.clone());
        let accepted = apply_block(&scene.setup, &scene.state, &plain).is_ok();
        let claims = transactions.iter().map(|tx| tx.claims.len()).sum::<usize>();
        (accepted && claims > 3).then_some((seed, scene, transactions, plain))
    };
    let (seed, scene, transactions, plain) = (0..100).find_map(|seed| good(seed, &mut oracle)).unwrap();
    let honest = aggregated(&scene.state, plain.clone());
    let length = aggregated_length(&honest.block);
    let count = |each: fn(&Transaction) -> usize| transactions.iter().map(each).sum::<usize>();
    let (operations, claims) = (count(|tx| tx.operations.len()), count(|tx| tx.claims.len()));
    assert!(honest.block.block_points.len() > 0);
    type Field = fn(&mut Parameters) -> &mut usize;
    let limits: [(Field, usize, Reason); 4] = [
        (|p| &mut p.block_transactions, 2, Reason::TooManyTransactions),
        (|p| &mut p.block_operations, operations, Reason::TooManyBlockOperations),
        (|p| &mut p.block_claims, claims, Reason::TooManyBlockClaims),
        (|p| &mut p.block_bytes, length, Reason::BlockTooLong),
    ];
    for (field, limit, reason) in limits {
        let mut expected = Vec::new();
        for limit in [limit, limit - 1] {
            let mut genesis = scene.genesis.clone();
            *field(&mut genesis.genesis_parameters) = limit;
            let limited = Scene::of(Dice(0), scene.setup.clone(), scene.trapdoor, genesis, &mut oracle);
            let said = agree(&limited, &mut oracle, Safety::Ask, &aggregated(&limited.state, plain.clone()));
            expected.push(said);
        }
        // Another genesis is another dictionary: the transactions and the claims are good there,
        // too.
        assert_eq!(expected, [None, Some(reason)]);
    }
    let scene = Scene::new(seed, &mut oracle);
    for block_version in [0, 2] {
        let proposed = aggregated(&scene.state, Block { block_version, ..plain.clone() });
        assert_eq!(agree(&scene, &mut oracle, Safety::Ask, &proposed), Some(Reason::WrongVersion));
    }
}

#[test]
fn claims_are_one_only_where_version_position_and_slot_are_the_same() {
    let Some(mut oracle) = start() else { return };
    let mut most = 0;
    for seed in 0..40 {
        let mut scene = Scene::new(seed, &mut oracle);
        for _ in 0..3 {
            let transactions = vec![scene.transaction()];
            let block = scene.block(transactions);
            if !scene.step(&mut oracle, &block, Safety::Skip) {
                break;
            }
        }
        let (version, size) = (scene.state.version, scene.state.size);
        let claim = |dice: &mut Dice| Claim {
            claim_position: dice.size(size as u64),
            claim_slot: Slot {
                key: byte_string(b"k"),
                value: byte_string(&[dice.size(2) as u8]),
                next: byte_string(b""),
            },
            claim_opening: Opening::Malformed,
        };
        let transaction = |dice: &mut Dice| Transaction {
            first_valid: version + 1 - dice.size(3).min(version),
            claims: seq((0..dice.size(6)).map(|_| claim(dice)).collect()),
            ..Transaction::default()
        };
        let transactions = (0..4).map(|_| transaction(&mut scene.dice)).collect();
        let block = Block { transactions: seq(transactions), ..Block::default() };
        let part = Part::Unopened { block };
        let specified = part.specified(&scene.setup, &scene.state);
        let answer = oracle.part(Safety::Ask, &part).unwrap();
        assert_eq!((answer.text.as_str(), answer.safe), (specified.as_str(), Some(true)));
        most = most.max(specified.split(' ').nth(1).map_or(0, |count| count.parse().unwrap()));
    }
    assert!(most > 6, "{most}");
}
