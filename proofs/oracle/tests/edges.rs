//! The oracle says what the specification says where a rule begins or ends to hold: limits met
//! exactly and exceeded by one, each reason in the first and in the second of two transactions,
//! spoiled tail vectors, stale claims, replays.

// A broken premise must stop a test.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use aardvark_oracle::{Oracle, Safety, specified_genesis, specified_import, specified_judgement, specified_map};
use aardvark_spec::base::group::g1_multiple;
use aardvark_spec::base::scalar::scalar_of_number;
use aardvark_spec::block::block_data::{Block, block_length};
use aardvark_spec::block::import::{ImportBlock, ImportChange, apply_import};
use aardvark_spec::block::map::{map_of_array, map_transactions};
use aardvark_spec::block::operation::{Action, Operation};
use aardvark_spec::block::prover::{honest_claims, honest_tail_vectors};
use aardvark_spec::block::state::{ValidatorState, genesis_state};
use aardvark_spec::block::transaction::{Claim, Transaction, transaction_length};
use aardvark_spec::block::validator::{apply_block, array_after};
use aardvark_spec::commitment::kzg::kzg_setup;
use aardvark_spec::commitment::opening::Opening;
use aardvark_spec::commitment::scheme::Setup;
use aardvark_spec::convert::byte_string;
use aardvark_spec::dictionary::array::Array;
use aardvark_spec::dictionary::genesis::{Genesis, Parameters, genesis_array, genesis_legal};
use aardvark_spec::dictionary::key_map::KeyEntry;
use aardvark_spec::dictionary::slot::Slot;

use common::{seq, start};

const TRAPDOOR: u128 = 1_234_567;
const N: usize = 2;

fn parameters() -> Parameters {
    Parameters {
        scheme: 1,
        vector_size: N,
        window_length: 2,
        max_key_length: 8,
        max_value_length: 8,
        transaction_operations: 9,
        transaction_claims: 20,
        transaction_bytes: 4096,
        block_transactions: 4,
        block_operations: 30,
        block_claims: 60,
        block_bytes: 65_536,
    }
}

fn genesis(parameters: Parameters, entries: &[(&[u8], &[u8])]) -> Genesis {
    let entry =
        |(key, value): &(&[u8], &[u8])| KeyEntry { entry_key: byte_string(key), entry_value: byte_string(value) };
    Genesis {
        genesis_name: byte_string(b"edges"),
        genesis_salt: byte_string(&[6; 32]),
        genesis_parameters: parameters,
        genesis_setup_digest: byte_string(&[7; 32]),
        genesis_entries: seq(entries.iter().map(entry).collect()),
        genesis_binding: byte_string(b"bound"),
    }
}

/// Eight keys with the value "11" each, longer than the keys: nine slots, the tail from position 6
/// on.
fn eight(parameters: Parameters) -> Genesis {
    let keys: [&[u8]; 8] = [b"a", b"b", b"c", b"d", b"e", b"f", b"g", b"h"];
    genesis(parameters, &keys.map(|key| (key, b"11".as_slice())))
}

fn operation(key: &[u8], action: Action) -> Operation {
    Operation { operation_key: byte_string(key), action }
}

fn deletes(keys: &[&[u8]]) -> Vec<Operation> {
    keys.iter().map(|key| operation(key, Action::Delete)).collect()
}

/// Specification and oracle side by side.
struct Stage {
    oracle: Oracle,
    setup: Setup,
    state: ValidatorState,
    array: Array,
}

impl Stage {
    /// None, said aloud, where there is no oracle.
    fn new(genesis: &Genesis) -> Option<Self> {
        let mut oracle = start()?;
        let setup = Setup::Kzg(kzg_setup(N, scalar_of_number(TRAPDOOR)));
        let state = genesis_state(&setup, genesis);
        let answer = oracle.genesis(Safety::Skip, 1, scalar_of_number(TRAPDOOR), genesis).unwrap();
        assert_eq!(answer.text, specified_genesis(genesis_legal(genesis), &state), "{genesis:?}");
        Some(Self { oracle, setup, state, array: genesis_array(&genesis.genesis_entries) })
    }

    fn transaction(&self, nonce: u8, operations: Vec<Operation>) -> Transaction {
        let operations = seq(operations);
        let claims = honest_claims(&self.setup, &self.array, &operations);
        let first_valid = self.state.version + 1;
        let last_valid = first_valid + self.state.parameters.window_length;
        Transaction { first_valid, last_valid, nonce: byte_string(&[nonce; 16]), operations, claims }
    }

    fn block(&self, transactions: &[Transaction], tail: usize) -> Block {
        Block {
            block_version: self.state.version + 1,
            transactions: seq(transactions.to_vec()),
            tail_vectors: honest_tail_vectors(&self.array, self.state.tail_start, N, tail),
        }
    }

    /// Both judge the block; the state does not move.
    fn agree(&mut self, block: &Block) -> bool {
        let specified = apply_block(&self.setup, &self.state, block);
        let answer = self.oracle.judge(Safety::Skip, block).unwrap();
        assert_eq!(answer.text, specified_judgement(&specified), "{block:?}");
        let entries = map_of_array(&self.array);
        let run = map_transactions(&entries, &block.transactions);
        assert_eq!(self.oracle.map(&entries, &block.transactions).unwrap().text, specified_map(&run));
        specified.is_ok()
    }

    /// Both judge the block, and move on, as they must.
    fn advance(&mut self, block: &Block) {
        let (state, effects) = apply_block(&self.setup, &self.state, block).unwrap();
        assert!(self.agree(block));
        self.oracle.advance().unwrap();
        self.array = array_after(&self.array, &effects.effect_writes, state.size);
        self.state = state;
    }
}

#[test]
fn a_genesis_is_legal_for_both_at_the_edge_of_each_parameter() {
    let small = || genesis(parameters(), &[(b"a", b"1"), (b"b", b"2"), (b"c", b"3")]);
    type Field = fn(&mut Parameters) -> &mut usize;
    let fields: [(Field, &[usize]); 10] = [
        (|p| &mut p.window_length, &[0, 65_535, 65_536]),
        (|p| &mut p.max_key_length, &[0, 1, 255, 256]),
        (|p| &mut p.max_value_length, &[0, 1, 1024, 1025]),
        (|p| &mut p.transaction_operations, &[0, 1, 65_535, 65_536]),
        (|p| &mut p.transaction_claims, &[1, 2, 65_535, 65_536]),
        (|p| &mut p.transaction_bytes, &[0, 2227, 2228, 2229, 4_294_967_295, 4_294_967_296]),
        (|p| &mut p.block_transactions, &[0, 1, 256, 4_294_967_295, 4_294_967_296]),
        (|p| &mut p.block_operations, &[0, 1, 65_536, 4_294_967_295, 4_294_967_296]),
        (|p| &mut p.block_claims, &[1, 2, 65_536, 4_294_967_295, 4_294_967_296]),
        (|p| &mut p.block_bytes, &[0, 4096, 70_000, 4_294_967_295, 4_294_967_296, 8_589_934_592]),
    ];
    let mut legal = [0; 2];
    for (field, values) in fields {
        for value in values {
            let mut genesis = small();
            *field(&mut genesis.genesis_parameters) = *value;
            // Bytes that no limit but its own can make too few.
            if *value > 4_294_967_290 {
                genesis.genesis_parameters.block_bytes = genesis.genesis_parameters.block_bytes.max(4_294_967_295);
            }
            legal[usize::from(genesis_legal(&genesis))] += 1;
            if Stage::new(&genesis).is_none() {
                return;
            }
        }
    }
    assert!(legal[0] > 10 && legal[1] > 10, "{legal:?}");
    let long = [b'x'; 9];
    let entries: [&[(&[u8], &[u8])]; 8] = [
        &[],
        &[(b"", b"1"), (b"b", b"2")],
        &[(b"a", b"1"), (&long, b"2")],
        &[(&long, b"1"), (b"y", b"2")],
        &[(b"a", &long), (b"b", b"2")],
        &[(b"a", b"1"), (b"b", &long)],
        &[(b"b", b"1"), (b"a", b"2"), (b"c", b"2")],
        &[(b"a", b"1"), (b"b", b"2"), (b"b", b"2")],
    ];
    let mut all: Vec<Genesis> = entries.iter().map(|entries| genesis(parameters(), entries)).collect();
    all.push(Genesis { genesis_setup_digest: byte_string(&[7; 31]), ..small() });
    for length in [0, 1, 255, 256] {
        all.push(Genesis { genesis_name: byte_string(&vec![b'n'; length]), ..small() });
    }
    for length in [0, 31, 33] {
        all.push(Genesis { genesis_salt: byte_string(&vec![6; length]), ..small() });
    }
    all.push(Genesis { genesis_binding: byte_string(b""), ..small() });
    all.push(Genesis { genesis_parameters: Parameters { scheme: 3, ..parameters() }, ..small() });
    // A transaction longer than two bytes can count, in a block that has room for it.
    let roomy = Parameters { transaction_bytes: 1_048_576, block_bytes: 67_108_864, ..parameters() };
    all.push(Genesis { genesis_parameters: roomy, ..small() });
    assert_eq!(all.iter().filter(|genesis| genesis_legal(genesis)).count(), 5);
    assert!(all.iter().all(|genesis| Stage::new(genesis).is_some()));
}

#[test]
fn limits_are_met_exactly_and_exceeded_by_one() {
    let Some(stage) = Stage::new(&eight(parameters())) else { return };
    let first = stage.transaction(1, deletes(&[b"a", b"b"]));
    let mut more = deletes(&[b"c", b"d", b"e", b"f", b"g"]);
    more.insert(0, operation(b"c", Action::RequireValue(byte_string(b"11"))));
    more.insert(0, operation(b"c", Action::Put(byte_string(b"11"))));
    more.insert(0, operation(b"h", Action::Put(byte_string(&5u64.to_be_bytes()))));
    more.extend([operation(b"h", Action::Add(3))]);
    let second = stage.transaction(2, more);
    let block = stage.block(&[first.clone(), second.clone()], 2);
    let (o, c) = (|tx: &Transaction| tx.operations.len(), |tx: &Transaction| tx.claims.len());
    let (of, os, cf, cs) = (o(&first), o(&second), c(&first), c(&second));
    let (lf, ls) = (transaction_length(&first), transaction_length(&second));
    let length = block_length(&block);
    type Field = fn(&mut Parameters) -> &mut usize;
    let limits: [(Field, [usize; 3]); 7] = [
        (|p| &mut p.transaction_operations, [os, os - 1, of - 1]),
        (|p| &mut p.transaction_claims, [cs, cs - 1, cf - 1]),
        (|p| &mut p.transaction_bytes, [ls, ls - 1, lf - 1]),
        (|p| &mut p.block_transactions, [2, 1, 0]),
        (|p| &mut p.block_operations, [of + os, of + os - 1, 0]),
        (|p| &mut p.block_claims, [cf + cs, cf + cs - 1, 0]),
        (|p| &mut p.block_bytes, [length, length - 1, 0]),
    ];
    for (field, values) in limits {
        for (i, value) in values.into_iter().enumerate() {
            let mut p = parameters();
            *field(&mut p) = value;
            assert_eq!(Stage::new(&eight(p)).unwrap().agree(&block), i == 0);
        }
    }
    for (key, value) in [(1, 8), (0, 8), (8, 1), (8, 0)] {
        let p = Parameters { max_key_length: key, max_value_length: value, ..parameters() };
        Stage::new(&eight(p)).unwrap().agree(&block);
    }
}

#[test]
fn each_reason_in_either_transaction_names_its_item() {
    let Some(mut stage) = Stage::new(&eight(parameters())) else { return };
    let good =
        stage.transaction(1, vec![operation(b"a", Action::Put(byte_string(b"2"))), operation(b"z", Action::Delete)]);
    let long = byte_string(&[b'x'; 9]);
    let actions = [
        (b"b".as_slice(), Action::RequireAbsent),
        (b"b", Action::RequireValue(byte_string(b"2"))),
        (b"y", Action::RequireValue(byte_string(b""))),
        (b"b", Action::RequireValue(long.clone())),
        (b"b", Action::Put(long.clone())),
        (b"", Action::Delete),
        (b"xxxxxxxxx", Action::Delete),
        (b"b", Action::Add(0)),
        (b"b", Action::Sub(0)),
        (b"b", Action::Add(1)),
        (b"b", Action::Sub(1)),
        (b"y", Action::Sub(1)),
    ];
    let number = |n: u64| operation(b"b", Action::Put(byte_string(&n.to_be_bytes())));
    let mut spoiled: Vec<Transaction> = Vec::new();
    for (key, action) in actions {
        spoiled.push(stage.transaction(2, vec![operation(b"c", Action::Delete), operation(key, action)]));
    }
    for (n, action) in
        [(5, Action::Sub(6)), (5, Action::Sub(5)), (u64::MAX, Action::Add(1)), (u64::MAX - 1, Action::Add(1))]
    {
        spoiled.push(stage.transaction(2, vec![number(n), operation(b"b", action)]));
    }
    spoiled.push(Transaction { operations: seq(Vec::new()), claims: seq(Vec::new()), ..good.clone() });
    let base =
        stage.transaction(3, vec![operation(b"c", Action::Put(byte_string(b"3"))), operation(b"d", Action::Delete)]);
    type Spoil = fn(&mut Vec<Claim>, usize);
    let spoils: [Spoil; 9] = [
        |claims, i| claims[i].claim_opening = Opening::Malformed,
        |claims, i| claims[i].claim_opening = Opening::Point(g1_multiple(scalar_of_number(3))),
        |claims, i| claims[i].claim_position = 9,
        |claims, i| claims[i].claim_slot.key = byte_string(&[b'x'; 9]),
        |claims, i| claims[i].claim_slot.next = byte_string(&[b'x'; 9]),
        |claims, i| claims[i].claim_slot.value = byte_string(&[b'x'; 9]),
        |claims, i| claims[i].claim_slot.key = byte_string(b"q"),
        |claims, i| claims.push(claims[i].clone()),
        |claims, i| drop(claims.remove(i)),
    ];
    for spoil in spoils {
        for i in 0..base.claims.len() {
            let mut claims = base.claims.native_slice().to_vec();
            spoil(&mut claims, i);
            spoiled.push(Transaction { claims: seq(claims), ..base.clone() });
        }
    }
    for (first_valid, last_valid) in [(0, 1), (2, 1), (1, 1), (1, 3), (1, 4), (2, 4), (2, 3)] {
        spoiled.push(Transaction { first_valid, last_valid, ..base.clone() });
    }
    let mut refused = 0;
    for tx in &spoiled {
        for transactions in
            [vec![tx.clone(), good.clone()], vec![good.clone(), tx.clone()], vec![tx.clone(), tx.clone()]]
        {
            refused += usize::from(!stage.agree(&stage.block(&transactions, 0)));
        }
    }
    assert!(refused > 80, "{refused}");
    for version in [0, 2] {
        let block = Block { block_version: version, ..stage.block(std::slice::from_ref(&good), 0) };
        assert!(!stage.agree(&block));
    }
}

#[test]
fn tail_vectors_are_exactly_those_that_are_needed() {
    let Some(mut stage) = Stage::new(&eight(parameters())) else { return };
    let tx = stage.transaction(1, deletes(&[b"b", b"c", b"d", b"e", b"f", b"g", b"h"]));
    let block = stage.block(std::slice::from_ref(&tx), 2);
    assert!(stage.agree(&block));
    type Spoil = fn(&mut Vec<Slot>);
    let spoils: [Spoil; 8] = [
        |slots| slots.clear(),
        |slots| drop(slots.pop()),
        |slots| slots.push(slots[0].clone()),
        |slots| slots.reverse(),
        |slots| slots[1].value = byte_string(b"lie"),
        |slots| slots[1].key = byte_string(&[b'x'; 9]),
        |slots| slots[0].next = byte_string(&[b'x'; 9]),
        |slots| slots[0].value = byte_string(&[b'x'; 9]),
    ];
    for spoil in spoils {
        for spoiled in [&[0][..], &[1], &[0, 1]] {
            let mut vectors = block.tail_vectors.native_slice().to_vec();
            for i in spoiled {
                let mut slots = vectors[*i].native_slice().to_vec();
                spoil(&mut slots);
                vectors[*i] = seq(slots);
            }
            assert!(!stage.agree(&Block { tail_vectors: seq(vectors), ..block.clone() }));
        }
    }
    for count in [0, 1, 3] {
        assert!(!stage.agree(&stage.block(std::slice::from_ref(&tx), count)));
    }
    let mut vectors = honest_tail_vectors(&stage.array, stage.state.tail_start, N, 3).native_slice().to_vec();
    vectors.push(vectors[0].clone());
    assert!(!stage.agree(&Block { tail_vectors: seq(vectors), ..block.clone() }));
    stage.advance(&block);
}

#[test]
fn claims_stay_good_for_the_window_and_transactions_are_applied_once() {
    let Some(mut stage) = Stage::new(&eight(parameters())) else { return };
    let puts = |key: &[u8], value: &[u8]| vec![operation(key, Action::Put(byte_string(value)))];
    let old: Vec<Transaction> =
        [puts(b"a", b"5"), deletes(&[b"b"]), puts(b"bb", b"6"), deletes(&[b"h"]), puts(b"f", b"7")]
            .into_iter()
            .zip(10..)
            .map(|(operations, nonce)| stage.transaction(nonce, operations))
            .collect();
    let mut applied: Vec<Transaction> = Vec::new();
    for version in 1..6 {
        let now = stage.transaction(version, [puts(b"c", &[version]), puts(b"k", &[version])].concat());
        for tx in old.iter().chain(&applied) {
            let tail = usize::from(version == 1);
            for transactions in
                [vec![tx.clone()], vec![now.clone(), tx.clone()], vec![now.clone(), tx.clone(), tx.clone()]]
            {
                stage.agree(&stage.block(&transactions, 0));
                stage.agree(&stage.block(&transactions, tail));
            }
        }
        let import = ImportBlock {
            import_version: usize::from(version),
            import_changes: seq(vec![
                ImportChange { import_key: byte_string(b"a"), import_content: None },
                ImportChange { import_key: byte_string(b"m"), import_content: Some(byte_string(b"9")) },
            ]),
        };
        for import_version in [import.import_version - 1, import.import_version, import.import_version + 1] {
            let import = ImportBlock { import_version, ..import.clone() };
            let specified = apply_import(&stage.setup, &stage.state, &stage.array, &import);
            let answer = stage.oracle.import(Safety::Skip, &stage.array, &import).unwrap();
            assert_eq!(answer.text, specified_import(&specified));
        }
        let stale = old[usize::from(version) % old.len()].clone();
        let both = stage.block(&[now.clone(), stale.clone()], 0);
        let block = if stage.agree(&both) { both } else { stage.block(std::slice::from_ref(&now), 0) };
        stage.advance(&block);
        applied.extend([now, stale]);
    }
}
