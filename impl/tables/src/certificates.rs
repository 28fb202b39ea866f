//! The certificates of a dictionary's tables, beside its log: public, by version and place.
//!
//! ```text
//! DIR/certificates.redb   key                     value
//!                         "f"                     "aardvark certificates 1" || dictionary (32)
//!                         "c" || u64 version || u32 place   u16 K || (bytes8(head key))* || certificate
//! ```
//!
//! An entry's statement is about the heads that its version put under these keys, in this order.
//! Entries of a version are written before the version: a version that did not come is written
//! anew, and its entries with it.

use std::ops::Bound;
use std::path::{Path, PathBuf};

use aardvark_archive::store::{Store, Table};
use aardvark_archive::{ArchiveError, RedbStore, StoreError};
use aardvark_dictionary::DictionaryId;
use thiserror::Error;

/// What the first entry begins with.
const MARK: &[u8] = b"aardvark certificates 1";
/// The file of the store.
const STORE: &str = "certificates.redb";
/// The file while it is made.
const DRAFT: &str = "certificates.redb.draft";

/// Why certificates cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CertificatesError {
    /// The file cannot be made.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It has the certificates of another dictionary.
    #[error("the certificates are those of another dictionary")]
    OtherDictionary,
    /// It is not what was written.
    #[error("the store of certificates is damaged: {0}")]
    Damaged(&'static str),
    /// Its store failed.
    #[error("certificates: {0}")]
    Store(#[from] StoreError),
    /// Its store failed while it wrote.
    #[error("certificates: {0}")]
    Write(#[from] ArchiveError),
}

/// A certificate, and the keys of the heads that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCertificate {
    /// The keys of the heads, in the statement's order.
    pub heads: Vec<Vec<u8>>,
    /// The certificate's bytes.
    pub certificate: Vec<u8>,
}

/// The certificates of a dictionary's tables.
pub struct Certificates {
    store: Option<Box<dyn Store>>,
}

impl Certificates {
    /// Opens the certificates of a dictionary to add some; makes the file where there is none.
    ///
    /// # Errors
    /// [`CertificatesError`].
    pub fn open(directory: &Path, dictionary: &DictionaryId) -> Result<Self, CertificatesError> {
        let (file, draft) = (directory.join(STORE), directory.join(DRAFT));
        if !file.exists() {
            let failed = |source| CertificatesError::File { path: file.clone(), source };
            match std::fs::remove_file(&draft) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
                _ => {}
            }
            drop(Self::on_store(Box::new(RedbStore::create(&draft)?), dictionary)?);
            std::fs::rename(&draft, &file).map_err(failed)?;
        }
        Self::on_store(Box::new(RedbStore::open(&file)?), dictionary)
    }

    /// Opens the certificates of a dictionary to read them; there are none where there is no file.
    ///
    /// # Errors
    /// [`CertificatesError`].
    pub fn open_read_only(directory: &Path, dictionary: &DictionaryId) -> Result<Self, CertificatesError> {
        let file = directory.join(STORE);
        if !file.exists() {
            return Ok(Self { store: None });
        }
        Self::on_store(Box::new(RedbStore::open_read_only(&file)?), dictionary)
    }

    /// The certificates on a store: none where the store is empty.
    ///
    /// # Errors
    /// [`CertificatesError`].
    pub fn on_store(store: Box<dyn Store>, dictionary: &DictionaryId) -> Result<Self, CertificatesError> {
        let mark = [MARK, &dictionary.0].concat();
        match store.read()?.get(Table::Meta, b"f")? {
            None => store.write(&mut |write| Ok(write.put(Table::Meta, b"f", &mark)?))?,
            Some(found) if found == mark => {}
            Some(found) if found.starts_with(MARK) => return Err(CertificatesError::OtherDictionary),
            Some(_) => return Err(CertificatesError::Damaged("its first entry is none")),
        }
        Ok(Self { store: Some(store) })
    }

    /// The certificates that were written with a version, in the order of their places.
    ///
    /// # Errors
    /// [`CertificatesError`].
    pub fn of_version(&self, version: u64) -> Result<Vec<StoredCertificate>, CertificatesError> {
        let Some(store) = &self.store else { return Ok(Vec::new()) };
        let read = store.read()?;
        let (from, to) = (version_prefix(version), version_prefix(version.saturating_add(1)));
        let bounds = (Bound::Included(from.as_slice()), Bound::Excluded(to.as_slice()));
        let decoded = |entry: Result<(Vec<u8>, Vec<u8>), StoreError>| {
            let (_, value) = entry?;
            decode(&value).ok_or(CertificatesError::Damaged("a certificate's entry"))
        };
        read.range(Table::Meta, bounds)?.map(decoded).collect()
    }

    /// Writes the certificates of a version, in the place of those that an interrupted write of the
    /// same version has left.
    ///
    /// # Errors
    /// [`CertificatesError`].
    pub fn put(&mut self, version: u64, certificates: &[StoredCertificate]) -> Result<(), CertificatesError> {
        let store = self.store.as_ref().ok_or(StoreError::ReadOnly)?;
        let before = self.of_version(version)?.len();
        store.write(&mut |write| {
            for place in certificates.len()..before {
                write.delete(Table::Meta, &entry_key(version, place))?;
            }
            for (place, stored) in certificates.iter().enumerate() {
                write.put(Table::Meta, &entry_key(version, place), &encode(stored))?;
            }
            Ok(())
        })?;
        Ok(())
    }
}

fn version_prefix(version: u64) -> Vec<u8> {
    [vec![b'c'], version.to_be_bytes().to_vec()].concat()
}

fn entry_key(version: u64, place: usize) -> Vec<u8> {
    [version_prefix(version), (place as u32).to_be_bytes().to_vec()].concat()
}

fn encode(stored: &StoredCertificate) -> Vec<u8> {
    let mut bytes = (stored.heads.len() as u16).to_be_bytes().to_vec();
    for head in &stored.heads {
        bytes.push(head.len() as u8);
        bytes.extend(head);
    }
    bytes.extend(&stored.certificate);
    bytes
}

fn decode(bytes: &[u8]) -> Option<StoredCertificate> {
    let (count, mut rest) = bytes.split_first_chunk::<2>()?;
    let mut heads = Vec::new();
    for _ in 0..u16::from_be_bytes(*count) {
        let (length, behind) = rest.split_first()?;
        let (head, behind) = behind.split_at_checked(usize::from(*length))?;
        heads.push(head.to_vec());
        rest = behind;
    }
    Some(StoredCertificate { heads, certificate: rest.to_vec() })
}
