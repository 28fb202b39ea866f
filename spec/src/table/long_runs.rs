//! The runs of a box where they may have several segments, with the segments that an answer shows.
//!
//! A head shows the rows and the totals of its whole run. Of the order of its rows, or of a row, an
//! answer shows as many of its segments as it needs, as claims behind those of the scan. The first
//! segment is in the head; it and the shown ones are the run's **pieces**. A cut states a split for
//! each piece, in the order of the runs, and ends by the places of pieces.
//!
//! Rows that lie between two neighbouring pieces, or behind the last, are not shown. They are
//! before the cut where the piece behind them has a row before it, since that row is at least as
//! large as they are; behind the cut where the piece in front of them has a row behind it; else the
//! cut is refused. So the rank that is asked for, less the rows that are not shown and are before
//! the cut, is that of the cut of the pieces ([`crate::table::cut`]).
//!
//! Source: docs/tables.md, "Runs of several segments".

use crate::base::bytes::*;
use crate::dictionary::key_map::*;
use crate::dictionary::slot::*;
use crate::table::run_record::*;
use crate::table::run_segments::*;
use crate::table::table_answer::*;
use crate::table::table_key::*;
use crate::table::table_schema::*;
use crate::table::totals::*;
use hacspec_lib::*;

/// A run of a box, with the pieces that an answer shows of it.
#[derive(Clone, Debug, Default)]
pub struct LongRun {
    /// Where it stands.
    pub long_place: RunPlace,
    /// Its head.
    pub long_head: LongHead,
    /// Its pieces, ascending: the first segment, and those that are shown.
    pub long_pieces: Seq<RunPiece>,
}

/// Rows that are not shown, while pieces are gone through.
#[derive(Clone, Debug, Default)]
pub struct HiddenRows {
    /// The place of the next piece among those of all runs.
    pub hidden_place: usize,
    /// How many of them are before the cut.
    pub hidden_before: usize,
    /// Whether each of them is on a side of the cut.
    pub hidden_settled: bool,
}

/// The first segment of a run.
pub fn first_piece(head: &LongHead) -> RunPiece {
    RunPiece { piece_number: 0, piece_rank: 0, piece_record: head.long_record.clone() }
}

/// Whether a piece may be that with its number in a run with this head, behind another one.
pub fn piece_follows(head: &LongHead, moments: usize, last: &RunPiece, piece: &RunPiece) -> bool {
    if run_record_legal(&piece.piece_record, moments)
        && piece.piece_number > last.piece_number
        && piece.piece_number < head.long_segments
        && piece.piece_rank < MAX_BOX_ROWS
    {
        let before = last.piece_rank + last.piece_record.record_rows;
        let skipped = piece.piece_number - last.piece_number - 1;
        let left = head.long_segments - piece.piece_number - 1;
        let behind = piece.piece_rank + piece.piece_record.record_rows;
        // Segments have a row at least.
        let begins = if skipped == 0 { piece.piece_rank == before } else { piece.piece_rank >= before + skipped };
        begins && (if left == 0 { behind == head.long_rows } else { behind + left <= head.long_rows })
    } else {
        false
    }
}

/// The run of an entry, if its key is a head's, and its value the encoding of a legal head.
pub fn long_run_of_entry(schema: &TableSchema, moments: usize, entry: &KeyEntry, head: &LongHead) -> Option<LongRun> {
    match decode_table_key(schema, &entry.entry_key) {
        Err(_) => None,
        Ok(found) => match found {
            TableKey::SchemaKey(_) => None,
            TableKey::SegmentKey(_) => None,
            TableKey::HeadKey(place) => {
                if long_head_legal(head, moments) && bytes_equal(&encode_long_head(head), &entry.entry_value) {
                    Some(LongRun {
                        long_place: place,
                        long_head: head.clone(),
                        long_pieces: Seq::<RunPiece>::new(0).push_owned(first_piece(head)),
                    })
                } else {
                    None
                }
            }
        },
    }
}

/// One step of [`long_runs_of_entries`].
pub fn long_runs_of_entries_step(
    runs: Result<Seq<LongRun>, TableRefusal>,
    schema: &TableSchema,
    moments: usize,
    entry: &KeyEntry,
    heads: &Seq<LongHead>,
    i: usize,
) -> Result<Seq<LongRun>, TableRefusal> {
    match runs {
        Err(refusal) => Err(refusal),
        Ok(before) => {
            if i < heads.len() {
                match long_run_of_entry(schema, moments, entry, &heads[i]) {
                    None => Err(refuse_table_item(TableReason::RunMalformed, i)),
                    Some(run) => Ok(before.push_owned(run)),
                }
            } else {
                Err(refuse_table_item(TableReason::RunMalformed, i))
            }
        }
    }
}

/// The runs of entries, with the heads that their values decode to.
pub fn long_runs_of_entries(
    schema: &TableSchema,
    moments: usize,
    entries: &KeyMap,
    heads: &Seq<LongHead>,
) -> Result<Seq<LongRun>, TableRefusal> {
    let mut runs = Ok(Seq::<LongRun>::new(0));
    for i in 0..entries.len() {
        runs = long_runs_of_entries_step(runs, schema, moments, &entries[i], heads, i);
    }
    runs
}

/// Whether a segment's place is in a run.
pub fn segment_is_of(run: &LongRun, place: &SegmentPlace) -> bool {
    bytes_equal(
        &encode_table_key(&TableKey::HeadKey(run.long_place.clone())),
        &encode_table_key(&TableKey::HeadKey(place.segment_place_run.clone())),
    ) && run.long_head.long_revision == place.segment_place_revision
}

/// A run with one more piece, if it is one of the run.
pub fn run_with_piece(run: &LongRun, moments: usize, piece: &RunPiece) -> Option<LongRun> {
    let pieces = &run.long_pieces;
    if pieces.len() > 0 {
        if piece_follows(&run.long_head, moments, &pieces[pieces.len() - 1], piece) {
            Some(LongRun {
                long_place: run.long_place.clone(),
                long_head: run.long_head.clone(),
                long_pieces: pieces.clone().push_owned(piece.clone()),
            })
        } else {
            None
        }
    } else {
        None
    }
}

/// Runs while one of them gets a piece.
#[derive(Clone, Debug, Default)]
pub struct RunsGrown {
    /// The runs.
    pub grown_runs: Seq<LongRun>,
    /// Whether one got the piece.
    pub grown_found: bool,
}

/// One step of [`runs_with_piece`].
pub fn runs_with_piece_step(
    grown: RunsGrown,
    run: &LongRun,
    moments: usize,
    place: &SegmentPlace,
    piece: &RunPiece,
) -> RunsGrown {
    if segment_is_of(run, place) {
        match run_with_piece(run, moments, piece) {
            None => RunsGrown { grown_runs: grown.grown_runs.push_owned(run.clone()), grown_found: grown.grown_found },
            Some(longer) => RunsGrown { grown_runs: grown.grown_runs.push_owned(longer), grown_found: true },
        }
    } else {
        RunsGrown { grown_runs: grown.grown_runs.push_owned(run.clone()), grown_found: grown.grown_found }
    }
}

/// Runs, of which one gets a piece; `None` where none takes it.
pub fn runs_with_piece(
    runs: &Seq<LongRun>,
    moments: usize,
    place: &SegmentPlace,
    piece: &RunPiece,
) -> Option<Seq<LongRun>> {
    let mut grown = RunsGrown { grown_runs: Seq::<LongRun>::new(0), grown_found: false };
    for k in 0..runs.len() {
        grown = runs_with_piece_step(grown, &runs[k], moments, place, piece);
    }
    if grown.grown_found { Some(grown.grown_runs) } else { None }
}

/// Runs with the segment that a slot shows; `None` where it is none of theirs.
pub fn runs_with_segment(
    runs: &Seq<LongRun>,
    schema: &TableSchema,
    moments: usize,
    slot: &Slot,
    piece: &RunPiece,
) -> Option<Seq<LongRun>> {
    match decode_table_key(schema, &slot.key) {
        Err(_) => None,
        Ok(found) => match found {
            TableKey::SchemaKey(_) => None,
            TableKey::HeadKey(_) => None,
            TableKey::SegmentKey(place) => {
                if bytes_equal(&encode_run_piece(piece), &slot.value)
                    && piece.piece_number == place.segment_place_number
                {
                    runs_with_piece(runs, moments, &place, piece)
                } else {
                    None
                }
            }
        },
    }
}

/// One step of [`runs_with_segments`].
pub fn runs_with_segments_step(
    found: Result<Seq<LongRun>, TableRefusal>,
    schema: &TableSchema,
    moments: usize,
    slots: &Seq<Slot>,
    piece: &RunPiece,
    i: usize,
) -> Result<Seq<LongRun>, TableRefusal> {
    match found {
        Err(refusal) => Err(refusal),
        Ok(runs) => {
            if i < slots.len() {
                match runs_with_segment(&runs, schema, moments, &slots[i], piece) {
                    None => Err(refuse_table_item(TableReason::RunMalformed, runs.len() + i)),
                    Some(longer) => Ok(longer),
                }
            } else {
                Err(refuse_table_item(TableReason::RunMalformed, runs.len() + i))
            }
        }
    }
}

/// Runs with the segments that slots show, whose values decode to pieces.
pub fn runs_with_segments(
    runs: Seq<LongRun>,
    schema: &TableSchema,
    moments: usize,
    slots: &Seq<Slot>,
    shown: &Seq<RunPiece>,
) -> Result<Seq<LongRun>, TableRefusal> {
    let mut found = Ok(runs);
    for i in 0..shown.len() {
        found = runs_with_segments_step(found, schema, moments, slots, &shown[i], i);
    }
    found
}

/// One step of [`rows_of_long_runs`].
pub fn rows_of_long_runs_step(total: usize, run: &LongRun) -> usize {
    total + run.long_head.long_rows
}

/// How many rows legal runs have, of at most [`MAX_ANSWER_RUNS`].
pub fn rows_of_long_runs(runs: &Seq<LongRun>) -> usize {
    let mut total = 0;
    for k in 0..runs.len() {
        total = rows_of_long_runs_step(total, &runs[k]);
    }
    total
}

/// A run as one of one segment, which has the rows and the sums of the whole run: for its totals.
pub fn whole_run(run: &LongRun) -> BoxRun {
    let first = run.long_head.long_record.clone();
    BoxRun {
        run_place: run.long_place.clone(),
        run_head: RunHead {
            head_revision: run.long_head.long_revision,
            head_record: RunRecord {
                record_log: first.record_log,
                record_first: first.record_first,
                record_rows: run.long_head.long_rows,
                record_values: first.record_values,
                record_root: first.record_root,
                record_sums: long_sums(&run.long_head),
            },
        },
    }
}

/// One step of [`whole_runs`].
pub fn whole_runs_step(whole: Seq<BoxRun>, run: &LongRun) -> Seq<BoxRun> {
    whole.push_owned(whole_run(run))
}

/// [`whole_run`] of each run.
pub fn whole_runs(runs: &Seq<LongRun>) -> Seq<BoxRun> {
    let mut whole = Seq::<BoxRun>::new(0);
    for k in 0..runs.len() {
        whole = whole_runs_step(whole, &runs[k]);
    }
    whole
}

/// One step of [`records_of_pieces`].
pub fn records_of_pieces_step(records: Seq<RunRecord>, piece: &RunPiece) -> Seq<RunRecord> {
    records.push_owned(piece.piece_record.clone())
}

/// Records, and those of one more run's pieces.
pub fn records_of_pieces(before: Seq<RunRecord>, run: &LongRun) -> Seq<RunRecord> {
    let mut records = before;
    for i in 0..run.long_pieces.len() {
        records = records_of_pieces_step(records, &run.long_pieces[i]);
    }
    records
}

/// One step of [`records_of_long_runs`].
pub fn records_of_long_runs_step(records: Seq<RunRecord>, run: &LongRun) -> Seq<RunRecord> {
    records_of_pieces(records, run)
}

/// The records of all pieces, run by run.
pub fn records_of_long_runs(runs: &Seq<LongRun>) -> Seq<RunRecord> {
    let mut records = Seq::<RunRecord>::new(0);
    for k in 0..runs.len() {
        records = records_of_long_runs_step(records, &runs[k]);
    }
    records
}

/// How many rows lie behind a piece and before the following one, or the run's end.
pub fn rows_hidden_behind(run: &LongRun, i: usize) -> usize {
    let behind = run.long_pieces[i].piece_rank + run.long_pieces[i].piece_record.record_rows;
    let following =
        if i + 1 < run.long_pieces.len() { run.long_pieces[i + 1].piece_rank } else { run.long_head.long_rows };
    if following >= behind { following - behind } else { 0 }
}

/// One step of [`hidden_of_run`].
pub fn hidden_of_run_step(found: HiddenRows, run: &LongRun, splits: &Seq<usize>, i: usize) -> HiddenRows {
    let hidden = rows_hidden_behind(run, i);
    let place = found.hidden_place;
    let next_before =
        if i + 1 < run.long_pieces.len() && place + 1 < splits.len() { splits[place + 1] >= 1 } else { false };
    let own_behind =
        if place < splits.len() { splits[place] < run.long_pieces[i].piece_record.record_rows } else { false };
    HiddenRows {
        hidden_place: place + 1,
        hidden_before: if next_before { found.hidden_before + hidden } else { found.hidden_before },
        hidden_settled: found.hidden_settled && (hidden == 0 || next_before || own_behind),
    }
}

/// What is found, and the rows of one more run that are not shown.
pub fn hidden_of_run(before: HiddenRows, run: &LongRun, splits: &Seq<usize>) -> HiddenRows {
    let mut found = before;
    for i in 0..run.long_pieces.len() {
        found = hidden_of_run_step(found, run, splits, i);
    }
    found
}

/// One step of [`hidden_rows`].
pub fn hidden_rows_step(found: HiddenRows, run: &LongRun, splits: &Seq<usize>) -> HiddenRows {
    hidden_of_run(found, run, splits)
}

/// The rows that are not shown, on the sides of a cut with a split for each piece.
pub fn hidden_rows(runs: &Seq<LongRun>, splits: &Seq<usize>) -> HiddenRows {
    let mut found = HiddenRows { hidden_place: 0, hidden_before: 0, hidden_settled: true };
    for k in 0..runs.len() {
        found = hidden_rows_step(found, &runs[k], splits);
    }
    found
}
