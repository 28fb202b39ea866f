//! What an answer claims of the runs' commitments, by the query's function, and the fold that shows
//! it.
//!
//! Totals claim (C_p, 1, S_p) of each group; a row claims (V, ω^position, value). Where nothing is
//! claimed there is no opening. Source: docs/tables.md, "Answers".

use crate::base::bytes::*;
use crate::base::integers::*;
use crate::base::scalar::*;
use crate::commitment::commitment_tree::*;
use crate::commitment::folded_opening::*;
use crate::commitment::opening::*;
use crate::commitment::scheme::*;
use crate::table::domain_values::*;
use crate::table::long_runs::*;
use crate::table::run_record::*;
use crate::table::sheet::*;
use crate::table::table_answer::*;
use crate::table::table_answer_order::*;
use crate::table::table_query::*;
use crate::table::table_schema::*;
use crate::table::totals::*;
use hacspec_lib::*;

/// How many bits the numbers of a query's column have; 0 where there is no such column.
pub fn bits_of_query(query: &TableQuery, schema: &TableSchema) -> usize {
    if query.query_column < schema.schema_values.len() {
        schema.schema_values[query.query_column].value_column_bits
    } else {
        0
    }
}

/// One step of [`totals_shaped`].
pub fn totals_shaped_step(shaped: bool, totals: &Seq<ByteString>, powers: usize) -> bool {
    shaped && totals.len() == powers
}

/// Whether totals are stated for as many groups as there are, of so many powers; where no power is
/// asked for, none are.
pub fn totals_shaped(stated: &Seq<Seq<ByteString>>, groups: &Seq<GroupTotals>, powers: usize) -> bool {
    let mut shaped = if powers < 1 { stated.len() == 0 } else { stated.len() == groups.len() };
    for i in 0..stated.len() {
        shaped = totals_shaped_step(shaped, &stated[i], powers);
    }
    shaped
}

/// Whether an answer shows a row.
pub fn shows_row(answer: &TableAnswer) -> bool {
    match &answer.answer_row {
        None => false,
        Some(_) => true,
    }
}

/// The claims of the totals that an answer states.
pub fn claims_of_stated_totals(
    query: &TableQuery,
    cap: u64,
    groups: &Seq<GroupTotals>,
    answer: &TableAnswer,
) -> Result<Seq<FoldedClaim>, TableRefusal> {
    let powers = usize_of_u128(query.query_a);
    let stated = &answer.answer_totals;
    let shaped = totals_shaped(stated, groups, powers) && !shows_row(answer);
    let _shape = expect_table(shaped, TableReason::PartsMismatched)?;
    let _bounds = expect_table(totals_legal(stated, groups, cap, powers), TableReason::TotalsExceeded)?;
    Ok(claims_of_totals(stated, groups))
}

/// Whether a row's position is one of the run's, its number at most the cap, and its text at this
/// position.
pub fn row_holds(record: &RunRecord, cap: u64, row: &ShownRow) -> bool {
    let first = record.record_first;
    if row.row_position >= first && row.row_position < first + record.record_rows {
        let leaf = row_leaf(&row.row_salt, &row.row_texts);
        match root_of_path(record.record_rows, row.row_position - first, &leaf, &row.row_path) {
            None => false,
            Some(found) => row.row_value <= u128_of_u64(cap) && bytes_equal(&found, &record.record_root),
        }
    } else {
        false
    }
}

/// The claim (V, ω^position, value) of a row.
pub fn claim_of_row(record: &RunRecord, row: &ShownRow) -> FoldedClaim {
    FoldedClaim {
        folded_commitment: record.record_values.held_element,
        folded_point: domain_point(sheet_size(record.record_log), row.row_position),
        folded_value: scalar_of_number(row.row_value),
    }
}

/// The claims of a row that holds.
pub fn claims_of_held_row(record: &RunRecord, cap: u64, row: &ShownRow) -> Result<Seq<FoldedClaim>, TableRefusal> {
    if row_holds(record, cap, row) {
        Ok(Seq::<FoldedClaim>::new(0).push_owned(claim_of_row(record, row)))
    } else {
        Err(refuse_table(TableReason::RowFalse))
    }
}

/// The claims of the row that an answer shows, of the last piece of its run: of the first segment,
/// or of the only one that is shown.
pub fn claims_of_shown_row(
    row_columns: usize,
    cap: u64,
    runs: &Seq<LongRun>,
    answer: &TableAnswer,
) -> Result<Seq<FoldedClaim>, TableRefusal> {
    match &answer.answer_row {
        None => Err(refuse_table(TableReason::PartsMismatched)),
        Some(row) => {
            let records = records_of_long_runs(runs);
            let shaped = row.row_salt.len() == 16 && row.row_texts.len() == row_columns;
            let alone = answer.answer_totals.len() == 0 && answer.answer_shown.len() <= 1;
            if shaped && alone && runs.len() == 1 && records.len() >= 1 {
                claims_of_held_row(&records[records.len() - 1], cap, row)
            } else {
                Err(refuse_table(TableReason::PartsMismatched))
            }
        }
    }
}

/// Claims without comparisons, or their refusal.
pub fn claims_without_order(found: Result<Seq<FoldedClaim>, TableRefusal>) -> Result<AnswerClaims, TableRefusal> {
    match found {
        Err(refusal) => Err(refusal),
        Ok(claimed) => Ok(claims_alone(&claimed)),
    }
}

/// The claims of what an answer with this seed states, by the query's function.
pub fn claims_of_answer(
    query: &TableQuery,
    schema: &TableSchema,
    cap: u64,
    runs: &Seq<LongRun>,
    groups: &Seq<GroupTotals>,
    answer: &TableAnswer,
    answer_seed: &ByteString,
) -> Result<AnswerClaims, TableRefusal> {
    if query.query_function == FUNCTION_TOTALS {
        let alone = states_no_order(answer) && answer.answer_shown.len() == 0;
        let _order = expect_table(alone, TableReason::PartsMismatched)?;
        claims_without_order(claims_of_stated_totals(query, cap, groups, answer))
    } else if query.query_function == FUNCTION_ROW {
        let _order = expect_table(states_no_order(answer), TableReason::PartsMismatched)?;
        claims_without_order(claims_of_shown_row(schema.schema_rows.len(), cap, runs, answer))
    } else {
        let alone = answer.answer_totals.len() == 0 && !shows_row(answer);
        let _alone = expect_table(alone, TableReason::PartsMismatched)?;
        claims_of_order(query, cap, bits_of_query(query, schema), runs, answer, answer_seed)
    }
}

/// The two points of a fold, if the bytes of neither break the format's rule.
pub fn points_of_fold(received: &ReceivedFold) -> Result<FoldedOpening, TableRefusal> {
    match &received.fold_quotient_point {
        Opening::Malformed => Err(refuse_table(TableReason::FoldMalformed)),
        Opening::Point(quotient) => match &received.fold_witness_point {
            Opening::Malformed => Err(refuse_table(TableReason::FoldMalformed)),
            Opening::Point(witness) => Ok(FoldedOpening { folded_quotient: *quotient, folded_witness: *witness }),
        },
    }
}

/// Whether an opening is there exactly if there are claims, and its points are well-formed.
pub fn check_fold_form(claimed: &Seq<FoldedClaim>, received: &Option<ReceivedFold>) -> Result<(), TableRefusal> {
    match received {
        None => expect_table(claimed.len() == 0, TableReason::PartsMismatched),
        Some(fold) => {
            let _claims = expect_table(claimed.len() > 0, TableReason::PartsMismatched)?;
            let _points = points_of_fold(fold)?;
            Ok(())
        }
    }
}

/// Whether a fold shows all claims, under the challenges that the seed draws. Other schemes than
/// KZG have no folds.
pub fn fold_shows(setup: &Setup, claimed: &Seq<FoldedClaim>, seed: &ByteString, received: &ReceivedFold) -> bool {
    match setup {
        Setup::LibertYung(_) => false,
        Setup::Kzg(kzg) => match points_of_fold(received) {
            Err(_) => false,
            Ok(opening) => verify_fold(
                kzg,
                claimed,
                &fold_gammas(seed, claimed.len()),
                fold_point(seed, &received.fold_quotient_bytes),
                &opening,
            ),
        },
    }
}

/// Whether the opening of an answer, if it has one, shows its claims.
pub fn check_table_fold(
    setup: &Setup,
    claimed: &Seq<FoldedClaim>,
    seed: &ByteString,
    received: &Option<ReceivedFold>,
) -> Result<(), TableRefusal> {
    match received {
        None => Ok(()),
        Some(fold) => expect_table(fold_shows(setup, claimed, seed, fold), TableReason::FoldFalse),
    }
}
