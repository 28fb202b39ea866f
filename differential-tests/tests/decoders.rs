//! Bytes from outside, of whatever kind: specification and implementation read the same value from
//! them, or refuse them for the same reason.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::collections::BTreeSet;

use aardvark_chain::{ChainBlock, SignedTransaction, SignerSignature, TableCertificate};
use aardvark_commitment::Commitment;
use aardvark_dictionary::state_bytes::{encode_state, put_window_entry};
use aardvark_dictionary::window::VersionRecord;
use aardvark_dictionary::{
    AggregatedBlock, Block, Change, Claim, ImportBlock, Limits, Operation, Parameters, Slot, Transaction,
    TransactionId, ValidatorState,
};
use differential_tests::damage::{Damage, damage, damaged};
use differential_tests::decoders::{
    Verdict, judge_aggregated, judge_block, judge_chain_block, judge_claim, judge_import, judge_record, judge_signed,
    judge_slot, judge_snapshot, judge_transaction,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

/// Lengths at the edges of their encodings now and then.
fn strings(longest: usize) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![8 => vec(any::<u8>(), 0..6), 1 => Just(vec![7; longest]), 1 => Just(vec![1; longest - 1])]
}

fn slots() -> impl Strategy<Value = Slot> {
    (strings(255), strings(300), strings(255)).prop_map(|(key, value, next)| Slot {
        key: key.into(),
        value: value.into(),
        next: next.into(),
    })
}

fn operations() -> impl Strategy<Value = Operation> {
    (0..6u8, strings(255), strings(300), any::<u64>()).prop_map(|(kind, key, value, amount)| {
        let (key, value) = (key.into(), value.into());
        match kind {
            0 => Operation::Require(key, None),
            1 => Operation::Require(key, Some(value)),
            2 => Operation::Put(key, value),
            3 => Operation::Delete(key),
            4 => Operation::Add(key, amount),
            _ => Operation::Sub(key, amount),
        }
    })
}

fn claims() -> impl Strategy<Value = Claim> {
    (any::<u64>(), slots(), any::<u8>()).prop_map(|(position, slot, byte)| Claim {
        position,
        slot,
        opening: [byte; 48],
    })
}

fn transactions() -> impl Strategy<Value = Transaction> {
    (any::<u64>(), any::<u64>(), any::<[u8; 16]>(), vec(operations(), 0..4), vec(claims(), 0..4)).prop_map(
        |(first_valid, last_valid, nonce, operations, claims)| Transaction {
            first_valid,
            last_valid,
            nonce,
            operations,
            claims,
        },
    )
}

/// Limits that some of the drawn blocks pass.
fn parameters() -> Parameters {
    let limits = Limits {
        transaction_bytes: 900,
        block_transactions: 3,
        block_operations: 5,
        block_claims: 5,
        block_bytes: 2000,
        ..Limits::default()
    };
    Parameters { vector_size: 2, limits, ..Parameters::default() }
}

fn blocks() -> impl Strategy<Value = Block> {
    let vectors = vec(vec(slots(), 2), 0..5);
    (any::<u64>(), vec(transactions(), 0..5), vectors).prop_map(|(version, transactions, tail_vectors)| Block {
        version,
        transactions,
        tail_vectors,
    })
}

fn aggregated_blocks() -> impl Strategy<Value = AggregatedBlock> {
    (blocks(), vec(any::<u8>().prop_map(|byte| [byte; 48]), 0..4))
        .prop_map(|(block, points)| AggregatedBlock { block: block.without_openings(), points })
}

/// Mostly in order.
fn signatures() -> impl Strategy<Value = Vec<SignerSignature>> {
    let signature = |(key, byte)| SignerSignature { public_key: [key; 32], signature: [byte; 64] };
    (vec((any::<u8>(), any::<u8>()), 0..5), proptest::bool::weighted(0.9)).prop_map(move |(mut pairs, in_order)| {
        if in_order {
            pairs.sort_unstable();
            pairs.dedup_by_key(|pair| pair.0);
        }
        pairs.into_iter().map(signature).collect()
    })
}

fn certificates() -> impl Strategy<Value = Vec<TableCertificate>> {
    let certificate = (any::<u16>(), vec(any::<u8>(), 0..9))
        .prop_map(|(segments, certificate)| TableCertificate { segments, certificate });
    prop_oneof![Just(Vec::new()), vec(certificate, 1..4)]
}

fn signed_transactions() -> impl Strategy<Value = SignedTransaction> {
    (transactions(), signatures(), certificates())
        .prop_map(|(transaction, signatures, certificates)| SignedTransaction { transaction, signatures, certificates })
}

fn chain_blocks() -> impl Strategy<Value = ChainBlock> {
    aggregated_blocks().prop_flat_map(|aggregated| {
        let count = aggregated.block.transactions.len();
        (vec(signatures(), count), vec(certificates(), count)).prop_map(move |(signatures, certificates)| ChainBlock {
            aggregated: aggregated.clone(),
            signatures,
            certificates,
        })
    })
}

/// The point at infinity, or the generator.
fn commitments() -> impl Strategy<Value = Commitment> {
    const GENERATOR: &str =
        "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb";
    any::<bool>().prop_map(|infinity| {
        let generator = hex::decode(GENERATOR).unwrap().try_into().unwrap();
        if infinity { Commitment::identity() } else { Commitment::from_bytes(&generator).unwrap() }
    })
}

fn records() -> impl Strategy<Value = VersionRecord> {
    let writes = vec((any::<u64>(), proptest::option::of(slots())), 0..4);
    let previous = proptest::collection::btree_map(0..9u64, proptest::option::of(commitments()), 0..4);
    (any::<u64>(), any::<u64>(), writes, previous).prop_map(|(version, previous_size, writes, previous_commitments)| {
        VersionRecord { version, previous_size, writes, previous_commitments }
    })
}

fn states() -> impl Strategy<Value = ValidatorState> {
    let numbers = (any::<u64>(), any::<u64>(), any::<u64>());
    let replay = vec((any::<[u8; 32]>().prop_map(TransactionId), any::<u64>()), 0..3);
    (numbers, vec(commitments(), 0..3), vec(records(), 0..3), vec(slots(), 0..4), replay).prop_map(
        |((version, size, tail_start), commitments, window, tail, replay)| ValidatorState {
            version,
            size,
            commitments,
            window,
            tail_start,
            tail,
            replay,
        },
    )
}

/// Mostly in order; now and then a key stands twice, or all stand as they were drawn.
fn imports() -> impl Strategy<Value = ImportBlock> {
    let change = (strings(255), proptest::option::of(strings(300)))
        .prop_map(|(key, value)| Change { key: key.into(), value: value.map(Into::into) });
    (any::<u64>(), vec(change, 0..5), 0..10).prop_map(|(version, mut changes, order)| {
        if order > 0 {
            changes.sort_unstable_by(|one, other| one.key.cmp(&other.key));
            changes.dedup_by(|one, other| one.key == other.key);
        }
        if order == 1 {
            changes.extend(changes.last().cloned());
        }
        ImportBlock { version, changes }
    })
}

fn record_bytes(record: &VersionRecord) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_window_entry(&mut bytes, record);
    bytes
}

/// Records whose vectors are one and the same, or in another order.
fn unordered(record: &VersionRecord) -> Vec<u8> {
    let mut bytes = record_bytes(record);
    let last = record.previous_commitments.values().last().map_or(0, |last| if last.is_some() { 57 } else { 9 });
    if let Some(place) = bytes.len().checked_sub(last).filter(|_| last > 0) {
        bytes[place..place + 8].copy_from_slice(&[0; 8]);
    }
    bytes
}

fn slot_bytes(slot: &Slot) -> Vec<u8> {
    let mut bytes = Vec::new();
    aardvark_dictionary::codec::put_slot(&mut bytes, slot);
    bytes
}

fn claim_bytes(claim: &Claim) -> Vec<u8> {
    [&claim.position.to_be_bytes()[..], &slot_bytes(&claim.slot), &claim.opening].concat()
}

/// The bytes, each of the first sixty replaced in turn: formats, and tags of operations, are there.
fn replaced(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..bytes.len().min(60)).map(|at| {
        let mut changed = bytes.to_vec();
        changed[at] = 9;
        changed
    })
}

/// The bytes as they are, cut everywhere but for the longest, damaged one after the other, and
/// damaged all together.
fn variants(bytes: &[u8], damages: &[Damage]) -> Vec<Vec<u8>> {
    let step = 1 + bytes.len() / 200;
    let cuts = (0..bytes.len()).step_by(step).map(|length| bytes[..length].to_vec());
    let alone = damages.iter().map(|damage| damaged(bytes, damage));
    let together = damages.iter().fold(bytes.to_vec(), |bytes, damage| match bytes.is_empty() {
        true => bytes,
        false => damaged(&bytes, damage),
    });
    [bytes.to_vec(), together].into_iter().chain(cuts).chain(alone).chain(replaced(bytes)).collect()
}

/// Draws values, and gives what both sides said of the variants of their bytes.
fn verdicts<T>(
    values: impl Strategy<Value = T>,
    rounds: usize,
    encode: impl Fn(&T) -> Vec<u8>,
    judge: impl Fn(&[u8]) -> Verdict,
) -> BTreeSet<String> {
    let mut runner = TestRunner::default();
    let mut said = BTreeSet::new();
    for _ in 0..rounds {
        let value = values.new_tree(&mut runner).unwrap().current();
        let damages = vec(damage(), 1..8).new_tree(&mut runner).unwrap().current();
        let bytes = encode(&value);
        for variant in variants(&bytes, &damages) {
            said.insert(judge(&variant).err().unwrap_or_else(|| "read".to_owned()));
        }
        let random = vec(any::<u8>(), 0..120).new_tree(&mut runner).unwrap().current();
        for format in 1..4 {
            let _rarely_read = judge(&[&[format], &*random].concat());
        }
    }
    said
}

#[test]
fn slots_are_read_alike_or_refused_for_one_reason() {
    let said = verdicts(slots(), 300, slot_bytes, judge_slot);
    assert!(said.iter().eq(["Trailing", "Truncated", "read"]), "{said:?}");
}

#[test]
fn claims_are_read_alike_or_refused_for_one_reason() {
    let said = verdicts(claims(), 300, claim_bytes, judge_claim);
    assert!(said.iter().eq(["Trailing", "Truncated", "read"]), "{said:?}");
}

#[test]
fn transactions_are_read_alike_or_refused_for_one_reason() {
    let said = verdicts(transactions(), 200, Transaction::encode, judge_transaction);
    assert!(said.iter().eq(["Trailing", "Truncated", "UnknownFormat", "UnknownOperation", "read"]), "{said:?}");
}

#[test]
fn blocks_are_read_alike_or_refused_for_one_reason() {
    let said = verdicts(blocks(), 60, Block::encode, |bytes| judge_block(bytes, &parameters()));
    let expected = [
        "ExcessClaims",
        "ExcessOperations",
        "ExcessTailVectors",
        "ExcessTransactions",
        "Oversized",
        "Trailing",
        "Truncated",
        "UnknownFormat",
        "UnknownOperation",
        "read",
    ];
    assert!(said.iter().eq(expected), "{said:?}");
}

#[test]
fn aggregated_blocks_are_read_alike_or_refused_for_one_reason() {
    let judge = |bytes: &[u8]| judge_aggregated(bytes, &parameters());
    let said = verdicts(aggregated_blocks(), 60, AggregatedBlock::encode, judge);
    let expected = [
        "ExcessClaims",
        "ExcessOperations",
        "ExcessPoints",
        "ExcessTailVectors",
        "ExcessTransactions",
        "Oversized",
        "Trailing",
        "Truncated",
        "UnknownFormat",
        "UnknownOperation",
        "read",
    ];
    assert!(said.iter().eq(expected), "{said:?}");
}

#[test]
fn signed_transactions_are_read_alike_or_refused_for_one_reason() {
    let judge = |bytes: &[u8]| judge_signed(bytes, &parameters());
    let said = verdicts(signed_transactions(), 100, SignedTransaction::encode, judge);
    let expected =
        ["Oversized", "Trailing", "Truncated", "UnknownFormat", "UnknownOperation", "UnorderedSigners", "read"];
    assert!(said.iter().eq(expected), "{said:?}");
}

#[test]
fn lists_of_a_chain_are_read_alike_or_refused_for_one_reason() {
    let mut runner = TestRunner::default();
    let mut said = BTreeSet::new();
    let parameters = parameters();
    let mut judge = |txs: &[Vec<u8>]| {
        said.insert(judge_chain_block(7, txs, &parameters).err().unwrap_or_else(|| "read".to_owned()));
    };
    for _ in 0..60 {
        let txs = chain_blocks().new_tree(&mut runner).unwrap().current().to_txs();
        judge(&txs);
        for place in 0..txs.len() {
            judge(&txs[place..]);
            judge(&txs[..place]);
            let damages = vec(damage(), 1..4).new_tree(&mut runner).unwrap().current();
            for variant in variants(&txs[place], &damages).into_iter().step_by(3) {
                let mut changed = txs.clone();
                changed[place] = variant;
                judge(&changed);
            }
        }
    }
    let expected = [
        "ExcessClaims",
        "ExcessOperations",
        "ExcessPoints",
        "ExcessTailVectors",
        "ExcessTransactions",
        "FrameAlone",
        "NoFrame",
        "Oversized",
        "Trailing",
        "Truncated",
        "UnknownFormat",
        "UnknownOperation",
        "UnorderedSigners",
        "read",
    ];
    assert!(said.iter().eq(expected), "{said:?}");
}

#[test]
fn records_are_read_alike_or_refused_for_one_reason() {
    let mut said = verdicts(records(), 120, record_bytes, judge_record);
    said.append(&mut verdicts(records(), 20, unordered, judge_record));
    let expected = ["NotAPoint", "Trailing", "Truncated", "UnknownPresence", "UnorderedVectors", "read"];
    assert!(said.iter().eq(expected), "{said:?}");
}

#[test]
fn snapshots_are_read_alike_or_refused_for_one_reason() {
    let said = verdicts(states(), 60, encode_state, judge_snapshot);
    let required = ["NotAPoint", "Trailing", "Truncated", "UnknownPresence", "read"];
    assert!(required.iter().all(|reason| said.contains(*reason)), "{said:?}");
}

#[test]
fn imports_are_read_alike_or_refused_for_one_reason() {
    let said = verdicts(imports(), 150, ImportBlock::encode, judge_import);
    let expected = ["Trailing", "Truncated", "UnknownFormat", "UnknownPresence", "UnorderedKeys", "read"];
    assert!(said.iter().eq(expected), "{said:?}");
}
