//! The record of a segment and the head of a run: what the dictionary holds of a run
//! (`aardvark_spec::table::run_record`).
//!
//! ```text
//! record = u8 log2 N || u16 first || u16 rows || values (48) || row root (32) || sums_p (48), p = 1..=moments
//! head   = u8 1 || u32 revision || u32 segments || u64 rows || record
//! ```

use aardvark_algebra::DecodeError;
use aardvark_commitment::Commitment;
use thiserror::Error;

/// The format of heads.
const HEAD_FORMAT: u8 = 1;
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
    /// A run of several segments, which this version does not read.
    #[error("a run of {0} segments, which this version does not read")]
    Segments(u32),
    /// The head's number of rows is not its record's.
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
        /// 0 for the values, p for the sums of the p-th powers.
        place: usize,
        /// Why.
        source: DecodeError,
    },
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
        let length = RecordError::Length { found: bytes.len(), expected: record_bytes(moments) };
        if bytes.len() != record_bytes(moments) {
            return Err(length);
        }
        let (log, rest) = take::<1>(bytes).ok_or(length)?;
        let (first, rest) = take::<2>(rest).ok_or(length)?;
        let (rows, rest) = take::<2>(rest).ok_or(length)?;
        let (values, rest) = take::<POINT_BYTES>(rest).ok_or(length)?;
        let (root, rest) = take::<32>(rest).ok_or(length)?;
        let point = |place: usize, bytes: &[u8; POINT_BYTES]| {
            Commitment::from_bytes(bytes).map_err(|source| RecordError::Point { place, source })
        };
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

/// The head of a run of one segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// How often the run was replaced.
    pub revision: u32,
    /// The record of its segment.
    pub record: Record,
}

impl Head {
    /// The head as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![HEAD_FORMAT];
        bytes.extend(self.revision.to_be_bytes());
        bytes.extend(1u32.to_be_bytes());
        bytes.extend(u64::from(self.record.rows).to_be_bytes());
        bytes.extend(self.record.to_bytes());
        bytes
    }

    /// The head that bytes are, in a table of so many moments.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn from_bytes(bytes: &[u8], moments: usize) -> Result<Self, RecordError> {
        let length = RecordError::Length { found: bytes.len(), expected: HEAD_BYTES + record_bytes(moments) };
        let ([format], rest) = take::<1>(bytes).ok_or(length)?;
        if *format != HEAD_FORMAT {
            return Err(RecordError::Format(*format));
        }
        let (revision, rest) = take::<4>(rest).ok_or(length)?;
        let (segments, rest) = take::<4>(rest).ok_or(length)?;
        let (rows, rest) = take::<8>(rest).ok_or(length)?;
        let segments = u32::from_be_bytes(*segments);
        if segments != 1 {
            return Err(RecordError::Segments(segments));
        }
        let record = Record::from_bytes(rest, moments)?;
        let head = u64::from_be_bytes(*rows);
        if head != u64::from(record.rows) {
            return Err(RecordError::Rows { head, record: record.rows });
        }
        Ok(Self { revision: u32::from_be_bytes(*revision), record })
    }
}

/// The next bytes, so many, and the bytes behind them.
fn take<const COUNT: usize>(bytes: &[u8]) -> Option<(&[u8; COUNT], &[u8])> {
    bytes.split_first_chunk()
}
