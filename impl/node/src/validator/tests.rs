//! The application as CometBFT asks it, without CometBFT.

mod beginning;
mod board;
mod content;
mod halting;
mod joining;
mod other_chains;
mod proposals;
mod rollback;
mod sets;
mod tables;
mod upgrading;
mod work;

use std::collections::BTreeSet;
use std::sync::Arc;

use aardvark_chain::{BlockLimits, ChainBlock, ChainGenesis, Policy, SignedTransaction, TxCode};
use aardvark_client::testing::{Reply, TestServer};
use aardvark_commitment::VectorCommitment as _;
use aardvark_dictionary::array::{Slots as _, WholeArray, Write};
use aardvark_dictionary::{Claim, Key, Operation, Parameters, Reason, Slot, Transaction};
use ed25519_dalek::SigningKey;
use prost::bytes::Bytes;
use sha2::Digest as _;
use tempfile::TempDir;
use tendermint_proto::v0_38::abci::{
    CheckTxType, RequestCheckTx, RequestFinalizeBlock, RequestPrepareProposal, RequestProcessProposal,
    ResponseFinalizeBlock, response_process_proposal::ProposalStatus,
};

use crate::validator::{Application, Fatal, ValidatorOptions};

const LIMIT: i64 = 1 << 20;

/// A validator, and the data that archives have and it has not.
struct Scene {
    folder: TempDir,
    genesis: ChainGenesis,
    app: Application,
    arrays: Vec<WholeArray>,
    nonce: u8,
}

fn publisher() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

fn put(key: &str, value: &str) -> Operation {
    Operation::Put(key.into(), value.into())
}

fn options(folder: &TempDir, name: &str, archives: &[String]) -> ValidatorOptions {
    ValidatorOptions {
        home: folder.path().join(name),
        genesis: folder.path().join("genesis.json"),
        content: None,
        archives: archives.to_vec(),
        snapshot_interval: 2,
        retain_blocks: 0,
        table_bytes: 0,
        halt_height: None,
        upgrades: Vec::new(),
    }
}

fn small() -> Parameters {
    Parameters { vector_size: 4, window: 5, ..Parameters::default() }
}

impl Scene {
    /// Thirteen slots in vectors of four, of which the validator has the last five in plaintext.
    fn new(archives: &[String]) -> Self {
        Self::with(archives, small(), 12)
    }

    /// So many keys `k00`, `k01` and on, under these parameters.
    fn with(archives: &[String], parameters: Parameters, keys: u32) -> Self {
        Self::limited(archives, parameters, keys, BlockLimits::default())
    }

    /// The same with limits of a block.
    fn limited(archives: &[String], parameters: Parameters, keys: u32, limits: BlockLimits) -> Self {
        let entries = (0..keys).map(|i| (Key::from(format!("k{i:02}").as_str()), "old".into())).collect();
        let policy = Policy::Publisher(BTreeSet::from([publisher().verifying_key().to_bytes()]));
        let genesis = ChainGenesis::new("test", [0; 32], parameters, policy, entries).unwrap();
        Self::begin(archives, "test", genesis.with_block_limits(limits).unwrap())
    }

    fn begin(archives: &[String], chain: &str, genesis: ChainGenesis) -> Self {
        let folder = TempDir::new().unwrap();
        let file = serde_json::json!({ "chain_id": chain, "app_state": genesis.to_app_state() });
        std::fs::write(folder.path().join("genesis.json"), file.to_string()).unwrap();
        let app = Application::open(&options(&folder, "a", archives)).unwrap();
        let arrays = vec![genesis.genesis().slots().collect()];
        Self { folder, genesis, app, arrays, nonce: 0 }
    }

    fn another(&self, name: &str) -> Application {
        Application::open(&options(&self.folder, name, &[])).unwrap()
    }

    fn claim(&self, version: usize, position: u64) -> Claim {
        let array = &self.arrays[version];
        let vector_size = self.genesis.genesis().parameters().positions_per_vector();
        let first = position / vector_size * vector_size;
        let slot_at = |position| array.slot_at(position).unwrap().unwrap();
        let scalars: Vec<_> = (first..(first + vector_size).min(array.size())).map(|p| slot_at(p).scalar()).collect();
        let index = usize::try_from(position - first).unwrap();
        let scheme = Arc::clone(self.app.state().scheme());
        Claim { position, slot: slot_at(position), opening: scheme.open(&scalars, index).unwrap().to_bytes() }
    }

    fn transaction(&mut self, operations: &[Operation]) -> Transaction {
        let version = self.arrays.len() - 1;
        let array = &self.arrays[version];
        let mut positions = BTreeSet::new();
        for operation in operations {
            positions.insert(array.covering(operation.key()).unwrap().unwrap().0);
            if matches!(operation, Operation::Delete(_)) {
                positions.insert(array.preceding(operation.key()).unwrap().unwrap().0);
            }
        }
        let claims = positions.into_iter().map(|position| self.claim(version, position)).collect();
        self.nonce += 1;
        let first_valid = version as u64 + 1;
        let nonce = [self.nonce; 16];
        Transaction { first_valid, last_valid: first_valid + 5, nonce, operations: operations.to_vec(), claims }
    }

    fn sign(&self, transaction: Transaction) -> Vec<u8> {
        SignedTransaction::sign(transaction, &self.genesis.genesis().dictionary_id(), &[publisher()]).encode()
    }

    fn signed(&mut self, operations: &[Operation]) -> Vec<u8> {
        let transaction = self.transaction(operations);
        self.sign(transaction)
    }

    fn check(&self, tx: &[u8]) -> TxCode {
        self.check_as(tx, CheckTxType::New)
    }

    fn check_as(&self, tx: &[u8], kind: CheckTxType) -> TxCode {
        let request = RequestCheckTx { tx: tx.to_vec().into(), r#type: kind.into() };
        TxCode::from_number(self.app.check_txs(&[request])[0].code).unwrap()
    }

    fn height(&self) -> i64 {
        i64::try_from(self.arrays.len()).unwrap()
    }

    fn prepare(&self, txs: &[Vec<u8>], limit: i64) -> Vec<Bytes> {
        let txs = txs.iter().cloned().map(Bytes::from).collect();
        let height = self.height();
        let request = RequestPrepareProposal { txs, max_tx_bytes: limit, height, ..Default::default() };
        self.app.prepare_proposal(request).unwrap().txs
    }

    fn accepts(&self, txs: &[Bytes]) -> bool {
        let request = RequestProcessProposal {
            txs: txs.to_vec(),
            height: self.height(),
            hash: vec![1; 32].into(),
            ..Default::default()
        };
        self.app.process_proposal(&request).unwrap().status == i32::from(ProposalStatus::Accept)
    }

    fn decide(&mut self, txs: &[Bytes]) -> ResponseFinalizeBlock {
        let response = self.app.finalize_block(&finalize(self.height(), txs, 1)).unwrap();
        self.app.commit().unwrap();
        let state = self.app.state();
        let mut array = self.arrays.last().unwrap().clone();
        let entry = state.window().entries().next_back().unwrap();
        let write = |(position, after): &(u64, Option<Slot>)| {
            let before = array.slot_at(*position).unwrap();
            Write { position: *position, before, after: after.clone() }
        };
        let writes: Vec<_> = entry.writes.iter().map(write).collect();
        array.take(&writes, state.size());
        drop(state);
        self.arrays.push(array);
        response
    }

    /// Proposes, judges, decides: what an honest network does with a mempool.
    fn step(&mut self, txs: &[Vec<u8>]) -> (Vec<Bytes>, ResponseFinalizeBlock) {
        let proposal = self.prepare(txs, LIMIT);
        assert!(self.accepts(&proposal));
        let response = self.decide(&proposal);
        (proposal, response)
    }
}

fn finalize(height: i64, txs: &[Bytes], hash: u8) -> RequestFinalizeBlock {
    RequestFinalizeBlock { txs: txs.to_vec(), height, hash: vec![hash; 32].into(), ..Default::default() }
}

fn codes(response: &ResponseFinalizeBlock) -> Vec<TxCode> {
    response.tx_results.iter().map(|result| TxCode::from_number(result.code).unwrap()).collect()
}

#[test]
fn a_block_goes_from_mempool_to_disk_and_its_app_hash_is_the_state_root() {
    let mut scene = Scene::new(&[]);
    let txs = [scene.signed(&[put("k01", "new"), put("new", "1")]), scene.signed(&[put("k05", "new")])];
    assert!(txs.iter().all(|tx| scene.check(tx) == TxCode::Applied));
    let (proposal, response) = scene.step(&txs);
    assert_eq!(proposal.len(), 3);
    assert_eq!(codes(&response), [TxCode::Applied; 3]);
    assert_eq!(response.app_hash, scene.app.state().root().to_vec());
    let sent = SignedTransaction::decode(&txs[0], &Parameters::default().limits).unwrap();
    let id = sent.transaction.id(&scene.genesis.genesis().dictionary_id());
    let event = &response.tx_results[1].events[0];
    assert!(event.attributes.iter().all(|attribute| attribute.index));
    assert_eq!((event.r#type.as_str(), event.attributes[0].value.clone()), ("aardvark", hex::encode(id.0)));
    let signer = hex::encode(publisher().verifying_key().to_bytes());
    assert_eq!((event.attributes[2].key.as_str(), event.attributes[2].value.clone()), ("signer", signer));
    // CometBFT's hash of what is in the block is the one that the sender knows.
    assert_eq!(sha2::Sha256::digest(&proposal[1]).as_slice(), sent.block_hash());
    // Again, it is a replay.
    assert_eq!(scene.check(&txs[0]), TxCode::Rejected(Reason::Replayed));
    assert_eq!(scene.check_as(&txs[0], CheckTxType::Recheck), TxCode::Rejected(Reason::Replayed));
    assert!(scene.prepare(&txs, LIMIT).is_empty());
}

#[test]
fn what_comes_from_disk_is_what_was_committed_after_every_kind_of_block() {
    let mut scene = Scene::new(&[]);
    let replica = scene.another("replica");
    // Updates, growth over vectors, shrinking with moves, an empty block, a block past the window.
    let mut steps: Vec<Vec<Operation>> =
        vec![vec![put("k01", "1")], (0..6).map(|i| put(&format!("n{i}"), "1")).collect()];
    steps.extend((0..4).map(|i| vec![Operation::Delete(format!("n{i}").as_str().into())]));
    steps.extend([vec![], vec![put("k02", "2")], vec![], vec![], vec![]]);
    for (place, operations) in steps.into_iter().enumerate() {
        let tx = (!operations.is_empty()).then(|| scene.signed(&operations));
        let (proposal, response) = scene.step(&tx.into_iter().collect::<Vec<_>>());
        assert_eq!(proposal.is_empty(), operations.is_empty(), "{place}");
        // Who did not see the proposal comes to the same.
        let height = scene.height() - 1;
        let replayed = replica.finalize_block(&finalize(height, &proposal, 9)).unwrap();
        replica.commit().unwrap();
        assert_eq!(replayed.app_hash, response.app_hash, "{place}");
        let (state, root) = (scene.app.state().state(), scene.app.state().root());
        scene.app = scene.another("elsewhere");
        scene.app = scene.another("a");
        assert_eq!(scene.app.state().state(), state, "{place}");
        let info = scene.app.info().unwrap();
        assert_eq!((info.last_block_height, info.last_block_app_hash.to_vec()), (height, root.to_vec()));
    }
}

#[test]
fn false_openings_among_good_ones_foreign_signers_and_bad_bytes_do_not_get_in() {
    let mut scene = Scene::new(&[]);
    let good: Vec<_> = (0..6).map(|i| scene.transaction(&[put(&format!("k{i:02}"), "new")])).collect();
    let mut forged = good[0].clone();
    forged.nonce = [99; 16];
    forged.claims[0].slot.value = "forged".into();
    assert_eq!(scene.check(&scene.sign(forged.clone())), TxCode::Rejected(Reason::OpeningFalse));
    let id = scene.genesis.genesis().dictionary_id();
    let stranger = SigningKey::from_bytes(&[8; 32]);
    let foreign = SignedTransaction::sign(good[0].clone(), &id, &[stranger]).encode();
    assert_eq!(scene.check(&foreign), TxCode::SignerSuperfluous);
    assert_eq!(scene.check(&SignedTransaction::sign(good[0].clone(), &id, &[]).encode()), TxCode::SignerMissing);
    let other_chain = aardvark_dictionary::DictionaryId([0; 32]);
    let elsewhere = SignedTransaction::sign(good[0].clone(), &other_chain, &[publisher()]).encode();
    assert_eq!(scene.check(&elsewhere), TxCode::SignatureFalse);
    assert_eq!(scene.check(b""), TxCode::Malformed);
    assert_eq!(scene.check(&[1; 100]), TxCode::Malformed);
    assert_eq!(scene.check(&vec![1; 2 << 20]), TxCode::TooLong);
    // Should they be in a mempool all the same, a proposal leaves them out and keeps the rest.
    let mut txs: Vec<_> = good.into_iter().map(|transaction| scene.sign(transaction)).collect();
    txs.insert(3, scene.sign(forged));
    txs.extend([foreign, elsewhere, vec![1; 100]]);
    let (proposal, response) = scene.step(&txs);
    assert_eq!((proposal.len(), codes(&response).len()), (7, 7));
}

#[test]
fn a_proposal_that_breaks_the_rules_is_refused_and_decided_all_the_same_it_is_empty() {
    let mut scene = Scene::new(&[]);
    let tx = scene.signed(&[put("k01", "new")]);
    let honest = scene.prepare(&[tx], LIMIT);
    let parameters = scene.genesis.genesis().parameters().clone();
    let mut forged = ChainBlock::from_txs(1, &honest, &parameters).unwrap();
    forged.aggregated.block.transactions[0].claims[0].slot.value = "forged".into();
    let mut unsigned = ChainBlock::from_txs(1, &honest, &parameters).unwrap();
    unsigned.signatures[0].clear();
    let lists = [
        forged.to_txs().into_iter().map(Bytes::from).collect(),
        unsigned.to_txs().into_iter().map(Bytes::from).collect(),
        honest[1..].to_vec(),
        vec![honest[0].clone(), honest[1].clone(), honest[1].clone()],
        vec![Bytes::from_static(b"garbage")],
    ];
    for txs in &lists {
        assert!(!scene.accepts(txs));
    }
    let before = scene.app.state().state();
    let response = scene.decide(&lists[0]);
    assert_eq!(codes(&response), [TxCode::BlockRefused; 2]);
    assert_eq!(response.tx_results[1].events[0].attributes[1].value, "BlockRefused");
    let after = scene.app.state().state();
    assert_eq!((after.version, after.commitments, after.replay), (1, before.commitments, before.replay));
    assert_eq!(codes(&scene.decide(&lists[4])), [TxCode::BlockRefused]);
    // The transaction was not applied, so it can be.
    assert!(scene.prepare(&[], LIMIT).is_empty());
}

#[test]
fn what_can_no_longer_succeed_leaves_the_mempool_after_the_block() {
    let mut scene = Scene::new(&[]);
    let number = |value: u64| Operation::Put("n".into(), value.to_be_bytes().as_slice().into());
    let funding = scene.signed(&[number(5)]);
    scene.step(&[funding]);
    let spends = [scene.signed(&[Operation::Sub("n".into(), 3)]), scene.signed(&[Operation::Sub("n".into(), 4)])];
    assert!(spends.iter().all(|tx| scene.check(tx) == TxCode::Applied));
    let (proposal, _) = scene.step(&spends);
    assert_eq!(proposal.len(), 2);
    assert_eq!(scene.check_as(&spends[1], CheckTxType::Recheck), TxCode::Rejected(Reason::Underflow));
    assert_eq!(scene.check(&spends[1]), TxCode::Rejected(Reason::Underflow));
}

#[test]
fn deletes_wait_until_an_archive_has_given_the_tail_vectors_whatever_others_give() {
    let slots = |first: u64, array: &WholeArray| -> Vec<_> {
        let hex = |bytes: &[u8]| format!("0x{}", hex::encode(bytes));
        let slot = |position| array.slot_at(position).unwrap().unwrap();
        let json = |slot: Slot| serde_json::json!({ "key": hex(&slot.key), "value": hex(&slot.value), "next": hex(&slot.next) });
        (first..first + 4).map(|position| json(slot(position))).collect()
    };
    let array: WholeArray = Scene::new(&[]).arrays[0].clone();
    let answer =
        serde_json::json!({ "version": 0, "start": 8, "slots": [], "vectors": [slots(4, &array), slots(0, &array)] });
    // The first archive gives other slots, the second fewer vectors than it is asked for.
    let (mut other, mut short) = (answer.clone(), answer.clone());
    other["vectors"][0][0]["value"] = "0x00".into();
    short["vectors"].as_array_mut().unwrap().pop();
    let archives = [other, short, answer]
        .map(|answer| TestServer::new(move |_| Reply::Body(200, answer.to_string().into_bytes())));
    let urls = archives.each_ref().map(|archive| archive.url.clone());
    let mut scene = Scene::new(&urls);
    // Six deletes leave seven slots, one below the tail's start.
    let deletes: Vec<_> = (0..6).map(|i| Operation::Delete(format!("k{i:02}").as_str().into())).collect();
    let tx = scene.signed(&deletes);
    assert_eq!(scene.check(&tx), TxCode::Applied);
    assert!(scene.prepare(std::slice::from_ref(&tx), LIMIT).is_empty());
    scene.decide(&[]);
    let started = std::time::Instant::now();
    let proposal = loop {
        let proposal = scene.prepare(std::slice::from_ref(&tx), LIMIT);
        if !proposal.is_empty() || started.elapsed().as_secs() > 120 {
            break proposal;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    assert!(scene.accepts(&proposal));
    assert_eq!(codes(&scene.decide(&proposal)), [TxCode::Applied; 2]);
    assert_eq!(scene.app.state().size(), 7);
    let state = scene.app.state().state();
    scene.app = scene.another("elsewhere");
    assert_eq!(scene.another("a").state().state(), state);
}

#[test]
fn who_asks_for_the_application_between_finalize_and_commit_does_not_stop_it() {
    let mut scene = Scene::new(&[]);
    let tx = scene.signed(&[put("k01", "new")]);
    let proposal = scene.prepare(&[tx], LIMIT);
    let finalized = scene.app.finalize_block(&finalize(1, &proposal, 1)).unwrap();
    assert_eq!(scene.app.info().unwrap().last_block_height, 0);
    scene.app.commit().unwrap();
    let info = scene.app.info().unwrap();
    assert_eq!((info.last_block_height, info.last_block_app_hash), (1, finalized.app_hash));
}

#[test]
fn a_block_that_was_finalized_and_not_committed_is_proposed_judged_and_done_again() {
    let mut scene = Scene::new(&[]);
    let tx = scene.signed(&[put("k01", "new")]);
    let proposal = scene.prepare(std::slice::from_ref(&tx), LIMIT);
    let first = scene.app.finalize_block(&finalize(1, &proposal, 1)).unwrap();
    assert_eq!(scene.app.version(), 1);
    // CometBFT has come back, and goes on at any of these.
    assert_eq!(scene.prepare(&[tx], LIMIT), proposal);
    scene.app.finalize_block(&finalize(1, &proposal, 1)).unwrap();
    assert!(scene.accepts(&proposal));
    scene.app.finalize_block(&finalize(1, &proposal, 1)).unwrap();
    let again = scene.app.finalize_block(&finalize(1, &proposal, 1)).unwrap();
    assert_eq!(first.app_hash, again.app_hash);
    scene.app.commit().unwrap();
    assert!(matches!(scene.app.commit(), Err(Fatal::NothingToCommit)));
    let skipped = scene.app.finalize_block(&finalize(3, &[], 1));
    assert!(matches!(skipped, Err(Fatal::Height { expected: 2, found: 3 })));
}
