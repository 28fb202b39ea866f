//! The vault: the secrets of a table's rows, beside the dictionary that commits to them.
//!
//! ```text
//! DIR/vault/vault.redb, in a folder of mode 0700
//! "f"                                          "aardvark vault 1" || dictionary (32)
//! "p" || u32 part                              (bytes8(head key) || bytes16(head))*: what a write
//!                                              is about to put, in parts
//! "s" || place                                 the segment's secret
//! "i" || bytes8(table) || bytes16(id) || place || u32 row
//! place = bytes8(head key) || u32 revision || u32 segment
//! "j", "k", "u", "d": writes to a chain (the module `job`)
//! ```
//!
//! A row's id is its first text.
//!
//! A write makes its secrets durable, part by part, each with the list of what it is about to put,
//! before the archive puts anything: a commitment never stands without its secrets. Where the
//! archive's part did not come, the next opening finds the lists and removes the secrets
//! ([`Vault::settle`]).

mod error;
mod folder;
mod index;
mod job;
mod segment;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use aardvark_archive::scratch::{MakeFile, temporary_files};
use aardvark_archive::store::{Entries, Entry, Read, Store, Table, Write};
use aardvark_archive::{RedbStore, StoreError};
use aardvark_dictionary::DictionaryId;

pub use error::VaultError;
pub use job::{Counts, Done, Job};
pub use segment::SegmentSecret;

use self::folder::{check_mode, make_folder};
use crate::place::SegmentPlace;

/// What the vault's first entry begins with.
const MARK: &[u8] = b"aardvark vault 1";
/// The file of the store.
const STORE: &str = "vault.redb";

/// Where a row stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowPlace {
    /// Its segment.
    pub segment: SegmentPlace,
    /// Its index in the segment.
    pub row: u32,
}

/// What a write is about to put into the dictionary.
pub struct Pending<'a> {
    /// The keys and values of heads.
    pub heads: &'a [(Vec<u8>, Vec<u8>)],
}

/// The vault of a dictionary's tables.
pub struct Vault {
    store: Box<dyn Store>,
    /// Its folder, where it is in one.
    folder: Option<PathBuf>,
}

impl Vault {
    /// The folder of a dictionary's vault.
    pub fn folder(directory: &Path) -> PathBuf {
        directory.join("vault")
    }

    /// Opens the vault of a dictionary to write to it; makes it where there is none.
    ///
    /// # Errors
    /// [`VaultError`].
    pub fn open(directory: &Path, dictionary: &DictionaryId) -> Result<Self, VaultError> {
        let folder = Self::folder(directory);
        let file = folder.join(STORE);
        if file.exists() {
            check_mode(&folder)?;
            return Self::in_folder(folder, Box::new(RedbStore::open(&file)?), dictionary);
        }
        make_folder(&folder).map_err(|source| VaultError::File { path: folder.clone(), source })?;
        // Made under another name, so that a kill leaves no half of one.
        let draft = folder.join("vault.redb.draft");
        let failed = |source| VaultError::File { path: folder.clone(), source };
        match fs::remove_file(&draft) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        drop(Self::on_store(Box::new(RedbStore::create(&draft)?), dictionary)?);
        fs::rename(&draft, &file).map_err(failed)?;
        fs::File::open(&folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
        let store = Box::new(RedbStore::open(&file)?);
        Self::in_folder(folder, store, dictionary)
    }

    /// Opens the vault of a dictionary to read it, beside other readers.
    ///
    /// # Errors
    /// [`VaultError`]; [`VaultError::Missing`] where there is none.
    pub fn open_read_only(directory: &Path, dictionary: &DictionaryId) -> Result<Self, VaultError> {
        let folder = Self::folder(directory);
        let file = folder.join(STORE);
        if !file.exists() {
            return Err(VaultError::Missing(folder));
        }
        check_mode(&folder)?;
        let store = Box::new(RedbStore::open_read_only(&file)?);
        Self::in_folder(folder, store, dictionary)
    }

    fn in_folder(folder: PathBuf, store: Box<dyn Store>, dictionary: &DictionaryId) -> Result<Self, VaultError> {
        Ok(Self { folder: Some(folder), ..Self::on_store(store, dictionary)? })
    }

    /// The vault on a store: a new one where the store is empty.
    ///
    /// # Errors
    /// [`VaultError`].
    pub fn on_store(store: Box<dyn Store>, dictionary: &DictionaryId) -> Result<Self, VaultError> {
        let mark = [MARK, &dictionary.0].concat();
        match store.read()?.get(Table::Meta, b"f")? {
            None => store.write(&mut |write| Ok(write.put(Table::Meta, b"f", &mark)?))?,
            Some(found) if found == mark => {}
            Some(found) if found.starts_with(MARK) => return Err(VaultError::OtherDictionary),
            Some(_) => return Err(VaultError::Damaged("its first entry is no vault's")),
        }
        Ok(Self { store, folder: None })
    }

    /// Makes files for rows that are on their way into the vault: beside its own, and in the
    /// system's folder where it is in none.
    pub(crate) fn temporary_files(&self) -> MakeFile {
        temporary_files(self.folder.clone())
    }

    /// Whether there is a segment's secret.
    ///
    /// # Errors
    /// [`VaultError`].
    pub(crate) fn has(&self, place: &SegmentPlace) -> Result<bool, VaultError> {
        Ok(self.store.read()?.get(Table::Meta, &segment_key(place))?.is_some())
    }

    /// The secret of a segment, where there is one.
    ///
    /// # Errors
    /// [`VaultError`].
    pub fn segment(&self, place: &SegmentPlace) -> Result<Option<SegmentSecret>, VaultError> {
        let found = self.store.read()?.get(Table::Meta, &segment_key(place))?;
        found
            .map(|bytes| SegmentSecret::from_bytes(&bytes).ok_or(VaultError::Damaged("a segment's secret")))
            .transpose()
    }

    /// Where the rows of an id stand, of all revisions that there were.
    ///
    /// # Errors
    /// [`VaultError`].
    pub fn rows_of(&self, table: &str, id: &str) -> Result<Vec<RowPlace>, VaultError> {
        let prefix = id_prefix(table, id);
        let read = self.store.read()?;
        let mut places = Vec::new();
        for (key, _) in entries_of(read.as_ref(), &prefix)? {
            let place = key.get(prefix.len()..).and_then(read_row_place);
            places.push(place.ok_or(VaultError::Damaged("a row's place"))?);
        }
        Ok(places)
    }

    /// Makes secrets durable, with what is about to be put into the dictionary; where earlier ones
    /// are pending, beside them.
    ///
    /// # Errors
    /// [`VaultError`]; nothing is written then.
    pub fn prepare(
        &mut self,
        pending: &Pending<'_>,
        secrets: &[(SegmentPlace, SegmentSecret)],
    ) -> Result<(), VaultError> {
        self.prepare_segments(pending, secrets)?;
        let keys = secrets.iter().flat_map(|(place, secret)| index_keys(place, secret));
        self.index(&keys.collect::<Vec<_>>())
    }

    /// As [`Vault::prepare`], without the index of rows: these are to be given to [`Vault::index`].
    ///
    /// # Errors
    /// [`VaultError`]; nothing is written then.
    pub(crate) fn prepare_segments(
        &mut self,
        pending: &Pending<'_>,
        secrets: &[(SegmentPlace, SegmentSecret)],
    ) -> Result<(), VaultError> {
        let (part, list) = self.next_list(pending)?;
        self.store.write(&mut |write| {
            write.put(Table::Meta, &part, &list)?;
            for (place, secret) in secrets {
                write.put(Table::Meta, &segment_key(place), &secret.to_bytes())?;
            }
            Ok(())
        })?;
        Ok(())
    }

    /// The lists of what is pending that have first segments of these places, without them.
    fn lists_without(&self, stale: &[SegmentPlace]) -> Result<Vec<Entry>, VaultError> {
        let stale: BTreeSet<&SegmentPlace> = stale.iter().collect();
        let mut lists = Vec::new();
        for entry in pending_lists(self.store.read()?.as_ref())? {
            let (part, list) = entry?;
            let mut heads = read_pending(&list).ok_or(VaultError::Damaged("the list of what is pending"))?;
            let before = heads.len();
            heads.retain(|(key, head)| SegmentPlace::of_entry(key, head).is_none_or(|place| !stale.contains(&place)));
            if heads.len() < before {
                lists.push((part, write_pending(&heads)));
            }
        }
        Ok(lists)
    }

    /// The key of the next list of what is pending, and the list.
    fn next_list(&self, pending: &Pending<'_>) -> Result<Entry, VaultError> {
        let list = write_pending(pending.heads);
        let last = pending_lists(self.store.read()?.as_ref())?.next_back().transpose()?;
        let number = |(key, _): (Vec<u8>, Vec<u8>)| key.get(1..)?.try_into().ok().map(u32::from_be_bytes);
        let part = last.and_then(number).map_or(0, |last| last.saturating_add(1));
        Ok(([&b"p"[..], &part.to_be_bytes()].concat(), list))
    }

    /// Adds rows to the index, by the keys that [`index_keys`] gives.
    ///
    /// # Errors
    /// [`VaultError`]; nothing is written then.
    pub(crate) fn index(&mut self, keys: &[Vec<u8>]) -> Result<(), VaultError> {
        let all = |write: &mut dyn Write| keys.iter().try_for_each(|key| write.put(Table::Meta, key, &[]));
        Ok(self.store.write(&mut |write| Ok(all(write)?))?)
    }

    /// Ends a write: the dictionary has what was pending.
    ///
    /// # Errors
    /// [`VaultError`].
    pub fn complete(&mut self) -> Result<(), VaultError> {
        let parts = self.pending_parts()?;
        Ok(self.store.write(&mut |write| Ok(parts.iter().try_for_each(|key| write.delete(Table::Meta, key))?))?)
    }

    /// Ends a write that may have been interrupted: removes the secrets of each pending head of
    /// which `stands` says that the dictionary does not have it. Their number.
    ///
    /// # Errors
    /// [`VaultError`], and what `stands` fails with.
    pub fn settle<E: From<VaultError>>(
        &mut self,
        mut stands: impl FnMut(&[u8], &[u8]) -> Result<bool, E>,
    ) -> Result<usize, E> {
        let mut orphans = 0;
        for part in self.pending_parts()? {
            orphans += self.settle_part(&part, &mut stands)?;
        }
        Ok(orphans)
    }

    /// The keys and heads of what is pending.
    ///
    /// # Errors
    /// [`VaultError`].
    pub(crate) fn pending_heads(&self) -> Result<Vec<Entry>, VaultError> {
        let mut heads = Vec::new();
        for entry in pending_lists(self.store.read()?.as_ref())? {
            heads.extend(read_pending(&entry?.1).ok_or(VaultError::Damaged("the list of what is pending"))?);
        }
        Ok(heads)
    }

    /// The keys of the lists of what is pending.
    fn pending_parts(&self) -> Result<Vec<Vec<u8>>, VaultError> {
        let read = self.store.read()?;
        Ok(pending_lists(read.as_ref())?.map(|entry| entry.map(|(key, _)| key)).collect::<Result<_, _>>()?)
    }

    /// Removes one list of what is pending, and those of its secrets that do not stand.
    fn settle_part<E: From<VaultError>>(
        &mut self,
        part: &[u8],
        stands: &mut impl FnMut(&[u8], &[u8]) -> Result<bool, E>,
    ) -> Result<usize, E> {
        let read = self.store.read().map_err(VaultError::from)?;
        let list = read.get(Table::Meta, part).map_err(VaultError::from)?.unwrap_or_default();
        let pending = read_pending(&list).ok_or(VaultError::Damaged("the list of what is pending"))?;
        let mut orphans = Vec::new();
        for (key, head) in pending {
            if !stands(&key, &head)? {
                orphans.extend(SegmentPlace::of_entry(&key, &head));
            }
        }
        let mut removed: Vec<Vec<u8>> = vec![part.to_vec()];
        for place in &orphans {
            if let Some(secret) = self.segment(place)? {
                removed.extend(index_keys(place, &secret));
                removed.push(segment_key(place));
            }
        }
        self.store
            .write(&mut |write| Ok(removed.iter().try_for_each(|key| write.delete(Table::Meta, key))?))
            .map_err(VaultError::from)?;
        Ok(orphans.len())
    }
}

/// The keys of a segment's rows in the index: by each row's first text.
pub(crate) fn index_keys(place: &SegmentPlace, secret: &SegmentSecret) -> Vec<Vec<u8>> {
    let table = place.table().unwrap_or_default();
    let key = |(row, texts): (u32, &Vec<String>)| {
        let id = texts.first()?;
        Some([id_prefix(table, id), place_bytes(place), row.to_be_bytes().to_vec()].concat())
    };
    (0u32..).zip(&secret.texts).filter_map(key).collect()
}

/// What the entries of a table's rows begin with.
fn table_prefix(table: &str) -> Vec<u8> {
    let mut key = vec![b'i', table.len() as u8];
    key.extend(table.as_bytes());
    key
}

fn id_prefix(table: &str, id: &str) -> Vec<u8> {
    let mut key = table_prefix(table);
    key.extend((id.len() as u16).to_be_bytes());
    key.extend(id.as_bytes());
    key
}

fn segment_key(place: &SegmentPlace) -> Vec<u8> {
    [vec![b's'], place_bytes(place)].concat()
}

fn place_bytes(place: &SegmentPlace) -> Vec<u8> {
    let mut bytes = vec![place.head.len() as u8];
    bytes.extend(&place.head);
    bytes.extend(place.revision.to_be_bytes());
    bytes.extend(place.segment.to_be_bytes());
    bytes
}

fn read_row_place(bytes: &[u8]) -> Option<RowPlace> {
    let (length, rest) = bytes.split_first()?;
    let (head, rest) = rest.split_at_checked(usize::from(*length))?;
    let numbers: &[u8; 12] = rest.try_into().ok()?;
    let mut numbers = numbers.as_chunks::<4>().0.iter().map(|bytes| u32::from_be_bytes(*bytes));
    let (revision, segment, row) = (numbers.next()?, numbers.next()?, numbers.next()?);
    Some(RowPlace { segment: SegmentPlace { head: head.to_vec(), revision, segment }, row })
}

fn write_pending(heads: &[Entry]) -> Vec<u8> {
    let mut list = Vec::new();
    for (key, head) in heads {
        list.push(key.len() as u8);
        list.extend(key);
        list.extend((head.len() as u16).to_be_bytes());
        list.extend(head);
    }
    list
}

fn read_pending(mut bytes: &[u8]) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
    let mut pending = Vec::new();
    while let Some((length, rest)) = bytes.split_first() {
        let (key, rest) = rest.split_at_checked(usize::from(*length))?;
        let (length, rest) = rest.split_first_chunk::<2>()?;
        let (head, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
        pending.push((key.to_vec(), head.to_vec()));
        bytes = rest;
    }
    Some(pending)
}

/// The lists of what is pending.
fn pending_lists(read: &dyn Read) -> Result<Entries<'_>, StoreError> {
    read.range(Table::Meta, (Bound::Included(b"p"), Bound::Excluded(b"q")))
}

/// The entries whose keys begin so.
fn entries_of(read: &dyn Read, prefix: &[u8]) -> Result<Vec<Entry>, StoreError> {
    let begins = prefix.to_vec();
    let entries = read.range(Table::Meta, (Bound::Included(prefix), Bound::Unbounded))?;
    let is_within =
        move |entry: &Result<Entry, StoreError>| entry.as_ref().map_or(true, |(key, _)| key.starts_with(&begins));
    entries.take_while(is_within).collect()
}
