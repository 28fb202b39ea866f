//! The certificates of a dictionary's tables, beside its log: public, by version and place.
//!
//! ```text
//! DIR/certificates.redb   key                     value
//!                         "f"                     "aardvark certificates 1" || dictionary (32)
//!                         "c" || u64 version || u32 place   u16 K || (bytes8(head key))* || certificate
//!                         "h" || bytes8(head key) || u64 version   u32 place
//! ```
//!
//! By an entry `h` the certificate of a run is found.
//! An entry's statement is about the heads that its version put under these keys, in this order.
//! Entries of a version are written before the version: those of a version that did not come are
//! removed ([`Certificates::settle`]).

use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use aardvark_aggregates::certificate::{LINK_BYTES, certificate_bytes};
use aardvark_archive::store::{Store, Table};
use aardvark_archive::{ArchiveError, CERTIFICATES_FILE, RedbStore, StoreError};
use aardvark_dictionary::DictionaryId;
use thiserror::Error;

/// What the first entry begins with.
const MARK: &[u8] = b"aardvark certificates 1";
/// The file of the store.
const STORE: &str = CERTIFICATES_FILE;
/// The file while it is made.
const DRAFT: &str = "certificates.redb.draft";

/// Most bytes of a certificate: of 64 bits, linked to the segment before.
pub const MOST_CERTIFICATE_BYTES: usize = certificate_bytes(64) + LINK_BYTES;

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

impl StoredCertificate {
    /// `u16 K || (bytes8(head key))* || certificate`
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = (self.heads.len() as u16).to_be_bytes().to_vec();
        for head in &self.heads {
            bytes.push(head.len() as u8);
            bytes.extend(head);
        }
        bytes.extend(&self.certificate);
        bytes
    }

    /// What bytes are, whatever the certificate is; `None` where a key is cut off.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (count, mut rest) = bytes.split_first_chunk::<2>()?;
        let mut heads = Vec::new();
        for _ in 0..u16::from_be_bytes(*count) {
            let (length, behind) = rest.split_first()?;
            let (head, behind) = behind.split_at_checked(usize::from(*length))?;
            heads.push(head.to_vec());
            rest = behind;
        }
        Some(Self { heads, certificate: rest.to_vec() })
    }
}

/// Where a certificate stands: the version that it was written with, and its number among those.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CertificatePlace {
    /// The version.
    pub version: u64,
    /// The number.
    pub place: u32,
}

/// The certificates of a dictionary's tables.
#[derive(Default)]
pub struct Certificates {
    /// None where there is no file, and while it cannot be opened anew.
    store: RwLock<Option<Arc<dyn Store>>>,
    /// The file, where it was opened to write.
    file: Option<PathBuf>,
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
        Ok(Self { file: Some(file.clone()), ..Self::on_store(Box::new(RedbStore::open(&file)?), dictionary)? })
    }

    /// Opens the file anew after a failure; until that succeeds nothing can be read or written.
    /// Nothing is done where it was not opened to write.
    ///
    /// # Errors
    /// [`CertificatesError::Store`].
    pub fn reopen(&self) -> Result<(), CertificatesError> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut store = self.store.write().unwrap_or_else(PoisonError::into_inner);
        *store = None;
        *store = Some(Arc::new(RedbStore::open(file)?));
        Ok(())
    }

    /// The store; `None` where there is no file.
    fn store(&self) -> Result<Option<Arc<dyn Store>>, StoreError> {
        match self.store.read().unwrap_or_else(PoisonError::into_inner).clone() {
            None if self.file.is_some() => Err(StoreError::Closed),
            found => Ok(found),
        }
    }

    /// Opens the certificates of a dictionary to read them; there are none where there is no file.
    ///
    /// # Errors
    /// [`CertificatesError`].
    pub fn open_read_only(directory: &Path, dictionary: &DictionaryId) -> Result<Self, CertificatesError> {
        let file = directory.join(STORE);
        if !file.exists() {
            return Ok(Self::default());
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
        Ok(Self { store: RwLock::new(Some(store.into())), file: None })
    }

    /// The certificates that were written with a version, in the order of their places.
    ///
    /// # Errors
    /// [`CertificatesError`].
    pub fn of_version(&self, version: u64) -> Result<Vec<StoredCertificate>, CertificatesError> {
        let Some(store) = self.store()? else { return Ok(Vec::new()) };
        let read = store.read()?;
        let (from, to) = (version_prefix(version), version_prefix(version.saturating_add(1)));
        let bounds = (Bound::Included(from.as_slice()), Bound::Excluded(to.as_slice()));
        let decoded = |entry: Result<(Vec<u8>, Vec<u8>), StoreError>| {
            let (_, value) = entry?;
            StoredCertificate::from_bytes(&value).ok_or(CertificatesError::Damaged("a certificate's entry"))
        };
        read.range(Table::Meta, bounds)?.map(decoded).collect()
    }

    /// Where the last certificate of a run stands that was written with a version up to this one,
    /// by the key of the run's head.
    ///
    /// # Errors
    /// [`CertificatesError`].
    pub fn of_head(&self, head: &[u8], version: u64) -> Result<Option<CertificatePlace>, CertificatesError> {
        let Some(store) = self.store()? else { return Ok(None) };
        let read = store.read()?;
        let (from, to) = (index_key(head, 0), index_key(head, version));
        let bounds = (Bound::Included(from.as_slice()), Bound::Included(to.as_slice()));
        let Some(entry) = read.range(Table::Meta, bounds)?.last() else { return Ok(None) };
        let (key, place) = entry?;
        let version = key.last_chunk().map(|bytes| u64::from_be_bytes(*bytes));
        let place = place.as_slice().try_into().ok().map(u32::from_be_bytes);
        match (version, place) {
            (Some(version), Some(place)) => Ok(Some(CertificatePlace { version, place })),
            _ => Err(CertificatesError::Damaged("where a certificate stands")),
        }
    }

    /// The certificate at a place.
    ///
    /// # Errors
    /// [`CertificatesError`].
    pub fn at(&self, at: CertificatePlace) -> Result<Option<StoredCertificate>, CertificatesError> {
        let Some(store) = self.store()? else { return Ok(None) };
        let found = store.read()?.get(Table::Meta, &entry_key(at.version, at.place as usize))?;
        let decoded = |bytes: Vec<u8>| {
            StoredCertificate::from_bytes(&bytes).ok_or(CertificatesError::Damaged("a certificate's entry"))
        };
        found.map(decoded).transpose()
    }

    /// The certificates behind a place, or from the first on, in the order of their places; at most
    /// so many.
    ///
    /// # Errors
    /// [`CertificatesError`].
    pub fn behind(
        &self,
        after: Option<CertificatePlace>,
        limit: usize,
    ) -> Result<Vec<(CertificatePlace, StoredCertificate)>, CertificatesError> {
        let Some(store) = self.store()? else { return Ok(Vec::new()) };
        let read = store.read()?;
        let from = after.map(|CertificatePlace { version, place }| entry_key(version, place as usize));
        let from = from.as_deref().map_or(Bound::Included(b"c".as_slice()), Bound::Excluded);
        let damaged = CertificatesError::Damaged;
        let decoded = |entry: Result<(Vec<u8>, Vec<u8>), StoreError>| {
            let (key, value) = entry?;
            let place = read_place(&key).ok_or(damaged("a certificate's place"))?;
            Ok((place, StoredCertificate::from_bytes(&value).ok_or(damaged("a certificate's entry"))?))
        };
        read.range(Table::Meta, (from, Bound::Excluded(b"d".as_slice())))?.take(limit).map(decoded).collect()
    }

    /// Writes the certificates of a version, in the place of those that it has.
    ///
    /// # Errors
    /// [`CertificatesError`].
    pub fn put(&self, version: u64, certificates: &[StoredCertificate]) -> Result<(), CertificatesError> {
        let stale = self.keys((Bound::Included(version), Bound::Included(version)))?;
        self.write(&stale, version, 0, certificates)
    }

    /// Adds certificates of a version behind its first `place` ones.
    ///
    /// # Errors
    /// [`CertificatesError`].
    pub fn append(
        &self,
        version: u64,
        place: usize,
        certificates: &[StoredCertificate],
    ) -> Result<(), CertificatesError> {
        self.write(&[], version, place, certificates)
    }

    /// Removes the certificates of versions above one: of those that an interrupted write has left.
    ///
    /// # Errors
    /// [`CertificatesError`].
    pub fn settle(&self, version: u64) -> Result<(), CertificatesError> {
        let stale = self.keys((Bound::Excluded(version), Bound::Unbounded))?;
        if stale.is_empty() { Ok(()) } else { self.write(&stale, version, 0, &[]) }
    }

    /// The keys of what is there of some versions: certificates, and where they are found.
    fn keys(&self, (from, to): (Bound<u64>, Bound<u64>)) -> Result<Vec<Vec<u8>>, CertificatesError> {
        let Some(store) = self.store()? else { return Ok(Vec::new()) };
        let read = store.read()?;
        let after = |version: u64| version.checked_add(1).map_or(vec![b'c' + 1], version_prefix);
        let from = match from {
            Bound::Included(version) => version_prefix(version),
            Bound::Excluded(version) => after(version),
            Bound::Unbounded => version_prefix(0),
        };
        let to = match to {
            Bound::Included(version) => after(version),
            Bound::Excluded(version) => version_prefix(version),
            Bound::Unbounded => vec![b'c' + 1],
        };
        let mut keys = Vec::new();
        for entry in read.range(Table::Meta, (Bound::Included(from.as_slice()), Bound::Excluded(to.as_slice())))? {
            let (key, value) = entry?;
            let version = key.get(1..9).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_be_bytes);
            let heads = StoredCertificate::from_bytes(&value).map(|stored| stored.heads).unwrap_or_default();
            keys.extend(heads.iter().map(|head| index_key(head, version)));
            keys.push(key);
        }
        Ok(keys)
    }

    fn write(
        &self,
        stale: &[Vec<u8>],
        version: u64,
        first: usize,
        certificates: &[StoredCertificate],
    ) -> Result<(), CertificatesError> {
        let store = self.store()?.ok_or(StoreError::ReadOnly)?;
        store.write(&mut |write| {
            stale.iter().try_for_each(|key| write.delete(Table::Meta, key))?;
            for (place, stored) in (first..).zip(certificates) {
                write.put(Table::Meta, &entry_key(version, place), &stored.to_bytes())?;
                let number = (place as u32).to_be_bytes();
                stored.heads.iter().try_for_each(|head| write.put(Table::Meta, &index_key(head, version), &number))?;
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

fn read_place(key: &[u8]) -> Option<CertificatePlace> {
    let (version, rest) = key.strip_prefix(b"c")?.split_first_chunk::<8>()?;
    let place: &[u8; 4] = rest.try_into().ok()?;
    Some(CertificatePlace { version: u64::from_be_bytes(*version), place: u32::from_be_bytes(*place) })
}

fn index_key(head: &[u8], version: u64) -> Vec<u8> {
    // Keys have at most 255 bytes.
    [&[b'h', head.len() as u8], head, &version.to_be_bytes()].concat()
}
