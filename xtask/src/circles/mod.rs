//! `cargo xtask circles`: no file of a crate imports one that imports it, directly or through
//! others.
//!
//! ```text
//! cargo metadata -> crate roots -> modules (files, names, imports) -> references -> circles | none
//! ```
//! A file imports another where it names something that the other defines: in a `use`, or in a path
//! inside of code. A name that a module only passes on (`pub use`) belongs to the file that defines
//! it, so a `mod.rs` or a crate root that passes names on stands in no circle for that. Tests
//! (`#[cfg(test)]`, `tests/`, examples, benches) are left out, and so is what no path shows:
//! methods.

mod graph;
mod modules;
mod references;

use std::path::{Path, PathBuf};

use crate::chore::{ChoreError, output_of, root};
use graph::Circle;

/// Fails on a circle.
pub fn run() -> Result<(), ChoreError> {
    let roots = roots()?;
    let mut complaints = Vec::new();
    for (name, path) in &roots {
        complaints.extend(circles(path)?.iter().map(|circle| describe(name, circle)));
    }
    if complaints.is_empty() {
        println!("import circles: none in {} libraries and programs", roots.len());
        Ok(())
    } else {
        Err(ChoreError::Circles(complaints.join("\n")))
    }
}

/// The circles of the crate with this root file.
fn circles(root: &Path) -> Result<Vec<Circle>, ChoreError> {
    let modules = modules::read(root)?;
    Ok(graph::circles(&references::imports(&modules)))
}

fn describe(name: &str, circle: &Circle) -> String {
    let base = root();
    let shown = |path: &PathBuf| path.strip_prefix(&base).unwrap_or(path).display().to_string();
    let mut text = format!("{name}: {} files import each other", circle.files().count());
    for (file, imports) in circle.files() {
        let imports: Vec<String> = imports.iter().map(shown).collect();
        text += &format!("\n  {} -> {}", shown(file), imports.join(", "));
    }
    text
}

/// Name and root file of each library and program of the workspace.
fn roots() -> Result<Vec<(String, PathBuf)>, ChoreError> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let text = output_of(&cargo, &["metadata", "--no-deps", "--format-version", "1"])?;
    let metadata: Metadata =
        serde_json::from_str(&text).map_err(|error| ChoreError::Circles(format!("cargo metadata: {error}")))?;
    let mut roots = Vec::new();
    for package in metadata.packages {
        for target in package.targets {
            if target.kind.iter().any(|kind| ["lib", "bin"].contains(&kind.as_str())) {
                roots.push((package.name.clone(), target.src_path));
            }
        }
    }
    Ok(roots)
}

#[derive(serde::Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(serde::Deserialize)]
struct Package {
    name: String,
    targets: Vec<Target>,
}

#[derive(serde::Deserialize)]
struct Target {
    kind: Vec<String>,
    src_path: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The circles of a crate of these files, by file names.
    fn circles_of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let name = |path: &PathBuf| path.strip_prefix(folder.path()).unwrap().to_string_lossy().into_owned();
        let circles = circles(&folder.path().join("lib.rs")).unwrap();
        circles.iter().map(|circle| circle.files().map(|(file, _)| name(file)).collect()).collect()
    }

    #[test]
    fn files_that_use_each_other_are_a_circle() {
        let root = ("lib.rs", "mod a; mod b; mod c;");
        let (a, c) = (("a.rs", "use crate::b::B; pub struct A(B);"), ("c.rs", "use crate::a::A;"));
        assert_eq!(circles_of(&[root, a, ("b.rs", "pub struct B;"), c]), Vec::<Vec<String>>::new());
        let b = ("b.rs", "use super::a::{self, A as Other}; pub struct B;");
        assert_eq!(circles_of(&[root, a, b, c]), [["a.rs", "b.rs"]]);
    }

    #[test]
    fn a_circle_through_three_files_is_found() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::b::b; pub fn a() {}"),
            ("b.rs", "use crate::c::c; pub fn b() {}"),
            ("c.rs", "use crate::a::a; pub fn c() {}"),
        ];
        assert_eq!(circles_of(&files), [["a.rs", "b.rs", "c.rs"]]);
    }

    #[test]
    fn paths_inside_of_code_macros_and_attributes_count() {
        let (root, b) = (("lib.rs", "mod a; mod b;"), ("b.rs", "use crate::a::A; pub fn b() -> u8 { 0 }"));
        for text in [
            "pub struct A; fn f() -> u8 { crate::b::b() }",
            "pub struct A; fn f() { println!(\"{}\", super::b::b()); }",
            "pub struct A; fn f() { use crate::b::{b}; b(); }",
            "use crate::b; pub struct A; fn f() { b::b(); }",
            "pub struct A(#[serde(with = \"crate::b\", default = \"crate::b::b\")] u8);",
        ] {
            assert_eq!(circles_of(&[root, ("a.rs", text), b]), [["a.rs", "b.rs"]], "{text}");
        }
    }

    #[test]
    fn a_name_that_is_passed_on_belongs_to_the_file_that_defines_it() {
        let files = [
            ("lib.rs", "mod outer; pub use outer::{A, B};"),
            ("outer/mod.rs", "mod a; mod b; pub use a::A; pub use self::b::*;"),
            ("outer/a.rs", "use super::B; pub struct A(B);"),
            ("outer/b.rs", "pub struct B;"),
        ];
        assert_eq!(circles_of(&files), Vec::<Vec<String>>::new());
        let b = ("outer/b.rs", "use crate::A; pub struct B;");
        assert_eq!(circles_of(&[files[0], files[1], files[2], b]), [["outer/a.rs", "outer/b.rs"]]);
    }

    #[test]
    fn a_module_that_uses_its_child_and_defines_what_the_child_uses_is_a_circle() {
        let child = ("outer/child.rs", "use super::LIMIT; pub fn run() -> u8 { LIMIT }");
        let parent = "mod child; pub const LIMIT: u8 = 1; pub fn run() -> u8 { child::run() }";
        let circle = [["outer.rs", "outer/child.rs"]];
        assert_eq!(circles_of(&[("lib.rs", "mod outer;"), ("outer.rs", parent), child]), circle);
        let parent = "mod child; pub const LIMIT: u8 = 1; pub use child::run; fn f() { run(); }";
        assert_eq!(circles_of(&[("lib.rs", "mod outer;"), ("outer.rs", parent), child]), circle);
        let parent = "mod child; pub const LIMIT: u8 = 1; pub use child::run;";
        assert!(circles_of(&[("lib.rs", "mod outer;"), ("outer.rs", parent), child]).is_empty());
    }

    #[test]
    fn tests_are_left_out() {
        let files = [
            ("lib.rs", "mod a; mod b; #[cfg(test)] mod tests;"),
            ("a.rs", "use crate::b::B; pub struct A(B);"),
            (
                "b.rs",
                "pub struct B; #[cfg(test)] mod tests { use crate::a::A; } #[cfg(all(test, unix))] use crate::a::A;",
            ),
        ];
        assert_eq!(circles_of(&files), Vec::<Vec<String>>::new());
    }

    #[test]
    fn names_of_other_crates_and_local_names_are_not_followed() {
        let files = [
            ("lib.rs", "mod a; mod b; pub const b: u8 = 0;"),
            ("a.rs", "use crate::b::B; pub struct A(B); fn f<T: Default>() { let b = T::default(); ::b::A; x.b(); }"),
            ("b.rs", "use std::a::A; pub struct B; fn g<'a>(a: &'a u8) -> u8 { a::A::new(); other::a::A; a.a() }"),
        ];
        assert_eq!(circles_of(&files), Vec::<Vec<String>>::new());
    }

    #[test]
    fn what_the_root_has_from_another_crate_is_not_the_root_s() {
        let a = ("a.rs", "use crate::json::read; use crate::Outside; pub fn a() { crate::json::write(); }");
        for root in [
            "use other::json; pub use other::Outside; mod a; fn f() { a::a(); }",
            "pub use other::*; mod a; fn f() { a::a(); }",
        ] {
            assert!(circles_of(&[("lib.rs", root), a]).is_empty(), "{root}");
        }
        let root = "macro_rules! m { () => { pub struct Outside; } } m!(); mod a; fn f() { a::a(); }";
        assert_eq!(circles_of(&[("lib.rs", root), a]), [["lib.rs", "a.rs"]]);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("lib.rs");
        std::fs::write(&root, "mod missing;").unwrap();
        assert!(circles(&root).is_err());
        std::fs::write(&root, "fn f( {").unwrap();
        assert!(circles(&root).is_err());
    }
}
