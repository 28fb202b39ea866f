//! Schemas from bytes: the inverse of [`encode_schema`], for legal ones.

use crate::base::bytes::*;
use crate::decoding::cursor::*;
use crate::decoding::decode_reason::*;
use crate::table::schema_legality::*;
use crate::table::table_schema::*;
use hacspec_lib::*;

/// One step of [`read_writers`].
pub fn read_writers_step(
    items: Result<(Seq<ByteString>, ByteString), DecodeReason>,
) -> Result<(Seq<ByteString>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = take_bytes(&bytes, WRITER_BYTES)?;
    Ok((before.push_owned(found), rest))
}

/// The next public keys, so many.
pub fn read_writers(bytes: &ByteString, count: usize) -> Result<(Seq<ByteString>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<ByteString>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_writers_step(items);
    }
    items
}

/// The next key column.
pub fn read_key_column(bytes: &ByteString) -> Result<(KeyColumn, ByteString), DecodeReason> {
    let (named, after_name) = read_bytes8(bytes)?;
    let (kind, after_kind) = read_number(&after_name, 1)?;
    let (width, rest) = read_number(&after_kind, 1)?;
    Ok((KeyColumn { key_column_name: named, key_column_kind: kind, key_column_width: width }, rest))
}

/// One step of [`read_key_columns`].
pub fn read_key_columns_step(
    items: Result<(Seq<KeyColumn>, ByteString), DecodeReason>,
) -> Result<(Seq<KeyColumn>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = read_key_column(&bytes)?;
    Ok((before.push_owned(found), rest))
}

/// The next key columns, so many.
pub fn read_key_columns(bytes: &ByteString, count: usize) -> Result<(Seq<KeyColumn>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<KeyColumn>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_key_columns_step(items);
    }
    items
}

/// The next value column.
pub fn read_value_column(bytes: &ByteString) -> Result<(ValueColumn, ByteString), DecodeReason> {
    let (named, after_name) = read_bytes8(bytes)?;
    let (lowest, after_lowest) = read_amount(&after_name)?;
    let (span, after_span) = read_amount(&after_lowest)?;
    let (bits, after_bits) = read_number(&after_span, 1)?;
    let (moments, after_moments) = read_number(&after_bits, 1)?;
    let (scale, rest) = read_number(&after_moments, 1)?;
    Ok((
        ValueColumn {
            value_column_name: named,
            value_column_lowest: lowest,
            value_column_span: span,
            value_column_bits: bits,
            value_column_moments: moments,
            value_column_scale: scale,
        },
        rest,
    ))
}

/// One step of [`read_value_columns`].
pub fn read_value_columns_step(
    items: Result<(Seq<ValueColumn>, ByteString), DecodeReason>,
) -> Result<(Seq<ValueColumn>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = read_value_column(&bytes)?;
    Ok((before.push_owned(found), rest))
}

/// The next value columns, so many.
pub fn read_value_columns(bytes: &ByteString, count: usize) -> Result<(Seq<ValueColumn>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<ValueColumn>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_value_columns_step(items);
    }
    items
}

/// One step of [`read_names`].
pub fn read_names_step(
    items: Result<(Seq<ByteString>, ByteString), DecodeReason>,
) -> Result<(Seq<ByteString>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = read_bytes8(&bytes)?;
    Ok((before.push_owned(found), rest))
}

/// The next names, so many.
pub fn read_names(bytes: &ByteString, count: usize) -> Result<(Seq<ByteString>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<ByteString>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_names_step(items);
    }
    items
}

/// What the bytes say, legal or not.
pub fn read_schema(bytes: &ByteString) -> Result<TableSchema, DecodeReason> {
    let _kept = expect_length(bytes.len(), MAX_SCHEMA_BYTES)?;
    let after_format = expect_format(bytes, 1)?;
    let (flags, after_flags) = read_number(&after_format, 1)?;
    let (writer_count, before_writers) = read_number(&after_flags, 1)?;
    let (writers, after_writers) = read_writers(&before_writers, writer_count)?;
    let (key_count, before_keys) = read_number(&after_writers, 1)?;
    let (keys, after_keys) = read_key_columns(&before_keys, key_count)?;
    let (value_count, before_values) = read_number(&after_keys, 1)?;
    let (values, after_values) = read_value_columns(&before_values, value_count)?;
    let (row_count, before_rows) = read_number(&after_values, 1)?;
    let (rows, after_rows) = read_names(&before_rows, row_count)?;
    let (watermark, rest) = read_bytes8(&after_rows)?;
    let _end = expect_end(&rest)?;
    Ok(TableSchema {
        schema_flags: flags,
        schema_writers: writers,
        schema_keys: keys,
        schema_values: values,
        schema_rows: rows,
        schema_watermark: watermark,
    })
}

/// What [`read_schema`] says, its reason as one of a schema.
pub fn read_schema_bytes(bytes: &ByteString) -> Result<TableSchema, SchemaReason> {
    match read_schema(bytes) {
        Ok(found) => Ok(found),
        Err(unread) => Err(SchemaReason::SchemaBytes(unread)),
    }
}

/// The legal schema that the bytes are.
pub fn decode_schema(bytes: &ByteString) -> Result<TableSchema, SchemaReason> {
    let found = read_schema_bytes(bytes)?;
    let _legal = check_schema(&found)?;
    Ok(found)
}
