//! Delete of the last slot; of a key whose predecessor is the last slot (the rewritten slot is what
//! moves); whose successor is; both at once.

use differential_tests::scene::{Scene, Stage, delete, on_both_schemes, put};

/// Positions "", a, c, b: the last slot stands between the other two keys.
fn b_is_last(stage: Stage) -> Scene {
    let mut scene = stage.scene(2, 2, &["a", "c"]);
    scene.accept([scene.now([put("b", "1")])]);
    assert_eq!(scene.order(), ["", "a", "c", "b"]);
    scene
}

#[test]
fn the_last_slot_is_deleted_and_nothing_moves() {
    on_both_schemes(|stage| {
        let mut scene = b_is_last(stage);
        scene.accept([scene.now([delete("b")])]);
        assert_eq!(scene.order(), ["", "a", "c"]);
    });
}

#[test]
fn a_predecessor_that_is_the_last_slot_moves_as_it_was_rewritten() {
    on_both_schemes(|stage| {
        let mut scene = b_is_last(stage);
        scene.accept([scene.now([delete("c")])]);
        assert_eq!(scene.order(), ["", "a", "b"]);
        assert_eq!(scene.covering(0, "b").slot.next, "".into());
    });
}

#[test]
fn a_successor_that_is_the_last_slot_moves() {
    on_both_schemes(|stage| {
        let mut scene = b_is_last(stage);
        scene.accept([scene.now([delete("a")])]);
        assert_eq!(scene.order(), ["", "b", "c"]);
    });
}

#[test]
fn both_neighbours_of_the_last_slot_are_deleted_and_it_moves_twice() {
    on_both_schemes(|stage| {
        let mut scene = b_is_last(stage);
        scene.accept([scene.now([delete("a"), delete("c")])]);
        assert_eq!(scene.order(), ["", "b"]);
    });
}

#[test]
fn the_last_slot_is_deleted_together_with_the_key_that_it_precedes() {
    on_both_schemes(|stage| {
        let mut scene = b_is_last(stage);
        scene.accept([scene.now([delete("b")]), scene.now([delete("c")])]);
        assert_eq!(scene.order(), ["", "a"]);
    });
}
