//! What the proofs rest on: no axiom, nothing admitted, and every theorem of `proofs/theorems.txt`
//! closed. The list is that of the theorems that stand in `proofs/theories/Theorems`, all of them.

use crate::chore::{ChoreError, coq_files, file_error, name_below, output_of, program, read, root};

/// Words that would let a proof rest on something unproved, or switch a check of Coq's off,
/// wherever they stand.
const FORBIDDEN: [&str; 9] =
    ["Axiom", "Axioms", "Admitted", "admit", "Conjecture", "Conjectures", "give_up", "bypass_check", "type_in_type"];
/// The same, where they begin a sentence; elsewhere they may be names, as the specification's
/// `Parameters` is.
const FORBIDDEN_FIRST: [&str; 6] = ["Parameter", "Parameters", "Primitive", "Admit", "Declare", "Unset"];
/// What a sentence may begin with inside of a section only: outside, each declares an axiom.
const OF_SECTIONS: [&str; 6] = ["Variable", "Variables", "Hypothesis", "Hypotheses", "Context", "Let"];

/// All of `proofs/_CoqProject`.
const OPTIONS: [&str; 6] = ["-Q", "generated", "AardvarkSpec", "-Q", "theories", "Aardvark"];

/// What Coq says of a theorem that rests on nothing.
const CLOSED: &str = "Closed under the global context";

/// Where the theorems stand that are listed.
const HEADLINES: &str = "proofs/theories/Theorems";

/// One line of `proofs/theorems.txt`: `File theorem`, the file below [`HEADLINES`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Theorem {
    /// Its file.
    pub file: String,
    /// Its name.
    pub name: String,
}

impl Theorem {
    /// Its file's name in Coq.
    pub fn library(&self) -> String {
        format!("Aardvark.Theorems.{}", self.file)
    }
}

/// Fails where a file of ours uses a forbidden word outside of comments, or where Coq is given an
/// option beside the folders.
pub fn check_words() -> Result<(), ChoreError> {
    let options = read(&root().join("proofs/_CoqProject"))?;
    if options.split_whitespace().collect::<Vec<_>>() != OPTIONS {
        return Err(ChoreError::Proofs(format!("proofs/_CoqProject says more than {}", OPTIONS.join(" "))));
    }
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
    words.find(|word| FORBIDDEN.contains(word)).or_else(|| forbidden_sentence(text))
}

/// The first word of a sentence that may not begin so, or not outside of a section.
fn forbidden_sentence(text: &str) -> Option<&str> {
    let mut open: Vec<&str> = Vec::new();
    for sentence in text.split(". ").flat_map(|part| part.split(".\n")) {
        let mut words = words_of(sentence);
        let (Some(first), second) = (words.next(), words.next()) else { continue };
        match first {
            "Section" => open.extend(second),
            "End" if open.last().copied() == second => _ = open.pop(),
            _ if FORBIDDEN_FIRST.contains(&first) => return Some(first),
            _ if OF_SECTIONS.contains(&first) && open.is_empty() => return Some(first),
            _ => {}
        }
    }
    None
}

/// A sentence's words, without `Local` and attributes such as `#[local]` before them, and without
/// bullets and braces.
fn words_of(sentence: &str) -> impl Iterator<Item = &str> {
    let before =
        |word: &&str| ["Local", "Global", "Polymorphic"].contains(word) || word.starts_with("#[") || is_bullet(word);
    sentence.split_whitespace().skip_while(before).map(|word| word.trim_end_matches('.'))
}

fn is_bullet(word: &str) -> bool {
    word.chars().all(|c| "-+*{}".contains(c))
}

/// Fails unless the list and the folder of theorems have the same ones.
pub fn check_list() -> Result<(), ChoreError> {
    let mut listed = listed()?;
    let mut standing = Vec::new();
    for path in coq_files(&root().join(HEADLINES))? {
        standing.extend(stated(&name_below(&root().join(HEADLINES), &path), &without_comments(&read(&path)?)));
    }
    listed.sort();
    standing.sort();
    difference(&listed, &standing).map_or(Ok(()), |text| Err(ChoreError::Proofs(text)))
}

/// The theorems that a file states.
fn stated(file: &str, text: &str) -> Vec<Theorem> {
    let names = text.lines().filter_map(|line| line.strip_prefix("Theorem ")?.split([' ', ':']).next());
    names.map(|name| Theorem { file: file.to_owned(), name: name.to_owned() }).collect()
}

/// What is in one of two sorted lists only, in words.
fn difference(listed: &[Theorem], standing: &[Theorem]) -> Option<String> {
    let shown = |theorem: &Theorem| format!("{}.{}", theorem.file, theorem.name);
    if let Some(pair) = listed.windows(2).find(|pair| pair.first() == pair.last()) {
        return pair.first().map(|twice| format!("{} is listed twice", shown(twice)));
    }
    if let Some(missing) = listed.iter().find(|theorem| !standing.contains(theorem)) {
        return Some(format!("{} is listed, and does not stand in {HEADLINES}", shown(missing)));
    }
    let more = standing.iter().find(|theorem| !listed.contains(theorem))?;
    Some(format!("{} stands in {HEADLINES}, and is not listed", shown(more)))
}

/// Prints the theorems; fails unless each is closed under the global context.
///
/// Coq is asked once for all of them together, since they share most of what they rest on; where
/// that is not closed, one after the other, to name the first that is not.
pub fn check_theorems() -> Result<(), ChoreError> {
    let theorems = listed()?;
    let together = assumptions_of(&together(&theorems))?;
    if !together.lines().any(|line| line == CLOSED) {
        for theorem in &theorems {
            let output = assumptions_of(&alone(theorem))?;
            if !output.lines().any(|line| line == CLOSED) {
                return Err(ChoreError::Proofs(format!("{}.{} rests on\n{output}", theorem.file, theorem.name)));
            }
        }
        return Err(ChoreError::Proofs(format!("the theorems together rest on\n{together}")));
    }
    println!("\n{} theorems, each closed under the global context:", theorems.len());
    for theorem in &theorems {
        println!("  {:24} {}", theorem.file, theorem.name);
    }
    Ok(())
}

/// What Coq prints when it compiles this text.
fn assumptions_of(text: &str) -> Result<String, ChoreError> {
    let folder = root().join("target/proofs");
    std::fs::create_dir_all(&folder).map_err(|source| file_error(&folder, source))?;
    let query = folder.join("Assumptions.v");
    std::fs::write(&query, text).map_err(|source| file_error(&query, source))?;
    let query = query.to_string_lossy().into_owned();
    let generated = ["-Q", "proofs/generated", "AardvarkSpec", "-Q", "proofs/theories", "Aardvark"];
    output_of("coqc", &[&generated[..], &["-o", "target/proofs/Assumptions.vo", &query]].concat())
}

/// The file of theorems whose history, which Coq computes (`Examples/ReachableExample.v`), coqchk
/// did not get through in 17 minutes: it has no virtual machine. No other file of theorems rests on
/// that history, and coqc checks it like all others.
const NOT_RECHECKED: &str = "Inhabited";

/// Has coqchk check the compiled files of ours and all that they use.
pub fn recheck() -> Result<(), ChoreError> {
    let listed = listed()?.into_iter().filter(|theorem| theorem.file != NOT_RECHECKED);
    let mut files: Vec<String> = listed.map(|theorem| theorem.library()).collect();
    files.dedup();
    println!("coqchk leaves out {NOT_RECHECKED}.v, which takes it too long.");
    let mut arguments = vec!["-silent", "-Q", "proofs/generated", "AardvarkSpec", "-Q", "proofs/theories", "Aardvark"];
    arguments.extend(files.iter().map(String::as_str));
    program("Recheck", "coqchk", &arguments)
}

/// The theorems of `proofs/theorems.txt`, in its order.
pub fn listed() -> Result<Vec<Theorem>, ChoreError> {
    let path = root().join("proofs/theorems.txt");
    let text = read(&path)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let theorems = lines.map(|line| match line.split_whitespace().collect::<Vec<_>>().as_slice() {
        [file, name] => Ok(Theorem { file: (*file).to_owned(), name: (*name).to_owned() }),
        _ => Err(ChoreError::Proofs(format!("proofs/theorems.txt: `{line}` is not `File theorem`"))),
    });
    theorems.collect()
}

fn alone(theorem: &Theorem) -> String {
    let (library, name) = (theorem.library(), &theorem.name);
    format!("Require {library}.\nPrint Assumptions {library}.{name}.\n")
}

/// Asks for all theorems at once: for a definition that uses each.
fn together(theorems: &[Theorem]) -> String {
    let mut text = String::new();
    let mut uses = String::from("tt");
    for theorem in theorems {
        let (library, name) = (theorem.library(), &theorem.name);
        text += &format!("Require {library}.\n");
        uses = format!("(let _ := @{library}.{name} in {uses})");
    }
    format!("{text}Definition all_theorems : unit := {uses}.\nPrint Assumptions all_theorems.\n")
}

/// The text without its comments, which nest.
pub fn without_comments(text: &str) -> String {
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
        assert_eq!(forbidden_word("Lemma a : b.\nProof.\n- Unset Guard Checking."), Some("Unset"));
        assert_eq!(forbidden_word("#[bypass_check(guard)] Fixpoint f := g."), Some("bypass_check"));
        assert_eq!(forbidden_word("Obligation Tactic := idtac.\nAdmit Obligations."), Some("Admit"));
    }

    #[test]
    fn a_hypothesis_outside_of_a_section_is_an_axiom() {
        assert_eq!(forbidden_word("Section A.\nVariable n : N.\nHypothesis h : n = 0.\nEnd A.\nLemma b : c."), None);
        assert_eq!(forbidden_word("Section A.\nEnd A.\nHypothesis h : False."), Some("Hypothesis"));
        assert_eq!(forbidden_word("Lemma a : b. #[local] Variable n : N."), Some("Variable"));
        assert_eq!(forbidden_word("Module M.\nEnd M.\nContext (f : False)."), Some("Context"));
    }

    #[test]
    fn every_listed_theorem_is_asked_for() {
        let theorem = |name: &str| Theorem { file: "Bytes".to_owned(), name: name.to_owned() };
        let expected = "Require Aardvark.Theorems.Bytes.\nPrint Assumptions Aardvark.Theorems.Bytes.order.\n";
        assert_eq!(alone(&theorem("order")), expected);
        let text = together(&[theorem("order"), theorem("length")]);
        let uses = "(let _ := @Aardvark.Theorems.Bytes.length in (let _ := @Aardvark.Theorems.Bytes.order in tt))";
        assert!(text.contains(uses), "{text}");
    }

    #[test]
    fn the_list_names_the_theorems_that_stand_in_the_folder() {
        check_list().unwrap();
    }

    #[test]
    fn a_theorem_that_is_only_listed_or_only_stated_is_found() {
        let text =
            without_comments("(* Theorem no : x. *)\nTheorem order (n : N) :\n  x.\nTheorem length : y.\nLemma l : z.");
        let stated = stated("Bytes", &text);
        assert_eq!(stated.iter().map(|theorem| theorem.name.as_str()).collect::<Vec<_>>(), ["order", "length"]);
        let (one, both) = (&stated[..1], &stated[..]);
        assert_eq!(difference(both, both), None);
        assert!(difference(both, one).unwrap().contains("Bytes.length is listed, and does not stand"));
        assert!(difference(one, both).unwrap().contains("Bytes.length stands in"));
        assert_eq!(difference(&[one, one].concat(), one).unwrap(), "Bytes.order is listed twice");
    }
}
