//! What a transaction does to a run of a table, operation by operation.
//!
//! A **step** of a run is a list of operations, in this order:
//!
//! ```text
//! Require(head, absent or h)
//! segments: nothing, or
//!     Require(the segment before the first that is put, its value)      unless that one is in the head
//!     (Require(segment, absent)  Put(segment))*                         numbers ascend by one
//! nothing, Put(head, h') or Delete(head)                                Put where segments are put
//! Delete(segment)*                                                      at least one where the head stays
//! ```
//!
//! All segments are the run's, and those that are put and the one before them have the revision of
//! h'. So a run is appended, extended, amended or deleted. No point is looked at here. Source:
//! docs/network.md, "Who may write".

use crate::base::bytes::*;
use crate::block::operation::*;
use crate::decoding::cursor::*;
use crate::policy::policy_reason::*;
use crate::table::table_key::*;
use crate::table::table_policy::*;
use hacspec_lib::*;

/// A segment that is not its run's first, with what stands there or is put.
#[derive(Clone, Debug, Default)]
pub struct SegmentEntry {
    /// Its key.
    pub segment_entry_key: ByteString,
    /// The revision of its run.
    pub segment_entry_revision: usize,
    /// Its number.
    pub segment_entry_number: usize,
    /// Its value.
    pub segment_entry_value: ByteString,
}

/// What becomes of a head.
#[derive(Clone, Debug, Default)]
pub enum HeadChange {
    /// It stays as it is.
    #[default]
    HeadKept,
    /// It is put.
    HeadPut(ByteString),
    /// It is deleted.
    HeadDeleted,
}

/// What an operation of a step stands behind.
#[derive(Clone, Debug, Default)]
pub enum StepStage {
    /// The requirement of the head.
    #[default]
    StageBegun,
    /// That of the segment before the first that is put.
    StagePinned,
    /// The requirement that the segment of this key is absent.
    StageAnnounced(ByteString),
    /// A segment that is put.
    StageGrown,
    /// The change of the head, or the deletion of a segment.
    StageSettled,
}

/// A step of a run.
#[derive(Clone, Debug, Default)]
pub struct TableStep {
    /// The key of the run's head.
    pub step_head: ByteString,
    /// Where the run stands.
    pub step_place: RunPlace,
    /// What stands under the head's key before.
    pub step_before: Option<ByteString>,
    /// The segment before the first that is put: none or one.
    pub step_pinned: Seq<SegmentEntry>,
    /// The segments that are put.
    pub step_put: Seq<SegmentEntry>,
    /// What becomes of the head.
    pub step_after: HeadChange,
    /// The keys of the segments that are deleted.
    pub step_deleted: Seq<ByteString>,
    /// How far the step is read.
    pub step_stage: StepStage,
}

/// Whether an operation's list is a write of a table as far as a condition says.
pub fn expect_write(condition: bool) -> Result<(), PolicyReason> {
    if condition { Ok(()) } else { Err(PolicyReason::WriteMalformed) }
}

/// Whether a step is complete.
pub fn step_settled(read_step: &TableStep) -> bool {
    match &read_step.step_stage {
        StepStage::StageSettled => true,
        _ => false,
    }
}

/// A step that begins.
pub fn begun_step(head: &ByteString, place: &RunPlace, before: &Option<ByteString>) -> TableStep {
    TableStep {
        step_head: head.clone(),
        step_place: place.clone(),
        step_before: before.clone(),
        step_pinned: Seq::<SegmentEntry>::new(0),
        step_put: Seq::<SegmentEntry>::new(0),
        step_after: HeadChange::HeadKept,
        step_deleted: Seq::<ByteString>::new(0),
        step_stage: StepStage::StageBegun,
    }
}

/// The revision that the bytes of a head say; `None` where they are too short.
pub fn revision_of_head(bytes: &ByteString) -> Option<usize> {
    match take_bytes(bytes, 1) {
        Err(_) => None,
        Ok((_, rest)) => match read_number(&rest, 4) {
            Err(_) => None,
            Ok((revision, _)) => Some(revision),
        },
    }
}

/// Whether the bytes of a head say this revision.
pub fn has_revision(bytes: &ByteString, revision: usize) -> bool {
    revision_stands(&revision_of_head(bytes), revision)
}

/// Whether the head that is put may stand behind the segments that are put with it.
pub fn head_of_segments(read_step: &TableStep, written: &ByteString) -> bool {
    read_step.step_put.len() == 0 || has_revision(written, read_step.step_put[0usize].segment_entry_revision)
}

/// A step whose head is put.
pub fn put_head(read_step: &TableStep, written: &ByteString) -> Result<TableStep, PolicyReason> {
    let in_turn = match &read_step.step_stage {
        StepStage::StageBegun => true,
        StepStage::StageGrown => true,
        _ => false,
    };
    let _put = expect_write(in_turn && head_of_segments(read_step, written))?;
    Ok(TableStep {
        step_after: HeadChange::HeadPut(written.clone()),
        step_stage: StepStage::StageSettled,
        step_head: read_step.step_head.clone(),
        step_place: read_step.step_place.clone(),
        step_before: read_step.step_before.clone(),
        step_pinned: read_step.step_pinned.clone(),
        step_put: read_step.step_put.clone(),
        step_deleted: read_step.step_deleted.clone(),
    })
}

/// A step whose head is deleted.
pub fn delete_head(read_step: &TableStep) -> Result<TableStep, PolicyReason> {
    match &read_step.step_stage {
        StepStage::StageBegun => Ok(TableStep {
            step_after: HeadChange::HeadDeleted,
            step_stage: StepStage::StageSettled,
            step_head: read_step.step_head.clone(),
            step_place: read_step.step_place.clone(),
            step_before: read_step.step_before.clone(),
            step_pinned: read_step.step_pinned.clone(),
            step_put: read_step.step_put.clone(),
            step_deleted: read_step.step_deleted.clone(),
        }),
        _ => Err(PolicyReason::WriteMalformed),
    }
}

/// A step with the segment before the first that is put.
pub fn pin_segment(read_step: &TableStep, pinned: &SegmentEntry) -> Result<TableStep, PolicyReason> {
    match &read_step.step_stage {
        StepStage::StageBegun => Ok(TableStep {
            step_pinned: Seq::<SegmentEntry>::new(0).push(pinned),
            step_stage: StepStage::StagePinned,
            step_head: read_step.step_head.clone(),
            step_place: read_step.step_place.clone(),
            step_before: read_step.step_before.clone(),
            step_put: read_step.step_put.clone(),
            step_after: read_step.step_after.clone(),
            step_deleted: read_step.step_deleted.clone(),
        }),
        _ => Err(PolicyReason::WriteMalformed),
    }
}

/// Whether a segment comes right behind the last one of these.
pub fn comes_behind(entries: &Seq<SegmentEntry>, place: &SegmentPlace) -> bool {
    entries.len() > 0
        && entries[entries.len() - 1].segment_entry_revision == place.segment_place_revision
        && entries[entries.len() - 1].segment_entry_number < place.segment_place_number
        && place.segment_place_number - entries[entries.len() - 1].segment_entry_number == 1
}

/// Whether a segment may be the next that is put.
pub fn may_announce(read_step: &TableStep, place: &SegmentPlace) -> bool {
    match &read_step.step_stage {
        StepStage::StageBegun => place.segment_place_number == 1,
        StepStage::StagePinned => comes_behind(&read_step.step_pinned, place),
        StepStage::StageGrown => comes_behind(&read_step.step_put, place),
        _ => false,
    }
}

/// A step that says that the segment of a key is absent.
pub fn announce_segment(
    read_step: &TableStep,
    changed: &ByteString,
    place: &SegmentPlace,
) -> Result<TableStep, PolicyReason> {
    let _next = expect_write(may_announce(read_step, place))?;
    Ok(TableStep {
        step_stage: StepStage::StageAnnounced(changed.clone()),
        step_head: read_step.step_head.clone(),
        step_place: read_step.step_place.clone(),
        step_before: read_step.step_before.clone(),
        step_pinned: read_step.step_pinned.clone(),
        step_put: read_step.step_put.clone(),
        step_after: read_step.step_after.clone(),
        step_deleted: read_step.step_deleted.clone(),
    })
}

/// Whether the segment of this key is the one that was announced.
pub fn is_announced(read_step: &TableStep, changed: &ByteString) -> bool {
    match &read_step.step_stage {
        StepStage::StageAnnounced(announced) => bytes_equal(announced, changed),
        _ => false,
    }
}

/// A step with one segment more that is put.
pub fn put_segment(read_step: &TableStep, entry: &SegmentEntry) -> Result<TableStep, PolicyReason> {
    let _announced = expect_write(is_announced(read_step, &entry.segment_entry_key))?;
    Ok(TableStep {
        step_put: read_step.step_put.push(entry),
        step_stage: StepStage::StageGrown,
        step_head: read_step.step_head.clone(),
        step_place: read_step.step_place.clone(),
        step_before: read_step.step_before.clone(),
        step_pinned: read_step.step_pinned.clone(),
        step_after: read_step.step_after.clone(),
        step_deleted: read_step.step_deleted.clone(),
    })
}

/// A step with one segment more that is deleted.
pub fn delete_segment(read_step: &TableStep, changed: &ByteString) -> Result<TableStep, PolicyReason> {
    let in_turn = match &read_step.step_stage {
        StepStage::StageBegun => true,
        StepStage::StageSettled => true,
        _ => false,
    };
    let _delete = expect_write(in_turn)?;
    Ok(TableStep {
        step_deleted: read_step.step_deleted.push(changed),
        step_stage: StepStage::StageSettled,
        step_head: read_step.step_head.clone(),
        step_place: read_step.step_place.clone(),
        step_before: read_step.step_before.clone(),
        step_pinned: read_step.step_pinned.clone(),
        step_put: read_step.step_put.clone(),
        step_after: read_step.step_after.clone(),
    })
}

/// A segment's place with a value.
pub fn segment_entry(changed: &ByteString, place: &SegmentPlace, written: &ByteString) -> SegmentEntry {
    SegmentEntry {
        segment_entry_key: changed.clone(),
        segment_entry_revision: place.segment_place_revision,
        segment_entry_number: place.segment_place_number,
        segment_entry_value: written.clone(),
    }
}

/// A step with an operation on a segment more.
pub fn step_with_segment(
    read_step: &TableStep,
    place: &SegmentPlace,
    operation: &Operation,
) -> Result<TableStep, PolicyReason> {
    let head = encode_table_key(&TableKey::HeadKey(place.segment_place_run.clone()));
    let _same = expect_write(bytes_equal(&read_step.step_head, &head))?;
    let changed = operation.operation_key.clone();
    match &operation.action {
        Action::RequireAbsent => announce_segment(read_step, &changed, place),
        Action::RequireValue(required) => pin_segment(read_step, &segment_entry(&changed, place, required)),
        Action::Put(written) => put_segment(read_step, &segment_entry(&changed, place, written)),
        Action::Delete => delete_segment(read_step, &changed),
        _ => Err(PolicyReason::WriteMalformed),
    }
}

/// A step with a change of its head.
pub fn step_with_head(read_step: &TableStep, operation: &Operation) -> Result<TableStep, PolicyReason> {
    let _same = expect_write(bytes_equal(&read_step.step_head, &operation.operation_key))?;
    match &operation.action {
        Action::Put(written) => put_head(read_step, written),
        Action::Delete => delete_head(read_step),
        _ => Err(PolicyReason::WriteMalformed),
    }
}

/// Whether a run grows: its head is put and has the revision of the one before.
pub fn step_grows(read_step: &TableStep) -> bool {
    match &read_step.step_before {
        None => false,
        Some(standing) => match &read_step.step_after {
            HeadChange::HeadPut(written) => match revision_of_head(standing) {
                None => false,
                Some(revision) => has_revision(written, revision),
            },
            _ => false,
        },
    }
}

/// Whether the run's first segment is put.
pub fn step_begins(read_step: &TableStep) -> bool {
    match &read_step.step_after {
        HeadChange::HeadPut(_) => !step_grows(read_step),
        _ => false,
    }
}
