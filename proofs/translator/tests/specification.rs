//! The translation of the specification itself.

use std::path::PathBuf;

use aardvark_translator::{Difference, check, translate, write};

fn folder(relative: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(relative)
}

#[test]
fn the_committed_translation_is_that_of_the_specification() {
    let generated = translate(&folder("spec/src")).unwrap();
    let differences = check(&generated, &folder("proofs/generated")).unwrap();
    assert!(differences.is_empty(), "run `cargo xtask translate`: {differences:?}");
}

#[test]
fn a_changed_a_missing_and_a_left_over_file_are_reported_and_mended() {
    let generated = translate(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/inside")).unwrap();
    let output = tempfile::tempdir().unwrap();
    write(&generated, output.path()).unwrap();
    assert_eq!(check(&generated, output.path()).unwrap(), []);
    let old = output.path().join("Old.v");
    std::fs::copy(output.path().join("Numbers.v"), &old).unwrap();
    std::fs::write(output.path().join("OurOwn.v"), "(* written by hand *)\n").unwrap();
    let numbers = output.path().join("Numbers.v");
    let text = std::fs::read_to_string(&numbers).unwrap().replacen("1000", "1001", 1);
    std::fs::write(&numbers, text).unwrap();
    std::fs::remove_file(output.path().join("Loops.v")).unwrap();
    let differences = check(&generated, output.path()).unwrap();
    let is_changed =
        |found: &Difference| matches!(found, Difference::Changed(name, line) if name == "Numbers.v" && *line > 1);
    assert!(differences.iter().any(is_changed), "{differences:?}");
    assert!(differences.contains(&Difference::Missing("Loops.v".to_owned())));
    assert!(differences.contains(&Difference::Left("Old.v".to_owned())));
    assert_eq!(differences.len(), 3);
    write(&generated, output.path()).unwrap();
    assert_eq!(check(&generated, output.path()).unwrap(), []);
    assert!(!old.exists());
    assert!(output.path().join("OurOwn.v").exists());
}
