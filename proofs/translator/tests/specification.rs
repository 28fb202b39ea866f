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

/// rustc keeps exponents private to `spec/src/base/group.rs`; so the translation of no other file
/// may look into an element, or make one of an exponent.
#[test]
fn exponents_of_group_elements_are_seen_in_the_file_of_the_groups_only() {
    let generated = translate(&folder("spec/src")).unwrap();
    let sees = |text: &str| {
        ["g1_exponent", "g2_exponent", "gt_exponent", "known_exponent", "Build_G1", "Build_G2", "Build_GT"]
            .iter()
            .any(|name| text.contains(name))
    };
    let seen: Vec<&str> = generated.iter().filter(|file| sees(&file.text)).map(|file| file.name.as_str()).collect();
    assert_eq!(seen, ["Base/Group.v"]);
}

/// Setups are made of group elements: a trapdoor is no field, and only who makes a setup is given
/// one, or who says what a prover must come to, certificates and comparisons of sheets included.
#[test]
fn trapdoors_are_given_to_those_who_make_setups_only() {
    let generated = translate(&folder("spec/src")).unwrap();
    let mut given = Vec::new();
    for file in generated.iter().filter(|file| !file.name.ends_with("Safe.v")) {
        for definition in file.text.split("\nDefinition ").skip(1) {
            let head = definition.split(":=").next().unwrap();
            let words: Vec<&str> = head.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
            if words.contains(&"tau") || words.contains(&"alpha") {
                given.push(words[0]);
            }
        }
        for record in file.text.split("\nRecord ").skip(1) {
            let fields = record.split("\n}.").next().unwrap();
            assert!(!fields.contains("tau :") && !fields.contains("alpha :"), "{}", file.name);
        }
    }
    let makers = [
        "kzg_inverses_of_step",
        "kzg_inverses_of",
        "kzg_vanishing",
        "kzg_lagrange_of",
        "kzg_setup",
        "libert_yung_powers_of_step",
        "libert_yung_powers_of",
        "libert_yung_duals_of_step",
        "libert_yung_duals_of",
        "libert_yung_setup",
        "open_folded_claim",
        "claim_openings_step",
        "claim_openings",
        "fold_known_claims",
        "unopened_certificate",
        "certificate_opening_of",
        "unopened_linked_certificate",
        "linked_opening_of",
        "unopened_comparison",
    ];
    assert_eq!(given, makers);
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
