//! Staleness exactly W (accept) and W + 1 (reject even if the data is there); W = 0; version 0; a
//! future version.

use differential_tests::scene::{Changed, on_both_schemes, put};

#[test]
fn claims_of_exactly_w_versions_ago_are_good() {
    on_both_schemes(|stage| {
        for window in [1u32, 2, 3] {
            let mut scene = stage.scene(1, window, &["a", "b", "c"]);
            (0..=window).for_each(|_| scene.pass());
            scene.accept([scene.aged(window.into(), [put("a", "2")])]);
        }
    });
}

#[test]
fn claims_one_version_older_are_refused_even_where_the_tail_has_the_data() {
    on_both_schemes(|stage| {
        for window in [1u32, 2, 3] {
            let mut scene = stage.scene(4, window, &["a"]);
            (0..=window).for_each(|_| scene.pass());
            let age = u64::from(window) + 1;
            scene.refuse([scene.aged(age, [put("a", "2")])], "IntervalTooLong", 0);
            let ended = scene.aged(age, [put("a", "2")]).until(u64::from(window) + 1);
            scene.refuse([ended], "Expired", 0);
            // The tail holds all: without claims, and in an interval that fits, the same is fine.
            scene.accept([scene.bare([put("a", "2")])]);
        }
    });
}

#[test]
fn with_w_0_claims_are_good_for_the_next_block_only() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(1, 0, &["a", "b", "c"]);
        let made_now = scene.now([put("a", "2")]);
        scene.accept([scene.now([put("b", "2")])]);
        scene.refuse([made_now], "Expired", 0);
        scene.refuse([scene.aged(1, [put("a", "2")])], "IntervalTooLong", 0);
        scene.accept([scene.now([put("a", "2")])]);
    });
}

#[test]
fn version_0_can_be_claimed_from_the_first_block_on() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(1, 2, &["a", "b", "c"]);
        let made_at_genesis = scene.now([put("a", "2")]).until(3);
        assert_eq!(made_at_genesis.first_valid, 1);
        scene.accept([scene.now([put("a", "1")])]);
        scene.accept([made_at_genesis]);
        assert_eq!(scene.value("a"), Some("2".into()));
    });
}

#[test]
fn first_valid_0_would_claim_a_version_before_genesis() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(1, 2, &["a"]);
        let mut before_genesis = scene.now([put("a", "2")]);
        before_genesis.first_valid = 0;
        scene.refuse([before_genesis], "IntervalMalformed", 0);
    });
}

#[test]
fn a_future_version_cannot_be_claimed() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(1, 2, &["a", "b", "c"]);
        scene.refuse([scene.now([put("a", "2")]).late(1)], "NotYetValid", 0);
        scene.refuse([scene.now([put("a", "2")]).late(u64::MAX - 2)], "NotYetValid", 0);
    });
}
