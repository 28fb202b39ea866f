//! The validator beside an honest archive: what it accepts, what it refuses, and why.

#![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

mod world;

use aardvark_dictionary::*;
use world::{World, delete, put};

fn block(world: &World, transactions: Vec<Transaction>) -> Block {
    Block { version: world.version() + 1, transactions, tail_vectors: Vec::new() }
}

fn reason(world: &mut World, block: &Block) -> (Reason, Option<usize>) {
    let rejection = world.apply(block).unwrap_err();
    (rejection.reason, rejection.transaction)
}

#[test]
fn transactions_that_touch_one_gap_run_in_one_block() {
    let mut world = World::new(2, &["a", "z"]);
    let transactions = ["m", "n", "b"].map(|key| world.transaction(0, &[put(key, "1")])).to_vec();
    let proposal = world.commit(transactions);
    assert_eq!(proposal.included, [0, 1, 2]);
}

#[test]
fn a_claim_exactly_w_versions_old_is_accepted_and_one_older_is_refused() {
    let mut world = World::new(2, &["a", "b", "c"]);
    let stale = world.transaction(0, &[put("a", "stale")]);
    for value in ["1", "2"] {
        let fresh = world.transaction(world.version(), &[put("a", value), put("c", value)]);
        world.commit(vec![fresh]);
    }
    let at_w = block(&world, vec![stale.clone()]);
    assert!(world.clone().apply(&at_w).is_ok());
    world.commit(vec![]);
    let beyond = block(&world, vec![stale]);
    assert_eq!(reason(&mut world, &beyond), (Reason::Expired, Some(0)));
}

#[test]
fn a_window_of_zero_accepts_only_claims_of_the_current_version() {
    let mut world = World::new(0, &["a"]);
    let stale = world.transaction(0, &[put("b", "1")]);
    let fresh = world.transaction(0, &[put("c", "1")]);
    world.commit(vec![fresh]);
    let late = block(&world, vec![stale]);
    assert_eq!(reason(&mut world, &late), (Reason::Expired, Some(0)));
    let fresh = world.transaction(1, &[delete("c")]);
    assert_eq!(world.commit(vec![fresh]).included, [0]);
}

#[test]
fn a_transaction_is_applied_at_most_once_whatever_its_claims() {
    let mut world = World::new(3, &["a", "b"]);
    let once = world.transaction(0, &[Operation::Add("n".into(), 1)]);
    let twice = block(&world, vec![once.clone(), once.clone()]);
    assert_eq!(reason(&mut world, &twice), (Reason::RepeatedInBlock, Some(1)));
    world.commit(vec![once.clone()]);
    let again = block(&world, vec![Transaction { claims: Vec::new(), ..once.clone() }]);
    assert_eq!(reason(&mut world, &again), (Reason::Replayed, Some(0)));
    assert_eq!(world.validator.check(&once).unwrap_err().reason, Reason::Replayed);
}

#[test]
fn a_false_value_a_false_absence_and_a_foreign_position_are_refused() {
    let mut world = World::new(3, &["a", "b", "c", "d", "e"]);
    let honest = world.transaction(0, &[put("b", "1")]);
    let mut forge = |change: fn(&mut Claim)| {
        let mut forged = honest.clone();
        change(&mut forged.claims[0]);
        let forged = block(&world, vec![honest.clone(), Transaction { nonce: [9; 16], ..forged }]);
        reason(&mut world, &forged)
    };
    assert_eq!(forge(|claim| claim.slot.value = "forged".into()), (Reason::OpeningFalse, Some(1)));
    assert_eq!(forge(|claim| claim.slot.key = "a".into()), (Reason::OpeningFalse, Some(1)));
    assert_eq!(forge(|claim| claim.position = 3), (Reason::OpeningFalse, Some(1)));
    assert_eq!(forge(|claim| claim.position = 6), (Reason::PositionOutOfRange, Some(1)));
    assert_eq!(forge(|claim| claim.opening = [0xff; 48]), (Reason::OpeningMalformed, Some(1)));
}

#[test]
fn a_key_without_claim_is_named_unless_window_or_tail_resolve_it() {
    let keys: Vec<String> = (0..16).map(|number| format!("k{number:02}")).collect();
    let mut world = World::new(3, &keys.iter().map(String::as_str).collect::<Vec<_>>());
    let bare = |mut transaction: Transaction| {
        transaction.claims.clear();
        transaction
    };
    let unresolved = bare(world.transaction(0, &[put("k01", "1")]));
    let rejection = world.validator.check(&unresolved).unwrap_err();
    assert_eq!((rejection.reason, rejection.key), (Reason::UnresolvedCovering, Some("k01".into())));
    let in_tail = bare(world.transaction(0, &[put("k15", "1")]));
    assert_eq!(world.validator.check(&in_tail), Ok(()));
    let first = world.transaction(0, &[put("k01", "1")]);
    world.commit(vec![first]);
    let in_window = bare(world.transaction(1, &[put("k01", "2")]));
    assert_eq!(world.commit(vec![in_window]).included, [0]);
    let no_predecessor = bare(world.transaction(2, &[delete("k01")]));
    let rejection = world.validator.check(&no_predecessor).unwrap_err();
    assert_eq!((rejection.reason, rejection.key), (Reason::UnresolvedPredecessor, Some("k01".into())));
}

#[test]
fn openings_of_many_transactions_are_checked_together_as_those_of_each_alone() {
    let keys: Vec<String> = (0..16).map(|number| format!("k{number:02}")).collect();
    let mut world = World::new(3, &keys.iter().map(String::as_str).collect::<Vec<_>>());
    let honest: Vec<_> = (0..4).map(|number| world.transaction(0, &[put(&format!("k{number:02}"), "1")])).collect();
    let changed = |change: fn(&mut Claim)| {
        let mut transaction = honest[1].clone();
        change(&mut transaction.claims[0]);
        transaction
    };
    let bad = [
        (changed(|claim| claim.slot.value = "forged".into()), Reason::OpeningFalse),
        (changed(|claim| claim.opening = identity()), Reason::OpeningFalse),
        (changed(|claim| claim.opening = [0xff; 48]), Reason::OpeningMalformed),
        (changed(|claim| claim.position = 1 << 40), Reason::PositionOutOfRange),
    ];
    let bare = Transaction { claims: Vec::new(), ..honest[2].clone() };
    let bad = bad.iter().map(|(transaction, reason)| (transaction, Some(*reason)));
    let good = || honest.iter().chain([&bare]).map(|transaction| (transaction, None));
    let all: Vec<_> = good().chain(bad).chain(good()).collect();
    // Every number of them from the front and from the back: batches that hold, that do not, and
    // the empty one.
    for run in (0..=all.len()).flat_map(|cut| [&all[..cut], &all[cut..]]) {
        let (transactions, expected): (Vec<_>, Vec<_>) = run.iter().copied().unzip();
        let checked = world.validator.check_openings(&transactions);
        let reasons: Vec<_> =
            checked.into_iter().map(|checked| checked.err().map(|rejection| rejection.reason)).collect();
        assert_eq!(reasons, expected);
    }
    // What is left of the check is the other one's.
    for (transaction, _) in all {
        let [opened] = world.validator.check_openings(&[transaction]).try_into().unwrap();
        let both = opened.is_ok() && world.validator.check_again(transaction).is_ok();
        assert_eq!(world.validator.check(transaction).is_ok(), both);
    }
}

/// The point at infinity, which opens no vector whose scalars differ.
fn identity() -> [u8; 48] {
    aardvark_commitment::Opening::identity().to_bytes()
}

#[test]
fn claims_that_serve_nothing_or_stand_twice_are_refused() {
    let mut world = World::new(3, &["a", "b", "c", "d"]);
    let honest = world.transaction(0, &[put("b", "1")]);
    let mut superfluous = honest.clone();
    superfluous.claims.push(world.claim(0, 4));
    assert_eq!(world.validator.check(&superfluous).unwrap_err().reason, Reason::SuperfluousClaim);
    let mut doubled = honest.clone();
    doubled.claims.push(honest.claims[0].clone());
    assert_eq!(world.validator.check(&doubled).unwrap_err().reason, Reason::RepeatedPosition);
}

#[test]
fn a_block_carries_exactly_the_tail_that_it_needs() {
    let keys: Vec<String> = (0..16).map(|number| format!("k{number:02}")).collect();
    let mut world = World::new(3, &keys.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(world.validator.tail().start(), 12);
    let deletes: Vec<_> = keys.iter().take(7).map(|key| delete(key)).collect();
    let transaction = world.transaction(0, &deletes);
    let with_tail = |world: &World, vectors| Block { tail_vectors: vectors, ..block(world, vec![transaction.clone()]) };
    let attempt = |world: &World, vectors| world.clone().apply(&with_tail(world, vectors)).map_err(|r| r.reason);
    assert_eq!(attempt(&world, vec![]).unwrap_err(), Reason::TailMissing);
    assert_eq!(attempt(&world, world.tail_vectors(2)).unwrap_err(), Reason::TailSuperfluous);
    let mut forged = world.tail_vectors(1);
    forged[0][2].value = "forged".into();
    assert_eq!(attempt(&world, forged).unwrap_err(), Reason::TailFalse);
    let lower = world.tail_vectors(2).split_off(1);
    assert_eq!(attempt(&world, lower).unwrap_err(), Reason::TailFalse);
    assert_eq!(attempt(&world, world.tail_vectors(1)).unwrap().size, 10);
    let postponed = world.validator.propose(vec![transaction.clone()], &[], usize::MAX);
    assert_eq!(postponed.postponed[0].cause, PostponedCause::TailNeeded);
    let proposal = world.commit(vec![transaction]);
    assert_eq!(proposal.block.tail_vectors.len(), 1);
    assert_eq!(world.validator.tail().start(), 8);
}

#[test]
fn superfluous_tail_vectors_are_refused_before_any_of_them_is_looked_at() {
    let keys: Vec<String> = (0..16).map(|number| format!("k{number:02}")).collect();
    let mut world = World::new(3, &keys.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(world.validator.tail().start(), 12);
    let reason = |world: &World, operations: &[Operation], vectors| {
        let transaction = world.clone().transaction(0, operations);
        let block = Block { tail_vectors: vectors, ..block(world, vec![transaction]) };
        world.clone().apply(&block).unwrap_err().reason
    };
    // Whatever they hold: were they looked at, the reason would be another.
    let nonsense = |count: usize| vec![vec![Slot::lone_sentinel(); 4]; count];
    let deletes: Vec<_> = keys.iter().take(9).map(|key| delete(key)).collect();
    assert_eq!(
        reason(&world, &deletes[..5], nonsense(1)),
        Reason::TailSuperfluous,
        "12 slots are left: none is needed"
    );
    assert_eq!(reason(&world, &deletes[..6], nonsense(1)), Reason::TailFalse, "11 are left: one is needed");
    assert_eq!(reason(&world, &deletes, nonsense(1)), Reason::TailFalse);
    assert_eq!(reason(&world, &deletes, nonsense(2)), Reason::TailSuperfluous, "8 are left: one is needed");
    assert_eq!(reason(&world, &[put("k00", "1")], nonsense(3)), Reason::TailSuperfluous);
    assert_eq!(reason(&world, &deletes, nonsense(4)), Reason::TailTooLong, "there are three");
    // Deletes that take nothing away raise the bound and not the need.
    let mut hollow = deletes[..5].to_vec();
    hollow.push(delete("nobody"));
    let vectors = world.tail_vectors(1);
    assert_eq!(reason(&world, &hollow, nonsense(1)), Reason::TailFalse);
    assert_eq!(reason(&world, &hollow, vectors), Reason::TailSuperfluous);
    let transaction = world.transaction(0, &deletes[..6]);
    world.commit(vec![transaction]);
}

#[test]
fn everything_can_be_deleted_and_written_again() {
    let mut world = World::new(2, &["a", "b", "c", "d", "e", "f", "g", "h", "i"]);
    let all = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let deletes = world.transaction(0, &all.map(delete));
    assert_eq!(world.commit(vec![deletes]).included, [0]);
    assert_eq!(world.validator.size(), 1);
    let again = world.transaction(1, &all.map(|key| put(key, "again")));
    world.commit(vec![again]);
    assert_eq!(world.validator.size(), 10);
}

#[test]
fn a_proposal_drops_what_fails_with_its_reason_and_keeps_the_rest() {
    let mut world = World::new(2, &["a", "b", "c"]);
    let good = world.transaction(0, &[put("a", "1")]);
    let mut false_opening = world.transaction(0, &[put("b", "1")]);
    false_opening.claims[0].slot.value = "forged".into();
    let failing = world.transaction(0, &[Operation::Sub("x".into(), 1)]);
    let late = world.transaction(0, &[Operation::Require("a".into(), Some("1".into())), put("c", "1")]);
    let proposal = world.commit(vec![good, false_opening, failing, late]);
    assert_eq!(proposal.included, [0, 3]);
    let dropped: Vec<_> = proposal.dropped.iter().map(|r| (r.transaction, r.reason)).collect();
    assert_eq!(dropped, [(Some(1), Reason::OpeningFalse), (Some(2), Reason::AbsentKey)]);
}

#[test]
fn a_proposal_keeps_within_its_byte_limit() {
    let mut world = World::new(2, &["a", "b", "c"]);
    let transactions: Vec<_> = ["a", "b", "c"].map(|key| world.transaction(0, &[put(key, "1")])).to_vec();
    let limit = 17 + 2 * (4 + transactions[0].encoded_length());
    let proposal = world.validator.propose(transactions, &[], limit);
    assert_eq!(proposal.included, [0, 1]);
    assert!(proposal.block.encoded_length() <= limit);
    assert_eq!(proposal.postponed[0], Postponed { transaction: 2, cause: PostponedCause::BlockFull });
}

#[test]
fn the_lowest_transaction_names_the_reason_on_any_number_of_threads() {
    let mut world = World::new(2, &["a", "b", "c", "d"]);
    let mut transactions: Vec<_> = ["a", "b", "c", "d"].map(|key| world.transaction(0, &[put(key, "1")])).to_vec();
    for index in [1, 3] {
        transactions[index].claims[0].slot.value = "forged".into();
    }
    transactions[2].claims[0].opening = [0xff; 48];
    let block = block(&world, transactions);
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let rejection = pool.install(|| world.clone().apply(&block)).unwrap_err();
        assert_eq!((rejection.reason, rejection.transaction), (Reason::OpeningFalse, Some(1)));
    }
}

#[test]
fn state_survives_being_taken_out_and_put_back() {
    let mut world = World::new(2, &["a", "b", "c", "d", "e"]);
    let first = world.transaction(0, &[delete("b"), put("x", "1")]);
    world.commit(vec![first]);
    let restored = Validator::from_state(
        world.validator.parameters().clone(),
        *world.validator.id(),
        std::sync::Arc::clone(world.validator.scheme()),
        world.validator.state(),
    );
    world.validator = restored.unwrap();
    let stale = world.transaction(0, &[put("c", "2")]);
    assert_eq!(world.commit(vec![stale]).included, [0]);
}

#[test]
fn a_scheme_that_can_only_verify_makes_no_validator() {
    let world = World::new(2, &["a"]);
    let verifier = aardvark_commitment::Kzg::verifier(4).unwrap();
    let verifier = std::sync::Arc::new(aardvark_commitment::Scheme::Kzg(verifier));
    let parameters = world.validator.parameters().clone();
    let made = Validator::from_state(parameters, *world.validator.id(), verifier, world.validator.state());
    assert!(matches!(made, Err(StateError::Commitment(_))));
}

#[test]
fn a_second_look_finds_what_happened_since_the_first_without_any_opening() {
    let mut world = World::new(3, &["a", "b"]);
    let number = |value: u64| value.to_be_bytes().as_slice().into();
    let funded = world.transaction(0, &[Operation::Put("n".into(), number(5))]);
    world.commit(vec![funded]);
    let spend = world.transaction(1, &[Operation::Sub("n".into(), 3)]);
    let other = world.transaction(1, &[Operation::Sub("n".into(), 4)]);
    assert!(world.validator.check(&other).is_ok() && world.validator.check_again(&other).is_ok());
    // False openings are the first look's matter.
    let mut forged = other.clone();
    forged.claims[0].opening = [0xff; 48];
    assert!(world.validator.check_again(&forged).is_ok());
    world.commit(vec![spend.clone()]);
    assert!(world.validator.check(&other).is_ok());
    let rejection = world.validator.check_again(&other).unwrap_err();
    assert_eq!((rejection.reason, rejection.transaction), (Reason::Underflow, None));
    assert_eq!(world.validator.check_again(&spend).unwrap_err().reason, Reason::Replayed);
}

#[test]
fn a_block_that_was_judged_before_is_applied_as_one_that_is_judged_now() {
    let mut world = World::new(3, &["a", "b"]);
    let transactions = vec![world.transaction(0, &[put("b", "1"), delete("a")])];
    let proposal = world.validator.propose(transactions, &[], 1 << 20);
    let block = world.validator.aggregate(proposal.block).unwrap();
    let (mut at_once, mut later) = (world.validator.clone(), world.validator);
    let executed = later.execute_aggregated(&block).unwrap();
    let stale = later.execute_aggregated(&block).unwrap();
    assert_eq!(later.version(), 0);
    assert_eq!(later.apply_executed(executed), Some(at_once.apply_aggregated(&block).unwrap()));
    assert_eq!(later.state(), at_once.state());
    assert_eq!((later.apply_executed(stale), later.version()), (None, 1));
}
