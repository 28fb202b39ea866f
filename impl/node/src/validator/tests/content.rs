//! First content that stands in a file beside genesis.json.

use std::path::Path;
use std::time::Instant;

use aardvark_archive::Archive;
use aardvark_chain::content_file::{self, CONTENT_FILE};
use aardvark_dictionary::{Limits, Value};
use tendermint_proto::v0_38::abci::{
    RequestApplySnapshotChunk, RequestInitChain, RequestLoadSnapshotChunk, RequestOfferSnapshot,
};

use super::*;

/// Vectors of so many slots.
fn vectors(vector_size: u32) -> Parameters {
    Parameters { vector_size, window: 5, ..Parameters::default() }
}

/// The genesis file of a chain that begins with so many keys in a file of their own, and the chain.
fn write_genesis(folder: &Path, parameters: Parameters, count: u64) -> ChainGenesis {
    let entries = (0..count).map(|i| (Key::from(format!("key-{i:07}").as_str()), Value::from("some value"))).collect();
    let policy = Policy::Publisher(BTreeSet::from([publisher().verifying_key().to_bytes()]));
    let genesis = ChainGenesis::new("test", [0; 32], parameters, policy, entries).unwrap().with_content_file();
    let file = serde_json::json!({ "chain_id": "test", "app_state": genesis.to_app_state() }).to_string();
    assert!(file.len() < 2_000);
    std::fs::write(folder.join("genesis.json"), file).unwrap();
    genesis
}

#[test]
fn a_validator_begins_with_content_that_stands_in_a_file_and_needs_it_once() {
    let folder = TempDir::new().unwrap();
    let genesis = write_genesis(folder.path(), vectors(64), 20_000);
    let open = |name: &str| Application::open(&options(&folder, name, &[]));
    let Err(missing) = open("a") else { panic!("there is no content") };
    let said = missing.to_string();
    assert!(
        said.contains("20000 entries") && said.contains(CONTENT_FILE) && said.contains("/v1/blocks/0/raw"),
        "{said}"
    );

    let path = folder.path().join(CONTENT_FILE);
    content_file::write(&path, genesis.genesis().entries()).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    std::fs::write(&path, damaged).unwrap();
    assert!(open("a").is_err_and(|error| error.to_string().contains("digest")));

    std::fs::write(&path, &bytes).unwrap();
    let app = open("a").unwrap();
    let state = app.state().state();
    assert_eq!(state, genesis.validator(Arc::clone(app.state().scheme())).unwrap().state());
    let app_state_bytes = genesis.to_app_state().to_string().into_bytes().into();
    let request = RequestInitChain { chain_id: "test".into(), app_state_bytes, ..Default::default() };
    assert_eq!(app.init_chain(&request).unwrap().app_hash, app.state().root().to_vec());
    drop(app);

    // An archive's version 0 is made of the same bytes, and gives them to who has no file.
    let archive = Archive::builder().create(&folder.path().join("archive"), genesis.genesis()).unwrap();
    assert_eq!(archive.block_bytes(0).unwrap(), bytes);

    // What is on disk needs the file no more.
    std::fs::remove_file(&path).unwrap();
    assert_eq!(open("a").unwrap().state().state(), state);
}

#[test]
fn a_chain_whose_content_stands_in_a_file_is_joined_by_a_snapshot_of_its_first_heights() {
    let folder = TempDir::new().unwrap();
    // A block adds fewer slots than the chain begins with.
    let limits = Limits {
        transaction_operations: 16,
        block_operations: 16,
        transaction_claims: 32,
        block_claims: 32,
        block_transactions: 16,
        ..Limits::default()
    };
    let genesis = write_genesis(folder.path(), Parameters { limits, ..vectors(4) }, 100);
    content_file::write(&folder.path().join(CONTENT_FILE), genesis.genesis().entries()).unwrap();
    let [app, joiner] = ["a", "b"].map(|name| Application::open(&options(&folder, name, &[])).unwrap());
    for height in 1..=2 {
        app.finalize_block(&finalize(height, &[], 1)).unwrap();
        app.commit().unwrap();
    }
    let snapshot = Some(app.list_snapshots().snapshots.remove(0));
    let load = RequestLoadSnapshotChunk { height: 2, format: 1, chunk: 0 };
    let chunk = app.load_snapshot_chunk(&load).chunk;
    let app_hash = app.state().root().to_vec().into();
    joiner.offer_snapshot(RequestOfferSnapshot { snapshot, app_hash }).unwrap();
    joiner.apply_snapshot_chunk(RequestApplySnapshotChunk { index: 0, chunk, sender: "peer".into() }).unwrap();
    assert_eq!((joiner.version(), joiner.state().size()), (2, 101));
}

/// The most memory that this process has had.
fn most_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default().to_owned()
}

#[test]
#[ignore = "a million keys take minutes"]
fn a_validator_begins_with_a_million_keys() {
    let folder = TempDir::new().unwrap();
    {
        let genesis = write_genesis(folder.path(), vectors(1024), 1_000_000);
        content_file::write(&folder.path().join(CONTENT_FILE), genesis.genesis().entries()).unwrap();
    }
    // What making the file took is not the validator's.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    for what in ["first start", "second start"] {
        let (before, begun) = (most_memory(), Instant::now());
        let app = Application::open(&options(&folder, "a", &[])).unwrap();
        assert_eq!(app.state().size(), 1_000_001);
        println!("{what}: {:?}, {before} before, {} after", begun.elapsed(), most_memory());
        drop(app);
        std::fs::write("/proc/self/clear_refs", "5").unwrap();
    }
}
