//! The certificates of tables in a backup.

use std::error::Error;
use std::io;
use std::path::Path;

use aardvark_archive::Archive;
use aardvark_archive::store::Entry;
use aardvark_dictionary::DictionaryId;
use aardvark_tables::certificates::{CertificatePlace, Certificates, CertificatesError, StoredCertificate};
use aardvark_tables::{Sifted, sift};

/// What the keys of certificates begin with: they come behind those of heights.
const FIRST: [u8; 8] = [255; 8];
/// Certificates that are read or written at a time.
const BATCH: usize = 256;
/// Most bytes of an entry: 1,022 keys, and a certificate.
const MOST_ENTRY: usize = 2 + 1022 * 256 + (16 << 10);

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
    /// The version of those that come now, and how many of it are written.
    version: u64,
    written: usize,
    batch: Vec<StoredCertificate>,
}

impl RestoringCertificates {
    /// Those of a dictionary.
    pub(super) fn of(dictionary: DictionaryId) -> Self {
        Self { dictionary, certificates: None, version: 0, written: 0, batch: Vec::new() }
    }

    /// Takes the next certificate, in the order of versions.
    pub(super) fn take(
        &mut self,
        directory: &Path,
        version: u64,
        entry: &[u8],
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        if entry.len() > MOST_ENTRY {
            return Err("an entry that is longer than any certificate's".into());
        }
        let stored = StoredCertificate::from_bytes(entry).ok_or("an entry that is no certificate's")?;
        if version != self.version || self.batch.len() >= BATCH {
            self.write()?;
        }
        if version != self.version {
            (self.version, self.written) = (version, 0);
        }
        if self.certificates.is_none() {
            self.certificates = Some(Certificates::open(directory, &self.dictionary)?);
        }
        self.batch.push(stored);
        Ok(())
    }

    fn write(&mut self) -> Result<(), CertificatesError> {
        let batch = std::mem::take(&mut self.batch);
        let Some(certificates) = self.certificates.as_ref().filter(|_| !batch.is_empty()) else { return Ok(()) };
        certificates.append(self.version, self.written, &batch)?;
        self.written += batch.len();
        Ok(())
    }

    /// All of them are there: those stay that hold for what the archive's versions put.
    pub(super) fn end(&mut self, archive: &Archive) -> Result<Sifted, Box<dyn Error + Send + Sync>> {
        self.write()?;
        let Some(certificates) = self.certificates.take() else { return Ok(Sifted::default()) };
        Ok(sift(archive, &certificates)?)
    }
}
