//! Verifying answers: the one function that everybody who asks a table calls.
//!
//! What is trusted of the dictionary, and the query, are the asker's own; all else comes from
//! whoever answers. The phases run in this order, and the first that fails names the reason:
//!
//! ```text
//! query       it is one of the schema's table
//! dictionary  slots' lengths, dictionary and version, root, positions, encodings
//! schema      the first claim is that of the query's schema
//! scan        the slots of the claims behind it, but for the segments', are exactly the runs of the
//!             box; for a row, one run in it
//! runs        each is a run; fewer than 2^40 rows; the segments that are shown are theirs
//! parts       those of the function; totals within their bounds; the row at its position; the cut
//!             one that is asked for, its comparisons well-formed
//! openings    of the dictionary's claims; of what is claimed of the runs' commitments
//! ```
//!
//! The openings come last, since one pairing check can do for all of them. Source: docs/tables.md,
//! "Answers".

use crate::answer::answer_basis::*;
use crate::answer::answer_proof::*;
use crate::answer::answer_reason::*;
use crate::answer::scan::*;
use crate::answer::verify::*;
use crate::base::bytes::*;
use crate::base::hash::*;
use crate::base::integers::*;
use crate::block::transaction::*;
use crate::commitment::scheme::*;
use crate::dictionary::key_map::*;
use crate::dictionary::slot::*;
use crate::table::cut::*;
use crate::table::key_box::*;
use crate::table::long_runs::*;
use crate::table::run_segments::*;
use crate::table::table_answer::*;
use crate::table::table_answer_claims::*;
use crate::table::table_key::*;
use crate::table::table_query::*;
use crate::table::table_scan::*;
use crate::table::table_schema::*;
use crate::table::totals::*;
use hacspec_lib::*;

/// What an accepted answer says.
#[derive(Clone, Debug, Default)]
pub struct TableOutcome {
    /// The runs of the box, with the pieces that were shown.
    pub outcome_runs: Seq<LongRun>,
    /// The groups, with their rows; empty for a row.
    pub outcome_groups: Seq<GroupTotals>,
    /// For each group S_1, S_2, .., as far as they were asked for; 32 bytes each.
    pub outcome_totals: Seq<Seq<ByteString>>,
    /// The cut of the pieces at the rank or number that was asked for.
    pub outcome_cut: Option<TableCut>,
}

/// A verdict on the dictionary's claims, as one on the answer.
pub fn of_dictionary(verdict: Result<(), AnswerRefusal>) -> Result<(), TableRefusal> {
    match verdict {
        Err(refusal) => Err(refuse_dictionary(&refusal)),
        Ok(_) => Ok(()),
    }
}

/// What is known of the version, or the refusal.
pub fn basis_of_answer(trusted: &Trusted, proof: &AnswerProof) -> Result<AnswerBasis, TableRefusal> {
    match answer_basis(trusted, proof) {
        Err(refusal) => Err(refuse_dictionary(&refusal)),
        Ok(basis) => Ok(basis),
    }
}

/// The cap of the column that a query is about; 0 where there is no such column.
pub fn cap_of_query(query: &TableQuery, schema: &TableSchema) -> u64 {
    if query.query_column < schema.schema_values.len() {
        schema.schema_values[query.query_column].value_column_span
    } else {
        0
    }
}

/// How many powers of the numbers of a query's column have sums; 0 where there is no such column.
pub fn moments_of_query(query: &TableQuery, schema: &TableSchema) -> usize {
    if query.query_column < schema.schema_values.len() {
        schema.schema_values[query.query_column].value_column_moments
    } else {
        0
    }
}

/// Whether a query is one of a table with this schema.
pub fn query_fits_schema(query: &TableQuery, schema: &TableSchema) -> bool {
    query.query_column < schema.schema_values.len()
        && table_query_legal(
            query,
            &key_widths(&schema.schema_keys),
            u128_of_u64(cap_of_query(query, schema)),
            moments_of_query(query, schema),
        )
}

/// Whether the first claim is that of the schema.
pub fn schema_is_claimed(proof: &AnswerProof, query: &TableQuery, schema: &TableSchema) -> bool {
    let schema_key = encode_table_key(&TableKey::SchemaKey(query.query_table.clone()));
    if proof.proof_claims.len() > 0 {
        let claimed = &proof.proof_claims[0usize].claim_slot;
        bytes_equal(&claimed.key, &schema_key) && bytes_equal(&claimed.value, &encode_schema(schema))
    } else {
        false
    }
}

/// One step of [`slots_behind_first`].
pub fn slots_behind_first_step(chain: Seq<Slot>, items: &Seq<Claim>, c: usize) -> Seq<Slot> {
    chain.push_owned(items[c].claim_slot.clone())
}

/// The slots of all claims but the first.
pub fn slots_behind_first(items: &Seq<Claim>) -> Seq<Slot> {
    let mut chain = Seq::<Slot>::new(0);
    for c in 1..items.len() {
        chain = slots_behind_first_step(chain, items, c);
    }
    chain
}

/// The only key of a chain, which must be in the box.
pub fn single_run(key_box: &KeyBox, chain: &Seq<Slot>) -> Result<KeyMap, ChainFault> {
    let slot = single_slot(chain)?;
    if box_holds(key_box, &slot.key) {
        Ok(empty_key_map().push_owned(KeyEntry { entry_key: slot.key.clone(), entry_value: slot.value.clone() }))
    } else {
        Err(ChainFault::NotCovering)
    }
}

/// The keys and values that the query is about, as the chain of slots shows them.
pub fn entries_of_query(query: &TableQuery, chain: &Seq<Slot>) -> Result<KeyMap, TableRefusal> {
    let key_box = box_of_query(query);
    let found =
        if query.query_function == FUNCTION_ROW { single_run(&key_box, chain) } else { table_scan(&key_box, chain) };
    match found {
        Ok(entries) => Ok(entries),
        Err(fault) => Err(refuse_table(TableReason::DictionaryRefused(reason_of_fault(&fault)))),
    }
}

/// What is known of the version, once the claims' form and positions were checked.
pub fn grounds_of_answer(trusted: &Trusted, proof: &AnswerProof) -> Result<AnswerBasis, TableRefusal> {
    let _form = of_dictionary(check_answer_form(&proof.proof_question, proof))?;
    let _about = of_dictionary(check_answer_about(trusted, &proof.proof_question, proof))?;
    let basis = basis_of_answer(trusted, proof)?;
    let _positions = of_dictionary(check_answer_positions(&basis, &proof.proof_claims))?;
    let _encodings = of_dictionary(check_answer_encodings(&proof.proof_claims))?;
    Ok(basis)
}

/// The slots of the scan: those of all claims but the first and the segments'.
pub fn scanned_slots(answer: &TableAnswer) -> Seq<Slot> {
    let items = &answer.answer_proof.proof_claims;
    if items.len() >= answer.answer_shown.len() {
        slots_behind_first(&items.slice(0, items.len() - answer.answer_shown.len()))
    } else {
        Seq::<Slot>::new(0)
    }
}

/// One step of [`segment_slots`].
pub fn segment_slots_step(slots: Seq<Slot>, items: &Seq<Claim>, c: usize) -> Seq<Slot> {
    slots.push_owned(items[c].claim_slot.clone())
}

/// The slots of the segments.
pub fn segment_slots(answer: &TableAnswer) -> Seq<Slot> {
    let items = &answer.answer_proof.proof_claims;
    let start =
        if items.len() >= answer.answer_shown.len() { items.len() - answer.answer_shown.len() } else { items.len() };
    let mut slots = Seq::<Slot>::new(0);
    for c in start..items.len() {
        slots = segment_slots_step(slots, items, c);
    }
    slots
}

/// The runs that a query is about, with the pieces that the answer shows.
pub fn runs_of_answer(
    query: &TableQuery,
    schema: &TableSchema,
    moments: usize,
    answer: &TableAnswer,
) -> Result<Seq<LongRun>, TableRefusal> {
    let entries = entries_of_query(query, &scanned_slots(answer))?;
    let _count = expect_table(entries.len() <= MAX_ANSWER_RUNS, TableReason::RunsExceeded)?;
    let runs = long_runs_of_entries(schema, moments, &entries, &answer.answer_heads)?;
    let _rows = expect_table(rows_of_long_runs(&runs) < MAX_BOX_ROWS, TableReason::RunsExceeded)?;
    runs_with_segments(runs, schema, moments, &segment_slots(answer), &answer.answer_shown)
}

/// The groups of a query for totals; none of any other.
pub fn groups_of_query(query: &TableQuery, schema: &TableSchema, runs: &Seq<BoxRun>) -> Seq<GroupTotals> {
    if query.query_function == FUNCTION_TOTALS {
        group_totals(runs, &key_widths(&schema.schema_keys), &query.query_groups)
    } else {
        Seq::<GroupTotals>::new(0)
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

/// a0: it binds dictionary, version, query, schema, the runs of the box, the segments that are
/// shown besides, and all stated numbers.
pub fn table_answer_seed(
    dictionary: &ByteString,
    answer: &TableAnswer,
    query: &TableQuery,
    schema: &TableSchema,
    runs: &Seq<LongRun>,
) -> ByteString {
    let about = dictionary.concat(&u64_bytes(answer.answer_proof.proof_version)).concat(&encode_table_query(query));
    let schema_key = encode_table_key(&TableKey::SchemaKey(query.query_table.clone()));
    let bound = about
        .concat(&bytes8(&schema_key))
        .concat(&bytes16(&encode_schema(schema)))
        .concat(&u32_bytes(runs.len()))
        .concat(&encode_long_runs(runs))
        .concat(&u32_bytes(answer.answer_shown.len()))
        .concat(&encode_segment_slots(&segment_slots(answer)))
        .concat(&encode_stated(answer));
    tagged_hash(&tag_table_answer(), &bound)
}

/// What an answer says about a query of a legal schema's table, under what is trusted; or why it
/// says nothing.
pub fn verify_table_answer(
    setup: &Setup,
    trusted: &Trusted,
    query: &TableQuery,
    schema: &TableSchema,
    answer: &TableAnswer,
) -> Result<TableOutcome, TableRefusal> {
    let _query = expect_table(query_fits_schema(query, schema), TableReason::QueryIllegal)?;
    let proof = &answer.answer_proof;
    let basis = grounds_of_answer(trusted, proof)?;
    let _schema = expect_table(schema_is_claimed(proof, query, schema), TableReason::SchemaMismatched)?;
    let runs = runs_of_answer(query, schema, moments_of_query(query, schema), answer)?;
    let groups = groups_of_query(query, schema, &whole_runs(&runs));
    let answer_seed = table_answer_seed(&trusted_dictionary(trusted), answer, query, schema, &runs);
    let cap = cap_of_query(query, schema);
    let claimed = claims_of_answer(query, schema, cap, &runs, &groups, answer, &answer_seed)?;
    let _fold = check_fold_form(&claimed.claims_stated, &answer.answer_opening)?;
    let _openings = of_dictionary(check_answer_openings(setup, &basis, &proof.proof_claims))?;
    let fold_seed = table_fold_seed(&answer_seed, &claimed.claims_seeds);
    let _shown = check_table_fold(setup, &claimed.claims_stated, &fold_seed, &answer.answer_opening)?;
    Ok(TableOutcome {
        outcome_runs: runs,
        outcome_groups: groups,
        outcome_totals: answer.answer_totals.clone(),
        outcome_cut: answer.answer_cut.clone(),
    })
}
