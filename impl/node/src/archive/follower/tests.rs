//! A follower against a chain whose blocks are real and whose nodes say what the test wants.

mod backups;
mod failures;
mod scene;
mod signatures;
mod table_scene;
mod tables;

use std::sync::Arc;

use aardvark_archive::Archive;
use aardvark_chain::ChainGenesis;
use aardvark_client::testing::sign;
use aardvark_client::testing::{Reply, TestServer};
use aardvark_dictionary::{Operation, Parameters};
use tendermint::AppHash;

use crate::archive::chain_records::ChainRecord;
use crate::archive::shared_archive::{Following, SharedArchive};

use super::*;
use scene::{
    Chain, Height, TIME, VALIDATORS, assert_has_the_chain, empty, follow, followed, follower, genesis, shared_in,
    signer,
};

/// How long a test waits for what has to come, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn an_archive_follows_from_genesis_catches_up_and_goes_on_where_it_was() {
    let mut chain = Chain::new();
    chain.busy();
    let node = chain.honest_node();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("archive");
    let shared = shared_in(&path);
    let mut following = follower(&shared, &[&node], None);
    assert_eq!(follow(&mut following).unwrap(), 6);
    assert_eq!(shared.following(), Following::UpToDate { height: 6 });
    chain.advance_empty();
    assert_eq!(following.step().unwrap(), Step::Advanced);
    assert_has_the_chain(&shared, &chain);
    drop((following, shared));
    chain.advance(vec![Operation::Put("k0".into(), "late".into())]);
    let shared = shared_in(&path);
    assert_eq!(follow(&mut follower(&shared, &[&node], None)).unwrap(), 8);
    assert_has_the_chain(&shared, &chain);
    let record = shared.records().unwrap().get(1).unwrap().unwrap();
    assert_eq!((record.time.as_deref(), record.rejected), (Some(TIME), 0));
}

#[test]
fn a_record_without_its_version_is_written_again() {
    let mut chain = Chain::new();
    chain.busy();
    let node = chain.honest_node();
    let directory = tempfile::tempdir().unwrap();
    let shared = shared_in(&directory.path().join("archive"));
    // As after a death between the record and the version.
    let parts = RootParts { version: 1, ..shared.archive().validator().unwrap().root_parts() };
    shared.record(&ChainRecord { time: None, parts, rejected: 9 }).unwrap();
    follow(&mut follower(&shared, &[&node], None)).unwrap();
    assert_has_the_chain(&shared, &chain);
}

#[test]
fn a_decided_list_that_breaks_the_rules_is_applied_as_empty() {
    let mut chain = Chain::new();
    let unsigned = chain.block(vec![Operation::Put("k3".into(), "new".into())], &[]);
    chain.decide(unsigned.to_txs(), &empty(1));
    chain.decide(vec![b"no frame".to_vec(), vec![], vec![]], &empty(2));
    let mut false_points = chain.block(vec![Operation::Put("k3".into(), "new".into())], &[signer()]);
    false_points.aggregated.points[0] = false_points.aggregated.points[0].map(|_| 0);
    chain.decide(false_points.to_txs(), &empty(3));
    chain.advance(vec![Operation::Put("k3".into(), "good".into())]);
    let node = chain.honest_node();
    let directory = tempfile::tempdir().unwrap();
    let shared = shared_in(&directory.path().join("archive"));
    assert_eq!(follow(&mut follower(&shared, &[&node], None)).unwrap(), 4);
    assert_has_the_chain(&shared, &chain);
    let rejected = |height| shared.records().unwrap().get(height).unwrap().unwrap().rejected;
    assert_eq!([1, 2, 3, 4].map(rejected), [1, 2, 1, 0]);
}

#[test]
fn a_wrong_app_hash_that_the_validators_signed_stops_the_follower_for_good_and_is_named() {
    let mut chain = Chain::new();
    chain.busy();
    let elsewhere = chain.node_with(|heights| {
        let mut header = heights[3].header.clone();
        header.app_hash = AppHash::try_from(vec![9; 32]).unwrap();
        heights[3] = Height::of(sign(header, &VALIDATORS, &VALIDATORS), Vec::new());
    });
    let directory = tempfile::tempdir().unwrap();
    let shared = shared_in(&directory.path().join("archive"));
    let mut following = follower(&shared, &[&elsewhere], None);
    let error = follow(&mut following).unwrap_err();
    assert!(matches!(&error, FollowError::AppHash { height: 4, .. }) && error.is_final(), "{error}");
    assert!(error.to_string().contains(&elsewhere.url) && error.to_string().contains("version 3"), "{error}");
    assert_eq!(shared.archive().version(), 3, "nothing after the last version that fitted");
    following.run(&AtomicBool::new(false));
    assert!(matches!(shared.following(), Following::Stopped { .. }));
    let honest = chain.honest_node();
    assert_eq!(follow(&mut follower(&shared, &[&elsewhere, &honest], None)).unwrap(), 6, "the next node is asked");
    assert_has_the_chain(&shared, &chain);
}

#[test]
fn a_node_that_is_silent_behind_on_another_chain_or_swaps_transactions_is_passed_over() {
    let mut chain = Chain::new();
    chain.busy();
    let honest = chain.honest_node();
    let silent = TestServer::new(|_| Reply::Nothing);
    let foreign = chain.node_that_says("/result/node_info/network", "another", 6);
    let swapping = chain.node_with(|heights| heights[0].txs.clear());
    for bad in [&silent, &foreign, &swapping] {
        let directory = tempfile::tempdir().unwrap();
        let shared = shared_in(&directory.path().join("archive"));
        let error = follow(&mut follower(&shared, &[bad], None)).unwrap_err();
        assert!(!error.is_final(), "{error}");
        assert_eq!(shared.archive().version(), 0);
        assert_eq!(follow(&mut follower(&shared, &[bad, &honest], None)).unwrap(), 6);
    }
}

#[test]
fn nodes_that_keep_blocks_back_or_boast_do_not_hold_the_archive_up_beside_an_honest_one() {
    let mut chain = Chain::new();
    chain.busy();
    let honest = chain.honest_node();
    let late = chain.node_with(|heights| heights.truncate(2));
    let boasting = chain.node_that_says("/result/sync_info/latest_block_height", "1000000000", 2);
    let directory = tempfile::tempdir().unwrap();
    for (place, bad) in [("late", &late), ("boasting", &boasting)] {
        let shared = shared_in(&directory.path().join(place));
        let mut following = follower(&shared, &[bad, &honest], None);
        for _ in 0..12 {
            following.step().unwrap();
        }
        assert_eq!(shared.archive().version(), 6, "{place}");
        assert_eq!(shared.following(), Following::UpToDate { height: 6 }, "{place}");
    }
    // Alone it is believed for what it shows, and no further.
    let shared = shared_in(&directory.path().join("alone"));
    let error = follow(&mut follower(&shared, &[&boasting], None)).unwrap_err();
    assert!(!error.is_final() && shared.archive().version() == 2, "{error}");
}

#[test]
fn a_node_that_keeps_the_archive_waiting_is_asked_seldom() {
    let mut chain = Chain::new();
    chain.busy();
    let honest = chain.honest_node();
    let slow = TestServer::new(|_| {
        sleep(Duration::from_millis(300));
        Reply::Nothing
    });
    let directory = tempfile::tempdir().unwrap();
    let shared = shared_in(&directory.path().join("archive"));
    let mut following = follower(&shared, &[&slow, &honest], None);
    let started = Instant::now();
    while shared.archive().version() < 6 || started.elapsed() < Duration::from_secs(2) {
        assert!(started.elapsed() < PATIENCE, "it stays at version {}", shared.archive().version());
        following.step().unwrap();
        sleep(POLL);
    }
    let (requests, seconds) = (slow.requests(), started.elapsed().as_secs());
    assert!(requests as u64 <= 2 + seconds / 3, "{requests} requests in {seconds} s; after each it rests for three");
}

#[test]
fn an_archive_of_another_genesis_is_not_followed_for() {
    let directory = tempfile::tempdir().unwrap();
    let other = ChainGenesis::new(
        scene::CHAIN,
        [0; 32],
        Parameters { vector_size: 4, window: 2, ..Parameters::default() },
        genesis().policy().clone(),
        Vec::new(),
    );
    let archive = Archive::builder().create(directory.path(), other.unwrap().genesis()).unwrap();
    let shared = Arc::new(SharedArchive::new(archive, None).unwrap());
    let refused = Follower::new(shared, followed(), Vec::new(), None);
    assert!(matches!(refused.err(), Some(FollowError::OtherDictionary)));
}

#[test]
fn blocks_that_no_node_has_any_more_come_from_another_archive() {
    let mut chain = Chain::new();
    chain.busy();
    let other = chain.other_archive(|_, _| ());
    chain.advance_empty();
    let node = chain.pruned_node(7);
    let directory = tempfile::tempdir().unwrap();
    let shared = shared_in(&directory.path().join("archive"));
    assert!(!follow(&mut follower(&shared, &[&node], None)).unwrap_err().is_final());
    assert_eq!(follow(&mut follower(&shared, &[&node], Some(&other))).unwrap(), 7);
    assert_has_the_chain(&shared, &chain);
}

#[test]
fn another_archives_false_block_is_refused_and_its_other_history_is_found_out() {
    let mut chain = Chain::new();
    chain.busy();
    let flipping = chain.other_archive(|height, bytes| {
        if height == 2 {
            let last = bytes.len() - 30;
            bytes[last] ^= 1;
        }
    });
    let mut elsewhere = Chain::new();
    elsewhere.advance(vec![Operation::Put("k3".into(), "other".into())]);
    let history = elsewhere.other_archive(|_, _| ());
    let directory = tempfile::tempdir().unwrap();
    let shared = shared_in(&directory.path().join("flipping"));
    let error = follow(&mut follower(&shared, &[&chain.pruned_node(7)], Some(&flipping))).unwrap_err();
    assert!(!error.is_final() && error.to_string().contains("height 2"), "{error}");
    assert_eq!(shared.archive().version(), 1);
    let shared = shared_in(&directory.path().join("history"));
    let error = follow(&mut follower(&shared, &[&chain.pruned_node(2)], Some(&history))).unwrap_err();
    assert!(error.is_final(), "{error}");
    assert_eq!(shared.archive().version(), 1);
}

#[test]
fn another_archive_is_asked_for_nothing_that_a_node_has() {
    let mut elsewhere = Chain::new();
    elsewhere.advance(vec![Operation::Put("k3".into(), "other".into())]);
    let history = elsewhere.other_archive(|_, _| ());
    let silent = TestServer::new(|_| Reply::Nothing);
    let mut chain = Chain::new();
    chain.busy();
    let (pruned, honest) = (chain.pruned_node(5), chain.honest_node());
    let directory = tempfile::tempdir().unwrap();
    for (place, other) in [("history", &history), ("silent", &silent)] {
        let shared = shared_in(&directory.path().join(place));
        assert_eq!(follow(&mut follower(&shared, &[&pruned, &honest], Some(other))).unwrap(), 6);
        assert_has_the_chain(&shared, &chain);
        assert_eq!(other.requests(), 0, "{place}");
    }
}
