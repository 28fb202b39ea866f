//! The record of a segment of a run: what the dictionary holds of it.
//!
//! ```text
//! record = u8 log2 N || u16 first || u16 rows || values (48) || row root (32) || sums_p (48), p = 1..=moments
//! ```
//!
//! The encodings of points are a matter of the curve, so a point stands here beside its bytes.
//! Source: docs/tables.md, "Bytes".

use crate::base::bytes::*;
use crate::base::group::*;
use hacspec_lib::*;

/// A point as it is received: itself, and its encoding.
#[derive(Clone, Debug, Default)]
pub struct TablePoint {
    /// The point.
    pub held_element: G1,
    /// Its encoding, 48 bytes.
    pub held_bytes: ByteString,
}

/// The record of a segment.
#[derive(Clone, Debug, Default)]
pub struct RunRecord {
    /// The logarithm of the domain's size N to the base 2.
    pub record_log: usize,
    /// The position of the first row.
    pub record_first: usize,
    /// The number of rows.
    pub record_rows: usize,
    /// The commitment to the vector of the rows' numbers.
    pub record_values: TablePoint,
    /// The root over the rows' texts, 32 bytes.
    pub record_root: ByteString,
    /// The commitments to the suffix sums of the numbers' powers, from the first power on.
    pub record_sums: Seq<TablePoint>,
}

/// A revision of a run, with one record for all of its rows.
#[derive(Clone, Debug, Default)]
pub struct RunHead {
    /// How often the run was replaced.
    pub head_revision: usize,
    /// The record.
    pub head_record: RunRecord,
}

/// One step of [`encode_table_points`].
pub fn encode_table_points_step(encoded: ByteString, point: &TablePoint) -> ByteString {
    encoded.concat(&point.held_bytes)
}

/// The encodings of points, one after the other.
pub fn encode_table_points(points: &Seq<TablePoint>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..points.len() {
        encoded = encode_table_points_step(encoded, &points[i]);
    }
    encoded
}

/// A record as bytes.
pub fn encode_run_record(run_record: &RunRecord) -> ByteString {
    u8_bytes(run_record.record_log)
        .concat(&u16_bytes(run_record.record_first))
        .concat(&u16_bytes(run_record.record_rows))
        .concat(&run_record.record_values.held_bytes)
        .concat(&run_record.record_root)
        .concat(&encode_table_points(&run_record.record_sums))
}
