//! Schemas and keys of tables: specification and implementation write the same bytes, and read the
//! same value from bytes of whatever kind, or refuse them for the same reason.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::collections::BTreeSet;

use aardvark_aggregates::{
    KeyColumn, KeyError, KeyKind, KeyValue, Schema, SchemaError, TableKey, ValueColumn, decode_columns, encode_columns,
};
use aardvark_dictionary::DecodeError;
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::convert::{byte_string, byte_vec, to_seq, to_vec};
use aardvark_spec::decoding::decode_reason::DecodeReason;
use aardvark_spec::table::key_value::{decode_key_columns, encode_key_columns};
use aardvark_spec::table::schema_decoder::decode_schema;
use aardvark_spec::table::table_key as spec_key;
use aardvark_spec::table::table_key::{decode_table_key, encode_table_key};
use aardvark_spec::table::table_schema as spec_schema;
use aardvark_spec::table::table_schema::{SchemaReason, TableSchema, encode_schema, key_width, schema_digest};
use differential_tests::damage::{damage, damaged};
use hacspec_lib::Seq;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

fn text(bytes: &ByteString) -> String {
    String::from_utf8(byte_vec(bytes)).unwrap()
}

fn to_spec(schema: &Schema) -> TableSchema {
    let key = |column: &KeyColumn| spec_schema::KeyColumn {
        key_column_name: byte_string(column.name.as_bytes()),
        key_column_kind: column.kind as usize,
        key_column_width: usize::from(column.width),
    };
    let value = |column: &ValueColumn| spec_schema::ValueColumn {
        value_column_name: byte_string(column.name.as_bytes()),
        value_column_lowest: column.lowest as u64,
        value_column_span: column.span,
        value_column_bits: usize::from(column.bits),
        value_column_moments: usize::from(column.moments),
        value_column_scale: usize::from(column.scale),
    };
    TableSchema {
        schema_flags: usize::from(schema.append_only) + 2 * usize::from(schema.deletable),
        schema_writers: to_seq(schema.writers.iter().map(|writer| byte_string(writer)).collect()),
        schema_keys: to_seq(schema.keys.iter().map(key).collect()),
        schema_values: to_seq(schema.values.iter().map(value).collect()),
        schema_rows: to_seq(schema.rows.iter().map(|name| byte_string(name.as_bytes())).collect()),
        schema_watermark: byte_string(&schema.watermark),
    }
}

fn from_spec(schema: &TableSchema) -> Schema {
    let kinds = [KeyKind::Unsigned, KeyKind::Signed, KeyKind::Text];
    let key = |column: &spec_schema::KeyColumn| KeyColumn {
        name: text(&column.key_column_name),
        kind: kinds[column.key_column_kind],
        width: column.key_column_width.try_into().unwrap(),
    };
    let value = |column: &spec_schema::ValueColumn| ValueColumn {
        name: text(&column.value_column_name),
        lowest: column.value_column_lowest as i64,
        span: column.value_column_span,
        bits: column.value_column_bits.try_into().unwrap(),
        moments: column.value_column_moments.try_into().unwrap(),
        scale: column.value_column_scale.try_into().unwrap(),
    };
    Schema {
        append_only: schema.schema_flags == 1,
        deletable: schema.schema_flags == 2,
        writers: to_vec(&schema.schema_writers).iter().map(|writer| byte_vec(writer).try_into().unwrap()).collect(),
        keys: to_vec(&schema.schema_keys).iter().map(key).collect(),
        values: to_vec(&schema.schema_values).iter().map(value).collect(),
        rows: to_vec(&schema.schema_rows).iter().map(text).collect(),
        watermark: byte_vec(&schema.schema_watermark),
    }
}

fn schema_reason(error: &SchemaError) -> SchemaReason {
    match error {
        SchemaError::Bytes(DecodeError::Truncated { .. }) => SchemaReason::SchemaBytes(DecodeReason::Truncated),
        SchemaError::Bytes(DecodeError::Trailing { .. }) => SchemaReason::SchemaBytes(DecodeReason::Trailing),
        SchemaError::Bytes(DecodeError::Unknown { .. }) => SchemaReason::SchemaBytes(DecodeReason::UnknownFormat),
        SchemaError::Bytes(DecodeError::TooLong { .. }) => SchemaReason::SchemaBytes(DecodeReason::Oversized),
        SchemaError::Flags(_) => SchemaReason::FlagsUnknown,
        SchemaError::Writers(_) => SchemaReason::ExcessWriters,
        SchemaError::KeyColumns(_) => SchemaReason::ExcessKeyColumns,
        SchemaError::Name(_) => SchemaReason::NameIllegal,
        SchemaError::Kind { .. } => SchemaReason::KindUnknown,
        SchemaError::Width { .. } => SchemaReason::WidthIllegal,
        SchemaError::KeyBytes(_) => SchemaReason::ExcessKeyBytes,
        SchemaError::ValueColumns(_) => SchemaReason::ExcessValueColumns,
        SchemaError::Bits { .. } => SchemaReason::BitsIllegal,
        SchemaError::Span { .. } => SchemaReason::SpanIllegal,
        SchemaError::Moments { .. } => SchemaReason::MomentsIllegal,
        SchemaError::Repeated(_) => SchemaReason::NameRepeated,
        SchemaError::Watermark => SchemaReason::WatermarkIllegal,
        other => panic!("the specification has no reason like {other}"),
    }
}

fn key_reason(error: KeyError) -> spec_key::TableKeyReason {
    use spec_key::TableKeyReason as Reason;
    match error {
        KeyError::Truncated => Reason::KeyTruncated,
        KeyError::Trailing => Reason::KeyTrailing,
        KeyError::Foreign => Reason::KeyForeign,
        KeyError::Name => Reason::TableNameIllegal,
        KeyError::Part(_) => Reason::KeyPartUnknown,
        KeyError::Column(_) => Reason::ColumnUnknown,
        KeyError::Text => Reason::KeyTextIllegal,
        KeyError::SegmentZero => Reason::SegmentZero,
        KeyError::Count { .. } => Reason::KeyCountMismatched,
        KeyError::Kind(_) => Reason::KeyKindMismatched,
        KeyError::TooWide(_) => Reason::KeyValueTooWide,
        other => panic!("the specification has no reason like {other}"),
    }
}

/// What both sides say of bytes as a schema.
fn judge_schema(bytes: &[u8]) -> Result<(), String> {
    let specified = decode_schema(&byte_string(bytes));
    let read = Schema::from_bytes(bytes);
    let expected = specified.as_ref().map(from_spec).map_err(|reason| *reason);
    assert_eq!(read.clone().map_err(|error| schema_reason(&error)), expected, "{}", hex::encode(bytes));
    if let (Ok(read), Ok(specified)) = (&read, &specified) {
        assert_eq!(read.to_bytes(), bytes);
        assert_eq!(byte_vec(&encode_schema(specified)), bytes);
        assert_eq!(byte_vec(&schema_digest(specified)), read.digest());
        assert_eq!(key_width(&specified.schema_keys), read.key_width());
        assert_eq!(read.check(), Ok(()));
    }
    expected.map(drop).map_err(|reason| format!("{reason:?}"))
}

fn key_from_spec(key: &spec_key::TableKey) -> TableKey {
    match key {
        spec_key::TableKey::SchemaKey(table) => TableKey::Schema { table: text(table) },
        spec_key::TableKey::HeadKey(place) => TableKey::Head {
            table: text(&place.place_table),
            column: place.place_column.try_into().unwrap(),
            columns: byte_vec(&place.place_columns),
            run: place.place_run.try_into().unwrap(),
        },
        spec_key::TableKey::SegmentKey(place) => TableKey::Segment {
            table: text(&place.segment_place_run.place_table),
            column: place.segment_place_run.place_column.try_into().unwrap(),
            columns: byte_vec(&place.segment_place_run.place_columns),
            run: place.segment_place_run.place_run.try_into().unwrap(),
            revision: place.segment_place_revision.try_into().unwrap(),
            segment: place.segment_place_number.try_into().unwrap(),
        },
    }
}

/// What both sides say of bytes as a key.
fn judge_key(schema: &Schema, bytes: &[u8]) -> Result<(), String> {
    let specified = decode_table_key(&to_spec(schema), &byte_string(bytes));
    let read = TableKey::from_bytes(bytes, schema);
    let expected = specified.as_ref().map(key_from_spec).map_err(|reason| *reason);
    assert_eq!(read.clone().map_err(key_reason), expected, "{}", hex::encode(bytes));
    if let (Ok(read), Ok(specified)) = (&read, &specified) {
        assert_eq!(read.to_bytes(), bytes);
        assert_eq!(byte_vec(&encode_table_key(specified)), bytes);
    }
    expected.map(drop).map_err(|reason| format!("{reason:?}"))
}

fn names() -> impl Strategy<Value = String> {
    prop_oneof![20 => "[a-z0-9_-]{1,32}", 1 => "[A-Z a-z]{0,3}", 1 => "[a-z]{33}", 1 => Just("same".to_owned())]
}

fn key_columns() -> impl Strategy<Value = KeyColumn> {
    (names(), 0..3u8, prop_oneof![20 => 1..=8u8, 1 => 0..10u8, 3 => 9..60u8]).prop_map(|(name, kind, width)| {
        KeyColumn {
            name,
            kind: [KeyKind::Unsigned, KeyKind::Signed, KeyKind::Text][usize::from(kind)],
            width: if kind < 2 && width > 9 { width % 8 + 1 } else { width },
        }
    })
}

fn value_columns() -> impl Strategy<Value = ValueColumn> {
    let bits = prop_oneof![20 => (1..=8u8).prop_map(|bytes| 8 * bytes), 1 => 0..80u8];
    let moments = prop_oneof![20 => 1..=3u8, 1 => 0..5u8];
    (names(), any::<i64>(), any::<u64>(), bits, moments, any::<u8>(), 0..20u8).prop_map(
        |(name, lowest, span, bits, moments, scale, edge)| {
            let least = 64u32.saturating_sub(bits.into());
            let span = if edge == 0 { 1u64.checked_shl(bits.into()).unwrap_or(span) } else { span >> least.min(63) };
            ValueColumn { name, lowest, span, bits, moments, scale }
        },
    )
}

fn schemas() -> impl Strategy<Value = Schema> {
    let counts = prop_oneof![30 => 0..4usize, 1 => 7..11usize];
    let columns =
        (counts.clone(), counts.clone(), counts.clone(), counts).prop_flat_map(|(writers, keys, values, rows)| {
            (
                vec(any::<[u8; 32]>(), writers),
                vec(key_columns(), keys),
                vec(value_columns(), values * if values > 6 { 2 } else { 1 }),
                vec(names(), rows),
            )
        });
    let watermark = (0..8u8, vec(any::<u8>(), 8), 0..8usize);
    (columns, 0..40u8, watermark).prop_map(|((writers, keys, values, rows), flags, (choice, noise, zero))| {
        let width = keys.first().map_or(1, |column| usize::from(column.width));
        let mut watermark: Vec<u8> = noise.iter().copied().cycle().take(width).map(|byte| byte.max(1)).collect();
        match choice {
            0 => watermark.iter_mut().skip(zero).for_each(|byte| *byte = 0),
            1 => watermark.iter_mut().skip(zero).take(1).for_each(|byte| *byte = 0),
            2 => {}
            3 => watermark.push(1),
            _ => watermark.clear(),
        }
        let (append_only, deletable) = (flags % 3 == 1 || flags == 39, flags % 3 == 2 || flags == 39);
        Schema { append_only, deletable, writers, keys, values, rows, watermark }
    })
}

fn variants(bytes: &[u8], runner: &mut TestRunner) -> Vec<Vec<u8>> {
    let damages = vec(damage(), 6).new_tree(runner).unwrap().current();
    let cuts = (0..bytes.len()).step_by(1 + bytes.len() / 40).map(|length| bytes[..length].to_vec());
    let alone = damages.iter().map(|damage| damaged(bytes, damage));
    let at = |at: usize| {
        let mut changed = bytes.to_vec();
        changed[at] = 9;
        changed
    };
    let replaced = (0..bytes.len()).step_by(1 + bytes.len() / 40).map(at);
    [bytes.to_vec(), [bytes, &[0]].concat()].into_iter().chain(cuts).chain(alone).chain(replaced).collect()
}

#[test]
fn schemas_are_read_alike_or_refused_for_one_reason() {
    let mut runner = TestRunner::deterministic();
    let mut said = BTreeSet::new();
    for _ in 0..400 {
        let schema = schemas().new_tree(&mut runner).unwrap().current();
        assert_eq!(byte_vec(&encode_schema(&to_spec(&schema))), schema.to_bytes());
        let verdict = judge_schema(&schema.to_bytes());
        assert_eq!(schema.check().is_ok(), verdict.is_ok(), "{schema:?}");
        for variant in variants(&schema.to_bytes(), &mut runner) {
            said.insert(judge_schema(&variant).err().unwrap_or_else(|| "read".to_owned()));
        }
        let random = vec(any::<u8>(), 0..80).new_tree(&mut runner).unwrap().current();
        let _rarely_read = judge_schema(&[&[1, 0, 0], &*random].concat());
    }
    said.extend(judge_schema(&[1; 1025]).err());
    // The key columns have 128 bytes together, and one more.
    let wide = |width| {
        let mut schema = three_kinds();
        schema.keys[2].width = width;
        schema
    };
    assert_eq!((wide(110).key_width(), judge_schema(&wide(110).to_bytes())), (128, Ok(())));
    said.extend(judge_schema(&wide(111).to_bytes()).err());
    let expected = [
        "BitsIllegal",
        "ExcessKeyBytes",
        "ExcessKeyColumns",
        "ExcessValueColumns",
        "ExcessWriters",
        "FlagsUnknown",
        "KindUnknown",
        "MomentsIllegal",
        "NameIllegal",
        "NameRepeated",
        "SchemaBytes(Oversized)",
        "SchemaBytes(Trailing)",
        "SchemaBytes(Truncated)",
        "SchemaBytes(UnknownFormat)",
        "SpanIllegal",
        "WatermarkIllegal",
        "WidthIllegal",
        "read",
    ];
    assert!(said.iter().eq(expected), "{said:?}");
}

/// A schema with a column of each kind, of widths that differ.
fn three_kinds() -> Schema {
    let key = |name: &str, kind, width| KeyColumn { name: name.to_owned(), kind, width };
    let value = |name: &str| ValueColumn { name: name.to_owned(), lowest: -5, span: 9, bits: 8, moments: 2, scale: 0 };
    Schema {
        append_only: false,
        deletable: false,
        writers: vec![],
        keys: vec![
            key("time", KeyKind::Unsigned, 8),
            key("height", KeyKind::Signed, 2),
            key("town", KeyKind::Text, 5),
            key("floor", KeyKind::Signed, 8),
        ],
        values: vec![value("power"), value("water")],
        rows: vec!["user".to_owned()],
        watermark: vec![],
    }
}

fn key_values() -> impl Strategy<Value = Vec<KeyValue>> {
    let small = prop_oneof![10 => -32_768..32_768i64, 1 => any::<i64>(), 1 => Just(32_768), 1 => Just(-32_769)];
    let large = prop_oneof![3 => any::<i64>(), 1 => Just(i64::MIN), 1 => Just(i64::MAX)];
    let town = prop_oneof![10 => "[a-zé]{0,2}", 1 => "[a-z\0]{0,6}"];
    (any::<u64>(), small, town, large, 0..20u8).prop_map(|(time, height, town, floor, choice)| {
        let mut values =
            vec![KeyValue::Unsigned(time), KeyValue::Signed(height), KeyValue::Text(town), KeyValue::Signed(floor)];
        match choice {
            0 => drop(values.pop()),
            1 => values.swap(1, 2),
            _ => {}
        }
        values
    })
}

fn value_to_spec(value: &KeyValue) -> spec_key::KeyValue {
    let (content_kind, content_number, text) = match value {
        KeyValue::Unsigned(number) => (0, *number, ""),
        KeyValue::Signed(number) => (1, (*number as u64).wrapping_add(1 << 63), ""),
        KeyValue::Text(text) => (2, 0, text.as_str()),
    };
    spec_key::KeyValue { content_kind, content_number, content_text: byte_string(text.as_bytes()) }
}

#[test]
fn keys_are_read_alike_or_refused_for_one_reason() {
    let (schema, mut runner) = (three_kinds(), TestRunner::deterministic());
    let mut said = BTreeSet::new();
    for turn in 0..300u32 {
        let values = key_values().new_tree(&mut runner).unwrap().current();
        let contents: Seq<spec_key::KeyValue> = to_seq(values.iter().map(value_to_spec).collect());
        let specified = encode_key_columns(&to_spec(&schema).schema_keys, &contents);
        let encoded = encode_columns(&schema, &values);
        assert_eq!(encoded.clone().map_err(key_reason), specified.as_ref().map(byte_vec).map_err(|reason| *reason));
        let columns = match encoded {
            Ok(columns) => columns,
            Err(error) => {
                said.insert(format!("{:?}", key_reason(error)));
                continue;
            }
        };
        assert_eq!(decode_columns(&schema, &columns), Ok(values));
        let (decoded, rest) = decode_key_columns(&to_spec(&schema).schema_keys, &specified.unwrap()).unwrap();
        assert_eq!((to_vec(&decoded), rest.len()), (to_vec(&contents), 0));
        let (table, column) = ("meters-2".to_owned(), u8::try_from(turn % 3).unwrap());
        let keys = [
            TableKey::Schema { table: table.clone() },
            TableKey::Head { table: table.clone(), column, columns: columns.clone(), run: turn },
            TableKey::Segment { table, column, columns, run: 7, revision: 1, segment: turn % 5 },
        ];
        for key in &keys {
            for variant in variants(&key.to_bytes(), &mut runner) {
                said.insert(judge_key(&schema, &variant).err().unwrap_or_else(|| "read".to_owned()));
            }
        }
    }
    let expected = [
        "ColumnUnknown",
        "KeyCountMismatched",
        "KeyForeign",
        "KeyKindMismatched",
        "KeyPartUnknown",
        "KeyTextIllegal",
        "KeyTrailing",
        "KeyTruncated",
        "KeyValueTooWide",
        "SegmentZero",
        "TableNameIllegal",
        "read",
    ];
    assert!(said.iter().eq(expected), "{said:?}");
}

#[test]
fn the_order_of_encoded_columns_is_the_order_of_their_values() {
    let (schema, mut runner) = (three_kinds(), TestRunner::deterministic());
    let mut rows: Vec<(Vec<KeyValue>, Vec<u8>)> = Vec::new();
    while rows.len() < 300 {
        let values = key_values().new_tree(&mut runner).unwrap().current();
        if let Ok(columns) = encode_columns(&schema, &values) {
            // Few first columns, so that the later ones decide.
            let values = [&[KeyValue::Unsigned(rows.len() as u64 % 3)], &values[1..]].concat();
            let columns = encode_columns(&schema, &values).unwrap_or(columns);
            rows.push((values, columns));
        }
    }
    for (values, columns) in &rows {
        for (others, other) in &rows {
            assert_eq!(values.cmp(others), columns.cmp(other), "{values:?} and {others:?}");
        }
    }
}
