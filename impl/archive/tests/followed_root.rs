//! A root that is moved from version to version is the one that a validator restored from the whole
//! store gives.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::sync::Arc;
use std::time::Duration;

use aardvark_archive::{Archive, FollowedRoot, RedbStore};
use aardvark_commitment::VectorCommitment;
use aardvark_dictionary::{Change, Operation, Transaction};
use common::{change, genesis, small};
use proptest::prelude::*;

fn archive(retention: u64) -> Archive {
    let scheme = small();
    let genesis = genesis(&scheme, 3, &common::Map::new());
    let store = Box::new(RedbStore::in_memory().unwrap());
    Archive::builder().retention(retention).scheme(scheme).create_on(store, &genesis).unwrap()
}

fn key(number: u64) -> String {
    format!("key-{number:03}")
}

/// Demands what a recomputation gives.
fn demand(root: &mut FollowedRoot, archive: &Archive) {
    let parts = root.root_parts(archive).unwrap();
    let validator = archive.validator().unwrap();
    assert_eq!(parts, validator.root_parts(), "version {}", archive.version());
    for vector in 0..archive.vectors() {
        assert_eq!(Some(root.tree().path(vector as usize)), validator.commitment_path(vector));
    }
}

/// Makes a version that applies a transaction, which enters the replay set.
fn transact(archive: &mut Archive, turn: u64) {
    let (version, written) = (archive.version(), key(turn).as_str().into());
    let claims = vec![archive.prove(&written, version).unwrap()];
    let operations = vec![Operation::Put(written, format!("t{turn}").as_str().into())];
    let nonce = [turn as u8; 16];
    let transaction = Transaction { first_valid: version + 1, last_valid: version + 3, nonce, operations, claims };
    let block = archive.propose(vec![transaction]).unwrap().block;
    assert_eq!(block.transactions.len(), 1);
    archive.apply(&block).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Versions that grow, rewrite and shrink the array, followed after one or several of them, or
    /// after more than can be read.
    #[test]
    fn a_followed_root_gives_the_root_that_is_computed_anew(
        steps in prop::collection::vec((prop::collection::vec((0u64..40, any::<bool>()), 0..12), 0u8..4, any::<bool>()), 1..14)
    ) {
        let mut archive = archive(4);
        let mut root = FollowedRoot::of(&archive).unwrap();
        for (turn, (changes, kind, followed)) in (0u64..).zip(steps) {
            let value = turn.to_string();
            let changes = changes.into_iter().map(|(number, put)| change(&key(number), put.then_some(value.as_str())));
            archive.import(changes.collect()).unwrap();
            match kind {
                0 => transact(&mut archive, turn),
                1 => {
                    // All but the last keys go, so that vectors go with them.
                    let rest = (0..38).map(|number| change(&key(number), None));
                    archive.import(rest.collect()).unwrap();
                }
                _ => {}
            }
            if followed {
                demand(&mut root, &archive);
            }
        }
        demand(&mut root, &archive);
    }
}

#[test]
fn a_root_that_is_too_far_behind_or_of_another_history_is_made_anew() {
    let (mut ours, mut theirs) = (archive(4), archive(4));
    let import = |archive: &mut Archive, value: &str| {
        let changes: Vec<Change> = (0..20).map(|number| change(&key(number), Some(value))).collect();
        archive.import(changes).unwrap();
    };
    import(&mut ours, "ours");
    import(&mut theirs, "theirs");
    let mut root = FollowedRoot::of(&ours).unwrap();
    let mut behind = root.clone();
    // Only one vector changes from here on.
    for value in 0..6u8 {
        ours.import(vec![change(&key(3), Some(&value.to_string()))]).unwrap();
        theirs.import(vec![change(&key(3), Some(&value.to_string()))]).unwrap();
    }
    demand(&mut behind, &ours);
    demand(&mut root, &theirs);
    let mut other = behind;
    theirs.import(vec![change(&key(4), Some("4"))]).unwrap();
    demand(&mut other, &theirs);
}

/// Processor time of this thread, as Linux says it.
fn on_processor() -> Duration {
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(said.split(' ').next().unwrap().parse().unwrap())
}

/// What a version costs a front whose store has 100,000 vectors, all read or followed.
#[test]
#[ignore = "a measurement: cargo test -p aardvark-archive --test followed_root -- --ignored --nocapture"]
fn what_the_root_of_a_version_takes_is_printed() {
    const VECTORS: u64 = 100_000;
    const CHANGES: u64 = 1_000;
    let scheme = small();
    let (genesis, size) = (genesis(&scheme, 10, &common::Map::new()), scheme.vector_size() as u64);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("archive");
    let mut archive = Archive::builder().scheme(Arc::clone(&scheme)).create(&path, &genesis).unwrap();
    let name = |number: u64| format!("key-{number:09}");
    archive.import((0..VECTORS * size - 1).map(|number| change(&name(number), Some("0"))).collect()).unwrap();
    assert_eq!(archive.vectors(), VECTORS);
    let mut root = FollowedRoot::of(&archive).unwrap();
    let (mut anew, mut followed) = (Vec::new(), Vec::new());
    for version in 1..=15u64 {
        let changed = (0..CHANGES).map(|number| (number * 7_919 + version * 104_729) % (VECTORS * size - 1));
        archive.import(changed.map(|number| change(&name(number), Some(&version.to_string()))).collect()).unwrap();
        let begun = on_processor();
        let parts = root.root_parts(&archive).unwrap();
        followed.push(on_processor() - begun);
        let begun = on_processor();
        assert_eq!(archive.validator().unwrap().root_parts(), parts);
        anew.push(on_processor() - begun);
    }
    for times in [&mut anew, &mut followed] {
        times.drain(..5);
        times.sort_unstable();
    }
    println!(
        "{VECTORS} vectors of {size}, {CHANGES} changes a version, window 10: median processor time of 10 versions"
    );
    println!("all read {:?}, followed {:?}", anew[5], followed[5]);
}
