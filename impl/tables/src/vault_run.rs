//! Runs whose rows a cut looks up in the vault: no more of them than it needs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use aardvark_aggregates::cut::pieces::LongRun;
use aardvark_aggregates::{Head, KnownSegment, Query, TableKey};
use aardvark_archive::Snapshot;
use aardvark_dictionary::Key;

use crate::error::TablesError;
use crate::place::{SegmentPlace, segment_key};
use crate::segments::segment_at;
use crate::vault::Vault;

/// A run of a version, what was read of which is kept.
pub(crate) struct VaultRun<'a> {
    archive: &'a Snapshot,
    vault: &'a Vault,
    query: &'a Query,
    version: u64,
    /// The key of its head.
    key: Vec<u8>,
    head: Head,
    ranks: RefCell<BTreeMap<usize, u64>>,
    firsts: RefCell<BTreeMap<usize, u64>>,
    numbers: RefCell<BTreeMap<usize, Rc<[u64]>>>,
}

impl<'a> VaultRun<'a> {
    /// The run of a head.
    pub(crate) fn new(
        archive: &'a Snapshot,
        vault: &'a Vault,
        query: &'a Query,
        version: u64,
        (key, head): (&Key, Head),
    ) -> Self {
        let (ranks, firsts, numbers) = Default::default();
        Self { archive, vault, query, version, key: key.to_vec(), head, ranks, firsts, numbers }
    }

    /// Its head.
    pub(crate) fn head(&self) -> &Head {
        &self.head
    }

    fn place(&self, segment: usize) -> SegmentPlace {
        let segment = u32::try_from(segment).unwrap_or(u32::MAX);
        SegmentPlace { head: self.key.clone(), revision: self.head.revision, segment }
    }

    /// The key of a segment that is not the first.
    pub(crate) fn segment_key(&self, number: usize) -> Option<Key> {
        match TableKey::from_bytes(&self.key, self.query.schema()).ok()? {
            TableKey::Head { table, column, columns, run } => {
                let number = u32::try_from(number).ok()?;
                Some(Key::from(segment_key(&table, column, &columns, run, self.head.revision, number)))
            }
            _ => None,
        }
    }

    /// A segment with its rows and masks, and the logarithm of its domain's size.
    pub(crate) fn known(&self, segment: usize) -> Result<(usize, KnownSegment), TablesError> {
        let moments = self.query.value_column().map_or(0, |column| usize::from(column.moments));
        let place = self.place(segment);
        let secret = self.vault.segment(&place)?.ok_or(TablesError::NoRows)?;
        let found = segment_at(self.archive, self.query.schema(), &place, &self.head, self.version)?
            .ok_or(TablesError::NoRows)?;
        Ok((usize::from(found.record.log), secret.known(moments)))
    }
}

/// What is kept of a segment, or is read now.
fn kept<T: Clone>(
    all: &RefCell<BTreeMap<usize, T>>,
    segment: usize,
    read: impl FnOnce() -> Result<T, TablesError>,
) -> Result<T, TablesError> {
    if let Some(found) = all.borrow().get(&segment) {
        return Ok(found.clone());
    }
    let found = read()?;
    all.borrow_mut().insert(segment, found.clone());
    Ok(found)
}

impl LongRun for VaultRun<'_> {
    type Error = TablesError;
    type Numbers = Rc<[u64]>;

    fn segments(&self) -> usize {
        usize::try_from(self.head.segments()).unwrap_or(usize::MAX)
    }

    fn rank(&self, segment: usize) -> Result<u64, TablesError> {
        if segment >= self.segments() {
            return Ok(self.head.rows());
        }
        kept(&self.ranks, segment, || {
            let found = segment_at(self.archive, self.query.schema(), &self.place(segment), &self.head, self.version)?;
            found.map(|segment| segment.rank).ok_or(TablesError::NoRows)
        })
    }

    fn first(&self, segment: usize) -> Result<u64, TablesError> {
        let read = || self.vault.first_number(&self.place(segment))?.ok_or(TablesError::NoRows);
        kept(&self.firsts, segment, read)
    }

    fn numbers(&self, segment: usize) -> Result<Rc<[u64]>, TablesError> {
        kept(&self.numbers, segment, || {
            let secret = self.vault.segment(&self.place(segment))?.ok_or(TablesError::NoRows)?;
            Ok(secret.numbers.into())
        })
    }
}
