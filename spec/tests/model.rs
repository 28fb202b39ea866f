//! Random histories: a validator with honest claims agrees with an ordinary map, on every block,
//! accepted or refused.

#![allow(clippy::unwrap_used)]

mod world;

use aardvark_spec::block::block_data::*;
use aardvark_spec::block::operation::*;
use aardvark_spec::block::prover::*;
use aardvark_spec::block::rejection::*;
use aardvark_spec::block::transaction::*;
use aardvark_spec::commitment::opening::*;
use aardvark_spec::convert::*;
use aardvark_spec::dictionary::slot::*;
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

/// For each block its transactions, and for each of these how stale its claims are and what it
/// does.
type Plan = Vec<Vec<(usize, Vec<Operation>)>>;

fn plan() -> impl Strategy<Value = Plan> {
    let transaction = (0..4usize, prop::collection::vec(operation(), 1..5));
    prop::collection::vec(prop::collection::vec(transaction, 0..4), 1..8)
}

/// Runs a plan: what fails on the map must be refused with the same reason at the same place, and
/// is then left out.
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

/// What a hostile archive or client may do to a transaction; `pick` chooses where.
fn disturb(world: &World, tx: &Transaction, kind: u8, pick: usize) -> Transaction {
    let mut tx = tx.clone();
    let mut claims = to_vec(&tx.claims);
    let c = pick % claims.len().max(1);
    let others = honest_claims(&world.setup, world.array(), &to_seq(KEYS.map(delete).to_vec()));
    let other = to_vec(&others)[pick % others.len()].clone();
    match (kind, claims.get_mut(c)) {
        (0, Some(claim)) => claim.claim_position = pick % 12,
        (1, Some(claim)) => claim.claim_position = usize::MAX - pick % 3,
        (2, Some(claim)) => claim.claim_slot.value = bytes("forged"),
        (3, Some(claim)) => claim.claim_slot.next = bytes(KEYS[pick % KEYS.len()]),
        (4, Some(claim)) => claim.claim_slot.key = bytes(KEYS[pick % KEYS.len()]),
        (5, Some(claim)) => claim.claim_opening = other.claim_opening,
        (6, Some(claim)) => claim.claim_opening = Opening::Malformed,
        (7, Some(claim)) => *claim = other,
        (8, Some(_)) => drop(claims.remove(c)),
        (9, _) => claims.push(other),
        (10, _) => claims.reverse(),
        (11, _) => tx.first_valid = pick % 6,
        (12, _) => tx.last_valid = pick % 12,
        (13, _) => tx.first_valid = usize::MAX,
        (14, _) => tx.last_valid = usize::MAX,
        _ => {}
    }
    Transaction { claims: to_seq(claims), ..tx }
}

/// What a hostile proposer may do to a block's tail.
fn disturb_tail(world: &World, block: &Block, kind: u8, pick: usize) -> Block {
    let mut vectors: Vec<Vec<Slot>> = to_vec(&block.tail_vectors).iter().map(to_vec).collect();
    let all = honest_tail_vectors(world.array(), world.state.tail_start, world.n(), vectors.len() + 1);
    let v = pick % vectors.len().max(1);
    match (kind, vectors.get_mut(v)) {
        (0, _) => vectors = to_vec(&all).iter().map(to_vec).collect(),
        (1, Some(_)) => drop(vectors.pop()),
        (2, _) => vectors.reverse(),
        (3, Some(vector)) => drop(vector.pop()),
        (4, Some(vector)) => vector[0].value = bytes("forged"),
        (5, _) => vectors.push(vec![slot_from(b"", b"", b""); world.n()]),
        _ => {}
    }
    Block { tail_vectors: to_seq(vectors.into_iter().map(to_seq).collect()), ..block.clone() }
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
        let mut claims = to_vec(&tx.claims);
        claims.remove(left_out.index(claims.len()));
        tx.claims = to_seq(claims);
        let expected = run_plain_block(&world.map, std::slice::from_ref(&tx));
        match world.apply(&world.block(std::slice::from_ref(&tx))) {
            Ok(_) => prop_assert!(expected.is_ok()),
            Err(rejection) => prop_assert!(
                matches!(rejection.reason, Reason::UnresolvedCovering | Reason::UnresolvedPredecessor)
                    || Err(rejection) == expected
            ),
        }
    }

    #[test]
    fn whatever_is_done_to_claims_and_tail_a_block_is_refused_or_right(
        scheme in 1..=2u8, log in 0..3u32, window in 0..4usize, plan in plan(),
        blocks in prop::collection::vec(prop::collection::vec((operation(), 0..20u8, any::<usize>()), 1..4), 1..6),
        tails in prop::collection::vec((0..10u8, any::<usize>()), 6),
    ) {
        let mut world = World::new(scheme, 1 << log, window, &KEYS);
        run(&mut world, &plan);
        for (operations, (kind, pick)) in blocks.iter().zip(tails) {
            let mut transactions = Vec::new();
            for (operation, kind, pick) in operations {
                let tx = world.transaction(std::slice::from_ref(operation));
                transactions.push(disturb(&world, &tx, *kind, *pick));
            }
            let block = disturb_tail(&world, &world.block(&transactions), kind, pick);
            // The world checks what it applies against the map and the whole array.
            let _ = world.apply(&block);
        }
    }
}
