//! Which functions of the specification the theorems of `proofs/theorems.txt` speak about: those
//! that stand in a statement, or in a definition that does, and so on; not what proofs use.
//!
//! Read from the `.glob` files that coqc leaves beside the compiled ones.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::assumptions::Theorem;
use crate::chore::{ChoreError, files_below, read};

/// What begins an entry in a `.glob` file.
const HEADS: [&str; 10] = ["def", "prf", "thm", "inst", "ind", "rec", "constr", "proj", "abbrev", "not"];

/// For each name, such as `AardvarkSpec.Block.Checks.check_interval`, those that it stands for.
#[derive(Debug, Default)]
pub struct Statements {
    named: BTreeMap<String, BTreeSet<String>>,
}

impl Statements {
    /// Reads what coqc noted in a folder.
    pub fn add_folder(&mut self, folder: &Path) -> Result<(), ChoreError> {
        for path in files_below(folder, &["glob"])? {
            self.add_file(&read(&path)?, &read(&path.with_extension("v"))?);
        }
        Ok(())
    }

    /// Reads the notes on a file's text.
    fn add_file(&mut self, glob: &str, text: &str) {
        let proofs: Vec<usize> = text.match_indices("\nProof").map(|(at, _)| at).collect();
        let (mut library, mut entry): (String, Option<(String, usize)>) = (String::new(), None);
        for line in glob.lines() {
            match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                [head, place, _, name] if HEADS.contains(head) => {
                    let begin = place.split(':').next().and_then(|at| at.parse().ok()).unwrap_or(0);
                    // A definition by tactics is opaque to readers too.
                    let of = proofs.iter().copied().find(|at| *at > begin).unwrap_or(usize::MAX);
                    let end = if ["prf", "thm", "inst"].contains(head) { of } else { usize::MAX };
                    entry = Some((format!("{library}.{name}"), end));
                    self.named.entry(format!("{library}.{name}")).or_default();
                }
                [place, of, _, name, _] if place.starts_with('R') => {
                    let at = place.trim_start_matches('R').split(':').next().and_then(|at| at.parse().ok());
                    let Some((by, end)) = &entry else { continue };
                    if at.is_some_and(|at: usize| at < *end) {
                        self.named.entry(by.clone()).or_default().insert(format!("{of}.{name}"));
                    }
                }
                [only] => library = only.strip_prefix('F').map_or(library, str::to_owned),
                _ => {}
            }
        }
    }

    /// The functions of the specification that the statements of these theorems stand for.
    pub fn spoken(&self, theorems: &[Theorem]) -> BTreeSet<String> {
        let mut open: Vec<String> =
            theorems.iter().map(|theorem| format!("{}.{}", theorem.library(), theorem.name)).collect();
        let mut found: BTreeSet<String> = open.iter().cloned().collect();
        while let Some(next) = open.pop() {
            for named in self.named.get(&next).into_iter().flatten() {
                if found.insert(named.clone()) {
                    open.push(named.clone());
                }
            }
        }
        let function = |name: &String| {
            let below = name.strip_prefix("AardvarkSpec.")?;
            below.rsplit_once('.').map(|(_, function)| function.to_owned())
        };
        found.iter().filter_map(function).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_speaks_of_what_its_definitions_stand_for_and_not_of_what_its_proof_uses() {
        let mut statements = Statements::default();
        statements.add_file("FAardvarkSpec.A\ndef 0:1 <> inner\ndef 5:6 <> outer\nR7:8 AardvarkSpec.A <> inner def\ndef 9:9 <> unused\n", "");
        let text = "Theorem t : outer.\nProof. exact (lemma unused). Qed.\nTheorem u : true.\nProof. auto. Qed.\n";
        let glob = "FAardvark.Theorems.T\nprf 8:8 <> t\nR12:16 AardvarkSpec.A <> outer def\nR40:45 AardvarkSpec.A <> unused def\nprf 61:61 <> u\n";
        statements.add_file(glob, text);
        let theorem = |name: &str| Theorem { file: "T".to_owned(), name: name.to_owned() };
        let spoken: Vec<String> = statements.spoken(&[theorem("t")]).into_iter().collect();
        assert_eq!(spoken, ["inner", "outer"]);
        assert!(statements.spoken(&[theorem("u")]).is_empty());
    }
}
