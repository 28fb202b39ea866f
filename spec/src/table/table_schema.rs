//! Schemas of tables: which columns a table has, who may write it, and what may change.
//!
//! ```text
//! schema       = u8 1 || u8 flags || u8 n || writer (32)* || u8 n || key_column* || u8 n || value_column*
//!                || u8 n || bytes8(row column)* || bytes8(watermark)
//! key_column   = bytes8(name) || u8 kind || u8 width
//! value_column = bytes8(name) || i64 lowest || u64 span || u8 bits || u8 moments || u8 scale
//! ```
//!
//! Source: docs/tables.md, "Schemas and keys".

use crate::base::bytes::*;
use crate::base::hash::*;
use crate::base::integers::*;
use crate::decoding::decode_reason::*;
use hacspec_lib::*;

/// The most bytes of a schema.
pub const MAX_SCHEMA_BYTES: usize = 1024;
/// The most bytes of a name.
pub const MAX_NAME_BYTES: usize = 32;
/// The most writers.
pub const MAX_WRITERS: usize = 8;
/// The length of a writer's public key, in bytes.
pub const WRITER_BYTES: usize = 32;
/// The most key columns.
pub const MAX_KEY_COLUMNS: usize = 8;
/// The most bytes of all key columns together.
pub const MAX_KEY_BYTES: usize = 128;
/// The most value columns.
pub const MAX_VALUE_COLUMNS: usize = 16;
/// The kind of a key column of natural numbers.
pub const KIND_UNSIGNED: usize = 0;
/// The kind of a key column of integers.
pub const KIND_SIGNED: usize = 1;
/// The kind of a key column of texts.
pub const KIND_TEXT: usize = 2;

/// A key column: public, of a fixed width.
#[derive(Clone, Debug, Default)]
pub struct KeyColumn {
    /// Its name.
    pub key_column_name: ByteString,
    /// [`KIND_UNSIGNED`], [`KIND_SIGNED`] or [`KIND_TEXT`].
    pub key_column_kind: usize,
    /// How many bytes a value has.
    pub key_column_width: usize,
}

/// A value column: private numbers, of which each run commits to its own.
#[derive(Clone, Debug, Default)]
pub struct ValueColumn {
    /// Its name.
    pub value_column_name: ByteString,
    /// The lowest number, in two's complement of 64 bits.
    pub value_column_lowest: u64,
    /// The highest number minus the lowest.
    pub value_column_span: u64,
    /// How many bits a step between two rows has at most.
    pub value_column_bits: usize,
    /// How many powers of the rows have sums.
    pub value_column_moments: usize,
    /// How many decimal digits are behind the point where a number is shown.
    pub value_column_scale: usize,
}

/// A schema.
#[derive(Clone, Debug, Default)]
pub struct TableSchema {
    /// 0; 1 where runs are never replaced or deleted; 2 where they may be deleted.
    pub schema_flags: usize,
    /// The public keys of those who may write.
    pub schema_writers: Seq<ByteString>,
    /// The key columns.
    pub schema_keys: Seq<KeyColumn>,
    /// The value columns.
    pub schema_values: Seq<ValueColumn>,
    /// The names of the columns of private text.
    pub schema_rows: Seq<ByteString>,
    /// Empty, or a value of the first key column: keys below it are closed.
    pub schema_watermark: ByteString,
}

/// Why bytes are no schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SchemaReason {
    /// They are not an encoding.
    SchemaBytes(DecodeReason),
    /// The flags are none of 0, 1 and 2.
    FlagsUnknown,
    /// There are more than [`MAX_WRITERS`].
    ExcessWriters,
    /// There are more than [`MAX_KEY_COLUMNS`].
    ExcessKeyColumns,
    /// A name is empty, longer than [`MAX_NAME_BYTES`], or has other characters than `a-z 0-9 _ -`.
    NameIllegal,
    /// A key column is of no known kind.
    KindUnknown,
    /// A key column of numbers has not 1 to 8 bytes, or one of texts none.
    WidthIllegal,
    /// The key columns together have more than [`MAX_KEY_BYTES`].
    ExcessKeyBytes,
    /// There are more than [`MAX_VALUE_COLUMNS`].
    ExcessValueColumns,
    /// The number of bits is none of 8, 16, .., 64.
    BitsIllegal,
    /// The span is not below 2^bits.
    SpanIllegal,
    /// The number of moments is none of 1, 2 and 3.
    MomentsIllegal,
    /// Two columns have one name.
    NameRepeated,
    /// The watermark is no value of the first key column.
    WatermarkIllegal,
}

/// The tag of schemas' digests.
pub fn tag_table_schema() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-TABLE-SCHEMA")
}

/// One step of [`encode_writers`].
pub fn encode_writers_step(encoded: ByteString, writer: &ByteString) -> ByteString {
    encoded.concat(writer)
}

/// Public keys, one after the other.
pub fn encode_writers(writers: &Seq<ByteString>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..writers.len() {
        encoded = encode_writers_step(encoded, &writers[i]);
    }
    encoded
}

/// One step of [`encode_key_column_list`].
pub fn encode_key_column_list_step(encoded: ByteString, described: &KeyColumn) -> ByteString {
    encoded
        .concat(&bytes8(&described.key_column_name))
        .concat(&u8_bytes(described.key_column_kind))
        .concat(&u8_bytes(described.key_column_width))
}

/// Key columns, one after the other.
pub fn encode_key_column_list(items: &Seq<KeyColumn>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..items.len() {
        encoded = encode_key_column_list_step(encoded, &items[i]);
    }
    encoded
}

/// One step of [`encode_value_columns`].
pub fn encode_value_columns_step(encoded: ByteString, described: &ValueColumn) -> ByteString {
    encoded
        .concat(&bytes8(&described.value_column_name))
        .concat(&big_endian(u128_of_u64(described.value_column_lowest), 8))
        .concat(&big_endian(u128_of_u64(described.value_column_span), 8))
        .concat(&u8_bytes(described.value_column_bits))
        .concat(&u8_bytes(described.value_column_moments))
        .concat(&u8_bytes(described.value_column_scale))
}

/// Value columns, one after the other.
pub fn encode_value_columns(items: &Seq<ValueColumn>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..items.len() {
        encoded = encode_value_columns_step(encoded, &items[i]);
    }
    encoded
}

/// One step of [`encode_names`].
pub fn encode_names_step(encoded: ByteString, named: &ByteString) -> ByteString {
    encoded.concat(&bytes8(named))
}

/// Names, one after the other.
pub fn encode_names(names: &Seq<ByteString>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..names.len() {
        encoded = encode_names_step(encoded, &names[i]);
    }
    encoded
}

/// A schema as bytes, but for its watermark.
pub fn encode_schema_body(table_schema: &TableSchema) -> ByteString {
    u8_bytes(1)
        .concat(&u8_bytes(table_schema.schema_flags))
        .concat(&u8_bytes(table_schema.schema_writers.len()))
        .concat(&encode_writers(&table_schema.schema_writers))
        .concat(&u8_bytes(table_schema.schema_keys.len()))
        .concat(&encode_key_column_list(&table_schema.schema_keys))
        .concat(&u8_bytes(table_schema.schema_values.len()))
        .concat(&encode_value_columns(&table_schema.schema_values))
        .concat(&u8_bytes(table_schema.schema_rows.len()))
        .concat(&encode_names(&table_schema.schema_rows))
}

/// A schema as bytes.
pub fn encode_schema(table_schema: &TableSchema) -> ByteString {
    encode_schema_body(table_schema).concat(&bytes8(&table_schema.schema_watermark))
}

/// What statements say of a schema. The watermark is left out, so that closing keys leaves
/// certificates as they are.
pub fn schema_digest(table_schema: &TableSchema) -> ByteString {
    tagged_hash(&tag_table_schema(), &encode_schema_body(table_schema))
}

/// One step of [`key_width`].
pub fn key_width_step(total: usize, described: &KeyColumn) -> usize {
    total + described.key_column_width
}

/// How many bytes the key columns have together.
pub fn key_width(items: &Seq<KeyColumn>) -> usize {
    let mut total = 0;
    for i in 0..items.len() {
        total = key_width_step(total, &items[i]);
    }
    total
}
