//! Processes that are killed at any instant, and files that cannot grow.
//!
//! The tests start this test binary again as the process to kill: the ignored test `child` does
//! what its environment says.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail by panicking")]

mod common;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use aardvark_archive::{Archive, ArchiveError, StoreError};
use aardvark_dictionary::{Change, Key, Operation, Transaction, Value};
use common::{Map, apply_changes, assert_agrees, assert_clean, small};

const DIRECTORY: &str = "AARDVARK_TEST_DIRECTORY";
const PAYLOAD: &str = "AARDVARK_TEST_PAYLOAD";
/// Where it is set, the child stores openings before each version.
const STORES: &str = "AARDVARK_TEST_STORES";
const WINDOW: u32 = 3;

/// The import that makes a version, a function of its number: so the parent knows what must be
/// there.
fn changes(version: u64, payload: usize) -> Vec<Change> {
    let mixed = |index: u64| (version * 31 + index * 17) % 61;
    let change = |index: u64| {
        let key = Key::from(format!("key-{}", mixed(index)).as_str());
        let value = (mixed(index) % 5 != version % 5).then(|| Value::from(vec![version as u8; payload]));
        Change { key, value }
    };
    // Each import changes something, or there would be no version.
    let count = Change { key: Key::from("count"), value: Some(Value::from(version.to_string().as_str())) };
    (0..version % 9).map(change).chain([count]).collect()
}

/// What the dictionary means after that version.
fn map_at(version: u64, payload: usize) -> Map {
    let mut map = Map::new();
    for version in 1..=version {
        match version % 4 {
            0 => drop(map.insert(Key::from("transacted"), Value::from(version.to_string().as_str()))),
            _ => apply_changes(&mut map, &changes(version, payload)),
        }
    }
    map
}

/// Makes the next version: three imports, then a block of one transaction.
fn advance(archive: &mut Archive, payload: usize) -> Result<(), ArchiveError> {
    let version = archive.version() + 1;
    if !version.is_multiple_of(4) {
        return archive.import(changes(version, payload)).map(drop);
    }
    let key = Key::from("transacted");
    let claims = vec![archive.prove(&key, version - 1)?];
    let operations = vec![Operation::Put(key, Value::from(version.to_string().as_str()))];
    let last_valid = version + u64::from(WINDOW);
    let transaction = Transaction { first_valid: version, last_valid, nonce: [0; 16], operations, claims };
    let proposal = archive.propose(vec![transaction])?;
    assert_eq!(proposal.included, [0]);
    archive.apply(&proposal.block).map(drop)
}

#[test]
#[ignore = "what the other tests of this file start and kill"]
fn child() {
    let Ok(directory) = env::var(DIRECTORY) else {
        return;
    };
    let Ok(payload) = env::var(PAYLOAD).unwrap().parse() else {
        for number in 0u64.. {
            create(&Path::new(&directory).join(number.to_string()));
        }
        return;
    };
    let mut archive = Archive::builder().scheme(small()).open(Path::new(&directory)).unwrap();
    let stores = env::var(STORES).is_ok();
    loop {
        if stores {
            archive.store_openings(&mut |_| {}).unwrap();
        }
        if let Err(error) = advance(&mut archive, payload) {
            println!("{error}");
            let full = matches!(&error, ArchiveError::NotCommitted { source, .. }
                if matches!(**source, ArchiveError::Store(StoreError::Full(_))));
            std::process::exit(if full { 3 } else { 4 });
        }
    }
}

/// A new archive, closed.
fn create(directory: &Path) -> PathBuf {
    let path = directory.join("archive");
    let scheme = small();
    let genesis = common::genesis(&scheme, WINDOW, &Map::new());
    drop(Archive::builder().retention(6).scheme(scheme).create(&path, &genesis).unwrap());
    path
}

fn arguments() -> [&'static str; 4] {
    ["child", "--exact", "--ignored", "--nocapture"]
}

fn start(path: &Path, payload: &str) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(arguments()).env(DIRECTORY, path).env(PAYLOAD, payload);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Opens what is left, and checks every version that can be read, and all else through an audit.
fn check(path: &Path, payload: usize) -> u64 {
    let archive = Archive::builder().scheme(small()).open_read_only(path).unwrap();
    for version in archive.oldest_version()..=archive.version() {
        let names = ["key-0", "key-17", "key-33", "key-60", "transacted", "zzz"];
        assert_agrees(&archive, version, &map_at(version, payload), names.into_iter());
    }
    assert_clean(&archive);
    archive.version()
}

#[test]
fn a_process_killed_at_any_instant_leaves_its_last_committed_version_intact() {
    let started = Instant::now();
    let (mut kills, mut versions, mut pause) = (0, 0, 7u64);
    // On a machine so slow that nobody gets as far as a version, more time.
    let mut longest = 251;
    while versions == 0 || started.elapsed().as_secs() < 12 {
        let directory = tempfile::tempdir().unwrap();
        let path = create(directory.path());
        let mut version = 0;
        for _ in 0..8 {
            let mut process = start(&path, "20");
            // Some die while they open, most while they write.
            pause = (pause * 7919 + 13) % longest;
            sleep(Duration::from_millis(pause));
            process.kill().unwrap();
            process.wait().unwrap();
            let now = check(&path, 20);
            assert!(now >= version, "version {version} was committed, version {now} is there");
            version = now;
            kills += 1;
        }
        versions += version;
        if versions == 0 {
            longest = 2 * longest + 1;
            assert!(longest < 100_000, "no version in a minute");
        }
    }
    println!("{kills} kills, {versions} versions");
}

#[test]
fn a_process_killed_while_it_stores_openings_leaves_none_that_are_wrong() {
    let directory = tempfile::tempdir().unwrap();
    let path = create(directory.path());
    let (mut pause, mut version) = (7u64, 0);
    for round in 0.. {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(arguments()).env(DIRECTORY, &path).env(PAYLOAD, "20").env(STORES, "1");
        let mut process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        pause = (pause * 7919 + 13) % 251;
        // On a machine so slow that nobody gets as far as a version, longer.
        sleep(Duration::from_millis(pause + if version == 0 { round * 100 } else { 0 }));
        process.kill().unwrap();
        process.wait().unwrap();
        // Each answer holds and says what it should, with the openings that were left.
        version = check(&path, 20);
        if round >= 12 && version > 0 {
            break;
        }
    }
    let archive = Archive::builder().scheme(small()).open(&path).unwrap();
    archive.store_openings(&mut |_| {}).unwrap();
    assert_eq!(archive.stored_openings().unwrap().unwrap().current, archive.vectors());
}

#[test]
fn a_creation_that_is_killed_leaves_a_whole_archive_or_none() {
    let (mut whole, mut none) = (0, 0);
    let mut round = 0;
    // On a machine so slow that nobody creates anything in the first twelve, more.
    while round < 12 || whole + none == 0 {
        assert!(round < 400, "no creation in ten seconds");
        let directory = tempfile::tempdir().unwrap();
        let mut process = start(directory.path(), "create");
        sleep(Duration::from_millis(30 + round * 25));
        round += 1;
        process.kill().unwrap();
        process.wait().unwrap();
        for entry in std::fs::read_dir(directory.path()).unwrap() {
            let path = entry.unwrap().path();
            match Archive::builder().scheme(small()).open(&path.join("archive")) {
                Ok(archive) => {
                    assert_clean(&archive);
                    whole += 1;
                }
                Err(ArchiveError::NotAnArchive { .. }) => {
                    // What the kill has left is in nobody's way.
                    create(&path);
                    assert_clean(&Archive::builder().scheme(small()).open(&path.join("archive")).unwrap());
                    none += 1;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    println!("{whole} whole, {none} none");
}

#[test]
fn a_store_that_cannot_grow_says_so_and_keeps_its_last_committed_version() {
    let directory = tempfile::tempdir().unwrap();
    let path = create(directory.path());
    let length = std::fs::metadata(path.join("archive.redb")).unwrap().len();
    // The limit is in blocks of 512 or 1024 bytes, as the shell has it; without the trap it would
    // be a kill.
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", length / 512 + 4096);
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(env::current_exe().unwrap()).args(arguments());
    let output = command.env(DIRECTORY, &path).env(PAYLOAD, "1000").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("was not committed, the disk is full") && text.contains("are intact"), "{text}");
    let version = check(&path, 1000);
    assert!(version > 0);
    let mut archive = Archive::builder().scheme(small()).open(&path).unwrap();
    advance(&mut archive, 1000).unwrap();
    assert_eq!(archive.version(), version + 1);
}
