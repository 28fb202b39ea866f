//! The certificates of runs, with what they are about: what an answer brings along for those who
//! take nobody's word that runs are in order.
//!
//! ```text
//! head at the asked version -> the last certificate written about it -> the heads of that version, in order
//!                           -> the statement, which must have this very head
//! ```

use std::collections::BTreeMap;

use aardvark_aggregates::certificate::statement::statement_behind;
use aardvark_aggregates::{About, Head, Schema, Segment, SheetItem, StatedCertificate, StatedSheet, TableKey};
use aardvark_archive::Snapshot;
use aardvark_dictionary::Key;

use crate::certificates::{CertificatePlace, Certificates, StoredCertificate};
use crate::error::TablesError;
use crate::logged::changes;
use crate::place::{head_key, segment_key};

/// A column of a table, at a version.
pub struct StatedColumn<'a> {
    /// The archive.
    pub archive: &'a Snapshot,
    /// The table's name.
    pub table: &'a str,
    /// Its schema.
    pub schema: &'a Schema,
    /// The column's number.
    pub column: u8,
    /// The version.
    pub version: u64,
}

impl StatedColumn<'_> {
    /// The certificates of runs, by the keys and values of their heads: each certificate once, in
    /// the order in which they were written.
    ///
    /// # Errors
    /// [`TablesError::NoCertificate`] where none is about a run as it is; [`TablesError::Archive`],
    /// [`TablesError::Certificates`].
    pub fn certificates<'a>(
        &self,
        certificates: &Certificates,
        heads: impl IntoIterator<Item = (&'a [u8], &'a [u8])>,
    ) -> Result<Vec<StatedCertificate>, TablesError> {
        let about = About::of_column(*self.archive.id(), self.table, self.schema, self.column);
        let about = about.ok_or_else(|| TablesError::NoTable(self.table.to_owned()))?;
        let mut sheets: BTreeMap<CertificatePlace, (StatedSheet, StoredCertificate)> = BTreeMap::new();
        let mut blocks = Blocks::of(self.archive);
        let mut entries = Vec::new();
        for (key, value) in heads {
            entries.push((key.to_vec(), value.to_vec()));
            self.further_segments(key, value, &mut entries)?;
        }
        for (key, value) in &entries {
            let missing = || TablesError::NoCertificate(key.iter().map(|byte| format!("{byte:02x}")).collect());
            let place = certificates.of_head(key, self.version)?.ok_or_else(missing)?;
            let (sheet, _) = match sheets.entry(place) {
                std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::btree_map::Entry::Vacant(new) => {
                    let stored = certificates.at(place)?.ok_or_else(missing)?;
                    let sheet = self.sheet(&stored, place.version, &mut blocks)?.ok_or_else(missing)?;
                    new.insert((sheet, stored))
                }
            };
            let wanted = self.item(key, value).ok_or_else(missing)?;
            if !sheet.items.contains(&wanted) {
                return Err(missing());
            }
        }
        let stated = |(StatedSheet { link, items }, stored): (StatedSheet, StoredCertificate)| StatedCertificate {
            statement: statement_behind(&about, link.as_ref(), &items),
            certificate: stored.certificate,
        };
        Ok(sheets.into_values().map(stated).collect())
    }

    /// A certificate of the column with what it is about, which its version has put; `None` where
    /// it has not.
    pub(crate) fn stated(
        &self,
        stored: StoredCertificate,
        version: u64,
        blocks: &mut Blocks<'_>,
    ) -> Result<Option<StatedCertificate>, TablesError> {
        let about = About::of_column(*self.archive.id(), self.table, self.schema, self.column);
        let sheet = self.sheet(&stored, version, blocks)?;
        let stated = |(about, sheet): (About, StatedSheet)| StatedCertificate {
            statement: statement_behind(&about, sheet.link.as_ref(), &sheet.items),
            certificate: stored.certificate,
        };
        Ok(about.zip(sheet).map(stated))
    }

    /// The segments of a run behind its first, at the asked version.
    fn further_segments(
        &self,
        key: &[u8],
        value: &[u8],
        entries: &mut Vec<(Vec<u8>, Vec<u8>)>,
    ) -> Result<(), TablesError> {
        let moments = self.schema.values.get(usize::from(self.column)).map_or(0, |column| usize::from(column.moments));
        let (Ok(head), Ok(TableKey::Head { column, columns, run, .. })) =
            (Head::from_bytes(value, moments), TableKey::from_bytes(key, self.schema))
        else {
            return Ok(());
        };
        for segment in 1..head.segments() {
            let key = segment_key(self.table, column, &columns, run, head.revision, segment);
            let value = self.archive.get(&Key::from(key.as_slice()), self.version)?.ok_or(TablesError::NoRows)?;
            entries.push((key, value.to_vec()));
        }
        Ok(())
    }

    /// The sheet that a certificate is about; `None` where one of its segments is none.
    fn sheet(
        &self,
        stored: &StoredCertificate,
        version: u64,
        blocks: &mut Blocks<'_>,
    ) -> Result<Option<StatedSheet>, TablesError> {
        let mut items = Vec::with_capacity(stored.heads.len());
        for head in &stored.heads {
            match blocks.value(head, version)?.and_then(|value| self.item(head, &value)) {
                Some(item) => items.push(item),
                None => return Ok(None),
            }
        }
        let link = match items.first() {
            Some(SheetItem { columns, run, revision, segment, .. }) if *segment > 0 => {
                let before = match *segment - 1 {
                    0 => head_key(self.table, self.column, columns, *run),
                    number => segment_key(self.table, self.column, columns, *run, *revision, number),
                };
                match blocks.standing(&before, version)?.and_then(|value| self.item(&before, &value)) {
                    Some(item) => Some(item.record),
                    None => return Ok(None),
                }
            }
            _ => None,
        };
        Ok(Some(StatedSheet { link, items }))
    }

    /// The item of a head, or of a further segment, in its column.
    fn item(&self, key: &[u8], value: &[u8]) -> Option<SheetItem> {
        let moments = usize::from(self.schema.values.get(usize::from(self.column))?.moments);
        match TableKey::from_bytes(key, self.schema).ok()? {
            TableKey::Head { column, columns, run, .. } if column == self.column => {
                let Head { revision, record, .. } = Head::from_bytes(value, moments).ok()?;
                Some(SheetItem { columns, run, revision, segment: 0, record })
            }
            TableKey::Segment { column, columns, run, revision, segment, .. } if column == self.column => {
                let Segment { record, .. } = Segment::from_bytes(value, moments).ok()?;
                Some(SheetItem { columns, run, revision, segment, record })
            }
            _ => None,
        }
    }
}

/// Values that versions have put: from the dictionary as far as it is kept, else from the log.
pub(crate) struct Blocks<'a> {
    archive: &'a Snapshot,
    read: BTreeMap<u64, BTreeMap<Key, Option<Vec<u8>>>>,
}

impl<'a> Blocks<'a> {
    /// Those of an archive.
    pub(crate) fn of(archive: &'a Snapshot) -> Self {
        Self { archive, read: BTreeMap::new() }
    }

    /// What stood under a key once a version was there: put by it or before.
    fn standing(&mut self, key: &[u8], version: u64) -> Result<Option<Vec<u8>>, TablesError> {
        if version >= self.archive.oldest_version() {
            return Ok(self.archive.get(&Key::from(key), version)?.map(|value| value.to_vec()));
        }
        for earlier in (0..=version).rev() {
            if let Some(value) = self.value(key, earlier)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    fn value(&mut self, key: &[u8], version: u64) -> Result<Option<Vec<u8>>, TablesError> {
        let key = Key::from(key);
        if version >= self.archive.oldest_version() {
            return Ok(self.archive.get(&key, version)?.map(|value| value.to_vec()));
        }
        let block = match self.read.entry(version) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(new) => {
                new.insert(changes(self.archive.block(version)?).into_iter().collect())
            }
        };
        Ok(block.get(&key).cloned().flatten())
    }
}
