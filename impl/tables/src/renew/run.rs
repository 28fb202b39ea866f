//! A run that gets rows, and the steps in which it does.

use aardvark_aggregates::{About, Certificate, Head, KnownSegment, PolicyFault, Record, Schema, Segment, judge_run};

use crate::error::TablesError;
use crate::place::{SegmentPlace, head_key, segment_key};
use crate::vault::SegmentSecret;

/// A key and what stands, or is put, under it.
pub(crate) type Entry = (Vec<u8>, Vec<u8>);

/// A run that gets rows.
pub(super) struct Run {
    pub(super) about: About,
    /// The encoded key columns.
    pub(super) columns: Vec<u8>,
    pub(super) run: u32,
    pub(super) revision: u32,
    /// What stands under its head's key behind the steps so far.
    pub(super) before: Option<Vec<u8>>,
    /// Its head with all segments that are certified: of a revision that begins there is none at
    /// first.
    pub(super) head: Option<Head>,
    /// The last segment that is certified.
    pub(super) last: Option<(Record, KnownSegment)>,
    /// Where that one stands, unless it is in the head.
    pub(super) last_entry: Option<Entry>,
    /// How many segments it has, those that are not certified yet included.
    pub(super) segments: u32,
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

/// A step of a run: its next segment, and the head that says so.
pub(crate) struct RunStep {
    /// The key of its head.
    pub(crate) head: Vec<u8>,
    /// What stands under it before.
    pub(crate) before: Option<Vec<u8>>,
    /// The segment before, unless that one is in the head or there is none.
    pub(crate) previous: Option<Entry>,
    /// The segment; `None` where it is the first of its revision, which is in the head.
    pub(crate) segment: Option<Entry>,
    /// The segment's certificate.
    pub(crate) certificate: Vec<u8>,
    /// What is put under the head's key.
    pub(crate) after: Vec<u8>,
}

/// A step with what is secret of it.
pub(super) struct Taken {
    pub(super) step: RunStep,
    pub(super) place: SegmentPlace,
    pub(super) secret: SegmentSecret,
}

impl RunStep {
    /// The key and value of what it puts with a certificate: of its segment, or of the head that
    /// has it.
    pub(crate) fn certified_entry(&self) -> Entry {
        self.segment.clone().unwrap_or_else(|| (self.head.clone(), self.after.clone()))
    }
}

impl Run {
    /// A run of a number and revision, by its encoded key columns, that has no segments so far.
    pub(super) fn new(about: About, columns: Vec<u8>, (run, revision): (u32, u32)) -> Self {
        let (before, head, last, last_entry) = (None, None, None, None);
        Self { about, columns, run, revision, before, head, last, last_entry, segments: 0, is_complete: false }
    }

    /// Takes its next segment, in a step that is legal under a schema.
    pub(super) fn take(&mut self, table: &str, schema: &Schema, segment: Certified) -> Result<Taken, TablesError> {
        let Certified { record, known, secret, certificate, .. } = segment;
        let key = head_key(table, self.about.column, &self.columns, self.run);
        let previous = self.last_entry.take();
        let (number, after, segment) = match self.head.take() {
            None => (0, Head::single(self.revision, record.clone()), None),
            Some(head) => {
                let number = head.segments();
                let key = segment_key(table, self.about.column, &self.columns, self.run, self.revision, number);
                let bytes = Segment { rank: head.rows(), record: record.clone() }.to_bytes();
                // Of the sums of a segment the schema says how many there are.
                let read = Segment::from_bytes(&bytes, self.about.moments).map_err(PolicyFault::Head)?;
                (number, head.with_segment(&read.record), Some((key, bytes)))
            }
        };
        let (before, value) = (self.before.take(), after.to_bytes());
        let put: Vec<(u32, Vec<u8>)> = segment.iter().map(|(_, bytes)| (number, bytes.clone())).collect();
        judge_run(Some(schema), &key, before.as_deref(), Some(&value), &put)?;
        (self.before, self.head, self.last_entry) = (Some(value.clone()), Some(after), segment.clone());
        self.last = Some((record, known));
        let place = SegmentPlace { head: key.clone(), revision: self.revision, segment: number };
        let certificate = certificate.to_bytes();
        Ok(Taken { step: RunStep { head: key, before, previous, segment, certificate, after: value }, place, secret })
    }
}
