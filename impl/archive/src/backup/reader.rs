//! Reading a backup: one record after the other, of any sender.

use std::io::{self, BufReader, Read};

use aardvark_algebra::hash::TaggedHash;
use aardvark_algebra::integers::{u64_of_usize, usize_of_u32};
use aardvark_dictionary::DictionaryId;

use super::form::{BackupError, BackupSummary, END, MARK, MOST_VALUE, TAG};

/// Bytes that are read, or made room for, at a time.
const PIECE: usize = 1 << 16;

/// A backup that is read: its head, its records, and at its end whether it was whole.
pub struct BackupReader<R> {
    input: BufReader<R>,
    hash: TaggedHash,
    dictionary: DictionaryId,
    version: u64,
    root: [u8; 32],
    records: u64,
    bytes: u64,
    /// Table and key of the last record.
    last: Option<(u8, Vec<u8>)>,
}

/// A record: the number of its table, its key, its value.
pub(super) type BackupRecord = (u8, Vec<u8>, Vec<u8>);

impl<R: Read> BackupReader<R> {
    /// Reads the head. Nothing in it is verified by that.
    ///
    /// # Errors
    /// [`BackupError::Damaged`] where it is no backup; [`BackupError::Io`].
    pub fn new(input: R) -> Result<Self, BackupError> {
        let mut reader = Self {
            input: BufReader::with_capacity(PIECE, input),
            hash: TaggedHash::new(TAG),
            dictionary: DictionaryId([0; 32]),
            version: 0,
            root: [0; 32],
            records: 0,
            bytes: 0,
            last: None,
        };
        if reader.array()? != *MARK {
            return Err(BackupError::Damaged("it does not begin as one"));
        }
        reader.dictionary = DictionaryId(reader.array()?);
        reader.version = u64::from_be_bytes(reader.array()?);
        reader.root = reader.array()?;
        Ok(reader)
    }

    /// The dictionary that it says it is of.
    pub fn dictionary(&self) -> &DictionaryId {
        &self.dictionary
    }

    /// The version that it says it is of.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The state root that it says that version has.
    pub fn root(&self) -> &[u8; 32] {
        &self.root
    }

    /// Reads it to its end, for its form and its digest alone.
    ///
    /// # Errors
    /// [`BackupError::Damaged`], [`BackupError::Io`].
    pub fn check(mut self) -> Result<BackupSummary, BackupError> {
        while self.next_record()?.is_some() {}
        Ok(self.summary())
    }

    pub(super) fn summary(&self) -> BackupSummary {
        let Self { dictionary, version, root, records, bytes, .. } = *self;
        BackupSummary { dictionary, version, root, records, bytes }
    }

    /// The next record; none at the end, where the digest is that of what was read.
    ///
    /// # Errors
    /// As [`BackupReader::check`].
    pub(super) fn next_record(&mut self) -> Result<Option<BackupRecord>, BackupError> {
        let [table] = self.array()?;
        if table == END {
            return self.finish().map(|()| None);
        }
        let key_length = u16::from_be_bytes(self.array()?);
        let key = self.take(key_length.into())?;
        let value_length = usize_of_u32(u32::from_be_bytes(self.array()?));
        if value_length > MOST_VALUE {
            return Err(BackupError::Damaged("a value is longer than any"));
        }
        let value = self.take(value_length)?;
        if self.last.as_ref().is_some_and(|(last, before)| (*last, before) >= (table, &key)) {
            return Err(BackupError::Damaged("its records do not ascend"));
        }
        self.last = Some((table, key.clone()));
        self.records += 1;
        Ok(Some((table, key, value)))
    }

    fn finish(&mut self) -> Result<(), BackupError> {
        if u64::from_be_bytes(self.array()?) != self.records {
            return Err(BackupError::Damaged("records are missing"));
        }
        let expected = self.hash.clone().finalize();
        if self.array::<32>()? != expected {
            return Err(BackupError::Damaged("its digest is another one"));
        }
        if self.input.read(&mut [0])? > 0 {
            return Err(BackupError::Damaged("something stands behind its end"));
        }
        Ok(())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BackupError> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes).map_err(cut_off)?;
        self.took(&bytes);
        Ok(bytes)
    }

    /// So many bytes; memory grows with what is read, not with what is announced.
    fn take(&mut self, length: usize) -> Result<Vec<u8>, BackupError> {
        let mut bytes = Vec::with_capacity(length.min(PIECE));
        let read = (&mut self.input).take(u64_of_usize(length)).read_to_end(&mut bytes)?;
        if read < length {
            return Err(cut_off(io::ErrorKind::UnexpectedEof.into()));
        }
        self.took(&bytes);
        Ok(bytes)
    }

    fn took(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.bytes += u64_of_usize(bytes.len());
    }
}

fn cut_off(error: io::Error) -> BackupError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => BackupError::Damaged("it is cut off"),
        _ => BackupError::Io(error),
    }
}
