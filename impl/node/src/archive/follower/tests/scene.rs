//! A chain whose blocks are real and really signed, with nodes and archives that say of it what the
//! test wants.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

use aardvark_archive::{Archive, RedbStore};
use aardvark_chain::{ChainBlock, ChainGenesis, Policy, SignedTransaction, TableCertificate};
use aardvark_client::light::GenesisValidators;
use aardvark_client::rpc::{HttpOptions, RpcClient};
use aardvark_client::testing::{
    RECORDED_BLOCK, RECORDED_STATUS, Reply, Request, TestServer, genesis_validators_json, header, sign,
};
use aardvark_dictionary::{AggregatedBlock, Block, Key, Operation, Parameters, Transaction, Validator};
use aardvark_tables::Certificates;
use ed25519_dalek::SigningKey;
use serde_json::{Value as Json, json};
use tendermint::block::Header;
use tendermint::block::signed_header::SignedHeader;
use tendermint::{Hash, Time};

use crate::archive::chain_records::ChainRecords;
use crate::archive::follower::{FollowError, FollowedChain, Follower, OtherArchive, Step};
use crate::archive::shared_archive::SharedArchive;

pub const CHAIN: &str = "test-chain";

/// The numbers of the validators' keys. They have the same power.
pub const VALIDATORS: [u8; 3] = [1, 2, 3];

/// When all headers were made.
pub const TIME: &str = "2026-11-21T15:40:12.177165954Z";

/// The publisher.
pub fn signer() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

pub fn genesis() -> ChainGenesis {
    let policy = Policy::Publisher(BTreeSet::from([signer().verifying_key().to_bytes()]));
    let parameters = Parameters { vector_size: 4, window: 3, ..Parameters::default() };
    let entries = (0..9).map(|number| (Key::from(format!("k{number}").as_str()), "old".into())).collect();
    ChainGenesis::new(CHAIN, [0; 32], parameters, policy, entries).unwrap()
}

pub fn followed() -> FollowedChain {
    followed_of(genesis())
}

pub fn followed_of(genesis: ChainGenesis) -> FollowedChain {
    let file = json!({ "validators": genesis_validators_json(&VALIDATORS) }).to_string();
    let validators = GenesisValidators::from_genesis_file(file.as_bytes()).unwrap();
    FollowedChain { id: CHAIN.to_owned(), genesis, validators }
}

/// What a node shows of a height.
#[derive(Clone)]
pub struct Height {
    /// The header of `block`.
    pub header: Header,
    /// The transactions of `block`.
    pub txs: Vec<Vec<u8>>,
    /// What `commit` says.
    pub signed: SignedHeader,
}

impl Height {
    /// A header with its commit, and the same header with transactions.
    pub fn of(signed: SignedHeader, txs: Vec<Vec<u8>>) -> Self {
        Self { header: signed.header.clone(), txs, signed }
    }
}

/// The chain as its validators have it, with an archive of their own to make proofs.
pub struct Chain {
    pub reference: Archive,
    /// From 1.
    pub heights: Arc<Mutex<Vec<Height>>>,
}

impl Chain {
    pub fn new() -> Self {
        Self::of(&genesis())
    }

    pub fn of(genesis: &ChainGenesis) -> Self {
        let scheme = Arc::new(genesis.scheme(None, 0).unwrap());
        let store = Box::new(RedbStore::in_memory().unwrap());
        let reference = Archive::builder().retention(20).scheme(scheme).create_on(store, genesis.genesis()).unwrap();
        Self { reference, heights: Arc::default() }
    }

    pub fn validator(&self) -> Validator {
        self.reference.validator().unwrap()
    }

    /// A block of the chain with such operations, signed by such keys.
    pub fn block(&mut self, operations: Vec<Operation>, keys: &[SigningKey]) -> ChainBlock {
        self.block_with(operations, Vec::new(), keys)
    }

    /// The same, with such certificates.
    pub fn block_with(
        &mut self,
        operations: Vec<Operation>,
        certificates: Vec<TableCertificate>,
        keys: &[SigningKey],
    ) -> ChainBlock {
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
        ChainBlock { aggregated, signatures: vec![signed.signatures], certificates: vec![certificates] }
    }

    /// The header of the next height with some transactions.
    pub fn header(&self, txs: &[Vec<u8>]) -> Header {
        let heights = self.heights.lock().unwrap();
        let (height, time) = (heights.len() as u64 + 1, Time::parse_from_rfc3339(TIME).unwrap());
        let mut header = header(CHAIN, height, time, &self.validator().root(), [&VALIDATORS; 2]);
        header.last_block_id = heights.last().map(|last| last.signed.commit.block_id);
        header.data_hash = Some(data_hash(txs));
        header
    }

    /// Decides a list; the chain's validators do with it what the block says.
    pub fn decide(&mut self, txs: Vec<Vec<u8>>, block: &AggregatedBlock) {
        let signed = sign(self.header(&txs), &VALIDATORS, &VALIDATORS);
        self.heights.lock().unwrap().push(Height::of(signed, txs));
        self.reference.apply_aggregated(block).unwrap();
    }

    pub fn advance(&mut self, operations: Vec<Operation>) {
        let block = self.block(operations, &[signer()]);
        self.decide(block.to_txs(), &block.aggregated);
    }

    pub fn advance_empty(&mut self) {
        let version = self.reference.version() + 1;
        self.decide(Vec::new(), &empty(version));
    }

    /// Updates, an insert, a delete that reaches below the tail, an empty block.
    pub fn busy(&mut self) {
        self.advance(vec![Operation::Put("k3".into(), "new".into())]);
        self.advance(vec![Operation::Put("z".into(), "there".into()), Operation::Delete("k1".into())]);
        self.advance_empty();
        for key in ["k2", "k4", "k5"] {
            self.advance(vec![Operation::Delete(key.into())]);
        }
    }

    /// A node that has the heights, and those to come.
    pub fn honest_node(&self) -> TestServer {
        let heights = Arc::clone(&self.heights);
        TestServer::new(move |request| answer(request, &heights.lock().unwrap(), &|_| ()))
    }

    /// A node that has the heights of now as `change` leaves them.
    pub fn node_with(&self, change: impl FnOnce(&mut Vec<Height>)) -> TestServer {
        let mut heights = self.heights.lock().unwrap().clone();
        change(&mut heights);
        TestServer::new(move |request| answer(request, &heights, &|_| ()))
    }

    /// A node that says something else about itself, such as its chain, and has the heights of now
    /// up to one.
    pub fn node_that_says(&self, pointer: &'static str, what: &'static str, height: usize) -> TestServer {
        let mut heights = self.heights.lock().unwrap().clone();
        heights.truncate(height);
        let change = move |body: &mut Json| {
            if let Some(said) = body.pointer_mut(pointer) {
                *said = what.into();
            }
        };
        TestServer::new(move |request| answer(request, &heights, &change))
    }

    /// A node that says for so many requests that it is on another chain.
    pub fn node_that_is_another_at_first(&self, requests: usize) -> TestServer {
        let heights = Arc::clone(&self.heights);
        let asked = std::sync::atomic::AtomicUsize::new(0);
        TestServer::new(move |request| {
            let another = asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < requests;
            answer(request, &heights.lock().unwrap(), &|body| {
                if let Some(said) = body.pointer_mut("/result/node_info/network").filter(|_| another) {
                    *said = "another".into();
                }
            })
        })
    }

    /// A node that has only the heights from `oldest` on.
    pub fn pruned_node(&self, oldest: u64) -> TestServer {
        let heights = Arc::clone(&self.heights);
        TestServer::new(move |request| {
            let asked = request.json();
            let height: u64 = asked["params"]["height"].as_str().map_or(oldest, |height| height.parse().unwrap());
            if height < oldest {
                let gone = json!({ "id": asked["id"], "error": { "code": -32603, "message": "not here any more" } });
                return Reply::Body(200, gone.to_string().into_bytes());
            }
            answer(request, &heights.lock().unwrap(), &|_| ())
        })
    }

    /// Another archive that has the blocks in its log, as `change` shows them.
    pub fn other_archive(&self, change: impl Fn(u64, &mut Vec<u8>) + Send + Sync + 'static) -> TestServer {
        let logged = |height| self.reference.block_bytes(height).unwrap();
        let log: Vec<Vec<u8>> = (0..=self.reference.version()).map(logged).collect();
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
}

pub fn empty(version: u64) -> AggregatedBlock {
    AggregatedBlock { block: Block { version, ..Block::default() }, points: Vec::new() }
}

/// The hash of a list of transactions, as headers have it.
pub fn data_hash(txs: &[Vec<u8>]) -> Hash {
    use sha2::{Digest as _, Sha256};
    let digests: Vec<[u8; 32]> = txs.iter().map(|bytes| Sha256::digest(bytes).into()).collect();
    let root = tendermint::merkle::simple_hash_from_byte_vectors::<tendermint::crypto::default::Sha256>(&digests);
    Hash::Sha256(root)
}

fn recorded(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

fn answer(request: &Request, heights: &[Height], change: &(impl Fn(&mut Json) + ?Sized)) -> Reply {
    let asked = request.json();
    let height = asked["params"]["height"].as_str().map_or(0, |height| height.parse::<usize>().unwrap());
    let mut body = match (asked["method"].as_str().unwrap(), heights.get(height.wrapping_sub(1))) {
        ("status", _) => {
            let mut status = recorded(RECORDED_STATUS);
            status["result"]["node_info"]["network"] = CHAIN.into();
            status["result"]["sync_info"]["latest_block_height"] = heights.len().to_string().into();
            status
        }
        ("commit", Some(height)) => json!({ "result": { "signed_header": height.signed, "canonical": true } }),
        ("block", Some(height)) => {
            let mut answer = recorded(RECORDED_BLOCK);
            answer["result"]["block"]["header"] = json!(height.header);
            answer["result"]["block"]["data"]["txs"] = height.txs.iter().map(|tx| base64(tx)).collect();
            answer
        }
        ("commit" | "block", None) => json!({ "error": { "code": -32603, "message": "no such height" } }),
        (other, _) => panic!("{other} is not asked"),
    };
    change(&mut body);
    body["id"] = asked["id"].clone();
    Reply::Body(200, body.to_string().into_bytes())
}

fn base64(bytes: &[u8]) -> Json {
    tendermint_proto::serializers::bytes::base64string::serialize(&bytes, serde_json::value::Serializer).unwrap()
}

pub fn shared_in(directory: &Path) -> Arc<SharedArchive> {
    shared_of(directory, &genesis())
}

pub fn shared_of(directory: &Path, genesis: &ChainGenesis) -> Arc<SharedArchive> {
    let archive = match Archive::builder().open(directory) {
        Ok(archive) => archive,
        Err(_) => Archive::builder().retention(20).create(directory, genesis.genesis()).unwrap(),
    };
    let records = ChainRecords::open(directory, *archive.id()).unwrap();
    let certificates = Certificates::open(directory, archive.id()).unwrap();
    Arc::new(SharedArchive::new(archive, Some(records)).unwrap().with_certificates(certificates))
}

pub fn follower(shared: &Arc<SharedArchive>, nodes: &[&TestServer], other: Option<&TestServer>) -> Follower {
    follower_of(&genesis(), shared, nodes, other)
}

pub fn follower_of(
    genesis: &ChainGenesis,
    shared: &Arc<SharedArchive>,
    nodes: &[&TestServer],
    other: Option<&TestServer>,
) -> Follower {
    let nodes = nodes.iter().map(|node| RpcClient::new(&node.url, HttpOptions::default()).unwrap()).collect();
    let other = other.map(|other| OtherArchive::new(&other.url).unwrap());
    Follower::new(Arc::clone(shared), followed_of(genesis.clone()), nodes, other).unwrap()
}

/// Steps until there is nothing new.
pub fn follow(follower: &mut Follower) -> Result<u64, FollowError> {
    while follower.step()? == Step::Advanced {}
    Ok(follower.validator.version())
}

/// The archive has all versions of the chain and their roots.
pub fn assert_has_the_chain(shared: &SharedArchive, chain: &Chain) {
    let archive = shared.archive();
    assert_eq!(archive.version(), chain.reference.version());
    assert_eq!(archive.validator().unwrap().state(), chain.validator().state());
    for version in 0..=archive.version() {
        let certifies = |height: &Height| height.signed.header.app_hash.as_bytes().to_vec();
        let expected = chain.heights.lock().unwrap().get(version as usize).map(certifies);
        let root = shared.root_parts(&archive, version).unwrap().root().to_vec();
        assert_eq!(root, expected.unwrap_or_else(|| chain.validator().root().to_vec()), "version {version}");
    }
    let report = shared.archive_mut().audit(&mut |_| {}).unwrap();
    assert!(report.is_clean(), "{:?}", report.findings);
}
