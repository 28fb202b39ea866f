//! Verifying answers: the one function that everybody who asks a table calls.
//!
//! What is trusted of the dictionary, and the query, are the asker's own; all else comes from
//! whoever answers. The phases run in this order, and the first that fails names the reason:
//!
//! ```text
//! query       it is one of the schema's table
//! dictionary  slots' lengths, dictionary and version, root, positions, encodings
//! schema      the first claim is that of the query's schema
//! scan        the other claims' slots are exactly the runs of the box; for a row, one run in it
//! runs        each is a run of one segment; fewer than 2^40 rows
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
use crate::base::integers::*;
use crate::block::transaction::*;
use crate::commitment::scheme::*;
use crate::dictionary::key_map::*;
use crate::dictionary::slot::*;
use crate::table::cut::*;
use crate::table::key_box::*;
use crate::table::run_record::*;
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
    /// The runs of the box; for a row, its run.
    pub outcome_runs: Seq<BoxRun>,
    /// The groups, with their rows; empty for a row.
    pub outcome_groups: Seq<GroupTotals>,
    /// For each group S_1, S_2, .., as far as they were asked for; 32 bytes each.
    pub outcome_totals: Seq<Seq<ByteString>>,
    /// The cut at the rank or number that was asked for.
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

/// The run of an entry, if its key is a head's, and its value the encoding of a legal head.
pub fn run_of_entry(schema: &TableSchema, moments: usize, entry: &KeyEntry, head: &RunHead) -> Option<BoxRun> {
    match decode_table_key(schema, &entry.entry_key) {
        Err(_) => None,
        Ok(found) => match found {
            TableKey::SchemaKey(_) => None,
            TableKey::SegmentKey(_) => None,
            TableKey::HeadKey(place) => {
                if run_head_legal(head, moments) && bytes_equal(&encode_run_head(head), &entry.entry_value) {
                    Some(BoxRun { run_place: place, run_head: head.clone() })
                } else {
                    None
                }
            }
        },
    }
}

/// One step of [`runs_of_entries`].
pub fn runs_of_entries_step(
    runs: Result<Seq<BoxRun>, TableRefusal>,
    schema: &TableSchema,
    moments: usize,
    entry: &KeyEntry,
    heads: &Seq<RunHead>,
    i: usize,
) -> Result<Seq<BoxRun>, TableRefusal> {
    match runs {
        Err(refusal) => Err(refusal),
        Ok(before) => {
            if i < heads.len() {
                match run_of_entry(schema, moments, entry, &heads[i]) {
                    None => Err(refuse_table_item(TableReason::RunMalformed, i)),
                    Some(run) => Ok(before.push_owned(run)),
                }
            } else {
                Err(refuse_table_item(TableReason::RunMalformed, i))
            }
        }
    }
}

/// The runs of entries, with the heads that their values decode to.
pub fn runs_of_entries(
    schema: &TableSchema,
    moments: usize,
    entries: &KeyMap,
    heads: &Seq<RunHead>,
) -> Result<Seq<BoxRun>, TableRefusal> {
    let mut runs = Ok(Seq::<BoxRun>::new(0));
    for i in 0..entries.len() {
        runs = runs_of_entries_step(runs, schema, moments, &entries[i], heads, i);
    }
    runs
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

/// The runs that a query is about, in a table of this schema.
pub fn runs_of_answer(
    query: &TableQuery,
    schema: &TableSchema,
    moments: usize,
    answer: &TableAnswer,
) -> Result<Seq<BoxRun>, TableRefusal> {
    let entries = entries_of_query(query, &slots_behind_first(&answer.answer_proof.proof_claims))?;
    let _count = expect_table(entries.len() <= MAX_ANSWER_RUNS, TableReason::RunsExceeded)?;
    let runs = runs_of_entries(schema, moments, &entries, &answer.answer_heads)?;
    let _rows = expect_table(rows_of_runs(&runs) < MAX_BOX_ROWS, TableReason::RunsExceeded)?;
    Ok(runs)
}

/// The groups of a query for totals; none of any other.
pub fn groups_of_query(query: &TableQuery, schema: &TableSchema, runs: &Seq<BoxRun>) -> Seq<GroupTotals> {
    if query.query_function == FUNCTION_TOTALS {
        group_totals(runs, &key_widths(&schema.schema_keys), &query.query_groups)
    } else {
        Seq::<GroupTotals>::new(0)
    }
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
    let groups = groups_of_query(query, schema, &runs);
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
