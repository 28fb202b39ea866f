//! State sync: a new validator starts from a snapshot.

use aardvark_dictionary::state_bytes::encode_state;
use aardvark_dictionary::{Limits, Parameters};
use prost::bytes::Bytes;
use sha2::{Digest as _, Sha256};
use tendermint_proto::v0_38::abci::{
    RequestApplySnapshotChunk, RequestLoadSnapshotChunk, RequestOfferSnapshot, Snapshot,
    response_apply_snapshot_chunk::Result as ChunkResult, response_offer_snapshot::Result as OfferResult,
};

use super::{Scene, put};
use crate::validator::Application;
use crate::validator::streamed_root::root_of_snapshot;

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
        OfferResult::try_from(joiner.offer_snapshot(offer).unwrap().result).unwrap()
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
    let offered = |change: fn(&mut Snapshot)| {
        let mut snapshot = snapshot.clone();
        change(&mut snapshot);
        let offer = RequestOfferSnapshot { snapshot: Some(snapshot), app_hash: vec![0; 32].into() };
        OfferResult::try_from(scene.app.offer_snapshot(offer).unwrap().result).unwrap()
    };
    assert_eq!(offered(|_| {}), OfferResult::Accept);
    assert_eq!(offered(|s| s.format = 3), OfferResult::RejectFormat);
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

/// A snapshot of false chunks whose metadata are true of them.
fn forged(height: u64, chunks: &[Vec<u8>]) -> Snapshot {
    let digests: Vec<u8> = chunks.iter().flat_map(Sha256::digest).collect();
    let hash = Sha256::digest(&digests).to_vec().into();
    let count = u32::try_from(chunks.len()).unwrap();
    Snapshot { height, format: 1, chunks: count, hash, metadata: digests.into() }
}

/// What the application says of each chunk in turn, up to the first that it does not take.
fn answers(app: &Application, chunks: &[Vec<u8>]) -> Vec<ChunkResult> {
    let mut answers = Vec::new();
    for (index, chunk) in (0..).zip(chunks) {
        let request = RequestApplySnapshotChunk { index, chunk: chunk.clone().into(), sender: "peer".into() };
        answers.push(ChunkResult::try_from(app.apply_snapshot_chunk(request).unwrap().result).unwrap());
        if answers.last() != Some(&ChunkResult::Accept) {
            break;
        }
    }
    answers
}

#[test]
fn false_chunks_are_gathered_on_disk_and_gone_once_their_root_is_known() {
    let scene = Scene::new(&[]);
    let joiner = scene.another("joiner");
    let offer = |snapshot: &Snapshot| {
        let offer = RequestOfferSnapshot { snapshot: Some(snapshot.clone()), app_hash: vec![0; 32].into() };
        OfferResult::try_from(joiner.offer_snapshot(offer).unwrap().result).unwrap()
    };
    // Version 100, eight slots, the tail from position 4 on, two commitments: as the chain may be;
    // what follows is nothing.
    let mut first = [100u64, 8, 4, 2].map(u64::to_be_bytes).concat();
    first.resize(1 << 20, 0);
    let chunks = vec![first.clone(), vec![0; 1 << 20], vec![0; 1 << 20], vec![0; 7]];
    assert_eq!(offer(&forged(100, &chunks)), OfferResult::Accept);
    assert_eq!(answers(&joiner, &chunks[..3]), [ChunkResult::Accept; 3]);
    let path = scene.folder.path().join("joiner/snapshots/100.unfinished");
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 3 << 20);
    let last = RequestApplySnapshotChunk { index: 3, chunk: vec![0; 7].into(), sender: "peer".into() };
    assert_eq!(joiner.apply_snapshot_chunk(last).unwrap().result, i32::from(ChunkResult::RejectSnapshot));
    assert!(!path.exists());
    // Chunks that are not full, and a beginning that no state of this chain has: nothing more is
    // fetched.
    let short = [vec![0; 1], vec![0; 1]];
    assert_eq!(offer(&forged(100, &short)), OfferResult::Accept);
    assert_eq!(answers(&joiner, &short), [ChunkResult::Retry]);
    for false_number in
        [[99u64, 8, 4, 2], [100, 0, 0, 0], [100, 8, 5, 2], [100, 8, 0, 2], [100, u64::MAX, 4, 2], [100, 8, 4, 3]]
    {
        let mut first = false_number.map(u64::to_be_bytes).concat();
        first.resize(1 << 20, 0);
        let chunks = [first, vec![0; 1]];
        assert_eq!(offer(&forged(100, &chunks)), OfferResult::Accept);
        assert_eq!(answers(&joiner, &chunks), [ChunkResult::RejectSnapshot], "{false_number:?}");
    }
    assert_eq!(joiner.version(), 0);
}

#[test]
fn a_snapshot_that_is_longer_than_genesis_allows_at_its_height_is_not_fetched() {
    let limits = Limits {
        transaction_operations: 16,
        block_operations: 16,
        transaction_claims: 32,
        block_claims: 32,
        block_transactions: 16,
        ..Limits::default()
    };
    let parameters = Parameters { vector_size: 4, window: 5, limits, ..Parameters::default() };
    let scene = Scene::with(&[], parameters, 12);
    let offered = |height: u64, chunks: u32| {
        let metadata = vec![0; 32 * usize::try_from(chunks).unwrap()];
        let hash = Sha256::digest(&metadata).to_vec().into();
        let snapshot = Snapshot { height, format: 1, chunks, hash, metadata: metadata.into() };
        let offer = RequestOfferSnapshot { snapshot: Some(snapshot), app_hash: vec![0; 32].into() };
        OfferResult::try_from(scene.app.offer_snapshot(offer).unwrap().result).unwrap()
    };
    // Five versions of at most 48 writes, and 16 more keys a block: less than a mebibyte, and after
    // a million blocks less than 200.
    assert_eq!((offered(10, 1), offered(10, 2)), (OfferResult::Accept, OfferResult::Reject));
    assert_eq!((offered(1_000_000, 180), offered(1_000_000, 200)), (OfferResult::Accept, OfferResult::Reject));
}

#[test]
fn the_root_of_a_snapshot_s_bytes_is_that_of_the_state() {
    let mut scene = Scene::new(&[]);
    for i in 0..7 {
        let state = scene.app.state();
        let bytes = encode_state(&state.state());
        assert_eq!(root_of_snapshot(state.id().0, bytes.as_slice()).unwrap(), state.root());
        for cut in [0, bytes.len() / 2, bytes.len() - 1] {
            assert!(root_of_snapshot(state.id().0, &bytes[..cut]).is_err());
        }
        assert!(root_of_snapshot(state.id().0, [bytes.as_slice(), &[0]].concat().as_slice()).is_err());
        drop(state);
        let tx = scene.signed(&[put(&format!("k{i:02}"), "new"), put(&format!("n{i}"), "1")]);
        scene.step(&[tx]);
    }
}
