//! The write to a chain that is under way, and those that are done.
//!
//! ```text
//! "j"                   the job: u8 1 || u8 state || request (32) || bytes8(table) || u64 rows || u64 runs
//!                       || u64 sheets || u64 version || u64 last valid
//! "k" || u32 number     a draft that is not known to be applied
//! "u" || u32 number     the last version that may hold what was sent of it: u64; none where nothing was
//! "d" || request (32)   a job that is done: u64 version || u64 rows || u64 runs || u64 sheets
//! ```
//!
//! A job is being prepared until all that it puts is in the vault: of one that ends before that
//! nothing was sent, and the next opening removes it. From then on it is carried on until all of it
//! is applied.

use std::ops::Bound;

use aardvark_archive::store::{Table, Write};
use aardvark_archive::{ArchiveError, StoreError};
use aardvark_dictionary::DecodeError;
use aardvark_dictionary::codec::Reader;

use super::error::VaultError;
use super::{Pending, SegmentSecret, Vault, index_keys, pending_lists, segment_key};
use crate::place::SegmentPlace;

/// The format of jobs.
const FORMAT: u8 = 1;
/// The key of the job.
const JOB: &[u8] = b"j";

/// What a write came to, or will.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rows that were read.
    pub rows: u64,
    /// Runs that are put.
    pub runs: u64,
    /// Sheets that they are on: one certificate each.
    pub sheets: u64,
}

/// A write that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// A version that has all of it.
    pub version: u64,
    /// What it came to.
    pub counts: Counts,
}

/// A write of several transactions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// What was asked: the same for the same rows of the same table.
    pub request: [u8; 32],
    /// The table's name.
    pub table: String,
    /// Whether all of it is in the vault, so that it may have been sent.
    pub is_ready: bool,
    /// What it comes to.
    pub counts: Counts,
    /// A version that has all that is known to be applied.
    pub version: u64,
    /// The last version that may hold what was sent.
    pub last_valid: u64,
}

impl Job {
    fn to_bytes(&self) -> Vec<u8> {
        let Self { request, table, is_ready, counts: Counts { rows, runs, sheets }, version, last_valid } = self;
        let mut bytes = vec![FORMAT, u8::from(*is_ready)];
        bytes.extend(request);
        // Names of tables have at most 32 bytes.
        bytes.push(table.len() as u8);
        bytes.extend(table.as_bytes());
        [rows, runs, sheets, version, last_valid].iter().for_each(|number| bytes.extend(number.to_be_bytes()));
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        read_job(bytes).ok().flatten()
    }
}

fn read_job(bytes: &[u8]) -> Result<Option<Job>, DecodeError> {
    let mut reader = Reader::new(bytes);
    if reader.u8("the format")? != FORMAT {
        return Ok(None);
    }
    let is_ready = reader.u8("the state")? == 1;
    let request = reader.array("the request")?;
    let length = reader.u8("the length of a name")?;
    let Ok(table) = core::str::from_utf8(reader.take(usize::from(length), "a name")?) else { return Ok(None) };
    let counts = Counts { rows: reader.u64("rows")?, runs: reader.u64("runs")?, sheets: reader.u64("sheets")? };
    let (version, last_valid) = (reader.u64("the version")?, reader.u64("the last version")?);
    reader.finish()?;
    Ok(Some(Job { request, table: table.to_owned(), is_ready, counts, version, last_valid }))
}

impl Vault {
    /// The write that is under way, where there is one.
    ///
    /// # Errors
    /// [`VaultError`].
    pub fn job(&self) -> Result<Option<Job>, VaultError> {
        let found = self.store.read()?.get(Table::Meta, JOB)?;
        found.map(|bytes| Job::from_bytes(&bytes).ok_or(VaultError::Damaged("the write under way"))).transpose()
    }

    /// Writes down how far the write under way is.
    ///
    /// # Errors
    /// [`VaultError`].
    pub(crate) fn put_job(&mut self, job: &Job) -> Result<(), VaultError> {
        let bytes = job.to_bytes();
        self.transact(&mut |write| write.put(Table::Meta, JOB, &bytes))
    }

    /// Writes down until when a draft may be applied that is about to be sent, and how far the
    /// write under way is.
    ///
    /// # Errors
    /// [`VaultError`].
    pub(crate) fn put_sent(&mut self, number: u32, last_valid: u64, job: &Job) -> Result<(), VaultError> {
        let bytes = job.to_bytes();
        self.transact(&mut |write| {
            write.put(Table::Meta, &sent_key(number), &last_valid.to_be_bytes())?;
            write.put(Table::Meta, JOB, &bytes)
        })
    }

    /// The last version that may hold what was sent of a draft; `None` where nothing was.
    ///
    /// # Errors
    /// [`VaultError`].
    pub(crate) fn sent(&self, number: u32) -> Result<Option<u64>, VaultError> {
        let found = self.store.read()?.get(Table::Meta, &sent_key(number))?;
        let read = |bytes: Vec<u8>| bytes.try_into().map(u64::from_be_bytes).ok();
        found.map(|bytes| read(bytes).ok_or(VaultError::Damaged("until when a draft may be applied"))).transpose()
    }

    /// Adds drafts, from a number on.
    ///
    /// # Errors
    /// [`VaultError`].
    pub(crate) fn put_drafts(&mut self, first: u32, drafts: &[Vec<u8>]) -> Result<(), VaultError> {
        let numbered = || (first..).zip(drafts);
        self.transact(&mut |write| {
            numbered().try_for_each(|(number, draft)| write.put(Table::Meta, &draft_key(number), draft))
        })
    }

    /// Puts segments, with the drafts that put them, in the place of those that the drafts of these
    /// numbers put and that are not put: secrets, index, what is pending, all at once.
    ///
    /// # Errors
    /// [`VaultError`]; nothing is written then.
    pub(crate) fn replace(
        &mut self,
        stale: &[SegmentPlace],
        pending: &Pending<'_>,
        secrets: &[(SegmentPlace, SegmentSecret)],
        drafts: &[(u32, Vec<u8>)],
    ) -> Result<(), VaultError> {
        let mut removed: Vec<Vec<u8>> = drafts.iter().map(|(number, _)| sent_key(*number)).collect();
        for place in stale {
            if let Some(secret) = self.segment(place)? {
                removed.extend(index_keys(place, &secret));
                removed.push(segment_key(place));
            }
        }
        let lists = self.lists_without(stale)?;
        let (part, list) = self.next_list(pending)?;
        self.store.write(&mut |write| {
            lists.iter().try_for_each(|(part, list)| write.put(Table::Meta, part, list))?;
            removed.iter().try_for_each(|key| write.delete(Table::Meta, key))?;
            write.put(Table::Meta, &part, &list)?;
            drafts.iter().try_for_each(|(number, draft)| write.put(Table::Meta, &draft_key(*number), draft))?;
            for (place, secret) in secrets {
                write.put(Table::Meta, &segment_key(place), &secret.to_bytes())?;
                index_keys(place, secret).iter().try_for_each(|key| write.put(Table::Meta, key, &[]))?;
            }
            Ok(())
        })?;
        Ok(())
    }

    /// The numbers of the drafts that are not known to be applied, ascending.
    ///
    /// # Errors
    /// [`VaultError`].
    pub fn draft_numbers(&self) -> Result<Vec<u32>, VaultError> {
        let read = self.store.read()?;
        let number = |entry: Result<(Vec<u8>, Vec<u8>), StoreError>| {
            let (key, _) = entry?;
            let number = key.get(1..).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes);
            number.ok_or(VaultError::Damaged("the number of a draft"))
        };
        read.range(Table::Meta, (Bound::Included(b"k"), Bound::Excluded(b"l")))?.map(number).collect()
    }

    /// A draft's bytes.
    ///
    /// # Errors
    /// [`VaultError`].
    pub(crate) fn draft(&self, number: u32) -> Result<Option<Vec<u8>>, VaultError> {
        Ok(self.store.read()?.get(Table::Meta, &draft_key(number))?)
    }

    /// Removes drafts that are applied, and writes down how far the job is.
    ///
    /// # Errors
    /// [`VaultError`].
    pub(crate) fn drop_drafts(&mut self, numbers: &[u32], job: &Job) -> Result<(), VaultError> {
        let bytes = job.to_bytes();
        self.transact(&mut |write| {
            for number in numbers {
                write.delete(Table::Meta, &draft_key(*number))?;
                write.delete(Table::Meta, &sent_key(*number))?;
            }
            write.put(Table::Meta, JOB, &bytes)
        })
    }

    /// Ends the write that is under way: what is pending is the dictionary's now, and what was
    /// asked is done, where it is.
    ///
    /// # Errors
    /// [`VaultError`].
    pub(crate) fn end_job(&mut self, request: &[u8; 32], done: Option<Done>) -> Result<(), VaultError> {
        let numbers = self.draft_numbers()?;
        let mut stale: Vec<Vec<u8>> =
            numbers.iter().flat_map(|number| [draft_key(*number), sent_key(*number)]).collect();
        {
            let read = self.store.read()?;
            for entry in pending_lists(read.as_ref())? {
                stale.push(entry?.0);
            }
        }
        stale.push(JOB.to_vec());
        let done = done.map(|Done { version, counts: Counts { rows, runs, sheets } }| {
            [version, rows, runs, sheets].iter().flat_map(|number| number.to_be_bytes()).collect::<Vec<u8>>()
        });
        self.transact(&mut |write| {
            stale.iter().try_for_each(|key| write.delete(Table::Meta, key))?;
            done.iter().try_for_each(|done| write.put(Table::Meta, &done_key(request), done))
        })
    }

    /// What became of a request, where it is done.
    ///
    /// # Errors
    /// [`VaultError`].
    pub fn done(&self, request: &[u8; 32]) -> Result<Option<Done>, VaultError> {
        let Some(bytes) = self.store.read()?.get(Table::Meta, &done_key(request))? else { return Ok(None) };
        let numbers: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|bytes| u64::from_be_bytes(*bytes)).collect();
        match numbers.as_slice() {
            [version, rows, runs, sheets] => {
                Ok(Some(Done { version: *version, counts: Counts { rows: *rows, runs: *runs, sheets: *sheets } }))
            }
            _ => Err(VaultError::Damaged("a write that is done")),
        }
    }

    fn transact(&mut self, change: &mut dyn FnMut(&mut dyn Write) -> Result<(), StoreError>) -> Result<(), VaultError> {
        Ok(self.store.write(&mut |write| change(write).map_err(ArchiveError::from))?)
    }
}

fn sent_key(number: u32) -> Vec<u8> {
    [b"u".as_slice(), &number.to_be_bytes()].concat()
}

fn draft_key(number: u32) -> Vec<u8> {
    [b"k".as_slice(), &number.to_be_bytes()].concat()
}

fn done_key(request: &[u8; 32]) -> Vec<u8> {
    [b"d".as_slice(), request].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_read_back_and_nothing_else_is() {
        let job = Job {
            request: [7; 32],
            table: "meters".to_owned(),
            is_ready: true,
            counts: Counts { rows: 9, runs: 3, sheets: 1 },
            version: 5,
            last_valid: 305,
        };
        let bytes = job.to_bytes();
        assert_eq!(Job::from_bytes(&bytes), Some(job));
        for length in 0..bytes.len() {
            assert_eq!(Job::from_bytes(&bytes[..length]), None, "{length}");
        }
        assert_eq!(Job::from_bytes(&[&bytes[..], &[0]].concat()), None);
        assert_eq!(Job::from_bytes(&[&[2], &bytes[1..]].concat()), None);
    }
}
