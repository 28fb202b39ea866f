//! Keys of tables: under which keys the dictionary holds schemas, heads of runs and segments.
//!
//! ```text
//! prefix      = u8 0x54 || bytes8(name)
//! schema key  = prefix || u8 0
//! head key    = prefix || u8 1 || u8 column || key columns || u32 run
//! segment key = prefix || u8 2 || u8 column || key columns || u32 run || u32 revision
//!               || u32 segment
//! ```
//!
//! A key column of natural numbers is big-endian; of integers the same, 2^(8 width - 1) added; of
//! texts the text with zeros behind it. So the order of keys is the order of their columns.
//! Segments have numbers from 1 on; the first segment is in the head. Source: docs/tables.md,
//! "Schemas and keys".

use crate::base::bytes::*;
use crate::decoding::cursor::*;
use crate::table::schema_legality::*;
use crate::table::table_schema::*;
use hacspec_lib::*;

/// The first byte of each key of a table.
pub const TABLE_KEY_BYTE: usize = 0x54;
/// 2^63.
pub const SIGNED_CENTRE: u128 = 9_223_372_036_854_775_808;

/// Where a run stands.
#[derive(Clone, Debug, Default)]
pub struct RunPlace {
    /// The table's name.
    pub place_table: ByteString,
    /// The number of the value column.
    pub place_column: usize,
    /// The key columns, encoded.
    pub place_columns: ByteString,
    /// The number of the run among those of its key.
    pub place_run: usize,
}

/// Where a segment stands that is not its run's first.
#[derive(Clone, Debug, Default)]
pub struct SegmentPlace {
    /// Where its run stands.
    pub segment_place_run: RunPlace,
    /// How often the run was replaced.
    pub segment_place_revision: usize,
    /// The number of the segment, at least 1.
    pub segment_place_number: usize,
}

/// A key of a table.
#[derive(Clone, Debug)]
pub enum TableKey {
    /// Of the schema of the table of this name.
    SchemaKey(ByteString),
    /// Of the head of a run.
    HeadKey(RunPlace),
    /// Of a segment.
    SegmentKey(SegmentPlace),
}

/// A value of a key column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyValue {
    /// Its kind, as that of a key column.
    pub content_kind: usize,
    /// A natural number; an integer, 2^63 added; 0 for a text.
    pub content_number: u64,
    /// A text, without the zeros behind it; empty for a number.
    pub content_text: ByteString,
}

/// Why bytes are no key of a table, or values no key columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TableKeyReason {
    /// The bytes end before the key does.
    KeyTruncated,
    /// Bytes are left over behind the key.
    KeyTrailing,
    /// The first byte is not a table's.
    KeyForeign,
    /// The table's name is not legal.
    TableNameIllegal,
    /// The byte behind the name is none of 0, 1 and 2.
    KeyPartUnknown,
    /// There is no such value column.
    ColumnUnknown,
    /// A text has a zero inside.
    KeyTextIllegal,
    /// A segment has the number 0.
    SegmentZero,
    /// There are more or fewer values than key columns.
    KeyCountMismatched,
    /// A value is of another kind than its column.
    KeyKindMismatched,
    /// A value does not fit its column's width.
    KeyValueTooWide,
}

/// What all keys of a table begin with.
pub fn table_prefix(table: &ByteString) -> ByteString {
    u8_bytes(TABLE_KEY_BYTE).concat(&bytes8(table))
}

/// `u8 column || key columns || u32 run`.
pub fn encode_run_place(place: &RunPlace) -> ByteString {
    u8_bytes(place.place_column).concat(&place.place_columns).concat(&u32_bytes(place.place_run))
}

/// A key as bytes.
pub fn encode_table_key(place: &TableKey) -> ByteString {
    match place {
        TableKey::SchemaKey(table) => table_prefix(table).concat(&u8_bytes(0)),
        TableKey::HeadKey(head_place) => {
            table_prefix(&head_place.place_table).concat(&u8_bytes(1)).concat(&encode_run_place(head_place))
        }
        TableKey::SegmentKey(segment_place) => table_prefix(&segment_place.segment_place_run.place_table)
            .concat(&u8_bytes(2))
            .concat(&encode_run_place(&segment_place.segment_place_run))
            .concat(&u32_bytes(segment_place.segment_place_revision))
            .concat(&u32_bytes(segment_place.segment_place_number)),
    }
}

/// The next bytes of a key, so many, and the bytes behind them.
pub fn take_of_key(bytes: &ByteString, count: usize) -> Result<(ByteString, ByteString), TableKeyReason> {
    match take_bytes(bytes, count) {
        Ok(taken) => Ok(taken),
        Err(_) => Err(TableKeyReason::KeyTruncated),
    }
}

/// The next number of a key, of at most 8 bytes.
pub fn number_of_key(bytes: &ByteString, width: usize) -> Result<(usize, ByteString), TableKeyReason> {
    match read_number(bytes, width) {
        Ok(taken) => Ok(taken),
        Err(_) => Err(TableKeyReason::KeyTruncated),
    }
}

/// Whether a condition holds, or the reason of its failure.
pub fn expect_key(condition: bool, otherwise: TableKeyReason) -> Result<(), TableKeyReason> {
    if condition { Ok(()) } else { Err(otherwise) }
}

/// One step of [`check_key_parts`].
pub fn check_key_parts_step(
    remaining: Result<ByteString, TableKeyReason>,
    described: &KeyColumn,
) -> Result<ByteString, TableKeyReason> {
    let written = remaining?;
    let (part, rest) = take_of_key(&written, described.key_column_width)?;
    let _legal = expect_key(key_part_legal(described, &part), TableKeyReason::KeyTextIllegal)?;
    Ok(rest)
}

/// What is behind the key columns, once each is a value of its column.
pub fn check_key_parts(items: &Seq<KeyColumn>, bytes: &ByteString) -> Result<ByteString, TableKeyReason> {
    let mut remaining = Ok(bytes.clone());
    for i in 0..items.len() {
        remaining = check_key_parts_step(remaining, &items[i]);
    }
    remaining
}

/// The place of a run in a table of this schema, and the bytes behind it.
pub fn read_run_place(
    table_schema: &TableSchema,
    table: &ByteString,
    bytes: &ByteString,
) -> Result<(RunPlace, ByteString), TableKeyReason> {
    let (number, after_column) = number_of_key(bytes, 1)?;
    let _known = expect_key(number < table_schema.schema_values.len(), TableKeyReason::ColumnUnknown)?;
    let (written, after_columns) = take_of_key(&after_column, key_width(&table_schema.schema_keys))?;
    let _legal = check_key_parts(&table_schema.schema_keys, &written)?;
    let (run, rest) = number_of_key(&after_columns, 4)?;
    Ok((RunPlace { place_table: table.clone(), place_column: number, place_columns: written, place_run: run }, rest))
}

/// The key of a head, from the bytes behind its part.
pub fn decode_head_key(
    table_schema: &TableSchema,
    table: &ByteString,
    bytes: &ByteString,
) -> Result<TableKey, TableKeyReason> {
    let (place, rest) = read_run_place(table_schema, table, bytes)?;
    let _end = expect_key(rest.len() == 0, TableKeyReason::KeyTrailing)?;
    Ok(TableKey::HeadKey(place))
}

/// The key of a segment, from the bytes behind its part.
pub fn decode_segment_key(
    table_schema: &TableSchema,
    table: &ByteString,
    bytes: &ByteString,
) -> Result<TableKey, TableKeyReason> {
    let (place, after_run) = read_run_place(table_schema, table, bytes)?;
    let (revision, after_revision) = number_of_key(&after_run, 4)?;
    let (number, rest) = number_of_key(&after_revision, 4)?;
    let _end = expect_key(rest.len() == 0, TableKeyReason::KeyTrailing)?;
    let _continues = expect_key(number >= 1, TableKeyReason::SegmentZero)?;
    Ok(TableKey::SegmentKey(SegmentPlace {
        segment_place_run: place,
        segment_place_revision: revision,
        segment_place_number: number,
    }))
}

/// The key of a part of a table, from the bytes behind the part's number.
pub fn decode_key_part(
    table_schema: &TableSchema,
    table: &ByteString,
    part: usize,
    bytes: &ByteString,
) -> Result<TableKey, TableKeyReason> {
    if part == 1 {
        decode_head_key(table_schema, table, bytes)
    } else if part == 2 {
        decode_segment_key(table_schema, table, bytes)
    } else if part > 2 {
        Err(TableKeyReason::KeyPartUnknown)
    } else if bytes.len() == 0 {
        Ok(TableKey::SchemaKey(table.clone()))
    } else {
        Err(TableKeyReason::KeyTrailing)
    }
}

/// The name of the table that a key is of, and the bytes behind the prefix. It asks for no schema.
pub fn read_table_prefix(bytes: &ByteString) -> Result<(ByteString, ByteString), TableKeyReason> {
    let (first, after_first) = number_of_key(bytes, 1)?;
    let _table = expect_key(first == TABLE_KEY_BYTE, TableKeyReason::KeyForeign)?;
    let (count, after_count) = number_of_key(&after_first, 1)?;
    let (table, rest) = take_of_key(&after_count, count)?;
    let _named = expect_key(name_legal(&table), TableKeyReason::TableNameIllegal)?;
    Ok((table, rest))
}

/// The key that the bytes are, in a table of this legal schema.
pub fn decode_table_key(table_schema: &TableSchema, bytes: &ByteString) -> Result<TableKey, TableKeyReason> {
    let (table, after_prefix) = read_table_prefix(bytes)?;
    let (part, rest) = number_of_key(&after_prefix, 1)?;
    decode_key_part(table_schema, &table, part, &rest)
}
