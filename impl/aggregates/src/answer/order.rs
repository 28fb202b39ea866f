//! What an answer claims of the order of rows: the openings of its cut's ends, and its comparisons.

use super::Answer;
use super::reason::{AnswerError, TableReason};
use super::runs::{BoxRun, Claims, hidden_before, piece_records};
use crate::comparison::ComparisonError;
use crate::cut::CutGoal;
use crate::cut::show::{self, CutClaimsError};
use crate::cut::work::work;
use crate::query::Query;
use crate::schema::ValueColumn;

/// What a query about order asks for, of these runs.
pub(super) fn goal(query: &Query, runs: &[BoxRun]) -> CutGoal {
    CutGoal::of(query.function().parts(), runs.iter().map(|run| run.head.rows()).sum())
}

/// The claims of an answer with this seed. Where nothing is asked for, as of an empty box, there is
/// no cut.
pub(super) fn claims(
    answer: &Answer,
    query: &Query,
    column: &ValueColumn,
    runs: &[BoxRun],
    a0: &[u8; 32],
) -> Result<Claims, AnswerError> {
    let mismatched = AnswerError::whole(TableReason::PartsMismatched);
    if !answer.totals.is_empty() || answer.row.is_some() {
        return Err(mismatched);
    }
    let goal = goal(query, runs);
    let Some(cut) = &answer.cut else {
        let nothing = goal == CutGoal::NoCut && answer.comparisons.is_empty() && answer.segments.is_empty();
        return if nothing { Ok(Claims::default()) } else { Err(mismatched) };
    };
    let false_cut = AnswerError::whole(TableReason::CutFalse);
    let hidden = hidden_before(runs, &cut.splits).ok_or(false_cut)?;
    let records = piece_records(runs);
    let work = work(&records, column.span, goal.behind(hidden), cut).map_err(|_| false_cut)?;
    let bits = usize::from(column.bits);
    let claimed = show::claims(bits, a0, &work, &records, &answer.comparisons).map_err(|error| match error {
        CutClaimsError::Comparison { number, source: ComparisonError::PointOnDomain } => {
            AnswerError::item(TableReason::ComparisonFalse, number)
        }
        CutClaimsError::Comparison { number, .. } => AnswerError::item(TableReason::ComparisonMalformed, number),
        _ => mismatched,
    })?;
    Ok(Claims { points: claimed.points, claims: claimed.claims, seeds: claimed.seeds })
}
