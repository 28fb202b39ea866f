//! Small programs, as rustc itself resolves them, and what a wrong resolution would look like.

use std::process::Command;

use super::*;
use crate::specification;

const PROGRAM: &str = "//! Small.

/// The limit.
pub const LIMIT: usize = 1000;

/// Colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Colour {
    /// Red.
    Red,
    /// Some grey.
    Grey(u8),
}

/// The next number.
pub fn next(x: usize) -> usize {
    x + LIMIT
}

/// Twice the next, or nothing.
pub fn twice(x: usize, small: u8) -> Option<usize> {
    if small == 3 { None } else { Some(next(x) + next(x % 7)) }
}

/// The grey of a number.
pub fn grey(level: u8) -> Colour {
    if level < 9 { Colour::Grey(level) } else { Colour::Red }
}

/// The level of a colour.
pub fn level(colour: &Colour) -> u8 {
    match colour {
        Colour::Red => 0,
        Colour::Grey(shade) => *shade,
    }
}
";

/// The program's files as the translator has them, and as rustc has them.
fn read() -> (Vec<File>, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lib.rs"), "//! All.\n\n// Small.\npub mod small;\n").unwrap();
    std::fs::write(folder.path().join("small.rs"), PROGRAM).unwrap();
    let files = specification::read(folder.path()).unwrap();
    let rustc = Command::new("rustc")
        .args([
            "--edition",
            "2024",
            "--crate-type",
            "lib",
            "-Zunpretty=mir",
            "-Zmir-opt-level=0",
            "-Coverflow-checks=on",
        ])
        .arg(folder.path().join("lib.rs"))
        .env("RUSTC_BOOTSTRAP", "1")
        .output()
        .unwrap();
    assert!(rustc.status.success(), "{}", String::from_utf8_lossy(&rustc.stderr));
    (files, String::from_utf8(rustc.stdout).unwrap())
}

#[test]
fn the_translator_and_rustc_agree_on_a_program() {
    let (files, mir) = read();
    assert_eq!(compare(&files, &mir), (4, Vec::new()));
}

#[test]
fn each_other_resolution_is_a_disagreement() {
    let (files, mir) = read();
    for (from, to, function, about) in [
        // a constant taken for another, or for a local
        ("const small::LIMIT", "const small::OTHER", "next", "constants"),
        ("fn small::next(_1: usize)", "fn small::next(_1: u64)", "next", "parameters"),
        ("-> Option<usize> {", "-> Option<u64> {", "twice", "result"),
        // a function taken for another
        ("_6 = small::next(", "_6 = twice(", "twice", "calls"),
        // a variant taken for a variable
        ("debug shade", "debug other", "level", "variables"),
        ("Colour::Red", "Colour::Blue", "grey", "constructors"),
        // another operation, and a width that another inference would choose
        ("Eq(move _4, const 3_u8)", "Ne(move _4, const 3_u8)", "twice", "operations"),
        ("Lt(move _3, const 9_u8)", "Lt(const 8_i32, const 9_i32)", "grey", "operations"),
        ("fn level(", "fn levels(", "level", "existence"),
    ] {
        let wrong = mir.replace(from, to);
        assert_ne!(wrong, mir, "{from} does not occur:\n{mir}");
        let (_, found) = compare(&files, &wrong);
        assert!(found.iter().any(|found| found.function == function && found.about == about), "{from}: {found:?}");
    }
}

#[test]
fn an_index_of_another_type_is_a_disagreement() {
    let (files, mir) = read();
    let head = "fn small::next(_1: usize) -> usize {";
    let indexed = "_9 = <hacspec_lib::Seq<u8> as hacspec_lib::Index<i32>>::index(move _8, move _7) -> [return: bb2];";
    assert!(mir.contains(head));
    let (_, found) = compare(&files, &mir.replace(head, &format!("{head}\n    {indexed}")));
    assert!(found.iter().any(|found| found.about == "indices"), "{found:?}");
}
