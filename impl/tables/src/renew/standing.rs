//! The runs of a key as they stand, with their last segments.

use aardvark_aggregates::{Head, PolicyFault, Record, Schema, Segment, TableKey};
use aardvark_dictionary::Key;

use crate::error::TablesError;
use crate::keeper::{Keeper, for_each_entry};
use crate::place::{SegmentPlace, head_key, segment_key};
use crate::vault::SegmentSecret;

/// A run that stands, with its last segment.
pub(super) struct Standing {
    pub(super) run: u32,
    /// The value of its head.
    pub(super) value: Vec<u8>,
    pub(super) head: Head,
    /// The last segment's record.
    pub(super) last: Record,
    /// The last segment's rows.
    pub(super) secret: SegmentSecret,
}

impl Keeper {
    /// The runs of a key, with their last segments.
    pub(super) fn standing_runs(
        &self,
        table: &str,
        schema: &Schema,
        column: u8,
        columns: &[u8],
    ) -> Result<Vec<Standing>, TablesError> {
        let moments = schema.values.get(usize::from(column)).map_or(0, |column| usize::from(column.moments));
        let version = self.archive.version();
        let first = head_key(table, column, columns, 0);
        let prefix = first.get(..first.len() - 4).unwrap_or_default();
        let mut heads = Vec::new();
        for_each_entry::<TablesError>(&self.archive, prefix, version, |key, value| {
            heads.push((key.to_vec(), value.to_vec()));
            Ok(())
        })?;
        let mut standing = Vec::new();
        for (key, value) in heads {
            let TableKey::Head { run, .. } = TableKey::from_bytes(&key, schema).map_err(PolicyFault::Key)? else {
                continue;
            };
            let head = Head::from_bytes(&value, moments).map_err(PolicyFault::Head)?;
            let number = head.segments() - 1;
            let last = match number {
                0 => head.record.clone(),
                _ => {
                    let key = segment_key(table, column, columns, run, head.revision, number);
                    let value = self.archive.get(&Key::from(key), version)?.ok_or(TablesError::NoRows)?;
                    Segment::from_bytes(&value, moments).map_err(PolicyFault::Head)?.record
                }
            };
            let place = SegmentPlace { head: key, revision: head.revision, segment: number };
            let secret = self.vault.segment(&place)?.ok_or(TablesError::NoRows)?;
            standing.push(Standing { run, value, head, last, secret });
        }
        Ok(standing)
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
