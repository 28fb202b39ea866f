//! Delete k together with the key whose slot moves into k's position.

use differential_tests::scene::{delete, on_both_schemes, put};

#[test]
fn a_key_is_deleted_together_with_the_one_that_moves_into_its_place() {
    on_both_schemes(|stage| {
        for keys in [["a", "d"], ["d", "a"]] {
            let mut scene = stage.scene(2, 2, &["a", "b", "c", "d"]);
            scene.accept(keys.map(|key| scene.now([delete(key)])));
            assert_eq!(scene.order(), ["", "c", "b"]);
        }
    });
}

#[test]
fn a_mover_that_is_deleted_after_it_moved_frees_the_place_again() {
    on_both_schemes(|stage| {
        // In key order: "a" is deleted and "c", inserted last, moves to its place; then "b",
        // between the two.
        let mut scene = stage.scene(4, 2, &["a", "b"]);
        scene.accept([scene.now([put("c", "1")])]);
        scene.accept([scene.now([delete("a"), delete("b"), delete("c")])]);
        assert_eq!(scene.order(), [""]);
    });
}

#[test]
fn a_key_is_deleted_together_with_an_updated_one_that_moves() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a", "b", "c"]);
        scene.accept([scene.now([delete("a")]), scene.now([put("c", "2")])]);
        assert_eq!(scene.order(), ["", "c", "b"]);
        assert_eq!(scene.value("c"), Some("2".into()));
    });
}
