//! A follower against a chain whose blocks are real and whose nodes say what the test wants.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

use aardvark_archive::{Archive, CreateOptions, RedbStore};
use aardvark_dictionary::{Key, Operation, Parameters, Transaction, Validator};
use ed25519_dalek::SigningKey;
use serde_json::{Value as Json, json};

use crate::archive::chain_records::ChainRecords;
use crate::chain::{ChainBlock, ChainGenesis, Policy, SignedTransaction};
use crate::rpc::{HttpOptions, RpcClient};
use crate::test_server::{Reply, Request, TestServer};

use super::*;

const CHAIN: &str = "test-chain";

fn signer() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

fn genesis() -> ChainGenesis {
    let policy = Policy::Publisher(BTreeSet::from([signer().verifying_key().to_bytes()]));
    let parameters = Parameters { vector_size: 4, window: 3, ..Parameters::default() };
    let entries = (0..9).map(|number| (Key::from(format!("k{number}").as_str()), "old".into())).collect();
    ChainGenesis::new(parameters, policy, entries).unwrap()
}

/// Heights from 1: the app hash of the header, and the list of transactions.
type Heights = Vec<([u8; 32], Vec<Vec<u8>>)>;

/// The chain as its validators have it, with an archive of their own to make proofs.
struct Chain {
    reference: Archive,
    heights: Arc<Mutex<Heights>>,
}

impl Chain {
    fn new() -> Self {
        let genesis = genesis();
        let scheme = Arc::new(genesis.scheme(None, 0).unwrap());
        let store = Box::new(RedbStore::in_memory().unwrap());
        let reference = Archive::begin(store, genesis.genesis(), &CreateOptions { retention: 20 }, scheme).unwrap();
        Self { reference, heights: Arc::default() }
    }

    fn validator(&self) -> Validator {
        self.reference.validator().unwrap()
    }

    /// A block of the chain with such operations, signed by such keys.
    fn block(&mut self, operations: Vec<Operation>, keys: &[SigningKey]) -> ChainBlock {
        let version = self.reference.version();
        let mut claims = Vec::new();
        for operation in &operations {
            claims.extend(match operation {
                Operation::Delete(key) => self.reference.prove_delete(key, version).unwrap(),
                other => vec![self.reference.prove(other.key(), version).unwrap()],
            });
        }
        claims.sort_by_key(|claim| claim.position);
        claims.dedup();
        let transaction =
            Transaction { first_valid: version + 1, last_valid: version + 4, nonce: [1; 16], operations, claims };
        let signed = SignedTransaction::sign(transaction, self.reference.id(), keys);
        let proposal = self.reference.propose(vec![signed.transaction]).unwrap();
        assert_eq!(proposal.included, [0]);
        let aggregated = self.validator().aggregate(proposal.block).unwrap();
        ChainBlock { aggregated, signatures: vec![signed.signatures] }
    }

    /// Decides a list; the chain's validators do with it what the block says.
    fn decide(&mut self, txs: Vec<Vec<u8>>, block: &AggregatedBlock) {
        let root = self.validator().root();
        self.heights.lock().unwrap().push((root, txs));
        self.reference.apply_aggregated(block).unwrap();
    }

    fn advance(&mut self, operations: Vec<Operation>) {
        let block = self.block(operations, &[signer()]);
        self.decide(block.to_txs(), &block.aggregated);
    }

    fn advance_empty(&mut self) {
        let version = self.reference.version() + 1;
        self.decide(Vec::new(), &empty(version));
    }

    /// Updates, an insert, a delete that reaches below the tail, an empty block.
    fn busy(&mut self) {
        self.advance(vec![Operation::Put("k3".into(), "new".into())]);
        self.advance(vec![Operation::Put("z".into(), "there".into()), Operation::Delete("k1".into())]);
        self.advance_empty();
        for key in ["k2", "k4", "k5"] {
            self.advance(vec![Operation::Delete(key.into())]);
        }
    }

    /// A node that has the heights as `change` shows them.
    fn node(&self, change: impl Fn(u64, &mut Json) + Send + Sync + 'static) -> TestServer {
        let heights = Arc::clone(&self.heights);
        TestServer::new(move |request| answer(request, &heights.lock().unwrap(), &change))
    }

    fn honest_node(&self) -> TestServer {
        self.node(|_, _| ())
    }
}

fn empty(version: u64) -> AggregatedBlock {
    AggregatedBlock { block: Block { version, ..Block::default() }, points: Vec::new() }
}

fn recorded(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

fn answer(request: &Request, heights: &Heights, change: &(impl Fn(u64, &mut Json) + ?Sized)) -> Reply {
    let asked = request.json();
    let mut body = match asked["method"].as_str().unwrap() {
        "status" => {
            let mut status = recorded(include_str!("../../rpc/recorded/status.json"));
            status["result"]["node_info"]["network"] = CHAIN.into();
            status["result"]["sync_info"]["latest_block_height"] = heights.len().to_string().into();
            status
        }
        "block" => {
            let height: usize = asked["params"]["height"].as_str().unwrap().parse().unwrap();
            match heights.get(height.wrapping_sub(1)) {
                Some((root, txs)) => block_answer(height, root, txs),
                None => json!({ "error": { "code": -32603, "message": "no such height" } }),
            }
        }
        other => panic!("{other} is not asked"),
    };
    let height = asked["params"]["height"].as_str().map_or(0, |height| height.parse().unwrap());
    change(height, &mut body);
    body["id"] = asked["id"].clone();
    Reply::Body(200, body.to_string().into_bytes())
}

fn block_answer(height: usize, root: &[u8; 32], txs: &[Vec<u8>]) -> Json {
    use sha2::{Digest as _, Sha256};
    let mut answer = recorded(include_str!("../../rpc/recorded/block.json"));
    let digests: Vec<[u8; 32]> = txs.iter().map(|bytes| Sha256::digest(bytes).into()).collect();
    let data_hash = tendermint::merkle::simple_hash_from_byte_vectors::<tendermint::crypto::default::Sha256>(&digests);
    let header = &mut answer["result"]["block"]["header"];
    header["chain_id"] = CHAIN.into();
    header["height"] = height.to_string().into();
    header["app_hash"] = hex::encode_upper(root).into();
    if height == 1 {
        // As CometBFT's first header has it.
        header["last_block_id"] = json!({ "hash": "", "parts": { "total": 0, "hash": "" } });
    }
    header["data_hash"] = hex::encode_upper(data_hash).into();
    answer["result"]["block"]["data"]["txs"] = txs.iter().map(|tx| base64(tx)).collect();
    answer
}

/// Base64 as RFC 4648 has it.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |chunk: &[u8], place: usize| {
        let bits = chunk.iter().enumerate().fold(0u32, |bits, (at, byte)| bits | u32::from(*byte) << (16 - 8 * at));
        if place > chunk.len() { '=' } else { char::from(DIGITS[(bits >> (18 - 6 * place) & 63) as usize]) }
    };
    bytes.chunks(3).flat_map(|chunk| (0..4).map(move |place| digit(chunk, place))).collect()
}

fn shelf_in(directory: &Path) -> Arc<Shelf> {
    let archive = match Archive::open(directory) {
        Ok(archive) => archive,
        Err(_) => Archive::create(directory, genesis().genesis(), &CreateOptions { retention: 20 }).unwrap(),
    };
    let records = ChainRecords::open(directory, *archive.id()).unwrap();
    Arc::new(Shelf::new(archive, Some(records)).unwrap())
}

fn follower(shelf: &Arc<Shelf>, nodes: &[&str], other: Option<&str>) -> Follower {
    let nodes = nodes.iter().map(|node| RpcClient::new(node, HttpOptions::default()).unwrap()).collect();
    let other = other.map(|other| OtherArchive::new(other).unwrap());
    Follower::new(Arc::clone(shelf), CHAIN.to_owned(), genesis(), nodes, other).unwrap()
}

/// Steps until there is nothing new.
fn follow(follower: &mut Follower) -> Result<u64, FollowError> {
    while follower.step()? == Step::Advanced {}
    Ok(follower.validator.version())
}

fn assert_has_the_chain(shelf: &Shelf, chain: &Chain) {
    let archive = shelf.archive();
    assert_eq!(archive.version(), chain.reference.version());
    assert_eq!(archive.validator().unwrap().state(), chain.validator().state());
    for version in 0..=archive.version() {
        let expected = chain.heights.lock().unwrap().get(version as usize).map(|(root, _)| *root);
        let root = shelf.root_parts(&archive, version).unwrap().root();
        assert_eq!(root, expected.unwrap_or_else(|| chain.validator().root()), "version {version}");
    }
    let report = archive.audit(&mut |_| {}).unwrap();
    assert!(report.is_clean(), "{:?}", report.findings);
}

#[test]
fn an_archive_follows_from_genesis_catches_up_and_goes_on_where_it_was() {
    let mut chain = Chain::new();
    chain.busy();
    let node = chain.honest_node();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("archive");
    let shelf = shelf_in(&path);
    let mut following = follower(&shelf, &[&node.url], None);
    assert_eq!(follow(&mut following).unwrap(), 6);
    assert_eq!(shelf.following(), Following::UpToDate { height: 6 });
    chain.advance_empty();
    assert_eq!(following.step().unwrap(), Step::Advanced);
    assert_has_the_chain(&shelf, &chain);
    drop((following, shelf));
    chain.advance(vec![Operation::Put("k0".into(), "late".into())]);
    let shelf = shelf_in(&path);
    assert_eq!(follow(&mut follower(&shelf, &[&node.url], None)).unwrap(), 8);
    assert_has_the_chain(&shelf, &chain);
    let record = shelf.records().unwrap().get(1).unwrap().unwrap();
    assert_eq!((record.time.as_deref(), record.rejected), (Some("2026-11-21T15:40:12.177165954Z"), 0));
}

#[test]
fn a_record_without_its_version_is_written_again() {
    let mut chain = Chain::new();
    chain.busy();
    let node = chain.honest_node();
    let directory = tempfile::tempdir().unwrap();
    let shelf = shelf_in(&directory.path().join("archive"));
    // As after a death between the record and the version.
    let parts = RootParts { version: 1, ..shelf.archive().validator().unwrap().root_parts() };
    shelf.record(&ChainRecord { time: None, parts, rejected: 9 }).unwrap();
    follow(&mut follower(&shelf, &[&node.url], None)).unwrap();
    assert_has_the_chain(&shelf, &chain);
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
    let shelf = shelf_in(&directory.path().join("archive"));
    assert_eq!(follow(&mut follower(&shelf, &[&node.url], None)).unwrap(), 4);
    assert_has_the_chain(&shelf, &chain);
    let rejected = |height| shelf.records().unwrap().get(height).unwrap().unwrap().rejected;
    assert_eq!([1, 2, 3, 4].map(rejected), [1, 2, 1, 0]);
}

#[test]
fn a_wrong_app_hash_stops_the_follower_for_good_and_is_named() {
    let mut chain = Chain::new();
    chain.busy();
    let liar = chain.node(|height, body| {
        if height == 4 {
            body["result"]["block"]["header"]["app_hash"] = hex::encode_upper([9; 32]).into();
        }
    });
    let directory = tempfile::tempdir().unwrap();
    let shelf = shelf_in(&directory.path().join("archive"));
    let mut following = follower(&shelf, &[&liar.url], None);
    let error = follow(&mut following).unwrap_err();
    assert!(matches!(&error, FollowError::AppHash { height: 4, .. }) && error.is_final(), "{error}");
    assert!(error.to_string().contains(&liar.url) && error.to_string().contains("version 3"), "{error}");
    assert_eq!(shelf.archive().version(), 3, "nothing after the last version that fitted");
    following.run(&AtomicBool::new(false));
    assert!(matches!(shelf.following(), Following::Stopped { .. }));
    let honest = chain.honest_node();
    assert_eq!(follow(&mut follower(&shelf, &[&liar.url, &honest.url], None)).unwrap(), 6, "the next node is asked");
    assert_has_the_chain(&shelf, &chain);
}

#[test]
fn a_node_that_is_silent_behind_on_another_chain_or_swaps_transactions_is_passed_over() {
    let mut chain = Chain::new();
    chain.busy();
    let honest = chain.honest_node();
    let silent = TestServer::new(|_| Reply::Nothing);
    let foreign = chain.node(|_, body| {
        if let Some(network) = body.pointer_mut("/result/node_info/network") {
            *network = "another".into();
        }
    });
    let swapping = chain.node(|height, body| {
        if height == 1 {
            body["result"]["block"]["data"]["txs"] = json!([]);
        }
    });
    for (bad, is_final) in [(&silent, false), (&foreign, true), (&swapping, false)] {
        let directory = tempfile::tempdir().unwrap();
        let shelf = shelf_in(&directory.path().join("archive"));
        let error = follow(&mut follower(&shelf, &[&bad.url], None)).unwrap_err();
        assert_eq!(error.is_final(), is_final, "{error}");
        assert_eq!(shelf.archive().version(), 0);
        assert_eq!(follow(&mut follower(&shelf, &[&bad.url, &honest.url], None)).unwrap(), 6);
    }
}

#[test]
fn an_archive_of_another_genesis_is_not_followed_for() {
    let directory = tempfile::tempdir().unwrap();
    let other = ChainGenesis::new(
        Parameters { vector_size: 4, window: 2, ..Parameters::default() },
        genesis().policy().clone(),
        Vec::new(),
    );
    let archive = Archive::create(directory.path(), other.unwrap().genesis(), &CreateOptions::default()).unwrap();
    let shelf = Arc::new(Shelf::new(archive, None).unwrap());
    let refused = Follower::new(shelf, CHAIN.to_owned(), genesis(), Vec::new(), None);
    assert!(matches!(refused.err(), Some(FollowError::OtherDictionary)));
}

/// Another archive that has the blocks of a chain in its log, as `change` shows them.
fn other_archive(chain: &Chain, change: impl Fn(u64, &mut Vec<u8>) + Send + Sync + 'static) -> TestServer {
    let logged = |height| chain.reference.block_bytes(height).unwrap();
    let log: Vec<Vec<u8>> = (0..=chain.reference.version()).map(logged).collect();
    TestServer::new(move |request| {
        let height = request.path.strip_prefix("/v1/blocks/").and_then(|rest| rest.strip_suffix("/raw")).unwrap();
        let height: u64 = height.parse().unwrap();
        match log.get(height as usize) {
            Some(bytes) => {
                let mut bytes = bytes.clone();
                change(height, &mut bytes);
                Reply::Body(200, bytes)
            }
            None => Reply::Body(404, b"{}".to_vec()),
        }
    })
}

/// A node that has only the heights from `oldest` on.
fn pruned(chain: &Chain, oldest: u64) -> TestServer {
    let heights = Arc::clone(&chain.heights);
    TestServer::new(move |request| {
        let asked = request.json();
        let height: u64 = asked["params"]["height"].as_str().map_or(oldest, |height| height.parse().unwrap());
        if height < oldest || asked["method"] == "commit" {
            let gone = json!({ "id": asked["id"], "error": { "code": -32603, "message": "not here any more" } });
            return Reply::Body(200, gone.to_string().into_bytes());
        }
        answer(request, &heights.lock().unwrap(), &|_, _| ())
    })
}

#[test]
fn blocks_that_no_node_has_any_more_come_from_another_archive() {
    let mut chain = Chain::new();
    chain.busy();
    let other = other_archive(&chain, |_, _| ());
    chain.advance_empty();
    let node = pruned(&chain, 7);
    let directory = tempfile::tempdir().unwrap();
    let shelf = shelf_in(&directory.path().join("archive"));
    assert!(!follow(&mut follower(&shelf, &[&node.url], None)).unwrap_err().is_final());
    assert_eq!(follow(&mut follower(&shelf, &[&node.url], Some(&other.url))).unwrap(), 7);
    assert_has_the_chain(&shelf, &chain);
}

#[test]
fn another_archives_false_block_is_refused_and_its_other_history_is_found_out() {
    let mut chain = Chain::new();
    chain.busy();
    let flipping = other_archive(&chain, |height, bytes| {
        if height == 2 {
            let last = bytes.len() - 30;
            bytes[last] ^= 1;
        }
    });
    let mut elsewhere = Chain::new();
    elsewhere.advance(vec![Operation::Put("k3".into(), "other".into())]);
    let history = other_archive(&elsewhere, |_, _| ());
    let node = pruned(&chain, 2);
    let directory = tempfile::tempdir().unwrap();
    for (place, other, at) in [("flipping", &flipping, 1), ("history", &history, 1)] {
        let shelf = shelf_in(&directory.path().join(place));
        let error = follow(&mut follower(&shelf, &[&node.url], Some(&other.url))).unwrap_err();
        assert!(error.is_final(), "{error}");
        assert_eq!(shelf.archive().version(), at, "{error}");
    }
}
