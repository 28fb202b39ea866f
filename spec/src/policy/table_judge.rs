//! Whether each step of a write is legal, and what it puts.
//!
//! Steps of embedded archives are judged by the same functions, [`judge_step`], [`judge_delete`]
//! and [`judge_segment_delete`]. Source: docs/network.md, "Who may write".

use crate::base::bytes::*;
use crate::policy::policy_reason::*;
use crate::policy::table_sheets::*;
use crate::policy::table_steps::*;
use crate::policy::table_write::*;
use crate::table::run_record::*;
use crate::table::run_segments::*;
use crate::table::table_policy::*;
use crate::table::table_schema::*;
use hacspec_lib::*;

/// What a step of a run puts, once it is judged; and the revision of the head behind it.
#[derive(Clone, Debug, Default)]
pub struct JudgedStep {
    /// The segments so far.
    pub judged_placed: Seq<PlacedSegment>,
    /// The revision of the run's head, if there is one.
    pub judged_revision: Option<usize>,
}

/// Whether a run may become so by a step that puts its head.
pub fn judge_put_step(
    earlier: Seq<PlacedSegment>,
    table_schema: &TableSchema,
    points: &Seq<TablePoint>,
    read_step: &TableStep,
    written: &ByteString,
) -> Result<JudgedStep, PolicyReason> {
    let moments = column_moments(table_schema, read_step.step_place.place_column);
    let after = decode_long_head(points, written, moments)?;
    let before = decode_standing(points, &read_step.step_before, moments)?;
    let pieces = decode_run_pieces(points, &read_step.step_put, moments)?;
    match judge_step(table_schema.schema_flags == 1, moments, &before, &after, &pieces) {
        Err(fault) => Err(reason_of_step(fault)),
        Ok(_) => match placed_by_step(earlier, points, read_step, &after, &pieces, moments) {
            Err(why) => Err(why),
            Ok(placed) => Ok(JudgedStep { judged_placed: placed, judged_revision: Some(after.long_revision) }),
        },
    }
}

/// Whether a run may be deleted by a step.
pub fn judge_delete_step(
    earlier: Seq<PlacedSegment>,
    table_schema: &TableSchema,
    read_step: &TableStep,
) -> Result<JudgedStep, PolicyReason> {
    match judge_delete(table_schema, &read_step.step_place, &read_step.step_before) {
        Err(fault) => Err(reason_of_change(fault)),
        Ok(_) => Ok(JudgedStep { judged_placed: earlier, judged_revision: None }),
    }
}

/// What a step says of a head that it leaves as it is.
pub fn judge_kept_step(
    earlier: Seq<PlacedSegment>,
    table_schema: &TableSchema,
    points: &Seq<TablePoint>,
    read_step: &TableStep,
) -> Result<JudgedStep, PolicyReason> {
    let moments = column_moments(table_schema, read_step.step_place.place_column);
    match decode_standing(points, &read_step.step_before, moments) {
        Err(why) => Err(why),
        Ok(None) => Ok(JudgedStep { judged_placed: earlier, judged_revision: None }),
        Ok(Some(head)) => Ok(JudgedStep { judged_placed: earlier, judged_revision: Some(head.long_revision) }),
    }
}

/// Whether a step may change the head so.
pub fn judge_head_step(
    earlier: Seq<PlacedSegment>,
    table_schema: &TableSchema,
    points: &Seq<TablePoint>,
    read_step: &TableStep,
) -> Result<JudgedStep, PolicyReason> {
    match &read_step.step_after {
        HeadChange::HeadKept => judge_kept_step(earlier, table_schema, points, read_step),
        HeadChange::HeadDeleted => judge_delete_step(earlier, table_schema, read_step),
        HeadChange::HeadPut(written) => judge_put_step(earlier, table_schema, points, read_step, written),
    }
}

/// One step of [`judge_deleted`].
pub fn judge_deleted_step(
    judged: Result<(), PolicyReason>,
    table_schema: &TableSchema,
    changed: &ByteString,
    standing: &Option<usize>,
) -> Result<(), PolicyReason> {
    match judged {
        Err(why) => Err(why),
        Ok(_) => match judge_segment_delete(table_schema, changed, standing) {
            Err(fault) => Err(reason_of_change(fault)),
            Ok(_) => Ok(()),
        },
    }
}

/// Whether all segments may be deleted that a step deletes.
pub fn judge_deleted(
    table_schema: &TableSchema,
    read_step: &TableStep,
    standing: &Option<usize>,
) -> Result<(), PolicyReason> {
    let mut judged = Ok(());
    for i in 0..read_step.step_deleted.len() {
        judged = judge_deleted_step(judged, table_schema, &read_step.step_deleted[i], standing);
    }
    judged
}

/// One step of [`judge_runs`].
pub fn judge_runs_step(
    placed: Result<Seq<PlacedSegment>, PolicyReason>,
    table_schema: &TableSchema,
    points: &Seq<TablePoint>,
    read_step: &TableStep,
) -> Result<Seq<PlacedSegment>, PolicyReason> {
    let earlier = placed?;
    let judged = judge_head_step(earlier, table_schema, points, read_step)?;
    let _deleted = judge_deleted(table_schema, read_step, &judged.judged_revision)?;
    Ok(judged.judged_placed)
}

/// What the steps of a write put, once each is judged: the segments that certificates have to
/// cover, in their order.
pub fn judge_runs(runs: &RunsWrite, points: &Seq<TablePoint>) -> Result<Seq<PlacedSegment>, PolicyReason> {
    let mut placed = Ok(Seq::<PlacedSegment>::new(0));
    for i in 0..runs.written_steps.len() {
        placed = judge_runs_step(placed, &runs.written_schema, points, &runs.written_steps[i]);
    }
    placed
}
