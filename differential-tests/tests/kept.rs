//! Histories that once showed a fault, of the implementation or of a mutant of it: kept in
//! `histories/`, replayed for ever.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::path::PathBuf;

use differential_tests::coverage::Coverage;
use differential_tests::plan::HistoryPlan;
use differential_tests::run::run;

#[test]
fn histories_that_once_showed_a_fault_are_the_same_to_both_sides() {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("histories");
    let paths = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let plan: HistoryPlan = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        run(&plan, &mut Coverage::default()).unwrap_or_else(|mismatch| panic!("{}: {mismatch}", file.display()));
    }
}
