//! Histories that end with a block that must be refused.

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
use aardvark_dictionary::{Claim, Operation, Slot, Transaction};

use super::script::Script;
use crate::opening_rule::malformed_bytes;
use crate::scene::{Changed, Scene, add, delete, on_points_of, put, require, require_absent, require_number, sub};
use crate::vectors::flags::Flag;

/// Tells them.
pub(super) fn tell(script: &mut Script) {
    openings(script);
    positions(script);
    intervals(script);
    claims(script);
    replays(script);
    operations(script);
    order_of_checks(script);
}

const KEYS: &[&str] = &["b", "d", "f", "h"];

/// A put on "b" with its claim changed.
fn changed(scene: &Scene, change: impl FnOnce(&mut Claim)) -> Transaction {
    let mut transaction = scene.now([put("b", "2")]);
    change(&mut transaction.claims[0]);
    transaction
}

fn openings(script: &mut Script) {
    let kinds = [
        (0, "48 zeros", Flag::NonCanonicalEncoding),
        (3, "infinity with another bit", Flag::NonCanonicalEncoding),
        (4, "x = p", Flag::NonCanonicalEncoding),
        (6, "x = 0", Flag::PointOfOrderThree),
        (8, "an x off the curve", Flag::InvalidCurve),
    ];
    for (how, what, flag) in kinds {
        script.tell(&format!("an opening that is no point: {what}"), &[flag], (4, 2, KEYS), |actor| {
            actor.refuse("OpeningMalformed", |scene| [changed(scene, |claim| claim.opening = malformed_bytes(how))]);
        });
    }
    script.tell("a slot with another value", &[Flag::SwappedCommitment], (4, 2, KEYS), |actor| {
        actor.refuse("OpeningFalse", |scene| [changed(scene, |claim| claim.slot.value = "w".into())]);
    });
    script.tell("absence by a gap with its end moved", &[Flag::NeighbourGap], (4, 2, KEYS), |actor| {
        actor.refuse("OpeningFalse", |scene| {
            let mut absent = scene.now([require_absent("d"), put("d", "2")]);
            absent.claims = vec![scene.covering(0, "b")];
            absent.claims[0].slot.next = "e".into();
            [absent]
        });
    });
    script.tell("absence by the slot of a neighbouring gap", &[Flag::NeighbourGap], (4, 2, KEYS), |actor| {
        actor.refuse("SuperfluousClaim", |scene| [scene.bare([put("c", "1")]).claiming([scene.covering(0, "e")])]);
    });
    script.tell("two errors that cancel", &[Flag::CancellingErrors], (4, 2, KEYS), |actor| {
        actor.refuse("OpeningFalse", |scene| {
            let mut pair = [scene.now([put("b", "2")]), scene.now([put("b", "3")])];
            for (transaction, error) in pair.iter_mut().zip([Scalar::ONE, -Scalar::ONE]) {
                let exponent = scene.exponent(0, &transaction.claims[0]);
                transaction.claims[0].opening = on_points_of(scene).opening(exponent + error);
            }
            pair
        });
    });
    script.tell(
        "an opening of the version before",
        &[Flag::SwappedCommitment, Flag::StaleClaim],
        (4, 2, KEYS),
        |actor| {
            let early = actor.scene().covering(0, "d");
            actor.accept(|scene| [scene.now([put("b", "2")])]);
            actor.refuse("OpeningFalse", |scene| [scene.bare([put("d", "2")]).claiming([early])]);
        },
    );
}

fn positions(script: &mut Script) {
    let mismatch: &[Flag] = &[Flag::IndexPositionMismatch];
    script.tell("the right slot at a wrong position of the same vector", mismatch, (8, 2, KEYS), |actor| {
        actor.refuse("OpeningFalse", |scene| [changed(scene, |claim| claim.position = 2)]);
    });
    script.tell("the right index in another vector", &[Flag::SwappedCommitment], (2, 2, KEYS), |actor| {
        actor.refuse("OpeningFalse", |scene| [changed(scene, |claim| claim.position = 3)]);
    });
    let beyond: &[Flag] = &[Flag::PositionBeyondSize];
    for position in [5, 8, u64::MAX] {
        script.tell(&format!("position {position} of 5"), beyond, (4, 2, KEYS), |actor| {
            actor.refuse("PositionOutOfRange", |scene| [changed(scene, |claim| claim.position = position)]);
        });
    }
    script.tell("an unused position honestly opened to 0", beyond, (4, 2, &["a"]), |actor| {
        actor.refuse("PositionOutOfRange", |scene| {
            let claim = Claim { position: 3, slot: Slot::lone_sentinel(), opening: scene.opening(0, 3) };
            [scene.bare([put("b", "1")]).claiming([claim])]
        });
    });
    script.tell("a vector that exists now but not at the claim's version", beyond, (2, 2, &["a"]), |actor| {
        actor.accept(|scene| [scene.now([put("b", "1"), put("c", "1")])]);
        actor.refuse("PositionOutOfRange", |scene| {
            let claim = scene.covering(0, "b");
            [scene.aged(1, [put("b", "2")]).claiming([claim])]
        });
    });
}

fn intervals(script: &mut Script) {
    let stale: &[Flag] = &[Flag::StaleBeyondWindow];
    script.tell("claims W + 1 versions old, over W versions", stale, (1, 2, KEYS), |actor| {
        (0..3).for_each(|_| actor.pass());
        actor.refuse("Expired", |scene| [scene.aged(3, [put("b", "2")]).until(3)]);
    });
    script.tell("claims W + 1 versions old, over W + 1 versions", stale, (1, 2, KEYS), |actor| {
        (0..3).for_each(|_| actor.pass());
        actor.refuse("IntervalTooLong", |scene| [scene.aged(3, [put("b", "2")])]);
    });
    script.tell("claims W + 1 versions old where the tail has the data", stale, (4, 1, &["b"]), |actor| {
        (0..2).for_each(|_| actor.pass());
        actor.refuse("IntervalTooLong", |scene| [scene.aged(2, [put("b", "2")])]);
    });
    script.tell("claims one version old under W = 0", stale, (1, 0, KEYS), |actor| {
        actor.pass();
        actor.refuse("IntervalTooLong", |scene| [scene.aged(1, [put("b", "2")])]);
    });
    script.tell("an interval that is over", stale, (1, 2, KEYS), |actor| {
        actor.pass();
        actor.refuse("Expired", |scene| [scene.aged(1, [put("b", "2")]).until(1)]);
    });
    script.tell("an interval one version too long", stale, (1, 2, KEYS), |actor| {
        actor.refuse("IntervalTooLong", |scene| [scene.now([put("b", "2")]).until(4)]);
    });
    let future: &[Flag] = &[Flag::FutureVersion];
    script.tell("claims of the next version", future, (1, 2, KEYS), |actor| {
        actor.refuse("NotYetValid", |scene| [scene.now([put("b", "2")]).late(1)]);
    });
    script.tell("first_valid 0", future, (1, 2, KEYS), |actor| {
        actor.refuse("IntervalMalformed", |scene| {
            let transaction = scene.now([put("b", "2")]);
            [Transaction { first_valid: 0, ..transaction }]
        });
    });
    script.tell("last_valid before first_valid", future, (1, 2, KEYS), |actor| {
        actor.refuse("IntervalMalformed", |scene| [scene.now([put("b", "2")]).until(0)]);
    });
    script.tell("a block for another version", future, (1, 2, KEYS), |actor| {
        let mut block = actor.scene().block([actor.scene().now([put("b", "2")])]);
        block.version = 2;
        actor.expect(&block, Some("WrongVersion"));
    });
}

fn claims(script: &mut Script) {
    script.tell("a claim twice", &[Flag::RepeatedPosition], (4, 2, KEYS), |actor| {
        actor.refuse("RepeatedPosition", |scene| {
            let claim = scene.covering(0, "b");
            [scene.bare([put("b", "2")]).claiming([claim.clone(), claim])]
        });
    });
    script.tell("a predecessor's claim for a put", &[Flag::SuperfluousClaim], (4, 2, KEYS), |actor| {
        actor.refuse("SuperfluousClaim", |scene| {
            let claims = [scene.covering(0, "d"), scene.preceding(0, "d")];
            [scene.bare([put("d", "2")]).claiming(claims)]
        });
    });
    script.tell("no claim for a key that the tail does not show", &[Flag::UnresolvedKey], (1, 2, KEYS), |actor| {
        actor.refuse("UnresolvedCovering", |scene| [scene.bare([put("c", "1")])]);
    });
    script.tell("a delete without its predecessor", &[Flag::UnresolvedKey], (1, 2, KEYS), |actor| {
        actor.refuse("UnresolvedPredecessor", |scene| [scene.bare([delete("d")]).claiming([scene.covering(0, "d")])]);
    });
    script.tell("a key that only a neighbour's claim shows", &[Flag::NeighboursClaim], (1, 2, KEYS), |actor| {
        actor.refuse("UnresolvedCovering", |scene| [scene.now([put("c", "1")]), scene.bare([put("cc", "1")])]);
    });
    script.tell("a key that came into the gap since the claim", &[Flag::StaleClaim], (1, 2, KEYS), |actor| {
        actor.accept(|scene| [scene.now([put("c", "1")])]);
        actor.refuse("RequireFailed", |scene| [scene.aged(1, [require_absent("c"), put("c", "2")])]);
    });
}

fn replays(script: &mut Script) {
    let replayed: &[Flag] = &[Flag::ReplayedTransaction];
    let malleable: &[Flag] = &[Flag::ReplayedTransaction, Flag::MalleableIdentity];
    script.tell("a transaction twice in a block", replayed, (1, 2, KEYS), |actor| {
        actor.refuse("RepeatedInBlock", |scene| {
            let payment = scene.now([put("b", "2")]);
            [payment.clone(), payment]
        });
    });
    script.tell("a transaction again in its interval's last block", replayed, (1, 2, KEYS), |actor| {
        let payment = actor.scene().now([put("b", "2")]).until(3);
        actor.accept(|_| [payment.clone()]);
        actor.pass();
        actor.refuse("Replayed", |_| [payment]);
    });
    script.tell("a transaction again without its claims", malleable, (4, 2, &["b"]), |actor| {
        let payment = actor.scene().now([put("b", "2")]).until(3);
        actor.accept(|_| [payment.clone()]);
        actor.refuse("Replayed", |_| [payment.claiming([])]);
    });
    script.tell("a transaction again with torsion on its opening", malleable, (4, 2, &["b"]), |actor| {
        let payment = actor.scene().now([put("b", "2")]).until(3);
        actor.accept(|_| [payment.clone()]);
        actor.refuse("Replayed", |scene| {
            let mut twisted = payment.clone();
            twisted.claims[0].opening = on_points_of(scene).opening_with_torsion(scene.exponent(1, &payment.claims[0]));
            [twisted]
        });
    });
}

fn operations(script: &mut Script) {
    let arithmetic: &[Flag] = &[Flag::Arithmetic];
    let refusals: [(&str, &str, [Operation; 2]); 6] = [
        ("a sum of 2^64", "Overflow", [add("n", 1), add("n", u64::MAX)]),
        ("a negative difference", "Underflow", [add("n", 1), sub("n", 2)]),
        ("a subtraction from an absent key", "AbsentKey", [put("a", "1"), sub("n", 1)]),
        ("an addition to a text", "NotANumber", [put("a", "1"), add("b", 1)]),
        ("an addition of 0", "ZeroAmount", [put("a", "1"), add("n", 0)]),
        ("a requirement that another operation has made false", "RequireFailed", [put("a", "1"), require_absent("a")]),
    ];
    for (comment, reason, steps) in refusals {
        script.tell(comment, arithmetic, (4, 2, &["b"]), |actor| actor.refuse(reason, |scene| [scene.now(steps)]));
    }
    script.tell("a payment that a deposit came before", &[Flag::Arithmetic, Flag::Atomicity], (4, 2, &[]), |actor| {
        actor.accept(|scene| [scene.now([add("al", 7)])]);
        actor.refuse("RequireFailed", |scene| {
            let payment = [sub("al", 7), require_number("al", 0), delete("al"), add("bo", 7)];
            [scene.now([add("al", 1)]), scene.now(payment)]
        });
        actor.accept(|scene| [scene.now([require_number("al", 7), require_absent("bo")])]);
    });
    script.tell("the sentinel's key", &[Flag::Sentinel], (4, 2, &["b"]), |actor| {
        actor.refuse("EmptyKey", |scene| [scene.bare([put("", "1")])]);
    });
    script.tell("a transaction that does nothing", &[Flag::LimitExceeded], (4, 2, &["b"]), |actor| {
        actor.refuse("NoOperations", |scene| [scene.bare([])]);
    });
    script.tell("a transaction that fails late leaves nothing", &[Flag::Atomicity], (4, 2, &["b"]), |actor| {
        actor.refuse("RequireFailed", |scene| [scene.now([put("b", "2"), require("b", "1")])]);
        actor.accept(|scene| [scene.now([require("b", "v")])]);
    });
}

fn order_of_checks(script: &mut Script) {
    let order: &[Flag] = &[Flag::OrderOfChecks];
    script.tell("a later transaction's earlier phase comes first", order, (1, 2, KEYS), |actor| {
        actor.refuse("NotYetValid", |scene| {
            let lie = changed(scene, |claim| claim.opening = [0; 48]);
            [lie, scene.now([put("d", "2")]).late(1)]
        });
    });
    script.tell("within a phase the earlier transaction comes first", order, (1, 2, KEYS), |actor| {
        actor.refuse("OpeningFalse", |scene| {
            let lie = changed(scene, |claim| claim.slot.value = "w".into());
            [lie, changed(scene, |claim| claim.opening = [0; 48])]
        });
    });
    script.tell("within a transaction a malformed opening comes before a false one", order, (1, 2, KEYS), |actor| {
        actor.refuse("OpeningMalformed", |scene| {
            let mut both = scene.now([put("b", "2"), put("d", "2")]);
            both.claims[0].slot.value = "w".into();
            both.claims[1].opening = [0; 48];
            [both]
        });
    });
    script.tell("shape comes before position, position before openings", order, (4, 2, KEYS), |actor| {
        actor.refuse("PositionOutOfRange", |scene| {
            let lie = changed(scene, |claim| claim.opening = [0; 48]);
            [lie, changed(scene, |claim| claim.position = 99)]
        });
        actor.refuse("EmptyKey", |scene| [changed(scene, |claim| claim.position = 99), scene.bare([put("", "1")])]);
    });
    script.tell("resolution of all comes before operations of any", order, (1, 2, KEYS), |actor| {
        actor.refuse("UnresolvedCovering", |scene| [scene.now([require("b", "w")]), scene.bare([put("c", "1")])]);
    });
}
