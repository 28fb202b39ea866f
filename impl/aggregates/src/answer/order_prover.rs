//! Answers about the order of rows that are known.

use super::Answer;
use super::order::goal;
use super::prover::{AnswerProverError, Ground, bare, folded, known_runs, seed_of};
use super::runs::{hidden_before, piece_records};
use crate::comparison::MAX_COMPARED;
use crate::cut::find::find;
use crate::cut::show::{fold_seed, show};
use crate::cut::work::work;
use crate::cut::{Cut, CutGoal};
use crate::masks::MaskSource;
use crate::query::{Function, Query};
use crate::record::Record;
use crate::segment::KnownSegment;
use crate::setup::ProverSetup;

/// The answer to a query about the order of the rows of the runs in the box, in their order, with
/// the next masks of a source. The text is that which the query was read from.
///
/// # Errors
/// [`AnswerProverError`].
pub fn answer_order(
    setup: &ProverSetup,
    query: &Query,
    text: &str,
    ground: Ground,
    segments: &[KnownSegment],
    masks: &mut MaskSource,
) -> Result<Answer, AnswerProverError> {
    answer_cut(setup, query, text, ground, segments, None, masks)
}

/// [`answer_order`] with the cut of the pieces that the ground shows, whose rows are given piece by
/// piece, run by run: that which `find_pieces` makes of all rows. It is needed where a run has
/// several segments.
///
/// # Errors
/// [`AnswerProverError`].
pub fn answer_cut(
    setup: &ProverSetup,
    query: &Query,
    text: &str,
    ground: Ground,
    segments: &[KnownSegment],
    cut: Option<Cut>,
    masks: &mut MaskSource,
) -> Result<Answer, AnswerProverError> {
    if matches!(query.function(), Function::Totals { .. } | Function::Row) {
        return Err(AnswerProverError::Function);
    }
    let column = query.value_column().ok_or(AnswerProverError::Function)?;
    let mut answer = bare(query, text, ground);
    let (places, runs) = known_runs(&answer, query, segments)?;
    let goal = goal(query, &runs);
    let cut = match cut {
        Some(cut) => cut,
        None if goal == CutGoal::NoCut => return Ok(answer),
        None => {
            // Without a cut of the pieces all rows have to be at hand.
            if let Some(run) = runs.iter().position(|run| run.head.whole.is_some()) {
                return Err(AnswerProverError::Rows(run));
            }
            let numbers: Vec<&[u64]> = segments.iter().map(|segment| segment.numbers.as_slice()).collect();
            let Some(cut) = find(&numbers, goal) else { return Ok(answer) };
            cut
        }
    };
    let hidden = hidden_before(&runs, &cut.splits).ok_or(AnswerProverError::Rows(0))?;
    let records = piece_records(&runs);
    let work = work(&records, column.span, goal.behind(hidden), &cut).map_err(|_| AnswerProverError::Rows(0))?;
    answer.cut = Some(cut);
    let a0 = seed_of(query, &answer, &places);
    let known: Vec<(&Record, &KnownSegment)> = records.iter().copied().zip(segments).collect();
    let shown = show(setup, usize::from(column.bits), &a0, &work, &known, masks)?;
    answer.comparisons = shown.comparisons.iter().map(|comparison| comparison.to_bytes()).collect();
    let compared = work.compared.len().min(MAX_COMPARED) + 2;
    let log = compared.next_power_of_two().trailing_zeros() as usize;
    let log = records.iter().map(|record| usize::from(record.log)).fold(log, usize::max);
    answer.opening = folded(setup, log, &fold_seed(&a0, &shown.seeds), &shown.opened)?;
    Ok(answer)
}
