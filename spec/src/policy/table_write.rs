//! The shape of a transaction under the policy `tables`: what it pins, which keys it changes and in
//! which order.
//!
//! | write | operations |
//! |---|---|
//! | create | `Require`(schema, absent), `Put`(schema) |
//! | seal | `Require`(schema, s), `Put`(schema, s') |
//! | of runs | `Require`(schema, s), then steps ([`crate::policy::table_steps`]) of different runs |
//!
//! Source: docs/network.md, "Who may write".

use crate::base::bytes::*;
use crate::block::operation::*;
use crate::policy::policy_reason::*;
use crate::policy::table_steps::*;
use crate::table::schema_decoder::*;
use crate::table::table_key::*;
use crate::table::table_policy::*;
use crate::table::table_schema::*;
use hacspec_lib::*;

/// What a transaction does to runs of a table.
#[derive(Clone, Debug)]
pub struct RunsWrite {
    /// The table's name.
    pub written_table: ByteString,
    /// The schema that is pinned.
    pub written_schema: TableSchema,
    /// What happens to each run.
    pub written_steps: Seq<TableStep>,
}

/// What a transaction does to a table.
#[derive(Clone, Debug)]
pub enum TableWrite {
    /// A table begins.
    WriteCreate,
    /// Keys of the table with this schema are closed.
    WriteSeal(TableSchema),
    /// Runs change.
    WriteRuns(RunsWrite),
}

/// Whether a key is that of the schema of a table.
pub fn is_schema_key(changed: &ByteString) -> bool {
    match read_table_prefix(changed) {
        Err(_) => false,
        Ok((_, rest)) => bytes_equal(&rest, &u8_bytes(0)),
    }
}

/// One step of [`is_step_head`].
pub fn is_step_head_step(found: bool, read_step: &TableStep, head: &ByteString) -> bool {
    found || bytes_equal(&read_step.step_head, head)
}

/// Whether one of the steps is of the run with this head.
pub fn is_step_head(steps: &Seq<TableStep>, head: &ByteString) -> bool {
    let mut found = false;
    for i in 0..steps.len() {
        found = is_step_head_step(found, &steps[i], head);
    }
    found
}

/// Whether the last of the steps is complete.
pub fn last_settled(steps: &Seq<TableStep>) -> bool {
    steps.len() > 0 && step_settled(&steps[steps.len() - 1])
}

/// The reason for a key that is closed.
pub fn expect_open_run(table_schema: &TableSchema, place: &RunPlace) -> Result<(), PolicyReason> {
    match expect_open(table_schema, place) {
        Ok(_) => Ok(()),
        Err(_) => Err(PolicyReason::KeyClosed),
    }
}

/// The steps with one more, whose run begins to be looked at.
pub fn with_step(
    steps: &Seq<TableStep>,
    table_schema: &TableSchema,
    place: &RunPlace,
    head: &ByteString,
    before: &Option<ByteString>,
) -> Result<Seq<TableStep>, PolicyReason> {
    let in_turn = steps.len() == 0 || last_settled(steps);
    let _next = expect_write(in_turn && !is_step_head(steps, head))?;
    let _open = expect_open_run(table_schema, place)?;
    Ok(steps.push(&begun_step(head, place, before)))
}

/// The steps with another one in the place of the last.
pub fn with_last(steps: &Seq<TableStep>, last: &TableStep) -> Seq<TableStep> {
    if steps.len() > 0 { steps.slice(0, steps.len() - 1).push(last) } else { Seq::<TableStep>::new(0).push(last) }
}

/// The steps with a change of the last one's head.
pub fn with_head_change(steps: &Seq<TableStep>, operation: &Operation) -> Result<Seq<TableStep>, PolicyReason> {
    let _some = expect_write(steps.len() > 0)?;
    let changed = step_with_head(&steps[steps.len() - 1], operation)?;
    Ok(with_last(steps, &changed))
}

/// The steps with an operation on a head more.
pub fn with_head(
    steps: &Seq<TableStep>,
    table_schema: &TableSchema,
    place: &RunPlace,
    operation: &Operation,
) -> Result<Seq<TableStep>, PolicyReason> {
    let head = operation.operation_key.clone();
    match &operation.action {
        Action::RequireAbsent => with_step(steps, table_schema, place, &head, &None),
        Action::RequireValue(required) => with_step(steps, table_schema, place, &head, &Some(required.clone())),
        _ => with_head_change(steps, operation),
    }
}

/// The steps with an operation on a segment more.
pub fn with_segment(
    steps: &Seq<TableStep>,
    place: &SegmentPlace,
    operation: &Operation,
) -> Result<Seq<TableStep>, PolicyReason> {
    let _some = expect_write(steps.len() > 0)?;
    let changed = step_with_segment(&steps[steps.len() - 1], place, operation)?;
    Ok(with_last(steps, &changed))
}

/// The steps with one operation more.
pub fn with_operation(
    steps: &Seq<TableStep>,
    table_schema: &TableSchema,
    table: &ByteString,
    operation: &Operation,
) -> Result<Seq<TableStep>, PolicyReason> {
    match decode_table_key(table_schema, &operation.operation_key) {
        Err(_) => Err(PolicyReason::WriteMalformed),
        Ok(TableKey::SchemaKey(_)) => Err(PolicyReason::WriteMalformed),
        Ok(TableKey::HeadKey(place)) => {
            if bytes_equal(&place.place_table, table) {
                with_head(steps, table_schema, &place, operation)
            } else {
                Err(PolicyReason::WriteMalformed)
            }
        }
        Ok(TableKey::SegmentKey(place)) => with_segment(steps, &place, operation),
    }
}

/// One step of [`read_steps`].
pub fn read_steps_step(
    steps: Result<Seq<TableStep>, PolicyReason>,
    table_schema: &TableSchema,
    table: &ByteString,
    operation: &Operation,
) -> Result<Seq<TableStep>, PolicyReason> {
    match steps {
        Err(why) => Err(why),
        Ok(before) => with_operation(&before, table_schema, table, operation),
    }
}

/// The steps that the operations behind the first are.
pub fn read_steps(
    table_schema: &TableSchema,
    table: &ByteString,
    items: &Seq<Operation>,
) -> Result<Seq<TableStep>, PolicyReason> {
    let mut steps = Ok(Seq::<TableStep>::new(0));
    for j in 1..items.len() {
        steps = read_steps_step(steps, table_schema, table, &items[j]);
    }
    steps
}

/// What a change of a schema is as a write.
pub fn write_of_change(
    standing: &Option<TableSchema>,
    changed: &ByteString,
    before: &Option<ByteString>,
    written: &ByteString,
) -> Result<TableWrite, PolicyReason> {
    match judge_change(standing, changed, before, &Some(written.clone())) {
        Err(_) => Err(PolicyReason::WriteMalformed),
        Ok(TableChange::TableCreated(_)) => Ok(TableWrite::WriteCreate),
        Ok(TableChange::TableSealed(sealed)) => Ok(TableWrite::WriteSeal(sealed)),
        Ok(TableChange::RunPut(_)) => Err(PolicyReason::WriteMalformed),
        Ok(TableChange::RunDeleted(_)) => Err(PolicyReason::WriteMalformed),
    }
}

/// The schema that a pinned value is.
pub fn pinned_schema(required: &ByteString) -> Result<TableSchema, PolicyReason> {
    match decode_schema(required) {
        Err(_) => Err(PolicyReason::WriteMalformed),
        Ok(found) => Ok(found),
    }
}

/// The schema that may be pinned.
pub fn standing_schema(pinned: &Option<ByteString>) -> Result<Option<TableSchema>, PolicyReason> {
    match pinned {
        None => Ok(None),
        Some(required) => match pinned_schema(required) {
            Err(why) => Err(why),
            Ok(found) => Ok(Some(found)),
        },
    }
}

/// The write that operations are which put a schema behind its requirement.
pub fn read_schema_write(
    changed: &ByteString,
    pinned: &Option<ByteString>,
    written: &ByteString,
) -> Result<TableWrite, PolicyReason> {
    let standing = standing_schema(pinned)?;
    write_of_change(&standing, changed, pinned, written)
}

/// The content of a key that is there.
pub fn content_of(pinned: &Option<ByteString>) -> Result<ByteString, PolicyReason> {
    match pinned {
        None => Err(PolicyReason::WriteMalformed),
        Some(required) => Ok(required.clone()),
    }
}

/// The name of the table that a key is of.
pub fn table_of_key(changed: &ByteString) -> Result<ByteString, PolicyReason> {
    match read_table_prefix(changed) {
        Err(_) => Err(PolicyReason::WriteMalformed),
        Ok((table, _)) => Ok(table),
    }
}

/// The write of runs that operations are.
pub fn read_runs_write(
    changed: &ByteString,
    pinned: &Option<ByteString>,
    items: &Seq<Operation>,
) -> Result<TableWrite, PolicyReason> {
    let required = content_of(pinned)?;
    let found = pinned_schema(&required)?;
    let table = table_of_key(changed)?;
    let steps = read_steps(&found, &table, items)?;
    let _complete = expect_write(last_settled(&steps))?;
    Ok(TableWrite::WriteRuns(RunsWrite { written_table: table, written_schema: found, written_steps: steps }))
}

/// What the second of two operations on a key puts; `None` where there are not two, or it puts
/// nothing or under another key.
pub fn second_put(items: &Seq<Operation>, changed: &ByteString) -> Option<ByteString> {
    if items.len() == 2 && bytes_equal(&items[1usize].operation_key, changed) {
        match &items[1usize].action {
            Action::Put(written) => Some(written.clone()),
            _ => None,
        }
    } else {
        None
    }
}

/// The write that operations are of which the first requires this content of a schema's key.
pub fn read_pinned_write(
    changed: &ByteString,
    pinned: &Option<ByteString>,
    items: &Seq<Operation>,
) -> Result<TableWrite, PolicyReason> {
    match second_put(items, changed) {
        Some(written) => read_schema_write(changed, pinned, &written),
        None => read_runs_write(changed, pinned, items),
    }
}

/// The write that operations are of which the first is on this key.
pub fn read_first(items: &Seq<Operation>, changed: &ByteString) -> Result<TableWrite, PolicyReason> {
    if is_schema_key(changed) {
        match &items[0usize].action {
            Action::RequireAbsent => read_pinned_write(changed, &None, items),
            Action::RequireValue(required) => read_pinned_write(changed, &Some(required.clone()), items),
            _ => Err(PolicyReason::SchemaNotPinned),
        }
    } else {
        Err(PolicyReason::SchemaNotPinned)
    }
}

/// The write of a table that operations are.
pub fn read_table_write(items: &Seq<Operation>) -> Result<TableWrite, PolicyReason> {
    if items.len() > 0 { read_first(items, &items[0usize].operation_key) } else { Err(PolicyReason::SchemaNotPinned) }
}
