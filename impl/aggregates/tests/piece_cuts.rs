//! Cuts of runs of several segments, beside cuts of their rows in one list; and how little of a
//! long run a cut reads.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a broken premise must stop a test")]

use core::convert::Infallible;
use std::cell::Cell;

use aardvark_aggregates::cut::find::find;
use aardvark_aggregates::cut::pieces::{LongRun, PieceCut, Segments, find_pieces, find_pieces_in};
use aardvark_aggregates::cut::{Cut, CutEnd, CutGoal};

/// The slow twin of [`find_pieces`]: all numbers of a run as one list.
fn naive(runs: &[Segments<'_>], goal: CutGoal) -> Option<PieceCut> {
    let whole: Vec<Vec<u64>> = runs.iter().map(|segments| segments.concat()).collect();
    let whole: Vec<&[u64]> = whole.iter().map(Vec::as_slice).collect();
    let Cut { splits: whole_splits, low, high } = find(&whole, goal)?;
    let (mut shown, mut splits) = (Vec::new(), Vec::new());
    let (mut low_end, mut high_end) = (None, None);
    for ((segments, split), run) in runs.iter().zip(&whole_splits).zip(0u32..) {
        let split = *split as usize;
        let holder = |row: usize| {
            let ends = segments.iter().scan(0, |behind, segment| {
                *behind += segment.len();
                Some(*behind)
            });
            ends.take_while(|end| *end <= row).count()
        };
        let sides = [split.checked_sub(1).map(holder), Some(holder(split)).filter(|place| *place < segments.len())];
        let mut pieces: Vec<usize> = sides.into_iter().flatten().filter(|number| *number > 0).collect();
        pieces.dedup();
        let first = splits.len();
        let place = |number: usize| {
            (first + pieces.iter().position(|piece| *piece == number).map_or(0, |place| place + 1)) as u32
        };
        let end = |end: Option<CutEnd>, number: Option<usize>| {
            let end = end.filter(|end| end.run == run)?;
            Some(CutEnd { run: place(number?), value: end.value })
        };
        low_end = low_end.or(end(low, sides[0]));
        high_end = high_end.or(end(high, sides[1]));
        for number in core::iter::once(0).chain(pieces.iter().copied()) {
            let rank: usize = segments.iter().take(number).map(|segment| segment.len()).sum();
            splits.push(split.saturating_sub(rank).min(segments[number].len()) as u64);
        }
        shown.push(pieces);
    }
    Some(PieceCut { shown, cut: Cut { splits, low: low_end, high: high_end } })
}

/// Ascending numbers with ties, in segments.
fn run(seed: u64, lengths: &[usize]) -> Vec<Vec<u64>> {
    let mut number = seed % 3;
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        number += (state >> 60) / 6;
        number
    };
    lengths.iter().map(|length| (0..*length).map(|_| next()).collect()).collect()
}

#[test]
fn cuts_of_segments_are_those_of_whole_runs() {
    for seed in 0..40 {
        let lengths: [&[usize]; 3] = [&[3, 1, 4, 1, 5], &[2], &[1, 1, 1]];
        let runs: Vec<Vec<Vec<u64>>> = lengths.iter().zip(seed..).map(|(lengths, seed)| run(seed, lengths)).collect();
        let runs: Vec<Segments<'_>> = runs.iter().map(|run| run.iter().map(Vec::as_slice).collect()).collect();
        let mut goals = vec![CutGoal::NoCut];
        goals.extend((0..=20).flat_map(|rank| [CutGoal::AtRank(rank), CutGoal::AroundRank(rank)]));
        goals.extend((0..=30).chain([u64::MAX]).map(CutGoal::BelowNumber));
        for goal in goals {
            assert_eq!(find_pieces(&runs, goal), naive(&runs, goal), "{seed}: {goal:?}");
        }
        assert_eq!(find_pieces(&[], CutGoal::AtRank(1)), None);
    }
}

/// A run of so many segments of ten rows, the row with index i having the number i; counted is
/// which numbers are read.
struct Counted {
    segments: usize,
    read: Cell<usize>,
}

impl LongRun for Counted {
    type Error = Infallible;
    type Numbers = Vec<u64>;

    fn segments(&self) -> usize {
        self.segments
    }

    fn rank(&self, segment: usize) -> Result<u64, Infallible> {
        Ok(10 * segment as u64)
    }

    fn first(&self, segment: usize) -> Result<u64, Infallible> {
        self.rank(segment)
    }

    fn numbers(&self, segment: usize) -> Result<Vec<u64>, Infallible> {
        self.read.set(self.read.get() + 1);
        let first = self.rank(segment)?;
        Ok((first..first + 10).collect())
    }
}

#[test]
fn a_cut_reads_as_many_segments_of_a_long_run_as_of_a_short_one() {
    let read = |segments: usize| {
        let runs = [Counted { segments, read: Cell::new(0) }];
        let rank = 5 * segments as u64;
        let Ok(found) = find_pieces_in(&runs, CutGoal::AroundRank(rank));
        let found = found.unwrap();
        assert_eq!(found.cut.low.map(|end| end.value), Some(rank - 1));
        assert_eq!(found.cut.high.map(|end| end.value), Some(rank));
        runs[0].read.get()
    };
    assert!(read(100_000) <= 70 && read(100_000) <= read(100) + 2, "{} and {}", read(100), read(100_000));
}
