//! Whether the oracle's test notices a mutant.
//!
//! One oracle holds all mutants: in a private copy of the generated files each function becomes a
//! choice between itself and its mutant, by a switch that the extracted program sets from the
//! variable `AARDVARK_MUTANT`. So one build serves them all, and a mutant costs one run of the
//! test. The copy of ModularScalars.v keeps the instance and leaves its theorems out: they are
//! about the functions unchanged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::chore::{ChoreError, file_error, output_in, output_of, read, write_below};
use crate::mutants::choose::Mutant;

/// The tests of the oracle's crate that compare it with the specification, those first that notice
/// much in little time.
const TESTS: [&str; 5] = ["parts", "tails", "agreement", "edges", "aggregated"];

/// Seconds that the test may take with a mutant, and the kilobytes of memory.
const SECONDS: &str = "60";
const KILOBYTES: &str = "4000000";

/// What the oracle's test says of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This test fails.
    Noticed {
        /// Its name, or that it does not end.
        test: String,
    },
    /// The tests pass.
    Pass,
    /// The oracle does not contain the function.
    Absent,
}

/// The oracle with all mutants in it.
pub struct Switched {
    program: PathBuf,
    /// The crate's tests, compiled.
    tests: Vec<PathBuf>,
    /// The switches that the extraction kept.
    kept: BTreeMap<String, usize>,
}

impl Switched {
    /// Builds it; the mutants are numbered from 1. Fails where the test does not pass while no
    /// mutant is chosen.
    pub fn build(proofs: &Path, compiled: &Path, target: &Path, mutants: &[Mutant]) -> Result<Self, ChoreError> {
        let folder = target.join("oracle");
        _ = std::fs::remove_dir_all(&folder);
        for part in ["generated", "theories", "build"] {
            let part = folder.join(part);
            std::fs::create_dir_all(&part).map_err(|source| file_error(&part, source))?;
        }
        write_sources(proofs, compiled, &folder, mutants)?;
        output_in(&folder, "sh", &["-e", "-c", BUILD])?;
        let extracted = read(&folder.join("build/oracle_spec.ml"))?;
        let kept = |number: usize| extracted.contains(&format!("let {} =", switch(number)));
        let numbered = mutants.iter().enumerate().map(|(i, mutant)| (mutant.function.name.clone(), i + 1));
        let kept = numbered.filter(|(_, number)| kept(*number)).collect();
        let built = Self {
            program: folder.join("build/oracle"),
            tests: TESTS.iter().map(|test| test_program(test)).collect::<Result<_, _>>()?,
            kept,
        };
        match built.run(0)? {
            Verdict::Pass => Ok(built),
            other => Err(ChoreError::Proofs(format!("the unchanged oracle does not pass its test: {other:?}"))),
        }
    }

    /// Runs the test with the mutant of this function.
    pub fn judge(&self, function: &str) -> Result<Verdict, ChoreError> {
        self.kept.get(function).map_or(Ok(Verdict::Absent), |number| self.run(*number))
    }

    fn run(&self, number: usize) -> Result<Verdict, ChoreError> {
        for test in &self.tests {
            match self.run_one(test, number)? {
                Verdict::Pass => {}
                other => return Ok(other),
            }
        }
        Ok(Verdict::Pass)
    }

    fn run_one(&self, test: &Path, number: usize) -> Result<Verdict, ChoreError> {
        let script = format!("ulimit -v {KILOBYTES}; exec timeout {SECONDS} \"$0\" --test-threads 1");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).arg(test);
        command.env("AARDVARK_ORACLE", &self.program).env("AARDVARK_MUTANT", number.to_string());
        let output =
            command.output().map_err(|source| ChoreError::Start { command: "the oracle's test".to_owned(), source })?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        if errors.contains("SKIPPED") {
            return Err(ChoreError::Proofs(format!("the oracle's test was skipped: {errors}")));
        }
        if output.status.success() {
            return Ok(Verdict::Pass);
        }
        let failed = text.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
        let test = failed.map_or_else(|| format!("the test does not end within {SECONDS} s"), str::to_owned);
        Ok(Verdict::Noticed { test })
    }
}

const BUILD: &str = "\
    coqdep -Q generated AardvarkSpec -Q theories Aardvark -sort $(find generated theories -name '*.v') | tr ' ' '\\n' | \
    while read -r file; do test -z \"$file\" || coqc -q -Q generated AardvarkSpec -Q theories Aardvark \"$file\"; done\n\
    cd build\n\
    coqc -q -Q ../generated AardvarkSpec -Q ../theories Aardvark Extract.v\n\
    ocamlfind ocamlopt -c mutant.ml\n\
    ocamlfind ocamlopt -w -a -package zarith -c oracle_spec.mli oracle_spec.ml\n\
    ocamlfind ocamlopt -w -a -package zarith -linkpkg mutant.cmx oracle_spec.cmx $(cat programs) -o oracle\n";

/// The oracle's own files, each after those that it uses, as in the Makefile.
const PROGRAMS: [&str; 6] = ["tokens.ml", "values.ml", "session.ml", "parts.ml", "readers.ml", "main.ml"];

/// The instance with which the oracle computes.
const INSTANCE: &str = "theories/Examples/ModularScalars.v";

const CHOSEN: &str = "\
    let number = match Sys.getenv_opt \"AARDVARK_MUTANT\" with Some text -> int_of_string text | None -> 0\n\
    let chosen n = n = number\n";

fn switch(number: usize) -> String {
    format!("mutant_switch_{number}")
}

fn write_sources(proofs: &Path, compiled: &Path, folder: &Path, mutants: &[Mutant]) -> Result<(), ChoreError> {
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    for path in crate::chore::coq_files(&compiled.join("generated"))? {
        texts.insert(folder.join(path.strip_prefix(compiled).unwrap_or(&path)), read(&path)?);
    }
    let mut switches = String::new();
    let mut constants = String::new();
    for (i, mutant) in mutants.iter().enumerate() {
        let switch = switch(i + 1);
        switches += &format!("Parameter {switch} : bool.\n");
        constants += &format!("Extract Constant {switch} => \"(Mutant.chosen {})\".\n", i + 1);
        let path = folder.join(format!("generated/{}.v", mutant.function.file));
        if let Some(text) = texts.get_mut(&path) {
            *text = text.replacen(&mutant.function.text, &switched(mutant, &switch), 1);
        }
    }
    if let Some(prelude) = texts.get_mut(&folder.join("generated/Prelude.v")) {
        prelude.push_str(&switches);
    }
    texts.insert(folder.join(INSTANCE), instance_only(&read(&compiled.join(INSTANCE))?)?);
    for file in PROGRAMS {
        texts.insert(folder.join("build").join(file), read(&proofs.join("oracle").join(file))?);
    }
    texts.insert(folder.join("build/programs"), PROGRAMS.join(" "));
    let extract = read(&proofs.join("oracle/Extract.v"))?;
    let extract = extract.replacen("Extraction Blacklist", &format!("{constants}\nExtraction Blacklist"), 1);
    texts.insert(folder.join("build/Extract.v"), extract);
    texts.insert(folder.join("build/mutant.ml"), CHOSEN.to_owned());
    for (path, text) in texts {
        write_below(&path, &text)?;
    }
    Ok(())
}

/// The function, its mutant, and under the function's name the choice between the two.
fn switched(mutant: &Mutant, switch: &str) -> String {
    let function = &mutant.function;
    let name = &function.name;
    let under =
        |text: &str, other: &str| text.replacen(&format!("Definition {name}"), &format!("Definition {other}"), 1);
    let arguments: Vec<&str> = function.parameters.iter().map(|(name, _)| name.as_str()).collect();
    let arguments = arguments.join(" ");
    let head = function.text.get(..function.body).unwrap_or_default();
    format!(
        "{}\n\n{}\n\n{head}\n  if {switch} then {name}__mutant {arguments} else {name}__original {arguments}.",
        under(&function.text, &format!("{name}__original")),
        under(&mutant.change.text, &format!("{name}__mutant")),
    )
}

/// ModularScalars.v without its theorems about the functions.
fn instance_only(text: &str) -> Result<String, ChoreError> {
    let residues = text.split("(** * Residues *)").nth(1).and_then(|rest| rest.split("(** * Laws *)").next());
    let residues = residues
        .ok_or_else(|| ChoreError::Proofs("ModularScalars.v has no part `Residues` before `Laws`".to_owned()))?;
    Ok(format!(
        "From Coq Require Import NArith List Bool Ring_theory Eqdep_dec.\nFrom AardvarkSpec Require Import Prelude Base.Scalar.\n\
         Local Open Scope N_scope.\nDefinition modulus : N := Scalar_modulus.\n{residues}"
    ))
}

/// A compiled test of the oracle's crate.
fn test_program(test: &str) -> Result<PathBuf, ChoreError> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let arguments = ["test", "-p", "aardvark-oracle", "--test", test, "--no-run", "--message-format", "json"];
    let output = output_of(&cargo, &arguments)?;
    let named = format!("\"name\":\"{test}\"");
    let line = output.lines().find(|line| line.contains(&named) && line.contains("\"executable\":\""));
    let program = line.and_then(|line| line.split("\"executable\":\"").nth(1)?.split('"').next());
    program.map(PathBuf::from).ok_or_else(|| ChoreError::Proofs(format!("cargo names no test `{test}`")))
}
