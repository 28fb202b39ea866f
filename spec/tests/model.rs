//! Random histories: a validator with honest claims agrees with an ordinary map, on every block, accepted or refused.

#![allow(clippy::unwrap_used)]

mod world;

use aardvark_spec::operation::*;
use aardvark_spec::rejection::*;
use proptest::prelude::*;
use world::*;

const KEYS: [&str; 9] = ["\0", "a", "aa", "ab", "b", "c", "d", "dd", "~~~~~~~~"];

fn operation() -> impl Strategy<Value = Operation> {
    let key = prop::sample::select(&KEYS[..]);
    let value = prop::sample::select(vec!["", "x", "y", "\0\0\0\0\0\0\0\u{5}"]);
    (key, value, 0..24u8, 1..7u64).prop_map(|(key, value, kind, amount)| match kind {
        0..7 => put(key, value),
        7..17 => delete(key),
        17..20 => add(key, amount),
        20 => sub(key, amount),
        21 => sub(key, u64::MAX),
        22 => require(key, value),
        _ => require_absent(key),
    })
}

/// For each block its transactions, and for each of these how stale its claims are and what it does.
type Plan = Vec<Vec<(usize, Vec<Operation>)>>;

fn plan() -> impl Strategy<Value = Plan> {
    let transaction = (0..4usize, prop::collection::vec(operation(), 1..5));
    prop::collection::vec(prop::collection::vec(transaction, 0..4), 1..8)
}

/// Runs a plan: what fails on the map must be refused with the same reason at the same place, and is then left out.
fn run(world: &mut World, plan: &Plan) {
    for block in plan {
        let version = world.state.version;
        let mut transactions = Vec::new();
        for (staleness, operations) in block {
            let window = world.state.parameters.window_length;
            let v = version - staleness.min(&window).min(&version);
            transactions.push(world.transaction_at(v, operations));
        }
        while let Err(expected) = run_plain_block(&world.map, &transactions) {
            assert_eq!(world.refusal(&world.block(&transactions)), expected);
            transactions.remove(expected.transaction.unwrap());
        }
        world.apply(&world.block(&transactions)).unwrap();
        assert_eq!(world.state.version, version + 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_validator_with_honest_claims_agrees_with_an_ordinary_map(
        scheme in 1..=2u8, log in 0..4u32, window in 0..4usize, keys in 0..=KEYS.len(), plan in plan(),
    ) {
        run(&mut World::new(scheme, 1 << log, window, &KEYS[..keys]), &plan);
    }

    #[test]
    fn a_claim_that_is_left_out_is_missed_by_name_or_resolved_from_window_and_tail(
        log in 0..3u32, plan in plan(), operations in prop::collection::vec(operation(), 1..4),
        left_out in any::<prop::sample::Index>(),
    ) {
        let mut world = World::new(1, 1 << log, 2, &KEYS);
        run(&mut world, &plan);
        let mut tx = world.transaction(&operations);
        let mut claims = aardvark_spec::convert::to_vec(&tx.claims);
        claims.remove(left_out.index(claims.len()));
        tx.claims = aardvark_spec::convert::to_seq(claims);
        let expected = run_plain_block(&world.map, std::slice::from_ref(&tx));
        match world.apply(&world.block(std::slice::from_ref(&tx))) {
            Ok(_) => prop_assert!(expected.is_ok()),
            Err(rejection) => prop_assert!(
                matches!(rejection.reason, Reason::UnresolvedCovering | Reason::UnresolvedPredecessor)
                    || Err(rejection) == expected
            ),
        }
    }
}
