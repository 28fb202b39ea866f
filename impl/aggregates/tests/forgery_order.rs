//! The forgeries that the published artifact of *TAP* lets through, against order statistics, each
//! beside its honest case: g, quantiles that are too large or too small by a rank, honest ones that
//! are refused, cuts that cross. The letters are those of docs/tables.md, "Forgeries".
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod scene;

use aardvark_aggregates::comparison::prover::ComparisonProverError;
use aardvark_aggregates::cut::find::find;
use aardvark_aggregates::cut::show::{claims, fold_seed, show};
use aardvark_aggregates::cut::work::{CutFault, work};
use aardvark_aggregates::fold_prover::fold_polynomials;
use aardvark_aggregates::{Cut, CutEnd, CutGoal, KnownSegment, MaskSource, Record};
use aardvark_commitment::FoldedOpening;
use scene::{setup, verifier};

const BITS: usize = 8;
const CAP: u64 = 255;
const ANSWER_SEED: [u8; 32] = [6; 32];

/// Runs on domains of several sizes.
struct Runs {
    records: Vec<Record>,
    segments: Vec<KnownSegment>,
}

/// What is shown of a cut.
#[derive(Clone)]
struct Shown {
    comparisons: Vec<Vec<u8>>,
    opening: Option<FoldedOpening>,
}

impl Runs {
    fn new(numbers: &[&[u64]]) -> Self {
        let mut source = MaskSource::new([8; 32]);
        let draw = |(k, numbers): (usize, &&[u64])| KnownSegment::draw(&mut source, 1 + k % 2, numbers.to_vec(), 1);
        let segments: Vec<KnownSegment> = numbers.iter().enumerate().map(draw).collect();
        let commit = |(k, segment): (usize, &KnownSegment)| segment.commit(setup().sheet(3 + k % 3).unwrap(), [9; 32]);
        Self { records: segments.iter().enumerate().map(commit).collect(), segments }
    }

    fn sorted(&self) -> Vec<u64> {
        let mut all: Vec<u64> = self.segments.iter().flat_map(|segment| segment.numbers.clone()).collect();
        all.sort_unstable();
        all
    }

    fn records(&self) -> Vec<&Record> {
        self.records.iter().collect()
    }

    fn find(&self, goal: CutGoal) -> Option<Cut> {
        find(&self.segments.iter().map(|segment| segment.numbers.as_slice()).collect::<Vec<_>>(), goal)
    }

    fn show(&self, goal: CutGoal, cut: &Cut) -> Result<Shown, ComparisonProverError> {
        let work = work(&self.records(), CAP, goal, cut).unwrap();
        let runs: Vec<(&Record, &KnownSegment)> = self.records.iter().zip(&self.segments).collect();
        let shown = show(setup(), BITS, &ANSWER_SEED, &work, &runs, &mut MaskSource::new([4; 32]))?;
        let seed = fold_seed(&ANSWER_SEED, &shown.seeds);
        let fold = || fold_polynomials(&setup().sheet(5).unwrap().powers, &seed, &shown.opened).unwrap();
        let opening = (!shown.opened.is_empty()).then(fold);
        Ok(Shown { comparisons: shown.comparisons.iter().map(|shown| shown.to_bytes()).collect(), opening })
    }

    /// Whether a cut that is stated is shown.
    fn verdict(&self, goal: CutGoal, cut: &Cut, shown: &Shown) -> Result<bool, CutFault> {
        let work = work(&self.records(), CAP, goal, cut)?;
        let Ok(claimed) = claims(BITS, &ANSWER_SEED, &work, &self.records(), &shown.comparisons) else {
            return Ok(false);
        };
        let seed = fold_seed(&ANSWER_SEED, &claimed.seeds);
        match &shown.opening {
            None => Ok(claimed.claims.is_empty()),
            Some(opening) => Ok(verifier().verify_fold(&seed, &claimed.points, &claimed.claims, opening)),
        }
    }

    fn honest(&self, goal: CutGoal) -> (Cut, Shown) {
        let cut = self.find(goal).unwrap();
        let shown = self.show(goal, &cut).unwrap();
        assert_eq!(self.verdict(goal, &cut, &shown), Ok(true), "{goal:?} {cut:?}");
        (cut, shown)
    }
}

fn several() -> Runs {
    Runs::new(&[&[3, 3, 7], &[0, 5, 200, 255], &[9], &[7, 7, 8]])
}

#[test]
fn forgery_g_honest_percentiles_are_accepted() {
    for runs in [several(), Runs::new(&[&[40]]), Runs::new(&[&[5, 5], &[5], &[5, 5]]), Runs::new(&[&[1, 2, 3]])] {
        let all = runs.sorted();
        let n = all.len() as u64;
        let at = |rank: u64| all[rank as usize - 1];
        // p0, p5, the median's share, p95, p100: with q = 1 as well.
        for (k, q) in [(0, 1), (1, 20), (1, 2), (19, 20), (1, 1)] {
            for function in [3, 4, 5] {
                let goal = CutGoal::of((function, k, q), n);
                let (cut, _) = runs.honest(goal);
                let ends = (cut.low.unwrap().value, cut.high.map(|end| end.value));
                match goal {
                    CutGoal::AtRank(rank) => assert_eq!(ends, (at(rank), None)),
                    CutGoal::AroundRank(rank) => assert_eq!(ends, (at(rank), Some(at(rank + 1)))),
                    _ => panic!("{goal:?}"),
                }
            }
        }
        for number in [0, 1, 5, 7, 8, 255, 256] {
            let (cut, _) = runs.honest(CutGoal::BelowNumber(number));
            assert_eq!(cut.splits.iter().sum::<u64>(), all.iter().filter(|other| **other < number).count() as u64);
        }
    }
}

#[test]
fn forgery_g_a_percentile_that_is_off_by_one_rank_is_refused() {
    let runs = several();
    let goal = CutGoal::of((3, 1, 20), 11);
    assert_eq!(goal, CutGoal::AtRank(1));
    for rank in 1..=11 {
        let goal = CutGoal::AtRank(rank);
        for other in [rank - 1, rank + 1] {
            let Some(cut) = runs.find(CutGoal::AtRank(other)) else { continue };
            // Another rank's cut, with what shows it.
            let shown = runs.show(CutGoal::AtRank(other), &cut).unwrap();
            assert_eq!(runs.verdict(goal, &cut, &shown), Err(CutFault::Total { found: other, expected: rank }));
            // Its number at the honest splits.
            let (honest, shown) = runs.honest(goal);
            let (low, value) = (honest.low.unwrap(), cut.low.unwrap().value);
            if value != low.value {
                let moved = Cut { low: Some(CutEnd { value, ..low }), ..honest };
                assert_eq!(runs.verdict(goal, &moved, &shown), Ok(false));
            }
        }
    }
}

#[test]
fn forgery_g_splits_of_other_rows_have_no_proof_and_take_none() {
    let runs = several();
    let goal = CutGoal::AtRank(5);
    let (honest, shown) = runs.honest(goal);
    for from in 0..4 {
        for to in 0..4 {
            let mut splits = honest.splits.clone();
            let legal = from != to && splits[from] > 0 && splits[to] < u64::from(runs.records[to].rows);
            if !legal {
                continue;
            }
            splits[from] -= 1;
            splits[to] += 1;
            for low in (0..4).filter(|run| splits[*run] > 0) {
                let value = runs.segments[low].numbers[splits[low] as usize - 1];
                let cut = Cut { splits: splits.clone(), low: Some(CutEnd { run: low as u32, value }), high: None };
                if cut == honest {
                    continue;
                }
                assert_eq!(runs.verdict(goal, &cut, &shown), Ok(false));
                match runs.show(goal, &cut) {
                    // Ties have several cuts, all of one number.
                    Ok(other) => {
                        assert_eq!(value, runs.sorted()[4]);
                        assert_eq!(runs.verdict(goal, &cut, &other), Ok(true));
                    }
                    Err(error) => assert!(matches!(error, ComparisonProverError::Side(_)), "{error:?}"),
                }
            }
        }
    }
}

#[test]
fn forgery_g_a_crossed_cut_and_a_moved_end_are_refused() {
    let runs = several();
    let goal = CutGoal::AroundRank(5);
    let (honest, shown) = runs.honest(goal);
    let (low, high) = (honest.low.unwrap(), honest.high.unwrap());
    let stated = |low: CutEnd, high: CutEnd| Cut { low: Some(low), high: Some(high), ..honest.clone() };
    assert!(low.value <= high.value);
    let crossed = stated(CutEnd { value: high.value + 1, ..low }, high);
    assert_eq!(runs.verdict(goal, &crossed, &shown), Err(CutFault::Crossed));
    for (low_step, high_step) in [(1, 1), (0, 1), (1, 0)] {
        let moved =
            stated(CutEnd { value: low.value - low_step, ..low }, CutEnd { value: high.value + high_step, ..high });
        assert_eq!(runs.verdict(goal, &moved, &shown), Ok(false));
    }
    // A high end that is left out, or that nothing asks for.
    let alone = Cut { high: None, ..honest.clone() };
    assert_eq!(runs.verdict(goal, &alone, &shown), Err(CutFault::Ends));
    assert_eq!(runs.verdict(CutGoal::AtRank(5), &honest, &shown), Err(CutFault::Ends));
    // Comparisons that are left out, or too many.
    let without = Shown { comparisons: Vec::new(), ..shown.clone() };
    assert_eq!(runs.verdict(goal, &honest, &without), Ok(false));
    let twice = Shown { comparisons: [shown.comparisons.clone(), shown.comparisons.clone()].concat(), ..shown };
    assert_eq!(runs.verdict(goal, &honest, &twice), Ok(false));
}

#[test]
fn forgery_e_the_seed_of_a_fold_binds_every_comparison() {
    let seeds = [[1; 32], [2; 32]];
    let expected = aardvark_algebra::TaggedHash::new("AARDVARK-V1-ANSWER-FOLD").chain(ANSWER_SEED);
    let expected = seeds.iter().fold(expected, |hash, seed| hash.chain(seed)).finalize();
    assert_eq!(fold_seed(&ANSWER_SEED, &seeds), expected);
}

#[test]
fn one_run_is_cut_without_a_comparison() {
    let runs = Runs::new(&[&[1, 2, 3]]);
    for rank in 1..=3 {
        assert!(runs.honest(CutGoal::AtRank(rank)).1.comparisons.is_empty());
    }
    // Ends of one run follow from its order, both openings are shown.
    assert!(runs.honest(CutGoal::AroundRank(2)).1.comparisons.is_empty());
    // Nothing is below the least number, and all is below what is above the cap.
    for number in [0, 256] {
        let (_, shown) = runs.honest(CutGoal::BelowNumber(number));
        assert!(shown.comparisons.is_empty() && shown.opening.is_none());
    }
}
