//! What the proofs alone say of a mutation: the mutated specification is translated, and every
//! theory that depends on what changes is compiled, in their order, until a lemma fails that a
//! theorem of `proofs/theorems.txt` stands on.

use std::cell::RefCell;
use std::path::Path;
use std::time::Duration;

use crate::assumptions::{Theorem, listed};
use crate::chore::{ChoreError, root};
use crate::mutate::sites::Mutant;
use crate::mutate::translation::Translation;
use crate::recompile::{self, Copy};
use crate::uses::Uses;

/// What the proofs say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The translator refuses the mutated specification, or Coq the translation: it is no
    /// specification.
    None,
    /// The translation is the same.
    Same,
    /// A lemma fails that a theorem of the list stands on.
    Headline {
        /// The theory.
        file: String,
        /// The lemma.
        lemma: String,
        /// The first of those theorems.
        theorem: String,
    },
    /// Lemmas fail, and no theorem of the list stands on one of them; the first.
    Other {
        /// The theory.
        file: String,
        /// The lemma.
        lemma: String,
    },
    /// All theories compile.
    Pass,
    /// The time or the memory ran out.
    Undecided,
}

/// The specification's translation and the compiled proofs, private copies.
pub struct Proofs {
    translation: Translation,
    copy: Copy,
    uses: Uses,
    theorems: Vec<Theorem>,
}

impl Proofs {
    /// Copies what is compiled already into this folder.
    pub fn new(folder: &Path) -> Result<Self, ChoreError> {
        let proofs = root().join("proofs");
        Ok(Self {
            translation: Translation::new(folder)?,
            copy: Copy::new(&proofs, folder)?,
            uses: Uses::read(&proofs.join("theories"))?,
            theorems: listed()?,
        })
    }

    /// Compiles what a mutation changes: first the theories that name the function, then all others
    /// that depend on it; for no longer than the limit.
    pub fn judge(&self, mutant: &Mutant, text: &str, limit: Duration) -> Result<Verdict, ChoreError> {
        let Some(new) = self.translation.of(mutant, text)? else { return Ok(Verdict::None) };
        if new.is_empty() {
            return Ok(Verdict::Same);
        }
        let (mut goals, mut others) = (Vec::new(), Vec::new());
        for file in &new {
            let name =
                if file.file.ends_with("Safe") { format!("{}_safe", mutant.function) } else { mutant.function.clone() };
            let (naming, rest) = self.copy.theories_of(&file.file, &name);
            goals.extend(naming);
            others.extend(rest);
        }
        goals.extend(others);
        let passed_over: RefCell<Option<(String, String)>> = RefCell::new(None);
        let counts = |file: &str, lemma: &str| {
            let counted = file.starts_with("generated/") || self.theorem_on(file, lemma).is_some();
            if !counted {
                passed_over.borrow_mut().get_or_insert_with(|| (file.to_owned(), lemma.to_owned()));
            }
            counted
        };
        let verdict = self.copy.judge_texts(&new, &goals, limit, counts)?;
        Ok(match (verdict, passed_over.into_inner()) {
            (recompile::Verdict::Noticed { file, .. }, _) if file.starts_with("generated/") => Verdict::None,
            (recompile::Verdict::Noticed { file, lemma }, _) => match self.theorem_on(&file, &lemma) {
                Some(theorem) => Verdict::Headline { file, lemma, theorem },
                None => Verdict::Other { file, lemma },
            },
            (_, Some((file, lemma))) => Verdict::Other { file, lemma },
            (recompile::Verdict::Pass, None) => Verdict::Pass,
            (recompile::Verdict::Undecided, None) => Verdict::Undecided,
        })
    }

    /// The first theorem of the list that stands on this lemma.
    fn theorem_on(&self, file: &str, lemma: &str) -> Option<String> {
        let standing = self.uses.standing_on(&self.theorems, file, lemma);
        standing.first().map(|theorem| format!("{}.{}", theorem.file, theorem.name))
    }
}
