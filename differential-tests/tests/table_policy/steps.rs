//! Heads and segments with points of known exponents, on both sides.

use aardvark_aggregates::{Head, Record, Segment, StepFault, WholeRun, judge_step};
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, Scalar};
use aardvark_commitment::Commitment;
use aardvark_oracle::{Safety, TableRequest};
use aardvark_spec::base::group::g1_multiple;
use aardvark_spec::base::scalar::scalar_of_number;
use aardvark_spec::convert::{byte_string, to_seq};
use aardvark_spec::table::run_record::{RunRecord, TablePoint};
use aardvark_spec::table::run_segments as spec;
use aardvark_spec::table::run_segments::StepFault as SpecFault;
use differential_tests::oracle::tables::table;
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
    let own_put: Vec<(u32, Segment)> =
        put.iter().map(|(number, rank, known)| (*number, Segment { rank: *rank, record: record(known).0 })).collect();
    let spec_put = put.iter().map(|(number, rank, known)| spec::RunPiece {
        piece_number: *number as usize,
        piece_rank: *rank as usize,
        piece_record: record(known).1,
    });
    let verdict = judge_step(append_only, 2, own_before.as_ref(), &own_after, &own_put);
    let spec_before = before.map(|before| head(before).1);
    let spec_put = to_seq(spec_put.collect::<Vec<_>>());
    let specified = spec::judge_step(append_only, 2, &spec_before, &spec_after, &spec_put);
    let asked = TableRequest::Step {
        append_only,
        moments: 2,
        before: spec_before.as_ref(),
        after: &spec_after,
        put: &spec_put,
    };
    table(Safety::Ask, &asked).unwrap();
    let said = verdict.map_err(|fault| name(fault).to_owned());
    assert_eq!(said, specified.map_err(|fault: SpecFault| format!("{fault:?}")), "{before:?} {after:?} {put:?}");
    said
}

#[test]
fn both_say_the_same_of_steps_of_a_run() {
    let mut runner = TestRunner::deterministic();
    let known = |rows: u16, noise: u64| Known { log: 3, first: 1, rows, sums: vec![noise % 97 + 1, noise % 89 + 1] };
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
    let expected =
        ["PieceMisplaced", "PieceNumber", "PieceRank", "StepFixed", "StepRecord", "StepRevision", "StepSums", "legal"];
    assert!(said.iter().eq(expected), "{said:?}");
}
