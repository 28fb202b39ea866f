//! What an answer claims of the order of rows: the openings of its cut's ends, and its comparisons.
//! The cut is one of the pieces of runs ([`crate::table::long_runs`]).
//!
//! The claims stand in this order: the low end, the high end, those of each comparison; the fold's
//! seed binds s3 of each. Of no rows nothing is stated. Source: docs/tables.md, "Order statistics".

use crate::base::bytes::*;
use crate::base::integers::*;
use crate::commitment::folded_opening::*;
use crate::table::comparison::*;
use crate::table::cut::*;
use crate::table::cut_goal::*;
use crate::table::long_runs::*;
use crate::table::table_answer::*;
use crate::table::table_query::*;
use hacspec_lib::*;

/// What an answer claims.
#[derive(Clone, Debug, Default)]
pub struct AnswerClaims {
    /// The claims, in the fold's order.
    pub claims_stated: Seq<FoldedClaim>,
    /// s3 of each comparison, 32 bytes each.
    pub claims_seeds: ByteString,
}

/// Claims without comparisons.
pub fn claims_alone(claimed: &Seq<FoldedClaim>) -> AnswerClaims {
    AnswerClaims { claims_stated: claimed.clone(), claims_seeds: ByteString::new(0) }
}

/// What is asked for of the pieces, where so many rows before the cut are not shown; nothing where
/// these are too many.
pub fn goal_of_pieces(goal: &CutGoal, hidden: u128) -> CutGoal {
    match goal {
        CutGoal::NoCut => CutGoal::NoCut,
        CutGoal::BelowNumber(number) => CutGoal::BelowNumber(*number),
        CutGoal::AtRank(rank) => {
            if *rank >= hidden {
                CutGoal::AtRank(*rank - hidden)
            } else {
                CutGoal::NoCut
            }
        }
        CutGoal::AroundRank(rank) => {
            if *rank >= hidden {
                CutGoal::AroundRank(*rank - hidden)
            } else {
                CutGoal::NoCut
            }
        }
    }
}

/// What a query about order asks for, of these runs.
pub fn goal_of_runs(query: &TableQuery, runs: &Seq<LongRun>) -> CutGoal {
    let rows = u128_of_usize(rows_of_long_runs(runs));
    cut_goal(query.query_function, query.query_a, query.query_b, rows)
}

/// Claims, and those of comparison number i with its rows.
pub fn with_comparison(
    before: &AnswerClaims,
    bits: usize,
    answer_seed: &ByteString,
    rows: &Seq<ComparedRow>,
    shown: &Comparison,
    i: usize,
) -> Result<AnswerClaims, TableRefusal> {
    let c0 = comparison_seed(answer_seed, i, rows);
    let s1 = comparison_bits_seed(&c0, shown);
    let s2 = comparison_quotient_seed(&s1, shown);
    let s3 = comparison_values_seed(&s2, shown);
    match claims_of_comparison(bits, rows, &comparison_challenges(bits, &s1, &s2), shown) {
        Err(fault) => match fault {
            ComparisonFault::PointOnDomain => Err(refuse_table_item(TableReason::ComparisonFalse, i)),
            ComparisonFault::ItemsIllegal => Err(refuse_table_item(TableReason::ComparisonMalformed, i)),
            ComparisonFault::ComparisonMisshapen => Err(refuse_table_item(TableReason::ComparisonMalformed, i)),
        },
        Ok(claimed) => Ok(AnswerClaims {
            claims_stated: before.claims_stated.concat(&claimed),
            claims_seeds: before.claims_seeds.concat(&s3),
        }),
    }
}

/// One step of [`with_comparisons`].
pub fn with_comparisons_step(
    found: Result<AnswerClaims, TableRefusal>,
    bits: usize,
    answer_seed: &ByteString,
    rows: &Seq<ComparedRow>,
    received: &Option<Comparison>,
    i: usize,
) -> Result<AnswerClaims, TableRefusal> {
    match found {
        Err(refusal) => Err(refusal),
        Ok(before) => match received {
            None => Err(refuse_table_item(TableReason::ComparisonMalformed, i)),
            Some(shown) => with_comparison(&before, bits, answer_seed, &rows_of_comparison(rows, i), shown, i),
        },
    }
}

/// Claims, and those of the comparisons of these rows.
pub fn with_comparisons(
    before: AnswerClaims,
    bits: usize,
    answer_seed: &ByteString,
    rows: &Seq<ComparedRow>,
    received: &Seq<Option<Comparison>>,
) -> Result<AnswerClaims, TableRefusal> {
    let mut found = Ok(before);
    for i in 0..received.len() {
        found = with_comparisons_step(found, bits, answer_seed, rows, &received[i], i);
    }
    found
}

/// The claims of a stated cut of the pieces of runs, of numbers of so many bits.
pub fn claims_of_cut(
    query: &TableQuery,
    cap: u64,
    bits: usize,
    runs: &Seq<LongRun>,
    stated: &TableCut,
    answer: &TableAnswer,
    answer_seed: &ByteString,
) -> Result<AnswerClaims, TableRefusal> {
    let records = records_of_long_runs(runs);
    let hidden = hidden_rows(runs, &stated.cut_splits);
    let goal = goal_of_pieces(&goal_of_runs(query, runs), u128_of_usize(hidden.hidden_before));
    let _settled = expect_table(hidden.hidden_settled, TableReason::CutFalse)?;
    match work_of_cut(&records, u128_of_u64(cap), &goal, stated) {
        None => Err(refuse_table(TableReason::CutFalse)),
        Some(work) => {
            let received = &answer.answer_comparisons;
            let counted = received.len() == comparison_count(work.work_rows.len());
            let _count = expect_table(counted, TableReason::PartsMismatched)?;
            with_comparisons(claims_alone(&work.work_claims), bits, answer_seed, &work.work_rows, received)
        }
    }
}

/// Whether a query about order asks for nothing of these runs.
pub fn asks_for_nothing(query: &TableQuery, runs: &Seq<LongRun>) -> bool {
    match goal_of_runs(query, runs) {
        CutGoal::NoCut => true,
        CutGoal::AtRank(_) => false,
        CutGoal::AroundRank(_) => false,
        CutGoal::BelowNumber(_) => false,
    }
}

/// The claims of an answer to a query about order. Where nothing is asked for, nothing is shown.
pub fn claims_of_order(
    query: &TableQuery,
    cap: u64,
    bits: usize,
    runs: &Seq<LongRun>,
    answer: &TableAnswer,
    answer_seed: &ByteString,
) -> Result<AnswerClaims, TableRefusal> {
    match &answer.answer_cut {
        None => {
            let bare = answer.answer_comparisons.len() == 0 && answer.answer_shown.len() == 0;
            let _nothing = expect_table(asks_for_nothing(query, runs) && bare, TableReason::PartsMismatched)?;
            Ok(claims_alone(&Seq::<FoldedClaim>::new(0)))
        }
        Some(stated) => claims_of_cut(query, cap, bits, runs, stated, answer, answer_seed),
    }
}

/// Whether an answer states nothing of the order of rows.
pub fn states_no_order(answer: &TableAnswer) -> bool {
    match &answer.answer_cut {
        None => answer.answer_comparisons.len() == 0,
        Some(_) => false,
    }
}
