//! Which schemas are legal: limits of numbers and widths, names, and the watermark.
//!
//! Source: docs/tables.md, "Schemas and keys".

use crate::base::bytes::*;
use crate::base::integers::*;
use crate::table::sheet::*;
use crate::table::table_schema::*;
use hacspec_lib::*;

/// Whether a byte is one of `a-z 0-9 _ -`.
pub fn name_byte_legal(byte: u8) -> bool {
    (byte >= 97 && byte <= 122) || (byte >= 48 && byte <= 57) || byte == 95 || byte == 45
}

/// One step of [`name_legal`].
pub fn name_legal_step(legal: bool, byte: u8) -> bool {
    legal && name_byte_legal(byte)
}

/// Whether a string names a table or a column.
pub fn name_legal(named: &ByteString) -> bool {
    let mut legal = named.len() >= 1 && named.len() <= MAX_NAME_BYTES;
    for i in 0..named.len() {
        legal = name_legal_step(legal, named[i]);
    }
    legal
}

/// One step of [`text_legal`].
pub fn text_legal_step(legal: bool, text: &ByteString, i: usize) -> bool {
    legal && (text[i] != 0 || text[i + 1] == 0)
}

/// Whether a string is a text with zeros behind it: no zero stands before another byte.
pub fn text_legal(text: &ByteString) -> bool {
    let pairs = if text.len() > 0 { text.len() - 1 } else { 0 };
    let mut legal = true;
    for i in 0..pairs {
        legal = text_legal_step(legal, text, i);
    }
    legal
}

/// Whether a string is a value of a key column.
pub fn key_part_legal(described: &KeyColumn, written: &ByteString) -> bool {
    written.len() == described.key_column_width && (described.key_column_kind != KIND_TEXT || text_legal(written))
}

/// Whether a key column has a legal name, kind and width.
pub fn check_key_column(described: &KeyColumn) -> Result<(), SchemaReason> {
    if !name_legal(&described.key_column_name) {
        Err(SchemaReason::NameIllegal)
    } else if described.key_column_kind > KIND_TEXT {
        Err(SchemaReason::KindUnknown)
    } else if described.key_column_width >= 1
        && (described.key_column_width <= 8 || described.key_column_kind == KIND_TEXT)
    {
        Ok(())
    } else {
        Err(SchemaReason::WidthIllegal)
    }
}

/// One step of [`check_key_columns`].
pub fn check_key_columns_step(verdict: Result<(), SchemaReason>, described: &KeyColumn) -> Result<(), SchemaReason> {
    let _before = verdict?;
    check_key_column(described)
}

/// Whether each key column is legal.
pub fn check_key_columns(items: &Seq<KeyColumn>) -> Result<(), SchemaReason> {
    let mut verdict = Ok(());
    for i in 0..items.len() {
        verdict = check_key_columns_step(verdict, &items[i]);
    }
    verdict
}

/// Whether a number of bits is one of 8, 16, .., 64.
pub fn bits_legal(bits: usize) -> bool {
    bits >= 8 && bits <= 64 && bits % 8 == 0
}

/// Whether a span is below 2^bits, for a legal number of bits.
pub fn span_legal(span: u64, bits: usize) -> bool {
    bits >= 64 || u128_of_u64(span) < u128_of_usize(usize_power_of_two(bits))
}

/// Whether a value column has a legal name, legal bits, span and moments.
pub fn check_value_column(described: &ValueColumn) -> Result<(), SchemaReason> {
    if !name_legal(&described.value_column_name) {
        Err(SchemaReason::NameIllegal)
    } else if !bits_legal(described.value_column_bits) {
        Err(SchemaReason::BitsIllegal)
    } else if !span_legal(described.value_column_span, described.value_column_bits) {
        Err(SchemaReason::SpanIllegal)
    } else if described.value_column_moments >= 1 && described.value_column_moments <= 3 {
        Ok(())
    } else {
        Err(SchemaReason::MomentsIllegal)
    }
}

/// One step of [`check_value_columns`].
pub fn check_value_columns_step(
    verdict: Result<(), SchemaReason>,
    described: &ValueColumn,
) -> Result<(), SchemaReason> {
    let _before = verdict?;
    check_value_column(described)
}

/// Whether each value column is legal.
pub fn check_value_columns(items: &Seq<ValueColumn>) -> Result<(), SchemaReason> {
    let mut verdict = Ok(());
    for i in 0..items.len() {
        verdict = check_value_columns_step(verdict, &items[i]);
    }
    verdict
}

/// One step of [`names_legal`].
pub fn names_legal_step(legal: bool, named: &ByteString) -> bool {
    legal && name_legal(named)
}

/// Whether each string is a name.
pub fn names_legal(names: &Seq<ByteString>) -> bool {
    let mut legal = true;
    for i in 0..names.len() {
        legal = names_legal_step(legal, &names[i]);
    }
    legal
}

/// One step of [`key_names`].
pub fn key_names_step(names: Seq<ByteString>, described: &KeyColumn) -> Seq<ByteString> {
    names.push_owned(described.key_column_name.clone())
}

/// The names of key columns.
pub fn key_names(items: &Seq<KeyColumn>) -> Seq<ByteString> {
    let mut names = Seq::<ByteString>::new(0);
    for i in 0..items.len() {
        names = key_names_step(names, &items[i]);
    }
    names
}

/// One step of [`value_names`].
pub fn value_names_step(names: Seq<ByteString>, described: &ValueColumn) -> Seq<ByteString> {
    names.push_owned(described.value_column_name.clone())
}

/// The names of value columns.
pub fn value_names(items: &Seq<ValueColumn>) -> Seq<ByteString> {
    let mut names = Seq::<ByteString>::new(0);
    for i in 0..items.len() {
        names = value_names_step(names, &items[i]);
    }
    names
}

/// One step of [`name_stands_before`].
pub fn name_stands_before_step(found: bool, names: &Seq<ByteString>, i: usize, j: usize) -> bool {
    found || bytes_equal(&names[j], &names[i])
}

/// Whether the name at `i` stands before `i` too, for `i` in the list.
pub fn name_stands_before(names: &Seq<ByteString>, i: usize) -> bool {
    let mut found = false;
    for j in 0..i {
        found = name_stands_before_step(found, names, i, j);
    }
    found
}

/// One step of [`names_distinct`].
pub fn names_distinct_step(distinct: bool, names: &Seq<ByteString>, i: usize) -> bool {
    distinct && !name_stands_before(names, i)
}

/// Whether no name stands twice.
pub fn names_distinct(names: &Seq<ByteString>) -> bool {
    let mut distinct = true;
    for i in 0..names.len() {
        distinct = names_distinct_step(distinct, names, i);
    }
    distinct
}

/// Whether a watermark is empty, or a value of the first key column.
pub fn watermark_legal(table_schema: &TableSchema) -> bool {
    if table_schema.schema_watermark.len() == 0 {
        true
    } else if table_schema.schema_keys.len() > 0 {
        key_part_legal(&table_schema.schema_keys[0usize], &table_schema.schema_watermark)
    } else {
        false
    }
}

/// Whether a condition holds, or the reason of its failure.
pub fn expect_schema(condition: bool, otherwise: SchemaReason) -> Result<(), SchemaReason> {
    if condition { Ok(()) } else { Err(otherwise) }
}

/// Whether a schema is legal. The first reason decides where there are several.
pub fn check_schema(table_schema: &TableSchema) -> Result<(), SchemaReason> {
    let names = key_names(&table_schema.schema_keys)
        .concat(&value_names(&table_schema.schema_values))
        .concat(&table_schema.schema_rows);
    let _flags = expect_schema(table_schema.schema_flags <= 2, SchemaReason::FlagsUnknown)?;
    let _writers = expect_schema(table_schema.schema_writers.len() <= MAX_WRITERS, SchemaReason::ExcessWriters)?;
    let _keys = expect_schema(table_schema.schema_keys.len() <= MAX_KEY_COLUMNS, SchemaReason::ExcessKeyColumns)?;
    let _each_key = check_key_columns(&table_schema.schema_keys)?;
    let _key_bytes =
        expect_schema(key_width(&table_schema.schema_keys) <= MAX_KEY_BYTES, SchemaReason::ExcessKeyBytes)?;
    let _values =
        expect_schema(table_schema.schema_values.len() <= MAX_VALUE_COLUMNS, SchemaReason::ExcessValueColumns)?;
    let _each_value = check_value_columns(&table_schema.schema_values)?;
    let _each_row = expect_schema(names_legal(&table_schema.schema_rows), SchemaReason::NameIllegal)?;
    let _distinct = expect_schema(names_distinct(&names), SchemaReason::NameRepeated)?;
    expect_schema(watermark_legal(table_schema), SchemaReason::WatermarkIllegal)
}
