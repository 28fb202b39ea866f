//! Certificates of any sender beside an archive: those that hold stay, the others go.

use std::collections::{BTreeMap, BTreeSet};

use aardvark_aggregates::{About, Certificate, Schema, StatedSheet, TableKey, TableVerifier};
use aardvark_archive::Snapshot;

use crate::certificates::{CertificatePlace, Certificates, StoredCertificate};
use crate::error::TablesError;
use crate::keeper::schema_of;
use crate::stated::{Blocks, StatedColumn};
use crate::to_verify::{BATCH, ToVerify, false_ones};

/// What became of certificates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sifted {
    /// Those that hold for what their versions put.
    pub kept: u64,
    /// Those that do not, or are about something else: they are removed.
    pub removed: u64,
}

/// Verifies all certificates that stand beside an archive, and removes those that do not hold for
/// what their versions put. Which runs have none then, an audit says
/// ([`audit_tables`](crate::audit_tables)).
///
/// # Errors
/// [`TablesError`] where archive or certificates cannot be read or written.
pub fn sift(archive: &Snapshot, certificates: &Certificates) -> Result<Sifted, TablesError> {
    let verifier = TableVerifier::ethereum()?;
    let mut sifting = Sifting { archive, blocks: Blocks::exact(archive, certificates), schemas: BTreeMap::new() };
    let (mut sifted, mut stale) = (Sifted::default(), BTreeSet::new());
    let mut after = None;
    loop {
        let entries = certificates.behind(after, BATCH * rayon::current_num_threads())?;
        let Some((last, _)) = entries.last() else { break };
        after = Some(*last);
        let (mut places, mut sheets) = (Vec::new(), Vec::new());
        for (place, stored) in entries {
            match sifting.read(place, &stored)? {
                Some(sheet) => {
                    places.push(place);
                    sheets.push(sheet);
                }
                None => {
                    stale.insert(place);
                }
            }
        }
        sifted.kept += places.len() as u64;
        let found = false_ones(&verifier, &sheets);
        sifted.kept -= found.len() as u64;
        stale.extend(found.into_iter().filter_map(|(place, _)| places.get(place).copied()));
    }
    sifted.removed = stale.len() as u64;
    let versions: BTreeSet<u64> = stale.iter().map(|place| place.version).collect();
    for version in versions {
        let stays = |number: u32| !stale.contains(&CertificatePlace { version, place: number });
        let stored = (0..).zip(certificates.of_version(version)?).filter(|(number, _)| stays(*number));
        certificates.put(version, &stored.map(|(_, stored)| stored).collect::<Vec<_>>())?;
    }
    Ok(sifted)
}

struct Sifting<'a> {
    archive: &'a Snapshot,
    blocks: Blocks<'a>,
    schemas: BTreeMap<String, Option<Schema>>,
}

impl Sifting<'_> {
    /// A certificate with what it is about; `None` where its version put nothing that it can be
    /// about, or it is none.
    fn read(&mut self, place: CertificatePlace, stored: &StoredCertificate) -> Result<Option<ToVerify>, TablesError> {
        let (archive, version) = (self.archive, place.version);
        let table = stored.heads.first().and_then(|first| TableKey::split_prefix(first).ok());
        let (Some((table, _)), true) = (table, version <= archive.version()) else { return Ok(None) };
        if !self.schemas.contains_key(table) {
            self.schemas.insert(table.to_owned(), schema_of(archive, table, archive.version())?);
        }
        let Some(Some(schema)) = self.schemas.get(table) else { return Ok(None) };
        let column = match stored.heads.first().map(|first| TableKey::from_bytes(first, schema)) {
            Some(Ok(TableKey::Head { column, .. } | TableKey::Segment { column, .. })) => column,
            _ => return Ok(None),
        };
        let Some(about) = About::of_column(*archive.id(), table, schema, column) else { return Ok(None) };
        let Ok(certificate) = Certificate::from_bytes(&stored.certificate, about.bits) else { return Ok(None) };
        let sheet = StatedColumn { archive, table, schema, column, version }.sheet(stored, place, &mut self.blocks)?;
        let found = sheet.map(|StatedSheet { link, items }| ToVerify { version, about, link, items, certificate });
        Ok(found)
    }
}
