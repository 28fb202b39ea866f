//! A private copy of the workspace, in which the specification has its mutations behind switches.
//!
//! The copy's crates have a version of their own, since they share the target folder with the
//! tree's, and cargo tells crates apart by name and version.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::chore::{ChoreError, FEATURES, file_error, output_of, read, root, write_below};
use crate::mutate::sites::Mutant;
use crate::mutate::specification::Specification;
use crate::mutate::switches::{Switched, module, switched};

/// Behind the version of the copy's crates. The part behind `+` does not count where one crate asks
/// for a version of another.
const VERSION: &str = "+mutated";
/// How often the compiler may refuse some of the mutations before that is an error.
const ROUNDS: usize = 40;

/// The copy.
pub struct Tree {
    root: PathBuf,
}

/// A test of the copy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Program {
    /// The name of the file of tests.
    pub name: String,
    /// The program that cargo made of it.
    pub path: PathBuf,
}

impl Tree {
    /// Copies the files that git knows, or would, but the tests of the implementation, which have
    /// names that the differential tests have, too, and would be built with them.
    pub fn new(folder: &Path) -> Result<Self, ChoreError> {
        let listed = output_of("git", &["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
        let tree = Self { root: folder.join("tree") };
        let is_left_out =
            |name: &&str| name.starts_with("spec/src/") || name.starts_with("impl/") && name.contains("/tests/");
        for name in listed.split_terminator('\0').filter(|name| !is_left_out(name)) {
            // A file that git knows can be deleted in the tree.
            let Ok(content) = std::fs::read(root().join(name)) else { continue };
            let content = if name == "Cargo.toml" { own_version(&content)? } else { content };
            let to = tree.root.join(name);
            if std::fs::read(&to).ok().as_ref() != Some(&content) {
                let parent = to.parent().unwrap_or(folder);
                std::fs::create_dir_all(parent).map_err(|source| file_error(parent, source))?;
                std::fs::write(&to, content).map_err(|source| file_error(&to, source))?;
            }
        }
        Ok(tree)
    }

    /// Writes the specification with these mutations, and leaves out those that do not type-check,
    /// until it compiles; the numbers of those that do, as the switches have them.
    pub fn type_check(&self, specification: &Specification, mutants: &[Mutant]) -> Result<BTreeSet<usize>, ChoreError> {
        // What an earlier run saw refused need not be tried again, where it is the same.
        let note = self.root.with_file_name("refused");
        let refused = read(&note).unwrap_or_default();
        let mut refused: BTreeSet<String> = refused.lines().map(str::to_owned).collect();
        let lines: Vec<String> = mutants.iter().map(|mutant| line_of(specification, mutant)).collect();
        let known = |number: &usize| lines.get(*number).is_some_and(|line| refused.contains(line));
        let mut kept: BTreeSet<usize> = (0..mutants.len()).filter(|number| !known(number)).collect();
        for _ in 0..ROUNDS {
            let files = self.write(specification, mutants, &kept)?;
            let errors = self.errors()?;
            if errors.is_empty() {
                return Ok(kept);
            }
            let before = kept.len();
            for CompilerError { file, places, message } in &errors {
                let guilty = files.get(file).and_then(|switched| switched.at_fault(places));
                let number =
                    guilty.ok_or_else(|| ChoreError::Mutation(format!("no mutation is at fault: {message}")))?;
                kept.remove(&number);
                refused.extend(lines.get(number).cloned());
            }
            write_below(&note, &refused.iter().map(|line| format!("{line}\n")).collect::<String>())?;
            println!("{before} mutants: {} do not type-check", before - kept.len());
        }
        Err(ChoreError::Mutation("the specification with its mutations does not compile".to_owned()))
    }

    /// The specification's files with the mutations of these numbers, by their names; written where
    /// they are not so already, so that cargo compiles what has changed only.
    fn write(
        &self,
        specification: &Specification,
        mutants: &[Mutant],
        kept: &BTreeSet<usize>,
    ) -> Result<BTreeMap<String, Switched>, ChoreError> {
        let source = root().join("spec/src");
        let mut files = BTreeMap::new();
        for path in crate::chore::files_below(&source, &["rs"])? {
            let name = path.strip_prefix(&source).unwrap_or(&path).to_string_lossy().into_owned();
            let mut text = read(&path)?;
            if name == "lib.rs" {
                let declared = text.find("\n#![forbid").unwrap_or_default();
                text.insert_str(declared, "\n#![allow(warnings, clippy::all)]");
                text += &module();
            } else if let Some(file) = specification.files.iter().find(|file| file.name == name) {
                let own = kept.iter().filter_map(|number| Some((*number, mutants.get(*number)?)));
                let own: Vec<(usize, &Mutant)> = own.filter(|(_, mutant)| mutant.file == name).collect();
                let with_switches = switched(&file.text, &own);
                text.clone_from(&with_switches.text);
                files.insert(name.clone(), with_switches);
            }
            let to = self.root.join("spec/src").join(&name);
            if !read(&to).is_ok_and(|found| found == text) {
                write_below(&to, &text)?;
            }
        }
        Ok(files)
    }

    /// What the compiler says of the copy's specification.
    fn errors(&self) -> Result<Vec<CompilerError>, ChoreError> {
        let (passed, messages) = self.cargo(&["check", "--package", "aardvark-spec"])?;
        let mut errors = Vec::new();
        for found in messages.into_iter().filter_map(|message| message.message) {
            let principal = found.spans.iter().find(|span| span.is_primary);
            let Some(first) = principal.filter(|_| found.level == "error") else { continue };
            let mut spans: Vec<&Span> = found.spans.iter().filter(|span| span.file_name == first.file_name).collect();
            spans.sort_by_key(|span| !span.is_primary);
            let name = first.file_name.rsplit_once("spec/src/").map_or(first.file_name.as_str(), |(_, name)| name);
            let places = spans.iter().map(|span| span.byte_start..span.byte_end).collect();
            errors.push(CompilerError { file: name.to_owned(), places, message: found.message.clone() });
        }
        if errors.is_empty() && !passed {
            return Err(ChoreError::Mutation("the copy of the specification does not compile".to_owned()));
        }
        Ok(errors)
    }

    /// Builds the differential tests with these names. All of the workspace is asked for, so that
    /// dependencies have the features that they have in the tree, and are not compiled again.
    pub fn programs(&self, names: &[&str]) -> Result<Vec<Program>, ChoreError> {
        let tests = names.iter().flat_map(|name| ["--test", name]);
        let arguments: Vec<&str> = ["test", "--no-run", "--workspace", FEATURES].into_iter().chain(tests).collect();
        let (passed, messages) = self.cargo(&arguments)?;
        if !passed {
            return Err(ChoreError::Mutation("the copy's differential tests do not compile".to_owned()));
        }
        // Other crates may have tests of the same names.
        let own = messages.into_iter().filter(|message| message.package_id.contains("differential-tests"));
        let program = |message: Message| Some(Program { name: message.target?.name, path: message.executable? });
        let mut programs: Vec<Program> = own.filter_map(program).collect();
        programs.sort();
        Ok(programs)
    }

    /// Where cargo runs the differential tests.
    pub fn tests(&self) -> PathBuf {
        self.root.join("differential-tests")
    }

    fn cargo(&self, arguments: &[&str]) -> Result<(bool, Vec<Message>), ChoreError> {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let mut command = Command::new(&cargo);
        command.args(arguments).args(["--offline", "--message-format", "json"]).current_dir(&self.root);
        command.env("CARGO_TARGET_DIR", root().join("target")).stderr(Stdio::inherit());
        let output = command.output().map_err(|source| ChoreError::Start { command: cargo, source })?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let messages = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        Ok((output.status.success(), messages.collect()))
    }
}

/// An error of the compiler.
struct CompilerError {
    /// The file below `spec/src`.
    file: String,
    /// The bytes that it is about, the principal ones first.
    places: Vec<Range<usize>>,
    message: String,
}

/// What tells a mutant from those of other versions of the specification.
fn line_of(specification: &Specification, mutant: &Mutant) -> String {
    let file = specification.files.iter().find(|file| file.name == mutant.file);
    format!("{}\t{}", mutant.id, mutant.change(file.map_or("", |file| file.text.as_str())))
}

/// The workspace's manifest, with the copy's version.
fn own_version(manifest: &[u8]) -> Result<Vec<u8>, ChoreError> {
    let text = String::from_utf8_lossy(manifest);
    let line = format!("\nversion = \"{}\"\n", env!("CARGO_PKG_VERSION"));
    if text.matches(&line).count() != 1 {
        return Err(ChoreError::Mutation("the workspace's version does not stand in Cargo.toml once".to_owned()));
    }
    let own = format!("\nversion = \"{}{VERSION}\"\n", env!("CARGO_PKG_VERSION"));
    Ok(text.replace(&line, &own).into_bytes())
}

/// What of cargo's messages is read.
#[derive(Default, Deserialize)]
struct Message {
    #[serde(default)]
    package_id: String,
    message: Option<Diagnostic>,
    target: Option<Target>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Diagnostic {
    message: String,
    level: String,
    spans: Vec<Span>,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}
