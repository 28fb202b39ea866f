//! Cuts of known runs of several segments: which segments have to be shown, and the cut of the
//! pieces that are shown (`aardvark_spec::table::long_runs`).

use super::find::find;
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

/// The cut that is asked for, of runs with these numbers; `None` where nothing is asked for, or
/// there are fewer rows than the rank. Shown are the segments with the rows on both sides of each
/// run's split.
pub fn find_pieces(runs: &[Segments<'_>], goal: CutGoal) -> Option<PieceCut> {
    let whole: Vec<Vec<u64>> = runs.iter().map(|segments| segments.concat()).collect();
    let whole: Vec<&[u64]> = whole.iter().map(Vec::as_slice).collect();
    let Cut { splits: whole_splits, low, high } = find(&whole, goal)?;
    let (mut shown, mut splits) = (Vec::new(), Vec::new());
    let (mut low_end, mut high_end) = (None, None);
    for ((segments, split), run) in runs.iter().zip(&whole_splits).zip(0u32..) {
        let split = usize::try_from(*split).ok()?;
        let (before, behind) = (split.checked_sub(1).and_then(|row| holder(segments, row)), holder(segments, split));
        let mut pieces: Vec<usize> = before.into_iter().chain(behind).filter(|number| *number > 0).collect();
        pieces.dedup();
        let place = |number: usize| {
            let among = if number == 0 { 0 } else { 1 + pieces.iter().position(|piece| *piece == number)? };
            u32::try_from(splits.len() + among).ok()
        };
        let end = |end: Option<CutEnd>, number: Option<usize>| match (end, number) {
            (Some(end), Some(number)) if end.run == run => Some(CutEnd { run: place(number)?, value: end.value }),
            _ => None,
        };
        low_end = low_end.or(end(low, before));
        high_end = high_end.or(end(high, behind));
        for number in core::iter::once(0).chain(pieces.iter().copied()) {
            let rank: usize = segments.iter().take(number).map(|segment| segment.len()).sum();
            let rows = segments.get(number)?.len();
            splits.push(split.saturating_sub(rank).min(rows) as u64);
        }
        shown.push(pieces);
    }
    Some(PieceCut { shown, cut: Cut { splits, low: low_end, high: high_end } })
}

/// The segment that holds a row of a run.
fn holder(segments: &[&[u64]], row: usize) -> Option<usize> {
    let mut behind = 0;
    segments.iter().position(|segment| {
        behind += segment.len();
        row < behind
    })
}
