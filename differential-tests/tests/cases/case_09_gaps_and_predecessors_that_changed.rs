//! A gap narrowed on either side, widened, its covering slot moved, since the claim; predecessor
//! changed, deleted or moved since; key absent at the claim, inserted since, deleted now.

use differential_tests::scene::{Scene, Stage, delete, on_both_schemes, put, require_absent};

/// Slots enough that the tail does not show them all: with N = 1 the validator keeps two of them.
fn scene(stage: Stage) -> Scene {
    stage.scene(1, 3, &["b", "d", "f", "h"])
}

#[test]
fn a_gap_narrowed_from_the_left_still_takes_the_key() {
    on_both_schemes(|stage| {
        let mut scene = scene(stage);
        scene.accept([scene.now([put("bb", "1")])]);
        scene.accept([scene.aged(1, [require_absent("c"), put("c", "1")])]);
        assert_eq!(scene.covering(0, "bb").slot.next, "c".into());
    });
}

#[test]
fn a_gap_narrowed_from_the_right_still_takes_the_key() {
    on_both_schemes(|stage| {
        let mut scene = scene(stage);
        scene.accept([scene.now([put("cc", "1")])]);
        scene.accept([scene.aged(1, [require_absent("c"), put("c", "1")])]);
        assert_eq!(scene.covering(0, "b").slot.next, "c".into());
    });
}

#[test]
fn a_gap_widened_on_either_side_still_takes_the_key() {
    on_both_schemes(|stage| {
        for neighbour in ["b", "d"] {
            let mut scene = scene(stage);
            scene.accept([scene.now([delete(neighbour)])]);
            scene.accept([scene.aged(1, [require_absent("c"), put("c", "1")])]);
            assert_eq!(scene.covering(0, "c").slot.key, "c".into());
        }
    });
}

#[test]
fn a_covering_slot_that_moved_still_takes_the_key() {
    on_both_schemes(|stage| {
        let mut scene = scene(stage);
        scene.accept([scene.now([delete("b")])]);
        assert_eq!(scene.order(), ["", "h", "d", "f"]);
        let behind_h = scene.aged(1, [put("i", "1")]);
        assert_eq!(behind_h.claims[0].position, 4);
        scene.accept([behind_h]);
        assert_eq!(scene.covering(0, "h").slot.next, "i".into());
    });
}

#[test]
fn a_key_that_came_into_the_gap_since_is_no_longer_absent() {
    on_both_schemes(|stage| {
        let mut scene = scene(stage);
        scene.accept([scene.now([put("c", "1")])]);
        scene.refuse([scene.aged(1, [require_absent("c"), put("c", "2")])], "RequireFailed", 0);
    });
}

#[test]
fn a_delete_finds_a_predecessor_that_was_inserted_since() {
    on_both_schemes(|stage| {
        let mut scene = scene(stage);
        scene.accept([scene.now([put("c", "1")])]);
        scene.accept([scene.aged(1, [delete("d")])]);
        assert_eq!(scene.covering(0, "c").slot.next, "f".into());
    });
}

#[test]
fn a_delete_finds_a_predecessor_behind_the_one_that_was_deleted_since() {
    on_both_schemes(|stage| {
        let mut scene = scene(stage);
        scene.accept([scene.now([delete("b")])]);
        scene.accept([scene.aged(1, [delete("d")])]);
        assert_eq!(scene.covering(0, "").slot.next, "f".into());
    });
}

#[test]
fn a_delete_finds_a_predecessor_that_moved_since() {
    on_both_schemes(|stage| {
        let mut scene = scene(stage);
        // "a" comes last, then moves to the place of "d": it precedes "b" from there.
        scene.accept([scene.now([put("a", "1")])]);
        scene.accept([scene.now([delete("d")])]);
        assert_eq!(scene.order(), ["", "b", "a", "f", "h"]);
        let old = scene.aged(1, [delete("b")]);
        assert_eq!(old.claims.iter().map(|claim| claim.position).collect::<Vec<_>>(), [1, 5]);
        scene.accept([old]);
        assert_eq!(scene.covering(0, "a").slot.next, "f".into());
    });
}

#[test]
fn a_key_absent_at_the_claim_and_inserted_since_is_deleted_now() {
    on_both_schemes(|stage| {
        let mut scene = scene(stage);
        scene.accept([scene.now([put("c", "1")])]);
        let old = scene.aged(1, [delete("c")]);
        assert_eq!(old.claims.len(), 1);
        scene.accept([old]);
        assert_eq!(scene.order(), ["", "b", "d", "f", "h"]);
    });
}

#[test]
fn without_the_claims_that_are_needed_the_key_is_named() {
    on_both_schemes(|stage| {
        let mut scene = scene(stage);
        scene.refuse([scene.bare([put("c", "1")])], "UnresolvedCovering", 0);
        let mut covered_only = scene.now([delete("d")]);
        covered_only.claims.truncate(1);
        scene.refuse([covered_only], "UnresolvedPredecessor", 0);
        // What the tail shows needs no claim.
        scene.accept([scene.bare([put("i", "1")])]);
    });
}

#[test]
fn a_transaction_does_not_resolve_by_its_neighbours_claims() {
    on_both_schemes(|stage| {
        let mut scene = scene(stage);
        scene.refuse([scene.now([put("c", "1")]), scene.bare([put("cc", "1")])], "UnresolvedCovering", 1);
    });
}
