//! Which answers a keeper may give: random ones, against what they tell apart by definition.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use aardvark_aggregates::{
    Head, KeyColumn, KeyKind, KeyValue, KnownSegment, MaskSource, ProverSetup, Query, Schema, TableKey, ValueColumn,
    encode_columns,
};
use aardvark_archive::RedbStore;
use aardvark_dictionary::{DictionaryId, Key};
use aardvark_tables::{Answered, AnsweredError};

const LEAST: u64 = 4;
const HOURS: u64 = 6;
const TOWNS: u64 = 2;

fn schema() -> Schema {
    let key = |name: &str| KeyColumn { name: name.to_owned(), kind: KeyKind::Unsigned, width: 4 };
    let value = |name: &str| ValueColumn { name: name.to_owned(), lowest: 0, span: 9, bits: 8, moments: 1, scale: 0 };
    Schema {
        append_only: false,
        deletable: true,
        writers: vec![],
        keys: vec![key("hour"), key("town")],
        values: vec![value("power"), value("heat")],
        rows: vec![],
        watermark: vec![],
    }
}

/// A run: column, hour and town, and its key and head.
type Run = ((u8, u64, u64), (Key, Head));

/// Runs of one to four rows.
fn runs(schema: &Schema, seed: u8) -> Vec<Run> {
    let setup = ProverSetup::ethereum(None).unwrap();
    let mut masks = MaskSource::new([seed; 32]);
    let places =
        (0..2).flat_map(|column| (0..HOURS).flat_map(move |hour| (0..TOWNS).map(move |town| (column, hour, town))));
    let run = |(column, hour, town): (u8, u64, u64)| {
        let columns = encode_columns(schema, &[KeyValue::Unsigned(hour), KeyValue::Unsigned(town)]).unwrap();
        let numbers = vec![1; 1 + usize::try_from((5 * hour + 3 * town) % 4).unwrap()];
        let segment = KnownSegment::draw(&mut masks, 1, numbers, 1);
        let record = segment.commit(setup.sheet(3).unwrap(), [0; 32]);
        let key = TableKey::Head { table: "t".to_owned(), column, columns, run: 0 }.to_bytes();
        ((column, hour, town), (Key::from(key), Head::single(0, record)))
    };
    places.map(run).collect()
}

fn answered() -> Answered {
    Answered::on_store(Box::new(RedbStore::in_memory().unwrap()), &DictionaryId([1; 32]), LEAST).unwrap()
}

/// The runs that a query is about.
fn in_box<'a>(query: &Query, runs: &'a [Run]) -> Vec<&'a Run> {
    let key_box = query.key_box();
    runs.iter().filter(|(_, (key, _))| key_box.holds(key)).collect()
}

fn enter(answered: &Answered, query: &Query, runs: &[Run]) -> Result<(), AnsweredError> {
    let runs: Vec<(Key, Head)> = in_box(query, runs).into_iter().map(|(_, run)| run.clone()).collect();
    answered.enter(query, &runs)
}

/// The groups of runs that an answer shows something of, by definition.
fn groups(text: &str, query: &Query, runs: &[Run]) -> Vec<BTreeSet<(u8, u64, u64)>> {
    let places = in_box(query, runs).into_iter().map(|(place, _)| *place);
    if text.starts_with("count") {
        return Vec::new();
    }
    let mut groups: BTreeMap<Option<(u8, u64, u64)>, BTreeSet<_>> = BTreeMap::new();
    for place @ (_, _, town) in places {
        let group = if text.starts_with("median") {
            Some(place)
        } else {
            text.contains("group by town").then_some((0, 0, town))
        };
        groups.entry(group).or_default().insert(place);
    }
    groups.into_values().collect()
}

/// Whether each set of runs that no group tells apart has enough rows, or is in no group at all.
fn allowed(groups: &[BTreeSet<(u8, u64, u64)>], runs: &[Run]) -> bool {
    let mut pieces: BTreeMap<Vec<bool>, u64> = BTreeMap::new();
    for (place, (_, head)) in runs {
        let told: Vec<bool> = groups.iter().map(|group| group.contains(place)).collect();
        *pieces.entry(told).or_default() += u64::from(head.record.rows);
    }
    pieces.iter().all(|(told, rows)| !told.contains(&true) || *rows >= LEAST)
}

#[test]
fn an_answer_is_refused_exactly_where_answers_together_tell_too_few_rows_apart() {
    let schema = schema();
    let runs = runs(&schema, 7);
    let mut state: u64 = 11;
    let mut below = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let (mut given, mut refused) = (0, 0);
    for _ in 0..60 {
        let answered = answered();
        let mut told: Vec<BTreeSet<(u8, u64, u64)>> = Vec::new();
        for _ in 0..12 {
            let function = ["sum", "sum", "sum", "mean", "count", "median"][usize::try_from(below(6)).unwrap()];
            let column = if below(5) == 0 { "heat" } else { "power" };
            let (from, length) = (below(HOURS), below(HOURS));
            let mut text = format!("{function}({column}) where hour between {from} and {}", from + length);
            if below(3) == 0 {
                text += &format!(" and town = {}", below(TOWNS));
            }
            if function != "median" && below(3) == 0 {
                text += " group by town";
            }
            let query = Query::parse("t", &text, &schema).unwrap();
            let more = groups(&text, &query, &runs);
            let with: Vec<_> = told.iter().chain(&more).cloned().collect();
            match enter(&answered, &query, &runs) {
                Ok(()) => {
                    assert!(allowed(&with, &runs), "{text}");
                    told = with;
                    given += 1;
                }
                Err(AnsweredError::TooFewRows(LEAST)) => {
                    assert!(!allowed(&with, &runs), "{text}");
                    refused += 1;
                }
                Err(error) => panic!("{text}: {error}"),
            }
        }
    }
    assert!(given > 100 && refused > 100, "{given} given, {refused} refused");
}

#[test]
fn other_rows_under_the_key_of_a_run_that_was_answered_about_are_refused() {
    let schema = schema();
    let (before, after) = (runs(&schema, 7), runs(&schema, 8));
    let answered = answered();
    let query = |text: &str| Query::parse("t", text, &schema).unwrap();
    assert!(enter(&answered, &query("sum(power) where hour < 3"), &before).is_ok());
    assert!(matches!(
        enter(&answered, &query("sum(power) where hour < 3"), &after),
        Err(AnsweredError::OtherRevision(LEAST))
    ));
    assert!(enter(&answered, &query("sum(power) where hour >= 3"), &after).is_ok());
    assert!(enter(&answered, &query("count(power)"), &after).is_ok());
    assert!(enter(&answered, &query("sum(heat)"), &after).is_ok());
}

#[test]
fn what_was_answered_of_another_dictionary_is_not_gone_on_with() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("vault")).unwrap();
    let open = |id: u8| Answered::open(directory.path(), &DictionaryId([id; 32]), LEAST);
    let schema = schema();
    let runs = runs(&schema, 7);
    let query = |text: &str| Query::parse("t", text, &schema).unwrap();
    assert!(enter(&open(1).unwrap(), &query("sum(power)"), &runs).is_ok());
    assert!(matches!(open(2), Err(AnsweredError::OtherDictionary)));
    let reopened = open(1).unwrap();
    // Towns apart have rows enough; the last run alone differs from its town by itself.
    assert!(enter(&reopened, &query("sum(power) group by town"), &runs).is_ok());
    let last = "sum(power) where hour < 5 and town = 1";
    assert!(matches!(enter(&reopened, &query(last), &runs), Err(AnsweredError::TooFewRows(LEAST))));
    assert!(open(1).is_err(), "another process has it open");
}
