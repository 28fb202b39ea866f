//! Validators that a council changes, and that evidence removes.

use std::collections::BTreeMap;

use aardvark_chain::validator_change::root_of_app_hash;
use aardvark_chain::{Council, SignedChange, ValidatorChange};
use serde_json::json;
use sha2::Sha256;
use tendermint_proto::v0_38::abci::{
    Misbehavior, RequestApplySnapshotChunk, RequestInitChain, RequestLoadSnapshotChunk, RequestOfferSnapshot,
    Validator as Offender, ValidatorUpdate, response_apply_snapshot_chunk::Result as ChunkResult,
};
use tendermint_proto::v0_38::crypto::{PublicKey, public_key::Sum};

use super::*;

fn key(seed: u8) -> SigningKey {
    SigningKey::from_bytes(&[seed; 32])
}

fn public(seed: u8) -> [u8; 32] {
    key(seed).verifying_key().to_bytes()
}

fn council() -> Council {
    Council::new(2, [21, 22, 23].map(public).into()).unwrap()
}

/// A chain with a council of three, decided by the validators 31 and 32 with a power of 10 each.
fn scene() -> Scene {
    let policy = Policy::Publisher(BTreeSet::from([publisher().verifying_key().to_bytes()]));
    let entries = (0..12).map(|i| (Key::from(format!("k{i:02}").as_str()), "old".into())).collect();
    let genesis = ChainGenesis::new("test", [0; 32], small(), policy, entries).unwrap().with_council(Some(council()));
    let folder = TempDir::new().unwrap();
    let listed = aardvark_client::testing::genesis_validators_json(&[31, 32]);
    let file = json!({ "chain_id": "test", "app_state": genesis.to_app_state(), "validators": listed });
    std::fs::write(folder.path().join("genesis.json"), file.to_string()).unwrap();
    let app = Application::open(&options(&folder, "a", &[])).unwrap();
    let arrays = vec![genesis.genesis().slots().collect()];
    Scene { folder, genesis, app, arrays, nonce: 0 }
}

fn change(scene: &Scene, follows: u64, updates: &[(u8, u64)], signers: &[u8]) -> Vec<u8> {
    let updates = updates.iter().map(|(seed, power)| (public(*seed), *power)).collect();
    let change = ValidatorChange { follows, updates };
    let dictionary = scene.genesis.genesis().dictionary_id();
    let mut signatures: Vec<_> = signers.iter().map(|seed| change.sign(&dictionary, &council(), &key(*seed))).collect();
    signatures.sort_by_key(|signature| signature.public_key);
    SignedChange { change, signatures }.encode()
}

fn evidence(seed: u8) -> Misbehavior {
    let address = Sha256::digest(public(seed))[..20].to_vec().into();
    Misbehavior { validator: Some(Offender { address, power: 10 }), ..Misbehavior::default() }
}

fn updated(response: &ResponseFinalizeBlock) -> BTreeMap<[u8; 32], i64> {
    let entry = |update: &ValidatorUpdate| match update.pub_key.clone().unwrap().sum.unwrap() {
        Sum::Ed25519(key) => (key.try_into().unwrap(), update.power),
        Sum::Secp256k1(_) => panic!("a key of another kind"),
    };
    response.validator_updates.iter().map(entry).collect()
}

fn powers(scene: &Scene) -> BTreeMap<[u8; 32], u64> {
    scene.app.validators().unwrap().powers().clone()
}

#[test]
fn a_change_that_the_council_signed_is_proposed_decided_once_and_survives_a_restart() {
    let mut scene = scene();
    let good = change(&scene, 0, &[(33, 5), (31, 0)], &[21, 23]);
    assert_eq!(scene.check(&good), TxCode::Applied);
    let put = scene.signed(&[put("k01", "new")]);
    // Whatever the mempool's order, the change comes first, and only one.
    let (proposal, response) = scene.step(&[put, good.clone(), good.clone()]);
    assert_eq!((proposal.len(), &proposal[0][..]), (3, &good[..]));
    assert_eq!(codes(&response), [TxCode::Applied; 3]);
    assert_eq!(updated(&response), [(public(31), 0), (public(33), 5)].into());
    assert_eq!(powers(&scene), [(public(32), 10), (public(33), 5)].into());
    assert_eq!(response.app_hash.len(), 64);
    assert_eq!(root_of_app_hash(&response.app_hash), Some(scene.app.state().root()));
    // Sent again it is stale, to the mempool, to proposers, to judges and to the decided block.
    assert_eq!(scene.check(&good), TxCode::ChangeStale);
    assert_eq!(scene.check_as(&good, CheckTxType::Recheck), TxCode::ChangeStale);
    assert!(scene.prepare(std::slice::from_ref(&good), LIMIT).is_empty());
    let again = [Bytes::from(good)];
    assert!(!scene.accepts(&again));
    let response = scene.decide(&again);
    assert_eq!((codes(&response), updated(&response)), (vec![TxCode::ChangeStale], BTreeMap::new()));
    let (info, set) = (scene.app.info().unwrap(), scene.app.validators());
    assert_eq!(info.last_block_app_hash, response.app_hash);
    drop(std::mem::replace(&mut scene.app, Application::open(&options(&scene.folder, "b", &[])).unwrap()));
    let reopened = Application::open(&options(&scene.folder, "a", &[])).unwrap();
    assert_eq!((reopened.info().unwrap(), reopened.validators()), (info, set));
}

#[test]
fn hostile_changes_are_refused_by_name_and_change_nothing() {
    let scene = scene();
    let good = change(&scene, 0, &[(33, 5)], &[21, 22]);
    let mut forged = good.clone();
    *forged.last_mut().unwrap() ^= 1;
    let hostile = [
        (vec![6], TxCode::Malformed),
        (good[..good.len() - 1].to_vec(), TxCode::Malformed),
        (change(&scene, 0, &[], &[21, 22]), TxCode::Malformed),
        (forged, TxCode::SignatureFalse),
        (change(&scene, 0, &[(33, 5)], &[]), TxCode::SignerMissing),
        (change(&scene, 0, &[(33, 5)], &[22]), TxCode::SignerMissing),
        (change(&scene, 0, &[(33, 5)], &[21, 22, 31]), TxCode::SignerSuperfluous),
        (change(&scene, 1, &[(33, 5)], &[21, 22]), TxCode::ChangeStale),
        (change(&scene, 0, &[(33, 0)], &[21, 22]), TxCode::ValidatorUnknown),
        (change(&scene, 0, &[(31, 0), (32, 0)], &[21, 22]), TxCode::SetForbidden),
        (change(&scene, 0, &[(33, 1 << 50)], &[21, 22]), TxCode::SetForbidden),
        (change(&scene, 0, &[(33, u64::MAX)], &[21, 22]), TxCode::SetForbidden),
    ];
    for (bytes, code) in hostile {
        assert_eq!(scene.check(&bytes), code);
        assert!(scene.prepare(std::slice::from_ref(&bytes), LIMIT).is_empty(), "{code}");
        assert!(!scene.accepts(&[bytes.into()]), "{code}");
    }
    assert_eq!(scene.check(&good), TxCode::Applied);
    assert!(scene.accepts(&[good.into()]));
    assert_eq!(powers(&scene), [(public(31), 10), (public(32), 10)].into());
}

#[test]
fn a_decided_change_that_breaks_the_rules_leaves_the_rest_of_its_block() {
    let mut scene = scene();
    let put = scene.signed(&[put("k01", "new")]);
    let mut txs = scene.prepare(&[put], LIMIT);
    txs.insert(0, change(&scene, 0, &[(31, 0), (32, 0)], &[21, 22]).into());
    let response = scene.decide(&txs);
    assert_eq!(codes(&response), [TxCode::SetForbidden, TxCode::Applied, TxCode::Applied]);
    assert!(response.validator_updates.is_empty());
}

#[test]
fn evidence_removes_the_guilty_before_any_change_and_never_the_last() {
    let mut scene = scene();
    let good = change(&scene, 0, &[(33, 5)], &[21, 22]);
    let decide = |scene: &mut Scene, txs: &[Bytes], guilty: &[u8]| {
        let misbehavior = guilty.iter().map(|seed| evidence(*seed)).collect();
        let request = RequestFinalizeBlock { misbehavior, ..finalize(scene.height(), txs, 1) };
        let response = scene.app.finalize_block(&request).unwrap();
        scene.app.commit().unwrap();
        scene.arrays.push(scene.arrays.last().unwrap().clone());
        response
    };
    // The proposer sees the evidence too, and leaves out what it makes stale.
    let misbehavior = vec![evidence(31)];
    let request = RequestPrepareProposal {
        txs: vec![good.clone().into()],
        misbehavior,
        max_tx_bytes: LIMIT,
        height: 1,
        ..Default::default()
    };
    assert!(scene.app.prepare_proposal(request).unwrap().txs.is_empty());
    let response = decide(&mut scene, &[good.into()], &[31]);
    assert_eq!((codes(&response), updated(&response)), (vec![TxCode::ChangeStale], [(public(31), 0)].into()));
    for guilty in [[32, 32], [31, 40]] {
        assert!(decide(&mut scene, &[], &guilty).validator_updates.is_empty());
    }
    assert_eq!(powers(&scene), [(public(32), 10)].into());
    assert_eq!(scene.app.validators().unwrap().last_change(), 1);
}

#[test]
fn a_snapshot_brings_the_validators_and_a_false_one_is_not_believed() {
    let mut scene = scene();
    let good = change(&scene, 0, &[(33, 5)], &[21, 22]);
    scene.step(&[good]);
    let (_, response) = scene.step(&[]);
    let snapshot = scene.app.list_snapshots().snapshots.pop().unwrap();
    let chunk = scene.app.load_snapshot_chunk(&RequestLoadSnapshotChunk { height: 2, format: 1, chunk: 0 }).chunk;
    let joiner = scene.another("joiner");
    let restore = |chunk: Bytes| {
        let digest = Sha256::digest(&chunk).to_vec();
        let (hash, metadata) = (Sha256::digest(&digest).to_vec().into(), digest.into());
        let snapshot = Some(tendermint_proto::v0_38::abci::Snapshot { hash, metadata, ..snapshot.clone() });
        joiner.offer_snapshot(RequestOfferSnapshot { snapshot, app_hash: response.app_hash.clone() }).unwrap();
        let request = RequestApplySnapshotChunk { index: 0, chunk, sender: "peer".into() };
        joiner.apply_snapshot_chunk(request).unwrap().result
    };
    // Its last change, and the power of its first validator.
    for place in [7, 8 + 2 + 32 + 7] {
        let mut lie = chunk.to_vec();
        lie[place] ^= 2;
        assert_eq!(restore(lie.into()), i32::from(ChunkResult::RejectSnapshot));
    }
    // None at all.
    assert_eq!(restore(chunk.slice(8 + 2 + 3 * 40..)), i32::from(ChunkResult::RejectSnapshot));
    assert_eq!(restore(chunk), i32::from(ChunkResult::Accept));
    assert_eq!(joiner.validators(), scene.app.validators());
    assert_eq!(joiner.info().unwrap().last_block_app_hash, response.app_hash);
}

#[test]
fn a_chain_begins_with_the_validators_of_its_genesis_file_and_no_others() {
    let scene = scene();
    let begin = |seeds: &[u8]| {
        let update = |seed: &u8| ValidatorUpdate {
            pub_key: Some(PublicKey { sum: Some(Sum::Ed25519(public(*seed).to_vec())) }),
            power: 10,
        };
        scene.app.init_chain(&RequestInitChain {
            chain_id: "test".to_owned(),
            app_state_bytes: scene.genesis.to_app_state().to_string().into(),
            validators: seeds.iter().map(update).collect(),
            initial_height: 1,
            ..RequestInitChain::default()
        })
    };
    assert_eq!(begin(&[32, 31]).unwrap().app_hash.len(), 64);
    for others in [[31].as_slice(), &[31, 33], &[31, 32, 33]] {
        assert!(matches!(begin(others), Err(Fatal::OtherChain("its validators differ"))));
    }
}
