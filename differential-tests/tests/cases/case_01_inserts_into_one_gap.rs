//! Two inserts into one gap in one block, both proofs naming the same covering slot; ascending and
//! descending; new smallest, new largest.

use differential_tests::scene::{on_both_schemes, put};

#[test]
fn two_ascending_inserts_by_proofs_of_one_covering_slot_share_the_gap() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a", "z"]);
        let (first, second) = (scene.now([put("m", "1")]), scene.now([put("n", "2")]));
        assert_eq!(first.claims, second.claims);
        scene.accept([first, second]);
        assert_eq!(scene.order(), ["", "a", "z", "m", "n"]);
    });
}

#[test]
fn two_descending_inserts_by_proofs_of_one_covering_slot_share_the_gap() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a", "z"]);
        let (first, second) = (scene.now([put("n", "2")]), scene.now([put("m", "1")]));
        assert_eq!(first.claims, second.claims);
        scene.accept([first, second]);
        assert_eq!(scene.order(), ["", "a", "z", "m", "n"]);
    });
}

#[test]
fn two_inserts_into_one_gap_by_one_transaction_need_one_claim() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(2, 2, &["a", "z"]);
        let both = scene.now([put("n", "2"), put("m", "1")]);
        assert_eq!(both.claims.len(), 1);
        scene.accept([both]);
        assert_eq!(scene.order(), ["", "a", "z", "m", "n"]);
    });
}

#[test]
fn a_new_smallest_and_a_new_largest_key_go_in_together() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["m"]);
        scene.accept([scene.now([put("z", "1")]), scene.now([put("a", "2")])]);
        assert_eq!(scene.order(), ["", "m", "a", "z"]);
    });
}

#[test]
fn the_first_keys_of_an_empty_dictionary_are_smallest_and_largest() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(1, 0, &[]);
        scene.accept([scene.now([put("b", "1")]), scene.now([put("a", "2")]), scene.now([put("c", "3")])]);
        assert_eq!(scene.order(), ["", "a", "b", "c"]);
    });
}
