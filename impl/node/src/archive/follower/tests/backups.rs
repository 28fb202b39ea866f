//! Archives that begin from another one's backup, held against what the validators signed.

use std::fs;
use std::path::PathBuf;

use aardvark_archive::backup::BackupError;
use aardvark_client::testing::{TestServer, genesis_validators_json};
use aardvark_dictionary::Operation;
use tendermint::AppHash;

use super::*;
use crate::archive::daemon::{ChainOptions, Options, run};
use crate::archive::opened::DaemonError;
use crate::archive::{Limits, Trust, restore};

/// A chain of eight heights, and the backup of an archive at the sixth.
struct Scene {
    chain: Chain,
    backup: Vec<u8>,
    folder: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        let mut chain = Chain::new();
        chain.busy();
        let folder = tempfile::tempdir().unwrap();
        let shared = shared_in(&folder.path().join("first"));
        assert_eq!(follow(&mut follower(&shared, &[&chain.honest_node()], None)).unwrap(), 6);
        // One that was never stored, as after a death between record and version.
        let parts = RootParts { version: 7, ..shared.archive().validator().unwrap().root_parts() };
        shared.record(&ChainRecord { time: None, parts, rejected: 9 }).unwrap();
        let mut backup = Vec::new();
        let summary = shared.back_up(&mut backup).unwrap();
        assert_eq!((summary.version, summary.root), (6, chain.validator().root()));
        chain.advance(vec![Operation::Put("k0".into(), "late".into())]);
        chain.advance_empty();
        Self { chain, backup, folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn genesis_file(&self) -> PathBuf {
        let file = serde_json::json!({
            "chain_id": scene::CHAIN,
            "validators": genesis_validators_json(&VALIDATORS),
            "app_state": genesis().to_app_state(),
        });
        fs::write(self.path("genesis.json"), file.to_string()).unwrap();
        self.path("genesis.json")
    }

    /// Restores in a new folder, by what nodes say.
    fn restore(&self, nodes: &[&TestServer]) -> Result<PathBuf, DaemonError> {
        let nodes = nodes.iter().map(|node| node.url.clone()).collect();
        let trust = Trust::Chain { nodes, genesis: self.genesis_file() };
        let directory = self.path("second");
        restore(&directory, self.backup.as_slice(), &trust, &mut |_| {})?;
        Ok(directory)
    }

    /// A node whose seventh header has another root, signed by some.
    fn node_with_another_root(&self, signers: &[u8]) -> TestServer {
        self.chain.node_with(|heights| {
            let mut header = heights[6].header.clone();
            header.app_hash = AppHash::try_from(vec![9; 32]).unwrap();
            heights[6] = Height::of(sign(header, &VALIDATORS, signers), Vec::new());
        })
    }
}

#[test]
fn an_archive_begins_from_a_backup_that_the_validators_signed_for_and_goes_on() {
    let scene = Scene::new();
    // Nobody has the first six heights any more.
    let pruned = scene.chain.pruned_node(7);
    let directory = scene.restore(&[&pruned]).unwrap();
    let shared = shared_in(&directory);
    assert_eq!((shared.archive().version(), shared.archive().retention()), (6, 20));
    assert_eq!(shared.records().unwrap().get(7).unwrap(), None, "what came after the backup's version stays out");
    assert_eq!(follow(&mut follower(&shared, &[&pruned], None)).unwrap(), 8);
    assert_has_the_chain(&shared, &scene.chain);
    let record = shared.records().unwrap().get(1).unwrap().unwrap();
    assert_eq!((record.time.as_deref(), record.rejected), (Some(TIME), 0));
}

#[test]
fn a_backup_that_the_validators_did_not_sign_for_makes_no_archive() {
    let scene = Scene::new();
    let refused = |nodes: &[&TestServer]| {
        let error = scene.restore(nodes).unwrap_err();
        assert!(!scene.path("second").join("format").exists(), "{error}");
        error
    };
    let elsewhere = scene.node_with_another_root(&VALIDATORS);
    assert!(matches!(refused(&[&elsewhere]), DaemonError::OtherRoot { version: 6, .. }));
    let unsigned = scene.node_with_another_root(&VALIDATORS[..1]);
    assert!(matches!(refused(&[&unsigned]), DaemonError::Follow(FollowError::Header { .. })));
    let behind = scene.chain.node_with(|heights| heights.truncate(6));
    assert!(matches!(refused(&[&behind]), DaemonError::Follow(FollowError::Rpc(_))));
    assert!(matches!(refused(&[]), DaemonError::Follow(FollowError::EveryNode(_))));
    // The next node is asked, as elsewhere.
    assert!(scene.restore(&[&unsigned, &behind, &scene.chain.honest_node()]).is_ok());
}

#[test]
fn records_of_another_chain_or_height_or_root_make_no_archive() {
    let scene = Scene::new();
    let directory = scene.path("second");
    let shared = shared_in(&scene.path("first"));
    let archive = shared.archive();
    let node = scene.chain.honest_node();
    let trust = Trust::Chain { nodes: vec![node.url.clone()], genesis: scene.genesis_file() };
    let with = |key: Vec<u8>, value: Vec<u8>| {
        let mut backup = Vec::new();
        archive.back_up(&mut backup, [Ok((key, value))].into_iter()).unwrap();
        let outcome = restore(&directory, backup.as_slice(), &trust, &mut |_| {});
        assert!(outcome.is_ok() || fs::read_dir(&directory).unwrap().count() == 0, "nothing is left");
        outcome
    };
    let stored = |height| shared.records().unwrap().stored(height, height, 1).unwrap().remove(0).1;
    let key = |height: u64| height.to_be_bytes().to_vec();
    for (key, value) in [
        (Vec::new(), b"another-chain".to_vec()),
        (Vec::new(), vec![255]),
        (key(5), stored(6)),
        (key(6), b"{}".to_vec()),
        (b"no height".to_vec(), stored(6)),
        (key(6), String::from_utf8(stored(6)).unwrap().replace("\"size\":", "\"size\":1").into_bytes()),
    ] {
        let error = with(key, value).unwrap_err();
        assert!(matches!(error, DaemonError::Backup(BackupError::Beside(_))), "{error}");
    }
    with(key(6), stored(6)).unwrap();
}

#[test]
fn a_process_begins_from_a_backup_and_follows_from_there() {
    let scene = Scene::new();
    fs::write(scene.path("backup"), &scene.backup).unwrap();
    let elsewhere = scene.chain.node_with(|heights| {
        let mut header = heights[7].header.clone();
        header.app_hash = AppHash::try_from(vec![9; 32]).unwrap();
        heights[7] = Height::of(sign(header, &VALIDATORS, &VALIDATORS), Vec::new());
        // What is before the backup is not asked for.
        heights[..6].iter_mut().for_each(|height| height.txs = vec![b"gone".to_vec()]);
    });
    let options = Options {
        directory: scene.path("second"),
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
            genesis: scene.genesis_file(),
            content: None,
            from: None,
            retain_records: 0,
            retention: 20,
            snapshot: Some(scene.path("backup")),
        }),
    };
    // The eighth header ends it, or it would go on for ever.
    let ended = run(&options, |_| ());
    assert!(matches!(&ended, Err(DaemonError::Stopped(why)) if why.contains("another history")), "{ended:?}");
    assert_eq!(shared_in(&options.directory).archive().version(), 7);
    // The second time it is there already, and the backup is not looked at.
    fs::remove_file(scene.path("backup")).unwrap();
    assert!(matches!(run(&options, |_| ()), Err(DaemonError::Stopped(_))));
}
