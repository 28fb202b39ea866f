//! Which changes of a table's keys are legal: specification and implementation say the same of
//! histories of a small table, honest and hostile.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

#[path = "table_policy/steps.rs"]
mod steps;

use std::collections::{BTreeMap, BTreeSet};

use aardvark_aggregates::{
    Head, KeyColumn, KeyKind, KnownSegment, MaskSource, PolicyFault, ProverSetup, Record, Schema, TableChange,
    TableKey, ValueColumn, judge_begin, judge_change,
};
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G2Affine, Scalar, batch_to_affine, ff::Field};
use aardvark_oracle::{Safety, TableRequest};
use aardvark_spec::convert::byte_string;
use aardvark_spec::table::schema_decoder::decode_schema;
use aardvark_spec::table::table_policy as spec;
use aardvark_spec::table::table_policy::TableFault;
use differential_tests::oracle::tables::table;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

fn fault_name(fault: &PolicyFault) -> &'static str {
    match fault {
        PolicyFault::Key(_) => "ChangedKey",
        PolicyFault::Schema(_) => "ChangedSchema",
        PolicyFault::Head(_) => "ChangedHead",
        PolicyFault::Watermark => "WatermarkEarly",
        PolicyFault::NoTable => "TableUnknown",
        PolicyFault::SchemaChanged => "SchemaFixed",
        PolicyFault::Closed => "ColumnsClosed",
        PolicyFault::Immutable => "RunFixed",
        PolicyFault::Layout(_) => "RecordMisplaced",
        PolicyFault::Revision { .. } => "RevisionMismatched",
        PolicyFault::Segment => "SegmentUnread",
        PolicyFault::Absent => "RunAbsent",
        other => panic!("the specification has no fault like {other}"),
    }
}

fn spec_fault_name(fault: TableFault) -> String {
    let name = format!("{fault:?}");
    name.split('(').next().unwrap().to_owned()
}

fn change_name(change: &TableChange) -> &'static str {
    match change {
        TableChange::Created(_) => "TableCreated",
        TableChange::Sealed(_) => "TableSealed",
        TableChange::Put { .. } => "RunPut",
        TableChange::Deleted(_) => "RunDeleted",
    }
}

fn spec_change_name(change: &spec::TableChange) -> &'static str {
    match change {
        spec::TableChange::TableCreated(_) => "TableCreated",
        spec::TableChange::TableSealed(_) => "TableSealed",
        spec::TableChange::RunPut(_) => "RunPut",
        spec::TableChange::RunDeleted(_) => "RunDeleted",
    }
}

fn schema(flags: u8, moments: u8) -> Schema {
    Schema {
        append_only: flags == 1,
        deletable: flags == 2,
        writers: vec![],
        keys: vec![KeyColumn { name: "time".to_owned(), kind: KeyKind::Unsigned, width: 1 }],
        values: vec![ValueColumn { name: "power".to_owned(), lowest: 0, span: 9, bits: 8, moments, scale: 0 }],
        rows: vec![],
        watermark: vec![],
    }
}

/// The record of a segment of two rows, for so many moments.
fn record(moments: u8) -> Record {
    let tau = Scalar::from(7);
    let powers = core::iter::successors(Some(Scalar::ONE), |power| Some(power * tau)).take(18);
    let powers: Vec<_> = powers.map(|power| G1Affine::generator() * power).collect();
    let setup = ProverSetup::from_powers(batch_to_affine(&powers), (G2Affine::generator() * tau).to_affine());
    let segment = KnownSegment::draw(&mut MaskSource::new([1; 32]), 1, vec![3, 5], usize::from(moments));
    segment.commit(setup.sheet(3).unwrap(), [4; 32])
}

/// What both sides say of a change.
fn judged(schema: Option<&Schema>, key: &[u8], before: Option<&Vec<u8>>, after: Option<&Vec<u8>>) -> (String, bool) {
    let verdict = judge_change(schema, key, before.map(Vec::as_slice), after.map(Vec::as_slice));
    if let (Some(schema), None, Some(after)) = (schema, before, after)
        && let Ok(head) = Head::from_bytes(after, usize::from(schema.values[0].moments))
    {
        let begins = judge_begin(schema, key, &head);
        assert_eq!(begins.as_ref().err().map(fault_name), verdict.as_ref().err().map(fault_name), "{key:?} {head:?}");
    }
    let standing = schema.map(|schema| decode_schema(&byte_string(&schema.to_bytes())).unwrap());
    let optional = |content: Option<&Vec<u8>>| content.map(|bytes| byte_string(bytes));
    let (key, before, after) = (byte_string(key), optional(before), optional(after));
    let specified = spec::judge_change(&standing, &key, &before, &after);
    let encoded = schema.map(|schema| byte_string(&schema.to_bytes()));
    let asked = TableRequest::Change {
        standing: encoded.as_ref(),
        changed: &key,
        before: before.as_ref(),
        after: after.as_ref(),
    };
    table(Safety::Ask, &asked).unwrap();
    let said = verdict.as_ref().map_or_else(|fault| fault_name(fault), change_name).to_owned();
    let expected = match &specified {
        Ok(change) => spec_change_name(change).to_owned(),
        Err(fault) => spec_fault_name(*fault),
    };
    assert_eq!(said, expected, "{schema:?} {key:?} {before:?} {after:?}");
    (said, verdict.is_ok())
}

#[test]
fn both_say_the_same_of_histories_of_a_table() {
    let mut runner = TestRunner::deterministic();
    let mut said = BTreeSet::new();
    let records: Vec<Record> = (1..=3).map(record).collect();
    for history in 0..60u8 {
        let (flags, moments) = (history % 3, history % 2 + 1);
        let mut schema_now: Option<Schema> = None;
        let mut heads: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        let steps = (0..14u8, 0..4u8, 0..3u32, any::<[u8; 4]>());
        for _ in 0..40 {
            let (kind, time, run, noise) = steps.new_tree(&mut runner).unwrap().current();
            let columns = vec![time];
            let head_key =
                TableKey::Head { table: "t".to_owned(), column: 0, columns: columns.clone(), run }.to_bytes();
            let revision =
                heads.get(&head_key).map_or(0, |head| u32::from_be_bytes(head[1..5].try_into().unwrap()) + 1);
            let head = |change: &dyn Fn(&mut Head)| {
                let mut head = Head::single(revision, records[usize::from(moments) - 1].clone());
                change(&mut head);
                Some(head.to_bytes())
            };
            let sealed = |watermark: Vec<u8>| Some(Schema { watermark, ..schema(flags, moments) }.to_bytes());
            let schema_key = TableKey::Schema { table: "t".to_owned() }.to_bytes();
            let mut cut_key = head_key.clone();
            cut_key.truncate(usize::from(noise[0]) % head_key.len());
            let (key, after) = match kind {
                0 | 1 => (schema_key, sealed(vec![])),
                2 => (schema_key, if noise[0] < 40 { None } else { sealed(vec![noise[0] % 5]) }),
                3 => (schema_key, Some(vec![1, noise[1]])),
                4 => (head_key, None),
                5 => (head_key, head(&|head| head.revision = u32::from(noise[1] % 3))),
                6 => (head_key, head(&|head| head.record.first = u16::from(noise[1] % 6))),
                7 => (head_key, head(&|head| head.record.log = noise[1] % 13)),
                8 => (head_key, head(&|head| head.record.rows = u16::from(noise[1] % 6))),
                9 => (head_key, head(&|head| head.record.sums = records[2].sums.clone())),
                10 => (cut_key, head(&|_| ())),
                11 => {
                    let segment = u32::from(noise[1] % 2);
                    let place = TableKey::Segment { table: "t".to_owned(), column: 0, columns, run, revision, segment };
                    (place.to_bytes(), head(&|_| ()))
                }
                _ => (head_key, head(&|_| ())),
            };
            let before = match &schema_now {
                Some(schema) if key.ends_with(&[0]) && key.len() == 4 => Some(schema.to_bytes()),
                _ => heads.get(&key).cloned(),
            };
            let (name, legal) = judged(schema_now.as_ref(), &key, before.as_ref(), after.as_ref());
            if legal {
                match (name.as_str(), after) {
                    ("TableCreated" | "TableSealed", Some(after)) => schema_now = Schema::from_bytes(&after).ok(),
                    ("RunPut", Some(after)) => drop(heads.insert(key, after)),
                    _ => drop(heads.remove(&key)),
                }
            }
            said.insert(name);
        }
    }
    // A run that was replaced as often as can be counted.
    let last = Head::single(u32::MAX, records[0].clone()).to_bytes();
    let key = TableKey::Head { table: "t".to_owned(), column: 0, columns: vec![0], run: 0 }.to_bytes();
    assert_eq!(judged(Some(&schema(0, 1)), &key, Some(&last), Some(&last)).0, "RevisionMismatched");
    let expected = [
        "ChangedHead",
        "ChangedKey",
        "ChangedSchema",
        "ColumnsClosed",
        "RecordMisplaced",
        "RevisionMismatched",
        "RunAbsent",
        "RunDeleted",
        "RunFixed",
        "RunPut",
        "SchemaFixed",
        "SegmentUnread",
        "TableCreated",
        "TableSealed",
        "TableUnknown",
        "WatermarkEarly",
    ];
    assert!(said.iter().eq(expected), "{said:?}");
}
