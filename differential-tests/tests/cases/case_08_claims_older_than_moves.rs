//! A claim older than one move, than two moves; a claimed position that now holds another key; key
//! deleted and re-inserted elsewhere.

use differential_tests::scene::{Scene, Stage, delete, on_both_schemes, put, require};

/// "e" stood at position 5 and moved to 3 in block 1, to 1 in block 2.
fn e_moved_twice(stage: Stage) -> Scene {
    let mut scene = stage.scene(2, 3, &["a", "b", "c", "d", "e"]);
    scene.accept([scene.now([delete("c")])]);
    assert_eq!(scene.order(), ["", "a", "b", "e", "d"]);
    scene.accept([scene.now([delete("d"), delete("a")])]);
    assert_eq!(scene.order(), ["", "e", "b"]);
    scene
}

#[test]
fn a_claim_from_before_one_move_still_serves() {
    on_both_schemes(|stage| {
        let mut scene = e_moved_twice(stage);
        let once_moved = scene.aged(1, [require("e", "v"), put("e", "2")]);
        assert_eq!(once_moved.claims[0].position, 3);
        scene.accept([once_moved]);
        assert_eq!(scene.value("e"), Some("2".into()));
    });
}

#[test]
fn a_claim_from_before_two_moves_still_serves() {
    on_both_schemes(|stage| {
        let mut scene = e_moved_twice(stage);
        let twice_moved = scene.aged(2, [require("e", "v"), delete("e")]);
        assert_eq!(twice_moved.claims[0].position, 5);
        scene.accept([twice_moved]);
        assert_eq!(scene.order(), ["", "b"]);
    });
}

#[test]
fn a_claimed_position_that_now_holds_another_key_does_not_mislead() {
    on_both_schemes(|stage| {
        let mut scene = e_moved_twice(stage);
        // "a" was at position 1, where "e" is now; "a" is gone, and stays gone until this put.
        let of_another = scene.aged(2, [put("a", "2")]);
        assert_eq!(of_another.claims[0].position, 1);
        scene.accept([of_another]);
        assert_eq!(scene.order(), ["", "e", "b", "a"]);
        assert_eq!(scene.value("e"), Some("v".into()));
    });
}

#[test]
fn a_key_that_was_deleted_and_inserted_elsewhere_is_found_there() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(2, 3, &["a", "b", "c"]);
        scene.accept([scene.now([delete("a")])]);
        scene.accept([scene.now([put("a", "2")])]);
        assert_eq!(scene.order(), ["", "c", "b", "a"]);
        scene.accept([scene.aged(2, [require("a", "2"), put("a", "3")])]);
        assert_eq!(scene.value("a"), Some("3".into()));
    });
}

#[test]
fn a_moved_key_cannot_be_updated_by_its_old_claim_where_nothing_shows_the_new_place() {
    on_both_schemes(|stage| {
        // With W = 1 the move of block 1 leaves the window with block 2: the old claim's version
        // does, too.
        let mut scene = stage.scene(2, 1, &["a", "b", "c", "d", "e"]);
        scene.accept([scene.now([delete("a")])]);
        scene.pass();
        let old = scene.aged(2, [put("e", "2")]);
        scene.refuse([old], "IntervalTooLong", 0);
    });
}
