//! Histories that a valid block ends, and that a wrong implementation refuses or carries out
//! wrongly.

use super::script::Script;
use crate::scene::{add, delete, on_points_of, put, require, require_absent, require_number, sub};
use crate::vectors::flags::Flag;

/// Tells them.
pub(super) fn tell(script: &mut Script) {
    inserts(script);
    deletes(script);
    net_effects(script);
    stale_claims(script);
    openings(script);
    numbers(script);
}

fn inserts(script: &mut Script) {
    let ends = &["a", "z"];
    script.tell("two inserts into one gap, ascending", &[Flag::InsertOrder], (4, 2, ends), |actor| {
        actor.accept(|scene| [scene.now([put("m", "1")]), scene.now([put("n", "2")])]);
    });
    script.tell("two inserts into one gap, descending", &[Flag::InsertOrder], (4, 2, ends), |actor| {
        actor.accept(|scene| [scene.now([put("n", "2")]), scene.now([put("m", "1")])]);
    });
    script.tell("a new smallest and a new largest key", &[Flag::InsertOrder], (2, 2, &["m"]), |actor| {
        actor.accept(|scene| [scene.now([put("z", "1"), put("a", "2")])]);
    });
    script.tell("the first key of an empty dictionary", &[Flag::Sentinel], (1, 0, &[]), |actor| {
        actor.accept(|scene| [scene.now([put("a", "1")])]);
    });
    script.tell(
        "an insert behind a key that the block deletes",
        &[Flag::InsertOrder],
        (4, 2, &["a", "b", "d"]),
        |actor| {
            actor.accept(|scene| [scene.now([delete("b")]), scene.now([put("c", "1")])]);
        },
    );
    script.tell("inserts through a vector's boundary", &[Flag::VectorBoundary], (2, 1, &[]), |actor| {
        ["a", "b", "c", "d"].into_iter().for_each(|key| actor.accept(|scene| [scene.now([put(key, "v")])]));
    });
}

fn deletes(script: &mut Script) {
    let swap: &[Flag] = &[Flag::SwapRemove];
    script.tell("a delete moves the last slot", swap, (4, 2, &["a", "b", "c"]), |actor| {
        actor.accept(|scene| [scene.now([delete("a")])]);
    });
    script.tell("a delete of neighbours", swap, (4, 2, &["a", "b", "c", "d"]), |actor| {
        actor.accept(|scene| [scene.now([delete("c")]), scene.now([delete("b")])]);
    });
    script.tell(
        "a delete of a key and of the one that moves into its place",
        swap,
        (2, 2, &["a", "b", "c"]),
        |actor| {
            actor.accept(|scene| [scene.now([delete("a"), delete("c")])]);
        },
    );
    script.tell("a delete whose predecessor is the last slot", swap, (2, 2, &["a", "c"]), |actor| {
        actor.accept(|scene| [scene.now([put("b", "1")])]);
        actor.accept(|scene| [scene.now([delete("c")])]);
    });
    script.tell("a delete of both neighbours of the last slot", swap, (2, 2, &["a", "c"]), |actor| {
        actor.accept(|scene| [scene.now([put("b", "1")])]);
        actor.accept(|scene| [scene.now([delete("a"), delete("c")])]);
    });
    script.tell("a delete of everything", swap, (2, 2, &["a", "b", "c", "d", "e"]), |actor| {
        actor.accept(|scene| [scene.now(["c", "a", "e", "d", "b"].map(delete))]);
    });
    script.tell("a delete of an absent key", &[], (4, 2, &["a", "c"]), |actor| {
        actor.accept(|scene| [scene.now([delete("b")])]);
    });
}

fn net_effects(script: &mut Script) {
    let net: &[Flag] = &[Flag::NetEffects];
    let keys: &[&str] = &["a", "b", "c"];
    script.tell("create and delete: no trace", &[Flag::NetEffects, Flag::WritesOfNothing], (2, 2, keys), |actor| {
        actor.accept(|scene| [scene.now([put("bb", "1")]), scene.now([delete("bb")])]);
    });
    script.tell("delete and create: an update in place", net, (2, 2, keys), |actor| {
        actor.accept(|scene| [scene.now([delete("a")]), scene.now([put("a", "2")])]);
    });
    script.tell("delete, create and delete: one delete", net, (2, 2, keys), |actor| {
        actor.accept(|scene| [scene.now([delete("a"), put("a", "2"), delete("a")])]);
    });
    script.tell("a put of the value that is there: no write", &[Flag::WritesOfNothing], (2, 2, keys), |actor| {
        actor.accept(|scene| [scene.now([put("a", "v")])]);
    });
    script.tell(
        "an insert and a delete: the position between is not written",
        &[Flag::WritesOfNothing],
        (2, 2, &["a"]),
        |actor| {
            actor.accept(|scene| [scene.now([put("b", "1"), delete("a")])]);
        },
    );
}

fn stale_claims(script: &mut Script) {
    let honest: &[Flag] = &[Flag::DroppedTooMuch, Flag::StaleClaim];
    let keys: &[&str] = &["b", "d", "f", "h"];
    script.tell("claims exactly W versions old", &[Flag::DroppedTooMuch], (1, 2, keys), |actor| {
        actor.pass();
        actor.pass();
        actor.accept(|scene| [scene.aged(2, [put("b", "2")])]);
    });
    script.tell("an insert into a gap that was narrowed since", honest, (1, 2, keys), |actor| {
        actor.accept(|scene| [scene.now([put("bb", "1"), put("cc", "1")])]);
        actor.accept(|scene| [scene.aged(1, [require_absent("c"), put("c", "1")])]);
    });
    script.tell("an insert into a gap that was widened since", honest, (1, 2, keys), |actor| {
        actor.accept(|scene| [scene.now([delete("b"), delete("d")])]);
        actor.accept(|scene| [scene.aged(1, [require_absent("c"), put("c", "1")])]);
    });
    script.tell("a key that moved twice since its claim", honest, (2, 3, &["a", "b", "c", "d", "e"]), |actor| {
        actor.accept(|scene| [scene.now([delete("c")])]);
        actor.accept(|scene| [scene.now([delete("d"), delete("a")])]);
        actor.accept(|scene| [scene.aged(2, [require("e", "v"), delete("e")])]);
    });
    script.tell("a delete whose predecessor was deleted since", honest, (1, 2, keys), |actor| {
        actor.accept(|scene| [scene.now([delete("b")])]);
        actor.accept(|scene| [scene.aged(1, [delete("d")])]);
    });
    script.tell("a key absent at the claim, inserted since, deleted now", honest, (1, 2, keys), |actor| {
        actor.accept(|scene| [scene.now([put("c", "1")])]);
        actor.accept(|scene| [scene.aged(1, [delete("c")])]);
    });
    let dropped: &[Flag] = &[Flag::VectorBoundary, Flag::DroppedTooMuch];
    script.tell("a claim in a vector that was dropped and is used again", dropped, (2, 3, &["a", "b"]), |actor| {
        actor.accept(|scene| [scene.now([delete("b")])]);
        actor.accept(|scene| [scene.now([put("c", "1")])]);
        actor.accept(|scene| [scene.aged(2, [put("b", "2")])]);
    });
    script.tell("what the tail shows needs no claim", &[], (1, 2, keys), |actor| {
        actor.accept(|scene| [scene.bare([put("i", "1")])]);
    });
}

fn openings(script: &mut Script) {
    script.tell("an opening plus a point of small order", &[Flag::WrongSubgroup], (4, 2, &["a"]), |actor| {
        actor.accept(|scene| {
            let mut twisted = scene.now([put("a", "2")]);
            twisted.claims[0].opening = on_points_of(scene).opening_with_torsion(scene.exponent(0, &twisted.claims[0]));
            [twisted]
        });
    });
    script.tell(
        "the point at infinity opens a vector of one slot",
        &[Flag::IdentityPoint],
        (1, 2, &["a", "b", "c"]),
        |actor| {
            actor.accept(|scene| [scene.now([put("a", "2")])]);
        },
    );
    script.tell("the same claim twice in a block", &[Flag::CancellingErrors], (4, 2, &["a", "z"]), |actor| {
        actor.accept(|scene| [scene.now([put("b", "1")]), scene.now([put("c", "1")])]);
    });
}

fn numbers(script: &mut Script) {
    let arithmetic: &[Flag] = &[Flag::Arithmetic];
    script.tell("an absent key counts as 0 when adding", arithmetic, (4, 2, &["a"]), |actor| {
        actor.accept(|scene| [scene.now([add("n", u64::MAX)])]);
    });
    script.tell("zero stays as a value", arithmetic, (4, 2, &["a"]), |actor| {
        actor.accept(|scene| [scene.now([add("n", 5)])]);
        actor.accept(|scene| [scene.now([sub("n", 5), require_number("n", 0)])]);
    });
    script.tell("a payment that empties an account", arithmetic, (4, 2, &[]), |actor| {
        actor.accept(|scene| [scene.now([add("al", 7)])]);
        actor.accept(|scene| [scene.now([sub("al", 7), require_number("al", 0), delete("al"), add("bo", 7)])]);
    });
}
