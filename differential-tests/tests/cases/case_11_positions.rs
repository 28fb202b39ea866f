//! Right slot, wrong position in the same vector; position >= s at that version; vector present now
//! but not then, and the reverse; an unused position opened to 0.

use aardvark_dictionary::{Claim, Slot};
use differential_tests::scene::{delete, on_both_schemes, put};

#[test]
fn the_right_slot_at_a_wrong_position_of_the_same_vector_is_false() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a", "b", "c"]);
        let mut moved = scene.now([put("a", "2")]);
        moved.claims[0].position = 2;
        scene.refuse([moved.clone()], "OpeningFalse", 0);
        // Not even with the opening of that index: the slot there is another one.
        moved.claims[0].opening = scene.opening(0, 2);
        scene.refuse([moved], "OpeningFalse", 0);
    });
}

#[test]
fn the_right_slot_and_index_in_another_vector_are_false() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(2, 2, &["a", "b", "c"]);
        let mut moved = scene.now([put("a", "2")]);
        assert_eq!(moved.claims[0].position, 1);
        moved.claims[0].position = 3;
        scene.refuse([moved], "OpeningFalse", 0);
    });
}

#[test]
fn a_position_beyond_the_array_is_out_of_range_before_any_opening_is_looked_at() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a"]);
        for position in [2, 3, 4, 1000, u64::MAX] {
            let mut beyond = scene.now([put("a", "2")]);
            beyond.claims[0].position = position;
            beyond.claims[0].opening = [0; 48];
            scene.refuse([beyond], "PositionOutOfRange", 0);
        }
    });
}

#[test]
fn a_vector_present_now_but_not_then_is_out_of_range_then() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(2, 2, &["a"]);
        scene.accept([scene.now([put("b", "1"), put("c", "1")])]);
        let mut early = scene.aged(1, [put("b", "2")]);
        early.claims = vec![scene.covering(0, "b")];
        assert_eq!(early.claims[0].position, 2);
        scene.refuse([early], "PositionOutOfRange", 0);
    });
}

#[test]
fn a_vector_present_then_but_not_now_still_verifies() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(2, 2, &["a", "b"]);
        scene.accept([scene.now([delete("b")])]);
        let old = scene.aged(1, [put("b", "2")]);
        assert_eq!(old.claims[0].position, 2);
        let mut forged = old.clone();
        forged.claims[0].opening = scene.opening(0, 0);
        scene.refuse([forged], "OpeningFalse", 0);
        scene.accept([old]);
    });
}

#[test]
fn an_unused_position_honestly_opened_to_zero_is_out_of_range() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a"]);
        let opening = scene.opening(0, 3);
        let mut unused = scene.bare([put("b", "1")]);
        unused.claims = vec![Claim { position: 3, slot: Slot::lone_sentinel(), opening }];
        scene.refuse([unused], "PositionOutOfRange", 0);
    });
}

#[test]
fn a_position_claimed_twice_is_refused_even_with_equal_claims() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a"]);
        let mut doubled = scene.now([put("b", "1")]);
        doubled.claims.push(doubled.claims[0].clone());
        scene.refuse([doubled], "RepeatedPosition", 0);
    });
}

#[test]
fn a_claim_that_serves_no_operation_is_refused() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a", "b", "c"]);
        // Its predecessor serves a delete of "b"; a put has no use for it.
        let mut superfluous = scene.now([put("b", "1")]);
        superfluous.claims.push(scene.preceding(0, "b"));
        scene.refuse([superfluous], "SuperfluousClaim", 0);
        scene.accept([scene.now([delete("b")])]);
    });
}
