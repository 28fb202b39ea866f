//! Replaying steps of a log: which changes are legal, and which segments they put.

use std::collections::BTreeMap;

use aardvark_aggregates::{
    Head, PolicyFault, Schema, Segment, SheetItem, TableChange, TableKey, judge_change, judge_run, judge_segment_delete,
};

use super::replayed::key_moments;
use super::{Audit, FindingReason, PutSegment};
use crate::logged::Step;
use crate::place::{SegmentPlace, head_key, segment_key};

/// A key, and its content afterwards.
type Changed = (Vec<u8>, Option<Vec<u8>>);

/// Changes of one step that are about one run.
#[derive(Default)]
struct RunStep {
    head: Option<Option<Vec<u8>>>,
    /// By revision and number.
    segments: BTreeMap<(u32, u32), Changed>,
}

impl Audit<'_> {
    /// The changes of tables' keys in one step.
    pub(super) fn step(&mut self, version: u64, step: Step, put: &mut BTreeMap<Vec<u8>, PutSegment>) {
        let mut runs: BTreeMap<(String, Vec<u8>), RunStep> = BTreeMap::new();
        for (key, value) in step {
            let Ok((table, rest)) = TableKey::split_prefix(&key) else { continue };
            let table = table.to_owned();
            if self.options.table.as_ref().is_some_and(|only| *only != table) {
                continue;
            }
            let schema = self.tables.get(&table).and_then(|table| table.schema.as_ref());
            match schema.map(|schema| TableKey::from_bytes(&key, schema)) {
                Some(Ok(TableKey::Head { .. })) => {
                    runs.entry((table, key.to_vec())).or_default().head = Some(value);
                }
                Some(Ok(TableKey::Segment { column, columns, run, revision, segment, .. })) => {
                    let head = head_key(&table, column, &columns, run);
                    let of_run = runs.entry((table, head)).or_default();
                    of_run.segments.insert((revision, segment), (key.to_vec(), value));
                }
                _ => self.schema_change(version, &table, &key, rest == [0], value),
            }
        }
        for ((table, head), step) in runs {
            self.run_step(version, &table, &head, step, put);
        }
    }

    /// A change of a schema, or of a key that is none of the table's.
    fn schema_change(&mut self, version: u64, table: &str, key: &[u8], is_schema: bool, value: Option<Vec<u8>>) {
        let replayed = self.tables.entry(table.to_owned()).or_default();
        let before = replayed.schema.as_ref().filter(|_| is_schema).map(Schema::to_bytes);
        match judge_change(replayed.schema.as_ref(), key, before.as_deref(), value.as_deref()) {
            Ok(TableChange::Created(schema) | TableChange::Sealed(schema)) => replayed.schema = Some(schema),
            Ok(TableChange::Put { .. } | TableChange::Deleted(_)) => {}
            Err(fault) => self.found(version, table, (!is_schema).then_some(key), FindingReason::Illegal(fault)),
        }
    }

    /// A step of a run: its head, and segments that are put with it or deleted behind it.
    fn run_step(
        &mut self,
        version: u64,
        table: &str,
        key: &[u8],
        step: RunStep,
        put: &mut BTreeMap<Vec<u8>, PutSegment>,
    ) {
        let replayed = self.tables.entry(table.to_owned()).or_default();
        let schema = replayed.schema.clone();
        let mut faults = Vec::new();
        let mut stale = step.segments;
        if let Some(after) = step.head {
            let before = replayed.heads.get(key).map(|(value, _)| value.clone());
            let revision = after.as_deref().and_then(|value| SegmentPlace::of_entry(key, value));
            let revision = revision.map(|place| place.revision);
            let mut further = Vec::new();
            let mut keys = Vec::new();
            stale.retain(|(of, number), (key, value)| match value {
                Some(value) if Some(*of) == revision => {
                    further.push((*number, value.clone()));
                    keys.push(key.clone());
                    false
                }
                _ => true,
            });
            match judge_run(schema.as_ref(), key, before.as_deref(), after.as_deref(), &further) {
                Ok(TableChange::Put { key: place, head }) => {
                    let TableKey::Head { column, columns, run, .. } = place else { return };
                    let item = |segment, record| SheetItem {
                        columns: columns.clone(),
                        run,
                        revision: head.revision,
                        segment,
                        record,
                    };
                    let moments = schema.as_ref().map_or(0, |schema| key_moments(schema, key));
                    let grows = before.and_then(|before| SegmentPlace::of_entry(key, &before)).map(|b| b.revision)
                        == Some(head.revision);
                    if !grows {
                        put.insert(key.to_vec(), PutSegment { item: item(0, head.record.clone()), link: None });
                    }
                    for ((number, value), key) in further.iter().zip(keys) {
                        // The first segment of a run that is put here is not replayed yet.
                        let link = match number {
                            0 | 1 => Some(head.record.clone()),
                            _ => {
                                let before =
                                    segment_key(table, column, &columns, run, head.revision, number.saturating_sub(1));
                                replayed.record(&before)
                            }
                        };
                        if let Ok(segment) = Segment::from_bytes(value, moments) {
                            put.insert(key.clone(), PutSegment { item: item(*number, segment.record), link });
                        }
                        replayed.segments.insert(key, (value.clone(), version));
                    }
                    replayed.heads.insert(key.to_vec(), (after.unwrap_or_default(), version));
                }
                Ok(_) => {
                    replayed.heads.remove(key);
                }
                Err(fault) => faults.push((key.to_vec(), fault)),
            }
        }
        let moments = schema.as_ref().map_or(0, |schema| key_moments(schema, key));
        let head = replayed.heads.get(key).and_then(|(value, _)| Head::from_bytes(value, moments).ok());
        for (segment, value) in stale.into_values() {
            let judged = match (&schema, value) {
                (Some(schema), None) => judge_segment_delete(schema, &segment, head.as_ref()),
                _ => Err(PolicyFault::Segment),
            };
            match judged {
                Ok(()) => drop(replayed.segments.remove(&segment)),
                Err(fault) => faults.push((segment, fault)),
            }
        }
        for (key, fault) in faults {
            self.found(version, table, Some(&key), FindingReason::Illegal(fault));
        }
    }
}
