//! Cuts of known runs of several segments: which segments have to be shown, and the cut of the
//! pieces that are shown (`aardvark_spec::table::long_runs`).

use core::convert::Infallible;

use super::find::{SortedRun, find_in};
use super::{Cut, CutEnd, CutGoal};

/// A cut of runs of several segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceCut {
    /// For each run the segments that are shown, ascending, without the first, which always is.
    pub shown: Vec<Vec<usize>>,
    /// The cut of the pieces.
    pub cut: Cut,
}

/// A run: the numbers of each segment, in their order.
pub type Segments<'a> = Vec<&'a [u64]>;

/// A run of segments, of which no more is read than a cut needs: to find where a number stands, the
/// first numbers of few segments, and the rows of one.
pub trait LongRun {
    /// Why rows cannot be read.
    type Error;
    /// A segment's numbers.
    type Numbers: AsRef<[u64]>;

    /// How many segments it has, at least one.
    fn segments(&self) -> usize;

    /// How many rows stand before a segment, which may be the one behind the last.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn rank(&self, segment: usize) -> Result<u64, Self::Error>;

    /// The first number of a segment.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn first(&self, segment: usize) -> Result<u64, Self::Error>;

    /// The numbers of a segment, ascending.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn numbers(&self, segment: usize) -> Result<Self::Numbers, Self::Error>;

    /// The last segment for which something holds that holds up to some segment, and not behind
    /// that; the first one where it holds for none.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn last_where(&self, holds: impl Fn(usize) -> Result<bool, Self::Error>) -> Result<usize, Self::Error> {
        let (mut low, mut high) = (0, self.segments());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if holds(middle)? {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// The segment that holds a row; `None` behind the last one.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn holder(&self, row: u64) -> Result<Option<usize>, Self::Error> {
        if row >= self.rank(self.segments())? {
            return Ok(None);
        }
        self.last_where(|segment| Ok(self.rank(segment)? <= row)).map(Some)
    }
}

/// Rows of a long run, as one run.
struct Whole<'a, R> {
    run: &'a R,
    rows: u64,
}

impl<R: LongRun> Whole<'_, R> {
    /// How many rows stand before the place that their numbers have in the segment that holds it.
    fn count(&self, is_before: impl Fn(u64) -> bool) -> Result<u64, R::Error> {
        let segment = self.run.last_where(|segment| Ok(is_before(self.run.first(segment)?)))?;
        let numbers = self.run.numbers(segment)?;
        let within = numbers.as_ref().partition_point(|number| is_before(*number)) as u64;
        Ok(self.run.rank(segment)?.saturating_add(within))
    }
}

impl<R: LongRun> SortedRun for Whole<'_, R> {
    type Error = R::Error;

    fn rows(&self) -> u64 {
        self.rows
    }

    fn below(&self, number: u64) -> Result<u64, R::Error> {
        self.count(|other| other < number)
    }

    fn up_to(&self, number: u64) -> Result<u64, R::Error> {
        self.count(|other| other <= number)
    }

    fn at(&self, row: u64) -> Result<Option<u64>, R::Error> {
        let Some(segment) = self.run.holder(row)? else { return Ok(None) };
        let within = row.saturating_sub(self.run.rank(segment)?);
        let numbers = self.run.numbers(segment)?;
        Ok(usize::try_from(within).ok().and_then(|within| numbers.as_ref().get(within)).copied())
    }
}

/// The cut that is asked for, of runs with these numbers; `None` where nothing is asked for, or
/// there are fewer rows than the rank. Shown are the segments with the rows on both sides of each
/// run's split.
pub fn find_pieces(runs: &[Segments<'_>], goal: CutGoal) -> Option<PieceCut> {
    let runs: Vec<KnownRun<'_>> = runs.iter().map(KnownRun).collect();
    let Ok(cut) = find_pieces_in(&runs, goal);
    cut
}

/// [`find_pieces`] of runs that are looked up.
///
/// # Errors
/// Rows that cannot be read.
pub fn find_pieces_in<R: LongRun>(runs: &[R], goal: CutGoal) -> Result<Option<PieceCut>, R::Error> {
    let whole = |run: &'_ R| run.rank(run.segments());
    let rows: Vec<u64> = runs.iter().map(whole).collect::<Result<_, _>>()?;
    let whole: Vec<Whole<'_, R>> = runs.iter().zip(rows).map(|(run, rows)| Whole { run, rows }).collect();
    let Some(Cut { splits: whole_splits, low, high }) = find_in(&whole, goal)? else { return Ok(None) };
    let (mut shown, mut splits) = (Vec::new(), Vec::new());
    let (mut low_end, mut high_end) = (None, None);
    for ((run, split), number) in runs.iter().zip(&whole_splits).zip(0u32..) {
        let before = match split.checked_sub(1) {
            Some(row) => run.holder(row)?,
            None => None,
        };
        let behind = run.holder(*split)?;
        let mut pieces: Vec<usize> = before.into_iter().chain(behind).filter(|segment| *segment > 0).collect();
        pieces.dedup();
        let place = |segment: usize| {
            let among = if segment == 0 { 0 } else { 1 + pieces.iter().position(|piece| *piece == segment)? };
            u32::try_from(splits.len() + among).ok()
        };
        let end = |end: Option<CutEnd>, segment: Option<usize>| match (end, segment) {
            (Some(end), Some(segment)) if end.run == number => Some(CutEnd { run: place(segment)?, value: end.value }),
            _ => None,
        };
        low_end = low_end.or(end(low, before));
        high_end = high_end.or(end(high, behind));
        for segment in core::iter::once(0).chain(pieces.iter().copied()) {
            let rank = run.rank(segment)?;
            let rows = run.rank(segment + 1)?.saturating_sub(rank);
            splits.push(split.saturating_sub(rank).min(rows));
        }
        shown.push(pieces);
    }
    Ok(Some(PieceCut { shown, cut: Cut { splits, low: low_end, high: high_end } }))
}

/// A run whose rows are at hand.
struct KnownRun<'a>(&'a Segments<'a>);

impl<'a> LongRun for KnownRun<'a> {
    type Error = Infallible;
    type Numbers = &'a [u64];

    fn segments(&self) -> usize {
        self.0.len().max(1)
    }

    fn rank(&self, segment: usize) -> Result<u64, Infallible> {
        Ok(self.0.iter().take(segment).map(|numbers| numbers.len() as u64).sum())
    }

    fn first(&self, segment: usize) -> Result<u64, Infallible> {
        Ok(self.0.get(segment).and_then(|numbers| numbers.first()).copied().unwrap_or(u64::MAX))
    }

    fn numbers(&self, segment: usize) -> Result<&'a [u64], Infallible> {
        Ok(self.0.get(segment).copied().unwrap_or_default())
    }
}
