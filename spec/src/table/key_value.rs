//! Values of key columns, and the bytes that they are in keys.
//!
//! Source: docs/tables.md, "Schemas and keys".

use crate::base::bytes::*;
use crate::base::integers::*;
use crate::table::schema_legality::*;
use crate::table::sheet::*;
use crate::table::table_key::*;
use crate::table::table_schema::*;
use hacspec_lib::*;

/// 2^(8 width - 1), for widths from 1 to 8; 0 for others.
pub fn half_of_width(width: usize) -> u128 {
    if width >= 1 && width <= 8 { u128_of_usize(usize_power_of_two(8 * width - 1)) } else { 0 }
}

/// A natural number, of so many bytes.
pub fn encode_natural(number: u64, width: usize) -> Result<ByteString, TableKeyReason> {
    if u128_of_u64(number) < 2 * half_of_width(width) {
        Ok(big_endian(u128_of_u64(number), width))
    } else {
        Err(TableKeyReason::KeyValueTooWide)
    }
}

/// An integer of which `number` is 2^63 more, of so many bytes.
pub fn encode_integer(number: u64, width: usize) -> Result<ByteString, TableKeyReason> {
    let half = half_of_width(width);
    let raised = u128_of_u64(number) + half;
    if raised >= SIGNED_CENTRE && raised - SIGNED_CENTRE < 2 * half {
        Ok(big_endian(raised - SIGNED_CENTRE, width))
    } else {
        Err(TableKeyReason::KeyValueTooWide)
    }
}

/// One step of [`text_length`].
pub fn text_length_step(length: usize, text: &ByteString, i: usize) -> usize {
    if length == i && text[i] != 0 { i + 1 } else { length }
}

/// How many bytes stand before the first zero.
pub fn text_length(text: &ByteString) -> usize {
    let mut length = 0;
    for i in 0..text.len() {
        length = text_length_step(length, text, i);
    }
    length
}

/// A text, with zeros behind it.
pub fn encode_text(text: &ByteString, width: usize) -> Result<ByteString, TableKeyReason> {
    if text.len() > width {
        Err(TableKeyReason::KeyValueTooWide)
    } else if text_length(text) < text.len() {
        Err(TableKeyReason::KeyTextIllegal)
    } else {
        Ok(text.concat(&ByteString::new(width - text.len())))
    }
}

/// A value of a column as bytes.
pub fn encode_key_value(described: &KeyColumn, content: &KeyValue) -> Result<ByteString, TableKeyReason> {
    if content.content_kind != described.key_column_kind {
        Err(TableKeyReason::KeyKindMismatched)
    } else if content.content_kind == KIND_UNSIGNED {
        encode_natural(content.content_number, described.key_column_width)
    } else if content.content_kind == KIND_SIGNED {
        encode_integer(content.content_number, described.key_column_width)
    } else {
        encode_text(&content.content_text, described.key_column_width)
    }
}

/// One step of [`encode_key_contents`].
pub fn encode_key_contents_step(
    encoded: Result<ByteString, TableKeyReason>,
    described: &KeyColumn,
    content: &KeyValue,
) -> Result<ByteString, TableKeyReason> {
    let before = encoded?;
    let part = encode_key_value(described, content)?;
    Ok(before.concat(&part))
}

/// Values of as many key columns as bytes.
pub fn encode_key_contents(items: &Seq<KeyColumn>, contents: &Seq<KeyValue>) -> Result<ByteString, TableKeyReason> {
    let mut encoded = Ok(ByteString::new(0));
    for i in 0..items.len() {
        encoded = encode_key_contents_step(encoded, &items[i], &contents[i]);
    }
    encoded
}

/// Values of all key columns as bytes, one a column.
pub fn encode_key_columns(items: &Seq<KeyColumn>, contents: &Seq<KeyValue>) -> Result<ByteString, TableKeyReason> {
    if items.len() == contents.len() {
        encode_key_contents(items, contents)
    } else {
        Err(TableKeyReason::KeyCountMismatched)
    }
}

/// The integer, 2^63 added, that so many legal bytes are.
pub fn decode_integer(written: &ByteString, width: usize) -> u64 {
    let raised = number_of_bytes(written) + SIGNED_CENTRE;
    let half = half_of_width(width);
    if half <= raised { u64_of_u128(raised - half) } else { 0 }
}

/// The value of a column that legal bytes are.
pub fn decode_key_value(described: &KeyColumn, written: &ByteString) -> KeyValue {
    let none = ByteString::new(0);
    if described.key_column_kind == KIND_UNSIGNED {
        let number = u64_of_u128(number_of_bytes(written));
        KeyValue { content_kind: KIND_UNSIGNED, content_number: number, content_text: none }
    } else if described.key_column_kind == KIND_SIGNED {
        let number = decode_integer(written, described.key_column_width);
        KeyValue { content_kind: KIND_SIGNED, content_number: number, content_text: none }
    } else {
        let text = written.slice(0, text_length(written));
        KeyValue { content_kind: KIND_TEXT, content_number: 0, content_text: text }
    }
}

/// One step of [`decode_key_columns`].
pub fn decode_key_columns_step(
    items: Result<(Seq<KeyValue>, ByteString), TableKeyReason>,
    described: &KeyColumn,
) -> Result<(Seq<KeyValue>, ByteString), TableKeyReason> {
    let (before, bytes) = items?;
    let (part, rest) = take_of_key(&bytes, described.key_column_width)?;
    let _legal = expect_key(key_part_legal(described, &part), TableKeyReason::KeyTextIllegal)?;
    Ok((before.push_owned(decode_key_value(described, &part)), rest))
}

/// The values of key columns, and the bytes behind them.
pub fn decode_key_columns(
    items: &Seq<KeyColumn>,
    bytes: &ByteString,
) -> Result<(Seq<KeyValue>, ByteString), TableKeyReason> {
    let mut decoded = Ok((Seq::<KeyValue>::new(0), bytes.clone()));
    for i in 0..items.len() {
        decoded = decode_key_columns_step(decoded, &items[i]);
    }
    decoded
}
