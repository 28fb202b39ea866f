//! The certificates of runs, with what they are about: what an answer brings along for those who
//! take nobody's word that runs are in order.
//!
//! ```text
//! head at the asked version -> the last certificate written about it -> the heads of that version, in order
//!                           -> the statement, which must have this very head
//! ```

use std::collections::BTreeMap;

use aardvark_aggregates::certificate::statement::statement;
use aardvark_aggregates::{About, Head, Schema, SheetItem, StatedCertificate, TableKey};
use aardvark_archive::Snapshot;
use aardvark_dictionary::Key;

use crate::certificates::{CertificatePlace, Certificates, StoredCertificate};
use crate::error::TablesError;
use crate::logged::changes;

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
        let mut sheets: BTreeMap<CertificatePlace, (Vec<SheetItem>, StoredCertificate)> = BTreeMap::new();
        let mut blocks = Blocks::of(self.archive);
        for (key, value) in heads {
            let missing = || TablesError::NoCertificate(key.iter().map(|byte| format!("{byte:02x}")).collect());
            let place = certificates.of_head(key, self.version)?.ok_or_else(missing)?;
            let (items, _) = match sheets.entry(place) {
                std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::btree_map::Entry::Vacant(new) => {
                    let stored = certificates.at(place)?.ok_or_else(missing)?;
                    let items = self.items(&stored, place.version, &mut blocks)?.ok_or_else(missing)?;
                    new.insert((items, stored))
                }
            };
            let wanted = self.item(key, value).ok_or_else(missing)?;
            if !items.contains(&wanted) {
                return Err(missing());
            }
        }
        let stated = |(items, stored): (Vec<SheetItem>, StoredCertificate)| StatedCertificate {
            statement: statement(&about, &items),
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
        let items = self.items(&stored, version, blocks)?;
        let stated = |(about, items): (About, Vec<SheetItem>)| StatedCertificate {
            statement: statement(&about, &items),
            certificate: stored.certificate,
        };
        Ok(about.zip(items).map(stated))
    }

    /// The items that a certificate is about; `None` where one of them is none.
    fn items(
        &self,
        stored: &StoredCertificate,
        version: u64,
        blocks: &mut Blocks<'_>,
    ) -> Result<Option<Vec<SheetItem>>, TablesError> {
        let mut items = Vec::with_capacity(stored.heads.len());
        for head in &stored.heads {
            match blocks.value(head, version)?.and_then(|value| self.item(head, &value)) {
                Some(item) => items.push(item),
                None => return Ok(None),
            }
        }
        Ok(Some(items))
    }

    /// The item of a head in its column.
    fn item(&self, key: &[u8], value: &[u8]) -> Option<SheetItem> {
        let moments = usize::from(self.schema.values.get(usize::from(self.column))?.moments);
        let TableKey::Head { column, columns, run, .. } = TableKey::from_bytes(key, self.schema).ok()? else {
            return None;
        };
        let Head { revision, record } = Head::from_bytes(value, moments).ok()?;
        (column == self.column).then_some(SheetItem { columns, run, revision, segment: 0, record })
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
