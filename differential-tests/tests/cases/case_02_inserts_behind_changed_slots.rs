//! Insert whose covering slot was inserted, updated, moved or deleted in the same block.

use differential_tests::scene::{delete, on_both_schemes, put};

#[test]
fn a_key_goes_in_behind_one_that_the_block_inserts() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a", "z"]);
        scene.accept([scene.now([put("m", "1")]), scene.now([put("mm", "2"), put("m", "3")])]);
        assert_eq!(scene.order(), ["", "a", "z", "m", "mm"]);
        assert_eq!(scene.value("m"), Some("3".into()));
    });
}

#[test]
fn a_key_goes_in_behind_one_that_the_block_updates() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a", "c"]);
        scene.accept([scene.now([put("a", "2")]), scene.now([put("b", "1")])]);
        assert_eq!(scene.value("a"), Some("2".into()));
        assert_eq!(scene.order(), ["", "a", "c", "b"]);
    });
}

#[test]
fn a_key_goes_in_behind_one_that_the_block_moves() {
    on_both_schemes(|stage| {
        // Two deletes against one insert: "d" is last when the second is carried out, and moves.
        let mut scene = stage.scene(2, 2, &["a", "b", "c", "d"]);
        scene.accept([scene.now([delete("a"), delete("b")]), scene.now([put("e", "1")])]);
        assert_eq!(scene.order(), ["", "e", "d", "c"]);
    });
}

#[test]
fn a_key_goes_in_behind_one_that_the_block_deletes() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a", "b", "d"]);
        scene.accept([scene.now([delete("b")]), scene.now([put("c", "1")])]);
        assert_eq!(scene.order(), ["", "a", "c", "d"]);
    });
}

#[test]
fn a_key_goes_in_behind_one_that_its_own_transaction_deletes() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(1, 2, &["a"]);
        scene.accept([scene.now([put("b", "1"), delete("a")])]);
        assert_eq!(scene.order(), ["", "b"]);
    });
}
