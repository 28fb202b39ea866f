//! Which theorems stand on a lemma: by the references that coqc notes in the `.glob` files beside
//! the compiled ones.
//!
//! A reference belongs to the statement at whose name or after whose name it stands, its proof
//! included. What a proof finds without naming it (an instance, a hint) is not among them; what a
//! proof names and could do without is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::assumptions::Theorem;
use crate::chore::{ChoreError, files_below, read};

/// What begins a statement in a `.glob` file.
const HEADS: [&str; 5] = ["def", "prf", "inst", "ind", "rec"];

/// For each statement, such as `Aardvark.Lemmas.Batch.kzg_verify_batch_iff`, those that it names.
#[derive(Debug, Default)]
pub struct Uses {
    named: BTreeMap<String, BTreeSet<String>>,
}

impl Uses {
    /// Reads what coqc noted of the theories in this folder.
    pub fn read(theories: &Path) -> Result<Self, ChoreError> {
        let mut uses = Self::default();
        for path in files_below(theories, &["glob"])? {
            uses.add_file(&read(&path)?);
        }
        Ok(uses)
    }

    fn add_file(&mut self, text: &str) {
        let (mut library, mut statement) = (String::new(), None);
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [head, _, _, name] if HEADS.contains(head) => {
                    let name = format!("{library}.{name}");
                    self.named.entry(name.clone()).or_default();
                    statement = Some(name);
                }
                [place, of, _, name, _kind] if place.starts_with('R') => {
                    let Some(named) = statement.as_ref().and_then(|by| self.named.get_mut(by)) else { continue };
                    named.insert(format!("{of}.{name}"));
                }
                [only] => library = only.strip_prefix('F').map_or(library, str::to_owned),
                _ => {}
            }
        }
    }

    /// Whether coqc noted anything of this theorem: not where the compiled files were put there
    /// without their `.glob` files.
    pub fn knows(&self, theorem: &Theorem) -> bool {
        self.named.contains_key(&format!("{}.{}", theorem.library(), theorem.name))
    }

    /// Those of the theorems that name this lemma, or whatever names it.
    pub fn standing_on<'a>(&self, theorems: &'a [Theorem], file: &str, lemma: &str) -> Vec<&'a Theorem> {
        let lemma = format!("Aardvark.{}.{lemma}", file.trim_start_matches("theories/").replace('/', "."));
        let stands = |theorem: &&Theorem| self.reaches(format!("{}.{}", theorem.library(), theorem.name), &lemma);
        theorems.iter().filter(stands).collect()
    }

    fn reaches(&self, from: String, to: &str) -> bool {
        let (mut found, mut open) = (BTreeSet::from([from.clone()]), vec![from]);
        while let Some(next) = open.pop() {
            if next == to {
                return true;
            }
            for named in self.named.get(&next).into_iter().flatten() {
                if found.insert(named.clone()) {
                    open.push(named.clone());
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_theorem_stands_on_what_its_proof_names() {
        let mut uses = Uses::default();
        uses.add_file(
            "DIGEST 1\nFAardvark.Lemmas.A\nprf 1:2 <> one\nprf 5:6 <> two\nR7:8 Aardvark.Lemmas.A <> one thm\n",
        );
        uses.add_file("FAardvark.Theorems.T\nprf 1:2 <> t\nR3:4 Aardvark.Lemmas.A <> two thm\nprf 9:9 <> u\n");
        let theorems = ["t", "u"].map(|name| Theorem { file: "T".to_owned(), name: name.to_owned() });
        assert_eq!(uses.standing_on(&theorems, "theories/Lemmas/A", "one"), [&theorems[0]]);
        assert_eq!(uses.standing_on(&theorems, "theories/Theorems/T", "u"), [&theorems[1]]);
        assert!(uses.standing_on(&theorems, "theories/Lemmas/A", "three").is_empty());
        assert!(uses.knows(&theorems[1]) && !Uses::default().knows(&theorems[1]));
    }
}
