//! The record of a segment, the head of a run and its further segments: what the dictionary holds
//! of a run (`aardvark_spec::table::run_record`, `run_segments`).
//!
//! ```text
//! record  = u8 log2 N || u16 first || u16 rows || values (48) || row root (32) || sums_p (48), p = 1..=moments
//! head    = u8 1 || u32 revision || u32 segments || u64 rows || record
//!           || (segments > 1: total_p (48), p = 1..=moments)
//! segment = u8 2 || u64 rank || record
//! ```

use core::cell::RefCell;

use aardvark_algebra::group::Curve;
use aardvark_algebra::{DecodeError, G1Projective, decode_opening};
use aardvark_commitment::Commitment;
use thiserror::Error;

use crate::decoded::Decoded;

/// The format of heads.
const HEAD_FORMAT: u8 = 1;
/// The format of segments.
const SEGMENT_FORMAT: u8 = 2;
/// Bytes of a segment before its record.
const SEGMENT_BYTES: usize = 1 + 8;
/// A run has fewer rows.
const MAX_ROWS: u64 = 1 << 40;
/// Bytes of a record without its sums.
const FIXED_BYTES: usize = 1 + 2 + 2 + 48 + 32;
/// Bytes of a head before its record.
const HEAD_BYTES: usize = 1 + 4 + 4 + 8;
/// Bytes of a point.
const POINT_BYTES: usize = 48;

/// Why bytes are no record or head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// They have another length.
    #[error("{found} bytes, where {expected} are one record")]
    Length {
        /// What was found.
        found: usize,
        /// What the schema's moments ask for.
        expected: usize,
    },
    /// The format number is another.
    #[error("format {0} is not known")]
    Format(u8),
    /// A run of no segments.
    #[error("a run of no segments")]
    Segments,
    /// The head's number of rows is not its record's, where that is of the only segment, or not
    /// above it, or 2^40 and more.
    #[error("the head says {head} rows, its record {record}")]
    Rows {
        /// The head's.
        head: u64,
        /// The record's.
        record: u16,
    },
    /// A commitment is no point of the group.
    #[error("commitment {place}: {source}")]
    Point {
        /// 0 for the values, p for the sums of the p-th powers; behind them a head's totals.
        place: usize,
        /// Why.
        source: DecodeError,
    },
}

/// What is asked of the points of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Points<'a> {
    /// That they lie in the subgroup.
    InSubgroup,
    /// The same, where most have been decoded.
    Decoded(&'a Decoded),
    /// That they lie on the curve: for who makes answers, which are verified before they are given.
    OnCurve,
    /// Nothing: each stands as the identity, for who makes answers and needs the other parts alone.
    NotRead,
    /// Nothing likewise; the encodings are noted.
    Noted(&'a RefCell<Vec<[u8; POINT_BYTES]>>),
}

impl Points<'_> {
    fn read(self, bytes: &[u8; POINT_BYTES]) -> Result<Commitment, DecodeError> {
        match self {
            Self::InSubgroup => Commitment::from_bytes(bytes),
            Self::Decoded(decoded) => decoded.in_subgroup(bytes),
            Self::OnCurve => decode_opening(bytes).map(Commitment::from_point_unchecked),
            Self::NotRead => Ok(Commitment::identity()),
            Self::Noted(noted) => {
                noted.borrow_mut().push(*bytes);
                Ok(Commitment::identity())
            }
        }
    }
}

/// The record of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The logarithm of the domain's size to the base 2.
    pub log: u8,
    /// The position of the first row.
    pub first: u16,
    /// The number of rows.
    pub rows: u16,
    /// The commitment to the rows' numbers.
    pub values: Commitment,
    /// The root over the rows' texts.
    pub root: [u8; 32],
    /// The commitments to the suffix sums of the numbers' powers, from the first on.
    pub sums: Vec<Commitment>,
}

/// Bytes of a record with so many moments.
pub const fn record_bytes(moments: usize) -> usize {
    FIXED_BYTES + moments * POINT_BYTES
}

impl Record {
    /// The record as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.log];
        bytes.extend(self.first.to_be_bytes());
        bytes.extend(self.rows.to_be_bytes());
        bytes.extend(self.values.to_bytes());
        bytes.extend(self.root);
        self.sums.iter().for_each(|sum| bytes.extend(sum.to_bytes()));
        bytes
    }

    /// The record that bytes are, in a table of so many moments. Its layout is not looked at.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn from_bytes(bytes: &[u8], moments: usize) -> Result<Self, RecordError> {
        Self::read(bytes, moments, Points::InSubgroup)
    }

    fn read(bytes: &[u8], moments: usize, points: Points<'_>) -> Result<Self, RecordError> {
        let length = RecordError::Length { found: bytes.len(), expected: record_bytes(moments) };
        if bytes.len() != record_bytes(moments) {
            return Err(length);
        }
        let (log, rest) = take::<1>(bytes).ok_or(length)?;
        let (first, rest) = take::<2>(rest).ok_or(length)?;
        let (rows, rest) = take::<2>(rest).ok_or(length)?;
        let (values, rest) = take::<POINT_BYTES>(rest).ok_or(length)?;
        let (root, rest) = take::<32>(rest).ok_or(length)?;
        let point = |place: usize, bytes| points.read(bytes).map_err(|source| RecordError::Point { place, source });
        let sums = rest.as_chunks().0.iter().enumerate().map(|(i, bytes)| point(i + 1, bytes));
        Ok(Self {
            log: u8::from_be_bytes(*log),
            first: u16::from_be_bytes(*first),
            rows: u16::from_be_bytes(*rows),
            values: point(0, values)?,
            root: *root,
            sums: sums.collect::<Result<_, _>>()?,
        })
    }
}

/// The head of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// How often the run was replaced.
    pub revision: u32,
    /// The record of its first segment.
    pub record: Record,
    /// What there is besides where the run has several segments.
    pub whole: Option<WholeRun>,
}

/// A run of several segments as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeRun {
    /// How many segments it has: 2 at least.
    pub segments: u32,
    /// How many rows they have.
    pub rows: u64,
    /// The sums of the segments' commitments to sums, from the first power on.
    pub totals: Vec<Commitment>,
}

impl Head {
    /// The head of a run of one segment.
    pub fn single(revision: u32, record: Record) -> Self {
        Self { revision, record, whole: None }
    }

    /// How many segments the run has.
    pub fn segments(&self) -> u32 {
        self.whole.as_ref().map_or(1, |whole| whole.segments)
    }

    /// How many rows the run has.
    pub fn rows(&self) -> u64 {
        self.whole.as_ref().map_or(u64::from(self.record.rows), |whole| whole.rows)
    }

    /// The commitments to the sums of the whole run, from the first power on.
    pub fn totals(&self) -> &[Commitment] {
        self.whole.as_ref().map_or(&self.record.sums, |whole| &whole.totals)
    }

    /// The head with one more segment behind the run's last. Rows and segments stay where they are
    /// once they cannot be counted.
    #[must_use]
    pub fn with_segment(&self, record: &Record) -> Self {
        let add = |(one, other): (&Commitment, &Commitment)| {
            Commitment::from_point_unchecked((G1Projective::from(one.point()) + other.point()).to_affine())
        };
        let whole = WholeRun {
            segments: self.segments().saturating_add(1),
            rows: self.rows().saturating_add(u64::from(record.rows)),
            totals: self.totals().iter().zip(&record.sums).map(add).collect(),
        };
        Self { revision: self.revision, record: self.record.clone(), whole: Some(whole) }
    }

    /// The head as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![HEAD_FORMAT];
        bytes.extend(self.revision.to_be_bytes());
        bytes.extend(self.segments().to_be_bytes());
        bytes.extend(self.rows().to_be_bytes());
        bytes.extend(self.record.to_bytes());
        let totals = self.whole.iter().flat_map(|whole| &whole.totals);
        totals.for_each(|total| bytes.extend(total.to_bytes()));
        bytes
    }

    /// The head that bytes are, in a table of so many moments.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn from_bytes(bytes: &[u8], moments: usize) -> Result<Self, RecordError> {
        Self::read(bytes, moments, Points::InSubgroup)
    }

    /// [`Head::from_bytes`] of who makes answers, and verifies them: the points, whose decoding is
    /// most of its work, are not read. Each stands as the identity.
    ///
    /// # Errors
    /// [`RecordError`], but for points.
    pub fn without_points(bytes: &[u8], moments: usize) -> Result<Self, RecordError> {
        Self::read(bytes, moments, Points::NotRead)
    }

    /// The head, its points read by a rule.
    pub(crate) fn read(bytes: &[u8], moments: usize, points: Points<'_>) -> Result<Self, RecordError> {
        let single = HEAD_BYTES + record_bytes(moments);
        let length = RecordError::Length { found: bytes.len(), expected: single };
        let ([format], rest) = take::<1>(bytes).ok_or(length)?;
        if *format != HEAD_FORMAT {
            return Err(RecordError::Format(*format));
        }
        let (revision, rest) = take::<4>(rest).ok_or(length)?;
        let (segments, rest) = take::<4>(rest).ok_or(length)?;
        let (rows, rest) = take::<8>(rest).ok_or(length)?;
        let (segments, rows) = (u32::from_be_bytes(*segments), u64::from_be_bytes(*rows));
        let totals = match segments {
            0 => return Err(RecordError::Segments),
            1 => 0,
            _ => moments,
        };
        let expected = single + totals * POINT_BYTES;
        let length = RecordError::Length { found: bytes.len(), expected };
        let (record, rest) = rest.split_at_checked(record_bytes(moments)).ok_or(length)?;
        if rest.len() != totals * POINT_BYTES {
            return Err(length);
        }
        let record = Record::read(record, moments, points)?;
        let one = u64::from(record.rows);
        if (segments == 1 && rows != one) || (segments > 1 && (rows <= one || rows >= MAX_ROWS)) {
            return Err(RecordError::Rows { head: rows, record: record.rows });
        }
        let totals = rest.as_chunks().0.iter().enumerate().map(|(p, bytes)| {
            points.read(bytes).map_err(|source| RecordError::Point { place: moments + 1 + p, source })
        });
        let totals: Vec<Commitment> = totals.collect::<Result<_, _>>()?;
        let whole = (segments > 1).then_some(WholeRun { segments, rows, totals });
        Ok(Self { revision: u32::from_be_bytes(*revision), record, whole })
    }
}

/// A segment of a run that is not its first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// How many rows of the run are before it.
    pub rank: u64,
    /// Its record.
    pub record: Record,
}

impl Segment {
    /// The segment as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![SEGMENT_FORMAT];
        bytes.extend(self.rank.to_be_bytes());
        bytes.extend(self.record.to_bytes());
        bytes
    }

    /// The segment that bytes are, in a table of so many moments.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn from_bytes(bytes: &[u8], moments: usize) -> Result<Self, RecordError> {
        Self::read(bytes, moments, Points::InSubgroup)
    }

    /// The segment, its points read by a rule.
    pub(crate) fn read(bytes: &[u8], moments: usize, points: Points<'_>) -> Result<Self, RecordError> {
        let length = RecordError::Length { found: bytes.len(), expected: SEGMENT_BYTES + record_bytes(moments) };
        let ([format], rest) = take::<1>(bytes).ok_or(length)?;
        if *format != SEGMENT_FORMAT {
            return Err(RecordError::Format(*format));
        }
        let (rank, rest) = take::<8>(rest).ok_or(length)?;
        Ok(Self { rank: u64::from_be_bytes(*rank), record: Record::read(rest, moments, points)? })
    }
}

/// The next bytes, so many, and the bytes behind them.
fn take<const COUNT: usize>(bytes: &[u8]) -> Option<(&[u8; COUNT], &[u8])> {
    bytes.split_first_chunk()
}
