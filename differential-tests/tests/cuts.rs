//! Cuts of sorted runs: specification and implementation ask for the same rank or number, refuse
//! the same cuts, and have the same rows opened and compared for the others.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

use aardvark_aggregates::cut::work::work;
use aardvark_aggregates::{Cut, CutEnd, CutGoal, Record};
use aardvark_algebra::Domain;
use aardvark_commitment::Commitment;
use aardvark_spec::commitment::folded_opening::FoldedClaim;
use aardvark_spec::convert::{byte_string, byte_vec, scalar_from_bytes, to_seq, to_vec};
use aardvark_spec::table::comparison as spec_comparison;
use aardvark_spec::table::cut as spec;
use aardvark_spec::table::cut_goal as spec_goal;
use aardvark_spec::table::run_record::{RunRecord, TablePoint};

const CAP: u64 = 3;

fn spec_goal_of(goal: CutGoal) -> spec_goal::CutGoal {
    match goal {
        CutGoal::NoCut => spec_goal::CutGoal::NoCut,
        CutGoal::AtRank(rank) => spec_goal::CutGoal::AtRank(u128::from(rank)),
        CutGoal::AroundRank(rank) => spec_goal::CutGoal::AroundRank(u128::from(rank)),
        CutGoal::BelowNumber(number) => spec_goal::CutGoal::BelowNumber(u128::from(number)),
    }
}

fn spec_end(end: Option<CutEnd>) -> Option<spec::CutEnd> {
    end.map(|end| spec::CutEnd { end_run: end.run as usize, end_value: u128::from(end.value) })
}

/// Runs of so many rows; the commitments are the identity.
fn records(rows: &[u16]) -> (Vec<Record>, Vec<RunRecord>) {
    let own = |(k, rows): (usize, &u16)| Record {
        log: 3 + (k % 3) as u8,
        first: 1 + k as u16,
        rows: *rows,
        values: Commitment::identity(),
        root: [k as u8; 32],
        sums: Vec::new(),
    };
    let own: Vec<Record> = rows.iter().enumerate().map(own).collect();
    let specified = |record: &Record| RunRecord {
        record_log: usize::from(record.log),
        record_first: usize::from(record.first),
        record_rows: usize::from(record.rows),
        record_values: TablePoint { held_bytes: byte_string(&record.values.to_bytes()), ..TablePoint::default() },
        record_root: byte_string(&record.root),
        record_sums: to_seq(Vec::new()),
    };
    let specified = own.iter().map(specified).collect();
    (own, specified)
}

#[test]
fn both_ask_for_the_same_of_so_many_rows() {
    let numbers = [0, 1, 2, 3, 7, 19, 20, 1 << 32, u64::MAX - 1, u64::MAX];
    for rows in [0, 1, 2, 3, 10, 19, 20, 21, 1000, (1 << 40) - 1] {
        for function in 1..=7u8 {
            for a in numbers {
                for b in numbers {
                    // Shares are at most 1.
                    if (3..=5).contains(&function) && (b == 0 || a > b) {
                        continue;
                    }
                    let (a_wide, b_wide) = (u128::from(a), u128::from(b));
                    let specified = spec_goal::cut_goal(usize::from(function), a_wide, b_wide, u128::from(rows));
                    let own = CutGoal::of((function, a, b), rows);
                    assert_eq!(spec_goal_of(own), specified, "{function} {a} {b} of {rows}");
                }
            }
        }
    }
}

#[test]
fn both_refuse_the_same_cuts_and_have_the_same_rows_shown() {
    let (own, specified) = records(&[2, 1, 2]);
    let (listed, specified) = (own.iter().collect::<Vec<_>>(), to_seq(specified));
    let ends: Vec<Option<CutEnd>> = core::iter::once(None)
        .chain((0..=3).flat_map(|run| [0, 2, CAP, CAP + 1].map(|value| Some(CutEnd { run, value }))))
        .collect();
    let goals: Vec<CutGoal> = (0..=6)
        .flat_map(|j| [CutGoal::AtRank(j), CutGoal::AroundRank(j), CutGoal::BelowNumber(j)])
        .chain([CutGoal::NoCut])
        .collect();
    let mut accepted = 0;
    let splits = (0..4u64.pow(3)).map(|number| vec![number % 4, number / 4 % 4, number / 16]);
    for splits in splits.chain([vec![], vec![1, 1], vec![1, 1, 1, 0]]) {
        for low in &ends {
            for high in &ends {
                let cut = Cut { splits: splits.clone(), low: *low, high: *high };
                let stated = spec::TableCut {
                    cut_splits: to_seq(splits.iter().map(|split| *split as usize).collect()),
                    cut_low: spec_end(*low),
                    cut_high: spec_end(*high),
                };
                assert_eq!(byte_vec(&spec::encode_cut(&stated)), cut.to_bytes());
                let wanted = splits.iter().sum::<u64>();
                // All goals where no end is stated, and those near the splits elsewhere.
                let near = |goal: &CutGoal| match goal {
                    CutGoal::AtRank(rank) | CutGoal::AroundRank(rank) => rank.abs_diff(wanted) <= 1,
                    _ => low.is_none() && high.is_none(),
                };
                for goal in goals.iter().copied().filter(near) {
                    let verdict = work(&listed, CAP, goal, &cut);
                    let judged = spec::work_of_cut(&specified, u128::from(CAP), &spec_goal_of(goal), &stated);
                    assert_eq!(verdict.is_ok(), judged.is_some(), "{goal:?} {cut:?}");
                    let (Ok(work), Some(judged)) = (verdict, judged) else { continue };
                    accepted += 1;
                    let rows: Vec<u8> = work.compared.iter().flat_map(|row| row.to_bytes()).collect();
                    assert_eq!(byte_vec(&spec_comparison::encode_compared_rows(&judged.work_rows)), rows);
                    let claim = |row: &aardvark_aggregates::cut::work::OpenedRow| {
                        let domain = Domain::new(1 << own[row.run].log).unwrap();
                        let point = domain.element(usize::from(row.position));
                        let scalar = |scalar| scalar_from_bytes(&aardvark_algebra::scalar_to_bytes(&scalar));
                        (scalar(point), scalar(aardvark_algebra::Scalar::from(row.value)))
                    };
                    let claimed = |claim: &FoldedClaim| (claim.folded_point, claim.folded_value);
                    let specified: Vec<_> = to_vec(&judged.work_claims).iter().map(claimed).collect();
                    assert_eq!(work.opened.iter().map(claim).collect::<Vec<_>>(), specified);
                }
            }
        }
    }
    assert!(accepted > 100, "{accepted}");
}

#[test]
fn both_cut_compared_rows_into_the_same_chunks() {
    let item = spec_comparison::ComparedRow::default();
    for count in [0, 1, 1021, 1022, 1023, 2044, 2045] {
        let rows = to_seq(vec![item.clone(); count]);
        let own: Vec<usize> =
            vec![(); count].chunks(aardvark_aggregates::comparison::MAX_COMPARED).map(<[()]>::len).collect();
        assert_eq!(spec::comparison_count(count), own.len());
        let chunks = (0..own.len() + 1).map(|i| spec::rows_of_comparison(&rows, i).len());
        assert_eq!(chunks.collect::<Vec<_>>(), [own, vec![0]].concat());
    }
}
