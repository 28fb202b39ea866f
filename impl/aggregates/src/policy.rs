//! Which changes of a table's keys are legal (`aardvark_spec::table::table_policy`). An embedded
//! archive asks before it writes, an audit asks of what was written.
//!
//! | change | what stands before | what it asks |
//! |---|---|---|
//! | create | no schema | a legal schema, empty watermark |
//! | seal | a schema | the same but for the watermark, which grows |
//! | append | no head | revision 0, one segment |
//! | amend | a head | not append-only; the next revision, one segment |
//! | delete | a head | deletable |
//!
//! How runs of several segments begin, grow and are replaced is [`judge_run`]'s
//! (`aardvark_spec::table::run_segments`). Nothing is written or deleted below the watermark. That
//! each record has a certificate is looked at apart.

use thiserror::Error;

use crate::key::{KeyError, TableKey};
use crate::record::{Head, RecordError, Segment};
use crate::run_step::{StepFault, judge_step};
use crate::schema::{Schema, SchemaError};
use crate::sheet::{SheetFault, check_layout};

/// A change of a key of a table that is legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableChange {
    /// A table begins.
    Created(Schema),
    /// Keys below a watermark are closed.
    Sealed(Schema),
    /// A run is put: a new one, or in the place of an earlier revision.
    Put {
        /// Where it stands.
        key: TableKey,
        /// Its head.
        head: Head,
    },
    /// A run is deleted.
    Deleted(TableKey),
}

/// Why a change of a table's key is not legal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolicyFault {
    /// The key is none of the table's.
    #[error("its key: {0}")]
    Key(#[from] KeyError),
    /// The value is no schema.
    #[error("its schema: {0}")]
    Schema(#[from] SchemaError),
    /// The value is no head of a run.
    #[error("its head: {0}")]
    Head(#[from] RecordError),
    /// A table that begins has closed keys already.
    #[error("a new table has a watermark")]
    Watermark,
    /// There is no table of this name.
    #[error("there is no table of this name")]
    NoTable,
    /// The schema would change in more than a watermark that grows, or go.
    #[error("a schema changes in its watermark only, which grows")]
    SchemaChanged,
    /// The key is below the watermark.
    #[error("the key is closed")]
    Closed,
    /// The table does not allow it: an append-only one to replace runs, one that is not deletable
    /// to delete them.
    #[error("the table does not allow that runs are replaced or deleted so")]
    Immutable,
    /// The record has no place on a domain.
    #[error("its record: {0}")]
    Layout(#[from] SheetFault),
    /// The revision is not the next one.
    #[error("revision {found}, where {expected} is next")]
    Revision {
        /// The head's.
        found: u32,
        /// The next one; 2^32 behind the last that there is.
        expected: u64,
    },
    /// A run of several segments, or one of its segments, which is judged with the whole run.
    #[error("a segment of a run without its head")]
    Segment,
    /// The run may not become so.
    #[error(transparent)]
    Step(#[from] StepFault),
    /// What is deleted is not there.
    #[error("there is no such run to delete")]
    Absent,
}

/// What a change of a key amounts to, under the schema that stood before, if it is legal. Contents
/// are `None` where the key is absent.
///
/// # Errors
/// [`PolicyFault`].
pub fn judge_change(
    schema: Option<&Schema>,
    key: &[u8],
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> Result<TableChange, PolicyFault> {
    let (_, rest) = TableKey::split_prefix(key)?;
    if rest == [0] {
        return judge_schema(schema, after);
    }
    let schema = schema.ok_or(PolicyFault::NoTable)?;
    let (place, moments) = open_run(schema, key)?;
    let Some(after) = after else { return judge_delete(schema, place, before) };
    let head = Head::from_bytes(after, moments)?;
    check_single(&head, moments, || match before {
        None => Ok(0),
        Some(_) if schema.append_only => Err(PolicyFault::Immutable),
        Some(before) => Ok(u64::from(Head::from_bytes(before, moments)?.revision) + 1),
    })?;
    Ok(TableChange::Put { key: place, head })
}

/// Whether a run may begin with a head under this key: what [`judge_change`] says of the head's
/// bytes where nothing stood before, for who made its points.
///
/// # Errors
/// [`PolicyFault`].
pub fn judge_begin(schema: &Schema, key: &[u8], head: &Head) -> Result<(), PolicyFault> {
    let (_, moments) = open_run(schema, key)?;
    check_single(head, moments, || Ok(0))
}

/// Whether a head is that of a run of one segment, on a domain, with the revision that is next.
fn check_single(
    head: &Head,
    moments: usize,
    next_revision: impl FnOnce() -> Result<u64, PolicyFault>,
) -> Result<(), PolicyFault> {
    if head.whole.is_some() {
        return Err(PolicyFault::Segment);
    }
    check_layout(&[&head.record], moments)?;
    let (found, expected) = (head.revision, next_revision()?);
    if u64::from(found) == expected { Ok(()) } else { Err(PolicyFault::Revision { found, expected }) }
}

/// What a step of a run amounts to, if it is legal: of the content under its head's key, and the
/// segments of the head's revision that are put with it, in the order of their numbers. That of a
/// run of one segment is what [`judge_change`] says of its head.
///
/// # Errors
/// [`PolicyFault`].
pub fn judge_run(
    schema: Option<&Schema>,
    key: &[u8],
    before: Option<&[u8]>,
    after: Option<&[u8]>,
    put: &[(u32, Vec<u8>)],
) -> Result<TableChange, PolicyFault> {
    let schema = schema.ok_or(PolicyFault::NoTable)?;
    let (place, moments) = open_run(schema, key)?;
    let Some(after) = after else {
        return if put.is_empty() { judge_delete(schema, place, before) } else { Err(PolicyFault::Segment) };
    };
    let head = Head::from_bytes(after, moments)?;
    let before = before.map(|before| Head::from_bytes(before, moments)).transpose()?;
    let read = |(number, bytes): &(u32, Vec<u8>)| Ok((*number, Segment::from_bytes(bytes, moments)?));
    let put = put.iter().map(read).collect::<Result<Vec<_>, RecordError>>()?;
    judge_step(schema.append_only, moments, before.as_ref(), &head, &put)?;
    Ok(TableChange::Put { key: place, head })
}

/// Whether a segment may be deleted whose run has this head now: one of a run or of a revision that
/// is no more.
///
/// # Errors
/// [`PolicyFault`].
pub fn judge_segment_delete(schema: &Schema, key: &[u8], head: Option<&Head>) -> Result<(), PolicyFault> {
    let TableKey::Segment { column, columns, revision, .. } = TableKey::from_bytes(key, schema)? else {
        return Err(PolicyFault::Segment);
    };
    check_open(schema, column, &columns)?;
    let stands = head.is_some_and(|head| head.revision == revision);
    if schema.deletable && !stands { Ok(()) } else { Err(PolicyFault::Immutable) }
}

/// The run of a head's key that is not closed, and how many powers of its rows have sums.
fn open_run(schema: &Schema, key: &[u8]) -> Result<(TableKey, usize), PolicyFault> {
    let place = TableKey::from_bytes(key, schema)?;
    let TableKey::Head { column, columns, .. } = &place else { return Err(PolicyFault::Segment) };
    let moments = check_open(schema, *column, columns)?;
    Ok((place, moments))
}

/// Whether a key of this column with these key columns is not closed: how many powers of the
/// column's rows have sums.
///
/// # Errors
/// [`PolicyFault::Closed`].
pub fn check_open(schema: &Schema, column: u8, columns: &[u8]) -> Result<usize, PolicyFault> {
    let time = schema.keys.first().and_then(|first| columns.get(..usize::from(first.width))).unwrap_or_default();
    if time < schema.watermark.as_slice() {
        return Err(PolicyFault::Closed);
    }
    Ok(schema.values.get(usize::from(column)).map_or(0, |column| usize::from(column.moments)))
}

fn judge_delete(schema: &Schema, place: TableKey, before: Option<&[u8]>) -> Result<TableChange, PolicyFault> {
    match before {
        None => Err(PolicyFault::Absent),
        Some(_) if schema.deletable => Ok(TableChange::Deleted(place)),
        Some(_) => Err(PolicyFault::Immutable),
    }
}

fn judge_schema(before: Option<&Schema>, after: Option<&[u8]>) -> Result<TableChange, PolicyFault> {
    let after = Schema::from_bytes(after.ok_or(PolicyFault::SchemaChanged)?)?;
    let Some(before) = before else {
        return if after.watermark.is_empty() { Ok(TableChange::Created(after)) } else { Err(PolicyFault::Watermark) };
    };
    let unsealed = Schema { watermark: before.watermark.clone(), ..after.clone() };
    if unsealed != *before || after.watermark <= before.watermark {
        return Err(PolicyFault::SchemaChanged);
    }
    Ok(TableChange::Sealed(after))
}
