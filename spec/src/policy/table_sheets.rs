//! What the steps of a write do to runs, and which segments its certificates have to cover: what of
//! the policy `tables` needs points.
//!
//! Which bytes are a point of the group, and which one, is for the curve to say: a list of points
//! has the encodings that are some. Source: docs/network.md, "Who may write".

use crate::base::bytes::*;
use crate::decoding::cursor::*;
use crate::policy::policy_reason::*;
use crate::policy::table_steps::*;
use crate::table::run_record::*;
use crate::table::run_segments::*;
use crate::table::sheet::*;
use crate::table::table_policy::*;
use crate::table::totals::*;
use hacspec_lib::*;

/// A segment that is put, and what it continues.
#[derive(Clone, Debug, Default)]
pub struct PlacedSegment {
    /// The segment.
    pub placed_item: SheetItem,
    /// The record of the segment before it, where it continues a run.
    pub placed_link: Option<RunRecord>,
}

/// One step of [`point_of_bytes`].
pub fn point_of_bytes_step(
    found: Option<TablePoint>,
    points: &Seq<TablePoint>,
    written: &ByteString,
    i: usize,
) -> Option<TablePoint> {
    match found {
        Some(point) => Some(point),
        None => {
            if bytes_equal(&points[i].held_bytes, written) {
                Some(points[i].clone())
            } else {
                None
            }
        }
    }
}

/// The point that bytes are the encoding of.
pub fn point_of_bytes(points: &Seq<TablePoint>, written: &ByteString) -> Option<TablePoint> {
    let mut found = None;
    for i in 0..points.len() {
        found = point_of_bytes_step(found, points, written, i);
    }
    found
}

/// What [`take_bytes`] gives, the reason of its failure as one of the policy.
pub fn take_of_record(bytes: &ByteString, count: usize) -> Result<(ByteString, ByteString), PolicyReason> {
    match take_bytes(bytes, count) {
        Ok(taken) => Ok(taken),
        Err(_) => Err(PolicyReason::RecordRefused),
    }
}

/// What [`read_number`] gives, the reason of its failure as one of the policy.
pub fn number_of_record(bytes: &ByteString, width: usize) -> Result<(usize, ByteString), PolicyReason> {
    match read_number(bytes, width) {
        Ok(taken) => Ok(taken),
        Err(_) => Err(PolicyReason::RecordRefused),
    }
}

/// Whether a record is one as far as a condition says.
pub fn expect_record(condition: bool) -> Result<(), PolicyReason> {
    if condition { Ok(()) } else { Err(PolicyReason::RecordRefused) }
}

/// The next point, and the bytes behind it.
pub fn read_table_point(
    points: &Seq<TablePoint>,
    bytes: &ByteString,
) -> Result<(TablePoint, ByteString), PolicyReason> {
    let (written, rest) = take_of_record(bytes, TABLE_POINT_BYTES)?;
    match point_of_bytes(points, &written) {
        None => Err(PolicyReason::RecordRefused),
        Some(point) => Ok((point, rest)),
    }
}

/// One step of [`read_table_points`].
pub fn read_table_points_step(
    read: Result<(Seq<TablePoint>, ByteString), PolicyReason>,
    points: &Seq<TablePoint>,
) -> Result<(Seq<TablePoint>, ByteString), PolicyReason> {
    let (before, bytes) = read?;
    let (point, rest) = read_table_point(points, &bytes)?;
    Ok((before.push_owned(point), rest))
}

/// The next points, so many, and the bytes behind them.
pub fn read_table_points(
    points: &Seq<TablePoint>,
    bytes: &ByteString,
    count: usize,
) -> Result<(Seq<TablePoint>, ByteString), PolicyReason> {
    let mut read = Ok((Seq::<TablePoint>::new(0), bytes.clone()));
    for _i in 0..count {
        read = read_table_points_step(read, points);
    }
    read
}

/// The next record of a table with so many moments, and the bytes behind it.
pub fn read_run_record(
    points: &Seq<TablePoint>,
    bytes: &ByteString,
    moments: usize,
) -> Result<(RunRecord, ByteString), PolicyReason> {
    let (log, after_log) = number_of_record(bytes, 1)?;
    let (first, after_first) = number_of_record(&after_log, 2)?;
    let (rows, after_rows) = number_of_record(&after_first, 2)?;
    let (values, after_values) = read_table_point(points, &after_rows)?;
    let (root, after_root) = take_of_record(&after_values, TEXT_ROOT_BYTES)?;
    let (sums, rest) = read_table_points(points, &after_root, moments)?;
    Ok((
        RunRecord {
            record_log: log,
            record_first: first,
            record_rows: rows,
            record_values: values,
            record_root: root,
            record_sums: sums,
        },
        rest,
    ))
}

/// Whether a head says as many rows as its record has, where that is of the only segment, and more
/// where it is not.
pub fn head_rows_fit(segments: usize, total: usize, rows: usize) -> bool {
    if segments == 1 { total == rows } else { segments >= 2 && total > rows && total < MAX_BOX_ROWS }
}

/// The head that bytes are, in a table of so many moments.
pub fn decode_long_head(
    points: &Seq<TablePoint>,
    bytes: &ByteString,
    moments: usize,
) -> Result<LongHead, PolicyReason> {
    let (format, after_format) = number_of_record(bytes, 1)?;
    let _known = expect_record(format == 1)?;
    let (revision, after_revision) = number_of_record(&after_format, 4)?;
    let (segments, after_segments) = number_of_record(&after_revision, 4)?;
    let (total, after_total) = number_of_record(&after_segments, 8)?;
    let (first_record, after_record) = read_run_record(points, &after_total, moments)?;
    let _fits = expect_record(head_rows_fit(segments, total, first_record.record_rows))?;
    let (totals, rest) = read_table_points(points, &after_record, if segments == 1 { 0 } else { moments })?;
    let _end = expect_record(rest.len() == 0)?;
    Ok(LongHead {
        long_revision: revision,
        long_segments: segments,
        long_rows: total,
        long_record: first_record,
        long_totals: totals,
    })
}

/// The segment that bytes are which stands at a place, in a table of so many moments.
pub fn decode_run_piece(
    points: &Seq<TablePoint>,
    entry: &SegmentEntry,
    moments: usize,
) -> Result<RunPiece, PolicyReason> {
    let (format, after_format) = number_of_record(&entry.segment_entry_value, 1)?;
    let _known = expect_record(format == 2)?;
    let (rank, after_rank) = number_of_record(&after_format, 8)?;
    let (read, rest) = read_run_record(points, &after_rank, moments)?;
    let _end = expect_record(rest.len() == 0)?;
    Ok(RunPiece { piece_number: entry.segment_entry_number, piece_rank: rank, piece_record: read })
}

/// One step of [`decode_run_pieces`].
pub fn decode_run_pieces_step(
    read: Result<Seq<RunPiece>, PolicyReason>,
    points: &Seq<TablePoint>,
    entry: &SegmentEntry,
    moments: usize,
) -> Result<Seq<RunPiece>, PolicyReason> {
    let before = read?;
    let piece = decode_run_piece(points, entry, moments)?;
    Ok(before.push_owned(piece))
}

/// The segments that entries are.
pub fn decode_run_pieces(
    points: &Seq<TablePoint>,
    entries: &Seq<SegmentEntry>,
    moments: usize,
) -> Result<Seq<RunPiece>, PolicyReason> {
    let mut read = Ok(Seq::<RunPiece>::new(0));
    for i in 0..entries.len() {
        read = decode_run_pieces_step(read, points, &entries[i], moments);
    }
    read
}

/// The head that stands, if one does.
pub fn decode_standing(
    points: &Seq<TablePoint>,
    content: &Option<ByteString>,
    moments: usize,
) -> Result<Option<LongHead>, PolicyReason> {
    match content {
        None => Ok(None),
        Some(present) => match decode_long_head(points, present, moments) {
            Err(why) => Err(why),
            Ok(head) => Ok(Some(head)),
        },
    }
}

/// The policy's reason for a step that is not legal.
pub fn reason_of_step(fault: StepFault) -> PolicyReason {
    match fault {
        StepFault::StepFixed => PolicyReason::RunImmutable,
        _ => PolicyReason::RecordRefused,
    }
}

/// The policy's reason for a change that is not legal.
pub fn reason_of_change(fault: TableFault) -> PolicyReason {
    match fault {
        TableFault::RunFixed => PolicyReason::RunImmutable,
        TableFault::ColumnsClosed => PolicyReason::KeyClosed,
        _ => PolicyReason::RecordRefused,
    }
}

/// A segment of a step as a certificate names it.
pub fn placed_segment(
    read_step: &TableStep,
    revision: usize,
    number: usize,
    put_record: &RunRecord,
    link: &Option<RunRecord>,
) -> PlacedSegment {
    PlacedSegment {
        placed_item: SheetItem {
            item_columns: read_step.step_place.place_columns.clone(),
            item_run: read_step.step_place.place_run,
            item_revision: revision,
            item_segment: number,
            item_record: put_record.clone(),
        },
        placed_link: link.clone(),
    }
}

/// The record that a segment of a step continues: that of the one before it.
pub fn link_of_piece(before: &RunRecord, pieces: &Seq<RunPiece>, i: usize) -> RunRecord {
    if i == 0 { before.clone() } else { pieces[i - 1].piece_record.clone() }
}

/// One step of [`placed_pieces`].
pub fn placed_pieces_step(
    placed: Seq<PlacedSegment>,
    read_step: &TableStep,
    revision: usize,
    before: &RunRecord,
    pieces: &Seq<RunPiece>,
    i: usize,
) -> Seq<PlacedSegment> {
    let link = Some(link_of_piece(before, pieces, i));
    placed.push_owned(placed_segment(read_step, revision, pieces[i].piece_number, &pieces[i].piece_record, &link))
}

/// Segments, and the further ones that a step puts, behind one with the record `before`.
pub fn placed_pieces(
    earlier: Seq<PlacedSegment>,
    read_step: &TableStep,
    revision: usize,
    before: &RunRecord,
    pieces: &Seq<RunPiece>,
) -> Seq<PlacedSegment> {
    let mut placed = earlier;
    for i in 0..pieces.len() {
        placed = placed_pieces_step(placed, read_step, revision, before, pieces, i);
    }
    placed
}

/// The record that the first segment of a step continues: the one that is pinned, or that of the
/// head.
pub fn continued_record(
    points: &Seq<TablePoint>,
    read_step: &TableStep,
    head: &LongHead,
    moments: usize,
) -> Result<RunRecord, PolicyReason> {
    if read_step.step_pinned.len() == 0 {
        Ok(head.long_record.clone())
    } else {
        match decode_run_piece(points, &read_step.step_pinned[0usize], moments) {
            Err(why) => Err(why),
            Ok(piece) => Ok(piece.piece_record),
        }
    }
}

/// The segments with those that a step puts whose head is this.
pub fn placed_by_step(
    earlier: Seq<PlacedSegment>,
    points: &Seq<TablePoint>,
    read_step: &TableStep,
    head: &LongHead,
    pieces: &Seq<RunPiece>,
    moments: usize,
) -> Result<Seq<PlacedSegment>, PolicyReason> {
    let before = continued_record(points, read_step, head, moments)?;
    let grown = placed_pieces(earlier, read_step, head.long_revision, &before, pieces);
    if step_begins(read_step) {
        Ok(grown.push_owned(placed_segment(read_step, head.long_revision, 0, &head.long_record, &None)))
    } else {
        Ok(grown)
    }
}
