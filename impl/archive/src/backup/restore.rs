//! Making the archive of a backup: whole and verified, or not at all.

use std::error::Error;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::form::{BESIDE, BackupError, BackupSummary};
use super::reader::{BackupReader, BackupRecord};
use crate::archive::Archive;
use crate::builder::Builder;
use crate::creation::Creation;
use crate::error::{ArchiveError, Place};
use crate::keys;
use crate::progress::Progress;
use crate::records;
use crate::redb_store::RedbStore;
use crate::store::{Store, Table};

/// Bytes that are written in one transaction.
const BATCH: usize = 32 << 20;

/// What keeps a service's own records of a backup, in the file of its own
/// ([`SERVICE_FILE`](crate::SERVICE_FILE)) beside the store.
pub trait Beside {
    /// Takes a record; `directory` is that of the archive, which is verified. Keys strictly ascend.
    ///
    /// # Errors
    /// Anything that makes the backup unfit: it is not restored then.
    fn take(
        &mut self,
        directory: &Path,
        archive: &Archive,
        key: Vec<u8>,
        value: Vec<u8>,
    ) -> Result<(), Box<dyn Error + Send + Sync>>;

    /// All records are there: makes what was taken durable.
    ///
    /// # Errors
    /// As [`Beside::take`].
    fn end(&mut self, directory: &Path, archive: &Archive) -> Result<(), Box<dyn Error + Send + Sync>>;
}

/// Takes no records: a backup that has some is refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct NothingBeside;

impl Beside for NothingBeside {
    fn take(&mut self, _: &Path, _: &Archive, _: Vec<u8>, _: Vec<u8>) -> Result<(), Box<dyn Error + Send + Sync>> {
        Err("there are some, and nothing that knows them".into())
    }

    fn end(&mut self, _: &Path, _: &Archive) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(())
    }
}

impl Builder {
    /// Makes the archive of a backup in a directory that is empty or not there. Every commitment is
    /// computed anew from the slots, the index and the blocks' links are followed, and the state
    /// root that comes out is that of the backup's head.
    ///
    /// A process that dies in between leaves a directory that counts as empty.
    ///
    /// # Errors
    /// [`BackupError`]; nothing is left behind then.
    pub fn restore(
        &self,
        directory: &Path,
        mut backup: BackupReader<impl Read>,
        beside: &mut dyn Beside,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Archive, BackupSummary), BackupError> {
        let creation = Creation::begin(directory)?;
        match self.restore_in(&creation, &mut backup, beside, progress) {
            Ok(archive) => Ok((archive, backup.summary())),
            Err(error) => {
                creation.abandon();
                Err(error)
            }
        }
    }

    fn restore_in(
        &self,
        creation: &Creation,
        backup: &mut BackupReader<impl Read>,
        beside: &mut dyn Beside,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Archive, BackupError> {
        let directory = creation.directory();
        let file = directory.store();
        let store = RedbStore::create(&file).map_err(|source| ArchiveError::Open { path: file, source })?;
        let (counts, mut own) = fill(&store, backup)?;
        let archive = Archive::on_store(Box::new(store), None, self.scheme_at_hand().map(Arc::clone))?;
        let archive = archive.in_directory(directory.clone());
        if (archive.id(), archive.version()) != (backup.dictionary(), backup.version()) {
            return Err(BackupError::OtherHead);
        }
        counts.check(&archive)?;
        let report = archive.audit_newest(progress)?;
        if let Some(finding) = report.findings.into_iter().next() {
            return Err(BackupError::Contradiction(Box::new(finding)));
        }
        let (said, found) = (*backup.root(), archive.validator()?.root());
        if said != found {
            return Err(BackupError::OtherRoot { said, found });
        }
        while let Some((number, key, value)) = own {
            if number != BESIDE {
                return Err(BackupError::Damaged("there is no such table"));
            }
            beside.take(directory.path(), &archive, key, value).map_err(BackupError::Beside)?;
            own = backup.next_record()?;
        }
        beside.end(directory.path(), &archive).map_err(BackupError::Beside)?;
        creation.complete()?;
        Ok(archive)
    }
}

/// Writes a backup's records to an empty store, each one that its table can have. Says how many
/// there are, and gives the first of a service's own, which come last.
fn fill(
    store: &RedbStore,
    backup: &mut BackupReader<impl Read>,
) -> Result<(Counts, Option<BackupRecord>), BackupError> {
    let (mut batch, mut bytes, mut counts, mut own) = (Vec::new(), 0, Counts::default(), None);
    while let Some((number, key, value)) = backup.next_record()? {
        if number == BESIDE {
            own = Some((number, key, value));
            break;
        }
        let table = *Table::ALL.get(usize::from(number)).ok_or(BackupError::Damaged("there is no such table"))?;
        check_record(table, &key, &value, backup.version())?;
        counts.enter(table);
        bytes += key.len() + value.len();
        batch.push((table, key, value));
        if bytes >= BATCH {
            put(store, &mut batch)?;
            bytes = 0;
        }
    }
    put(store, &mut batch)?;
    Ok((counts, own))
}

/// Whether a record is one of its table, whole, and of no version that is still to come.
fn check_record(table: Table, key: &[u8], record: &[u8], newest: u64) -> Result<(), BackupError> {
    let place = keys::place(table, key);
    let version = match &place {
        Place::Key(_) => return Err(BackupError::NotARecord(place, "not a key of this table")),
        Place::PastSlot { version, .. } | Place::PastCommitment { version, .. } | Place::Written { version, .. } => {
            *version
        }
        Place::PastKey { start, .. } => *start,
        Place::Version(version) | Place::Block(version) => *version,
        _ => 0,
    };
    if version > newest {
        return Err(BackupError::NotARecord(place, "of a version after the newest"));
    }
    match records::is_whole(table, key, record) {
        true => Ok(()),
        false => Err(BackupError::NotARecord(place, "does not match its checksum")),
    }
}

/// Records of those tables that have one for each of something.
#[derive(Default)]
struct Counts {
    slots: u64,
    commitments: u64,
    versions: u64,
}

impl Counts {
    fn enter(&mut self, table: Table) {
        match table {
            Table::Slots => self.slots += 1,
            Table::Commitments => self.commitments += 1,
            Table::Versions => self.versions += 1,
            _ => (),
        }
    }

    /// With as many records as there are, and each that there should be found by the audit, there
    /// is none besides.
    fn check(&self, archive: &Archive) -> Result<(), BackupError> {
        let vectors = archive.size().div_ceil(archive.parameters().positions_per_vector());
        let expected = [
            (self.slots, archive.size(), Table::Slots),
            (self.commitments, vectors, Table::Commitments),
            (self.versions, archive.version().saturating_add(1), Table::Versions),
        ];
        match expected.into_iter().find(|(found, expected, _)| found != expected) {
            Some((_, _, table)) => {
                Err(BackupError::NotARecord(Place::Key(table), "more or fewer than there should be"))
            }
            None => Ok(()),
        }
    }
}

fn put(store: &RedbStore, batch: &mut Vec<(Table, Vec<u8>, Vec<u8>)>) -> Result<(), ArchiveError> {
    store.write(&mut |write| {
        batch.iter().try_for_each(|(table, key, value)| write.put(*table, key, value)).map_err(ArchiveError::from)
    })?;
    batch.clear();
    Ok(())
}
