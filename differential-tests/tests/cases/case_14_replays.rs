//! Replays: the same transaction twice in a block, in the window, after it, with other claims, with
//! π + T, under another dictionary id.

use aardvark_dictionary::Transaction;
use differential_tests::points::Meaning;
use differential_tests::scene::{Changed, Scene, on_both_schemes, put};

fn with_torsion(scene: &Scene, transaction: &Transaction) -> Transaction {
    let mut twisted = transaction.clone();
    for claim in &mut twisted.claims {
        let points = &scene.pair.archive.points;
        let Meaning::Exponent(exponent) = points.meaning(&claim.opening) else { panic!("an honest opening") };
        claim.opening = points.opening_with_torsion(exponent);
    }
    assert_ne!(&twisted, transaction);
    twisted
}

#[test]
fn a_transaction_stands_in_a_block_once() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(1, 2, &["a", "b", "c"]);
        let payment = scene.now([put("a", "2")]);
        scene.refuse([payment.clone(), payment.clone()], "RepeatedInBlock", 1);
        let twisted = with_torsion(&scene, &payment);
        scene.refuse([payment.clone(), twisted], "RepeatedInBlock", 1);
        let bare = payment.clone().claiming([]);
        scene.refuse([payment, bare], "RepeatedInBlock", 1);
    });
}

#[test]
fn a_transaction_is_applied_once_for_as_long_as_it_is_valid() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(1, 2, &["a", "b", "c"]);
        let payment = scene.now([put("a", "2")]).until(3);
        scene.accept([payment.clone()]);
        for _ in 2..=3 {
            scene.refuse([payment.clone()], "Replayed", 0);
            let twisted = with_torsion(&scene, &payment);
            scene.refuse([twisted], "Replayed", 0);
            scene.refuse([payment.clone().claiming([])], "Replayed", 0);
            scene.pass();
        }
        scene.refuse([payment], "Expired", 0);
        assert_eq!(scene.pair.validator.replay().len(), 1);
        scene.pass();
        assert!(scene.pair.validator.replay().is_empty());
    });
}

#[test]
fn a_transaction_that_was_refused_may_come_again() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(1, 2, &["a", "b", "c"]);
        let payment = scene.now([put("a", "2")]).until(3);
        let mut spoilt = payment.clone();
        spoilt.claims[0].slot.value = "w".into();
        scene.refuse([spoilt], "OpeningFalse", 0);
        scene.accept([payment]);
    });
}

#[test]
fn the_same_operations_under_another_nonce_are_another_transaction() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(1, 2, &["a", "b", "c"]);
        scene.accept([scene.now([put("a", "2")]), scene.now([put("a", "2")])]);
    });
}

#[test]
fn a_transaction_has_another_identity_under_another_dictionary() {
    on_both_schemes(|stage| {
        let one = stage.scene(1, 2, &["a", "b", "c"]);
        let mut other = stage.scene(1, 3, &["a", "b", "c"]);
        assert_ne!(one.pair.validator.id(), other.pair.validator.id());
        let payment = one.now([put("a", "2")]);
        assert_ne!(payment.id(one.pair.validator.id()), payment.id(other.pair.validator.id()));
        // Unsigned, it is good there; a signature over its identity is not.
        other.accept([payment]);
    });
}
