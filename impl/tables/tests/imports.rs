//! Imports: the same whether rows are sorted in memory or outside of it; runs that are too long in
//! rows or bytes are several; numbers of runs are never used again.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::collections::BTreeMap;
use std::path::Path;

use aardvark_aggregates::{Head, KeyColumn, KeyKind, Schema, TableKey, ValueColumn};
use aardvark_archive::Archive;
use aardvark_commitment::setups::published_digest;
use aardvark_dictionary::{Genesis, Identity, Parameters};
use aardvark_tables::keeper::for_each_entry;
use aardvark_tables::source::{Row, SourceError};
use aardvark_tables::{
    AuditOptions, ImportOptions, ImportReport, Keeper, RowSource, SegmentPlace, TableAudit, TablesError, audit_tables,
};

/// Numbers with the texts of their rows, ascending.
type OfRun = Vec<(u64, Vec<String>)>;

fn schema() -> Schema {
    let value = |name: &str| ValueColumn { name: name.to_owned(), lowest: 0, span: 255, bits: 8, moments: 1, scale: 0 };
    Schema {
        append_only: false,
        deletable: true,
        writers: vec![],
        keys: vec![KeyColumn { name: "time".to_owned(), kind: KeyKind::Unsigned, width: 1 }],
        values: vec![value("power"), value("heat")],
        rows: vec!["user".to_owned(), "note".to_owned()],
        watermark: vec![],
    }
}

/// Rows that are given one after the other.
struct Rows(std::vec::IntoIter<Row>);

impl RowSource for Rows {
    fn next_row(&mut self) -> Result<Option<Row>, SourceError> {
        Ok(self.0.next())
    }
}

fn keeper(folder: &Path) -> Keeper {
    let parameters = Parameters { vector_size: 16, ..Parameters::default() };
    let digest = published_digest(parameters.scheme, parameters.vector_size).unwrap();
    let genesis = Genesis::new(Identity::new("homes", [7; 32]).unwrap(), parameters, digest, Vec::new()).unwrap();
    let archive = Archive::builder().create(folder, &genesis).unwrap();
    let mut keeper = Keeper::open(archive, folder).unwrap();
    keeper.create("meters", &schema()).unwrap();
    keeper
}

fn import(keeper: &mut Keeper, rows: Vec<Row>, memory: usize) -> Result<ImportReport, TablesError> {
    let options = ImportOptions { sheet: 16, memory };
    keeper.import("meters", &schema(), &mut Rows(rows.into_iter()), &options, &mut |_| {})
}

fn audit(keeper: &Keeper) -> TableAudit {
    let vault = Some((keeper.vault(), keeper.setup()));
    audit_tables(keeper.archive(), keeper.certificates(), vault, &AuditOptions::default(), &mut |_, _| {}).unwrap()
}

/// Numbers and texts of the runs of the newest version, by their heads' keys.
type Runs = BTreeMap<Vec<u8>, (Vec<u64>, Vec<Vec<String>>)>;

fn runs(keeper: &Keeper) -> Runs {
    let prefix = [TableKey::prefix("meters"), vec![1]].concat();
    let mut runs = Runs::new();
    for_each_entry::<TablesError>(keeper.archive(), &prefix, keeper.archive().version(), |key, value| {
        let revision = Head::from_bytes(value, 1).unwrap().revision;
        let place = SegmentPlace { head: key.to_vec(), revision, segment: 0 };
        let secret = keeper.vault().segment(&place).unwrap().unwrap();
        runs.insert(key.to_vec(), (secret.numbers, secret.texts));
        Ok(())
    })
    .unwrap();
    runs
}

fn row(i: u64) -> Row {
    let number = |i: u64| (!i.is_multiple_of(3)).then_some(i * 41 % 256);
    let texts = vec![format!("user{}", i % 50), "n".repeat((i % 7) as usize)];
    Row { columns: vec![(i * 13 % 5) as u8], numbers: vec![number(i), number(i + 1)], texts }
}

#[test]
fn rows_sorted_outside_of_memory_are_the_runs_that_they_are_within() {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<Row> = (0..230).map(row).collect();
    let mut found = Vec::new();
    for (name, memory) in [("within", 1 << 20), ("outside", 700), ("each", 0)] {
        let mut keeper = keeper(&folder.path().join(name));
        let report = import(&mut keeper, rows.clone(), memory).unwrap();
        assert_eq!((report.rows, report.version), (230, 2));
        assert_eq!(audit(&keeper).findings, []);
        let places: usize = (0..50).map(|i| keeper.vault().rows_of("meters", &format!("user{i}")).unwrap().len()).sum();
        let numbers = rows.iter().flat_map(|row| &row.numbers).flatten().count();
        assert_eq!(places, numbers, "each number is in the index");
        found.push((report, runs(&keeper)));
    }
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0], found[2]);
    // In order, by column and key, each row as it was given.
    let mut expected: BTreeMap<(u8, u8), OfRun> = BTreeMap::new();
    for row in &rows {
        for (column, number) in (0..).zip(&row.numbers) {
            if let Some(number) = number {
                expected.entry((column, row.columns[0])).or_default().push((*number, row.texts.clone()));
            }
        }
    }
    let mut given: BTreeMap<(u8, u8), OfRun> = BTreeMap::new();
    for (head, (numbers, texts)) in &found[0].1 {
        assert!(numbers.len() <= 12);
        let Ok(TableKey::Head { column, columns, .. }) = TableKey::from_bytes(head, &schema()) else {
            panic!("{head:?}")
        };
        given.entry((column, columns[0])).or_default().extend(numbers.iter().copied().zip(texts.iter().cloned()));
    }
    for rows in expected.values_mut() {
        // Rows of one number stay in the order of the source.
        rows.sort_by_key(|(number, _)| *number);
    }
    assert_eq!(given, expected);
}

#[test]
fn a_run_with_long_texts_is_several() {
    let folder = tempfile::tempdir().unwrap();
    let mut keeper = keeper(&folder.path().join("d"));
    let long = |i: u64| Row {
        columns: vec![1],
        numbers: vec![Some(i % 256), None],
        texts: vec![i.to_string(), "x".repeat(65_535)],
    };
    let rows: Vec<Row> = (0..300).map(long).collect();
    let options = ImportOptions { sheet: 512, memory: 1 << 20 };
    let report = keeper.import("meters", &schema(), &mut Rows(rows.into_iter()), &options, &mut |_| {}).unwrap();
    assert_eq!((report.runs, report.sheets), (2, 2), "each has room for 508 rows");
    let bytes = |texts: &Vec<Vec<String>>| texts.iter().flatten().map(String::len).sum::<usize>();
    assert!(runs(&keeper).values().all(|(_, texts)| bytes(texts) <= 16 << 20));
    assert_eq!(audit(&keeper).findings, []);
}

#[test]
fn the_rows_of_deleted_runs_stay_in_the_vault() {
    let folder = tempfile::tempdir().unwrap();
    let mut keeper = keeper(&folder.path().join("d"));
    let one = |number| Row { columns: vec![7], numbers: vec![Some(number), None], texts: vec!["a".into(), "b".into()] };
    import(&mut keeper, vec![one(1)], 0).unwrap();
    let before = runs(&keeper);
    let heads = [TableKey::Head { table: "meters".to_owned(), column: 0, columns: vec![7], run: 0 }];
    keeper.delete("meters", &heads).unwrap();
    import(&mut keeper, vec![one(2)], 0).unwrap();
    let after = runs(&keeper);
    assert!(before.keys().all(|head| !after.contains_key(head)), "the new run has a number of its own");
    let (head, (numbers, _)) = before.into_iter().next().unwrap();
    let place = SegmentPlace { head, revision: 0, segment: 0 };
    assert_eq!(keeper.vault().segment(&place).unwrap().unwrap().numbers, numbers);
    assert_eq!(audit(&keeper).findings, []);
}
