//! What an accepted answer means, by the specification's list of integers.

use aardvark_dictionary::Key;
use aardvark_spec::convert::{byte_vec, to_seq};
use aardvark_spec::table::long_runs::hidden_rows;
use aardvark_spec::table::table_answer_verifier::TableOutcome;
use aardvark_spec::table::table_key::{RunPlace, TableKey, encode_table_key};
use aardvark_spec::table::table_meaning::{MeantRun, StatedOrder, order_of_cut, table_meaning};
use aardvark_spec::table::table_query::{FUNCTION_TOTALS, TableQuery};
use aardvark_spec::table::table_schema::TableSchema;
use hacspec_lib::Seq;

use crate::table::Table;

/// The runs at these places, with all their rows.
fn meant_runs<'p>(table: &Table, places: impl Iterator<Item = &'p RunPlace>) -> Vec<MeantRun> {
    let meant = |place: &RunPlace| {
        let key = Key::from(byte_vec(&encode_table_key(&TableKey::HeadKey(place.clone()))));
        let rows = table.all_segments(&key).into_iter().flat_map(|(_, segment)| segment.numbers);
        MeantRun {
            meant_columns: place.place_columns.clone(),
            meant_rows: to_seq(rows.map(u128::from).collect::<Vec<_>>()),
        }
    };
    places.map(meant).collect()
}

/// The outcome of an accepted answer is what the rows say; and totals are not, where a run had one
/// row more.
pub fn check_outcome(table: &Table, query: &TableQuery, schema: &TableSchema, outcome: &TableOutcome) {
    let mut runs = meant_runs(table, outcome.outcome_runs.native_slice().iter().map(|run| &run.long_place));
    let hidden =
        outcome.outcome_cut.as_ref().map_or(0, |cut| hidden_rows(&outcome.outcome_runs, &cut.cut_splits).hidden_before);
    let order = order_of_cut(&outcome.outcome_cut, hidden as u128);
    let (groups, totals) = (&outcome.outcome_groups, &outcome.outcome_totals);
    assert!(table_meaning(query, schema, &to_seq(runs.clone()), groups, totals, &order));
    if let Some(stated) = &order {
        let low = stated.stated_low.map(|low| low + 1);
        let other = Some(StatedOrder { stated_low: low, stated_before: stated.stated_before + 1, ..stated.clone() });
        // The next number may be a row of the same rank only where it is a row as well.
        let all: Vec<u128> = runs.iter().flat_map(|run| run.meant_rows.native_slice().to_vec()).collect();
        let other_rank = low.is_none_or(|low| !all.contains(&low));
        assert!(!other_rank || !table_meaning(query, schema, &to_seq(runs.clone()), groups, totals, &other));
    }
    if let Some(run) = runs.first_mut().filter(|_| query.query_function == FUNCTION_TOTALS) {
        run.meant_rows = run.meant_rows.concat(&Seq::from_native_slice(&[1]));
        assert!(!table_meaning(query, schema, &to_seq(runs), groups, totals, &order));
    }
}
