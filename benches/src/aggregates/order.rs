//! Order statistics: making what shows them, and verifying it.
//!
//! Of runs of five rows, twenty on a domain of 128 positions: the least row, the median, the 5th
//! and the 95th percentile. `*_prove` finds the cut and shows it, `*_verify` checks the cut, makes
//! the compared rows of it and verifies comparisons and opening; bytes are those of comparisons and
//! opening.
//!
//! Checked: each result is that of all rows sorted, each verdict is an acceptance, and an end that
//! is one larger is refused.

use aardvark_aggregates::cut::find::find;
use aardvark_aggregates::cut::show::{claims, fold_seed, show};
use aardvark_aggregates::cut::work::work;
use aardvark_aggregates::fold_prover::fold_polynomials;
use aardvark_aggregates::{Cut, CutGoal, KnownSegment, MaskSource, ProverSetup, Record, TableVerifier};
use aardvark_commitment::FoldedOpening;

use super::options::{Options, TABLE};
use crate::error::{BenchError, require};
use crate::measure::contest::{Contender, Effort, hold};
use crate::measure::row::Row;
use crate::report::Report;
use crate::workload::random::Random;

/// Bits of a number.
const BITS: usize = 32;
/// The greatest number.
const CAP: u64 = u32::MAX as u64;
/// Rows of a run.
const ROWS: usize = 5;
/// Runs on one domain.
const TOGETHER: usize = 20;
/// The logarithm of the domain's size.
const LOG: usize = 7;
/// The seed of the answer that a cut belongs to.
const ANSWER_SEED: [u8; 32] = [5; 32];

/// A statistic: the names of making, verifying and bytes, the function's number and its share.
struct Statistic {
    names: [&'static str; 3],
    function: (u8, u64, u64),
}

/// What is asked.
const ASKED: [Statistic; 4] = [
    Statistic { names: ["min_prove", "min_verify", "min_bytes"], function: (3, 0, 1) },
    Statistic { names: ["median_prove", "median_verify", "median_bytes"], function: (4, 1, 2) },
    Statistic { names: ["percentile_5_prove", "percentile_5_verify", "percentile_5_bytes"], function: (3, 1, 20) },
    Statistic { names: ["percentile_95_prove", "percentile_95_verify", "percentile_95_bytes"], function: (3, 19, 20) },
];

/// Measures order statistics.
pub fn run(
    setup: &ProverSetup,
    verifier: &TableVerifier,
    options: &Options,
    report: &mut Report,
) -> Result<(), BenchError> {
    for count in &options.runs {
        let runs = Runs::new(setup, *count)?;
        eprintln!("{} rows in {count} runs", count * ROWS);
        for Statistic { names, function } in ASKED {
            let goal = CutGoal::of(function, (count * ROWS) as u64);
            runs.measure(names, goal, verifier, options, report)?;
        }
    }
    Ok(())
}

/// Runs with random rows.
struct Runs<'a> {
    setup: &'a ProverSetup,
    segments: Vec<KnownSegment>,
    records: Vec<Record>,
}

/// A cut and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shown {
    cut: Cut,
    comparisons: Vec<Vec<u8>>,
    opening: FoldedOpening,
}

impl<'a> Runs<'a> {
    fn new(setup: &'a ProverSetup, count: usize) -> Result<Self, BenchError> {
        let (mut random, mut source) = (Random::new(count as u64), MaskSource::new([3; 32]));
        let sheet = setup.sheet(LOG)?;
        let mut draw = |k: usize| {
            let mut numbers: Vec<u64> = (0..ROWS).map(|_| random.below(CAP)).collect();
            numbers.sort_unstable();
            KnownSegment::draw(&mut source, 1 + (k % TOGETHER) * (ROWS + 1), numbers, 1)
        };
        let segments: Vec<KnownSegment> = (0..count).map(&mut draw).collect();
        let records = segments.iter().map(|segment| segment.commit(sheet, [0; 32])).collect();
        Ok(Self { setup, segments, records })
    }

    fn show(&self, goal: CutGoal) -> Result<Shown, BenchError> {
        let wrong = |problem: &str| BenchError::Wrong(problem.to_owned());
        let numbers: Vec<&[u64]> = self.segments.iter().map(|segment| segment.numbers.as_slice()).collect();
        let cut = find(&numbers, goal).ok_or_else(|| wrong("there is no such cut"))?;
        let records: Vec<&Record> = self.records.iter().collect();
        let work = work(&records, CAP, goal, &cut).map_err(|fault| wrong(&fault.to_string()))?;
        let runs: Vec<(&Record, &KnownSegment)> = self.records.iter().zip(&self.segments).collect();
        let shown = show(self.setup, BITS, &ANSWER_SEED, &work, &runs, &mut MaskSource::new([9; 32]))
            .map_err(|error| wrong(&error.to_string()))?;
        let seed = fold_seed(&ANSWER_SEED, &shown.seeds);
        let powers = &self.setup.sheet(LOG.max(11))?.powers;
        let opening =
            fold_polynomials(powers, &seed, &shown.opened).ok_or_else(|| wrong("the fold met its own point"))?;
        let comparisons = shown.comparisons.iter().map(|comparison| comparison.to_bytes()).collect();
        Ok(Shown { cut, comparisons, opening })
    }

    fn verdict(&self, verifier: &TableVerifier, goal: CutGoal, shown: &Shown) -> bool {
        let records: Vec<&Record> = self.records.iter().collect();
        let Ok(work) = work(&records, CAP, goal, &shown.cut) else { return false };
        let Ok(claimed) = claims(BITS, &ANSWER_SEED, &work, &records, &shown.comparisons) else { return false };
        let seed = fold_seed(&ANSWER_SEED, &claimed.seeds);
        verifier.verify_fold(&seed, &claimed.points, &claimed.claims, &shown.opening)
    }

    /// Whether the ends are those of all rows sorted.
    fn is_true(&self, goal: CutGoal, cut: &Cut) -> bool {
        let mut all: Vec<u64> = self.segments.iter().flat_map(|segment| segment.numbers.clone()).collect();
        all.sort_unstable();
        let at = |rank: u64| usize::try_from(rank).ok().and_then(|rank| all.get(rank.checked_sub(1)?)).copied();
        let ends = (cut.low.map(|end| end.value), cut.high.map(|end| end.value));
        match goal {
            CutGoal::AtRank(rank) => ends == (at(rank), None),
            CutGoal::AroundRank(rank) => ends == (at(rank), at(rank + 1)),
            _ => false,
        }
    }

    fn measure(
        &self,
        [prove, verify, bytes]: [&'static str; 3],
        goal: CutGoal,
        verifier: &TableVerifier,
        options: &Options,
        report: &mut Report,
    ) -> Result<(), BenchError> {
        let (scheme, size) = ("kzg 32 bits", (self.segments.len() * ROWS) as u64);
        let shown = self.show(goal)?;
        require(self.is_true(goal, &shown.cut), || format!("{prove}: not the row of all rows sorted"))?;
        let mut larger = shown.clone();
        if let Some(low) = &mut larger.cut.low {
            low.value += 1;
        }
        require(!self.verdict(verifier, goal, &larger), || format!("{verify}: a larger number was accepted"))?;
        let length = shown.comparisons.iter().map(Vec::len).sum::<usize>() + shown.opening.to_bytes().len();
        report.add(Row::counted(TABLE, scheme, bytes, "bytes", length as f64).size(size))?;
        let contenders = vec![
            Contender::new((scheme, prove), size, |_| self.show(goal), |_, made| *made == shown),
            Contender::new(
                (scheme, verify),
                size,
                |_| Ok(self.verdict(verifier, goal, &shown)),
                |_, accepted| *accepted,
            ),
        ];
        hold(TABLE, contenders, None, &Effort::iterations(options.repetitions))?
            .into_iter()
            .try_for_each(|row| report.add(row))
    }
}
