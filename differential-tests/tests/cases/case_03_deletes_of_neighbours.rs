//! Delete of neighbours a < b in one block; delete of everything; delete of smallest and largest
//! together.

use differential_tests::scene::{delete, on_both_schemes};

#[test]
fn neighbours_are_deleted_by_one_transaction() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a", "b", "c", "d"]);
        scene.accept([scene.now([delete("b"), delete("c")])]);
        assert_eq!(scene.order(), ["", "a", "d"]);
    });
}

#[test]
fn neighbours_are_deleted_by_two_transactions_in_either_order() {
    on_both_schemes(|stage| {
        for keys in [["b", "c"], ["c", "b"]] {
            let mut scene = stage.scene(2, 2, &["a", "b", "c", "d"]);
            scene.accept(keys.map(|key| scene.now([delete(key)])));
            assert_eq!(scene.order(), ["", "a", "d"]);
        }
    });
}

#[test]
fn everything_is_deleted_and_the_sentinel_stays() {
    on_both_schemes(|stage| {
        for vector_size in [1, 2, 4] {
            let mut scene = stage.scene(vector_size, 1, &["a", "b", "c", "d", "e"]);
            scene.accept([scene.now([delete("c"), delete("a"), delete("e")]), scene.now([delete("d"), delete("b")])]);
            assert_eq!(scene.order(), [""]);
        }
    });
}

#[test]
fn the_smallest_and_the_largest_key_are_deleted_together() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a", "b", "c"]);
        scene.accept([scene.now([delete("a")]), scene.now([delete("c")])]);
        assert_eq!(scene.order(), ["", "b"]);
    });
}
