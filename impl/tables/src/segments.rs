//! Segments of runs, as a version of the dictionary has them.

use aardvark_aggregates::{Head, Record, Schema, Segment, TableKey};
use aardvark_archive::Snapshot;
use aardvark_dictionary::Key;

use crate::error::TablesError;
use crate::place::{SegmentPlace, segment_key};

/// The record of a segment of a run with this head at a version; `None` where the run has no such
/// segment then.
pub(crate) fn segment_record(
    archive: &Snapshot,
    schema: &Schema,
    place: &SegmentPlace,
    head: &Head,
    version: u64,
) -> Result<Option<Record>, TablesError> {
    Ok(segment_at(archive, schema, place, head, version)?.map(|segment| segment.record))
}

/// A segment of a run with this head at a version, the first one with the rank 0; `None` where the
/// run has no such segment then.
pub(crate) fn segment_at(
    archive: &Snapshot,
    schema: &Schema,
    place: &SegmentPlace,
    head: &Head,
    version: u64,
) -> Result<Option<Segment>, TablesError> {
    if place.segment == 0 {
        return Ok(Some(Segment { rank: 0, record: head.record.clone() }));
    }
    let Ok(TableKey::Head { table, column, columns, run }) = TableKey::from_bytes(&place.head, schema) else {
        return Ok(None);
    };
    if place.segment >= head.segments() {
        return Ok(None);
    }
    let moments = schema.values.get(usize::from(column)).map_or(0, |column| usize::from(column.moments));
    let key = segment_key(&table, column, &columns, run, head.revision, place.segment);
    let found = archive.get(&Key::from(key), version)?;
    Ok(found.and_then(|value| Segment::from_bytes(&value, moments).ok()))
}
