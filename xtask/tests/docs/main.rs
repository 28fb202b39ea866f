//! What documentation says of the repository, compared with the repository: links, paths, tests and
//! packages that commands name, citations of the specification and of the design.
//!
//! The commands of `aardvark` in the same pages are run, or parsed, by `impl/cli/tests/docs.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a broken premise must stop a test")]

mod commands;
mod markdown;
mod specification;
mod tree;

use std::collections::BTreeSet;

use markdown::Page;

/// The most words of README, by white space.
const FRONT_PAGE: usize = 700;

/// The pages that people read, but for CHANGELOG, which speaks of the past.
fn pages() -> Vec<Page> {
    tree::files(&["md"]).into_iter().filter(|path| path != "CHANGELOG.md").map(Page::read).collect()
}

#[test]
fn readme_is_a_front_page() {
    let words = tree::read("README.md").split_whitespace().count();
    assert!(words <= FRONT_PAGE, "README.md has {words} words, and may have {FRONT_PAGE}");
}

#[test]
fn links_lead_to_files_and_to_headings() {
    let broken: Vec<String> = pages().iter().flat_map(Page::broken_links).collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn paths_in_pages_and_comments_exist() {
    let mut missing: Vec<String> = Vec::new();
    for page in pages() {
        missing.extend(tree::missing_paths(&page.path, &page.code.join("\n")));
    }
    for path in tree::files(&["rs", "v"]) {
        missing.extend(tree::missing_paths(&path, &tree::quoted_in_comments(&path)));
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn the_table_of_concepts_names_files_in_all_three_rooms() {
    let page = Page::read("docs/architecture.md".to_owned());
    let rows = page.rows_under("Concepts");
    assert!(rows.len() >= 20, "{} concepts", rows.len());
    for row in rows {
        let paths: Vec<&String> = row[1..].iter().flatten().collect();
        assert!(paths.len() >= 2, "a concept with fewer than two files: {row:?}");
        for path in paths {
            assert!(tree::exists(path), "{path} does not exist: {row:?}");
        }
    }
}

#[test]
fn citations_of_the_specification_resolve() {
    let specification = specification::Specification::read();
    let mut found = 0;
    let mut dead = BTreeSet::new();
    for path in tree::files(&["rs", "v", "md"]) {
        let text = if path.ends_with(".rs") { tree::comments(&path) } else { tree::read(&path) };
        for cited in specification::citations(&text) {
            found += 1;
            if !specification.resolves(&cited) {
                dead.insert(format!("{path}: aardvark_spec::{}", cited.join("::")));
            }
        }
    }
    assert!(found > 20, "only {found} citations were found");
    assert!(dead.is_empty(), "{dead:#?}");
}

#[test]
fn a_citation_of_what_the_specification_does_not_have_is_dead() {
    let specification = specification::Specification::read();
    for (text, resolves) in [
        ("`aardvark_spec::dictionary`", true),
        ("`aardvark_spec::dictionary::slot::covers`.", true),
        ("aardvark_spec::block::rejection::Reason::Replayed", true),
        ("`aardvark_spec::block::no_such_function`", false),
        ("aardvark_spec::block::rejection::Reason::NoSuchReason", false),
        ("aardvark_spec::base::scalar::Scalar", true),
        ("aardvark_spec::no_such_module", false),
    ] {
        let cited = specification::citations(text);
        assert_eq!(cited.len(), 1, "{text}");
        assert_eq!(specification.resolves(&cited[0]), resolves, "{text}");
    }
}

#[test]
fn sections_of_the_design_that_are_cited_exist() {
    let design = Page::read("docs/design.md".to_owned());
    let numbers: BTreeSet<String> =
        design.headings.iter().filter_map(|heading| Some(heading.split_once(". ")?.0.to_owned())).collect();
    assert!(numbers.contains("7"), "{numbers:?}");
    let mut found = 0;
    for path in tree::files(&["rs", "v", "md", "patch"]) {
        let text = tree::flattened(&path);
        assert!(path == FILE || !text.contains("aardvark.md"), "{path} cites a page that is not in the repository");
        for tail in text.split("design.md, section").skip(1) {
            let cited = tail.trim_start_matches('s').trim_start();
            let number: String = cited.chars().take_while(char::is_ascii_digit).collect();
            assert!(number.is_empty() && path == FILE || numbers.contains(&number), "{path}: section {number}");
            found += 1;
        }
    }
    assert!(found > 15, "only {found} citations were found");
}

/// This file, which has the words that it looks for.
const FILE: &str = "xtask/tests/docs/main.rs";

#[test]
fn commands_of_cargo_name_what_there_is() {
    let known = commands::Workspace::read();
    let mut found = 0;
    let mut wrong = Vec::new();
    for page in pages() {
        for command in page.commands("cargo ") {
            found += 1;
            wrong.extend(known.fault(&command).map(|fault| format!("{}: `{command}`: {fault}", page.path)));
        }
    }
    assert!(found > 40, "only {found} commands were found");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn commands_that_name_what_there_is_not_are_found() {
    let known = commands::Workspace::read();
    for command in [
        "cargo test -p no-such-package",
        "cargo test -p aardvark-cli --test no_such_test",
        "cargo run -p benches --bin no_such_program",
        "cargo xtask no-such-chore",
        "cargo xtask test --no-such-option",
    ] {
        assert!(known.fault(command).is_some(), "{command}");
    }
}
