//! What the proofs rest on: no axiom, nothing admitted, and every theorem of `proofs/theorems.txt` closed.

use std::path::{Path, PathBuf};

use crate::chore::{ChoreError, output_of, program, root};

/// Words that would let a proof rest on something unproved, wherever they stand.
const FORBIDDEN: [&str; 6] = ["Axiom", "Axioms", "Admitted", "admit", "Conjecture", "give_up"];
/// The same, where they begin a sentence; elsewhere they may be names, as the specification's `Parameters` is.
const FORBIDDEN_FIRST: [&str; 2] = ["Parameter", "Parameters"];

/// One line of `proofs/theorems.txt`: `File theorem`.
struct Theorem {
    file: String,
    name: String,
}

/// Fails where a file of ours uses a forbidden word outside of comments.
pub fn check_words() -> Result<(), ChoreError> {
    for folder in ["proofs/theories", "proofs/generated", "proofs/oracle"] {
        for path in coq_files(&root().join(folder))? {
            let text = without_comments(&read(&path)?);
            if let Some(word) = forbidden_word(&text) {
                return Err(ChoreError::Proofs(format!("{} contains the word {word}", path.display())));
            }
        }
    }
    Ok(())
}

/// The first word of a file, its comments left out, that would weaken a proof.
fn forbidden_word(text: &str) -> Option<&str> {
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\''));
    let anywhere = words.find(|word| FORBIDDEN.contains(word));
    let mut sentences = text.split(". ").flat_map(|part| part.split(".\n"));
    let first = |sentence: &'_ str| FORBIDDEN_FIRST.iter().find(|word| begins_with(sentence, word)).copied();
    anywhere.or_else(|| sentences.find_map(first))
}

/// Whether a sentence's first word is this one, after `Local` and the like.
fn begins_with(sentence: &str, word: &str) -> bool {
    let mut words = sentence.split_whitespace().skip_while(|word| ["Local", "Global", "Polymorphic"].contains(word));
    words.next() == Some(word)
}

/// Prints every theorem's assumptions; fails unless each is closed under the global context.
pub fn check_theorems() -> Result<(), ChoreError> {
    let theorems = listed()?;
    let folder = root().join("target/proofs");
    std::fs::create_dir_all(&folder).map_err(|source| file_error(&folder, source))?;
    let query = folder.join("Assumptions.v");
    std::fs::write(&query, query_text(&theorems)).map_err(|source| file_error(&query, source))?;
    let query = query.to_string_lossy().into_owned();
    let generated = ["-Q", "proofs/generated", "AardvarkSpec", "-Q", "proofs/theories", "Aardvark"];
    let output = output_of("coqc", &[&generated[..], &["-o", "target/proofs/Assumptions.vo", &query]].concat())?;
    let closed = output.lines().filter(|line| *line == "Closed under the global context").count();
    if closed != theorems.len() || output.contains("Axioms:") {
        return Err(ChoreError::Proofs(format!("{closed} of {} theorems are closed:\n{output}", theorems.len())));
    }
    println!("\n{} theorems, each closed under the global context:", theorems.len());
    for theorem in &theorems {
        println!("  {:24} {}", theorem.file, theorem.name);
    }
    Ok(())
}

/// Has coqchk check the compiled files of ours and all that they use.
pub fn recheck() -> Result<(), ChoreError> {
    let mut files: Vec<String> = listed()?.into_iter().map(|theorem| format!("Aardvark.{}", theorem.file)).collect();
    files.dedup();
    let mut arguments = vec!["-silent", "-Q", "proofs/generated", "AardvarkSpec", "-Q", "proofs/theories", "Aardvark"];
    arguments.extend(files.iter().map(String::as_str));
    program("Recheck", "coqchk", &arguments)
}

fn listed() -> Result<Vec<Theorem>, ChoreError> {
    let path = root().join("proofs/theorems.txt");
    let text = read(&path)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let theorems = lines.map(|line| match line.split_whitespace().collect::<Vec<_>>().as_slice() {
        [file, name] => Ok(Theorem { file: (*file).to_owned(), name: (*name).to_owned() }),
        _ => Err(ChoreError::Proofs(format!("proofs/theorems.txt: `{line}` is not `File theorem`"))),
    });
    theorems.collect()
}

fn query_text(theorems: &[Theorem]) -> String {
    let mut text = String::new();
    for theorem in theorems {
        text += &format!("Require Aardvark.{}.\n", theorem.file);
        text += &format!("Print Assumptions Aardvark.{}.{}.\n", theorem.file, theorem.name);
    }
    text
}

fn coq_files(folder: &Path) -> Result<Vec<PathBuf>, ChoreError> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(Vec::new());
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "v"));
    files.sort();
    Ok(files)
}

fn read(path: &Path) -> Result<String, ChoreError> {
    std::fs::read_to_string(path).map_err(|source| file_error(path, source))
}

fn file_error(path: &Path, source: std::io::Error) -> ChoreError {
    ChoreError::File { path: path.display().to_string(), source }
}

/// The text without its comments, which nest.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut depth = 0u32;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("(*") {
            depth += 1;
            rest = after;
        } else if let Some(after) = rest.strip_prefix("*)").filter(|_| depth > 0) {
            depth -= 1;
            rest = after;
        } else {
            if depth == 0 {
                kept.push(c);
            }
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_nest_and_are_left_out() {
        assert_eq!(without_comments("a (* Axiom (* inner *) still *) b"), "a  b");
        assert_eq!(without_comments("x *) y"), "x *) y");
    }

    #[test]
    fn words_that_weaken_a_proof_are_found_and_names_are_not() {
        assert_eq!(forbidden_word("Lemma a : b.\nAdmitted."), Some("Admitted"));
        assert_eq!(forbidden_word("Lemma a : b. Local Parameter c : nat."), Some("Parameter"));
        assert_eq!(forbidden_word("Parameters c d : nat."), Some("Parameters"));
        assert_eq!(forbidden_word("Lemma a : forall p : Parameters, admitted p."), None);
    }

    #[test]
    fn every_listed_theorem_is_asked_for_once() {
        let theorem = Theorem { file: "Bytes".to_owned(), name: "order".to_owned() };
        assert_eq!(query_text(&[theorem]), "Require Aardvark.Bytes.\nPrint Assumptions Aardvark.Bytes.order.\n");
    }
}
