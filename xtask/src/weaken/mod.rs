//! `cargo xtask weaken`: makes definitions of `proofs/generated` weaker, one at a time, and demands
//! that the theorem which should hold because of each is no longer proved.
//!
//! A theorem is no longer proved where a lemma fails that its proof uses, by name or through others
//! (`crate::uses`). The definitions are data, `proofs/weakened/definitions.txt` (definitions.rs).
//! For each one: write the weaker text into a private copy of `proofs/`, and compile what the
//! theorem's file needs until something fails (`crate::recompile`). Where nothing does, compile all
//! other theories too, to tell what another theorem notices from what none does; both are errors.
//! What was seen goes to `proofs/weakened/README.md` after each definition (table.rs).

mod definitions;
mod table;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::assumptions::{Theorem, listed};
use crate::chore::{ChoreError, program, root};
use crate::recompile::{Change, Copy, Verdict};
use crate::uses::Uses;
use definitions::Weakened;
use table::{Outcome, Table};

/// The most that the proofs may spend on one definition.
const LIMIT: Duration = Duration::from_secs(1200);

/// Judges the definitions with these names, or all; fails where a theorem survives its own.
pub fn run(only: &[String]) -> Result<(), ChoreError> {
    let weakened = chosen(definitions::read_all()?, only)?;
    program("Proofs", "make", &["--no-print-directory", "-C", "proofs"])?;
    let copy = Copy::new(&root().join("proofs"), &root().join("target/weaken"))?;
    let study = Study { copy, uses: Uses::read(&root().join("proofs/theories"))?, theorems: listed()? };
    if let Some(unknown) = study.theorems.iter().find(|theorem| !study.uses.knows(theorem)) {
        let name = format!("{}.{}", unknown.file, unknown.name);
        return Err(ChoreError::Proofs(format!("coqc left no .glob file with {name}: `make -C proofs clean` first")));
    }
    let mut table = Table::read()?;
    let mut surviving = Vec::new();
    for definition in &weakened {
        let started = Instant::now();
        let outcome = study.judge(definition)?;
        println!("{}: {outcome} ({:.0} s)", definition.name, started.elapsed().as_secs_f64());
        if !matches!(outcome, Outcome::Fails { .. }) {
            surviving.push(definition.name.clone());
        }
        table.put(definition, &outcome)?;
    }
    println!("\n{}", table.text());
    if surviving.is_empty() {
        return Ok(());
    }
    Err(ChoreError::Proofs(format!("not noticed by the theorem that each should break: {}", surviving.join(", "))))
}

/// The definitions with these names, or all.
fn chosen(all: Vec<Weakened>, only: &[String]) -> Result<Vec<Weakened>, ChoreError> {
    if let Some(unknown) = only.iter().find(|name| all.iter().all(|definition| definition.name != **name)) {
        return Err(ChoreError::Proofs(format!("no weakened definition has the name {unknown}")));
    }
    Ok(all.into_iter().filter(|definition| only.is_empty() || only.contains(&definition.name)).collect())
}

/// What a definition is judged by.
struct Study {
    copy: Copy,
    uses: Uses,
    theorems: Vec<Theorem>,
}

impl Study {
    /// The theorem's file first, past lemmas that the theorem does not use; all other theories
    /// where it compiles.
    fn judge(&self, definition: &Weakened) -> Result<Outcome, ChoreError> {
        let change = Change { file: &definition.file, from: &definition.from, to: &definition.to };
        let goal = format!("{HEADLINES}{}", definition.theorem.file);
        let others = || self.copy.theories_of(&definition.file, "").1;
        // A definition that is none stops it too.
        let used = |file: &str, lemma: &str| {
            file.starts_with("generated/") || self.standing_on(file, lemma).contains(&&definition.theorem)
        };
        Ok(match self.copy.judge(&change, std::slice::from_ref(&goal), LIMIT, used)? {
            Verdict::Noticed { file, lemma } => self.failure(definition, file, lemma),
            Verdict::Undecided => Outcome::Undecided,
            Verdict::Pass => match self.copy.judge(&change, &others(), LIMIT, |_, _| true)? {
                Verdict::Noticed { file, lemma } => self.failure(definition, file, lemma),
                Verdict::Undecided => Outcome::Undecided,
                Verdict::Pass => Outcome::Survives,
            },
        })
    }

    fn standing_on(&self, file: &str, lemma: &str) -> Vec<&Theorem> {
        self.uses.standing_on(&self.theorems, file, lemma)
    }

    /// What fails with this lemma of this file.
    fn failure(&self, definition: &Weakened, file: String, lemma: String) -> Outcome {
        if file.starts_with("generated/") {
            return Outcome::IllTyped { file };
        }
        let standing = self.standing_on(&file, &lemma);
        if !standing.contains(&&definition.theorem) {
            return Outcome::FailsElsewhere { file, lemma };
        }
        let mut theorems = BTreeMap::new();
        for theorem in standing {
            *theorems.entry(theorem.file.clone()).or_default() += 1;
        }
        let dependents = self.copy.dependents(&file);
        let files = dependents.iter().filter_map(|file| file.strip_prefix(HEADLINES).map(str::to_owned));
        let others = files.filter(|file| !theorems.contains_key(file)).collect();
        Outcome::Fails { file, lemma, theorems, others }
    }
}

/// The folder of the theorems of `theorems.txt`, in a copy.
const HEADLINES: &str = "theories/Theorems/";
