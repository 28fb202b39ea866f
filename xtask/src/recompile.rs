//! Whether the proofs notice a change of `proofs/generated`: compile the changed file, what depends
//! on it, and the theories that are asked for, until one fails.
//!
//! It happens in a private copy of `proofs/`, compiled files included, which is restored after each
//! change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::assumptions::without_comments;
use crate::chore::{ChoreError, file_error, files_below, output_in, read};

/// A change of one generated file.
pub struct Change<'a> {
    /// The file below `generated/`, without `.v`: `Base/Bytes`.
    pub file: &'a str,
    /// What stands there; its first occurrence is replaced.
    pub from: &'a str,
    /// What stands there instead.
    pub to: &'a str,
}

/// The whole new text of a generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewText {
    /// The file below `generated/`, without `.v`.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// What the proofs say of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This lemma of this file fails.
    Noticed {
        /// The file, a theory as a rule; a generated one where the change does not type-check.
        file: String,
        /// The lemma, theorem, or definition at the error's line.
        lemma: String,
    },
    /// All that were asked for compile.
    Pass,
    /// The time ran out, or coqc ended without naming a line.
    Undecided,
}

/// The private copy, and what depends on what in it.
pub struct Copy {
    folder: PathBuf,
    pristine: PathBuf,
    /// For each file, such as `theories/Bytes`, the files that it requires.
    requires: BTreeMap<String, BTreeSet<String>>,
    /// The theories, without their comments.
    texts: BTreeMap<String, String>,
}

impl Copy {
    /// Copies `generated/` and `theories/` with their compiled files, twice: one to work in, one to
    /// restore from.
    pub fn new(proofs: &Path, target: &Path) -> Result<Self, ChoreError> {
        let (folder, pristine) = (target.join("proofs"), target.join("pristine"));
        for copy in [&folder, &pristine] {
            for part in ["generated", "theories"] {
                copy_folder(&proofs.join(part), &copy.join(part))?;
            }
        }
        let requires = dependencies(&folder)?;
        let mut texts = BTreeMap::new();
        for file in requires.keys().filter(|file| file.starts_with("theories/")) {
            texts.insert(file.clone(), without_comments(&read(&folder.join(format!("{file}.v")))?));
        }
        Ok(Self { folder, pristine, requires, texts })
    }

    /// Compiles these theories with the change, and what they need of what depends on it, in this
    /// order and until something fails that counts; restores the copy.
    ///
    /// `counts` is asked for file and lemma. A lemma that does not count is left without its proof,
    /// and its file is compiled again.
    pub fn judge(
        &self,
        change: &Change<'_>,
        goals: &[String],
        limit: Duration,
        counts: impl Fn(&str, &str) -> bool,
    ) -> Result<Verdict, ChoreError> {
        let path = self.folder.join(format!("generated/{}.v", change.file));
        let text = read(&path)?.replacen(change.from, change.to, 1);
        let new = NewText { file: change.file.to_owned(), text };
        self.judge_texts(std::slice::from_ref(&new), goals, limit, counts)
    }

    /// The same, where several generated files have new texts.
    pub fn judge_texts(
        &self,
        texts: &[NewText],
        goals: &[String],
        limit: Duration,
        counts: impl Fn(&str, &str) -> bool,
    ) -> Result<Verdict, ChoreError> {
        let mut stale = BTreeSet::new();
        for new in texts {
            let changed = format!("generated/{}", new.file);
            let path = self.folder.join(format!("{changed}.v"));
            stale.extend(self.dependents(&changed));
            std::fs::write(&path, &new.text).map_err(|source| file_error(&path, source))?;
        }
        let verdict = self.compile_until_failure(goals, stale.clone(), Instant::now() + limit, counts);
        for file in stale {
            for ending in ["v", "vo"] {
                let name = format!("{file}.{ending}");
                copy_file(&self.pristine.join(&name), &self.folder.join(&name))?;
            }
        }
        verdict
    }

    fn compile_until_failure(
        &self,
        goals: &[String],
        mut stale: BTreeSet<String>,
        deadline: Instant,
        counts: impl Fn(&str, &str) -> bool,
    ) -> Result<Verdict, ChoreError> {
        for goal in goals {
            for file in self.in_order(&self.closure(goal), &stale) {
                while let compiled @ (Compiled::No(_) | Compiled::OutOfTime) = self.compile(&file, deadline)? {
                    let Compiled::No(errors) = compiled else { return Ok(Verdict::Undecided) };
                    // Out of memory, say.
                    let Some((lemma, line)) = self.failing(&file, &errors)? else { return Ok(Verdict::Undecided) };
                    if counts(&file, &lemma) || !self.admit(&file, line)? {
                        return Ok(Verdict::Noticed { file, lemma });
                    }
                }
                stale.remove(&file);
            }
        }
        Ok(Verdict::Pass)
    }

    /// Leaves out the proof around this line; false where there is none.
    fn admit(&self, file: &str, line: usize) -> Result<bool, ChoreError> {
        let path = self.folder.join(format!("{file}.v"));
        let Some(admitted) = without_proof(&read(&path)?, line) else { return Ok(false) };
        std::fs::write(&path, admitted).map_err(|source| file_error(&path, source))?;
        Ok(true)
    }

    /// The theories that a change of this generated file can break and that name this function;
    /// then the others that it can break. At the head of each the one that needs the fewest files.
    pub fn theories_of(&self, file: &str, name: &str) -> (Vec<String>, Vec<String>) {
        let stale = self.dependents(&format!("generated/{file}"));
        let cost = |file: &String| self.closure(file).intersection(&stale).count();
        let theories = stale.iter().filter(|file| self.texts.contains_key(*file));
        let (mut naming, mut rest): (Vec<String>, Vec<String>) =
            theories.cloned().partition(|file| self.texts.get(file).is_some_and(|text| names(text, name)));
        naming.sort_by_cached_key(cost);
        rest.sort_by_cached_key(cost);
        (naming, rest)
    }

    /// All files that require this one, itself included.
    pub fn dependents(&self, file: &str) -> BTreeSet<String> {
        let depends = |other: &&String| self.closure(other).contains(file);
        self.requires.keys().filter(depends).cloned().collect()
    }

    /// All files that this one requires, itself included.
    fn closure(&self, file: &str) -> BTreeSet<String> {
        let (mut found, mut open) = (BTreeSet::from([file.to_owned()]), vec![file.to_owned()]);
        while let Some(next) = open.pop() {
            for required in self.requires.get(&next).into_iter().flatten() {
                if found.insert(required.clone()) {
                    open.push(required.clone());
                }
            }
        }
        found
    }

    /// The stale ones of these files, each after those that it requires.
    fn in_order(&self, files: &BTreeSet<String>, stale: &BTreeSet<String>) -> Vec<String> {
        let mut ordered: Vec<String> = files.intersection(stale).cloned().collect();
        ordered.sort_by_cached_key(|file| self.closure(file).len());
        ordered
    }

    fn compile(&self, file: &str, deadline: Instant) -> Result<Compiled, ChoreError> {
        let left = deadline.saturating_duration_since(Instant::now()).as_secs();
        if left == 0 {
            return Ok(Compiled::OutOfTime);
        }
        let mut command = Command::new("timeout");
        command.arg(left.to_string()).args([
            "coqc",
            "-q",
            "-Q",
            "generated",
            "AardvarkSpec",
            "-Q",
            "theories",
            "Aardvark",
        ]);
        command.arg(format!("{file}.v")).current_dir(&self.folder).stdin(Stdio::null());
        let output =
            command.output().map_err(|source| ChoreError::Start { command: "timeout coqc".to_owned(), source })?;
        Ok(match output.status.code() {
            Some(0) => Compiled::Yes,
            Some(124) => Compiled::OutOfTime,
            _ => Compiled::No(String::from_utf8_lossy(&output.stderr).into_owned()),
        })
    }

    /// The lemma at the line of the error, and the line; none where coqc names none.
    fn failing(&self, file: &str, errors: &str) -> Result<Option<(String, usize)>, ChoreError> {
        let text = read(&self.folder.join(format!("{file}.v")))?;
        let found = error_line(errors).and_then(|line| Some((lemma_at(&text, line)?, line)));
        if found.is_none() {
            println!("{file} fails at no lemma: {errors}");
        }
        Ok(found)
    }
}

/// The line that coqc names of its error, not of a warning before it.
fn error_line(said: &str) -> Option<usize> {
    let mut named = None;
    for line in said.lines() {
        if line.starts_with("File ") {
            named = line.split(", line ").nth(1).and_then(|rest| rest.split(',').next()?.parse().ok());
        }
        if line.starts_with("Error") {
            return named;
        }
    }
    None
}

enum Compiled {
    Yes,
    No(String),
    OutOfTime,
}

/// The name of the last statement that begins at or before this line, which is counted from 1.
fn lemma_at(text: &str, line: usize) -> Option<String> {
    const HEADS: [&str; 11] = [
        "Theorem",
        "Lemma",
        "Corollary",
        "Example",
        "Remark",
        "Fact",
        "Definition",
        "Fixpoint",
        "Instance",
        "Record",
        "Inductive",
    ];
    let before: Vec<&str> = text.lines().take(line).collect();
    before.iter().rev().find_map(|line| {
        let mut words =
            line.split_whitespace().filter(|word| !["Local", "Global", "#[global]", "Program"].contains(word));
        let head = words.next()?;
        let name = words.next()?.trim_end_matches([':', '.']);
        HEADS.contains(&head).then(|| name.to_owned())
    })
}

/// A text without the proof of the statement at this line; none where the statement has no proof.
fn without_proof(text: &str, line: usize) -> Option<String> {
    let lemma = lemma_at(text, line)?;
    let line_of = |at: usize| text.get(..at).map_or(1, |before| before.matches('\n').count() + 1);
    let end = text.match_indices("Qed.").map(|(at, _)| at).find(|at| line_of(*at) >= line)?;
    let begin = text.get(..end)?.rfind("\nProof")? + 1;
    let of_lemma = |at: usize| lemma_at(text, line_of(at)).is_some_and(|name| name == lemma);
    let (before, after) = (text.get(..begin)?, text.get(end + "Qed.".len()..)?);
    (of_lemma(begin) && of_lemma(end)).then(|| format!("{before}Proof. Admitted.{after}"))
}

/// Whether a text names this function.
fn names(text: &str, name: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\'')).any(|word| word == name)
}

/// What `coqdep` says of the files of a folder: for each, those that it requires.
fn dependencies(folder: &Path) -> Result<BTreeMap<String, BTreeSet<String>>, ChoreError> {
    let script = "coqdep -Q generated AardvarkSpec -Q theories Aardvark $(find generated theories -name '*.v')";
    let output = output_in(folder, "sh", &["-c", script])?;
    let mut requires = BTreeMap::new();
    for line in output.lines() {
        let Some((made, required)) = line.split_once(": ") else { continue };
        let Some(file) = made.split_whitespace().next().and_then(|file| file.strip_suffix(".vo")) else { continue };
        let required = required.split_whitespace().filter_map(|file| file.strip_suffix(".vo")).map(str::to_owned);
        requires.insert(file.to_owned(), required.collect());
    }
    Ok(requires)
}

/// Copies sources and compiled files, folders included; nothing else.
fn copy_folder(from: &Path, to: &Path) -> Result<(), ChoreError> {
    _ = std::fs::remove_dir_all(to);
    for path in files_below(from, &["v", "vo"])? {
        let copy = to.join(path.strip_prefix(from).unwrap_or(&path));
        let parent = copy.parent().unwrap_or(to);
        std::fs::create_dir_all(parent).map_err(|source| file_error(parent, source))?;
        copy_file(&path, &copy)?;
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path) -> Result<(), ChoreError> {
    std::fs::copy(from, to).map(drop).map_err(|source| file_error(from, source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_belongs_to_the_statement_before_it() {
        let text = "Lemma a : x.\nProof. y. Qed.\n\n#[global] Instance b : z.\nProof.\n  w.\n";
        assert_eq!(lemma_at(text, 2).as_deref(), Some("a"));
        assert_eq!(lemma_at(text, 6).as_deref(), Some("b"));
        assert_eq!(lemma_at("Proof.", 1), None);
    }

    #[test]
    fn a_warning_is_no_error() {
        let warning = "File \"./a.v\", line 3, characters 0-4:\nWarning: old\n[deprecated]\n";
        let error = "File \"./a.v\", line 12, characters 2-10:\nError: Unable to unify.\n";
        assert_eq!(error_line(&[warning, error].concat()), Some(12));
        assert_eq!(error_line(warning), None);
        assert_eq!(error_line("Error: Out of memory.\n"), None);
    }

    #[test]
    fn the_proof_around_a_line_is_left_out() {
        let text = "Lemma a : x.\nProof. y. Qed.\nLemma b :\n  x.\nProof.\n  y.\nQed.\nDefinition c := x.\n";
        let first = "Lemma a : x.\nProof. Admitted.\nLemma b :\n  x.\nProof.\n  y.\nQed.\nDefinition c := x.\n";
        let second = "Lemma a : x.\nProof. y. Qed.\nLemma b :\n  x.\nProof. Admitted.\nDefinition c := x.\n";
        assert_eq!(without_proof(text, 2).as_deref(), Some(first));
        assert_eq!(without_proof(text, 6).as_deref(), Some(second));
        for (text, line) in [(text, 8), (first, 1), (first, 2)] {
            assert_eq!(without_proof(text, line), None, "{line}");
        }
    }

    #[test]
    fn a_function_is_named_by_its_whole_name_only() {
        assert!(names("rewrite (put_slot a)", "put_slot"));
        assert!(!names("rewrite put_slots, put_slot_step", "put_slot"));
    }
}
