//! The runs of a key as they stand.

use aardvark_aggregates::{Head, PolicyFault, Record, Schema, Segment, TableKey};
use aardvark_dictionary::{Key, Value};

use super::run::Entry;
use super::target::{RunsOf, Target};
use crate::error::TablesError;
use crate::place::{SegmentPlace, segment_key};

/// A run that stands.
pub(super) struct Standing {
    pub(super) run: u32,
    /// The key of its head.
    pub(super) key: Key,
    /// The value of its head.
    pub(super) value: Value,
    pub(super) head: Head,
}

/// The last segment of a run: its record, and where it stands unless that is the head.
pub(super) type LastSegment = (Record, Option<Entry>);

impl Standing {
    /// Where its last segment stands.
    pub(super) fn last_place(&self) -> SegmentPlace {
        let Self { key, head, .. } = self;
        SegmentPlace { head: key.to_vec(), revision: head.revision, segment: head.segments() - 1 }
    }
}

/// The runs of a key.
pub(super) fn standing_runs<T: Target>(target: &mut T, of: RunsOf<'_>) -> Result<Vec<Standing>, T::Error> {
    let moments = moments(of.schema, of.column);
    let read = |(key, value): (Key, Value)| {
        let TableKey::Head { run, .. } = TableKey::from_bytes(&key, of.schema).map_err(PolicyFault::Key)? else {
            return Ok(None);
        };
        let head = Head::from_bytes(&value, moments).map_err(PolicyFault::Head)?;
        Ok(Some(Standing { run, key, value, head }))
    };
    let runs = target.runs(of)?.into_iter().map(read).filter_map(Result::transpose);
    Ok(runs.collect::<Result<Vec<_>, TablesError>>()?)
}

/// A run's last segment.
pub(super) fn last_segment<T: Target>(
    target: &mut T,
    of: RunsOf<'_>,
    Standing { run, head, .. }: &Standing,
) -> Result<LastSegment, T::Error> {
    let number = head.segments() - 1;
    if number == 0 {
        return Ok((head.record.clone(), None));
    }
    let key = segment_key(of.table, of.column, of.columns, *run, head.revision, number);
    let value = target.value(&Key::from(key.as_slice()))?.ok_or(TablesError::NoRows)?;
    let segment = Segment::from_bytes(&value, moments(of.schema, of.column));
    let record = segment.map_err(|error| TablesError::from(PolicyFault::Head(error)))?.record;
    Ok((record, Some((key, value.to_vec()))))
}

/// How many sums the records of a column have.
fn moments(schema: &Schema, column: u8) -> usize {
    schema.values.get(usize::from(column)).map_or(0, |column| usize::from(column.moments))
}
