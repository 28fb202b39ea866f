//! Programs outside of the subset: each is refused, at the line marked by `//~`, for the reason
//! written there.
//!
//! A program is one module `m`, or several, each after a line `// module: name`, or `// module:
//! folder/name`. The lists `lib.rs` and `folder/mod.rs` follow from the names; a list is given
//! where `// module: folder/mod` stands.

// The harness says what is wrong by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "outside/declarations.rs"]
mod declarations;
#[path = "outside/expressions.rs"]
mod expressions;
#[path = "outside/meanings.rs"]
mod meanings;

use std::collections::BTreeMap;

use aardvark_translator::{Refusal, TranslationError, translate};

/// A program: what it shows, and its text.
type Program = (&'static str, &'static str);

/// Its modules: their names and texts.
fn modules(text: &str) -> Vec<(String, String)> {
    let mut modules: Vec<(String, String)> = Vec::new();
    for line in text.trim_start_matches('\n').lines() {
        if let Some(name) = line.strip_prefix("// module: ") {
            modules.push((name.to_owned(), String::new()));
            continue;
        }
        if modules.is_empty() {
            modules.push(("m".to_owned(), String::new()));
        }
        if let Some((_, module)) = modules.last_mut() {
            module.push_str(line);
            module.push('\n');
        }
    }
    modules
}

/// The refusal that the program's mark asks for.
fn expected(modules: &[(String, String)]) -> (String, usize, String) {
    let mut marks = modules.iter().flat_map(|(name, text)| {
        text.lines().enumerate().filter_map(move |(number, line)| {
            let (_, reason) = line.split_once("//~ ")?;
            Some((format!("{name}.rs"), number + 1, reason.to_owned()))
        })
    });
    let mark = marks.next().expect("a program without a mark");
    assert!(marks.next().is_none(), "a program with two marks");
    mark
}

fn add(lists: &mut BTreeMap<String, Vec<String>>, list: &str, name: &str) {
    let names = lists.entry(list.to_owned()).or_default();
    if !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}

fn translate_text(modules: &[(String, String)]) -> Result<(), TranslationError> {
    let folder = tempfile::tempdir().unwrap();
    let mut lists: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, _) in modules {
        let (list, inside) = match name.split_once('/') {
            Some((outer, inside)) => {
                add(&mut lists, "lib", outer);
                (format!("{outer}/mod"), inside)
            }
            None => ("lib".to_owned(), name.as_str()),
        };
        add(&mut lists, &list, inside);
    }
    let listed = |(list, names): (String, Vec<String>)| {
        (list, names.iter().map(|name| format!("pub mod {name};\n")).collect::<String>())
    };
    // What is given comes last, so that a given list stands.
    for (name, text) in lists.into_iter().map(listed).chain(modules.iter().cloned()) {
        let path = folder.path().join(format!("{name}.rs"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    translate(folder.path()).map(|_| ())
}

#[test]
fn what_is_outside_of_the_subset_is_refused_where_it_stands() {
    let programs: Vec<Program> = [declarations::PROGRAMS, expressions::PROGRAMS, meanings::PROGRAMS].concat();
    assert!(programs.len() >= 40, "only {} programs", programs.len());
    let mut wrong = Vec::new();
    for (name, text) in programs {
        let modules = modules(text);
        let (file, line, reason) = expected(&modules);
        match translate_text(&modules) {
            Err(TranslationError::Refused(Refusal { file: f, line: l, reason: r }))
                if f == file && l == line && r.contains(&reason) => {}
            other => wrong.push(format!("{name}: wanted {file}:{line}: {reason}\n    got {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_programs_are_refused_for_their_marked_line_alone() {
    // Without its marked line's fault, this program is translated: the harness does not refuse
    // everything.
    let fine = modules("pub fn f(x: usize) -> usize {\n    x + 1\n}\n");
    assert!(translate_text(&fine).is_ok());
}

#[test]
fn every_name_of_the_prelude_is_reserved() {
    let reserved = aardvark_translator::names::reserved();
    let heads = ["Definition ", "Fixpoint ", "Notation ", "Inductive ", "Class ", "Instance "];
    let mut names = Vec::new();
    for line in aardvark_translator::PRELUDE.lines() {
        let line = line.trim_start_matches("#[global] ");
        if let Some(rest) = heads.iter().find_map(|head| line.strip_prefix(head)) {
            names.extend(rest.split([' ', ':', '(']).next());
        }
        if let Some(constructor) = line.strip_prefix("| ").filter(|rest| !rest.contains("=>")) {
            names.extend(constructor.split(' ').next());
        }
        if let Some((member, _)) = line.strip_prefix("  ").and_then(|rest| rest.split_once(" : ")) {
            names.extend(member.split(' ').next().filter(|member| member.starts_with(char::is_alphabetic)));
        }
    }
    assert!(names.len() > 30, "only {} names found", names.len());
    for name in names {
        assert!(reserved.contains(&name), "`{name}` of the prelude is not reserved");
    }
}
