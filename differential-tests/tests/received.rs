//! Bytes as a process receives them, from the decoder to the state after them: all sides apply the
//! block that they encode, with the same outcome, or refuse them for the same reason.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::collections::BTreeSet;

use aardvark_chain::{ChainBlock, SignedTransaction, SignerSignature};
use aardvark_dictionary::state_bytes::encode_state;
use aardvark_dictionary::{AggregatedBlock, Block, Change, ImportBlock, Operation};
use differential_tests::aggregated::aggregated_by_exponents;
use differential_tests::compare::Mismatch;
use differential_tests::damage::{damage, damaged};
use differential_tests::received::{
    Verdict, judge_aggregated, judge_block, judge_import, judge_list, judge_snapshot, judge_transaction,
};
use differential_tests::scene::{Scene, Stage, delete, on_both_schemes, put};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;

/// How often each byte string is damaged, under each scheme.
const ROUNDS: usize = 60;

/// A block with claims of several versions and indices, deletes, and tail vectors; the oracle
/// computes the twins.
fn scene(stage: Stage) -> (Scene, Block) {
    let mut scene = stage.scene(2, 3, &["a", "b", "c", "d", "e", "f", "g"]);
    if let Some(third) = &mut scene.pair.third {
        third.compute_twins(true);
    }
    scene.accept([scene.now([put("e", "1")])]);
    let block = scene.block([
        scene.now([put("a", "1"), delete("c"), delete("d"), delete("e"), delete("f"), delete("g")]),
        scene.aged(1, [Operation::Require("b".into(), Some("v".into())), put("bb", "1")]),
        scene.now([Operation::Add("n".into(), 4)]),
    ]);
    assert!(!block.tail_vectors.is_empty(), "the deletes reach below the tail");
    (scene, block)
}

fn aggregated(scene: &Scene, block: &Block) -> AggregatedBlock {
    let id = scene.pair.validator.id().0;
    aggregated_by_exponents(&scene.pair, block, &id, block.version)
}

fn listed(scene: &Scene, block: &Block) -> Vec<Vec<u8>> {
    let signature = SignerSignature { public_key: [7; 32], signature: [9; 64] };
    let signatures = vec![vec![signature]; block.transactions.len()];
    ChainBlock { aggregated: aggregated(scene, block), signatures, certificates: Vec::new() }.to_txs()
}

fn said(verdict: Result<Verdict, Mismatch>) -> String {
    verdict.unwrap_or_else(|mismatch| panic!("{mismatch}")).err().unwrap_or_else(|| "applied".to_owned())
}

/// What is said of bytes that were damaged once or twice, or cut.
fn reasons(bytes: &[u8], judge: impl Fn(&[u8]) -> Result<Verdict, Mismatch>) -> BTreeSet<String> {
    assert_eq!(said(judge(bytes)), "applied");
    let mut runner = TestRunner::deterministic();
    let mut all = BTreeSet::new();
    for round in 0..ROUNDS {
        let mut changed = bytes.to_vec();
        for _ in 0..=round % 2 {
            if !changed.is_empty() {
                changed = damaged(&changed, &damage().new_tree(&mut runner).unwrap().current());
            }
        }
        all.insert(said(judge(&changed)));
        all.insert(said(judge(&bytes[..round * bytes.len() / ROUNDS])));
    }
    all
}

#[track_caller]
fn met(all: &BTreeSet<String>, expected: &[&str]) {
    for reason in expected {
        assert!(all.contains(*reason), "{reason} is not among {all:?}");
    }
}

#[test]
fn lists_of_a_chain_are_applied_alike_or_refused_for_one_reason() {
    on_both_schemes(|stage| {
        let (scene, block) = scene(stage);
        let txs = listed(&scene, &block);
        let judge = |txs: &[Vec<u8>]| judge_list(&scene.pair, block.version, txs);
        assert_eq!(said(judge(&[])), "applied", "a block without transactions");
        assert_eq!(said(judge(&txs[..1])), "FrameAlone");
        assert_eq!(said(judge(&txs[1..])), "NoFrame");
        assert_eq!(said(judge(&[&txs[..2], &txs[..1]].concat())), "UnknownFormat");
        assert_eq!(said(judge_list(&scene.pair, block.version + 1, &txs)), "WrongVersion");
        let swapped = [&txs[..1], &[txs[2].clone(), txs[1].clone(), txs[3].clone()]].concat();
        assert_eq!(said(judge(&swapped)), "OpeningFalse", "the challenges bind the order");
        let twice = [&txs[..], &txs[1..2]].concat();
        assert_eq!(said(judge(&twice)), "RepeatedInBlock");
        let mut all = BTreeSet::new();
        for place in 0..txs.len() {
            let with = |bytes: &[u8]| {
                let mut changed = txs.clone();
                changed[place] = bytes.to_vec();
                judge(&changed)
            };
            all.append(&mut reasons(&txs[place], with));
        }
        met(&all, &["applied", "Truncated", "Trailing", "OpeningFalse", "OpeningMalformed"]);
    });
}

#[test]
fn aggregated_blocks_of_a_log_are_applied_alike_or_refused_for_one_reason() {
    on_both_schemes(|stage| {
        let (scene, block) = scene(stage);
        let bytes = aggregated(&scene, &block).encode();
        let mut of_the_tail = bytes.clone();
        *of_the_tail.last_mut().unwrap() ^= 1;
        assert_eq!(said(judge_aggregated(&scene.pair, &of_the_tail)), "TailFalse");
        let all = reasons(&bytes, |bytes| judge_aggregated(&scene.pair, bytes));
        met(&all, &["applied", "Truncated", "Trailing", "OpeningFalse"]);
    });
}

#[test]
fn blocks_with_openings_are_applied_alike_or_refused_for_one_reason() {
    on_both_schemes(|stage| {
        let (scene, block) = scene(stage);
        let all = reasons(&block.encode(), |bytes| judge_block(&scene.pair, bytes));
        met(&all, &["applied", "Truncated", "Trailing", "OpeningFalse"]);
    });
}

#[test]
fn imports_of_a_log_are_applied_alike_or_refused_for_one_reason() {
    on_both_schemes(|stage| {
        let (scene, block) = scene(stage);
        let change = |key: &str, value: Option<&str>| Change { key: key.into(), value: value.map(Into::into) };
        let changes = vec![
            change("a", None),
            change("b", Some("2")),
            change("e", Some("1")),
            change("h", Some("3")),
            change("zz", None),
        ];
        let with = |change: &dyn Fn(&mut ImportBlock)| {
            let mut import = ImportBlock { version: block.version, changes: changes.clone() };
            change(&mut import);
            said(judge_import(&scene.pair, &import.encode()))
        };
        assert_eq!(with(&|import| import.version += 1), "ImportWrongVersion");
        assert_eq!(with(&|import| import.changes[0].key = "".into()), "ImportEmptyKey");
        assert_eq!(with(&|import| import.changes[4].key = vec![b'z'; 200].into()), "ImportKeyTooLong");
        assert_eq!(with(&|import| import.changes[1].value = Some(vec![b'z'; 2000].into())), "ImportValueTooLong");
        assert_eq!(with(&|import| import.changes.swap(0, 1)), "UnorderedKeys");
        let honest = ImportBlock { version: block.version, changes: changes.clone() };
        let all = reasons(&honest.encode(), |bytes| judge_import(&scene.pair, bytes));
        met(&all, &["applied", "Truncated", "Trailing", "ImportWrongVersion"]);
    });
}

#[test]
fn transactions_are_checked_alike_or_refused_for_one_reason() {
    on_both_schemes(|stage| {
        let (scene, block) = scene(stage);
        let signatures = vec![SignerSignature { public_key: [7; 32], signature: [9; 64] }];
        let signed = |transaction| {
            SignedTransaction { transaction, signatures: signatures.clone(), certificates: Vec::new() }.encode()
        };
        let judge = |bytes: &[u8]| judge_transaction(&scene.pair, bytes);
        let mut old = block.transactions[0].clone();
        old.last_valid = old.first_valid - 1;
        assert_eq!(said(judge(&signed(old))), "IntervalMalformed");
        let mut bare = block.transactions[0].clone();
        bare.claims.clear();
        assert_eq!(said(judge(&signed(bare))), "UnresolvedCovering");
        let all = reasons(&signed(block.transactions[0].clone()), judge);
        met(&all, &["applied", "Truncated", "Trailing", "OpeningFalse"]);
    });
}

#[test]
fn a_snapshot_is_accepted_by_all_if_it_has_the_certified_root() {
    on_both_schemes(|stage| {
        let (scene, _) = scene(stage);
        let state = scene.pair.validator.state();
        let judge = |bytes: &[u8]| judge_snapshot(&scene.pair, bytes);
        let mut fewer = state.clone();
        fewer.commitments.pop();
        assert_eq!(said(judge(&encode_state(&fewer))), "MiscountedCommitments");
        let mut none = state.clone();
        (none.size, none.commitments) = (0, Vec::new());
        assert_eq!(said(judge(&encode_state(&none))), "MiscountedCommitments");
        let mut huge = state.clone();
        huge.size = u64::MAX;
        assert_eq!(said(judge(&encode_state(&huge))), "MiscountedCommitments");
        let mut later = state.clone();
        later.version += 1;
        assert_eq!(said(judge(&encode_state(&later))), "OtherStateRoot");
        let all = reasons(&encode_state(&state), judge);
        met(&all, &["Truncated", "Trailing", "OtherStateRoot"]);
        assert!(!all.contains("applied"), "another snapshot with this root");
    });
}
