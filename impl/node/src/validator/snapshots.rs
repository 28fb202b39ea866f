//! State-sync snapshots that a validator gives to others: its state after some heights, and nothing
//! else: the validators where the chain has a council, commitments, window, tail, replay set, never
//! the data.
//!
//! A snapshot travels in chunks; its metadata are the chunks' digests, so that who sends a false
//! chunk is known at once ([`state_sync`](super::state_sync)).

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use aardvark_algebra::integers::u32_or_max;
use aardvark_chain::ValidatorSet;
use aardvark_dictionary::Validator;
use aardvark_dictionary::state_bytes::encode_state;
use sha2::{Digest as _, Sha256};
use tendermint_proto::v0_38::abci::Snapshot;

use crate::validator::fatal::Fatal;
use crate::validator::lock::lock;
use crate::validator::upgrades::Upgrades;

/// Bytes of a chunk, but for the last; CometBFT sends at most 16 MiB.
pub(super) const CHUNK_BYTES: usize = 1 << 20;
/// How many snapshots are kept: peers are given time to fetch one.
const KEPT: usize = 3;
/// Bytes of a chunk's digest.
pub(super) const DIGEST_BYTES: usize = 32;
const EXTENSION: &str = "snapshot";
/// The extension of a snapshot that is being written or received.
pub(super) const UNFINISHED: &str = "unfinished";

/// The snapshots of one validator: files named by height.
pub(super) struct Snapshots {
    folder: PathBuf,
    interval: u64,
    upgrades: Arc<Upgrades>,
    /// What they are, ascending by height.
    listed: Mutex<Vec<Snapshot>>,
}

impl Snapshots {
    /// The snapshots in a folder, which is made where it is not there. What a kill left
    /// half-written is removed.
    pub(super) fn open(folder: PathBuf, interval: u64, upgrades: Arc<Upgrades>) -> std::io::Result<Self> {
        std::fs::create_dir_all(&folder)?;
        let mut listed = Vec::new();
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse().ok());
            match (stem, path.extension().and_then(|end| end.to_str())) {
                (Some(height), Some(EXTENSION)) => listed.push(describe(height, &std::fs::read(&path)?, &upgrades)),
                (Some(_), Some(UNFINISHED)) => std::fs::remove_file(&path)?,
                _ => {}
            }
        }
        listed.sort_by_key(|snapshot| snapshot.height);
        Ok(Self { folder, interval, upgrades, listed: Mutex::new(listed) })
    }

    /// Writes a snapshot where the height asks for one, and removes the oldest.
    pub(super) fn take_if_due(&self, state: &Validator, validators: Option<&ValidatorSet>) -> Result<(), Fatal> {
        let height = state.version();
        if self.interval == 0 || !height.is_multiple_of(self.interval) {
            return Ok(());
        }
        let mut bytes = validators.map(ValidatorSet::encode).unwrap_or_default();
        bytes.extend(encode_state(&state.state()));
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
        listed.push(describe(height, &bytes, &self.upgrades));
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

    /// The height of the oldest.
    pub(super) fn oldest(&self) -> Option<u64> {
        lock(&self.listed).first().map(|snapshot| snapshot.height)
    }

    /// All of them, ascending by height.
    pub(super) fn list(&self) -> Vec<Snapshot> {
        lock(&self.listed).clone()
    }

    fn path(&self, height: u64) -> PathBuf {
        self.folder.join(format!("{height}.{EXTENSION}"))
    }

    /// A chunk, or nothing where there is none.
    pub(super) fn chunk(&self, height: u64, format: u32, index: u32) -> Vec<u8> {
        let is_it =
            |snapshot: &Snapshot| snapshot.height == height && snapshot.format == format && index < snapshot.chunks;
        let known = lock(&self.listed).iter().any(is_it);
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

/// The format of a height's snapshot: the app version of the block that follows it. The bytes are
/// `state_bytes` in all of them; who joins goes on by the rules of that version.
pub(super) fn format_at(height: u64, upgrades: &Upgrades) -> u32 {
    u32::try_from(upgrades.version_at(height.saturating_add(1))).unwrap_or(u32::MAX)
}

fn describe(height: u64, bytes: &[u8], upgrades: &Upgrades) -> Snapshot {
    let digests: Vec<u8> = bytes.chunks(CHUNK_BYTES).flat_map(Sha256::digest).collect();
    Snapshot {
        height,
        format: format_at(height, upgrades),
        chunks: u32_or_max(digests.len() / DIGEST_BYTES),
        hash: Sha256::digest(&digests).to_vec().into(),
        metadata: digests.into(),
    }
}
