//! Which changes of a table's keys are legal: specification and implementation say the same of
//! histories of a small table, honest and hostile.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::collections::{BTreeMap, BTreeSet};

use aardvark_aggregates::{
    Head, KeyColumn, KeyKind, KnownSegment, MaskSource, PolicyFault, ProverSetup, Record, Schema, TableChange,
    TableKey, ValueColumn, judge_change,
};
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G2Affine, Scalar, batch_to_affine, ff::Field};
use aardvark_spec::convert::byte_string;
use aardvark_spec::table::schema_decoder::decode_schema;
use aardvark_spec::table::table_policy as spec;
use aardvark_spec::table::table_policy::TableFault;
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
    let standing = schema.map(|schema| decode_schema(&byte_string(&schema.to_bytes())).unwrap());
    let optional = |content: Option<&Vec<u8>>| content.map(|bytes| byte_string(bytes));
    let specified = spec::judge_change(&standing, &byte_string(key), &optional(before), &optional(after));
    let said = verdict.as_ref().map_or_else(|fault| fault_name(fault), change_name).to_owned();
    let expected = match &specified {
        Ok(change) => spec_change_name(change).to_owned(),
        Err(fault) => spec_fault_name(*fault),
    };
    assert_eq!(said, expected, "{schema:?} {} {before:?} {after:?}", hex::encode(key));
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

/// Heads and segments with points of known exponents, on both sides.
mod steps {
    use aardvark_aggregates::{Head, Record, Segment, StepFault, WholeRun, judge_step};
    use aardvark_algebra::group::Curve;
    use aardvark_algebra::group::prime::PrimeCurveAffine;
    use aardvark_algebra::{G1Affine, Scalar};
    use aardvark_commitment::Commitment;
    use aardvark_spec::base::group::g1_multiple;
    use aardvark_spec::base::scalar::scalar_of_number;
    use aardvark_spec::convert::{byte_string, to_seq};
    use aardvark_spec::table::run_record::{RunRecord, TablePoint};
    use aardvark_spec::table::run_segments as spec;
    use aardvark_spec::table::run_segments::StepFault as SpecFault;
    use proptest::prelude::*;
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;
    use std::collections::BTreeSet;

    /// A record by small numbers: its rows and the exponents of its points.
    #[derive(Clone, Debug, PartialEq)]
    struct Known {
        log: u8,
        first: u16,
        rows: u16,
        sums: Vec<u64>,
    }

    #[derive(Clone, Debug, PartialEq)]
    struct KnownHead {
        revision: u32,
        segments: u32,
        rows: u64,
        record: Known,
        totals: Vec<u64>,
    }

    fn point(exponent: u64) -> Commitment {
        Commitment::from_point_unchecked((G1Affine::generator() * Scalar::from(exponent)).to_affine())
    }

    fn spec_point(exponent: u64) -> TablePoint {
        TablePoint {
            held_element: g1_multiple(scalar_of_number(u128::from(exponent))),
            held_bytes: byte_string(&point(exponent).to_bytes()),
        }
    }

    fn record(known: &Known) -> (Record, RunRecord) {
        let Known { log, first, rows, sums } = known;
        let own = Record {
            log: *log,
            first: *first,
            rows: *rows,
            values: point(9),
            root: [4; 32],
            sums: sums.iter().map(|sum| point(*sum)).collect(),
        };
        let specified = RunRecord {
            record_log: usize::from(*log),
            record_first: usize::from(*first),
            record_rows: usize::from(*rows),
            record_values: spec_point(9),
            record_root: byte_string(&[4; 32]),
            record_sums: to_seq(sums.iter().map(|sum| spec_point(*sum)).collect()),
        };
        (own, specified)
    }

    fn head(known: &KnownHead) -> (Head, spec::LongHead) {
        let (own, specified) = record(&known.record);
        let whole = (known.segments != 1).then(|| WholeRun {
            segments: known.segments,
            rows: known.rows,
            totals: known.totals.iter().map(|total| point(*total)).collect(),
        });
        let totals = if known.segments == 1 { Vec::new() } else { known.totals.clone() };
        let specified = spec::LongHead {
            long_revision: known.revision as usize,
            long_segments: known.segments as usize,
            long_rows: known.rows as usize,
            long_record: specified,
            long_totals: to_seq(totals.iter().map(|total| spec_point(*total)).collect()),
        };
        (Head { revision: known.revision, record: own, whole }, specified)
    }

    fn name(fault: StepFault) -> &'static str {
        match fault {
            StepFault::Misplaced(_) => "PieceMisplaced",
            StepFault::Immutable => "StepFixed",
            StepFault::Revision { .. } => "StepRevision",
            StepFault::Record => "StepRecord",
            StepFault::Nothing | StepFault::Number { .. } => "PieceNumber",
            StepFault::Rank { .. } => "PieceRank",
            StepFault::Sums => "StepSums",
            other => panic!("the specification has no fault like {other}"),
        }
    }

    /// What both say of a step.
    fn judged(
        append_only: bool,
        before: Option<&KnownHead>,
        after: &KnownHead,
        put: &[(u32, u64, Known)],
    ) -> Result<(), String> {
        let (own_after, spec_after) = head(after);
        // Bytes of a head say these things, or are none.
        assert_eq!(Head::from_bytes(&own_after.to_bytes(), 2).ok(), Some(own_after.clone()));
        let own_before = before.map(|before| head(before).0);
        let own_put: Vec<(u32, Segment)> = put
            .iter()
            .map(|(number, rank, known)| (*number, Segment { rank: *rank, record: record(known).0 }))
            .collect();
        let spec_put = put.iter().map(|(number, rank, known)| spec::RunPiece {
            piece_number: *number as usize,
            piece_rank: *rank as usize,
            piece_record: record(known).1,
        });
        let verdict = judge_step(append_only, 2, own_before.as_ref(), &own_after, &own_put);
        let spec_before = before.map(|before| head(before).1);
        let specified =
            spec::judge_step(append_only, 2, &spec_before, &spec_after, &to_seq(spec_put.collect::<Vec<_>>()));
        let said = verdict.map_err(|fault| name(fault).to_owned());
        assert_eq!(said, specified.map_err(|fault: SpecFault| format!("{fault:?}")), "{before:?} {after:?} {put:?}");
        said
    }

    #[test]
    fn both_say_the_same_of_steps_of_a_run() {
        let mut runner = TestRunner::deterministic();
        let known =
            |rows: u16, noise: u64| Known { log: 3, first: 1, rows, sums: vec![noise % 97 + 1, noise % 89 + 1] };
        let (mut said, mut standing): (BTreeSet<String>, Option<KnownHead>) = Default::default();
        for round in 0..400u32 {
            let noise = any::<[u64; 6]>().new_tree(&mut runner).unwrap().current();
            // An honest step: begin, replace, or grow.
            let grows = standing.is_some() && !noise[0].is_multiple_of(3);
            let begun = |revision: u32| {
                let record = known(noise[1] as u16 % 4 + 1, noise[2]);
                let (rows, totals) = (u64::from(record.rows), record.sums.clone());
                KnownHead { revision, segments: 1, rows, record, totals }
            };
            let mut after = match &standing {
                Some(before) if grows => before.clone(),
                Some(before) => begun(before.revision + 1),
                None => begun(0),
            };
            let mut put = Vec::new();
            for i in 0..noise[3] % 3 + u64::from(grows) {
                let record = known((noise[4] >> i) as u16 % 4 + 1, noise[5] >> i);
                put.push((after.segments, after.rows, record.clone()));
                after.segments += 1;
                after.rows += u64::from(record.rows);
                after.totals.iter_mut().zip(&record.sums).for_each(|(total, sum)| *total += sum);
            }
            // A change of it, in every second round.
            let append_only = round % 7 == 6;
            if round % 2 == 1 {
                match noise[0] % 11 {
                    0 => after.revision += 1,
                    1 => after.rows += 1,
                    2 if after.segments > 1 => after.segments += 1,
                    3 => after.totals[1] += 1,
                    4 => after.record.first = noise[1] as u16 % 6,
                    5 => put.reverse(),
                    6 => drop(put.pop()),
                    7 => put.iter_mut().take(1).for_each(|piece| piece.1 += 1),
                    8 => put.iter_mut().take(1).for_each(|piece| piece.0 += 1),
                    9 => put.iter_mut().take(1).for_each(|piece| piece.2.rows = 9),
                    _ => put.iter_mut().take(1).for_each(|piece| piece.2.sums[0] += 1),
                }
                if after.segments == 1 {
                    after.rows = u64::from(after.record.rows);
                }
            }
            if Head::from_bytes(&head(&after).0.to_bytes(), 2).is_err() {
                continue;
            }
            match judged(append_only, standing.as_ref(), &after, &put) {
                Ok(()) => {
                    said.insert("legal".to_owned());
                    standing = (round % 40 != 39).then_some(after);
                }
                Err(fault) => drop(said.insert(fault)),
            }
        }
        let expected = [
            "PieceMisplaced",
            "PieceNumber",
            "PieceRank",
            "StepFixed",
            "StepRecord",
            "StepRevision",
            "StepSums",
            "legal",
        ];
        assert!(said.iter().eq(expected), "{said:?}");
    }
}
