//! Cuts of rows that are known, or can be looked up.

use core::convert::Infallible;

use super::{Cut, CutEnd, CutGoal};

/// A run of rows in ascending order of their numbers, of which no more is read than a cut needs.
pub trait SortedRun {
    /// Why rows cannot be read.
    type Error;

    /// How many rows it has.
    fn rows(&self) -> u64;

    /// How many of its numbers are below one.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn below(&self, number: u64) -> Result<u64, Self::Error>;

    /// How many of its numbers are not above one.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn up_to(&self, number: u64) -> Result<u64, Self::Error>;

    /// The number of a row, by its index; `None` behind the last.
    ///
    /// # Errors
    /// Rows that cannot be read.
    fn at(&self, row: u64) -> Result<Option<u64>, Self::Error>;
}

impl SortedRun for &[u64] {
    type Error = Infallible;

    fn rows(&self) -> u64 {
        self.len() as u64
    }

    fn below(&self, number: u64) -> Result<u64, Infallible> {
        Ok(self.partition_point(|other| *other < number) as u64)
    }

    fn up_to(&self, number: u64) -> Result<u64, Infallible> {
        Ok(self.partition_point(|other| *other <= number) as u64)
    }

    fn at(&self, row: u64) -> Result<Option<u64>, Infallible> {
        Ok(usize::try_from(row).ok().and_then(|row| self.get(row)).copied())
    }
}

/// The cut that is asked for, of runs with these numbers, each ascending; `None` where nothing is
/// asked for, or there are fewer rows than the rank. Of equal numbers those of earlier runs come
/// first.
pub fn find(runs: &[&[u64]], goal: CutGoal) -> Option<Cut> {
    let Ok(cut) = find_in(runs, goal);
    cut
}

/// [`find`] of runs that are looked up: each is asked some 70 times how many rows are below a
/// number.
///
/// # Errors
/// Rows that cannot be read.
pub fn find_in<R: SortedRun>(runs: &[R], goal: CutGoal) -> Result<Option<Cut>, R::Error> {
    match goal {
        CutGoal::NoCut => Ok(None),
        CutGoal::BelowNumber(number) => {
            let splits = runs.iter().map(|run| run.below(number)).collect::<Result<_, _>>()?;
            Ok(Some(Cut { splits, low: None, high: None }))
        }
        CutGoal::AtRank(rank) => {
            let found = at_rank(runs, rank)?;
            Ok(found.map(|(splits, low)| Cut { splits, low: Some(low), high: None }))
        }
        CutGoal::AroundRank(rank) => {
            let Some((splits, low)) = at_rank(runs, rank)? else { return Ok(None) };
            let high = high_end(runs, &splits)?;
            Ok(high.map(|high| Cut { splits, low: Some(low), high: Some(high) }))
        }
    }
}

/// The splits at a rank, and their low end.
fn at_rank<R: SortedRun>(runs: &[R], rank: u64) -> Result<Option<(Vec<u64>, CutEnd)>, R::Error> {
    let Some(number) = number_at(runs, rank)? else { return Ok(None) };
    let mut splits: Vec<u64> = runs.iter().map(|run| run.below(number)).collect::<Result<_, _>>()?;
    let Some(mut missing) = rank.checked_sub(splits.iter().sum()) else { return Ok(None) };
    let mut low = None;
    for ((split, run), place) in splits.iter_mut().zip(runs).zip(0u32..) {
        let taken = missing.min(run.up_to(number)?.saturating_sub(*split));
        *split += taken;
        missing -= taken;
        if taken > 0 && low.is_none() {
            low = Some(CutEnd { run: place, value: number });
        }
    }
    Ok(low.map(|low| (splits, low)))
}

/// The least number up to which there are so many.
fn number_at<R: SortedRun>(runs: &[R], rank: u64) -> Result<Option<u64>, R::Error> {
    let rows: u64 = runs.iter().map(SortedRun::rows).sum();
    if rank == 0 || rank > rows {
        return Ok(None);
    }
    let (mut low, mut high) = (0, u64::MAX);
    while low < high {
        let middle = low + (high - low) / 2;
        let mut count = 0u64;
        for run in runs {
            count = count.saturating_add(run.up_to(middle)?);
        }
        if count >= rank {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(Some(low))
}

/// The least of the rows behind the splits.
fn high_end<R: SortedRun>(runs: &[R], splits: &[u64]) -> Result<Option<CutEnd>, R::Error> {
    let mut least: Option<CutEnd> = None;
    for ((run, split), place) in runs.iter().zip(splits).zip(0u32..) {
        if let Some(value) = run.at(*split)?
            && least.is_none_or(|least| value < least.value)
        {
            least = Some(CutEnd { run: place, value });
        }
    }
    Ok(least)
}
