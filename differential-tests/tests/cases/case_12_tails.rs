//! Tail: wrong content, wrong order, one vector too few, one too many, stale version.

use aardvark_dictionary::{Block, Slot};
use differential_tests::scene::{Scene, Stage, delete, on_both_schemes, put};

const KEYS: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];

/// Eight slots in four vectors of two; the tail starts at position 6. Deleting five keys takes two
/// tail vectors.
fn scene(stage: Stage) -> (Scene, Block) {
    let scene = stage.scene(2, 2, &KEYS);
    let block = scene.block([scene.now([delete("c"), delete("d"), delete("e"), delete("f"), delete("g")])]);
    assert_eq!(block.tail_vectors.len(), 2);
    assert_eq!(block.tail_vectors[0][0].key, "d".into());
    (scene, block)
}

#[test]
fn exactly_the_vectors_that_are_needed_are_accepted_highest_first() {
    on_both_schemes(|stage| {
        let (mut scene, block) = scene(stage);
        scene.accept_block(&block);
        assert_eq!(scene.order(), ["", "a", "b"]);
        assert_eq!(scene.pair.validator.tail().start(), 2);
    });
}

#[test]
fn wrong_content_is_false() {
    on_both_schemes(|stage| {
        let (mut scene, mut block) = scene(stage);
        block.tail_vectors[1][0].value = "w".into();
        assert_eq!(scene.refuse_block(&block, "TailFalse"), None);
    });
}

#[test]
fn slots_and_vectors_in_wrong_order_are_false() {
    on_both_schemes(|stage| {
        let (mut scene, block) = scene(stage);
        let mut vectors = block.clone();
        vectors.tail_vectors.swap(0, 1);
        scene.refuse_block(&vectors, "TailFalse");
        let mut slots = block;
        slots.tail_vectors[0].swap(0, 1);
        scene.refuse_block(&slots, "TailFalse");
    });
}

#[test]
fn one_vector_too_few_is_missing() {
    on_both_schemes(|stage| {
        let (mut scene, mut block) = scene(stage);
        block.tail_vectors.pop();
        scene.refuse_block(&block, "TailMissing");
        block.tail_vectors.clear();
        scene.refuse_block(&block, "TailMissing");
    });
}

#[test]
fn one_true_vector_too_many_is_superfluous_and_one_below_the_lowest_does_not_exist() {
    on_both_schemes(|stage| {
        let (mut scene, mut block) = scene(stage);
        let all = scene.pair.archive.tail_vectors(0, 6);
        assert_eq!(all.len(), 3);
        block.tail_vectors.clone_from(&all);
        scene.refuse_block(&block, "TailSuperfluous");
        block.tail_vectors.push(vec![Slot::lone_sentinel(); 2]);
        scene.refuse_block(&block, "TailTooLong");
    });
}

#[test]
fn more_vectors_than_the_deletes_can_need_are_refused_before_their_content() {
    on_both_schemes(|stage| {
        let (mut scene, mut block) = scene(stage);
        let needed = block.tail_vectors.len();
        block.tail_vectors = vec![vec![Slot::lone_sentinel(); 2]; needed + 1];
        scene.refuse_block(&block, "TailSuperfluous");
        block.tail_vectors.truncate(needed);
        scene.refuse_block(&block, "TailFalse");
        let mut without = scene.block([scene.now([put("a", "2")])]);
        without.tail_vectors = vec![vec![Slot::lone_sentinel(); 2]];
        scene.refuse_block(&without, "TailSuperfluous");
    });
}

#[test]
fn a_block_that_needs_none_must_carry_none() {
    on_both_schemes(|stage| {
        let (mut scene, _) = scene(stage);
        let mut block = scene.block([scene.now([put("a", "2")])]);
        block.tail_vectors = scene.pair.archive.tail_vectors(0, 6)[..1].to_vec();
        scene.refuse_block(&block, "TailSuperfluous");
    });
}

#[test]
fn a_vector_as_it_was_at_an_earlier_version_is_false() {
    on_both_schemes(|stage| {
        let (mut scene, early) = scene(stage);
        scene.accept([scene.now([put("d", "2")])]);
        let keys = [delete("c"), delete("d"), delete("e"), delete("f"), delete("g")];
        let mut block = scene.block([scene.now(keys.clone())]);
        block.tail_vectors.clone_from(&early.tail_vectors);
        scene.refuse_block(&block, "TailFalse");
        scene.accept([scene.now(keys)]);
    });
}

#[test]
fn a_vector_of_another_size_is_refused_before_it_is_hashed() {
    on_both_schemes(|stage| {
        let (mut scene, block) = scene(stage);
        let mut short = block.clone();
        short.tail_vectors[1].pop();
        scene.refuse_block(&short, "TailVectorSize");
        let mut long = block;
        long.tail_vectors[0].push(Slot::lone_sentinel());
        scene.refuse_block(&long, "TailVectorSize");
    });
}

#[test]
fn tail_vectors_do_not_resolve_keys() {
    on_both_schemes(|stage| {
        let (mut scene, mut block) = scene(stage);
        block.transactions[0].claims.retain(|claim| claim.slot.key != "c".into());
        // "b" precedes "c" and was claimed for it; "c" itself stands at position 3, in the second
        // tail vector.
        assert_eq!(block.tail_vectors[1][1].key, "c".into());
        assert_eq!(scene.refuse_block(&block, "UnresolvedCovering"), Some(0));
    });
}

#[test]
fn the_tail_keeps_one_vector_of_slack_when_the_array_grows() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(2, 2, &KEYS);
        scene.accept([scene.now([put("h", "1"), put("i", "1")])]);
        assert_eq!(scene.pair.validator.tail().start(), 8);
        // Back to eight slots: the tail's start stays, and no vector is needed.
        scene.accept([scene.now([delete("h"), delete("i")])]);
        assert_eq!(scene.pair.validator.tail().start(), 8);
        let block = scene.block([scene.now([delete("g")])]);
        assert_eq!(block.tail_vectors.len(), 1);
        scene.accept_block(&block);
        assert_eq!(scene.pair.validator.tail().start(), 6);
    });
}
