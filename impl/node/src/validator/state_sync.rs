//! State sync: a new validator starts from a snapshot, without replaying the chain.
//!
//! Nothing that arrives is believed: the state counts only if its root, with the digest of the
//! validators that come with it where the chain has a council, is the app hash that
//! CometBFT's light client has verified for that height. Until that is known it is on disk, where
//! it may take what a state of this chain can have at that height ([`Bounds`]), and not in memory.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use aardvark_algebra::integers::{u64_of_usize, usize_of_u32};
use aardvark_chain::ValidatorSet;
use aardvark_chain::validator_change::app_hash;
use aardvark_dictionary::Validator;
use aardvark_dictionary::codec::Reader;
use aardvark_dictionary::state_bytes::decode_state;
use sha2::{Digest as _, Sha256};
use tendermint_proto::v0_38::abci::{
    RequestApplySnapshotChunk, RequestOfferSnapshot, ResponseApplySnapshotChunk, ResponseOfferSnapshot, Snapshot,
    response_apply_snapshot_chunk::Result as Applied, response_offer_snapshot::Result as Offered,
};

use crate::validator::chain::Chain;
use crate::validator::fatal::Fatal;
use crate::validator::lock::lock;
use crate::validator::snapshot_bounds::Bounds;
use crate::validator::snapshots::{CHUNK_BYTES, DIGEST_BYTES, UNFINISHED, format_at};
use crate::validator::streamed_root::root_of_snapshot;
use crate::validator::upgrades::{RUN_HERE, Upgrades};

/// Most chunks of a snapshot that is accepted, whatever genesis allows: 16 GiB.
const MOST_CHUNKS: u32 = 1 << 14;

/// What a snapshot brought.
pub(super) struct Restored {
    /// The dictionary's state.
    pub(super) validator: Validator,
    /// The validators after its block, on a chain with a council.
    pub(super) validators: Option<ValidatorSet>,
}

/// A snapshot that is being received, on disk.
pub(super) struct Restoring {
    snapshot: Snapshot,
    app_hash: Vec<u8>,
    path: PathBuf,
    file: File,
    next: u32,
}

impl Restoring {
    fn begin(folder: &Path, snapshot: Snapshot, app_hash: Vec<u8>) -> std::io::Result<Self> {
        // A kill in between leaves a name that the next start removes.
        let path = folder.join(format!("{}.{UNFINISHED}", snapshot.height));
        let file = File::create(&path)?;
        Ok(Self { snapshot, app_hash, path, file, next: 0 })
    }

    /// Whether the bytes that have come have the app hash that the chain certifies, which takes the
    /// memory of one item.
    fn is_certified(&self, chain: &Chain) -> std::io::Result<bool> {
        let mut beginning = Vec::new();
        let mut file = File::open(&self.path)?;
        (&mut file).take(u64_of_usize(ValidatorSet::MOST_BYTES)).read_to_end(&mut beginning)?;
        let Some((validators, length)) = read_validators(chain, &beginning) else { return Ok(false) };
        file.seek(SeekFrom::Start(u64_of_usize(length)))?;
        match root_of_snapshot(chain.dictionary.0, BufReader::new(file)) {
            Ok(root) => Ok(app_hash(root, chain.council.as_ref().zip(validators.as_ref())) == self.app_hash),
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

/// What of a snapshot has arrived.
pub(super) struct StateSync {
    /// Where it is kept until it is whole.
    folder: PathBuf,
    upgrades: Arc<Upgrades>,
    restoring: Mutex<Option<Restoring>>,
}

impl StateSync {
    /// Nothing has arrived; what will is kept in this folder.
    pub(super) fn new(folder: PathBuf, upgrades: Arc<Upgrades>) -> Self {
        Self { folder, upgrades, restoring: Mutex::new(None) }
    }

    /// OfferSnapshot: whether a snapshot may be tried. The app hash is the one that the light
    /// client verified.
    pub(super) fn offer(&self, chain: &Chain, request: RequestOfferSnapshot) -> Result<ResponseOfferSnapshot, Fatal> {
        let result = match request.snapshot {
            Some(snapshot) if !RUN_HERE.contains(&snapshot.format.into()) => {
                tracing::warn!(snapshot.height, snapshot.format, "a snapshot of an app version that is not run here");
                Offered::RejectFormat
            }
            Some(snapshot) if snapshot.format != format_at(snapshot.height, &self.upgrades) => {
                let expected = format_at(snapshot.height, &self.upgrades);
                tracing::warn!(snapshot.height, snapshot.format, expected, "a snapshot of another app version");
                Offered::Reject
            }
            Some(snapshot)
                if is_well_formed(&snapshot)
                    && Bounds::at(chain, snapshot.height).has_room_for(snapshot.chunks)
                    && request.app_hash.len() == app_hash_bytes(chain) =>
            {
                tracing::info!(snapshot.height, snapshot.chunks, "restoring a snapshot");
                let folder = &self.folder;
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

    /// ApplySnapshotChunk: the chunks in order, to disk, and after the last one the question
    /// whether the state has the root. Only what has it is read into memory, and given back with
    /// the answer.
    pub(super) fn apply_chunk(
        &self,
        chain: &Chain,
        request: RequestApplySnapshotChunk,
    ) -> Result<(ResponseApplySnapshotChunk, Option<Restored>), Fatal> {
        let no_state = |answer| Ok((answer, None));
        let mut restoring = lock(&self.restoring);
        let Some(current) = restoring.as_mut() else { return no_state(chunk_answer(Applied::Abort)) };
        if request.index != current.next {
            let refetch_chunks = vec![current.next];
            return no_state(ResponseApplySnapshotChunk { refetch_chunks, ..chunk_answer(Applied::Retry) });
        }
        if !is_chunk(&current.snapshot, request.index, &request.chunk) {
            tracing::warn!(request.sender, request.index, "a false chunk of a snapshot");
            let (refetch_chunks, reject_senders) = (vec![request.index], vec![request.sender]);
            return no_state(ResponseApplySnapshotChunk {
                result: Applied::Retry.into(),
                refetch_chunks,
                reject_senders,
            });
        }
        let height = current.snapshot.height;
        if request.index == 0 && !begins_well(chain, height, &request.chunk) {
            tracing::warn!(height, request.sender, "a snapshot begins as no state of this chain can");
            *restoring = None;
            return no_state(chunk_answer(Applied::RejectSnapshot));
        }
        current.file.write_all(&request.chunk).map_err(|source| current.failure(source))?;
        current.next += 1;
        if current.next < current.snapshot.chunks {
            return no_state(chunk_answer(Applied::Accept));
        }
        let Some(whole) = restoring.take() else { return no_state(chunk_answer(Applied::Abort)) };
        let restored = restored(chain, &whole)?;
        if restored.is_none() {
            tracing::warn!(height, "a snapshot does not have the root that the chain certifies");
            return no_state(chunk_answer(Applied::RejectSnapshot));
        }
        Ok((chunk_answer(Applied::Accept), restored))
    }
}

/// The validator that a snapshot's bytes give, if it is the one that the chain certifies.
fn restored(chain: &Chain, whole: &Restoring) -> Result<Option<Restored>, Fatal> {
    if !whole.is_certified(chain).map_err(|source| whole.failure(source))? {
        return Ok(None);
    }
    let bytes = std::fs::read(&whole.path).map_err(|source| whole.failure(source))?;
    let Some((validators, length)) = read_validators(chain, &bytes) else { return Ok(None) };
    let state = bytes.get(length..).unwrap_or_default();
    let validator = decode_state(state).ok().and_then(|state| chain.validator(state).ok());
    let certified = |validator: &Validator| {
        let found = app_hash(validator.root(), chain.council.as_ref().zip(validators.as_ref()));
        validator.version() == whole.snapshot.height && found == whole.app_hash
    };
    Ok(validator.filter(certified).map(|validator| Restored { validator, validators }))
}

/// The validators that a snapshot begins with on a chain with a council, and how many bytes they
/// are; `None` where there should be some and are none.
fn read_validators(chain: &Chain, bytes: &[u8]) -> Option<(Option<ValidatorSet>, usize)> {
    if chain.council.is_none() {
        return Some((None, 0));
    }
    let mut reader = Reader::new(bytes);
    let set = ValidatorSet::read(&mut reader).ok()?;
    Some((Some(set), reader.offset()))
}

/// Whether the first chunk of a snapshot of a height can be one of this chain.
fn begins_well(chain: &Chain, height: u64, chunk: &[u8]) -> bool {
    read_validators(chain, chunk)
        .and_then(|(_, length)| chunk.get(length..))
        .is_some_and(|state| Bounds::at(chain, height).allows_beginning(state))
}

/// Bytes of an app hash: the state root, and the digest of the validators on a chain with a
/// council.
fn app_hash_bytes(chain: &Chain) -> usize {
    if chain.council.is_some() { 2 * DIGEST_BYTES } else { DIGEST_BYTES }
}

/// Whether digests, their number and their hash fit together.
fn is_well_formed(snapshot: &Snapshot) -> bool {
    let chunks = usize_of_u32(snapshot.chunks);
    (1..=MOST_CHUNKS).contains(&snapshot.chunks)
        && Some(snapshot.metadata.len()) == chunks.checked_mul(DIGEST_BYTES)
        && Sha256::digest(&snapshot.metadata).as_slice() == &snapshot.hash[..]
}

/// Whether a chunk is the one that the metadata mean: all are full, but for the last.
fn is_chunk(snapshot: &Snapshot, index: u32, chunk: &[u8]) -> bool {
    let place = usize_of_u32(index);
    let digest = snapshot.metadata.chunks(DIGEST_BYTES).nth(place);
    let is_last = index + 1 == snapshot.chunks;
    let has_length = chunk.len() == CHUNK_BYTES || (is_last && (1..CHUNK_BYTES).contains(&chunk.len()));
    has_length && digest == Some(Sha256::digest(chunk).as_slice())
}

fn chunk_answer(result: Applied) -> ResponseApplySnapshotChunk {
    ResponseApplySnapshotChunk { result: result.into(), refetch_chunks: Vec::new(), reject_senders: Vec::new() }
}
