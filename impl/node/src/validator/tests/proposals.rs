//! Sizes of proposals.

use std::collections::BTreeSet;
use std::sync::Arc;

use aardvark_chain::SignedTransaction;
use aardvark_dictionary::{Limits, Parameters};
use prost::bytes::Bytes;

use super::{LIMIT, Scene, put};
use crate::validator::proposing::Material;

/// More than a frame has beside its points.
const FRAME: usize = 40;

#[test]
fn a_proposal_is_as_long_as_it_may_be_and_no_longer() {
    let mut scene = Scene::new(&[]);
    let txs: Vec<_> = (0..12).map(|i| scene.signed(&[put(&format!("k{i:02}"), &"x".repeat(200))])).collect();
    let mut counts = BTreeSet::new();
    for limit in [0, 100, 1_000, 2_000, 3_000, 6_000, LIMIT] {
        let proposal = scene.prepare(&txs, limit);
        let listed: usize = proposal.iter().map(|tx| 1 + prost::length_delimiter_len(tx.len()) + tx.len()).sum();
        assert!(listed <= usize::try_from(limit).unwrap(), "{listed} of {limit}");
        assert!(proposal.is_empty() || scene.accepts(&proposal));
        // Another transaction with its point, and a frame where there is none, would have been too
        // long.
        let longest = proposal.iter().skip(1).map(Bytes::len).max().unwrap_or(400);
        let another = listed + longest + 3 + 48 + FRAME;
        assert!(proposal.len() == 13 || another > usize::try_from(limit).unwrap(), "{listed} of {limit}");
        counts.insert(proposal.len());
    }
    assert!(counts.len() >= 5, "{counts:?}");
}

/// Vectors so long that every claim of the scene has an index of its own.
fn sparse(block_bytes: Option<u32>) -> Parameters {
    let mut limits = Limits { transaction_operations: 1, transaction_bytes: 2_300, ..Limits::default() };
    limits.block_bytes = block_bytes.unwrap_or(limits.block_bytes);
    Parameters { vector_size: 64, window: 5, max_key_length: 3, max_value_length: 3, limits, ..Parameters::default() }
}

#[test]
fn a_full_block_of_claims_on_distinct_indices_is_accepted_by_everybody() {
    const FULL: u32 = 40;
    let keys: Vec<_> = (0..FULL + 4).map(|i| format!("k{i:02}")).collect();
    let count = u32::try_from(keys.len()).unwrap();
    let one = Scene::with(&[], sparse(None), count).signed(&[put(&keys[0], "new")]);
    let one = SignedTransaction::decode(&one, &Limits::default()).unwrap().transaction;
    // As a plain block they fill the limit to the last byte; as the aggregated one that is judged
    // they are two bytes too long.
    let block_bytes = 17 + FULL * (4 + u32::try_from(one.encoded_length()).unwrap());
    for (room, expected) in [(0, FULL - 1), (1, FULL - 1), (2, FULL)] {
        let mut scene = Scene::with(&[], sparse(Some(block_bytes + room)), count);
        // Without the last key, whose slot is shorter.
        let txs: Vec<_> = keys.iter().rev().skip(1).map(|key| scene.signed(&[put(key, "new")])).collect();
        let (proposal, response) = scene.step(&txs);
        assert_eq!(proposal.len(), 1 + usize::try_from(expected).unwrap());
        assert!(response.tx_results.iter().all(|result| result.code == 0));
    }
}

#[test]
fn a_proposal_that_would_be_refused_shrinks_until_it_is_accepted() {
    let mut scene = Scene::new(&[]);
    let mut transactions: Vec<_> = (0..6).map(|i| scene.transaction(&[put(&format!("k{i:02}"), "new")])).collect();
    transactions[0].claims[0].slot.value = "forged".into();
    let id = scene.genesis.genesis().dictionary_id();
    let sign =
        |transaction: &_| SignedTransaction::sign(Clone::clone(transaction), &id, &[super::publisher()]).signatures;
    let signatures: Vec<_> = transactions.iter().map(sign).collect();
    let limit = usize::try_from(LIMIT).unwrap();
    let proposed = {
        let state = scene.app.state();
        // Whoever says that all openings were verified before is wrong about the first.
        let candidates = state.candidates(transactions, &[true; 6]);
        let certificates = vec![Vec::new(); signatures.len()];
        let material = Material { candidates, signatures, certificates, tails: Arc::default(), limit };
        scene.app.proposer(&state).settle(&material).unwrap()
    };
    assert_eq!(proposed.txs.len(), 1 + 5);
    assert!(scene.accepts(&proposed.txs));
}

#[test]
fn what_was_proposed_here_is_judged_once_and_other_lists_are_judged_all_the_same() {
    let mut scene = Scene::new(&[]);
    let txs = [scene.signed(&[put("k01", "new")]), scene.signed(&[put("k02", "new")])];
    let proposal = scene.prepare(&txs, LIMIT);
    let mut other = proposal.clone();
    other.swap(1, 2);
    assert!(!scene.accepts(&other));
    assert!(scene.accepts(&proposal));
    scene.prepare(&txs, LIMIT);
    assert!(scene.accepts(&proposal));
    assert!(scene.decide(&proposal).tx_results.iter().all(|result| result.code == 0));
}
