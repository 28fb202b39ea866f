//! The certificates of runs, with what they are about: what an answer brings along for those who
//! take nobody's word that runs are in order.
//!
//! ```text
//! head at the asked version -> the last certificate written about it
//!                           -> the heads that its transaction put, in order
//!                           -> the statement, which must have this very head
//! ```

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use aardvark_aggregates::certificate::statement::statement_behind;
use aardvark_aggregates::{About, Head, Schema, Segment, SheetItem, StatedCertificate, StatedSheet, TableKey};
use aardvark_algebra::integers::usize_or_max;
use aardvark_archive::{BlockKind, Snapshot, VersionInfo};
use aardvark_dictionary::Key;

use crate::brought::steps_of;
use crate::certificates::{CertificatePlace, Certificates, StoredCertificate};
use crate::error::TablesError;
use crate::logged::steps;
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
        let mut blocks = Blocks::of(self.archive, certificates);
        let mut entries = Vec::new();
        for (key, value) in heads {
            entries.push((key.to_vec(), value.to_vec()));
            self.further_segments(key, value, &mut entries)?;
        }
        for (key, value) in &entries {
            let missing = || TablesError::NoCertificate(key.iter().map(|byte| format!("{byte:02x}")).collect());
            let place = certificates.of_head(key, self.version)?.ok_or_else(missing)?;
            let (sheet, _) = match sheets.entry(place) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let stored = certificates.at(place)?.ok_or_else(missing)?;
                    let sheet = self.sheet(&stored, place, &mut blocks)?.ok_or_else(missing)?;
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
        place: CertificatePlace,
        blocks: &mut Blocks<'_>,
    ) -> Result<Option<StatedCertificate>, TablesError> {
        let about = About::of_column(*self.archive.id(), self.table, self.schema, self.column);
        let sheet = self.sheet(&stored, place, blocks)?;
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
    pub(crate) fn sheet(
        &self,
        stored: &StoredCertificate,
        place: CertificatePlace,
        blocks: &mut Blocks<'_>,
    ) -> Result<Option<StatedSheet>, TablesError> {
        let Some(step) = blocks.step_of(place)? else { return Ok(None) };
        let mut items = Vec::with_capacity(stored.heads.len());
        for head in &stored.heads {
            match blocks.put_by(head, step)?.and_then(|value| self.item(head, &value)) {
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
                match blocks.standing(&before, step)?.and_then(|value| self.item(&before, &value)) {
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

/// Most bytes of values of past versions that are kept at hand.
const AT_HAND: usize = 64 << 20;

/// A step of a version.
#[derive(Clone, Copy)]
struct StepPlace {
    version: u64,
    /// Its number among those of the version; `None` where the version has no other.
    number: Option<usize>,
}

/// The steps of a version.
struct VersionSteps {
    changes: Vec<BTreeMap<Key, Option<Vec<u8>>>>,
    /// Which step each certificate of the version is about.
    certificates: Vec<Option<usize>>,
}

/// Values that steps of versions have put: where a version has one step, from the dictionary as far
/// as it is kept, else from the log.
pub(crate) struct Blocks<'a> {
    archive: &'a Snapshot,
    certificates: &'a Certificates,
    read: BTreeMap<u64, VersionSteps>,
    /// Bytes of the blocks that were read.
    bytes: usize,
    /// Whether a version's only step is looked up in its block as well, and not believed to have
    /// put what stands.
    is_exact: bool,
}

impl<'a> Blocks<'a> {
    /// Those of an archive with these certificates.
    pub(crate) fn of(archive: &'a Snapshot, certificates: &'a Certificates) -> Self {
        Self { archive, certificates, read: BTreeMap::new(), bytes: 0, is_exact: false }
    }

    /// The same for certificates of any sender, which may be about what other versions put, or be
    /// there twice: each is held against its version's block.
    pub(crate) fn exact(archive: &'a Snapshot, certificates: &'a Certificates) -> Self {
        Self { is_exact: true, ..Self::of(archive, certificates) }
    }

    /// The step that a certificate is about; `None` where there is none.
    fn step_of(&mut self, place: CertificatePlace) -> Result<Option<StepPlace>, TablesError> {
        let CertificatePlace { version, place } = place;
        let VersionInfo { kind, items, .. } = self.archive.version_info(version)?;
        let is_one_step = matches!(kind, BlockKind::Genesis | BlockKind::Import) || items == 1;
        if is_one_step && !self.is_exact {
            return Ok(Some(StepPlace { version, number: None }));
        }
        let number = self.steps(version)?.certificates.get(place as usize).copied().flatten();
        Ok(number.map(|number| StepPlace { version, number: Some(number) }))
    }

    /// What a step has put under a key.
    fn put_by(&mut self, key: &[u8], StepPlace { version, number }: StepPlace) -> Result<Option<Vec<u8>>, TablesError> {
        let key = Key::from(key);
        if number.is_none() && version >= self.archive.oldest_version() {
            return Ok(self.archive.get(&key, version)?.map(|value| value.to_vec()));
        }
        let step = self.steps(version)?.changes.get(number.unwrap_or_default());
        Ok(step.and_then(|step| step.get(&key)).cloned().flatten())
    }

    /// What stood under a key once a step was done: put by it or before.
    fn standing(
        &mut self,
        key: &[u8],
        StepPlace { version, number }: StepPlace,
    ) -> Result<Option<Vec<u8>>, TablesError> {
        let key = Key::from(key);
        let mut from = version;
        if let Some(number) = number {
            let done = self.steps(version)?.changes.iter().take(number.saturating_add(1));
            if let Some(value) = done.rev().find_map(|step| step.get(&key)) {
                return Ok(value.clone());
            }
            from = version.saturating_sub(1);
        }
        if from >= self.archive.oldest_version() {
            return Ok(self.archive.get(&key, from)?.map(|value| value.to_vec()));
        }
        for earlier in (0..=from).rev() {
            let steps = &self.steps(earlier)?.changes;
            if let Some(value) = steps.iter().rev().find_map(|step| step.get(&key)) {
                return Ok(value.clone());
            }
        }
        Ok(None)
    }

    /// The steps of a version.
    fn steps(&mut self, version: u64) -> Result<&VersionSteps, TablesError> {
        if self.bytes > AT_HAND {
            self.read.clear();
            self.bytes = 0;
        }
        let new = match self.read.entry(version) {
            Entry::Occupied(known) => return Ok(known.into_mut()),
            Entry::Vacant(new) => new,
        };
        self.bytes = self.bytes.saturating_add(usize_or_max(self.archive.version_info(version)?.block_bytes));
        let changes: Vec<BTreeMap<Key, Option<Vec<u8>>>> =
            steps(self.archive.block(version)?).into_iter().map(|step| step.into_iter().collect()).collect();
        let stored = self.certificates.of_version(version)?;
        let keys = changes.iter().map(|step| {
            let put = step.iter().filter(|(_, value)| value.is_some());
            put.map(|(key, _)| &**key).collect()
        });
        let certificates = steps_of(keys, stored.iter().map(|stored| stored.heads.as_slice()));
        Ok(new.insert(VersionSteps { changes, certificates }))
    }
}
