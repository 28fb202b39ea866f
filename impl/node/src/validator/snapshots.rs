//! State-sync snapshots: how a new validator joins without replaying the chain.
//!
//! A snapshot is the validator's state after some height and nothing else: commitments, window, tail, replay set, never the
//! data. It travels in chunks; its metadata are the chunks' digests, so that who sends a false chunk is known at once. None of it is
//! believed: the state counts only if its root is the app hash that CometBFT's light client has verified for that height. Until that is
//! known it is on disk, where it may take what a state of this chain can have at that height ([`Bounds`]), and not in memory.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use aardvark_dictionary::Validator;
use prost::bytes::Bytes;
use sha2::{Digest as _, Sha256};
use tendermint_proto::v0_38::abci::{
    RequestApplySnapshotChunk, RequestLoadSnapshotChunk, RequestOfferSnapshot, ResponseApplySnapshotChunk,
    ResponseListSnapshots, ResponseLoadSnapshotChunk, ResponseOfferSnapshot, Snapshot,
    response_apply_snapshot_chunk::Result as Applied, response_offer_snapshot::Result as Offered,
};

use crate::validator::application::{Application, Rules, lock};
use crate::validator::fatal::Fatal;
use crate::validator::snapshot_bounds::Bounds;
use crate::validator::state_bytes::{decode_state, encode_state};
use crate::validator::streamed_root::root_of_snapshot;

/// The format of `state_bytes`.
const SNAPSHOT_FORMAT: u32 = 1;
/// Bytes of a chunk, but for the last; CometBFT sends at most 16 MiB.
pub(super) const CHUNK_BYTES: usize = 1 << 20;
/// Most chunks of a snapshot that is accepted, whatever genesis allows: 16 GiB.
const MOST_CHUNKS: u32 = 1 << 14;
/// How many snapshots are kept: peers are given time to fetch one.
const KEPT: usize = 3;
const DIGEST_BYTES: usize = 32;
const EXTENSION: &str = "snapshot";
/// The extension of a snapshot that is being written.
const UNFINISHED: &str = "unfinished";

/// The snapshots of one validator: files named by height.
pub(super) struct Snapshots {
    folder: PathBuf,
    interval: u64,
    /// What they are, ascending by height.
    listed: Mutex<Vec<Snapshot>>,
}

impl Snapshots {
    /// The snapshots in a folder, which is made where it is not there. What a kill left half-written is removed.
    pub(super) fn open(folder: PathBuf, interval: u64) -> std::io::Result<Self> {
        std::fs::create_dir_all(&folder)?;
        let mut listed = Vec::new();
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse().ok());
            match (stem, path.extension().and_then(|end| end.to_str())) {
                (Some(height), Some(EXTENSION)) => listed.push(describe(height, &std::fs::read(&path)?)),
                (Some(_), Some(UNFINISHED)) => std::fs::remove_file(&path)?,
                _ => {}
            }
        }
        listed.sort_by_key(|snapshot| snapshot.height);
        Ok(Self { folder, interval, listed: Mutex::new(listed) })
    }

    /// Writes a snapshot where the height asks for one, and removes the oldest.
    pub(super) fn take_if_due(&self, state: &Validator) -> Result<(), Fatal> {
        let height = state.version();
        if self.interval == 0 || !height.is_multiple_of(self.interval) {
            return Ok(());
        }
        let bytes = encode_state(&state.state());
        let path = self.path(height);
        // A kill in between leaves a name that the next start removes.
        let unfinished = path.with_extension(UNFINISHED);
        std::fs::write(&unfinished, &bytes).and_then(|()| std::fs::rename(&unfinished, &path)).map_err(|source| {
            // What is there of it would take the space that a full disk lacks.
            let _the_failure_is_reported = std::fs::remove_file(&unfinished);
            Fatal::Snapshot { path: path.clone(), source }
        })?;
        let mut listed = lock(&self.listed);
        listed.retain(|snapshot| snapshot.height != height);
        listed.push(describe(height, &bytes));
        while listed.len() > KEPT {
            let oldest = listed.remove(0);
            let _not_there_is_as_well = std::fs::remove_file(self.path(oldest.height));
        }
        Ok(())
    }

    /// Removes the snapshots of heights above this one.
    pub(super) fn forget_above(&self, height: u64) -> std::io::Result<()> {
        let mut listed = lock(&self.listed);
        let kept = listed.partition_point(|snapshot| snapshot.height <= height);
        listed.drain(kept..).try_for_each(|snapshot| std::fs::remove_file(self.path(snapshot.height)))
    }

    fn path(&self, height: u64) -> PathBuf {
        self.folder.join(format!("{height}.{EXTENSION}"))
    }

    /// A chunk, or nothing where there is none.
    fn chunk(&self, height: u64, index: u32) -> Vec<u8> {
        let known = lock(&self.listed).iter().any(|snapshot| snapshot.height == height && index < snapshot.chunks);
        let read = || read_chunk(&self.path(height), index);
        if known { read().unwrap_or_default() } else { Vec::new() }
    }
}

fn read_chunk(path: &Path, index: u32) -> std::io::Result<Vec<u8>> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(u64::from(index) * CHUNK_BYTES as u64))?;
    let mut chunk = Vec::new();
    file.take(CHUNK_BYTES as u64).read_to_end(&mut chunk)?;
    Ok(chunk)
}

fn describe(height: u64, bytes: &[u8]) -> Snapshot {
    let digests: Vec<u8> = bytes.chunks(CHUNK_BYTES).flat_map(Sha256::digest).collect();
    Snapshot {
        height,
        format: SNAPSHOT_FORMAT,
        chunks: u32::try_from(digests.len() / DIGEST_BYTES).unwrap_or(u32::MAX),
        hash: Sha256::digest(&digests).to_vec().into(),
        metadata: digests.into(),
    }
}

/// A snapshot that is being received, on disk.
pub(super) struct Restoring {
    snapshot: Snapshot,
    root: Vec<u8>,
    path: PathBuf,
    file: File,
    next: u32,
}

impl Restoring {
    fn begin(folder: &Path, snapshot: Snapshot, root: Vec<u8>) -> std::io::Result<Self> {
        // A kill in between leaves a name that the next start removes.
        let path = folder.join(format!("{}.{UNFINISHED}", snapshot.height));
        let file = File::create(&path)?;
        Ok(Self { snapshot, root, path, file, next: 0 })
    }

    /// Whether the bytes that have come have the root that the chain certifies, which takes the memory of one item.
    fn is_certified(&self, rules: &Rules) -> std::io::Result<bool> {
        match root_of_snapshot(rules.id.0, BufReader::new(File::open(&self.path)?)) {
            Ok(root) => Ok(root.as_slice() == self.root),
            Err(error) if matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::InvalidData) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn failure(&self, source: std::io::Error) -> Fatal {
        Fatal::Snapshot { path: self.path.clone(), source }
    }
}

impl Drop for Restoring {
    fn drop(&mut self) {
        let _not_there_is_as_well = std::fs::remove_file(&self.path);
    }
}

impl Application {
    /// ListSnapshots.
    pub(super) fn list_snapshots(&self) -> ResponseListSnapshots {
        ResponseListSnapshots { snapshots: lock(&self.snapshots.listed).clone() }
    }

    /// LoadSnapshotChunk.
    pub(super) fn load_snapshot_chunk(&self, request: &RequestLoadSnapshotChunk) -> ResponseLoadSnapshotChunk {
        let known = request.format == SNAPSHOT_FORMAT;
        let chunk = if known { self.snapshots.chunk(request.height, request.chunk) } else { Vec::new() };
        ResponseLoadSnapshotChunk { chunk: Bytes::from(chunk) }
    }

    /// OfferSnapshot: whether a snapshot may be tried. The app hash is the one that the light client verified.
    pub(super) fn offer_snapshot(&self, request: RequestOfferSnapshot) -> Result<ResponseOfferSnapshot, Fatal> {
        let result = match request.snapshot {
            Some(snapshot) if snapshot.format != SNAPSHOT_FORMAT => Offered::RejectFormat,
            Some(snapshot)
                if is_well_formed(&snapshot)
                    && Bounds::at(&self.rules, snapshot.height).has_room_for(snapshot.chunks)
                    && request.app_hash.len() == DIGEST_BYTES =>
            {
                tracing::info!(snapshot.height, snapshot.chunks, "restoring a snapshot");
                let folder = &self.snapshots.folder;
                let mut restoring = lock(&self.restoring);
                // What was there before goes first: it may have the same name.
                *restoring = None;
                let begun = Restoring::begin(folder, snapshot, request.app_hash.to_vec());
                let begun = begun.map_err(|source| Fatal::Snapshot { path: folder.clone(), source })?;
                *restoring = Some(begun);
                Offered::Accept
            }
            _ => Offered::Reject,
        };
        Ok(ResponseOfferSnapshot { result: result.into() })
    }

    /// ApplySnapshotChunk: the chunks in order, to disk, and after the last one the question whether the state has the root. Only
    /// what has it is read into memory.
    pub(super) fn apply_snapshot_chunk(
        &self,
        request: RequestApplySnapshotChunk,
    ) -> Result<ResponseApplySnapshotChunk, Fatal> {
        let mut restoring = lock(&self.restoring);
        let Some(current) = restoring.as_mut() else { return Ok(chunk_answer(Applied::Abort)) };
        if request.index != current.next {
            let refetch_chunks = vec![current.next];
            return Ok(ResponseApplySnapshotChunk { refetch_chunks, ..chunk_answer(Applied::Retry) });
        }
        if !is_chunk(&current.snapshot, request.index, &request.chunk) {
            tracing::warn!(request.sender, request.index, "a false chunk of a snapshot");
            let (refetch_chunks, reject_senders) = (vec![request.index], vec![request.sender]);
            return Ok(ResponseApplySnapshotChunk { result: Applied::Retry.into(), refetch_chunks, reject_senders });
        }
        let height = current.snapshot.height;
        if request.index == 0 && !Bounds::at(&self.rules, height).allows_beginning(&request.chunk) {
            tracing::warn!(height, request.sender, "a snapshot begins as no state of this chain can");
            *restoring = None;
            return Ok(chunk_answer(Applied::RejectSnapshot));
        }
        current.file.write_all(&request.chunk).map_err(|source| current.failure(source))?;
        current.next += 1;
        if current.next < current.snapshot.chunks {
            return Ok(chunk_answer(Applied::Accept));
        }
        let Some(whole) = restoring.take() else { return Ok(chunk_answer(Applied::Abort)) };
        match self.restored(&whole)? {
            Some(validator) => {
                self.restore(validator)?;
                tracing::info!(height, "restored a snapshot");
                Ok(chunk_answer(Applied::Accept))
            }
            None => {
                tracing::warn!(height, "a snapshot does not have the root that the chain certifies");
                Ok(chunk_answer(Applied::RejectSnapshot))
            }
        }
    }

    /// The validator that a snapshot's bytes give, if it is the one that the chain certifies.
    fn restored(&self, whole: &Restoring) -> Result<Option<Validator>, Fatal> {
        if !whole.is_certified(&self.rules).map_err(|source| whole.failure(source))? {
            return Ok(None);
        }
        let bytes = std::fs::read(&whole.path).map_err(|source| whole.failure(source))?;
        let validator = decode_state(&bytes).ok().and_then(|state| self.rules.validator(state).ok());
        let certified = |validator: &Validator| {
            validator.version() == whole.snapshot.height && validator.root().as_slice() == whole.root
        };
        Ok(validator.filter(certified))
    }
}

/// Whether digests, their number and their hash fit together.
fn is_well_formed(snapshot: &Snapshot) -> bool {
    let chunks = usize::try_from(snapshot.chunks).unwrap_or(usize::MAX);
    (1..=MOST_CHUNKS).contains(&snapshot.chunks)
        && Some(snapshot.metadata.len()) == chunks.checked_mul(DIGEST_BYTES)
        && Sha256::digest(&snapshot.metadata).as_slice() == &snapshot.hash[..]
}

/// Whether a chunk is the one that the metadata mean: all are full, but for the last.
fn is_chunk(snapshot: &Snapshot, index: u32, chunk: &[u8]) -> bool {
    let place = usize::try_from(index).unwrap_or(usize::MAX);
    let digest = snapshot.metadata.chunks(DIGEST_BYTES).nth(place);
    let is_last = index + 1 == snapshot.chunks;
    let has_length = chunk.len() == CHUNK_BYTES || (is_last && (1..CHUNK_BYTES).contains(&chunk.len()));
    has_length && digest == Some(Sha256::digest(chunk).as_slice())
}

fn chunk_answer(result: Applied) -> ResponseApplySnapshotChunk {
    ResponseApplySnapshotChunk { result: result.into(), refetch_chunks: Vec::new(), reject_senders: Vec::new() }
}
