//! Limits of a block's work, and checks that run only once.

use aardvark_chain::{BlockLimits, ChainBlock, SignedTransaction, TxCode};
use aardvark_dictionary::Parameters;
use prost::bytes::Bytes;
use sha2::{Digest as _, Sha256};
use tendermint_proto::v0_38::abci::{CheckTxType, RequestCheckTx, RequestInitChain, ResponseCheckTx};

use super::{LIMIT, Scene, put};
use crate::validator::lock::lock;
use crate::validator::waiting::Load;

impl Scene {
    fn answer(&self, tx: &[u8], kind: CheckTxType) -> ResponseCheckTx {
        let request = RequestCheckTx { tx: tx.to_vec().into(), r#type: kind.into() };
        self.app.check_txs(&[request]).remove(0)
    }

    /// So many transactions that change one value each.
    fn writes(&mut self, count: usize) -> Vec<Vec<u8>> {
        (0..count).map(|i| self.signed(&[put(&format!("k{i:02}"), "new")])).collect()
    }

    fn work(&self, tx: &[u8]) -> u64 {
        let signed = SignedTransaction::decode(tx, &self.genesis.genesis().parameters().limits).unwrap();
        signed.gas()
    }
}

/// Blocks of so much work.
fn limited(max_gas: u64) -> Scene {
    let parameters = Parameters { vector_size: 4, window: 5, ..Parameters::default() };
    Scene::limited(&[], parameters, 12, BlockLimits { max_gas, ..BlockLimits::default() })
}

#[test]
fn cometbft_hears_of_a_transaction_s_work_and_of_the_most_that_a_block_may_be() {
    let mut scene = limited(5_000);
    let tx = scene.signed(&[put("k01", "new")]);
    let work = i64::try_from(scene.work(&tx)).unwrap();
    for kind in [CheckTxType::New, CheckTxType::New, CheckTxType::Recheck] {
        let answer = scene.answer(&tx, kind);
        assert_eq!((answer.code, answer.gas_wanted), (0, work), "{kind:?}");
    }
    let app_state_bytes = scene.genesis.to_app_state().to_string().into_bytes().into();
    let request =
        RequestInitChain { chain_id: "test".to_owned(), app_state_bytes, initial_height: 1, ..Default::default() };
    let block = scene.app.init_chain(&request).unwrap().consensus_params.unwrap().block.unwrap();
    assert_eq!((block.max_bytes, block.max_gas), (4 << 20, 5_000));
}

#[test]
fn a_chain_whose_blocks_may_be_larger_is_another_chain() {
    let scene = limited(5_000);
    let app_state_bytes = limited(5_001).genesis.to_app_state().to_string().into_bytes().into();
    let request =
        RequestInitChain { chain_id: "test".to_owned(), app_state_bytes, initial_height: 1, ..Default::default() };
    assert!(scene.app.init_chain(&request).is_err());
}

#[test]
fn a_block_of_more_work_than_genesis_allows_is_neither_proposed_nor_accepted() {
    let mut free = limited(1_000_000);
    let txs = free.writes(6);
    let work: u64 = txs.iter().map(|tx| free.work(tx)).sum();
    let all = free.prepare(&txs, LIMIT);
    assert_eq!((all.len(), free.accepts(&all)), (7, true));
    // One unit less than all of it: the last one waits.
    let mut scene = limited(work - 1);
    let same = scene.writes(6);
    assert_eq!(same, txs);
    let proposal = scene.prepare(&txs, LIMIT);
    assert_eq!((proposal.len(), scene.accepts(&proposal)), (6, true));
    // Proposed and decided by others all the same, it is applied as empty.
    let mut scene = limited(work - 1);
    assert!(!scene.accepts(&all));
    let codes = super::codes(&scene.decide(&all));
    assert_eq!(codes, [TxCode::BlockRefused; 7]);
}

#[test]
fn a_transaction_of_more_work_than_a_block_does_not_wait() {
    let mut scene = limited(1_000_000);
    let tx = scene.signed(&[put("k01", "new")]);
    let work = scene.work(&tx);
    assert_eq!(limited(work).check(&tx), TxCode::Applied);
    assert_eq!(limited(work - 1).check(&tx), TxCode::TooMuchWork);
}

#[test]
fn openings_that_check_tx_found_true_are_not_verified_again_for_a_proposal() {
    let mut scene = Scene::new(&[]);
    let mut transaction = scene.transaction(&[put("k01", "new")]);
    transaction.claims[0].opening = scene.transaction(&[put("k05", "new")]).claims[0].opening;
    let false_one = scene.sign(transaction);
    // Nobody knows it: it is verified, and left out.
    let taken =
        |scene: &Scene| scene.app.proposer(&scene.app.state()).true_ones(&[Bytes::from(false_one.clone())]).len();
    assert_eq!(taken(&scene), 0);
    let digest = Sha256::digest(&false_one).into();
    lock(&scene.app.mempool.waiting).take(digest, Load { gas: 1_000, signers: vec![[1; 32]] }, 0).unwrap();
    assert_eq!(taken(&scene), 0);
    // Had CheckTx found it true, the proposer would take it, and see that it is false when it
    // judges its own block.
    lock(&scene.app.mempool.waiting).believe(&digest);
    assert_eq!(taken(&scene), 1);
    assert!(scene.prepare(std::slice::from_ref(&false_one), LIMIT).is_empty());
}

#[test]
fn a_verdict_is_of_the_very_bytes_and_goes_with_the_transaction() {
    let mut scene = Scene::new(&[]);
    let txs = scene.writes(2);
    let knows = |scene: &Scene, tx: &[u8]| lock(&scene.app.mempool.waiting).knows(&Sha256::digest(tx).into());
    assert_eq!(scene.check(&txs[0]), TxCode::Applied);
    let mut longer = txs[0].clone();
    longer.push(0);
    assert_eq!((knows(&scene, &txs[0]), knows(&scene, &longer), knows(&scene, &txs[1])), (true, false, false));
    scene.step(&txs);
    // Replayed now, which CometBFT hears when it asks again.
    assert_eq!(scene.check_as(&txs[0], CheckTxType::Recheck).name(), "Replayed");
    assert!(!knows(&scene, &txs[0]));
}

#[test]
fn a_signer_has_no_more_waiting_than_leaves_room_for_others_until_blocks_take_it() {
    let mut scene = limited(20_000);
    let mut waiting = Vec::new();
    let code = loop {
        let tx = scene.signed(&[put("k01", "new")]);
        match scene.check(&tx) {
            TxCode::Applied => waiting.push(tx),
            code => break code,
        }
    };
    let work: u64 = waiting.iter().map(|tx| scene.work(tx)).sum();
    assert!(code == TxCode::TooMuchWaiting && (25_000..=80_000 / 3).contains(&work), "{code:?} {work}");
    let (proposal, _) = scene.step(&waiting);
    let block = ChainBlock::from_txs(1, &proposal, scene.genesis.genesis().parameters()).unwrap();
    assert!((19_000..=20_000).contains(&block.gas()), "{}", block.gas());
    let asked_again: Vec<_> = waiting.iter().map(|tx| scene.check_as(tx, CheckTxType::Recheck)).collect();
    assert_eq!(asked_again.iter().filter(|code| **code == TxCode::Applied).count(), waiting.len() + 1 - proposal.len());
    let next = scene.signed(&[put("k02", "new")]);
    assert_eq!(scene.check(&next), TxCode::Applied);
}
