//! The certificates of tables in a backup.

use std::io;
use std::path::Path;

use aardvark_algebra::integers::u64_of_usize;
use aardvark_archive::Archive;
use aardvark_archive::store::Entry;
use aardvark_dictionary::DictionaryId;
use aardvark_tables::certificates::{
    CertificatePlace, Certificates, CertificatesError, MOST_CERTIFICATE_BYTES, StoredCertificate,
};
use aardvark_tables::{Sifted, TablesError, segments_put, sift};

/// What the keys of certificates begin with: they come behind those of heights.
const FIRST: [u8; 8] = [255; 8];
/// Certificates that are read or written at a time.
const BATCH: usize = 256;

/// Why certificates of a backup are not taken.
#[derive(Debug, thiserror::Error)]
pub(in crate::archive) enum EntryError {
    /// The bytes are none of a certificate.
    #[error("an entry that is no certificate's")]
    NotACertificate,
    /// It is longer than any.
    #[error("a certificate of {0} bytes, more than any has")]
    Long(usize),
    /// Certificates of a version are about more than it put.
    #[error("certificates of version {version} about more segments than the {put} that it put")]
    Many {
        /// The version.
        version: u64,
        /// How many segments it put.
        put: u64,
    },
    /// The archive cannot be read, or certificates not be verified.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// They cannot be written.
    #[error(transparent)]
    Certificates(#[from] CertificatesError),
}

/// The certificates of versions up to one, as entries of a backup.
pub(super) fn certificate_entries(
    certificates: &Certificates,
    last: u64,
) -> impl Iterator<Item = io::Result<Entry>> + '_ {
    let mut next = Some(None);
    let batches = std::iter::from_fn(move || {
        let batch = certificates.behind(next?, BATCH);
        let read = batch.as_ref().map_or(&[][..], Vec::as_slice);
        next = (read.len() == BATCH).then(|| read.last().map(|(place, _)| *place));
        Some(batch)
    });
    let entry = |(CertificatePlace { version, place }, stored): (CertificatePlace, StoredCertificate)| {
        ([&FIRST[..], &version.to_be_bytes(), &place.to_be_bytes()].concat(), stored.to_bytes())
    };
    batches.flat_map(move |batch| match batch {
        Ok(batch) => {
            let until = batch.into_iter().take_while(|(place, _)| place.version <= last);
            until.map(|one| Ok(entry(one))).collect::<Vec<_>>()
        }
        Err(error) => vec![Err(io::Error::other(error))],
    })
}

/// The version of a certificate, by the key of its entry; `None` where that is another entry's.
pub(super) fn read_certificate_key(key: &[u8]) -> Option<u64> {
    let (version, place) = key.strip_prefix(&FIRST)?.split_first_chunk::<8>()?;
    (place.len() == 4).then(|| u64::from_be_bytes(*version))
}

/// Writes the certificates of a backup, some at a time.
pub(super) struct RestoringCertificates {
    dictionary: DictionaryId,
    /// None before the first certificate.
    certificates: Option<Certificates>,
    /// The version of those that come now; none before the first.
    version: Option<u64>,
    /// How many segments it put, and how many of these no certificate is about so far.
    put: u64,
    left: u64,
    /// How many of its certificates are written.
    written: usize,
    batch: Vec<StoredCertificate>,
}

impl RestoringCertificates {
    /// Those of a dictionary.
    pub(super) fn of(dictionary: DictionaryId) -> Self {
        Self { dictionary, certificates: None, version: None, put: 0, left: 0, written: 0, batch: Vec::new() }
    }

    /// Takes the next certificate, in the order of versions. Each is about one segment at least, so
    /// that what a version put bounds how many it has, and their bytes.
    pub(super) fn take(
        &mut self,
        directory: &Path,
        archive: &Archive,
        version: u64,
        entry: &[u8],
    ) -> Result<(), EntryError> {
        let stored = StoredCertificate::from_bytes(entry).ok_or(EntryError::NotACertificate)?;
        if stored.certificate.len() > MOST_CERTIFICATE_BYTES {
            return Err(EntryError::Long(stored.certificate.len()));
        }
        if self.version != Some(version) {
            self.write()?;
            self.put = segments_put(archive, version)?;
            (self.version, self.left, self.written) = (Some(version), self.put, 0);
        } else if self.batch.len() >= BATCH {
            self.write()?;
        }
        let left = self.left.checked_sub(u64_of_usize(stored.heads.len().max(1)));
        self.left = left.ok_or(EntryError::Many { version, put: self.put })?;
        if self.certificates.is_none() {
            self.certificates = Some(Certificates::open(directory, &self.dictionary)?);
        }
        self.batch.push(stored);
        Ok(())
    }

    fn write(&mut self) -> Result<(), CertificatesError> {
        let batch = std::mem::take(&mut self.batch);
        let (Some(certificates), Some(version)) = (&self.certificates, self.version) else { return Ok(()) };
        certificates.append(version, self.written, &batch)?;
        self.written += batch.len();
        Ok(())
    }

    /// All of them are there: those stay that hold for what the archive's versions put.
    pub(super) fn end(&mut self, archive: &Archive) -> Result<Sifted, EntryError> {
        self.write()?;
        let Some(certificates) = self.certificates.take() else { return Ok(Sifted::default()) };
        Ok(sift(archive, &certificates)?)
    }
}
