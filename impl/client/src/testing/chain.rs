//! Headers that validators' keys really sign, and nodes that serve them, as honest or as hostile as
//! the test says.

use std::collections::BTreeMap;
use std::time::Duration;

use aardvark_dictionary::root::Digest;
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::{Value as Json, json};
use tendermint::block::header::Version;
use tendermint::block::signed_header::SignedHeader;
use tendermint::block::{Commit, CommitSig, Header, Height, Id, Round, parts};
use tendermint::validator::{Info, Set};
use tendermint::vote::{SignedVote, Type, ValidatorIndex, Vote};
use tendermint::{AppHash, Hash, PublicKey, Signature, Time, account, chain};

use crate::rpc::{HttpOptions, RpcClient};
use crate::testing::server::{Reply, Request, TestServer};

/// Bounds for tests; the time is one that a busy machine keeps.
pub fn options() -> HttpOptions {
    HttpOptions { timeout: Duration::from_secs(120), answer_bytes: 1 << 18 }
}

/// A validator's key from a number.
pub fn key(seed: u8) -> SigningKey {
    SigningKey::from_bytes(&[seed; 32])
}

fn public(key: &SigningKey) -> PublicKey {
    PublicKey::from_raw_ed25519(key.verifying_key().as_bytes()).unwrap()
}

/// Validators by the numbers of their keys, each with power 10.
pub fn validators(seeds: &[u8]) -> Set {
    let info = |seed: &u8| Info::new(public(&key(*seed)), 10u32.into());
    Set::new(seeds.iter().map(info).collect(), None)
}

/// The same validators as `validators` of genesis.json.
pub fn genesis_validators_json(seeds: &[u8]) -> Json {
    let info = |info: &Info| json!({ "address": info.address, "pub_key": info.pub_key, "power": "10", "name": "" });
    validators(seeds).validators().iter().map(info).collect()
}

/// Headers 1, 2, .. of one chain.
#[derive(Clone)]
pub struct TestChain {
    /// Header H and its commit stand at H - 1.
    pub headers: Vec<SignedHeader>,
    /// The numbers of the validators' keys of height H, at H - 1: one more than there are headers.
    pub seeds: Vec<Vec<u8>>,
}

impl TestChain {
    /// A header for each root, a second apart, the newest made at `newest`. Height H has the
    /// validators `seeds(H)`.
    pub fn new(chain_id: &str, roots: &[Digest], newest: Time, seeds: impl Fn(u64) -> Vec<u8>) -> Self {
        let count = roots.len() as u64;
        let seeds: Vec<Vec<u8>> = (1..=count + 1).map(seeds).collect();
        let mut headers: Vec<SignedHeader> = Vec::new();
        for (height, root) in (1..).zip(roots) {
            let at = |height: u64| &seeds[usize::try_from(height - 1).unwrap()];
            let time = (newest - Duration::from_secs(count - height)).unwrap();
            let mut header = header(chain_id, height, time, root, [at(height), at(height + 1)]);
            header.last_block_id = headers.last().map(|last| last.commit.block_id);
            headers.push(sign(header, at(height), at(height)));
        }
        Self { headers, seeds }
    }

    /// The header of a height.
    pub fn header(&self, height: u64) -> &SignedHeader {
        &self.headers[usize::try_from(height - 1).unwrap()]
    }

    /// Its hash.
    pub fn hash(&self, height: u64) -> Digest {
        Digest::try_from(self.header(height).header.hash().as_bytes()).unwrap()
    }

    /// The newest height.
    pub fn newest(&self) -> u64 {
        self.headers.len() as u64
    }

    /// Changes a header and has it signed again by some keys, of the set that it is said to have.
    pub fn forge(&mut self, height: u64, signers: &[u8], change: impl FnOnce(&mut Header)) {
        let place = usize::try_from(height - 1).unwrap();
        let mut header = self.headers[place].header.clone();
        change(&mut header);
        let set = self.seeds[place].clone();
        self.headers[place] = sign(header, &set, signers);
    }

    /// What a node of this chain answers: `commit`, `validators` and `genesis_chunked`.
    pub fn answer(&self, request: &Json, genesis: &[u8]) -> Json {
        let asked: Option<u64> = request["params"]["height"].as_str().map(|height| height.parse().unwrap());
        let height = asked.unwrap_or(self.newest());
        let known = if request["method"] == "validators" { self.newest() + 1 } else { self.newest() };
        if height == 0 || height > known {
            let data = format!("height {height} must be less than or equal to {known}");
            return json!({ "jsonrpc": "2.0", "id": request["id"], "error": { "code": -32603, "message": "x", "data": data } });
        }
        let result = match request["method"].as_str().unwrap() {
            "commit" => json!({ "signed_header": self.header(height), "canonical": true }),
            "validators" => {
                let set = validators(&self.seeds[usize::try_from(height - 1).unwrap()]);
                let count = set.validators().len().to_string();
                json!({ "block_height": height.to_string(), "validators": set.validators(), "count": count, "total": count })
            }
            "genesis_chunked" => json!({ "chunk": "0", "total": "1", "data": base64(genesis) }),
            other => panic!("{other} is not asked by a light client"),
        };
        json!({ "jsonrpc": "2.0", "id": request["id"], "result": result })
    }

    /// A node of this chain.
    pub fn serve(&self) -> (TestServer, RpcClient) {
        self.serve_with(Vec::new(), |_, answer| answer)
    }

    /// A node of this chain that changes its answers.
    pub fn serve_with(
        &self,
        genesis: Vec<u8>,
        change: impl Fn(&Json, Json) -> Json + Send + Sync + 'static,
    ) -> (TestServer, RpcClient) {
        let chain = self.clone();
        serve(move |request| {
            let asked = request.json();
            let answer = change(&asked, chain.answer(&asked, &genesis));
            Reply::Body(200, answer.to_string().into_bytes())
        })
    }
}

/// A server with a client of it.
pub fn serve(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> (TestServer, RpcClient) {
    let server = TestServer::new(answer);
    let client = RpcClient::new(&server.url, options()).unwrap();
    (server, client)
}

fn base64(bytes: &[u8]) -> Json {
    tendermint_proto::serializers::bytes::base64string::serialize(&bytes, serde_json::value::Serializer).unwrap()
}

/// A header without transactions and without one before it, of a height with some validators and
/// others announced.
pub fn header(chain_id: &str, height: u64, time: Time, root: &Digest, [set, next]: [&[u8]; 2]) -> Header {
    Header {
        version: Version { block: 11, app: 1 },
        chain_id: chain::Id::try_from(chain_id).unwrap(),
        height: Height::try_from(height).unwrap(),
        time,
        last_block_id: None,
        last_commit_hash: None,
        data_hash: None,
        validators_hash: validators(set).hash(),
        next_validators_hash: validators(next).hash(),
        consensus_hash: Hash::Sha256([3; 32]),
        app_hash: AppHash::try_from(root.to_vec()).unwrap(),
        last_results_hash: None,
        evidence_hash: None,
        proposer_address: validators(set).validators()[0].address,
    }
}

/// A header with the votes of some of its validators; the others are absent.
pub fn sign(header: Header, set: &[u8], signers: &[u8]) -> SignedHeader {
    let block_id = Id { hash: header.hash(), part_set_header: parts::Header::new(1, Hash::Sha256([9; 32])).unwrap() };
    let seeds: BTreeMap<account::Id, u8> =
        set.iter().map(|seed| (account::Id::from(public(&key(*seed))), *seed)).collect();
    let all = validators(set);
    let votes = all.validators().iter().enumerate().map(|(index, validator)| {
        let seed = seeds[&validator.address];
        if !signers.contains(&seed) {
            return CommitSig::BlockIdFlagAbsent;
        }
        let vote = Vote {
            vote_type: Type::Precommit,
            height: header.height,
            round: Round::default(),
            block_id: Some(block_id),
            timestamp: Some(header.time),
            validator_address: validator.address,
            validator_index: ValidatorIndex::try_from(index).unwrap(),
            signature: Signature::new([1; 64]).unwrap(),
            extension: Vec::new(),
            extension_signature: None,
        };
        let bytes = SignedVote::from_vote(vote, header.chain_id.clone()).unwrap().sign_bytes();
        let signature = Signature::new(key(seed).sign(&bytes).to_bytes()).unwrap();
        CommitSig::BlockIdFlagCommit { validator_address: validator.address, timestamp: header.time, signature }
    });
    let commit = Commit { height: header.height, round: Round::default(), block_id, signatures: votes.collect() };
    SignedHeader::new(header, commit).unwrap()
}
