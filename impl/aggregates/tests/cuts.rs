//! Cuts of sorted runs against brute force: whatever is stated, what is accepted is the order
//! statistic, and every honest cut is accepted.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

use aardvark_aggregates::cut::find::find;
use aardvark_aggregates::cut::work::{CutFault, work};
use aardvark_aggregates::{Cut, CutEnd, CutGoal, Record, Side};
use aardvark_commitment::Commitment;

const CAP: u64 = 5;

/// The record of a run at positions from 2 on.
fn record(numbers: &[u64]) -> Record {
    Record {
        log: 4,
        first: 2,
        rows: numbers.len() as u16,
        values: Commitment::identity(),
        root: [0; 32],
        sums: Vec::new(),
    }
}

/// Whether a cut is accepted where exactly the true openings and comparisons can be shown.
fn accepted(runs: &[Vec<u64>], goal: CutGoal, cut: &Cut) -> bool {
    let records: Vec<Record> = runs.iter().map(|numbers| record(numbers)).collect();
    let Ok(work) = work(&records.iter().collect::<Vec<_>>(), CAP, goal, cut) else { return false };
    let number = |run: usize, position: u16| runs[run][usize::from(position) - 2];
    work.opened.iter().all(|row| number(row.run, row.position) == row.value)
        && work.compared.iter().all(|row| {
            let number = number(row.run as usize, row.position);
            match row.side {
                Side::AtLeast => number >= row.threshold,
                Side::AtMost => number <= row.threshold,
            }
        })
}

/// All rows in ascending order.
fn sorted(runs: &[Vec<u64>]) -> Vec<u64> {
    let mut all: Vec<u64> = runs.iter().flatten().copied().collect();
    all.sort_unstable();
    all
}

/// All splits of runs.
fn all_splits(runs: &[Vec<u64>]) -> Vec<Vec<u64>> {
    runs.iter().fold(vec![Vec::new()], |splits, run| {
        let with = |split: &Vec<u64>| {
            let split = split.clone();
            (0..=run.len() as u64).map(move |next| [split.clone(), vec![next]].concat())
        };
        splits.iter().flat_map(with).collect()
    })
}

/// Small sets of runs: all of one, and some of two and three.
fn small_runs() -> Vec<Vec<Vec<u64>>> {
    let mut seed = 1u64;
    let mut next = |bound: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % bound
    };
    let mut sets = vec![vec![vec![0]], vec![vec![CAP]], vec![vec![3, 3, 3]], vec![vec![2], vec![2], vec![2]]];
    for _ in 0..60 {
        let runs = 1 + next(3);
        let run = |next: &mut dyn FnMut(u64) -> u64| {
            let mut numbers: Vec<u64> = (0..1 + next(4)).map(|_| next(CAP + 1)).collect();
            numbers.sort_unstable();
            numbers
        };
        sets.push((0..runs).map(|_| run(&mut next)).collect());
    }
    sets
}

#[test]
fn every_honest_cut_is_accepted_and_has_the_order_statistic_at_its_ends() {
    for runs in small_runs() {
        let (all, known) = (sorted(&runs), runs.iter().map(Vec::as_slice).collect::<Vec<_>>());
        for rank in 1..=all.len() as u64 {
            let goal = CutGoal::AtRank(rank);
            let cut = find(&known, goal).unwrap();
            assert!(accepted(&runs, goal, &cut), "{runs:?} {rank}");
            assert_eq!((cut.low.unwrap().value, cut.high), (all[rank as usize - 1], None));
            let goal = CutGoal::AroundRank(rank);
            match find(&known, goal) {
                None => assert_eq!(rank, all.len() as u64),
                Some(cut) => {
                    assert!(accepted(&runs, goal, &cut), "{runs:?} {rank}");
                    let ends = (cut.low.unwrap().value, cut.high.unwrap().value);
                    assert_eq!(ends, (all[rank as usize - 1], all[rank as usize]));
                }
            }
        }
        for number in 0..=CAP + 2 {
            let goal = CutGoal::BelowNumber(number);
            let cut = find(&known, goal).unwrap();
            assert!(accepted(&runs, goal, &cut), "{runs:?} {number}");
            assert_eq!(cut.splits.iter().sum::<u64>(), all.iter().filter(|other| **other < number).count() as u64);
        }
        assert_eq!(find(&known, CutGoal::AtRank(0)), None);
        assert_eq!(find(&known, CutGoal::AtRank(all.len() as u64 + 1)), None);
        assert_eq!(find(&known, CutGoal::NoCut), None);
    }
}

#[test]
fn whatever_is_stated_an_accepted_cut_is_the_order_statistic() {
    let mut count = 0;
    for runs in small_runs() {
        let all = sorted(&runs);
        let ends: Vec<CutEnd> =
            (0..=runs.len() as u32).flat_map(|run| (0..=CAP + 1).map(move |value| CutEnd { run, value })).collect();
        for splits in all_splits(&runs) {
            let rank: u64 = splits.iter().sum();
            let stated = |low: Option<CutEnd>, high: Option<CutEnd>| Cut { splits: splits.clone(), low, high };
            for low in &ends {
                let cut = stated(Some(*low), None);
                for goal in [rank, rank + 1, rank.saturating_sub(1)].map(CutGoal::AtRank) {
                    if accepted(&runs, goal, &cut) {
                        assert_eq!(goal, CutGoal::AtRank(rank));
                        assert_eq!(low.value, all[rank as usize - 1], "{runs:?} {cut:?}");
                        count += 1;
                    }
                }
                for high in &ends {
                    let cut = stated(Some(*low), Some(*high));
                    if accepted(&runs, CutGoal::AroundRank(rank), &cut) {
                        let ends = (low.value, high.value);
                        assert_eq!(ends, (all[rank as usize - 1], all[rank as usize]), "{runs:?} {cut:?}");
                        count += 1;
                    }
                    assert!(!accepted(&runs, CutGoal::AtRank(rank), &cut));
                }
                assert!(!accepted(&runs, CutGoal::AroundRank(rank), &cut));
                assert!(!accepted(&runs, CutGoal::BelowNumber(low.value), &cut));
                assert!(!accepted(&runs, CutGoal::NoCut, &cut));
            }
            let bare = stated(None, None);
            assert!(!accepted(&runs, CutGoal::AtRank(rank), &bare));
            assert!(!accepted(&runs, CutGoal::NoCut, &bare));
            for number in 0..=CAP + 2 {
                if accepted(&runs, CutGoal::BelowNumber(number), &bare) {
                    assert_eq!(rank, all.iter().filter(|other| **other < number).count() as u64, "{runs:?} {bare:?}");
                    count += 1;
                }
            }
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn splits_that_are_not_those_of_the_runs_are_refused() {
    let records = [record(&[1, 2, 3]), record(&[2])];
    let records: Vec<&Record> = records.iter().collect();
    let low = CutEnd { run: 0, value: 2 };
    let verdict = |splits: &[u64], low: CutEnd, high: Option<CutEnd>| {
        let goal = if high.is_some() { CutGoal::AroundRank(2) } else { CutGoal::AtRank(2) };
        work(&records, CAP, goal, &Cut { splits: splits.to_vec(), low: Some(low), high }).map(|_| ())
    };
    assert_eq!(verdict(&[2, 0], low, None), Ok(()));
    for splits in [vec![], vec![2], vec![2, 0, 0], vec![0, 2], vec![4, 0], vec![u64::MAX, u64::MAX]] {
        assert_eq!(verdict(&splits, low, None), Err(CutFault::Splits), "{splits:?}");
    }
    assert_eq!(verdict(&[3, 0], low, None), Err(CutFault::Total { found: 3, expected: 2 }));
    assert_eq!(verdict(&[2, 0], CutEnd { run: 1, ..low }, None), Err(CutFault::Low));
    assert_eq!(verdict(&[2, 0], CutEnd { run: 2, ..low }, None), Err(CutFault::Low));
    assert_eq!(verdict(&[2, 0], CutEnd { value: CAP + 1, ..low }, None), Err(CutFault::Low));
    let high = |run: u32, value: u64| Some(CutEnd { run, value });
    assert_eq!(verdict(&[2, 0], low, high(0, 3)), Ok(()));
    assert_eq!(verdict(&[2, 0], low, high(1, 2)), Ok(()));
    // A crossed cut: the high end is below the low one.
    assert_eq!(verdict(&[2, 0], low, high(1, 1)), Err(CutFault::Crossed));
    assert_eq!(verdict(&[1, 1], low, high(1, 2)), Err(CutFault::High));
    assert_eq!(verdict(&[2, 0], low, high(7, 2)), Err(CutFault::High));
    assert_eq!(verdict(&[2, 0], low, high(0, CAP + 1)), Err(CutFault::High));
}

#[test]
fn what_the_order_of_a_run_implies_is_not_compared() {
    let records = [record(&[1, 2, 3]), record(&[2, 4])];
    let records: Vec<&Record> = records.iter().collect();
    let sides = |goal: CutGoal, cut: &Cut| -> Vec<(u32, u16, Side)> {
        let compared = work(&records, CAP, goal, cut).unwrap().compared;
        compared.iter().map(|row| (row.run, row.position - 2, row.side)).collect()
    };
    let low = Some(CutEnd { run: 0, value: 2 });
    let at = Cut { splits: vec![2, 1], low, high: None };
    assert_eq!(sides(CutGoal::AtRank(3), &at), [(1, 0, Side::AtMost), (1, 1, Side::AtLeast)]);
    let around = Cut { high: Some(CutEnd { run: 1, value: 4 }), ..at };
    assert_eq!(sides(CutGoal::AroundRank(3), &around), [(0, 2, Side::AtLeast), (1, 0, Side::AtMost)]);
    // One run alone is in order: nothing is compared.
    let one = work(
        &records[..1],
        CAP,
        CutGoal::AtRank(3),
        &Cut { splits: vec![3], low: Some(CutEnd { run: 0, value: 3 }), high: None },
    );
    assert!(one.unwrap().compared.is_empty());
    let below = Cut { splits: vec![1, 0], low: None, high: None };
    assert_eq!(
        sides(CutGoal::BelowNumber(2), &below),
        [(0, 0, Side::AtMost), (0, 1, Side::AtLeast), (1, 0, Side::AtLeast)]
    );
}

/// The goal of a percentile by its definition: the rows sorted, positions counted by hand.
#[test]
fn ranks_of_percentiles_are_those_of_their_definitions() {
    for n in 1..=20u64 {
        for q in 1..=12u64 {
            for k in 0..=q {
                // The least row that a share of k/q of the rows does not exceed.
                let disc = (1..=n).find(|j| j * q >= n * k).unwrap();
                assert_eq!(CutGoal::of((3, k, q), n), CutGoal::AtRank(disc), "{n} {k}/{q}");
                // The least of the greatest t rows, t the least count of at least n k / q, and
                // of 1.
                let t = (1..=n).find(|t| t * q >= n * k).unwrap();
                assert_eq!(CutGoal::of((5, k, q), n), CutGoal::AtRank(n - t + 1), "{n} {k}/{q}");
                let (whole, rest) = ((n - 1) * k / q, (n - 1) * k % q);
                let expected = if rest == 0 { CutGoal::AtRank(whole + 1) } else { CutGoal::AroundRank(whole + 1) };
                assert_eq!(CutGoal::of((4, k, q), n), expected, "{n} {k}/{q}");
            }
        }
        // min, max, and a 95th percentile.
        assert_eq!(CutGoal::of((3, 0, 1), n), CutGoal::AtRank(1));
        assert_eq!(CutGoal::of((3, 1, 1), n), CutGoal::AtRank(n));
        assert_eq!(CutGoal::of((2, n, 0), n), CutGoal::AtRank(n));
        assert_eq!(CutGoal::of((2, n + 1, 0), n), CutGoal::NoCut);
    }
    assert_eq!(CutGoal::of((3, 19, 20), 100), CutGoal::AtRank(95));
    for function in 1..=7 {
        assert_eq!(CutGoal::of((function, 1, 1), 0), CutGoal::NoCut);
        assert_eq!(
            CutGoal::of((function, u64::MAX, 0), (1 << 40) - 1) == CutGoal::BelowNumber(u64::MAX),
            function == 6
        );
    }
    let most = (1 << 40) - 1;
    assert_eq!(CutGoal::of((3, u64::MAX - 1, u64::MAX), most), CutGoal::AtRank(most));
    assert_eq!(CutGoal::of((4, u64::MAX - 1, u64::MAX), most), CutGoal::AroundRank(most - 1));
}
