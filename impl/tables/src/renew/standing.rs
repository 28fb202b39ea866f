//! The runs of a key as they stand.

use aardvark_aggregates::{Head, PolicyFault, Record, Schema, Segment, TableKey};
use aardvark_dictionary::Key;

use crate::error::TablesError;
use crate::keeper::{Keeper, for_each_entry};
use crate::place::{SegmentPlace, head_key, segment_key};

/// A run that stands.
pub(super) struct Standing {
    pub(super) run: u32,
    /// The key of its head.
    key: Vec<u8>,
    /// The value of its head.
    pub(super) value: Vec<u8>,
    pub(super) head: Head,
}

impl Standing {
    /// Where its last segment stands.
    pub(super) fn last_place(&self) -> SegmentPlace {
        let Self { key, head, .. } = self;
        SegmentPlace { head: key.clone(), revision: head.revision, segment: head.segments() - 1 }
    }
}

impl Keeper {
    /// The runs of a key.
    pub(super) fn standing_runs(
        &self,
        table: &str,
        schema: &Schema,
        column: u8,
        columns: &[u8],
    ) -> Result<Vec<Standing>, TablesError> {
        let moments = moments(schema, column);
        let first = head_key(table, column, columns, 0);
        let prefix = first.get(..first.len() - 4).unwrap_or_default();
        let mut standing = Vec::new();
        for_each_entry::<TablesError>(&self.archive, prefix, self.archive.version(), |key, value| {
            if let TableKey::Head { run, .. } = TableKey::from_bytes(key, schema).map_err(PolicyFault::Key)? {
                let head = Head::from_bytes(value, moments).map_err(PolicyFault::Head)?;
                standing.push(Standing { run, key: key.to_vec(), value: value.to_vec(), head });
            }
            Ok(())
        })?;
        Ok(standing)
    }

    /// The record of a run's last segment.
    pub(super) fn last_record(
        &self,
        table: &str,
        schema: &Schema,
        (column, columns): (u8, &[u8]),
        standing: &Standing,
    ) -> Result<Record, TablesError> {
        let Standing { run, head, .. } = standing;
        let number = head.segments() - 1;
        if number == 0 {
            return Ok(head.record.clone());
        }
        let key = segment_key(table, column, columns, *run, head.revision, number);
        let value = self.archive.get(&Key::from(key), self.archive.version())?.ok_or(TablesError::NoRows)?;
        Ok(Segment::from_bytes(&value, moments(schema, column)).map_err(PolicyFault::Head)?.record)
    }

    /// The least number above `last` that no run of a key has, nor ever had: of deleted ones the
    /// vault keeps the rows.
    pub(super) fn unused_run(
        &self,
        table: &str,
        column: u8,
        columns: &[u8],
        last: Option<u32>,
    ) -> Result<u32, TablesError> {
        let next = |run: u32| run.checked_add(1).ok_or(TablesError::TooManyRuns);
        let mut run = last.map_or(Ok(0), next)?;
        loop {
            let head = head_key(table, column, columns, run);
            if !self.vault.has(&SegmentPlace { head, revision: 0, segment: 0 })? {
                return Ok(run);
            }
            run = next(run)?;
        }
    }
}

/// How many sums the records of a column have.
fn moments(schema: &Schema, column: u8) -> usize {
    schema.values.get(usize::from(column)).map_or(0, |column| usize::from(column.moments))
}
