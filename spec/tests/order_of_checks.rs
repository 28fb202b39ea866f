//! Limits, shapes and the order of reasons (docs/format.md), parameters and genesis, and import
//! blocks.

mod world;

use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::block::block_data::*;
use aardvark_spec::block::import::*;
use aardvark_spec::block::map::*;
use aardvark_spec::block::operation::*;
use aardvark_spec::block::prover::*;
use aardvark_spec::block::rejection::*;
use aardvark_spec::block::transaction::*;
use aardvark_spec::block::validator::*;
use aardvark_spec::convert::*;
use aardvark_spec::dictionary::genesis::*;
use world::*;

fn world() -> World {
    World::new(1, 4, 2, &["a", "b", "c", "d", "e", "f"])
}

#[test]
fn every_limit_on_sizes_has_its_own_reason() {
    let mut scene = world();
    let tx = scene.transaction(&[put("a", "1"), put("b", "2")]);
    let other = scene.transaction(&[put("c", "1")]);
    let block = scene.block(&[tx.clone(), other]);
    let bytes_of_block = block_length(&block);
    let bytes_of_tx = transaction_length(&tx);
    let limited = |change: fn(&mut Parameters, usize), to: usize| {
        let mut world = scene.clone();
        change(&mut world.state.parameters, to);
        apply_block(&world.setup, &world.state, &block).err()
    };
    type Limit = (fn(&mut Parameters, usize), usize, Rejection);
    let limits: [Limit; 7] = [
        (|p, to| p.block_transactions = to, 2, reject_block(Reason::TooManyTransactions)),
        (|p, to| p.block_operations = to, 3, reject_block(Reason::TooManyBlockOperations)),
        (|p, to| p.block_claims = to, 3, reject_block(Reason::TooManyBlockClaims)),
        (|p, to| p.block_bytes = to, bytes_of_block, reject_block(Reason::BlockTooLong)),
        (|p, to| p.transaction_operations = to, 2, reject_transaction(Reason::TooManyOperations, 0)),
        (|p, to| p.transaction_claims = to, 2, reject_transaction(Reason::TooManyClaims, 0)),
        (|p, to| p.transaction_bytes = to, bytes_of_tx, reject_transaction(Reason::TransactionTooLong, 0)),
    ];
    for (change, exact, rejection) in limits {
        assert_eq!(limited(change, exact), None);
        assert_eq!(limited(change, exact - 1), Some(rejection));
    }
    for version in [0, 2] {
        let wrong = Block { block_version: version, ..block.clone() };
        assert_eq!(scene.refusal(&wrong), reject_block(Reason::WrongVersion));
    }
}

#[test]
fn lengths_are_those_of_the_format() {
    let mut scene = world();
    // Tag and key "a" with its length, value "xyz" with its length.
    assert_eq!(operation_length(&put("a", "xyz")), 1 + 2 + 5);
    let samples = [require_absent("a"), require("a", "xyz"), put("a", ""), delete("ab"), add("a", 1), sub("a", 1)];
    for (tag, operation) in samples.iter().enumerate() {
        let encoded = byte_vec(&encode_operation(operation));
        assert_eq!(encoded.len(), operation_length(operation));
        assert_eq!(usize::from(encoded[0]), tag);
    }
    assert_eq!(byte_hex(&encode_operation(&sub("a", 258))), "0501610000000000000102");
    let tx = scene.transaction(&[put("a", "xyz")]);
    let core = byte_vec(&encode_core(&tx)).len();
    assert_eq!(core, 8 + 8 + 16 + 2 + 8);
    // Claim of the slot ("a", "A", "b"): position, three strings with their lengths, opening.
    assert_eq!(transaction_length(&tx), 1 + core + 2 + (8 + (2 + 2 + 3) + 48));
    let block = scene.block(std::slice::from_ref(&tx));
    assert_eq!(block_length(&block), 1 + 8 + 4 + 4 + transaction_length(&tx) + 4);
}

#[test]
fn every_fault_of_an_operation_has_its_own_reason() {
    let mut scene = world();
    let long = "longer than sixteen bytes";
    let faults = [
        (put("", "1"), Reason::EmptyKey),
        (delete("ninebytes"), Reason::KeyTooLong),
        (put("a", long), Reason::ValueTooLong),
        (require("a", long), Reason::ValueTooLong),
        (add("a", 0), Reason::ZeroAmount),
        (sub("a", 0), Reason::ZeroAmount),
    ];
    for (fault, reason) in faults {
        let tx = scene.transaction(&[require("a", "A"), fault]);
        assert_eq!(scene.refusal(&scene.block(&[tx])), reject_item(reason, 0, 1));
    }
    let nothing = scene.transaction(&[]);
    assert_eq!(
        scene.refusal(&scene.block(std::slice::from_ref(&nothing))),
        reject_transaction(Reason::NoOperations, 0)
    );
    // Two cores could share an encoding, and so an id, if nonces could have any length.
    for length in [0, 15, 17] {
        let tx = Transaction { nonce: byte_string(&vec![0; length]), ..nothing.clone() };
        assert_eq!(scene.refusal(&scene.block(&[tx])), reject_transaction(Reason::NonceMalformed, 0));
    }
    let tx = scene.transaction(&[add("x", 1)]);
    scene.state.parameters.max_value_length = 7;
    assert_eq!(scene.reason(&tx), Reason::ValueTooLong);
}

#[test]
fn every_fault_of_a_claim_has_its_own_reason() {
    let mut scene = world();
    let tx = scene.transaction(&[put("a", "1"), put("c", "2")]);
    let refused = |tx: &Transaction| scene.refusal(&scene.block(std::slice::from_ref(tx)));
    let fault = |change: fn(&mut Claim)| refused(&with_claim(&tx, 1, change));
    let item = |reason| reject_item(reason, 0, 1);
    assert_eq!(fault(|claim| claim.claim_slot.key = bytes("ninebytes")), item(Reason::ClaimKeyTooLong));
    assert_eq!(fault(|claim| claim.claim_slot.next = bytes("ninebytes")), item(Reason::ClaimKeyTooLong));
    let long = |claim: &mut Claim| claim.claim_slot.value = bytes("longer than sixteen bytes");
    assert_eq!(fault(long), item(Reason::ClaimValueTooLong));
    let first: Claim = tx.claims[0_usize].clone();
    let repeated = with_claim(&tx, 1, |claim| *claim = first.clone());
    assert_eq!(refused(&repeated), item(Reason::RepeatedPosition));
    assert_eq!(fault(|claim| claim.claim_slot.key = bytes("cc")), item(Reason::SuperfluousClaim));
}

#[test]
fn a_predecessor_serves_a_delete_only() {
    let mut scene = World::new(1, 1, 2, &["a", "b", "c", "d", "e", "f"]);
    let deleted = scene.transaction(&[delete("c")]);
    assert_eq!(deleted.claims.len(), 2);
    scene.clone().apply(&scene.block(std::slice::from_ref(&deleted))).unwrap();
    let read = Transaction { operations: to_seq(vec![require("c", "C")]), ..deleted.clone() };
    assert_eq!(scene.refusal(&scene.block(&[read])), reject_item(Reason::SuperfluousClaim, 0, 1));
    let alone = Transaction { claims: deleted.claims.slice(0, 1), ..deleted };
    let refusal = scene.refusal(&scene.block(&[alone]));
    assert_eq!(refusal, reject_item(Reason::UnresolvedPredecessor, 0, 0));
}

#[test]
fn every_failure_of_an_operation_has_its_own_reason() {
    let mut scene = world();
    let max = "\0\0\0\0\0\0\0\u{7f}";
    scene.run(&[&[put("n", max), add("m", u64::MAX)]]);
    let failures = [
        (require("a", "B"), Reason::RequireFailed),
        (require_absent("a"), Reason::RequireFailed),
        (require("x", ""), Reason::RequireFailed),
        (sub("x", 1), Reason::AbsentKey),
        (add("a", 1), Reason::NotANumber),
        (sub("a", 1), Reason::NotANumber),
        (add("m", 1), Reason::Overflow),
        (sub("n", 128), Reason::Underflow),
    ];
    for (failure, reason) in failures {
        let tx = scene.transaction(&[put("b", "1"), failure]);
        let good = scene.transaction(&[put("c", "1")]);
        assert_eq!(scene.refusal(&scene.block(&[good, tx])), reject_item(reason, 1, 1));
    }
    scene.run(&[&[sub("n", 127), require("n", "\0\0\0\0\0\0\0\0"), delete("n"), add("x", 1)]]);
}

#[test]
fn the_first_phase_that_fails_names_the_reason_and_in_it_the_lowest_item() {
    let mut scene = world();
    let good = scene.transaction(&[put("a", "1")]);
    let shape = Transaction { operations: to_seq(vec![put("", "1")]), ..scene.transaction(&[put("a", "1")]) };
    let expired = Transaction { last_valid: 0, ..scene.transaction(&[put("b", "1")]) };
    let failing = scene.transaction(&[require("b", "?")]);
    let block = |list: &[&Transaction]| {
        let list: Vec<_> = list.iter().map(|tx| (*tx).clone()).collect();
        scene.refusal(&scene.block(&list))
    };
    assert_eq!(block(&[&shape, &good, &expired]), reject_transaction(Reason::IntervalMalformed, 2));
    assert_eq!(block(&[&failing, &good, &shape]), reject_item(Reason::EmptyKey, 2, 0));
    assert_eq!(block(&[&good, &failing]), reject_item(Reason::RequireFailed, 1, 0));
    assert_eq!(block(&[&shape, &good, &good]), reject_transaction(Reason::RepeatedInBlock, 2));
}

#[test]
fn an_empty_block_only_counts_and_carries_no_tail() {
    let mut scene = world();
    scene.run(&[&[put("x", "1")]]);
    let effects = scene.run(&[]);
    assert_eq!((effects.effect_writes.len(), scene.state.version), (0, 2));
    assert_eq!(scene.state.tail_start, 4);
    let mut block = scene.block(&[]);
    block.tail_vectors = honest_tail_vectors(scene.array(), 4, 4, 1);
    assert_eq!(scene.refusal(&block), reject_block(Reason::TailSuperfluous));
}

#[test]
fn illegal_parameters_are_refused_and_the_bounds_are_legal() {
    let legal = parameters(1, 4, 2);
    assert!(parameters_legal(&legal));
    let changes: [fn(&mut Parameters); 17] = [
        |p| p.scheme = 0,
        |p| p.scheme = 3,
        |p| p.vector_size = 0,
        |p| p.vector_size = 3,
        |p| p.vector_size = 8192,
        |p| p.window_length = 65_536,
        |p| p.max_key_length = 0,
        |p| p.max_key_length = 256,
        |p| p.max_value_length = 1025,
        |p| p.transaction_operations = 0,
        |p| p.transaction_claims = 1,
        |p| p.block_transactions = 0,
        |p| p.block_operations = 15,
        |p| p.block_claims = 31,
        |p| p.block_claims = 1 << 32,
        |p| p.transaction_bytes = 2048 + 2 * (66 + 32) - 1,
        |p| p.block_bytes = 17 + (1 << 16) + 4 + 16 * (6 + 32) - 1,
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut changed = legal.clone();
        change(&mut changed);
        assert!(!parameters_legal(&changed), "change {i}");
    }
    let mut tight = legal;
    tight.transaction_bytes = 2048 + 2 * (66 + 32);
    tight.block_bytes = 17 + tight.transaction_bytes + 4 + 16 * (6 + 32);
    (tight.block_operations, tight.block_claims) = (16, 32);
    assert!(parameters_legal(&tight));
    tight.max_value_length = 16;
    tight.transaction_operations = 13;
    assert!(parameters_legal(&tight), "13 deletes can need 4 vectors of 4 slots");
    tight.transaction_operations = 17;
    tight.block_operations = 17;
    assert!(!parameters_legal(&tight), "17 deletes can need 5");
}

#[test]
fn genesis_wants_legal_keys_in_strictly_ascending_order() {
    let genesis = |keys: &[&str]| Genesis {
        genesis_name: byte_string(b"test"),
        genesis_salt: ByteString::new(32),
        genesis_parameters: parameters(1, 4, 2),
        genesis_setup_digest: ByteString::new(32),
        genesis_entries: key_map_from(&keys.iter().map(|k| (k.as_bytes().to_vec(), vec![1])).collect::<Vec<_>>()),
        genesis_binding: ByteString::new(0),
    };
    assert!(genesis_legal(&genesis(&["a", "aa", "b"])));
    for keys in [&["b", "a"][..], &["a", "a"], &["", "a"], &["ninebytes"]] {
        assert!(!genesis_legal(&genesis(keys)));
    }
    assert!(!genesis_legal(&Genesis { genesis_setup_digest: ByteString::new(31), ..genesis(&[]) }));
    for length in [31, 33] {
        assert!(!genesis_legal(&Genesis { genesis_salt: ByteString::new(length), ..genesis(&[]) }));
    }
    for (length, legal) in [(0, false), (1, true), (255, true), (256, false)] {
        assert_eq!(genesis_legal(&Genesis { genesis_name: ByteString::new(length), ..genesis(&[]) }), legal);
    }
    assert!(genesis_legal(&Genesis { genesis_binding: ByteString::new(1000), ..genesis(&[]) }));
}

fn import(version: usize, changes: &[(&str, Option<&str>)]) -> ImportBlock {
    let change =
        |(key, value): &(&str, Option<&str>)| ImportChange { import_key: bytes(key), import_content: value.map(bytes) };
    ImportBlock { import_version: version, import_changes: to_seq(changes.iter().map(change).collect()) }
}

#[test]
fn an_import_has_the_effect_of_a_block_with_the_same_changes() {
    for scene in worlds(2, &["a", "b", "c", "d"]) {
        let block = import(1, &[("a", None), ("b", Some("B")), ("c", Some("new")), ("e", Some("1")), ("x", None)]);
        let (state, array) = apply_import(&scene.setup, &scene.state, scene.array(), &block).unwrap();
        let mut other = scene.clone();
        other.run(&[&[delete("a"), put("b", "B"), put("c", "new"), put("e", "1"), delete("x")]]);
        assert_eq!(key_map_pairs(&map_of_array(&array)), other.map.clone().into_iter().collect::<Vec<_>>());
        assert_eq!(to_vec(&state.commitments), to_vec(&other.state.commitments));
        assert_eq!(window_parts(&state.window), window_parts(&other.state.window));
        assert_eq!(to_vec(&state.tail), to_vec(&other.state.tail));
        assert_eq!((state.version, state.size, state.tail_start), (1, other.state.size, other.state.tail_start));
    }
}

#[test]
fn every_fault_of_an_import_has_its_own_reason() {
    let scene = world();
    let refused = |block| apply_import(&scene.setup, &scene.state, scene.array(), &block).map(|_| ()).unwrap_err();
    assert_eq!(refused(import(2, &[])), ImportRejection::ImportWrongVersion);
    assert_eq!(refused(import(1, &[("", None)])), ImportRejection::ImportEmptyKey(0));
    assert_eq!(refused(import(1, &[("a", None), ("ninebytes", None)])), ImportRejection::ImportKeyTooLong(1));
    assert_eq!(refused(import(1, &[("a", Some("longer than sixteen bytes"))])), ImportRejection::ImportValueTooLong(0));
    for keys in [["a", "a"], ["b", "a"]] {
        let block = import(1, &keys.map(|key| (key, None)));
        assert_eq!(refused(block), ImportRejection::ImportNotAscending(1));
    }
}
