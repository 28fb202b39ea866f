//! A run that gets rows, and what is put of it.

use aardvark_aggregates::{About, Certificate, Head, KnownSegment, PolicyFault, Record, Schema, Segment, judge_run};
use aardvark_dictionary::{Change, Key, Value};

use crate::certificates::StoredCertificate;
use crate::error::TablesError;
use crate::place::{SegmentPlace, head_key, segment_key};
use crate::vault::SegmentSecret;

/// A run that gets rows.
pub(super) struct Run {
    pub(super) about: About,
    /// The encoded key columns.
    pub(super) columns: Vec<u8>,
    pub(super) run: u32,
    pub(super) revision: u32,
    /// What stands under its head's key.
    pub(super) before: Option<Vec<u8>>,
    /// Its head with all segments that are certified: of a revision that begins there is none at
    /// first.
    pub(super) head: Option<Head>,
    /// The last segment that is certified.
    pub(super) last: Option<(Record, KnownSegment)>,
    /// How many segments it has, those that are not certified yet included.
    pub(super) segments: u32,
    /// Of a revision that begins its first rows: they are written when its head is known.
    pub(super) first: Option<SegmentSecret>,
    /// Segments that are put besides the head, with their numbers.
    pub(super) further: Vec<(u32, Vec<u8>)>,
    /// Whether all its rows are there.
    pub(super) is_complete: bool,
}

/// A segment that is certified.
pub(super) struct Certified {
    /// Its run, by its place among the batch's.
    pub(super) run: usize,
    pub(super) record: Record,
    pub(super) known: KnownSegment,
    pub(super) secret: SegmentSecret,
    pub(super) certificate: Certificate,
}

/// What is written of certified segments.
#[derive(Default)]
pub(super) struct Written {
    /// The keys and values of what has new secrets.
    pub(super) put: Vec<(Vec<u8>, Vec<u8>)>,
    pub(super) secrets: Vec<(SegmentPlace, SegmentSecret)>,
    pub(super) stored: Vec<StoredCertificate>,
    pub(super) changes: Vec<Change>,
}

impl Run {
    /// Takes its next segment.
    pub(super) fn take(&mut self, table: &str, segment: Certified, written: &mut Written) -> Result<(), TablesError> {
        let Certified { record, known, secret, certificate, .. } = segment;
        let head_key = head_key(table, self.about.column, &self.columns, self.run);
        let key = match self.head.take() {
            None => {
                self.head = Some(Head::single(self.revision, record.clone()));
                self.first = Some(secret);
                head_key
            }
            Some(head) => {
                let number = head.segments();
                let key = segment_key(table, self.about.column, &self.columns, self.run, self.revision, number);
                let bytes = Segment { rank: head.rows(), record: record.clone() }.to_bytes();
                // Of the sums of a segment the schema says how many there are.
                let read = Segment::from_bytes(&bytes, self.about.moments).map_err(PolicyFault::Head)?;
                self.head = Some(head.with_segment(&read.record));
                written
                    .secrets
                    .push((SegmentPlace { head: head_key, revision: self.revision, segment: number }, secret));
                written.put.push((key.clone(), bytes.clone()));
                written
                    .changes
                    .push(Change { key: Key::from(key.as_slice()), value: Some(Value::from(bytes.clone())) });
                self.further.push((number, bytes));
                key
            }
        };
        written.stored.push(StoredCertificate { heads: vec![key], certificate: certificate.to_bytes() });
        self.last = Some((record, known));
        Ok(())
    }

    /// Puts its head, behind the last segment.
    pub(super) fn complete(self, table: &str, schema: &Schema, written: &mut Written) -> Result<(), TablesError> {
        let Some(head) = self.head else { return Ok(()) };
        let key = head_key(table, self.about.column, &self.columns, self.run);
        let value = head.to_bytes();
        judge_run(Some(schema), &key, self.before.as_deref(), Some(&value), &self.further)?;
        if let Some(first) = self.first {
            written.put.push((key.clone(), value.clone()));
            written.secrets.push((SegmentPlace { head: key.clone(), revision: self.revision, segment: 0 }, first));
        }
        written.changes.push(Change { key: Key::from(key), value: Some(Value::from(value)) });
        Ok(())
    }
}
