//! Aggregated blocks: honest ones do what the plain block does; a forged one is refused on both
//! sides for the same reason.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use aardvark_algebra::Scalar;
use aardvark_dictionary::{AggregatedBlock, Block, Operation};
use differential_tests::aggregated::{aggregated_by_exponents, judge};
use differential_tests::points::Meaning;
use differential_tests::scene::{Scene, Stage, delete, on_both_schemes, put};

const KEYS: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

fn aggregated(scene: &Scene, block: &Block) -> AggregatedBlock {
    let id = scene.pair.validator.id().0;
    aggregated_by_exponents(&scene.pair, block, &id, block.version)
}

/// Claims of several versions and indices, one of them brought by two transactions, and a delete
/// that needs its predecessor.
fn scene(stage: Stage) -> (Scene, Block) {
    let mut scene = stage.scene(4, 3, &KEYS);
    scene.accept([scene.now([put("e", "1")])]);
    let block = scene.block([
        scene.now([put("a", "1"), delete("c")]),
        scene.aged(1, [Operation::Require("b".into(), Some("v".into())), put("bb", "1")]),
        scene.now([Operation::Add("n".into(), 4), put("a", "2")]),
    ]);
    (scene, block)
}

#[track_caller]
fn refused(scene: &Scene, aggregated: &AggregatedBlock, reason: &str) {
    let refusal = judge(&scene.pair, aggregated).unwrap().unwrap_err();
    assert_eq!((refusal.reason.as_str(), refusal.transaction, refusal.item), (reason, None, None));
}

#[test]
fn an_honest_aggregated_block_does_what_the_plain_one_does_and_travels() {
    on_both_schemes(|stage| {
        let (scene, block) = scene(stage);
        let honest = aggregated(&scene, &block);
        assert_eq!(scene.pair.validator.aggregate(block.clone()).unwrap(), honest, "both make the same points");
        assert!(honest.points.len() > 1);
        let (after, applied) = judge(&scene.pair, &honest).unwrap().unwrap();
        let mut plain = scene.pair.validator.clone();
        assert_eq!(plain.apply(&block).unwrap(), applied);
        assert_eq!(plain.state(), after.state());
        let decoded = AggregatedBlock::decode(&honest.encode(), plain.parameters());
        assert_eq!(decoded, Ok(honest));
    });
}

#[test]
fn a_block_without_claims_carries_no_points() {
    on_both_schemes(|stage| {
        let (scene, _) = scene(stage);
        let block = Block { version: scene.pair.validator.version() + 1, ..Block::default() };
        let mut empty = aggregated(&scene, &block);
        assert!(empty.points.is_empty());
        assert!(judge(&scene.pair, &empty).unwrap().is_ok());
        empty.points.push(scene.pair.archive.points.opening(Scalar::from(0)));
        refused(&scene, &empty, "OpeningFalse");
    });
}

#[test]
fn points_that_are_forged_missing_too_many_swapped_or_the_identity_are_false() {
    on_both_schemes(|stage| {
        let (scene, block) = scene(stage);
        let honest = aggregated(&scene, &block);
        let points = &scene.pair.archive.points;
        let with = |change: &dyn Fn(&mut Vec<[u8; 48]>)| {
            let mut forged = honest.clone();
            change(&mut forged.points);
            forged
        };
        let Meaning::Exponent(exponent) = points.meaning(&honest.points[0]) else { panic!("a point") };
        let identity = points.opening(Scalar::from(0));
        refused(&scene, &with(&|all| all[0] = points.opening(exponent + Scalar::from(1))), "OpeningFalse");
        refused(&scene, &with(&|all| all.truncate(all.len() - 1)), "OpeningFalse");
        refused(&scene, &with(&|all| *all = all[1..].to_vec()), "OpeningFalse");
        refused(&scene, &with(&|all| all.clear()), "OpeningFalse");
        refused(&scene, &with(&|all| all.push(identity)), "OpeningFalse");
        refused(&scene, &with(&|all| all.push(all[0])), "OpeningFalse");
        refused(&scene, &with(&|all| all.swap(0, 1)), "OpeningFalse");
        refused(&scene, &with(&|all| all.fill(identity)), "OpeningFalse");
    });
}

#[test]
fn points_that_break_the_rule_are_malformed_unless_their_number_is_wrong_already() {
    on_both_schemes(|stage| {
        let (scene, block) = scene(stage);
        let mut malformed = aggregated(&scene, &block);
        *malformed.points.last_mut().unwrap() = [0xff; 48];
        refused(&scene, &malformed, "OpeningMalformed");
        malformed.points.push([0xff; 48]);
        refused(&scene, &malformed, "OpeningFalse");
    });
}

#[test]
fn points_with_torsion_prove_what_they_prove_without() {
    on_both_schemes(|stage| {
        let (scene, block) = scene(stage);
        let mut shifted = aggregated(&scene, &block);
        let points = &scene.pair.archive.points;
        let Meaning::Exponent(exponent) = points.meaning(&shifted.points[0]) else { panic!("a point") };
        shifted.points[0] = points.opening_with_torsion(exponent);
        assert!(judge(&scene.pair, &shifted).unwrap().is_ok());
    });
}

#[test]
fn points_made_for_another_version_dictionary_or_claim_are_false() {
    on_both_schemes(|stage| {
        let (scene, block) = scene(stage);
        let id = scene.pair.validator.id().0;
        let mut other = id;
        other[0] ^= 1;
        refused(&scene, &aggregated_by_exponents(&scene.pair, &block, &id, block.version + 1), "OpeningFalse");
        refused(&scene, &aggregated_by_exponents(&scene.pair, &block, &other, block.version), "OpeningFalse");
        let mut forged = aggregated(&scene, &block);
        forged.block.transactions[0].claims[0].slot.value = "w".into();
        refused(&scene, &forged, "OpeningFalse");
        let mut of_forged = block.clone();
        of_forged.transactions[0].claims[0].slot.value = "w".into();
        refused(&scene, &aggregated(&scene, &of_forged), "OpeningFalse");
    });
}

#[test]
fn earlier_and_later_phases_refuse_as_they_refuse_a_plain_block() {
    on_both_schemes(|stage| {
        let (scene, block) = scene(stage);
        let judged = |change: &dyn Fn(&mut AggregatedBlock)| {
            let mut changed = aggregated(&scene, &block);
            change(&mut changed);
            judge(&scene.pair, &changed).unwrap().unwrap_err().reason
        };
        assert_eq!(judged(&|changed| changed.block.version += 1), "WrongVersion");
        assert_eq!(judged(&|changed| changed.block.transactions[1].last_valid = 0), "IntervalMalformed");
        assert_eq!(
            judged(&|changed| changed.block.transactions[2] = changed.block.transactions[0].clone()),
            "RepeatedInBlock"
        );
        assert_eq!(judged(&|changed| changed.block.transactions[0].claims[0].position = 99), "PositionOutOfRange");
        let late = scene.block([scene.now([Operation::Require("b".into(), None)])]);
        let refusal = judge(&scene.pair, &aggregated(&scene, &late)).unwrap().unwrap_err();
        assert_eq!((refusal.reason.as_str(), refusal.transaction), ("RequireFailed", Some(0)));
    });
}
