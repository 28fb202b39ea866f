//! Transient failures are retried, permanent ones end the process; no log shows a password.

use std::process::Command;

use aardvark_archive::StoreError;
use aardvark_client::testing::genesis_validators_json;

use crate::archive::{ChainOptions, DaemonError, Limits, Options, run};

use super::*;

#[test]
fn a_node_that_names_another_chain_for_a_while_is_asked_again_and_followed() {
    let mut chain = Chain::new();
    chain.busy();
    let turning = chain.node_that_is_another_at_first(2);
    let directory = tempfile::tempdir().unwrap();
    let shared = shared_in(&directory.path().join("archive"));
    run_until(follower(&shared, &[&turning], None), || shared.archive().version() == 6);
    assert!(turning.requests() > 2);
}

/// Lets a follower run until something is so.
fn run_until(following: Follower, so: impl Fn() -> bool) {
    let end = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let running = scope.spawn(|| following.run(&end));
        let begun = Instant::now();
        while !so() && begun.elapsed() < PATIENCE {
            sleep(Duration::from_millis(20));
        }
        let came = so();
        end.store(true, Ordering::Relaxed);
        running.join().unwrap();
        assert!(came, "it did not come to pass");
    });
}

#[test]
fn an_archive_whose_store_fails_for_a_while_goes_on_when_it_can_be_opened_again() {
    let mut chain = Chain::new();
    chain.busy();
    let node = chain.honest_node();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("archive");
    let shared = shared_in(&path);
    let mut following = follower(&shared, &[&node], None);
    following.step().unwrap();
    // The store is closed, as after a full disk, and cannot be opened yet.
    let (file, away) = (path.join("archive.redb"), path.join("away.redb"));
    std::fs::rename(&file, &away).unwrap();
    shared.reopen().unwrap_err();
    let error = follow(&mut following).unwrap_err();
    assert!(error.is_of_the_store() && !error.is_final(), "{error}");
    let back = std::thread::spawn(move || {
        sleep(Duration::from_millis(700));
        std::fs::rename(&away, &file).unwrap();
    });
    run_until(following, || shared.archive().version() == 6);
    back.join().unwrap();
    assert_has_the_chain(&shared, &chain);
}

#[test]
fn credentials_of_a_nodes_address_are_not_shown() {
    let directory = tempfile::tempdir().unwrap();
    let shared = shared_in(&directory.path().join("archive"));
    let node = RpcClient::new("http://user:secret@127.0.0.1:1", aardvark_client::rpc::HttpOptions::default()).unwrap();
    let mut following = Follower::new(Arc::clone(&shared), followed(), vec![node], None).unwrap();
    let error = following.step().unwrap_err().to_string();
    assert!(
        error.contains("http://***@127.0.0.1:1") && !error.contains("secret") && !error.contains("user"),
        "{error}"
    );
    let refused = [
        RpcClient::new("ftp://user:secret@host", aardvark_client::rpc::HttpOptions::default()).unwrap_err().to_string(),
        OtherArchive::new("http://user:secret@host/?a").unwrap_err().to_string(),
        OtherArchive::new("http://user:sec/ret@host").map_or_else(|error| error.to_string(), |_| String::new()),
    ];
    assert!(refused.iter().all(|refused| !refused.contains("secret") && !refused.contains("ret@")), "{refused:?}");
}

#[test]
fn a_server_that_cannot_follow_its_chain_any_more_ends_with_an_error() {
    let mut chain = Chain::new();
    chain.busy();
    let elsewhere = chain.node_with(|heights| {
        let mut header = heights[3].header.clone();
        header.app_hash = AppHash::try_from(vec![9; 32]).unwrap();
        heights[3] = Height::of(sign(header, &VALIDATORS, &VALIDATORS), Vec::new());
    });
    let directory = tempfile::tempdir().unwrap();
    let file = serde_json::json!({
        "chain_id": scene::CHAIN,
        "validators": genesis_validators_json(&VALIDATORS),
        "app_state": genesis().to_app_state(),
    });
    let path = directory.path().join("genesis.json");
    std::fs::write(&path, file.to_string()).unwrap();
    let options = Options {
        directory: directory.path().join("archive"),
        listen: "127.0.0.1:0".parse().unwrap(),
        operations: None,
        opening_bytes: 1 << 20,
        warm: false,
        limits: Limits::default(),
        opening_servers: None,
        reloads: crate::reload::Reloads::default(),
        keeper: None,
        store: None,
        chain: Some(ChainOptions {
            nodes: vec![elsewhere.url.clone()],
            genesis: path,
            content: None,
            from: None,
            retain_records: 0,
            retention: 20,
            snapshot: None,
        }),
    };
    let ended = run(&options, |_| ());
    assert!(matches!(&ended, Err(DaemonError::Stopped(why)) if why.contains("another history")), "{ended:?}");
}

#[test]
fn a_damaged_store_is_not_waited_for() {
    let damaged = FollowError::Archive(StoreError::Damaged("a page".to_owned()).into());
    assert!(damaged.is_final() && !damaged.is_of_the_store());
}

#[test]
fn an_archive_on_a_full_disk_goes_on_when_there_is_room_again() {
    // Without the trap the signal that comes with the limit would be the end.
    let name = "archive::follower::tests::failures::follows_on_a_disk_that_is_full_for_a_while";
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(std::env::current_exe().unwrap());
    let output = command.args([name, "--exact", "--ignored", "--nocapture"]).output().unwrap();
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && text.contains("1 passed"), "{text}{errors}");
}

#[test]
#[ignore = "runs in a process of its own, whose files cannot grow for a while"]
fn follows_on_a_disk_that_is_full_for_a_while() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let mut chain = Chain::new();
    chain.busy();
    let node = chain.honest_node();
    let directory = tempfile::tempdir().unwrap();
    let shared = shared_in(&directory.path().join("archive"));
    let mut following = follower(&shared, &[&node], None);
    following.step().unwrap();
    let before = shared.archive();
    let limit = getrlimit(Resource::Fsize);
    setrlimit(Resource::Fsize, Rlimit { current: Some(4096), ..limit }).unwrap();
    let kept = std::sync::Mutex::new(Vec::new());
    // There is room again once the follower has said that there is none.
    let make_room = || {
        let Following::CatchingUp { trouble: Some(trouble), .. } = shared.following() else { return };
        let mut kept = kept.lock().unwrap();
        if kept.last() != Some(&trouble) {
            kept.push(trouble);
        }
        if kept.iter().any(|trouble| trouble.contains("disk is full") || trouble.contains("too large")) {
            setrlimit(Resource::Fsize, limit).unwrap();
        }
    };
    run_until(following, || {
        make_room();
        shared.archive().version() == 6
    });
    assert!(!kept.into_inner().unwrap().is_empty(), "nothing was missing");
    assert_has_the_chain(&shared, &chain);
    assert_eq!(before.version(), 1);
}
