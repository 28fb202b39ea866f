//! Answers about boxes whose runs may have several segments: as
//! [`crate::table::table_answer_verifier`], which is the case where each has one. Runs and their
//! pieces are those of [`crate::table::long_runs`].
//!
//! Source: docs/tables.md, "Runs of several segments".

use crate::answer::answer_proof::*;
use crate::answer::verify::*;
use crate::base::bytes::*;
use crate::base::hash::*;
use crate::base::integers::*;
use crate::block::transaction::*;
use crate::commitment::folded_opening::*;
use crate::commitment::scheme::*;
use crate::dictionary::slot::*;
use crate::table::cut::*;
use crate::table::cut_goal::*;
use crate::table::long_runs::*;
use crate::table::run_segments::*;
use crate::table::table_answer::*;
use crate::table::table_answer_claims::*;
use crate::table::table_answer_order::*;
use crate::table::table_answer_verifier::*;
use crate::table::table_key::*;
use crate::table::table_query::*;
use crate::table::table_schema::*;
use crate::table::totals::*;
use hacspec_lib::*;

/// An answer whose runs may have several segments.
#[derive(Clone, Debug)]
pub struct LongAnswer {
    /// The answer. The claims of its dictionary end with those of the segments.
    pub long_answer: TableAnswer,
    /// What the values of the runs in the box decode to, in the place of the answer's own heads.
    pub long_heads: Seq<LongHead>,
    /// What the values of the segments' claims decode to.
    pub long_shown: Seq<RunPiece>,
}

/// The slots of the scan: those of all claims but the first and the segments'.
pub fn long_scan_slots(answer: &LongAnswer) -> Seq<Slot> {
    let items = &answer.long_answer.answer_proof.proof_claims;
    if items.len() >= answer.long_shown.len() {
        slots_behind_first(&items.slice(0, items.len() - answer.long_shown.len()))
    } else {
        Seq::<Slot>::new(0)
    }
}

/// One step of [`segment_slots`].
pub fn segment_slots_step(slots: Seq<Slot>, items: &Seq<Claim>, c: usize) -> Seq<Slot> {
    slots.push_owned(items[c].claim_slot.clone())
}

/// The slots of the segments.
pub fn segment_slots(answer: &LongAnswer) -> Seq<Slot> {
    let items = &answer.long_answer.answer_proof.proof_claims;
    let start =
        if items.len() >= answer.long_shown.len() { items.len() - answer.long_shown.len() } else { items.len() };
    let mut slots = Seq::<Slot>::new(0);
    for c in start..items.len() {
        slots = segment_slots_step(slots, items, c);
    }
    slots
}

/// The runs that a query is about, with the pieces that the answer shows.
pub fn runs_of_long_answer(
    query: &TableQuery,
    schema: &TableSchema,
    moments: usize,
    answer: &LongAnswer,
) -> Result<Seq<LongRun>, TableRefusal> {
    let entries = entries_of_query(query, &long_scan_slots(answer))?;
    let _count = expect_table(entries.len() <= MAX_ANSWER_RUNS, TableReason::RunsExceeded)?;
    let runs = long_runs_of_entries(schema, moments, &entries, &answer.long_heads)?;
    let _rows = expect_table(rows_of_long_runs(&runs) < MAX_BOX_ROWS, TableReason::RunsExceeded)?;
    runs_with_segments(runs, schema, moments, &segment_slots(answer), &answer.long_shown)
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
pub fn goal_of_long_runs(query: &TableQuery, runs: &Seq<LongRun>) -> CutGoal {
    let rows = u128_of_usize(rows_of_long_runs(runs));
    cut_goal(query.query_function, query.query_a, query.query_b, rows)
}

/// The claims of a stated cut of the pieces of runs, of numbers of so many bits.
pub fn claims_of_long_cut(
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
    let goal = goal_of_pieces(&goal_of_long_runs(query, runs), u128_of_usize(hidden.hidden_before));
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
pub fn long_asks_for_nothing(query: &TableQuery, runs: &Seq<LongRun>) -> bool {
    match goal_of_long_runs(query, runs) {
        CutGoal::NoCut => true,
        CutGoal::AtRank(_) => false,
        CutGoal::AroundRank(_) => false,
        CutGoal::BelowNumber(_) => false,
    }
}

/// The claims of an answer to a query about order. Where nothing is asked for, nothing is shown.
pub fn claims_of_long_order(
    query: &TableQuery,
    cap: u64,
    bits: usize,
    runs: &Seq<LongRun>,
    answer: &LongAnswer,
    answer_seed: &ByteString,
) -> Result<AnswerClaims, TableRefusal> {
    match &answer.long_answer.answer_cut {
        None => {
            let bare = answer.long_answer.answer_comparisons.len() == 0 && answer.long_shown.len() == 0;
            let _nothing = expect_table(long_asks_for_nothing(query, runs) && bare, TableReason::PartsMismatched)?;
            Ok(claims_alone(&Seq::<FoldedClaim>::new(0)))
        }
        Some(stated) => claims_of_long_cut(query, cap, bits, runs, stated, &answer.long_answer, answer_seed),
    }
}

/// The claims of the row that an answer shows, of the last piece of its run: of the first segment,
/// or of the only one that is shown.
pub fn claims_of_long_row(
    row_columns: usize,
    cap: u64,
    runs: &Seq<LongRun>,
    answer: &LongAnswer,
) -> Result<Seq<FoldedClaim>, TableRefusal> {
    match &answer.long_answer.answer_row {
        None => Err(refuse_table(TableReason::PartsMismatched)),
        Some(row) => {
            let records = records_of_long_runs(runs);
            let shaped = row.row_salt.len() == 16 && row.row_texts.len() == row_columns;
            let alone = answer.long_answer.answer_totals.len() == 0 && answer.long_shown.len() <= 1;
            if shaped && alone && runs.len() == 1 && records.len() >= 1 {
                claims_of_held_row(&records[records.len() - 1], cap, row)
            } else {
                Err(refuse_table(TableReason::PartsMismatched))
            }
        }
    }
}

/// The claims of what an answer with this seed states, by the query's function.
pub fn claims_of_long_answer(
    query: &TableQuery,
    schema: &TableSchema,
    cap: u64,
    runs: &Seq<LongRun>,
    groups: &Seq<GroupTotals>,
    answer: &LongAnswer,
    answer_seed: &ByteString,
) -> Result<AnswerClaims, TableRefusal> {
    let stated = &answer.long_answer;
    if query.query_function == FUNCTION_TOTALS {
        let alone = states_no_order(stated) && answer.long_shown.len() == 0;
        let _order = expect_table(alone, TableReason::PartsMismatched)?;
        claims_without_order(claims_of_stated_totals(query, cap, groups, stated))
    } else if query.query_function == FUNCTION_ROW {
        let _order = expect_table(states_no_order(stated), TableReason::PartsMismatched)?;
        claims_without_order(claims_of_long_row(schema.schema_rows.len(), cap, runs, answer))
    } else {
        let alone = stated.answer_totals.len() == 0 && !shows_row(stated);
        let _alone = expect_table(alone, TableReason::PartsMismatched)?;
        claims_of_long_order(query, cap, bits_of_query(query, schema), runs, answer, answer_seed)
    }
}

/// One step of [`encode_long_runs`].
pub fn encode_long_runs_step(encoded: ByteString, run: &LongRun) -> ByteString {
    encoded
        .concat(&bytes8(&encode_table_key(&TableKey::HeadKey(run.long_place.clone()))))
        .concat(&bytes16(&encode_long_head(&run.long_head)))
}

/// `(bytes8(key) || bytes16(head))*`
pub fn encode_long_runs(runs: &Seq<LongRun>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for k in 0..runs.len() {
        encoded = encode_long_runs_step(encoded, &runs[k]);
    }
    encoded
}

/// One step of [`encode_segment_slots`].
pub fn encode_segment_slots_step(encoded: ByteString, slot: &Slot) -> ByteString {
    encoded.concat(&bytes8(&slot.key)).concat(&bytes16(&slot.value))
}

/// `(bytes8(key) || bytes16(segment))*`
pub fn encode_segment_slots(slots: &Seq<Slot>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..slots.len() {
        encoded = encode_segment_slots_step(encoded, &slots[i]);
    }
    encoded
}

/// a0, which binds the segments that are shown besides.
pub fn long_answer_seed(
    dictionary: &ByteString,
    answer: &LongAnswer,
    query: &TableQuery,
    schema: &TableSchema,
    runs: &Seq<LongRun>,
) -> ByteString {
    let stated = &answer.long_answer;
    let about = dictionary.concat(&u64_bytes(stated.answer_proof.proof_version)).concat(&encode_table_query(query));
    let schema_key = encode_table_key(&TableKey::SchemaKey(query.query_table.clone()));
    let bound = about
        .concat(&bytes8(&schema_key))
        .concat(&bytes16(&encode_schema(schema)))
        .concat(&u32_bytes(runs.len()))
        .concat(&encode_long_runs(runs))
        .concat(&u32_bytes(answer.long_shown.len()))
        .concat(&encode_segment_slots(&segment_slots(answer)))
        .concat(&encode_stated(stated));
    tagged_hash(&tag_table_answer(), &bound)
}

/// What an accepted answer says of runs that may have several segments.
#[derive(Clone, Debug, Default)]
pub struct LongOutcome {
    /// The runs of the box, with the pieces that were shown.
    pub long_outcome_runs: Seq<LongRun>,
    /// The groups, with their rows; empty for a row.
    pub long_outcome_groups: Seq<GroupTotals>,
    /// For each group S_1, S_2, .., as far as they were asked for; 32 bytes each.
    pub long_outcome_totals: Seq<Seq<ByteString>>,
    /// The cut of the pieces at the rank or number that was asked for.
    pub long_outcome_cut: Option<TableCut>,
}

/// What an answer says about a query of a legal schema's table, under what is trusted; or why it
/// says nothing.
pub fn verify_long_answer(
    setup: &Setup,
    trusted: &Trusted,
    query: &TableQuery,
    schema: &TableSchema,
    answer: &LongAnswer,
) -> Result<LongOutcome, TableRefusal> {
    let _query = expect_table(query_fits_schema(query, schema), TableReason::QueryIllegal)?;
    let stated = &answer.long_answer;
    let proof = &stated.answer_proof;
    let basis = grounds_of_answer(trusted, proof)?;
    let _schema = expect_table(schema_is_claimed(proof, query, schema), TableReason::SchemaMismatched)?;
    let runs = runs_of_long_answer(query, schema, moments_of_query(query, schema), answer)?;
    let groups = groups_of_query(query, schema, &whole_runs(&runs));
    let answer_seed = long_answer_seed(&trusted_dictionary(trusted), answer, query, schema, &runs);
    let cap = cap_of_query(query, schema);
    let claimed = claims_of_long_answer(query, schema, cap, &runs, &groups, answer, &answer_seed)?;
    let _fold = check_fold_form(&claimed.claims_stated, &stated.answer_opening)?;
    let _openings = of_dictionary(check_answer_openings(setup, &basis, &proof.proof_claims))?;
    let fold_seed = table_fold_seed(&answer_seed, &claimed.claims_seeds);
    let _shown = check_table_fold(setup, &claimed.claims_stated, &fold_seed, &stated.answer_opening)?;
    Ok(LongOutcome {
        long_outcome_runs: runs,
        long_outcome_groups: groups,
        long_outcome_totals: stated.answer_totals.clone(),
        long_outcome_cut: stated.answer_cut.clone(),
    })
}
