//! Backups of an archive with its chain's records, taken while it goes on, and restored whole.
//!
//! A backup is that of the archive's crate ([`aardvark_archive::backup`]). What stands beside the
//! store:
//!
//! ```text
//! (empty)                                    the chain's id
//! u64 height                                 the chain's record of the height, as JSON
//! 255 (8 times) || u64 version || u32 place  a certificate of tables, as `certificates.redb` has it
//! ```
//!
//! up to the backup's version. Certificates of a version that are about more segments than the
//! backup's log says that it put make the backup unfit. The others are verified for what it put;
//! those that do not hold are left out, and that is said. The state root covers none
//! of them, so an archive does not depend on them: `table audit` names runs that have none.
//!
//! A backup begins an archive without genesis' blocks being replayed: whoever restores it says what
//! root the version has to have ([`Trust`]), or who signs for it.

use std::error::Error;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use aardvark_archive::backup::{BackupReader, BackupSummary, Beside};
use aardvark_archive::store::Entry;
use aardvark_archive::{Archive, Progress, Snapshot};
use aardvark_client::rpc::{HttpOptions, RpcClient};
use aardvark_dictionary::DictionaryId;
use aardvark_proof::hex_text::encode;
use aardvark_tables::Sifted;

use super::backup_certificates::{RestoringCertificates, certificate_entries, read_certificate_key};
use super::chain_records::{ChainRecords, RecordError};
use super::follower::{FollowError, certified_root};
use super::last_backup::note_backup;
use super::opened::{DaemonError, open, read_genesis};
use super::service::Service;
use super::shared_archive::SharedArchive;
use crate::operations::Backups;

/// Records that are read from their file, or written to it, at a time.
const BATCH: usize = 1024;

/// What an archive was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// The backup.
    pub backup: BackupSummary,
    /// What became of its tables' certificates.
    pub certificates: Sifted,
}

/// What a restored archive is held against.
#[derive(Clone, Debug)]
pub enum Trust {
    /// Nothing: the backup is its owner's own.
    Maker,
    /// The state root of its version, known from elsewhere.
    Root([u8; 32]),
    /// The validators of a chain, who signed for the root in the next height's header.
    Chain {
        /// CometBFT's RPC addresses; the next is asked where one has no such header.
        nodes: Vec<String>,
        /// CometBFT's genesis.json.
        genesis: PathBuf,
    },
}

impl SharedArchive {
    /// Writes a backup of the newest version, with the chain's records up to it.
    ///
    /// # Errors
    /// [`DaemonError::Backup`].
    pub fn back_up(&self, out: impl Write) -> Result<BackupSummary, DaemonError> {
        self.back_up_of(&self.archive(), out)
    }

    /// [`SharedArchive::back_up`] of a snapshot of this archive.
    pub(crate) fn back_up_of(&self, snapshot: &Snapshot, out: impl Write) -> Result<BackupSummary, DaemonError> {
        let records = self.records().map(|records| entries(records, snapshot.version()));
        let certificates = certificate_entries(self.certificates(), snapshot.version());
        Ok(snapshot.back_up(out, records.into_iter().flatten().chain(certificates))?)
    }
}

impl Service {
    /// The backups that the operator may take.
    pub(crate) fn backups(&self) -> Backups {
        let (shared, metrics, folder) = (Arc::clone(&self.shared), Arc::clone(&self.metrics), self.folder.clone());
        Backups::new(move |out| {
            let begun = Instant::now();
            let taken = shared.back_up(out).map_err(io::Error::other)?;
            if let Some(folder) = &folder {
                metrics.last_backup.set(note_backup(folder));
            }
            let (version, bytes, seconds) = (taken.version, taken.bytes, begun.elapsed().as_secs_f64());
            tracing::info!(version, bytes, seconds, root = %encode(&taken.root), "a backup was taken");
            Ok(())
        })
    }
}

/// Writes a backup of an archive that no other process writes to.
///
/// # Errors
/// [`DaemonError`]: an archive that cannot be opened or read, bytes that are not taken.
pub fn back_up(directory: &Path, out: impl Write) -> Result<BackupSummary, DaemonError> {
    let taken = open(directory)?.back_up(out)?;
    note_backup(directory);
    Ok(taken)
}

/// Makes an archive of a backup, in a directory that is empty or not there.
///
/// # Errors
/// [`DaemonError`], and nothing is left behind: a backup that is not whole, whose records
/// contradict each other, or whose root is not the trusted one.
pub fn restore(
    directory: &Path,
    backup: impl Read,
    trust: &Trust,
    progress: &mut dyn FnMut(Progress),
) -> Result<Restored, DaemonError> {
    let backup = BackupReader::new(backup)?;
    let chain = check(&backup, trust)?;
    let mut beside = Restoring {
        records: RestoringRecords { dictionary: *backup.dictionary(), chain, records: None, batch: Vec::new() },
        certificates: RestoringCertificates::of(*backup.dictionary()),
        sifted: Sifted::default(),
    };
    let (_, backup) = Archive::builder().restore(directory, backup, &mut beside, progress)?;
    Ok(Restored { backup, certificates: beside.sifted })
}

/// Whether a backup says that it has the trusted root; that its records give the root that it says,
/// its restoration checks. Gives the id of the chain that is trusted, if any.
fn check(backup: &BackupReader<impl Read>, trust: &Trust) -> Result<Option<String>, DaemonError> {
    let (expected, chain) = match trust {
        Trust::Maker => return Ok(None),
        Trust::Root(root) => (*root, None),
        Trust::Chain { nodes, genesis } => {
            let followed = read_genesis(genesis)?;
            if followed.genesis.genesis().dictionary_id() != *backup.dictionary() {
                return Err(FollowError::OtherDictionary.into());
            }
            let nodes = nodes.iter().map(|node| RpcClient::new(node, HttpOptions::default()));
            let nodes = nodes.collect::<Result<Vec<_>, _>>()?;
            (certified_root(&followed, &nodes, backup.version())?, Some(followed.id))
        }
    };
    match expected == *backup.root() {
        true => Ok(chain),
        false => Err(DaemonError::OtherRoot { version: backup.version(), said: *backup.root(), expected }),
    }
}

/// The chain's records as entries of a backup, up to a height.
fn entries(records: &ChainRecords, last: u64) -> impl Iterator<Item = io::Result<Entry>> + '_ {
    let id = records.chain_id().transpose().map(|id| Ok((Vec::new(), id?.into_bytes())));
    let mut next = Some(0);
    let batches = std::iter::from_fn(move || {
        let batch = records.stored(next?, last, BATCH);
        let full = batch.as_ref().is_ok_and(|batch| batch.len() == BATCH);
        let greatest = batch.as_ref().ok().and_then(|batch| batch.last()).map(|(height, _)| *height);
        next = greatest.filter(|_| full).and_then(|height| height.checked_add(1));
        Some(batch)
    });
    let heights = batches.flat_map(|batch| match batch {
        Ok(batch) => {
            batch.into_iter().map(|(height, record)| Ok((height.to_be_bytes().to_vec(), record))).collect::<Vec<_>>()
        }
        Err(error) => vec![Err(error)],
    });
    id.into_iter().chain(heights).map(|entry| entry.map_err(|error: RecordError| io::Error::other(error)))
}

/// Writes what a backup has beside the store.
struct Restoring {
    records: RestoringRecords,
    certificates: RestoringCertificates,
    sifted: Sifted,
}

impl Beside for Restoring {
    fn take(
        &mut self,
        directory: &Path,
        archive: &Archive,
        key: Vec<u8>,
        value: Vec<u8>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        match read_certificate_key(&key) {
            Some(version) => Ok(self.certificates.take(directory, archive, version, &value)?),
            None => self.records.take(directory, key, value),
        }
    }

    fn end(&mut self, directory: &Path, archive: &Archive) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.sifted = self.certificates.end(archive)?;
        self.records.end(directory, archive)
    }
}

/// Writes the chain's records of a backup.
struct RestoringRecords {
    dictionary: DictionaryId,
    /// The chain that they have to be of.
    chain: Option<String>,
    records: Option<ChainRecords>,
    batch: Vec<(u64, Vec<u8>)>,
}

impl RestoringRecords {
    fn records(&mut self, directory: &Path) -> Result<&ChainRecords, RecordError> {
        let records = match self.records.take() {
            Some(records) => records,
            None => ChainRecords::open(directory, self.dictionary)?,
        };
        Ok(self.records.insert(records))
    }

    fn write(&mut self, directory: &Path) -> Result<(), RecordError> {
        let batch = std::mem::take(&mut self.batch);
        self.records(directory)?.put_stored(&batch)
    }

    fn take(&mut self, directory: &Path, key: Vec<u8>, value: Vec<u8>) -> Result<(), Box<dyn Error + Send + Sync>> {
        if key.is_empty() {
            let id = String::from_utf8(value)?;
            if let Some(chain) = self.chain.as_ref().filter(|chain| **chain != id) {
                return Err(RecordError::OtherChain { there: id, asked: chain.clone() }.into());
            }
            return Ok(self.records(directory)?.set_chain_id(&id)?);
        }
        let height = u64::from_be_bytes(key.as_slice().try_into()?);
        self.batch.push((height, value));
        if self.batch.len() == BATCH { Ok(self.write(directory)?) } else { Ok(()) }
    }

    fn end(&mut self, directory: &Path, archive: &Archive) -> Result<(), Box<dyn Error + Send + Sync>> {
        if !self.batch.is_empty() {
            self.write(directory)?;
        }
        let Some(records) = self.records.take() else { return Ok(()) };
        // Those of past heights are served with proofs that hold or not; that of the newest is what
        // the follower goes on from.
        match records.get(archive.version())? {
            Some(record) if record.parts != archive.validator()?.root_parts() => {
                Err("the chain's record of the newest version has another root".into())
            }
            _ => Ok(()),
        }
    }
}
