//! Runs of several segments: what the dictionary holds of them, and which steps of a run are legal.
//!
//! ```text
//! head    = u8 1 || u32 revision || u32 segments || u64 rows || record
//!           || (segments > 1: total_p (48), p = 1..=moments)
//! segment = u8 2 || u64 rank || record                        rank: rows of the run before it
//! ```
//!
//! The record in the head is that of the first segment; `total_p` is the sum of the commitments
//! sums_p of all segments. A run grows behind its end: each segment that is put continues the order
//! of the one before, which its certificate shows
//! ([`crate::table::linked_certificate`]).
//!
//! | step | what stands before | what it asks |
//! |---|---|---|
//! | begin | no head | revision 0 |
//! | extend | a head of this revision | its record stays; one segment at least is put |
//! | replace | a head | not append-only; the next revision |
//!
//! In each, the segments that are put have the numbers behind those that stand, their ranks are the
//! rows before them, and segments, rows and totals of the head are what they add up to. Which bytes
//! are a point is looked at apart. Source: docs/tables.md, "Runs of several segments".

use crate::base::bytes::*;
use crate::base::group::*;
use crate::table::run_record::*;
use crate::table::totals::*;
use hacspec_lib::*;

/// Segments of a run are fewer than this.
pub const MAX_RUN_SEGMENTS: usize = 4_294_967_296;

/// The head of a run of any number of segments.
#[derive(Clone, Debug, Default)]
pub struct LongHead {
    /// How often the run was replaced.
    pub long_revision: usize,
    /// How many segments it has.
    pub long_segments: usize,
    /// How many rows they have.
    pub long_rows: usize,
    /// The record of the first segment.
    pub long_record: RunRecord,
    /// Where there are several segments, the commitments to the sums of the whole run.
    pub long_totals: Seq<TablePoint>,
}

/// A segment of a run.
#[derive(Clone, Debug, Default)]
pub struct RunPiece {
    /// Its number; 0 for the first, which is in the head.
    pub piece_number: usize,
    /// The rows of the run before it.
    pub piece_rank: usize,
    /// Its record.
    pub piece_record: RunRecord,
}

/// Why a step of a run is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepFault {
    /// A record has no place on a domain, or another number of sums.
    PieceMisplaced,
    /// The table does not allow that its runs are replaced.
    StepFixed,
    /// The revision is not the next one.
    StepRevision,
    /// A run that grows has another first segment afterwards.
    StepRecord,
    /// A run that grows gets no segment, or segments have other numbers than the next ones.
    PieceNumber,
    /// A segment's rank is not the rows before it.
    PieceRank,
    /// The head's segments, rows or totals are not what the segments add up to.
    StepSums,
}

/// What a run has come to while its segments are added up.
#[derive(Clone, Debug, Default)]
pub struct RunExtent {
    /// How many segments.
    pub extent_segments: usize,
    /// How many rows.
    pub extent_rows: usize,
    /// The sums of the commitments to sums.
    pub extent_sums: Seq<G1>,
}

/// A head as bytes.
pub fn encode_long_head(head: &LongHead) -> ByteString {
    u8_bytes(1)
        .concat(&u32_bytes(head.long_revision))
        .concat(&u32_bytes(head.long_segments))
        .concat(&u64_bytes(head.long_rows))
        .concat(&encode_run_record(&head.long_record))
        .concat(&encode_table_points(&head.long_totals))
}

/// A segment that is not the first as bytes.
pub fn encode_run_piece(piece: &RunPiece) -> ByteString {
    u8_bytes(2).concat(&u64_bytes(piece.piece_rank)).concat(&encode_run_record(&piece.piece_record))
}

/// Whether a head is one of a run, of a table with so many moments.
pub fn long_head_legal(head: &LongHead, moments: usize) -> bool {
    let extent_legal = if head.long_segments == 1 {
        head.long_rows == head.long_record.record_rows && head.long_totals.len() == 0
    } else {
        head.long_segments >= 2
            && head.long_segments < MAX_RUN_SEGMENTS
            && head.long_rows > head.long_record.record_rows
            && head.long_rows < MAX_BOX_ROWS
            && head.long_totals.len() == moments
    };
    head.long_revision < 4_294_967_296 && run_record_legal(&head.long_record, moments) && extent_legal
}

/// The commitments to the sums of a whole run.
pub fn long_sums(head: &LongHead) -> Seq<TablePoint> {
    if head.long_segments == 1 { head.long_record.record_sums.clone() } else { head.long_totals.clone() }
}

/// One step of [`points_added`].
pub fn points_added_step(sums: Seq<G1>, before: &Seq<G1>, added: &TablePoint, i: usize) -> Seq<G1> {
    sums.push_owned(g1_add(g1_at(before, i), added.held_element))
}

/// Elements, and points added to them one by one.
pub fn points_added(before: &Seq<G1>, added: &Seq<TablePoint>) -> Seq<G1> {
    let mut sums = Seq::<G1>::new(0);
    for i in 0..added.len() {
        sums = points_added_step(sums, before, &added[i], i);
    }
    sums
}

/// The extent of a run that stands.
pub fn extent_of_head(head: &LongHead) -> RunExtent {
    RunExtent {
        extent_segments: head.long_segments,
        extent_rows: head.long_rows,
        extent_sums: points_added(&Seq::<G1>::new(0), &long_sums(head)),
    }
}

/// The extent of a run that begins: of the first segment alone.
pub fn extent_of_first(head: &LongHead) -> RunExtent {
    RunExtent {
        extent_segments: 1,
        extent_rows: head.long_record.record_rows,
        extent_sums: points_added(&Seq::<G1>::new(0), &head.long_record.record_sums),
    }
}

/// One step of [`extent_with_pieces`].
pub fn extent_with_pieces_step(
    found: Result<RunExtent, StepFault>,
    moments: usize,
    piece: &RunPiece,
) -> Result<RunExtent, StepFault> {
    match found {
        Err(fault) => Err(fault),
        Ok(extent) => {
            if !run_record_legal(&piece.piece_record, moments) {
                Err(StepFault::PieceMisplaced)
            } else if piece.piece_number != extent.extent_segments {
                Err(StepFault::PieceNumber)
            } else if piece.piece_rank != extent.extent_rows {
                Err(StepFault::PieceRank)
            } else {
                Ok(RunExtent {
                    extent_segments: extent.extent_segments + 1,
                    extent_rows: extent.extent_rows + piece.piece_record.record_rows,
                    extent_sums: points_added(&extent.extent_sums, &piece.piece_record.record_sums),
                })
            }
        }
    }
}

/// The extent of a run with further segments.
pub fn extent_with_pieces(before: RunExtent, moments: usize, put: &Seq<RunPiece>) -> Result<RunExtent, StepFault> {
    let mut found = Ok(before);
    for i in 0..put.len() {
        found = extent_with_pieces_step(found, moments, &put[i]);
    }
    found
}

/// One step of [`elements_equal`].
pub fn elements_equal_step(equal: bool, elements: &Seq<G1>, points: &Seq<TablePoint>, i: usize) -> bool {
    equal && i < elements.len() && g1_equal(g1_at(elements, i), points[i].held_element)
}

/// Whether elements are those of points.
pub fn elements_equal(elements: &Seq<G1>, points: &Seq<TablePoint>) -> bool {
    let mut equal = elements.len() == points.len();
    for i in 0..points.len() {
        equal = elements_equal_step(equal, elements, points, i);
    }
    equal
}

/// A condition of a step, or the reason of its failure.
pub fn expect_step(condition: bool, otherwise: StepFault) -> Result<(), StepFault> {
    if condition { Ok(()) } else { Err(otherwise) }
}

/// Whether a head says what the segments of its run add up to.
pub fn check_extent(before: RunExtent, moments: usize, put: &Seq<RunPiece>, after: &LongHead) -> Result<(), StepFault> {
    let extent = extent_with_pieces(before, moments, put)?;
    let counted = extent.extent_segments == after.long_segments && extent.extent_rows == after.long_rows;
    let _counted = expect_step(counted, StepFault::StepSums)?;
    expect_step(elements_equal(&extent.extent_sums, &long_sums(after)), StepFault::StepSums)
}

/// Whether a run may begin so.
pub fn judge_begin(moments: usize, revision: usize, after: &LongHead, put: &Seq<RunPiece>) -> Result<(), StepFault> {
    let _next = expect_step(after.long_revision == revision, StepFault::StepRevision)?;
    check_extent(extent_of_first(after), moments, put, after)
}

/// Whether a run may grow so.
pub fn judge_extend(moments: usize, before: &LongHead, after: &LongHead, put: &Seq<RunPiece>) -> Result<(), StepFault> {
    let same = bytes_equal(&encode_run_record(&before.long_record), &encode_run_record(&after.long_record));
    let _same = expect_step(same, StepFault::StepRecord)?;
    let _some = expect_step(put.len() >= 1, StepFault::PieceNumber)?;
    check_extent(extent_of_head(before), moments, put, after)
}

/// Whether a run may become so, in a table that is append-only or is not, by a head and the
/// segments of its revision that are put with it, in the order of their numbers.
pub fn judge_step(
    append_only: bool,
    moments: usize,
    before: &Option<LongHead>,
    after: &LongHead,
    put: &Seq<RunPiece>,
) -> Result<(), StepFault> {
    let _placed = expect_step(long_head_legal(after, moments), StepFault::PieceMisplaced)?;
    match before {
        None => judge_begin(moments, 0, after, put),
        Some(standing) => {
            if standing.long_revision == after.long_revision {
                judge_extend(moments, standing, after, put)
            } else {
                let _open = expect_step(!append_only, StepFault::StepFixed)?;
                judge_begin(moments, standing.long_revision + 1, after, put)
            }
        }
    }
}
