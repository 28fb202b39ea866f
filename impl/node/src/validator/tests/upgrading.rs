//! Going over to another app version.

use aardvark_chain::SignedTransaction;
use aardvark_dictionary::Parameters;
use redb::{Database, ReadableTable, TableDefinition};
use tendermint_proto::v0_38::abci::{
    RequestApplySnapshotChunk, RequestLoadSnapshotChunk, RequestOfferSnapshot, ResponseFinalizeBlock, Snapshot,
    response_apply_snapshot_chunk::Result as Applied, response_offer_snapshot::Result as Offered,
};

use super::{Scene, finalize, options, put};
use crate::validator::{
    Application, Fatal, StartError, StoreError, Upgrade, UpgradeError, ValidatorOptions, roll_back,
};

/// A validator of the scene that is told of app version 2.
fn told(scene: &Scene, name: &str, height: u64) -> Result<Application, StartError> {
    let upgrades = vec![Upgrade { version: 2, height }];
    Application::open(&ValidatorOptions { upgrades, ..options(&scene.folder, name, &[]) })
}

/// The app version that a block announces.
fn announced(response: &ResponseFinalizeBlock) -> Option<u64> {
    Some(response.consensus_param_updates.as_ref()?.version.as_ref()?.app)
}

/// The work that each result states.
fn work(response: &ResponseFinalizeBlock) -> Vec<i64> {
    response
        .tx_results
        .iter()
        .map(|result| {
            assert_eq!(result.gas_wanted, result.gas_used);
            result.gas_used
        })
        .collect()
}

/// A block with one transaction, and what it has to say of its work.
fn step(scene: &mut Scene, key: &str) -> (ResponseFinalizeBlock, i64) {
    let tx = scene.signed(&[put(key, "new")]);
    let gas = SignedTransaction::decode(&tx, &Parameters::default().limits).unwrap().gas();
    (scene.step(&[tx]).1, i64::try_from(gas).unwrap())
}

/// The first byte of what a store's head is.
fn format(scene: &Scene, name: &str) -> u8 {
    head(scene, name, |_| {})[0]
}

/// The head of a store that nobody has open, changed.
fn head(scene: &Scene, name: &str, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    const HEAD: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("head");
    let database = Database::open(scene.folder.path().join(name).join("state.redb")).unwrap();
    let transaction = database.begin_write().unwrap();
    let mut table = transaction.open_table(HEAD).unwrap();
    let mut record = table.get("head").unwrap().unwrap().value().to_vec();
    change(&mut record);
    table.insert("head", record.as_slice()).unwrap();
    drop(table);
    transaction.commit().unwrap();
    record
}

#[test]
fn the_block_after_the_one_that_announces_a_version_is_executed_by_its_rules() {
    let mut scene = Scene::new(&[]);
    let old = scene.another("old");
    scene.app = told(&scene, "new", 2).unwrap();
    assert_eq!(scene.app.info().unwrap().app_version, 1);
    for (height, version, announces) in [(1, 1, None), (2, 1, Some(2)), (3, 2, None)] {
        let tx = scene.signed(&[put(&format!("k{height:02}"), "new")]);
        let gas = SignedTransaction::decode(&tx, &Parameters::default().limits).unwrap().gas();
        let (proposal, response) = scene.step(&[tx]);
        let stated = if version == 2 { i64::try_from(gas).unwrap() } else { 0 };
        assert_eq!((work(&response), announced(&response)), (vec![0, stated], announces), "{height}");
        let following = if height >= 2 { 2 } else { 1 };
        assert_eq!(scene.app.info().unwrap().app_version, following, "{height}");
        // The state is no other; the results are, which is a fork, from the version's first block
        // on.
        let of_old = old.finalize_block(&finalize(height, &proposal, 9)).unwrap();
        old.commit().unwrap();
        assert_eq!((&of_old.app_hash, announced(&of_old)), (&response.app_hash, None));
        assert_eq!(of_old.tx_results == response.tx_results, version == 1, "{height}");
    }
}

#[test]
fn a_block_that_is_not_committed_has_not_upgraded_and_announces_again() {
    let mut scene = Scene::new(&[]);
    scene.app = told(&scene, "new", 1).unwrap();
    for _ in 0..2 {
        assert_eq!(announced(&scene.app.finalize_block(&finalize(1, &[], 1)).unwrap()), Some(2));
        assert_eq!(scene.app.info().unwrap().app_version, 1);
    }
    scene.app.commit().unwrap();
    assert_eq!(scene.app.info().unwrap().app_version, 2);
}

#[test]
fn the_store_is_of_the_next_format_after_an_upgrade_and_knows_it() {
    let mut scene = Scene::new(&[]);
    scene.app = told(&scene, "new", 2).unwrap();
    step(&mut scene, "k01");
    scene.app = scene.another("elsewhere");
    // As a program wrote it that knows of no upgrade, which may still be started again.
    assert_eq!(format(&scene, "new"), 1);
    scene.app = told(&scene, "new", 2).unwrap();
    step(&mut scene, "k02");
    scene.app = scene.another("elsewhere");
    assert_eq!(format(&scene, "new"), 2);
    // Told otherwise it does not start, told nothing it goes on.
    let other = UpgradeError::OtherHeight { version: 2, held: 2, told: 3 };
    assert!(matches!(told(&scene, "new", 3), Err(StartError::Upgrade(error)) if error == other));
    scene.app = scene.another("new");
    let (response, gas) = step(&mut scene, "k03");
    assert_eq!((work(&response), announced(&response)), (vec![0, gas], None));
    scene.app = scene.another("elsewhere");
    // A version that this program does not run.
    head(&scene, "new", |record| {
        record[0] = 3;
        record.extend(3u64.to_be_bytes());
    });
    let refused = Application::open(&options(&scene.folder, "new", &[]));
    assert!(matches!(refused, Err(StartError::Fatal(Fatal::Store(StoreError::AppVersion(3))))));
}

#[test]
fn who_missed_an_upgrade_is_told_so_and_makes_it_after_going_back_a_block() {
    let mut scene = Scene::new(&[]);
    step(&mut scene, "k01");
    let (proposal, _) = scene.step(&[]);
    scene.app = scene.another("elsewhere");
    let missed = UpgradeError::Missed { version: 2, height: 2, held: 2, running: 1 };
    assert!(matches!(told(&scene, "a", 2), Err(StartError::Upgrade(error)) if error == missed));
    assert_eq!(roll_back(&options(&scene.folder, "a", &[]), 1).unwrap(), 1);
    let again = told(&scene, "a", 2).unwrap();
    assert_eq!(announced(&again.finalize_block(&finalize(2, &proposal, 1)).unwrap()), Some(2));
    again.commit().unwrap();
    assert_eq!(again.info().unwrap().app_version, 2);
    drop(again);
    // Back before the upgrade the store is as it was.
    assert_eq!(roll_back(&options(&scene.folder, "a", &[]), 1).unwrap(), 1);
    assert_eq!(format(&scene, "a"), 1);
}

/// What a validator says of a snapshot of the scene's own.
fn offered(app: &Application, snapshot: &Snapshot, root: [u8; 32]) -> Offered {
    let offer = RequestOfferSnapshot { snapshot: Some(snapshot.clone()), app_hash: root.to_vec().into() };
    Offered::try_from(app.offer_snapshot(offer).unwrap().result).unwrap()
}

#[test]
fn a_joiner_takes_snapshots_of_the_app_version_that_it_is_told_of_and_goes_on_by_it() {
    let mut scene = Scene::new(&[]);
    scene.app = told(&scene, "new", 3).unwrap();
    for key in ["k01", "k02", "k03", "k04"] {
        step(&mut scene, key);
    }
    let snapshots = scene.app.list_snapshots().snapshots;
    let formats: Vec<_> = snapshots.iter().map(|snapshot| (snapshot.height, snapshot.format)).collect();
    assert_eq!(formats, [(2, 1), (4, 2)]);
    let root = scene.app.state().root();
    let [before, after] = [&snapshots[0], &snapshots[1]];
    let (unaware, early) = (scene.another("unaware"), told(&scene, "early", 1).unwrap());
    for (joiner, expected) in
        [(&unaware, [Offered::Accept, Offered::Reject]), (&early, [Offered::Reject, Offered::Accept])]
    {
        assert_eq!([before, after].map(|snapshot| offered(joiner, snapshot, root)), expected);
    }
    // The version is the snapshot's number, so a false number is no way to another one.
    let joiner = told(&scene, "joiner", 3).unwrap();
    let with = |format| Snapshot { format, ..after.clone() };
    assert_eq!(
        [0, 1, 3].map(|format| offered(&joiner, &with(format), root)),
        [Offered::RejectFormat, Offered::Reject, Offered::RejectFormat]
    );
    assert_eq!(offered(&joiner, after, root), Offered::Accept);
    let load = |format| scene.app.load_snapshot_chunk(&RequestLoadSnapshotChunk { height: 4, format, chunk: 0 }).chunk;
    assert!(load(1).is_empty());
    let chunk = RequestApplySnapshotChunk { index: 0, chunk: load(2), sender: "peer".into() };
    assert_eq!(joiner.apply_snapshot_chunk(chunk).unwrap().result, i32::from(Applied::Accept));
    let info = joiner.info().unwrap();
    assert_eq!((info.last_block_height, info.app_version), (4, 2));
    drop(joiner);
    let (proposal, response) = scene.step(&[]);
    let joined = scene.another("joiner");
    assert_eq!(joined.finalize_block(&finalize(5, &proposal, 9)).unwrap().app_hash, response.app_hash);
    assert_eq!(joined.info().unwrap().app_version, 2);
}
