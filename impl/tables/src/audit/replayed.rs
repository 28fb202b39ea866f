//! A table as far as its log is replayed.

use std::collections::BTreeMap;

use aardvark_aggregates::{Head, Record, Schema, Segment, TableKey};

/// A table while its log is replayed.
#[derive(Default)]
pub(super) struct Replayed {
    /// Its schema, once it was made.
    pub(super) schema: Option<Schema>,
    /// Values of heads, by their keys, and the versions that put them.
    pub(super) heads: BTreeMap<Vec<u8>, (Vec<u8>, u64)>,
    /// The same of further segments.
    pub(super) segments: BTreeMap<Vec<u8>, (Vec<u8>, u64)>,
}

impl Replayed {
    /// The record under the key of a head or of a further segment.
    pub(super) fn record(&self, key: &[u8]) -> Option<Record> {
        let schema = self.schema.as_ref()?;
        let moments = key_moments(schema, key);
        match self.heads.get(key) {
            Some((value, _)) => Some(Head::from_bytes(value, moments).ok()?.record),
            None => Some(Segment::from_bytes(&self.segments.get(key)?.0, moments).ok()?.record),
        }
    }
}

/// How many sums the records of a key's column have.
pub(super) fn key_moments(schema: &Schema, key: &[u8]) -> usize {
    match TableKey::from_bytes(key, schema) {
        Ok(TableKey::Head { column, .. } | TableKey::Segment { column, .. }) => {
            schema.values.get(usize::from(column)).map_or(0, |column| usize::from(column.moments))
        }
        _ => 0,
    }
}
