//! Writing a backup of a snapshot.

use std::io::{self, Write};

use aardvark_algebra::hash::TaggedHash;
use aardvark_algebra::integers::u64_of_usize;

use super::form::{BESIDE, BackupError, BackupSummary, END, MARK, MOST_VALUE, TAG};
use crate::snapshot::Snapshot;
use crate::store::{Entry, Table};

impl Snapshot {
    /// Writes a backup of this state, and behind its records a service's own, by strictly ascending
    /// keys. The archive may go on meanwhile; what it writes is not in the backup.
    ///
    /// # Errors
    /// [`BackupError::Archive`] where the store fails or the snapshot's work is ended,
    /// [`BackupError::Io`] where the bytes are not taken, a record is too long, or `beside` fails.
    pub fn back_up(
        &self,
        out: impl Write,
        beside: impl Iterator<Item = io::Result<Entry>>,
    ) -> Result<BackupSummary, BackupError> {
        let (dictionary, version, root) = (*self.id(), self.version(), self.validator()?.root());
        let mut out = Output { out, hash: TaggedHash::new(TAG), records: 0, bytes: 0 };
        out.write(MARK)?;
        out.write(&dictionary.0)?;
        out.write(&version.to_be_bytes())?;
        out.write(&root)?;
        let tables = self.tables()?;
        for table in Table::ALL {
            for record in tables.raw(table)? {
                self.work.check()?;
                let (key, value) = record?;
                out.record(table as u8, &key, &value)?;
            }
        }
        for entry in beside {
            let (key, value) = entry?;
            out.record(BESIDE, &key, &value)?;
        }
        let (records, bytes) = out.end()?;
        Ok(BackupSummary { dictionary, version, root, records, bytes })
    }
}

/// Bytes that are counted and hashed while they are written.
struct Output<W> {
    out: W,
    hash: TaggedHash,
    records: u64,
    bytes: u64,
}

impl<W: Write> Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.bytes += u64_of_usize(bytes.len());
        self.out.write_all(bytes)
    }

    fn record(&mut self, table: u8, key: &[u8], value: &[u8]) -> io::Result<()> {
        let too_long = || io::Error::new(io::ErrorKind::InvalidData, "a record is too long for a backup");
        let key_length = u16::try_from(key.len()).map_err(|_| too_long())?;
        let value_length = u32::try_from(value.len()).ok().filter(|_| value.len() <= MOST_VALUE);
        self.write(&[table])?;
        self.write(&key_length.to_be_bytes())?;
        self.write(key)?;
        self.write(&value_length.ok_or_else(too_long)?.to_be_bytes())?;
        self.write(value)?;
        self.records += 1;
        Ok(())
    }

    /// Number of records, and of bytes.
    fn end(mut self) -> io::Result<(u64, u64)> {
        self.write(&[END])?;
        let records = self.records;
        self.write(&records.to_be_bytes())?;
        let digest = self.hash.finalize();
        self.out.write_all(&digest)?;
        self.out.flush()?;
        Ok((records, self.bytes + u64_of_usize(digest.len())))
    }
}
