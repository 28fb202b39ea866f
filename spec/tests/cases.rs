//! The cases that every implementation gets wrong once (docs/design.md, section 7), at the level of
//! the specification: 1 to 9, what happens to the array. The world checks state, writes,
//! commitments, window, tail and replay set after every block that it applies.

mod world;

use aardvark_spec::block::operation::*;
use aardvark_spec::convert::*;
use world::*;

// 1

#[test]
fn two_inserts_into_one_gap_in_one_block_share_their_covering_slot() {
    for world in worlds(2, &["c", "m"]) {
        let pairs = [["e", "g"], ["g", "e"], ["a", "b"], ["b", "a"], ["x", "z"], ["z", "x"]];
        for [first, second] in pairs {
            world.clone().run(&[&[put(first, "1")], &[put(second, "2")]]);
            world.clone().run(&[&[put(first, "1"), put(second, "2")]]);
        }
    }
}

// 2

#[test]
fn an_insert_may_follow_whatever_happened_to_its_covering_slot_in_the_same_block() {
    for world in worlds(2, &["c", "m", "p"]) {
        world.clone().run(&[&[put("e", "1")], &[put("f", "2")]]);
        world.clone().run(&[&[put("c", "new")], &[put("e", "2")]]);
        world.clone().run(&[&[delete("c")], &[put("e", "2")]]);
        world.clone().run(&[&[delete("c")], &[put("q", "2")]]);
        world.clone().run(&[&[put("q", "2")], &[delete("p")], &[delete("c")]]);
    }
}

// 3

#[test]
fn neighbours_everything_and_both_ends_can_be_deleted_in_one_block() {
    for world in worlds(2, &["a", "b", "c", "d"]) {
        world.clone().run(&[&[delete("b")], &[delete("c")]]);
        world.clone().run(&[&[delete("c")], &[delete("b")]]);
        world.clone().run(&[&[delete("a"), delete("d")]]);
        let mut emptied = world.clone();
        emptied.run(&[&[delete("d"), delete("b")], &[delete("a"), delete("c")]]);
        assert_eq!(emptied.state.size, 1);
        emptied.run(&[&[put("b", "again")]]);
    }
}

// 4

#[test]
fn a_delete_may_concern_the_last_slot_as_target_predecessor_and_successor() {
    for first in worlds(2, &["a", "c", "e"]) {
        // The last slot itself.
        first.clone().run(&[&[delete("e")]]);
        // "b" is appended last: it is the predecessor of "c" and the successor of "a".
        let mut world = first;
        world.run(&[&[put("b", "1")]]);
        assert_eq!(world.position("b"), world.state.size - 1);
        world.clone().run(&[&[delete("c")]]);
        world.clone().run(&[&[delete("a")]]);
        world.clone().run(&[&[delete("a"), delete("c")]]);
        world.clone().run(&[&[delete("a"), delete("b"), delete("c")]]);
        // In a ring of the sentinel and two keys the last slot is both.
        world.run(&[&[delete("c"), delete("e")]]);
        world.run(&[&[delete("a")]]);
    }
}

// 5

#[test]
fn a_key_can_be_deleted_together_with_the_one_whose_slot_moves_into_its_position() {
    for world in worlds(2, &["a", "b", "c", "d"]) {
        assert_eq!(world.position("d"), world.state.size - 1);
        world.clone().run(&[&[delete("a"), delete("d")]]);
        world.clone().run(&[&[delete("d")], &[delete("a")]]);
        world.clone().run(&[&[delete("a"), put("d", "moved")]]);
    }
}

// 6

#[test]
fn vectors_begin_and_end_at_their_boundaries() {
    for mut world in worlds(3, &[]) {
        let keys = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
        for key in keys {
            world.run(&[&[put(key, "1")]]);
        }
        for key in keys {
            world.run(&[&[delete(key)]]);
        }
        // A vector that was dropped comes back while its old commitment is in the window.
        for key in keys {
            world.run(&[&[put(key, "2")]]);
        }
    }
}

#[test]
fn a_position_unused_before_and_after_a_block_is_not_written() {
    for mut world in worlds(2, &["a", "b", "c"]) {
        let size = world.state.size;
        let effects = world.run(&[&[put("d", "1"), delete("b")]]);
        assert_eq!(world.state.size, size);
        assert!(write_pairs(&effects.effect_writes).iter().all(|(p, _)| *p < size));
        assert_eq!(world.position("d"), 2);
    }
}

// 7

#[test]
fn what_happens_to_one_key_within_a_block_counts_by_its_net_effect() {
    for world in worlds(2, &["a", "b"]) {
        let histories: [(&str, &[Operation]); 7] = [
            ("created and deleted", &[put("x", "1"), delete("x")]),
            ("deleted and created", &[delete("a"), put("a", "1")]),
            ("updated and deleted", &[put("a", "1"), delete("a")]),
            ("created and updated", &[put("x", "1"), put("x", "2")]),
            ("deleted, created, deleted", &[delete("a"), put("a", "1"), delete("a")]),
            ("put as it is", &[put("a", "A")]),
            ("deleted while absent", &[delete("x")]),
        ];
        for (name, operations) in histories {
            let one = world.clone().run(&[operations]);
            let apart: Vec<&[Operation]> = operations.chunks(1).collect();
            let many = world.clone().run(&apart);
            assert_eq!(write_pairs(&one.effect_writes), write_pairs(&many.effect_writes), "{name}");
        }
        for untouched in [&[put("x", "1"), delete("x")][..], &[put("a", "A")], &[delete("x")]] {
            let effects = world.clone().run(&[untouched]);
            assert_eq!(effects.effect_writes.len(), 0);
            assert_eq!(effects.effect_changes.len(), 0);
        }
        let mut kept = world.clone();
        let position = kept.position("a");
        kept.run(&[&[delete("a")], &[put("a", "1")]]);
        assert_eq!(kept.position("a"), position);
    }
}

// 8

#[test]
fn claims_survive_moves_and_positions_that_changed_hands() {
    for mut world in worlds(4, &["a", "b", "c", "d"]) {
        let old = world.position("d");
        world.run(&[&[delete("a")]]);
        assert_eq!(world.position("d"), 1);
        world.run_at(0, &[&[put("d", "after one move")], &[require("b", "B")]]);
        world.run(&[&[put("e", "1")]]);
        assert_eq!(world.position("e"), old);
        world.run(&[&[delete("b")]]);
        world.run_at(0, &[&[put("d", "still"), put("e", "found"), delete("c")]]);
    }
}

#[test]
fn claims_survive_two_moves_of_their_slot_and_reinsertion_elsewhere() {
    for mut world in worlds(5, &["a", "b", "c", "d"]) {
        world.run(&[&[delete("c")]]);
        assert_eq!(world.position("d"), 3);
        world.run(&[&[delete("a")]]);
        assert_eq!(world.position("d"), 1);
        world.clone().run_at(0, &[&[delete("d")]]);
        world.run(&[&[delete("b")]]);
        world.run(&[&[put("b", "elsewhere")]]);
        assert_eq!(world.position("b"), 2);
        world.run_at(0, &[&[require("b", "elsewhere"), delete("b")]]);
    }
}

// 9

#[test]
fn gaps_may_have_changed_in_every_way_since_the_claim() {
    for world in worlds(3, &["b", "m", "t"]) {
        let since: [&[Operation]; 8] = [
            &[put("c", "narrowed left")],
            &[put("k", "narrowed right")],
            &[delete("b")],
            &[delete("m")],
            &[put("b", "updated")],
            &[put("h", "inserted")],
            &[put("a", "1"), delete("b"), put("n", "2")],
            &[delete("b"), delete("m"), delete("t")],
        ];
        for change in since {
            let mut changed = world.clone();
            changed.run(&[change]);
            for later in [&[put("h", "1")][..], &[delete("h")], &[delete("m")], &[delete("t"), put("u", "1")]] {
                changed.clone().run_at(0, &[later]);
            }
        }
    }
}

#[test]
fn a_key_absent_at_the_claim_and_inserted_since_can_be_deleted_with_it() {
    for mut world in worlds(3, &["b", "m"]) {
        let tx = world.transaction(&[delete("h")]);
        assert_eq!(tx.claims.len(), 1, "an absent key needs its covering slot only");
        world.run(&[&[put("h", "1")]]);
        world.run(&[&[put("g", "new predecessor")]]);
        world.apply(&world.block(std::slice::from_ref(&tx))).unwrap();
        assert!(!world.map.contains_key(b"h".as_slice()));
    }
}
