//! Snapshots: read from many threads while the archive goes on.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use aardvark_archive::{Archive, ArchiveError, OpeningCosts, OpeningOptions, Snapshot, StoreError, Work};
use aardvark_dictionary::{Change, Claim, Key};
use common::{change, in_memory, small};

/// The keys k0, k1, ...
fn key(number: usize) -> Key {
    format!("k{number}").as_str().into()
}

fn values(keys: impl Iterator<Item = usize>, value: u64) -> Vec<Change> {
    keys.map(|key| change(&format!("k{key}"), Some(&value.to_string()))).collect()
}

/// An archive of some keys at version 1. Snapshots of openings pay after so many openings.
fn archive(keys: usize, asks: f64) -> Archive {
    let mut archive = in_memory(&small(), 20);
    let costs = OpeningCosts { open: 1.0, open_all: asks, delta: 0.1, stored: 0.0 };
    archive.set_opening_options(&OpeningOptions { budget: 1 << 20, costs: Some(costs) });
    archive.import(values(0..keys, 1)).unwrap();
    archive
}

/// Checks a claim against the snapshot's own commitments.
fn assert_holds(snapshot: &Snapshot, claim: &Claim, version: u64) {
    assert!(common::holds(snapshot, claim, version), "version {version} of {}", snapshot.version());
}

#[test]
fn a_snapshot_answers_as_its_version_while_the_archive_goes_on() {
    let mut archive = archive(20, 1.0);
    let then = archive.snapshot();
    for version in 2..=40 {
        archive.import(values(0..20, version)).unwrap();
    }
    assert!(matches!(archive.get(&key(3), 1), Err(ArchiveError::VersionOutOfRange { .. })));
    assert_eq!((then.version(), then.get(&key(3), 1).unwrap()), (1, Some("1".into())));
    assert_holds(&then, &then.prove(&key(3), 1).unwrap(), 1);
    assert_eq!(archive.get(&key(3), 40).unwrap(), Some("40".into()));
}

/// Tells others that it is over when this goes.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Waits for what readers bring about.
fn wait(readers: &[ScopedJoinHandle<'_, ()>], is_so: impl Fn() -> bool) {
    while !is_so() {
        assert!(readers.iter().all(|reader| !reader.is_finished()), "a reader has failed");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn proofs_that_are_made_while_versions_are_stored_hold_at_their_versions() {
    let mut archive = archive(30, 3.0);
    let current = std::sync::Mutex::new(archive.snapshot());
    let (done, made) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..4)
            .map(|reader| {
                let (current, done, made) = (&current, &done, &made);
                scope.spawn(move || {
                    for proofs in 0usize.. {
                        if done.load(Ordering::Relaxed) {
                            return;
                        }
                        let snapshot = current.lock().unwrap().clone();
                        let back = u64::try_from(proofs % 3).unwrap().min(snapshot.version() - 1);
                        let version = snapshot.version() - back;
                        let claim = snapshot.prove(&key((reader + 7 * proofs) % 30), version).unwrap();
                        assert_holds(&snapshot, &claim, version);
                        made.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        // The readers end where nobody waits for them any more.
        let _over = Over(&done);
        for version in 2..=60 {
            archive.import(values((0..30).filter(|key| (key + version) % 3 == 0), version as u64)).unwrap();
            *current.lock().unwrap() = archive.snapshot();
            let enough = made.load(Ordering::Relaxed) + 5;
            wait(&readers, || made.load(Ordering::Relaxed) >= enough);
        }
        // Snapshots of openings pay at last.
        wait(&readers, || {
            let statistics = archive.opening_statistics();
            statistics.held > 0 && statistics.snapshots > 0
        });
    });
    common::assert_clean(&archive);
}

#[test]
fn ended_work_stops_before_the_next_key_or_vector() {
    let archive = archive(40, 1000.0);
    let keys: Vec<Key> = (0..40).map(key).collect();
    let work = Arc::new(Work::until(Instant::now() + Duration::from_secs(600)));
    let snapshot = archive.snapshot().for_work(Arc::clone(&work));
    let plan = snapshot.plan(&keys, &[], 1).unwrap();
    work.end();
    let computed = archive.opening_statistics();
    assert!(matches!(snapshot.claims_of(plan), Err(ArchiveError::Ended)));
    assert!(matches!(snapshot.plan(&keys, &[], 1), Err(ArchiveError::Ended)));
    assert!(matches!(snapshot.commitments(1), Err(ArchiveError::Ended)));
    assert!(matches!(snapshot.tail(1), Err(ArchiveError::Ended)));
    assert_eq!(archive.opening_statistics(), computed, "no opening was computed");
}

#[test]
fn a_plan_says_what_it_costs_before_anything_is_computed() {
    let archive = archive(40, 1000.0);
    let snapshot = archive.snapshot();
    let keys: Vec<Key> = (0..40).map(key).collect();
    let one = snapshot.plan(&keys[..1], &[], 1).unwrap().cost();
    let all = snapshot.plan(&keys, &[], 1).unwrap();
    assert_eq!((one, all.cost()), (Duration::from_micros(1), Duration::from_micros(40)));
    assert_eq!(snapshot.opening_statistics().fresh, 0);
    let claims: Vec<Claim> = snapshot.claims_of(all).unwrap().into_iter().flatten().collect();
    assert_eq!(claims, snapshot.prove_many(&keys, 1).unwrap());
    archive.warm_openings().unwrap();
    assert_eq!(snapshot.plan(&keys, &[], 1).unwrap().cost(), Duration::ZERO);
}

#[test]
fn work_with_an_end_leaves_snapshots_of_openings_to_others() {
    let archive = archive(4, 3.0);
    let work = Arc::new(Work::until(Instant::now() + Duration::from_secs(600)));
    let careful = archive.snapshot().for_work(Arc::clone(&work));
    // Each of another key: what was just opened is kept, and costs nothing again.
    for number in 0..4 {
        careful.prove(&key(number), 1).unwrap();
    }
    assert_eq!(archive.opening_statistics().snapshots, 0);
    let postponed = work.postponed();
    assert_eq!(postponed.len(), 1);
    assert!(archive.hold_openings(postponed[0]).unwrap() && !archive.hold_openings(postponed[0]).unwrap());
    assert_eq!(archive.opening_statistics().snapshots, 1);
}

#[test]
fn an_archive_is_opened_anew_beside_the_snapshots_that_are_left_of_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("archive");
    let genesis = common::genesis(&small(), 8, &std::collections::BTreeMap::new());
    let mut archive = Archive::builder().retention(20).scheme(small()).create(&path, &genesis).unwrap();
    archive.import(values(0..20, 1)).unwrap();
    let then = archive.snapshot();
    let _held = then.prove(&key(3), 1).unwrap();
    archive.reopen().unwrap();
    archive.import(values(0..20, 2)).unwrap();
    let now = archive.snapshot();
    assert_eq!(now.get(&key(3), 1).unwrap(), Some("1".into()));
    assert_holds(&now, &now.prove(&key(3), 2).unwrap(), 2);
    // What the old snapshot still has in memory it gives as it was; it reads nothing of the file
    // that goes on.
    for number in 0..20 {
        match then.get(&key(number), 1) {
            Ok(value) => assert_eq!(value, Some("1".into())),
            Err(error) => assert!(matches!(error, ArchiveError::Store(StoreError::Closed)), "{error}"),
        }
    }
    // Whoever comes after the failure waits for nobody: the lock went with the store.
    std::fs::rename(path.join("archive.redb"), path.join("away")).unwrap();
    assert!(matches!(archive.reopen(), Err(ArchiveError::Open { .. })));
    assert!(matches!(archive.get(&key(3), 2), Err(ArchiveError::Store(StoreError::Closed))));
    std::fs::rename(path.join("away"), path.join("archive.redb")).unwrap();
    archive.reopen().unwrap();
    assert_eq!((archive.version(), archive.get(&key(3), 2).unwrap()), (2, Some("2".into())));
    assert!(matches!(
        Archive::builder().scheme(small()).open(&path),
        Err(ArchiveError::Open { source: StoreError::InUse, .. })
    ));
}
