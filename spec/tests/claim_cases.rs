//! The cases that every implementation gets wrong once (docs/design.md, section 7), at the level of
//! the specification: 10 to 14, what claims, tail vectors and transactions are good for. The world
//! checks state, writes, commitments, window, tail and replay set after every block that it
//! applies.

mod world;

use aardvark_spec::base::group::*;
use aardvark_spec::base::scalar::*;
use aardvark_spec::block::operation::*;
use aardvark_spec::block::rejection::*;
use aardvark_spec::block::transaction::*;
use aardvark_spec::block::validator::*;
use aardvark_spec::commitment::opening::*;
use aardvark_spec::commitment::scheme::*;
use aardvark_spec::convert::*;
use aardvark_spec::dictionary::slot_map::*;
use aardvark_spec::dictionary::vectors::*;
use hacspec_lib::Seq;
use world::*;

// 10

#[test]
fn a_claim_is_good_for_exactly_the_windows_versions() {
    for mut world in worlds(2, &["a", "b"]) {
        let first = world.transaction(&[put("a", "1")]);
        let never = Transaction { last_valid: first.last_valid + 1, ..first.clone() };
        assert_eq!(world.reason(&never), Reason::IntervalTooLong);
        world.run(&[]);
        world.run(&[]);
        world.clone().apply(&world.block(std::slice::from_ref(&first))).unwrap();
        world.run(&[]);
        assert_eq!(world.reason(&first), Reason::Expired);
        let stretched = Transaction { last_valid: 4, ..first.clone() };
        assert_eq!(world.reason(&stretched), Reason::IntervalTooLong);
        let future = world.transaction(&[put("a", "1")]);
        let future = Transaction { first_valid: future.first_valid + 1, ..future };
        assert_eq!(world.reason(&future), Reason::NotYetValid);
        for (first_valid, last_valid) in [(0, 2), (5, 4)] {
            let malformed = Transaction { first_valid, last_valid, ..first.clone() };
            assert_eq!(world.reason(&malformed), Reason::IntervalMalformed);
        }
    }
}

#[test]
fn without_a_window_claims_are_good_for_the_next_block_only() {
    for mut world in worlds(0, &["a", "b"]) {
        let tx = world.transaction(&[put("a", "1")]);
        world.clone().apply(&world.block(std::slice::from_ref(&tx))).unwrap();
        world.run(&[&[delete("b")]]);
        assert_eq!(world.state.window.len(), 0);
        assert_eq!(world.reason(&tx), Reason::Expired);
        world.run(&[&[put("a", "2")]]);
    }
}

// 11

#[test]
fn a_claim_must_name_its_own_position() {
    for mut world in worlds(3, &["a", "b", "c", "d"]) {
        let tx = world.transaction(&[require("a", "A")]);
        for p in 0..world.state.size {
            let moved = with_claim(&tx, 0, |claim| claim.claim_position = p);
            if p == world.position("a") {
                world.clone().apply(&world.block(&[moved])).unwrap();
            } else {
                assert_eq!(world.reason(&moved), Reason::OpeningFalse);
            }
        }
        for p in [world.state.size, world.state.size + world.n(), usize::MAX] {
            let beyond = with_claim(&tx, 0, |claim| claim.claim_position = p);
            assert_eq!(world.reason(&beyond), Reason::PositionOutOfRange);
        }
    }
}

#[test]
fn a_claim_counts_against_the_array_of_its_own_version() {
    for mut world in worlds(3, &["a"]) {
        let size = world.state.size;
        let keys = ["b", "c", "d", "e", "f", "g", "h", "i"];
        let grow: Vec<Operation> = keys.iter().map(|key| put(key, "1")).collect();
        world.run(&[&grow]);
        // Present now, but not then.
        let now = world.transaction(&[require("i", "1")]);
        let then = Transaction { first_valid: 1, last_valid: 4, ..now };
        assert_eq!(world.reason(&then), Reason::PositionOutOfRange);
        // Present then, but not now.
        let old = world.transaction(&[require_absent("i0")]);
        let shrink: Vec<Operation> = keys.iter().map(|key| delete(key)).collect();
        world.run(&[&shrink]);
        assert_eq!(world.state.size, size);
        world.apply(&world.block(std::slice::from_ref(&old))).unwrap();
    }
}

#[test]
fn an_unused_position_cannot_be_claimed_though_it_opens_to_zero() {
    for mut world in worlds(3, &["a", "b", "c", "d"]) {
        let size = world.state.size;
        let n = world.n();
        let vector = vector_of(size, n);
        let scalars = vector_scalars(&world.array().array_slots, n, vector);
        let opening = open(&world.setup, &scalars, index_of(size, n));
        let commitment = commit(&world.setup, &scalars);
        assert!(verify_point(&world.setup, commitment, index_of(size, n), scalar_zero(), opening));
        let tx = with_claim(&world.transaction(&[require("a", "A")]), 0, |claim| {
            claim.claim_position = size;
            claim.claim_opening = Opening::Point(opening);
        });
        assert_eq!(world.reason(&tx), Reason::PositionOutOfRange);
    }
}

// 12

/// A world of one slot a vector where a block of deletes needs two tail vectors.
fn shrinking_world() -> (World, Transaction) {
    let mut world = World::new(1, 1, 2, &["a", "b", "c", "d"]);
    let tx = world.transaction(&[delete("a"), delete("b"), delete("c")]);
    assert_eq!((world.state.size, world.state.tail_start), (5, 4));
    (world, tx)
}

#[test]
fn a_block_carries_exactly_the_tail_vectors_that_it_needs() {
    let (mut world, tx) = shrinking_world();
    let block = world.block(std::slice::from_ref(&tx));
    assert_eq!(block.tail_vectors.len(), 2);
    let all = aardvark_spec::block::prover::honest_tail_vectors(world.array(), 4, 1, 4);
    for count in 0..=4 {
        let mut changed = block.clone();
        changed.tail_vectors = all.slice(0, count);
        match count {
            0 | 1 => assert_eq!(world.refusal(&changed), reject_block(Reason::TailMissing)),
            2 => drop(world.clone().apply(&changed).unwrap()),
            _ => assert_eq!(world.refusal(&changed), reject_block(Reason::TailSuperfluous)),
        }
    }
    // More than the deletes can make necessary: their content is not looked at.
    for count in 3..=4 {
        let mut changed = block.clone();
        changed.tail_vectors = to_seq(vec![to_seq(vec![]); count]);
        assert_eq!(world.refusal(&changed), reject_block(Reason::TailSuperfluous));
    }
    let mut empty = block.clone();
    empty.tail_vectors = to_seq(vec![to_seq(vec![]); 2]);
    assert_eq!(world.refusal(&empty), reject_tail_vector(Reason::TailVectorSize, 0));
    let mut beyond = block.clone();
    beyond.tail_vectors = all.concat(&all.slice(0, 1));
    assert_eq!(world.refusal(&beyond), reject_tail_vector(Reason::TailTooLong, 4));
    world.apply(&block).unwrap();
}

#[test]
fn tail_vectors_must_have_the_content_order_and_version_of_the_state() {
    let (mut world, tx) = shrinking_world();
    let block = world.block(std::slice::from_ref(&tx));
    let vectors = to_vec(&block.tail_vectors);
    let refused = |world: &World, vectors: Vec<Vec<aardvark_spec::dictionary::slot::Slot>>| {
        let mut changed = block.clone();
        changed.block_version = world.state.version + 1;
        changed.tail_vectors = to_seq(vectors.into_iter().map(to_seq).collect());
        world.refusal(&changed)
    };
    let honest: Vec<_> = vectors.iter().map(to_vec).collect();
    let mut swapped = honest.clone();
    swapped.swap(0, 1);
    assert_eq!(refused(&world, swapped), reject_tail_vector(Reason::TailFalse, 0));
    let mut wrong = honest.clone();
    wrong[1][0].value = bytes("forged");
    assert_eq!(refused(&world, wrong), reject_tail_vector(Reason::TailFalse, 1));
    for size in [0, 2] {
        let mut sized = honest.clone();
        sized[1] = vec![honest[1][0].clone(); size];
        assert_eq!(refused(&world, sized), reject_tail_vector(Reason::TailVectorSize, 1));
    }
    let mut long = honest.clone();
    long[0][0].value = bytes("longer than sixteen bytes");
    assert_eq!(refused(&world, long), reject_tail_vector(Reason::TailSlotMalformed, 0));
    // The vectors of version 0 after a block that wrote one of them.
    world.run(&[&[put("c", "newer")]]);
    assert_eq!(refused(&world, honest), reject_tail_vector(Reason::TailFalse, 0));
}

#[test]
fn tail_vectors_of_a_block_do_not_resolve_its_keys() {
    let (world, tx) = shrinking_world();
    let bare = Transaction { claims: to_seq(vec![]), ..tx };
    assert_eq!(world.refusal(&world.block(&[bare])), reject_item(Reason::UnresolvedCovering, 0, 0));
}

// 13: what of it lives in scalars and exponents; encodings are the curve's.

#[test]
fn malformed_openings_come_before_false_ones_and_after_positions() {
    for mut world in worlds(2, &["a", "b"]) {
        let tx = world.transaction(&[put("a", "1"), put("b", "2")]);
        let wrong = with_claim(&tx, 0, |claim| {
            claim.claim_opening = Opening::Point(g1_add(opened_point(claim), g1_generator()));
        });
        assert_eq!(
            world.refusal(&world.block(std::slice::from_ref(&wrong))),
            reject_transaction(Reason::OpeningFalse, 0)
        );
        let malformed = with_claim(&wrong, 1, |claim| claim.claim_opening = Opening::Malformed);
        let other = world.transaction(&[require("a", "A")]);
        let refusal = world.refusal(&world.block(&[other, malformed.clone()]));
        assert_eq!(refusal, reject_transaction(Reason::OpeningMalformed, 1));
        let far = with_claim(&malformed, 1, |claim| claim.claim_position = 99);
        assert_eq!(world.reason(&far), Reason::PositionOutOfRange);
    }
}

#[test]
fn one_opening_twice_in_a_block_and_equal_old_and_new_values_are_fine() {
    for mut world in worlds(2, &["a", "b"]) {
        let first = world.transaction(&[put("a", "A")]);
        let second = world.transaction(&[require("a", "A")]);
        assert_eq!(first.claims[0], second.claims[0]);
        world.apply(&world.block(&[first, second])).unwrap();
    }
}

#[test]
fn identity_commitments_and_identity_openings_are_ordinary_ones() {
    for world in worlds(2, &[]) {
        let n = world.n();
        let empty = Seq::<Scalar>::new(n);
        assert_eq!(commit(&world.setup, &empty), g1_identity());
        assert!(verify_point(&world.setup, g1_identity(), n - 1, scalar_zero(), g1_identity()));
        // The opening of a vector of equal elements is the identity under KZG, and so it is for
        // N = 1.
        if scheme_number(&world.setup) == 1 {
            let m = scalar_of_number(5);
            let constant = to_seq(vec![m; n]);
            assert_eq!(open(&world.setup, &constant, 0), g1_identity());
            assert!(verify_point(&world.setup, commit(&world.setup, &constant), 0, m, g1_identity()));
        }
    }
}

// 14

#[test]
fn a_transaction_is_applied_once_whatever_its_claims() {
    for mut world in worlds(2, &["a", "b"]) {
        let tx = world.transaction(&[add("n", 1)]);
        let twice = world.block(&[tx.clone(), tx.clone()]);
        assert_eq!(world.refusal(&twice), reject_transaction(Reason::RepeatedInBlock, 1));
        world.apply(&world.block(std::slice::from_ref(&tx))).unwrap();
        assert_eq!(world.reason(&tx), Reason::Replayed);
        // Other claims or openings do not make another transaction of it.
        let bare = Transaction { claims: to_seq(vec![]), ..tx.clone() };
        let malformed = with_claim(&tx, 0, |claim| claim.claim_opening = Opening::Malformed);
        for same in [&bare, &malformed] {
            assert_eq!(world.reason(same), Reason::Replayed);
            assert_eq!(
                check_transaction(&world.setup, &world.state, same).err(),
                Some(reject_transaction(Reason::Replayed, 0))
            );
        }
        world.run(&[]);
        world.run(&[]);
        assert_eq!(world.reason(&tx), Reason::Expired);
        assert_eq!(world.state.replay_set.len(), 1);
        world.run(&[]);
        assert_eq!(world.state.replay_set.len(), 0);
    }
}

#[test]
fn ids_bind_the_dictionary_interval_nonce_and_operations() {
    let mut world = World::new(1, 2, 2, &["a"]);
    let other = World::new(1, 2, 3, &["a"]);
    assert_ne!(byte_hex(&world.state.dictionary_id), byte_hex(&other.state.dictionary_id));
    let tx = world.transaction(&[put("a", "1")]);
    let id = |tx: &Transaction| byte_hex(&id_of_transaction(&world.state.dictionary_id, tx));
    assert_ne!(id(&tx), byte_hex(&id_of_transaction(&other.state.dictionary_id, &tx)));
    assert_ne!(id(&tx), id(&Transaction { last_valid: tx.last_valid - 1, ..tx.clone() }));
    assert_ne!(id(&tx), id(&Transaction { nonce: byte_string(&[7; 16]), ..tx.clone() }));
    assert_ne!(id(&tx), id(&Transaction { operations: to_seq(vec![put("a", "2")]), ..tx.clone() }));
    assert_eq!(id(&tx), id(&Transaction { claims: to_seq(vec![]), ..tx.clone() }));
}

#[test]
fn a_forged_slot_or_a_claim_of_another_transaction_does_not_pass() {
    for mut world in worlds(2, &["a", "b", "c", "d"]) {
        let tx = world.transaction(&[require("a", "forged")]);
        let forged = with_claim(&tx, 0, |claim| claim.claim_slot.value = bytes("forged"));
        assert_eq!(world.reason(&forged), Reason::OpeningFalse);
        // A neighbour's claims resolve nothing here.
        let bare = Transaction { claims: to_seq(vec![]), ..world.transaction(&[require("a", "A")]) };
        let helper = world.transaction(&[require("a", "A")]);
        let known = aardvark_spec::block::view::transaction_view(&world.state, &bare);
        if covering_position(&known, &bytes("a")).is_none() {
            let refusal = world.refusal(&world.block(&[helper, bare]));
            assert_eq!(refusal, reject_item(Reason::UnresolvedCovering, 1, 0));
        }
    }
}
