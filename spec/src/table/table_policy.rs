//! Which changes of a table's keys are legal. An embedded archive asks before it writes, an audit
//! asks of what was written.
//!
//! | change | what stands before | what it asks |
//! |---|---|---|
//! | create | no schema | a legal schema, empty watermark |
//! | seal | a schema | the same but for the watermark, which grows |
//! | append | no head | revision 0, one segment |
//! | amend | a head | not append-only; the next revision, one segment |
//! | delete | a head | deletable |
//! | delete of a segment | no head, or one of another revision | deletable |
//!
//! Nothing is written or deleted below the watermark. That each record has a certificate is looked
//! at apart, and so is which bytes are a point. Source: docs/tables.md, "Keeping a table".

use crate::base::bytes::*;
use crate::decoding::cursor::*;
use crate::decoding::decode_reason::*;
use crate::table::domain_values::*;
use crate::table::schema_decoder::*;
use crate::table::sheet::*;
use crate::table::table_key::*;
use crate::table::table_schema::*;
use hacspec_lib::*;

/// The bytes of a root over texts.
pub const TEXT_ROOT_BYTES: usize = 32;
/// The bytes of a commitment.
pub const TABLE_POINT_BYTES: usize = 48;

/// What a head says but for its commitments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeadNumbers {
    /// How often the run was replaced.
    pub numbers_revision: usize,
    /// The logarithm of the domain's size.
    pub numbers_log: usize,
    /// The position of the first row.
    pub numbers_first: usize,
    /// The number of rows.
    pub numbers_rows: usize,
}

/// What a legal change of a key amounts to.
#[derive(Clone, Debug)]
pub enum TableChange {
    /// A table begins.
    TableCreated(TableSchema),
    /// Keys below a watermark are closed.
    TableSealed(TableSchema),
    /// A run is put.
    RunPut(RunPlace),
    /// A run is deleted.
    RunDeleted(RunPlace),
}

/// Why a change of a table's key is not legal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TableFault {
    /// The key is none of the table's.
    ChangedKey(TableKeyReason),
    /// The value is no schema.
    ChangedSchema(SchemaReason),
    /// The value is no head of a run of one segment.
    ChangedHead,
    /// A table that begins has closed keys already.
    WatermarkEarly,
    /// There is no table of this name.
    TableUnknown,
    /// The schema would change in more than a watermark that grows, or go.
    SchemaFixed,
    /// The key is below the watermark.
    ColumnsClosed,
    /// The table does not allow that its runs are replaced, or deleted.
    RunFixed,
    /// The record has no place on a domain.
    RecordMisplaced,
    /// The revision is not the next one.
    RevisionMismatched,
    /// The key is that of a segment behind the first.
    SegmentUnread,
    /// What is deleted is not there.
    RunAbsent,
}

/// What the bytes of a head say, in a table of so many moments, but for its commitments.
pub fn read_head_numbers(bytes: &ByteString, moments: usize) -> Result<HeadNumbers, DecodeReason> {
    let after_format = expect_format(bytes, 1)?;
    let (revision, after_revision) = read_number(&after_format, 4)?;
    let (segments, after_segments) = read_number(&after_revision, 4)?;
    let (total, after_total) = read_number(&after_segments, 8)?;
    let (log, after_log) = read_number(&after_total, 1)?;
    let (first, after_first) = read_number(&after_log, 2)?;
    let (rows, rest) = read_number(&after_first, 2)?;
    let expected = TEXT_ROOT_BYTES + TABLE_POINT_BYTES + moments * TABLE_POINT_BYTES;
    if segments == 1 && total == rows && rest.len() == expected {
        Ok(HeadNumbers { numbers_revision: revision, numbers_log: log, numbers_first: first, numbers_rows: rows })
    } else {
        Err(DecodeReason::Trailing)
    }
}

/// What [`read_head_numbers`] says, its reason as one of a change.
pub fn expect_head(bytes: &ByteString, moments: usize) -> Result<HeadNumbers, TableFault> {
    match read_head_numbers(bytes, moments) {
        Ok(found) => Ok(found),
        Err(_) => Err(TableFault::ChangedHead),
    }
}

/// Whether a condition holds, or the reason of its failure.
pub fn expect_change(condition: bool, otherwise: TableFault) -> Result<(), TableFault> {
    if condition { Ok(()) } else { Err(otherwise) }
}

/// Whether a record alone has room on its domain.
pub fn head_has_room(numbers: &HeadNumbers, moments: usize) -> bool {
    let n = sheet_size(numbers.numbers_log);
    numbers.numbers_log >= MIN_SHEET_LOG
        && numbers.numbers_log <= max_sheet_log(moments)
        && numbers.numbers_rows >= 1
        && numbers.numbers_first >= 1
        && numbers.numbers_first + numbers.numbers_rows <= guard_position(n)
}

/// The bytes of a key's first column: a time, by convention.
pub fn first_part(items: &Seq<KeyColumn>, columns: &ByteString) -> ByteString {
    if items.len() > 0 && items[0usize].key_column_width <= columns.len() {
        columns.slice(0, items[0usize].key_column_width)
    } else {
        ByteString::new(0)
    }
}

/// How many powers of a column's rows have sums.
pub fn column_moments(table_schema: &TableSchema, number: usize) -> usize {
    if number < table_schema.schema_values.len() { table_schema.schema_values[number].value_column_moments } else { 0 }
}

/// The schema that the bytes are, its reason as one of a change.
pub fn expect_schema_value(bytes: &Option<ByteString>) -> Result<TableSchema, TableFault> {
    match bytes {
        None => Err(TableFault::SchemaFixed),
        Some(written) => match decode_schema(written) {
            Ok(found) => Ok(found),
            Err(unread) => Err(TableFault::ChangedSchema(unread)),
        },
    }
}

/// Whether a schema is another one, but for a watermark that grew.
pub fn watermark_grew(one: &TableSchema, other: &TableSchema) -> bool {
    bytes_equal(&encode_schema_body(one), &encode_schema_body(other))
        && bytes_less(&one.schema_watermark, &other.schema_watermark)
}

/// What a change of a schema's key amounts to.
pub fn judge_schema(standing: &Option<TableSchema>, after: &Option<ByteString>) -> Result<TableChange, TableFault> {
    let found = expect_schema_value(after)?;
    match standing {
        None => {
            if found.schema_watermark.len() == 0 {
                Ok(TableChange::TableCreated(found))
            } else {
                Err(TableFault::WatermarkEarly)
            }
        }
        Some(one) => {
            if watermark_grew(one, &found) {
                Ok(TableChange::TableSealed(found))
            } else {
                Err(TableFault::SchemaFixed)
            }
        }
    }
}

/// The revision that a head must have where this stands before.
pub fn next_revision(
    table_schema: &TableSchema,
    before: &Option<ByteString>,
    moments: usize,
) -> Result<usize, TableFault> {
    match before {
        None => Ok(0),
        Some(standing) => {
            if table_schema.schema_flags == 1 {
                Err(TableFault::RunFixed)
            } else {
                match read_head_numbers(standing, moments) {
                    Ok(found) => Ok(found.numbers_revision + 1),
                    Err(_) => Err(TableFault::ChangedHead),
                }
            }
        }
    }
}

/// What it amounts to that a run is deleted.
pub fn judge_delete(
    table_schema: &TableSchema,
    place: &RunPlace,
    before: &Option<ByteString>,
) -> Result<TableChange, TableFault> {
    let _there = expect_change(is_present(before), TableFault::RunAbsent)?;
    let _deletable = expect_change(table_schema.schema_flags == 2, TableFault::RunFixed)?;
    Ok(TableChange::RunDeleted(place.clone()))
}

/// What it amounts to that a run is put.
pub fn judge_put(
    table_schema: &TableSchema,
    place: &RunPlace,
    before: &Option<ByteString>,
    written: &ByteString,
) -> Result<TableChange, TableFault> {
    let moments = column_moments(table_schema, place.place_column);
    let numbers = expect_head(written, moments)?;
    let _room = expect_change(head_has_room(&numbers, moments), TableFault::RecordMisplaced)?;
    let expected = next_revision(table_schema, before, moments)?;
    let _next = expect_change(numbers.numbers_revision == expected, TableFault::RevisionMismatched)?;
    Ok(TableChange::RunPut(place.clone()))
}

/// Whether a run is not closed: its key is not below the watermark.
pub fn expect_open(table_schema: &TableSchema, place: &RunPlace) -> Result<(), TableFault> {
    let first = first_part(&table_schema.schema_keys, &place.place_columns);
    expect_change(!bytes_less(&first, &table_schema.schema_watermark), TableFault::ColumnsClosed)
}

/// What a change of a head's key amounts to.
pub fn judge_head(
    table_schema: &TableSchema,
    place: &RunPlace,
    before: &Option<ByteString>,
    after: &Option<ByteString>,
) -> Result<TableChange, TableFault> {
    let _open = expect_open(table_schema, place)?;
    match after {
        None => judge_delete(table_schema, place, before),
        Some(written) => judge_put(table_schema, place, before, written),
    }
}

/// What a change of a key of a table amounts to that has this schema.
pub fn judge_run(
    table_schema: &TableSchema,
    changed: &ByteString,
    before: &Option<ByteString>,
    after: &Option<ByteString>,
) -> Result<TableChange, TableFault> {
    match decode_table_key(table_schema, changed) {
        Err(unread) => Err(TableFault::ChangedKey(unread)),
        Ok(TableKey::SchemaKey(_)) => Err(TableFault::SegmentUnread),
        Ok(TableKey::SegmentKey(_)) => Err(TableFault::SegmentUnread),
        Ok(TableKey::HeadKey(place)) => judge_head(table_schema, &place, before, after),
    }
}

/// Whether a head that stands has this revision.
pub fn revision_stands(standing: &Option<usize>, revision: usize) -> bool {
    match standing {
        None => false,
        Some(found) => *found == revision,
    }
}

/// Whether a segment of this place may be deleted whose run has a head of this revision now, or has
/// none: one of a run or of a revision that is no more.
pub fn judge_segment_place(
    table_schema: &TableSchema,
    place: &SegmentPlace,
    standing: &Option<usize>,
) -> Result<(), TableFault> {
    let _open = expect_open(table_schema, &place.segment_place_run)?;
    let stale = !revision_stands(standing, place.segment_place_revision);
    expect_change(table_schema.schema_flags == 2 && stale, TableFault::RunFixed)
}

/// Whether what stands under a key may be deleted, which is a segment whose run has a head of this
/// revision now, or has none.
pub fn judge_segment_delete(
    table_schema: &TableSchema,
    changed: &ByteString,
    standing: &Option<usize>,
) -> Result<(), TableFault> {
    match decode_table_key(table_schema, changed) {
        Err(unread) => Err(TableFault::ChangedKey(unread)),
        Ok(TableKey::SchemaKey(_)) => Err(TableFault::SegmentUnread),
        Ok(TableKey::HeadKey(_)) => Err(TableFault::SegmentUnread),
        Ok(TableKey::SegmentKey(place)) => judge_segment_place(table_schema, &place, standing),
    }
}

/// What is behind the prefix of a key, its reason as one of a change.
pub fn expect_table_key(changed: &ByteString) -> Result<ByteString, TableFault> {
    match read_table_prefix(changed) {
        Ok((_, rest)) => Ok(rest),
        Err(unread) => Err(TableFault::ChangedKey(unread)),
    }
}

/// What a change of a key amounts to under the schema that stood before, if it is legal. A content
/// is `None` where the key is absent.
pub fn judge_change(
    standing: &Option<TableSchema>,
    changed: &ByteString,
    before: &Option<ByteString>,
    after: &Option<ByteString>,
) -> Result<TableChange, TableFault> {
    let rest = expect_table_key(changed)?;
    if bytes_equal(&rest, &u8_bytes(0)) {
        judge_schema(standing, after)
    } else {
        match standing {
            None => Err(TableFault::TableUnknown),
            Some(table_schema) => judge_run(table_schema, changed, before, after),
        }
    }
}
