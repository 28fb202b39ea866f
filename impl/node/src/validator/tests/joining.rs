//! Coming in by a snapshot.

use prost::bytes::Bytes;
use tendermint_proto::v0_38::abci::{
    RequestApplySnapshotChunk, RequestLoadSnapshotChunk, RequestOfferSnapshot,
    response_apply_snapshot_chunk::Result as ChunkResult, response_offer_snapshot::Result as OfferResult,
};

use super::{Scene, put};

#[test]
fn a_joiner_takes_a_snapshot_for_its_root_and_nothing_else() {
    let mut scene = Scene::new(&[]);
    for i in 0..4 {
        let tx = scene.signed(&[put(&format!("k{i:02}"), "new")]);
        scene.step(&[tx]);
    }
    let snapshots = scene.app.list_snapshots().snapshots;
    assert_eq!(snapshots.iter().map(|snapshot| snapshot.height).collect::<Vec<_>>(), [2, 4]);
    let snapshot = snapshots[1].clone();
    let load = |chunk| RequestLoadSnapshotChunk { height: 4, format: 1, chunk };
    let chunk = scene.app.load_snapshot_chunk(&load(0)).chunk;
    assert!(scene.app.load_snapshot_chunk(&load(1)).chunk.is_empty());
    let joiner = scene.another("joiner");
    let offer = |app_hash: [u8; 32]| {
        let offer = RequestOfferSnapshot { snapshot: Some(snapshot.clone()), app_hash: app_hash.to_vec().into() };
        OfferResult::try_from(joiner.offer_snapshot(offer).result).unwrap()
    };
    let apply = |chunk: Bytes| {
        let request = RequestApplySnapshotChunk { index: 0, chunk, sender: "peer".into() };
        joiner.apply_snapshot_chunk(request).unwrap()
    };
    let root = scene.app.state().root();
    // A false chunk is named; a state with another root is refused.
    assert_eq!(offer(root), OfferResult::Accept);
    let mut false_chunk = chunk.to_vec();
    false_chunk[20] ^= 1;
    let refused = apply(false_chunk.into());
    assert_eq!((refused.result, refused.reject_senders), (ChunkResult::Retry.into(), vec!["peer".to_owned()]));
    assert_eq!(offer([0; 32]), OfferResult::Accept);
    assert_eq!(apply(chunk.clone()).result, i32::from(ChunkResult::RejectSnapshot));
    assert_eq!(joiner.version(), 0);
    assert_eq!(apply(chunk.clone()).result, i32::from(ChunkResult::Abort));
    assert_eq!(offer(root), OfferResult::Accept);
    assert_eq!(apply(chunk).result, i32::from(ChunkResult::Accept));
    let info = joiner.info().unwrap();
    assert_eq!((info.last_block_height, info.last_block_app_hash.to_vec()), (4, root.to_vec()));
    assert_eq!(joiner.state().state(), scene.app.state().state());
    drop(joiner);
    assert_eq!(scene.another("joiner").version(), 4);
}

#[test]
fn snapshots_of_other_formats_and_sizes_are_not_tried() {
    let mut scene = Scene::new(&[]);
    scene.step(&[]);
    scene.step(&[]);
    let snapshot = scene.app.list_snapshots().snapshots.remove(0);
    let offered = |change: fn(&mut tendermint_proto::v0_38::abci::Snapshot)| {
        let mut snapshot = snapshot.clone();
        change(&mut snapshot);
        let offer = RequestOfferSnapshot { snapshot: Some(snapshot), app_hash: vec![0; 32].into() };
        OfferResult::try_from(scene.app.offer_snapshot(offer).result).unwrap()
    };
    assert_eq!(offered(|_| {}), OfferResult::Accept);
    assert_eq!(offered(|s| s.format = 2), OfferResult::RejectFormat);
    assert_eq!(offered(|s| s.chunks = 2), OfferResult::Reject);
    assert_eq!(offered(|s| s.chunks = u32::MAX), OfferResult::Reject);
    assert_eq!(offered(|s| s.hash = vec![0; 32].into()), OfferResult::Reject);
}

#[test]
fn a_start_removes_what_a_kill_left_of_a_snapshot() {
    let scene = Scene::new(&[]);
    let snapshots = scene.folder.path().join("b/snapshots");
    std::fs::create_dir_all(&snapshots).unwrap();
    for name in ["6.unfinished", "7.other"] {
        std::fs::write(snapshots.join(name), "half").unwrap();
    }
    assert_eq!(scene.another("b").list_snapshots().snapshots, []);
    assert!(!snapshots.join("6.unfinished").exists() && snapshots.join("7.other").exists());
}
