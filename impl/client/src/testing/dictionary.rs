//! A dictionary on the published ceremony with its roots, and what an honest archive says of it.

use std::sync::{Arc, Mutex};

use aardvark_archive::{AnswerForm, Archive, RedbStore};
use aardvark_chain::{ChainGenesis, Policy};
use aardvark_commitment::{Ceremony, Commitment, Kzg, Scheme};
use aardvark_dictionary::commitment_tree::commitment_path;
use aardvark_dictionary::root::{Digest, RootParts};
use aardvark_dictionary::{Genesis, Key, Operation, Parameters, Transaction, Validator, Value};
use aardvark_proof::answer_json::{self, QuestionJson};
use aardvark_proof::proof_json::{self, Proof};
use aardvark_proof::root_json::{CommitmentPath, ProofRoot};
use aardvark_proof::{AnswerProof, Region};
use serde_json::{Value as Json, json};

use crate::light::answer::Question;
use crate::light::facts::DictionaryFacts;
use crate::testing::chain::key;
use crate::testing::server::{Reply, Request};

/// A dictionary with some versions, and what an honest archive says of each.
pub struct TestDictionary {
    /// Its genesis.
    pub genesis: Genesis,
    archive: Mutex<Archive>,
    states: Vec<(RootParts, Vec<Commitment>)>,
}

/// The number of versions after genesis.
pub const VERSIONS: u64 = 5;

impl TestDictionary {
    /// Forty keys in vectors of eight; version v puts `round` to v, and version 3 deletes `key-07`.
    pub fn new(salt: &str) -> Self {
        let scheme = Arc::new(Scheme::from(Kzg::new(Ceremony::ethereum().unwrap(), 8).unwrap()));
        let entries = (0..40).map(|index| (format!("key-{index:02}").as_str().into(), Value::from(salt))).collect();
        let parameters = Parameters { vector_size: 8, window: 20, ..Parameters::default() };
        let policy = Policy::Publisher([*key(77).verifying_key().as_bytes()].into());
        let chain = ChainGenesis::new("aardvark-test", [0; 32], parameters, policy, entries).unwrap();
        let genesis = chain.genesis().clone();
        let store = Box::new(RedbStore::in_memory().unwrap());
        let mut archive =
            Archive::builder().retention(100).scheme(Arc::clone(&scheme)).create_on(store, &genesis).unwrap();
        let mut validator = Validator::new(&genesis, Arc::clone(&scheme)).unwrap();
        let mut states = vec![(validator.root_parts(), validator.commitments().to_vec())];
        for version in 1..=VERSIONS {
            let round = Key::from("round");
            let mut claims = vec![archive.prove(&round, version - 1).unwrap()];
            let mut operations = vec![Operation::Put(round, Value::from(version.to_string().as_str()))];
            if version == 3 {
                operations.push(Operation::Delete("key-07".into()));
                claims.extend(archive.prove_delete(&"key-07".into(), version - 1).unwrap());
            }
            let transaction =
                Transaction { first_valid: version, last_valid: version + 9, nonce: [0; 16], operations, claims };
            let proposal = archive.propose(vec![transaction]).unwrap();
            assert_eq!(proposal.included, [0]);
            archive.apply(&proposal.block).unwrap();
            validator.apply(&proposal.block).unwrap();
            states.push((validator.root_parts(), validator.commitments().to_vec()));
        }
        Self { genesis, archive: Mutex::new(archive), states }
    }

    /// The root of each version, from 0.
    pub fn roots(&self) -> Vec<Digest> {
        self.states.iter().map(|(parts, _)| parts.root()).collect()
    }

    /// The root of one version.
    pub fn root(&self, version: u64) -> Digest {
        self.roots()[usize::try_from(version).unwrap()]
    }

    /// What a client has to know of it.
    pub fn facts(&self) -> DictionaryFacts {
        DictionaryFacts::of_genesis(&self.genesis)
    }

    /// An honest proof, tied to the root.
    pub fn prove(&self, key: &Key, version: u64, question: Question) -> Proof {
        let archive = self.archive.lock().unwrap();
        let claims = match question {
            Question::Get => vec![archive.prove(key, version).unwrap()],
            Question::Delete => archive.prove_delete(key, version).unwrap(),
        };
        let (parts, commitments) = &self.states[usize::try_from(version).unwrap()];
        let tied = |position: u64| {
            let vector = usize::try_from(position / 8).unwrap();
            CommitmentPath { commitment: commitments[vector].to_bytes(), path: commitment_path(commitments, vector) }
        };
        let paths = claims.iter().map(|claim| tied(claim.position)).collect();
        let mut proof = archive.key_proof(key.clone(), version, claims);
        proof.root = Some(ProofRoot::new(parts, paths));
        proof
    }

    /// An honest proof of an answer, tied to the root.
    pub fn prove_answer(&self, question: &aardvark_proof::Question, version: u64) -> AnswerProof {
        self.prove_answer_as(question, version, false)
    }

    /// The same, with one opening for all claims where they are proved together.
    pub fn prove_answer_as(&self, question: &aardvark_proof::Question, version: u64, together: bool) -> AnswerProof {
        let (parts, _) = &self.states[usize::try_from(version).unwrap()];
        let form = AnswerForm { together, root: Some(parts.clone()) };
        self.archive.lock().unwrap().prove_answer_as(question, version, &form).unwrap()
    }

    /// What an honest archive answers to `GET /v1/range` and `POST /v1/answer` that gives at most
    /// `most` entries or keys at a time, the proofs changed on the way.
    pub fn answer_question(&self, request: &Request, most: u64, change: impl Fn(AnswerProof) -> AnswerProof) -> Reply {
        let (version, question, together) = asked(request);
        let count = match &question {
            aardvark_proof::Question::Region(Region::Keys(keys)) => keys.len() as u64,
            aardvark_proof::Question::Region(Region::Range(range)) => range.limit.unwrap(),
            _ => 1,
        };
        if count > most {
            return Reply::Body(422, br#"{"error":"less at a time","code":"too_costly"}"#.to_vec());
        }
        Reply::Body(
            200,
            answer_json::write_line(&change(self.prove_answer_as(&question, version, together))).unwrap().into_bytes(),
        )
    }

    /// `genesis.json` of a chain that begins with it.
    pub fn genesis_file(&self, chain_id: &str) -> Vec<u8> {
        let entry = |(key, value): &(Key, Value)| json!({ "key": format!("0x{}", hex::encode(&**key)), "value": format!("0x{}", hex::encode(&**value)) });
        let state = json!({
            "aardvark": 2,
            "salt": format!("0x{}", hex::encode(self.genesis.identity().salt())),
            "parameters": { "vector_size": 8, "window": 20 },
            "setup": format!("0x{}", hex::encode(self.genesis.setup_digest())),
            "policy": { "publisher": { "keys": [format!("0x{}", hex::encode(key(77).verifying_key().as_bytes()))] } },
            "content": self.genesis.entries().iter().map(entry).collect::<Vec<_>>(),
        });
        json!({ "chain_id": chain_id, "initial_height": "1", "app_state": state }).to_string().into_bytes()
    }

    /// What an honest archive answers to `POST /v1/proofs`, the proofs changed on the way.
    pub fn answer(&self, request: &Request, change: impl Fn(Proof) -> Proof) -> Reply {
        assert_eq!(request.path, "/v1/proofs");
        let asked = request.json();
        let version = asked["version"].as_u64().unwrap_or(VERSIONS);
        if version > VERSIONS {
            let body = json!({ "error": format!("there is no version {version}"), "code": "no_such_version" });
            return Reply::Body(404, body.to_string().into_bytes());
        }
        let prove = |field: &str, question: Question| {
            let prove = |key: &Json| {
                let key = Key::from(hex::decode(key.as_str().unwrap().strip_prefix("0x").unwrap()).unwrap());
                let proof = change(self.prove(&key, version, question));
                serde_json::from_str::<Json>(&proof_json::write_line(&proof).unwrap()).unwrap()
            };
            asked[field].as_array().unwrap().iter().map(prove).collect::<Vec<Json>>()
        };
        let proofs = [prove("keys", Question::Get), prove("deletes", Question::Delete)].concat();
        Reply::Body(200, json!({ "version": version, "proofs": proofs }).to_string().into_bytes())
    }
}

/// The version and the question of a request, whose range comes in the address, and whether it is
/// to be proved together.
fn asked(request: &Request) -> (u64, aardvark_proof::Question, bool) {
    let Some(query) = request.path.strip_prefix("/v1/range?") else {
        assert_eq!(request.path, "/v1/answer");
        let asked = request.json();
        assert_eq!(asked["root"], true);
        let question: QuestionJson = serde_json::from_value(asked["question"].clone()).unwrap();
        return (asked["version"].as_u64().unwrap(), question.try_into().unwrap(), asked["together"] == true);
    };
    let field = |name: &str| {
        let found = query.split('&').find_map(|field| field.strip_prefix(name)?.strip_prefix('='));
        found.unwrap_or_else(|| panic!("no {name} in {query}")).to_owned()
    };
    let key = |name: &str| hex::decode(field(name).strip_prefix("0x").unwrap()).unwrap();
    assert_eq!(field("root"), "true");
    let limit = Some(field("limit").parse().unwrap());
    let question = aardvark_proof::Question::range(key("from"), key("to"), limit);
    (field("version").parse().unwrap(), question, field("together") == "true")
}
